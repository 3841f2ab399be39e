"""The progress of a long task: one line on standard error, if that is a terminal."""

import os
import sys
import time
from types import TracebackType
from typing import Self

import click

from webui.display.duration import format_duration

SECONDS_BEFORE_SHOWN = 1.0
"""Tasks that take less time show no bar."""
SECONDS_BETWEEN_UPDATES = 0.1
BAR_WIDTH = 28
ERASE_LINE = "\r\033[K"


class ProgressBar:
    """A progress bar; `total` is in any unit, or None if it is unknown.

    It is drawn on terminals only, once the task has taken `SECONDS_BEFORE_SHOWN`.
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
        """Draw the progress, at most every `SECONDS_BETWEEN_UPDATES`; `count` says it in words."""
        if self.watched and (now := time.monotonic()) >= self.next:
            self.next = now + SECONDS_BETWEEN_UPDATES
            self.drawn = True
            click.echo(ERASE_LINE + self.line(done, count, now - self.start), err=True, nl=False)

    def clear(self) -> None:
        """Erase the bar, so that other lines can be printed."""
        if self.drawn:
            click.echo(ERASE_LINE, err=True, nl=False)
            self.drawn = False

    def line(self, done: int, count: str, seconds: float) -> str:
        """The bar as text, this many seconds after the start."""
        if not self.total:
            return f"{self.title}  {count}  {format_duration(seconds)}"
        share = min(done / self.total, 1.0)
        full = round(share * BAR_WIDTH)
        left = f"  {format_duration(seconds / share - seconds)} left" if share > 0 else ""
        return f"{self.title}  [{'#' * full}{'.' * (BAR_WIDTH - full)}] {share:4.0%}  {count}{left}"
