"""One game's replay as tallies: a reader of frames that keeps what the statistics tables need."""

from dataclasses import dataclass, field
from typing import Any

from records.events import MELD_NAMES, Meld, Play
from records.frames import Frame
from records.record import Record
from records.replay.legal import plays
from records.replay.table import REPLY, Award, Table

SOURCES = (
    "meld", "dix", "turned_seven", "tenth_trick", "last_trick", "all_last_tricks", "brisques",
    "carte_blanche", "cut", "guess", "zetema", "ruling",
)  # fmt: skip
"""What points are for, in the order of the columns of `seats`."""

SOURCE_NO = {name: number for number, name in enumerate(SOURCES)}
MELD_NO = {name: number for number, name in enumerate(MELD_NAMES)}

NOT_KNOWN = -1
"""Stands for nothing in a column of numbers."""

Row = tuple[Any, ...]


@dataclass(slots=True)
class DealTally:
    """What one deal has shown so far.

    A trick is (number, event, closed, leader, winner, brisques, missed); a score is (event, tricks completed,
    seat, source, meld, royal, points), names by their numbers and -1 for nothing.
    """

    number: int
    table: Table
    tainted: bool = False
    tricks: list[Row] = field(default_factory=list)
    scores: list[Row] = field(default_factory=list)


class Collector:
    """Fed every frame of one record's replay, it keeps a tally of each deal."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.deals: list[DealTally] = []
        self._tally: DealTally
        self._may_take = NOT_KNOWN

    def see(self, frame: Frame) -> None:
        """Note what one frame adds."""
        if frame.index < 0:
            self._tally = DealTally(frame.deal, frame.table)
            self.deals.append(self._tally)
        if frame.tainted:
            self._tally.tainted = True
        if frame.awards:
            self._tally.scores += _scores(frame)
        if type(frame.event) is Play:
            tricks = self._tally.tricks
            if frame.table.tricks > len(tricks):
                tricks.append(_trick(frame.table, frame.index, self._may_take))
            elif frame.table.step == REPLY:
                self._may_take = _may_take(frame.table)


def _scores(frame: Frame) -> list[Row]:
    return [_score(frame, award) for award in frame.awards]


def _score(frame: Frame, award: Award) -> Row:
    meld, royal = -1, -1
    if award.source == "meld":
        meld, royal = MELD_NO[award.name], _is_royal(frame.event, frame.table.trump)
    source = SOURCE_NO[award.source]
    return (frame.index, frame.table.tricks, award.seat, source, meld, royal, award.points)


def _is_royal(event: object, trump: str | None) -> bool:
    return isinstance(event, Meld) and all(card[1] == trump for card in event.cards)


def _may_take(table: Table) -> int:
    """Whether an ace or ten was just led that the other player may take: 1 or 0, or NOT_KNOWN."""
    led = table.led
    if table.partial or table.unknown_held(table.seat):
        return NOT_KNOWN
    beaters = table.beaters.get(led or "", frozenset())
    takes = led in table.book.brisques and any(card in beaters for card in plays(table))
    return int(takes)


def _trick(table: Table, event: int, may_take: int) -> Row:
    assert table.taken is not None
    leader, led, _, reply = table.taken
    brisques = (led in table.book.brisques) + (reply in table.book.brisques)
    missed = may_take if table.winner == leader else 0
    return (table.tricks - 1, event, not table.phase.draws, leader, table.winner, brisques, missed)
