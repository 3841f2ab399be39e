"""How far a long task is: one line on standard error, where a person watches."""

import os
import sys
import time
from types import TracebackType
from typing import Self

import click

from webui.display.duration import format_duration

SECONDS_BEFORE_SHOWN = 1.0
"""Seconds before a bar is shown: what is done sooner needs none."""
SECONDS_BETWEEN_UPDATES = 0.1
BAR_WIDTH = 28
ERASE_LINE = "\r\033[K"


class ProgressBar:
    """A progress bar; `total` is in any unit, or None where nobody can know it.

    It is drawn on a terminal only, and only once the task has taken more than a second.
    """

    def __init__(self, title: str, total: int | None = None) -> None:
        self.title = title
        self.total = total
        self.watched = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self.start = time.monotonic()
        self.next = self.start + SECONDS_BEFORE_SHOWN
        self.drawn = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.clear()

    def show(self, done: int, count: str = "") -> None:
        """Draw how much is done, if it is time to; `count` says it in words."""
        if self.watched and (now := time.monotonic()) >= self.next:
            self.next = now + SECONDS_BETWEEN_UPDATES
            self.drawn = True
            click.echo(ERASE_LINE + self.line(done, count, now - self.start), err=True, nl=False)

    def clear(self) -> None:
        """Take the bar away, so that something else can be printed."""
        if self.drawn:
            click.echo(ERASE_LINE, err=True, nl=False)
            self.drawn = False

    def line(self, done: int, count: str, seconds: float) -> str:
        """The bar as text, after so many seconds."""
        if not self.total:
            return f"{self.title}  {count}  {format_duration(seconds)}"
        share = min(done / self.total, 1.0)
        full = round(share * BAR_WIDTH)
        left = f"  {format_duration(seconds / share - seconds)} left" if share > 0 else ""
        return f"{self.title}  [{'#' * full}{'.' * (BAR_WIDTH - full)}] {share:4.0%}  {count}{left}"
