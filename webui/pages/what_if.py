"""The data of the page of What if."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from webui.pages.deals import TablePage
from webui.replay.line_url import write_line
from webui.replay.what_if import Continuation, TriedLine


@dataclass(frozen=True, slots=True)
class TriedEvent:
    """An event of a line tried: in words, the points it made, and the line up to it as an address has it."""

    say: str
    gains: list[tuple[str, int]]
    line: str


@dataclass(frozen=True, slots=True)
class RecordedLine:
    """A line of the record as it was opened: who proposed it, what of it may not be played, and why.

    `left` are its events from the first that is not replayed on.
    """

    by: str
    text: str
    wrong: str
    left: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfPage(TablePage):
    """A deal gone on with by hand, with all cards open; how it was looked at before is kept for the way back.

    `recorded` is what was done at the table, `opened` the line of the record that the address asked for.
    """

    template = "deals/what_if.html"
    endpoint = "what_if.what_if"
    tried: TriedLine
    line: str
    path: list[TriedEvent]
    recorded: str
    opened: RecordedLine | None

    @property
    def _query(self) -> dict[str, Any]:
        return {"step": self.tried.start, "line": self.line or None}

    @property
    def back(self) -> str:
        """The address of the deal as it was played, where the line leaves it."""
        return self.at("deals.replay", line=None)

    @property
    def held(self) -> list[tuple[str, str]]:
        """What a form must send along to lead on from this page: all that its address names."""
        return parse_qsl(urlsplit(self.at()).query)

    def way_of(self, choice: Continuation) -> str:
        """The line that a choice leads to, as an address has it."""
        return write_line([*self.tried.line, choice.event])
