"""The data of the pages on which positions are tried again."""

from collections.abc import Sequence
from dataclasses import dataclass

from webui.pages.deals import TablePage
from webui.pages.page import Page
from webui.replay.steps import DealSteps, ReplayStep
from webui.replay.weighed.drill_questions import DrillAnswer, OfferedChoice


@dataclass(frozen=True, slots=True)
class OfferedLink:
    """A choice on offer, and the address that makes it."""

    choice: OfferedChoice
    address: str


@dataclass(frozen=True, slots=True)
class DrillQuestion:
    """A position as its seat saw it, with what it could do; `key` names it on the reader's device.

    The `table` holds nothing that the seat could not see. `number` is its place in the drill, from 1, None if it is
    there for another reason.
    """

    key: str
    table: TablePage
    seat: int
    is_melding: bool
    offers: Sequence[OfferedLink]
    number: int | None

    @property
    def deal(self) -> DealSteps:
        """The deal as far as the seat had seen it."""
        return self.table.deal

    @property
    def step(self) -> ReplayStep:
        """The position."""
        return self.table.deal.steps[self.table.step_number]

    @property
    def name(self) -> str:
        """The player who decides."""
        return self.table.deal.names[self.seat]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillPage(Page):
    """A position to try again, of a game or of all weighed games of a player.

    `whose` is the player of a player's drill, `digest` the game of a game's. There is a `question` unless there is
    nothing to try, and an `answer` once a choice was made. Of `total` positions `next_address` leads to the next one.
    """

    template = "drills/drill.html"
    whose: str
    digest: str
    question: DrillQuestion | None
    answer: DrillAnswer | None
    again_address: str
    next_address: str
    total: int
    least: int
    least_loss: int | None
