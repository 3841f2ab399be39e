"""What the templates of the replay room are given: a deal, a deal in a frame, a line tried."""

from dataclasses import dataclass
from typing import Any, ClassVar

from flask import url_for

from analyzer.store import Game
from records.rules.vocabulary import RuleSheet
from webui.lines import write_line
from webui.margin import Noted, Proposed
from webui.pages import Page, Remark
from webui.review import DealReview
from webui.shelf import LAST_STEP
from webui.sight import Sight
from webui.step import DealSteps
from webui.whatif import Choice, Tried


@dataclass(frozen=True, slots=True)
class EventLine:
    """A line of the event list; `heading` opens a trick. `notes` and `lines` are those of the record."""

    step: int
    heading: str
    say: str
    gains: list[tuple[str, int]]
    tone: str
    notes: list[Noted]
    lines: list[Proposed]
    lost: float = 0
    missed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPage(Page):
    """One deal of a game, at one step; `captures` says whether cards won lie there face up.

    `near` is the seat that is drawn at the near edge of the table. There is a `review` where the game was
    annotated and all of the deal is shown; `may_review` says that there could be one, `least` what the
    address calls a mistake. `digest` is empty where
    the game is not kept here; `packed` is the record as a link carries it, if it can.
    """

    template = "deals/replay.html"
    endpoint: ClassVar[str] = "deals.replay"
    digest: str
    sheet: RuleSheet
    captures: bool
    deal: DealSteps
    sight: Sight
    near: int
    number: int
    events: list[EventLine]
    remarks: list[Remark]
    tricks: list[int]
    json: str
    review: DealReview | None
    may_review: bool
    packed: str
    least: int | None = None

    @property
    def around(self) -> list[int]:
        """The other seats, in turn from the near one."""
        count = len(self.deal.names)
        return [(self.near + i) % count for i in range(1, count)]

    @property
    def is_timed(self) -> bool:
        """Whether the record says how long things took."""
        return any(step.ms is not None for step in self.deal.steps)

    @property
    def is_unsure(self) -> bool:
        """Whether some card of the deal may lie in either of two places."""
        return any(seat.unsure for step in self.deal.steps for seat in step.seats)

    @property
    def _view(self) -> dict[str, int | None]:
        return {
            "see": self.sight.eyes,
            "until": self.sight.until,
            "near": None if self.near == (self.sight.eyes or 0) else self.near,
            "least": self.least,
        }

    @property
    def tail(self) -> str:
        """What follows the step in an address of this deal: the rest of what is seen, and from where."""
        return "".join(f"&{name}={n}" for name, n in self._view.items() if n is not None)

    def other(self, deal: int) -> str:
        """The address of another deal, counted from 1, from its first step; hidden is what is hidden here.

        Where what comes is hidden, a later deal is hidden but for its first step, an earlier one is known.
        """
        known = None if self.sight.until is None else LAST_STEP if deal <= self.deal.deal else 0
        return self.at(deal=deal, step=None, until=known)

    def at(self, endpoint: str = "", **changes: int | bool | None) -> str:
        """The address of this page with some of what it names changed; None leaves a thing out."""
        here: dict[str, Any] = {"deal": self.deal.deal + 1, "step": self.number, **self._view}
        return url_for(endpoint or self.endpoint, digest=self.digest, **(here | changes))


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedPage(ReplayPage):
    """The same without what is around it, for a frame in another page."""

    template = "deals/embed.html"
    endpoint = "embed.replay"


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedPage(ReplayPage):
    """A deal of a `record` that came in the address, which every link of the page carries on."""

    record: str

    @property
    def tail(self) -> str:
        """What follows the step in an address of this deal."""
        view = "".join(f"&{name}={n}" for name, n in self._view.items() if n is not None)
        return f"{view}&deal={self.deal.deal + 1}&record={self.record}"

    def at(self, endpoint: str = "", **changes: int | bool | None) -> str:
        """The address of this page with some of what it names changed; None leaves a thing out."""
        here: dict[str, Any] = {"deal": self.deal.deal + 1, "step": self.number, **self._view}
        return url_for(endpoint or "carried.replay", **(here | changes), record=self.record)


@dataclass(frozen=True, slots=True)
class Path:
    """An event of a line tried: in words, the points it made, and the line up to it as an address has it."""

    say: str
    gains: list[tuple[str, int]]
    line: str


@dataclass(frozen=True, slots=True)
class OfRecord:
    """A line of the record as it was opened: who proposed it, what of it may not be played, and why.

    `left` are its events from the first that is not replayed on.
    """

    by: str
    text: str
    wrong: str
    left: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfPage(Page):
    """A deal gone on with by hand.

    `recorded` is what was done at the table, `opened` the line of the record that the address asked for.
    """

    template = "deals/whatif.html"
    game: Game
    sheet: RuleSheet
    captures: bool
    deal: DealSteps
    near: int
    number: int
    tried: Tried
    line: str
    path: list[Path]
    recorded: str
    opened: OfRecord | None

    @property
    def around(self) -> list[int]:
        """The other seats, in turn from the near one."""
        count = len(self.deal.names)
        return [(self.near + i) % count for i in range(1, count)]

    def way_of(self, choice: Choice) -> str:
        """The line that a choice leads to, as an address has it."""
        return write_line([*self.tried.line, choice.event])

    def at(self, endpoint: str = "whatif.what_if", **changes: str | int | None) -> str:
        """The address of this page with some of what it names changed; None leaves a thing out."""
        here: dict[str, Any] = {
            "deal": self.deal.deal + 1,
            "step": self.tried.start,
            "line": self.line or None,
            "near": self.near or None,
        }
        return url_for(endpoint, digest=self.game.digest, **(here | changes))
