"""How far a long task is: one line on standard error, where a person watches."""

import os
import sys
import time
from types import TracebackType
from typing import Self

import click

from webui.display.duration import clock

AFTER = 1.0
"""Seconds before a bar is shown: what is done sooner needs none."""
EVERY = 0.1
WIDTH = 28
ERASE = "\r\033[K"


class Bar:
    """A progress bar; `total` is in any unit, or None where nobody can know it.

    It is drawn on a terminal only, and only once the task has taken more than a second.
    """

    def __init__(self, title: str, total: int | None = None) -> None:
        self.title = title
        self.total = total
        self.watched = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self.start = time.monotonic()
        self.next = self.start + AFTER
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
            self.next = now + EVERY
            self.drawn = True
            click.echo(ERASE + self.line(done, count, now - self.start), err=True, nl=False)

    def clear(self) -> None:
        """Take the bar away, so that something else can be printed."""
        if self.drawn:
            click.echo(ERASE, err=True, nl=False)
            self.drawn = False

    def line(self, done: int, count: str, seconds: float) -> str:
        """The bar as text, after so many seconds."""
        if not self.total:
            return f"{self.title}  {count}  {clock(seconds)}"
        share = min(done / self.total, 1.0)
        full = round(share * WIDTH)
        left = f"  {clock(seconds / share - seconds)} left" if share > 0 else ""
        return f"{self.title}  [{'#' * full}{'.' * (WIDTH - full)}] {share:4.0%}  {count}{left}"
