"""Melds missed in one deal: at every trick won, what could have been scored, and what was."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from analyzer.annotate.missed.chance import MissedChance, PossibleScore, WonTrick
from records.engine.choices import legal_melds
from records.engine.copies.history import are_all_readings
from records.engine.copies.readings import may_meld
from records.engine.copies.reuse import reuse_rule_of
from records.engine.table import Table, TableStep
from records.events import Declare, Dix, Draw, Irregular, Meld, Play
from records.replay import Frame
from records.rules.vocabulary import MeldRule as Row

ChanceKey = tuple[int, str, int, str]
"""A meld of a seat: its name, its points and, where it is of one suit, that suit."""


class PlayedCard(NamedTuple):
    """A card played: the event, the seat, the card by its name, and how many of that name are left."""

    event: int
    seat: int
    card: str
    left: int


class MeldChance(msgspec.Struct):
    """A meld that has been possible and not made yet.

    `free` says that nothing stood in its way at least once, `lesser` that something of less worth did. While
    one of its cards stays with the seat it is one chance: no card serves twice in one meld.
    """

    could: PossibleScore
    first: int
    last: int
    tricks: tuple[int, int]
    times: int = 0
    free: bool = False
    lesser: bool = False
    certain: bool = False


class MeldWatch:
    """Reads the frames of one deal of two seats, and says which melds were missed."""

    def __init__(self) -> None:
        self.won: list[WonTrick] = []
        self.missed: list[MissedChance] = []
        self._window: WonTrick | None = None
        self._could: dict[ChanceKey, tuple[PossibleScore, bool]] = {}
        self._free: dict[ChanceKey, tuple[PossibleScore, bool]] = {}
        self._made: dict[ChanceKey, int] = {}
        self._open: dict[ChanceKey, MeldChance] = {}
        self._plays: list[PlayedCard] = []

    def read(self, frame: Frame) -> None:
        """Take in a frame."""
        event, table = frame.event, frame.table
        if isinstance(event, Draw | Play):
            self._close()
        match event:
            case Play(seat=seat, card=card):
                if not table.rules.melds_captured:
                    left = table.held[seat].get(card, 0)
                    self._plays.append(PlayedCard(frame.index, seat, card, left))
                if table.step is not TableStep.REPLY and table.melding.seat is not None:
                    self._window = WonTrick(frame.index, table.tricks, table.melding.seat, [], [])
                    self._look(table)
            case Meld() if self._window is not None:
                self._score(event, frame)
                self._look(table)
            case Dix() | Declare() | Irregular() if self._window is not None:
                self._look(table)
            case _:
                pass

    def end(self) -> list[MissedChance]:
        """What was missed, in the order of its last chance."""
        self._close()
        for (seat, *_), chance in self._open.items():
            self._give_up(seat, chance)
        self._open.clear()
        return sorted(self.missed, key=lambda missed: (missed.last, -missed.could.points))

    def _give_up(self, seat: int, chance: MeldChance) -> None:
        """A chance that was never taken."""
        became = "lost" if chance.free or chance.lesser else "given_up"
        ended = self._ended(seat, chance)
        self.missed.append(_missed(seat, chance, became=became, ended=ended))

    def _known(self, key: ChanceKey, cards: Sequence[str]) -> MeldChance | None:
        """The open chance of which these cards are another view; one that went with its cards is given up."""
        chance = self._open.pop(key, None)
        if chance is None:
            return None
        gone = {
            each.card
            for each in self._plays
            if each.event > chance.last and each.seat == key[0] and not each.left
        }
        own = set(chance.could.cards)
        if own.isdisjoint(gone) or own.intersection(cards) - gone:
            return chance
        self._give_up(key[0], chance)
        return None

    def _look(self, table: Table) -> None:
        """What may be scored now."""
        assert self._window is not None
        self._free = {
            _key(self._window.seat, row, cards): (
                possible_score_of(row, cards),
                _certain(table, row, cards),
            )
            for row, cards in reversed(legal_melds(table))
        }
        self._could = {**self._free, **self._could}

    def _score(self, event: Meld, frame: Frame) -> None:
        """A meld is made: the chance it was is taken."""
        points = sum([award.points for award in frame.awards if award.source == "meld"])
        row = frame.table.rules.meld_rule(frame.table.trump, event.meld, tuple(event.cards))
        if row is None or self._window is None:
            return
        key = _key(event.seat, row, event.cards)
        self._made[key] = points
        self._window.made.append(possible_score_of(row, event.cards))
        chance = self._known(key, event.cards)
        if chance is not None and chance.free:
            self.missed.append(_missed(event.seat, chance, became="delayed", made=frame.index))

    def _close(self) -> None:
        """The winner of the trick plays or draws: what has not been scored is missed for now."""
        window, self._window = self._window, None
        if window is None:
            return
        most = max(self._made.values(), default=0)
        for key, (could, certain) in self._could.items():
            window.could.append(could)
            if key in self._made:
                continue
            at = window.event, window.trick
            chance = self._known(key, could.cards) or MeldChance(
                could, at[0], at[0], (at[1], at[1])
            )
            self._open[key] = chance
            chance.last, chance.tricks = at[0], (chance.tricks[0], at[1])
            chance.could = could
            chance.times += 1
            chance.certain = chance.certain or certain
            if key in self._free:
                chance.free = True
            elif most < could.points:
                chance.lesser = True
        if window.could:
            window.could.sort(key=lambda could: -could.points)
            self.won.append(window)
        self._could, self._free, self._made = {}, {}, {}

    def _ended(self, seat: int, chance: MeldChance) -> int | None:
        """The play after which the meld was gone: the first that leaves too few of its cards."""
        needed = Counter(chance.could.cards)
        return next(
            (
                each.event
                for each in self._plays
                if each.event > chance.last
                and each.seat == seat
                and each.left < needed.get(each.card, 0)
            ),
            None,
        )


def possible_score_of(row: Row, cards: list[str]) -> PossibleScore:
    """A meld as something that could be scored."""
    return PossibleScore(row.name, row.words, tuple(cards), row.points)


def _key(seat: int, row: Row, cards: list[str]) -> ChanceKey:
    suits = {card[1] for card in cards}
    return seat, row.name, row.points, suits.pop() if len(suits) == 1 else ""


def _certain(table: Table, row: Row, cards: list[str]) -> bool:
    """Whether a meld is allowed however like cards are told apart."""
    seat = table.melding.seat
    if seat is None:
        return True
    readings = table.melding.readings[seat]
    if not are_all_readings(readings):
        return False
    if len(readings) == 1:
        return True
    allows = reuse_rule_of(row, table.rules, table.melding.scored[seat])
    return all(
        [may_meld((reading,), cards, table.melding.cards[seat], allows) for reading in readings]
    )


def _missed(
    seat: int, chance: MeldChance, *, became: str, made: int | None = None, ended: int | None = None
) -> MissedChance:
    return MissedChance(
        what="meld",
        seat=seat,
        could=chance.could,
        first=chance.first,
        last=chance.last,
        tricks=chance.tricks,
        times=chance.times,
        became=became,  # type: ignore[arg-type]
        made=made,
        ended=ended,
        certain=chance.certain,
    )
