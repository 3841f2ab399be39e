"""The data of the pages of a deal on the table: the replay, and the replay in a frame."""

from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlsplit

from flask import url_for

from records.rules.registry import get_sheet
from records.rules.vocabulary import MeldsFrom, RuleSheet
from webui.games.cache import GameSource
from webui.games.short_digests import shorten_digest
from webui.pages.findings import ShownFinding
from webui.pages.page import Page
from webui.replay.comments import LineAtStep, NoteAtStep
from webui.replay.review import DealReview
from webui.replay.steps import DealSteps
from webui.replay.visibility import Visibility

LAST_STEP = 1_000_000
"""A step in an address that leads to the last step of any deal."""


@dataclass(frozen=True, slots=True)
class EventLine:
    """A line of the event list; `heading` opens a trick, `notes` and `lines` come from the record.

    `reasons` say who takes the trick and why, and what points are for, where `say` does not.

    `lost` are the points that a mistake cost; `graded` says the same of a weighed choice, with its grade and error.
    """

    step: int
    heading: str
    say: str
    reasons: list[str]
    gains: list[tuple[str, int]]
    tone: str
    notes: list[NoteAtStep]
    lines: list[LineAtStep]
    lost: float = 0
    missed: int = 0
    graded: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePage(Page):
    """A deal on the table, at one step.

    `digest` is that of a stored game, and empty for any other, which has a `source`.
    `near` is the seat at the near edge of the table, `least_loss` what makes a mistake, if the address names a limit.
    `occasion` says when and where a stored game was played, as far as its record does.
    """

    endpoint: ClassVar[str]
    digest: str
    source: GameSource | None
    deal: DealSteps
    visibility: Visibility
    near: int
    step_number: int
    least_loss: int | None
    occasion: str

    @property
    def sheet(self) -> RuleSheet:
        """The rules of the game."""
        return get_sheet(self.deal.sheet)

    @property
    def shows_captured_cards(self) -> bool:
        """Whether captured cards lie on the table face up."""
        return self.sheet.melds_from is MeldsFrom.CAPTURED

    @property
    def other_seats(self) -> list[int]:
        """The other seats, in turn from the near one."""
        count = len(self.deal.names)
        return [(self.near + i) % count for i in range(1, count)]

    @property
    def _query(self) -> dict[str, Any]:
        """What the address names besides the game, the deal and the view."""
        return {"step": self.step_number}

    def address(self, endpoint: str = "", **changes: str | int | bool | None) -> str:
        """The address of this page, or of another `endpoint` for this deal, with some of its values changed.

        A change to None removes a value. The permalink or the private link of a game is passed on.
        """
        name = endpoint or self.endpoint
        here: dict[str, Any] = {
            "deal": self.deal.deal + 1,
            **self._query,
            "see": self.visibility.seat,
            "until": self.visibility.until,
            "near": None if self.near == (self.visibility.seat or 0) else self.near,
            "least": self.least_loss,
        }
        if self.source is None:
            return url_for(name, **({"digest": self.digest} | here | changes))
        view = f"{self.source.blueprint}.{name.rpartition('.')[2]}"
        return url_for(view, **(here | changes | dict(self.source.values)))

    @property
    def is_example(self) -> bool:
        """Whether the game is an example that every server has."""
        return self.source is not None and self.source.blueprint == "examples"

    @property
    def is_private(self) -> bool:
        """Whether only who has the private link of an upload can see the game."""
        return self.source is not None and "sent" in self.source.values


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPage(TablePage):
    """One deal of a game as it was played.

    There is a `review` if the game is annotated and the whole deal is visible; `reviewable` says that it could be
    annotated. `permalink` holds the whole record; it is empty if the record is too long for an address.
    """

    template = "deals/replay.html"
    endpoint = "deals.replay"
    events: list[EventLine]
    findings: list[ShownFinding]
    trick_starts: list[int]
    json: str
    review: DealReview | None
    reviewable: bool
    permalink: str

    @property
    def title(self) -> str:
        """The title of the page: players, deal, rules, date and site."""
        parts = [
            " – ".join(self.deal.names),
            f"deal {self.deal.deal + 1}",
            self.sheet.name,
            self.occasion,
        ]
        return ", ".join(filter(None, parts))

    @property
    def description(self) -> str:
        """What the step shows, in a sentence or two: what was done, and the points of all."""
        step = self.deal.steps[self.step_number]
        points = ", ".join(
            f"{name} {'–' if seat.points is None else seat.points}"
            for name, seat in zip(self.deal.names, step.seats, strict=True)
        )
        return f"Step {self.step_number} of a deal of {self.sheet.name}: {step.say} Points so far: {points}."

    @property
    def short_address(self) -> str:
        """The whole address of the step that is shown, as short as it can be."""
        if self.source is not None:
            return self.address(_external=True)
        return self.address(digest=shorten_digest(self.digest), _external=True)

    @property
    def preview_address(self) -> str:
        """The whole address of the picture that programs show beside a link to this step.

        Empty for a game that nobody sees but who has its link.
        """
        if self.source is not None and not self.is_example:
            return ""
        return self.address("deals.replay_preview", _external=True)

    @property
    def review_address(self) -> str:
        """The address of the review of the whole game, or what makes the review of a game in no collection."""
        if self.source is None:
            return url_for("reviews.review", digest=self.digest, least=self.least_loss)
        return self.address("deals.review", see=None, until=None)

    @property
    def is_timed(self) -> bool:
        """Whether the record gives times."""
        return any(step.ms is not None for step in self.deal.steps)

    @property
    def is_unsure(self) -> bool:
        """Whether the position of some card is uncertain."""
        return any(seat.unsure for step in self.deal.steps for seat in step.seats)

    @property
    def query_tail(self) -> str:
        """What follows the step in an address of this deal: the view."""
        query = urlsplit(self.address(step=None)).query
        return f"&{query}" if query else ""

    def address_of_deal(self, deal: int) -> str:
        """The address of the first step of another deal, counted from 1.

        Where the future is hidden, later deals are hidden but for their first step; earlier ones are shown in full.
        """
        known = (
            None if self.visibility.until is None else LAST_STEP if deal <= self.deal.deal else 0
        )
        return self.address(deal=deal, step=None, until=known)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedPage(ReplayPage):
    """The replay alone, for a frame in another page."""

    template = "deals/embed.html"
    endpoint = "embed.replay"
