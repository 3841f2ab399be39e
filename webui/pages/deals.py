"""The data of the pages of a deal on the table: the replay, and the replay in a frame."""

from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlsplit

from flask import url_for

from records.rules.registry import get_sheet
from records.rules.vocabulary import MeldsFrom, RuleSheet
from webui.pages.findings import ShownFinding
from webui.pages.page import Page
from webui.replay.comments import LineAtStep, NoteAtStep
from webui.replay.review import DealReview
from webui.replay.steps import DealSteps
from webui.replay.visibility import Visibility

LAST_STEP = 1_000_000
"""As a step in an address it leads to the last step of a deal, however many there are."""


@dataclass(frozen=True, slots=True)
class EventLine:
    """A line of the event list; `heading` opens a trick. `notes` and `lines` are those of the record."""

    step: int
    heading: str
    say: str
    gains: list[tuple[str, int]]
    tone: str
    notes: list[NoteAtStep]
    lines: list[LineAtStep]
    lost: float = 0
    missed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePage(Page):
    """A deal on the table, at one step.

    `digest` is that of a stored game, `carried` what the address held of one that came inside it; the other is
    empty. `near` is the seat that is drawn at the near edge of the table, `least` what the address calls a mistake.
    """

    endpoint: ClassVar[str]
    digest: str
    carried: str
    deal: DealSteps
    sight: Visibility
    near: int
    number: int
    least: int | None

    @property
    def sheet(self) -> RuleSheet:
        """The rules of the game."""
        return get_sheet(self.deal.sheet)

    @property
    def captures(self) -> bool:
        """Whether cards won lie on the table face up."""
        return self.sheet.melds_from is MeldsFrom.CAPTURED

    @property
    def around(self) -> list[int]:
        """The other seats, in turn from the near one."""
        count = len(self.deal.names)
        return [(self.near + i) % count for i in range(1, count)]

    @property
    def _query(self) -> dict[str, Any]:
        """What this page's address names besides the game, the deal, and how it is looked at."""
        return {"step": self.number}

    def at(self, endpoint: str = "", **changes: str | int | None) -> str:
        """The address of this page, or of another of this deal, with some of what it names changed.

        None leaves a thing out. A game in the address is carried on.
        """
        name = endpoint or self.endpoint
        here: dict[str, Any] = {
            "deal": self.deal.deal + 1,
            **self._query,
            "see": self.sight.eyes,
            "until": self.sight.until,
            "near": None if self.near == (self.sight.eyes or 0) else self.near,
            "least": self.least,
        }
        if self.digest:
            return url_for(name, digest=self.digest, **(here | changes))
        return url_for(
            f"permalinks.{name.rpartition('.')[2]}", **(here | changes), record=self.carried
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPage(TablePage):
    """One deal of a game as it was played.

    There is a `review` where the game was annotated and all of the deal is shown; `may_review` says that there
    could be one. `packed` is the record as a link carries it, if it can.
    """

    template = "deals/replay.html"
    endpoint = "deals.replay"
    events: list[EventLine]
    remarks: list[ShownFinding]
    tricks: list[int]
    json: str
    review: DealReview | None
    may_review: bool
    packed: str

    @property
    def is_timed(self) -> bool:
        """Whether the record says how long things took."""
        return any(step.ms is not None for step in self.deal.steps)

    @property
    def is_unsure(self) -> bool:
        """Whether some card of the deal may lie in either of two places."""
        return any(seat.unsure for step in self.deal.steps for seat in step.seats)

    @property
    def tail(self) -> str:
        """What follows the step in an address of this deal: the rest of what is seen, and from where."""
        query = urlsplit(self.at(step=None)).query
        return f"&{query}" if query else ""

    def other(self, deal: int) -> str:
        """The address of another deal, counted from 1, from its first step; hidden is what is hidden here.

        Where what comes is hidden, a later deal is hidden but for its first step, an earlier one is known.
        """
        known = None if self.sight.until is None else LAST_STEP if deal <= self.deal.deal else 0
        return self.at(deal=deal, step=None, until=known)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedPage(ReplayPage):
    """The same without what is around it, for a frame in another page."""

    template = "deals/embed.html"
    endpoint = "embed.replay"
