"""The trick and the melds at a table: what changes there at every trick."""

from dataclasses import dataclass, replace

from records.engine.copies.marks import Readings
from records.engine.table_parts.deal_state import MeldUndo, TurnUndo


@dataclass(slots=True)
class CurrentTrick:
    """The trick in progress, and the last one completed.

    `led` is None before the lead. `winner` took the last trick; None from the next lead on. `completed` is
    the last trick's leader and card, then the other seat and its card. `winner_claimed`: whether the record
    has named its winner. `winner_open`: its cards leave open who won, so `winner` is only what later events
    suggest.
    """

    leader: int
    led: str | None = None
    winner: int | None = None
    completed: tuple[int, str, int, str] | None = None
    winner_claimed: bool = False
    winner_open: bool = False

    def copy(self) -> "CurrentTrick":
        """The same trick, to go on from."""
        return replace(self)


@dataclass(slots=True)
class Melding:
    """Who may meld now, of which cards, and what each seat has melded.

    `seat` may meld, `left` times. `cards` are the cards each seat melds from, `readings` what is known of
    their copies, and `marked` those that are told apart: the very objects of the table's hands or, where
    melds are made of captured cards, of its captures. `laid` lists a seat's cards on the table as (number
    of the meld, its name, card), `scored` its melds as (kind, number of cards), and `scored_at` the event of
    each, -1 for a meld of the setup. `checked` is the meld that a check has just looked at and the readings
    after it, so that applying it need not search again.
    """

    cards: list[dict[str, int]]
    readings: list[Readings]
    marked: list[frozenset[str]]
    laid: list[list[tuple[int, str, str]]]
    scored: list[list[tuple[str, int]]]
    scored_at: list[list[int]]
    seat: int | None = None
    left: int = 0
    checked: tuple[object, Readings] | None = None
    undo: MeldUndo | TurnUndo | None = None

    def copy(self) -> "Melding":
        """The same melds; the cards and their readings stay those of this table until `Table.copy` gives others."""
        laid, scored = list(map(list, self.laid)), list(map(list, self.scored))
        lying, at = (self.cards, self.readings, self.marked), list(map(list, self.scored_at))
        return Melding(*lying, laid, scored, at, self.seat, self.left, self.checked, self.undo)
