"""The data of the page of What if."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from webui.pages.deals import TablePage
from webui.replay.line_url import write_line
from webui.replay.what_if import Continuation, TriedLine


@dataclass(frozen=True, slots=True)
class TriedEvent:
    """An event of a tried line: in words, the points it scored, and the line up to it as text for an address."""

    say: str
    gains: list[tuple[str, int]]
    line: str


@dataclass(frozen=True, slots=True)
class RecordedLine:
    """A line of the record: its author, its text, why it is not legal, if so, and its events not replayed (`left`)."""

    by: str
    text: str
    wrong: str
    left: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfPage(TablePage):
    """A deal with a line of the reader's own, all cards face up.

    `played` are the events of the line, `recorded_event` is what was done at the table instead, and `recorded_line` the
    line of the record that the address names, if it does. After `played_out_from` events of the line simple players have
    played on, if the reader let them. The view of the replay is kept for the way back.
    """

    template = "deals/what_if.html"
    endpoint = "what_if.what_if"
    tried_line: TriedLine
    line: str
    played: list[TriedEvent]
    recorded_event: str
    recorded_line: RecordedLine | None
    played_out_from: int | None

    @property
    def _query(self) -> dict[str, Any]:
        return {"step": self.tried_line.start, "line": self.line or None}

    @property
    def preview_address(self) -> str:
        """The whole address of the picture that programs show beside a link to this page.

        Empty for a game that nobody sees but who has its link.
        """
        if self.source is not None and not self.is_example:
            return ""
        return self.address("what_if.what_if_preview", _external=True)

    @property
    def replay_address(self) -> str:
        """The address of the replay, at the step where the line leaves it."""
        return self.address("deals.replay", line=None)

    @property
    def form_fields(self) -> list[tuple[str, str]]:
        """The hidden fields of a form that stays on this page: all that its address names."""
        return parse_qsl(urlsplit(self.address()).query)

    @property
    def finished_line(self) -> str:
        """The line with the best play of both to the end of the deal, as text for an address."""
        return write_line([*self.tried_line.line, *self.tried_line.best_line])

    def line_with(self, choice: Continuation) -> str:
        """The line with one more choice, as text for an address."""
        return write_line([*self.tried_line.line, choice.event])
