"""The last trick before the close: one face-down card is left, and everything else follows from it.

A seat knows its own hand, what lies on the table and what was played; one of the cards it has not seen
lies face down, and the other player holds the rest. Each may be the one. For every such case the trick,
the melds after it and the close are played out as well as can be, and a card's worth is the exact mean
over the cases. The other player is taken to know the case, so that the mean is what the card is sure to
bring against the best reply.
"""

from collections import Counter
from typing import NamedTuple

import msgspec

from analyzer.annotate.missed.chance import PossibleScore
from analyzer.annotate.missed.missed_melds import possible_score_of
from analyzer.annotate.solver.close import CloseSolver
from analyzer.annotate.solver.dix import certain_dix_points, close_solver_for, show_all_sevens
from analyzer.annotate.solver.position import SearchLimitExceeded
from records.engine.choices import legal_dixes, legal_melds, legal_plays
from records.engine.copies.readings import laid_bounds
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import Dix, Draw, Meld, Play
from records.replay import Frame

INFINITE_POINTS = 1 << 30
FULL_POINTS_WINDOW = (-INFINITE_POINTS, INFINITE_POINTS)


class CardValue(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card and the mean of what it is worth to its seat, in points to come less the other's.

    `meld` is the dearest that its seat could make if it took the trick, `theirs` the dearest that the
    other seat could make if it did not.
    """

    card: str
    value: float
    meld: PossibleScore | None = None
    theirs: PossibleScore | None = None


class LastStockDecision(msgspec.Struct):
    """A choice in the last trick before the close; `cards` different cards may lie face down.

    `lost` is the mean of what the choice cost.
    """

    event: int
    seat: int
    did: str
    lost: float
    cards: int
    ways: list[CardValue]


class _Case(NamedTuple):
    """A card that may lie face down, how many like it there are, and the table if it does."""

    card: str
    copies: int
    table: Table


class LastStockTrickWatch:
    """Reads the frames of one deal of two, and weighs both choices of the last trick before the close."""

    def __init__(self, positions: int | None) -> None:
        self.positions = positions
        self.found: list[LastStockDecision] = []
        self._seen: list[tuple[int, Table, str]] = []
        self._before: Table | None = None

    def read(self, frame: Frame) -> None:
        """Take in a frame."""
        table, event = frame.table, frame.event
        if isinstance(event, Play) and self._before is not None:
            if event.seat == self._before.seat and event.card in self._before.held[event.seat]:
                self._seen.append((frame.index, self._before, event.card))
            self._before = None
        if (
            table.stock.left == 1
            and table.stock.turn_up is not None
            and table.step in (TableStep.LEAD, TableStep.REPLY)
        ):
            self._before = table.copy()
        elif isinstance(event, Draw) and table.stock.left == 0 and table.draws_due and self._seen:
            self._weigh(event.card)

    def _weigh(self, face_down: str) -> None:
        """The last face-down card is known now: weigh what was chosen before."""
        seen, self._seen = self._seen, []
        ending = close_solver_for(seen[0][1].rules, self.positions)
        for index, table, did in seen if ending.lists(seen[0][1]) else ():
            try:
                self.found.append(_weigh_choice(index, table, did, face_down, ending))
            except SearchLimitExceeded:
                continue


def _weigh_choice(
    index: int, table: Table, did: str, face_down: str, ending: CloseSolver
) -> LastStockDecision:
    """One choice weighed; raises TooWide."""
    seat = table.seat
    sign = -1 if seat else 1
    cases = _cases(table, seat, face_down)
    whole = sum([case.copies for case in cases])
    ways = []
    for card in legal_plays(table):
        total = 0
        for case in cases:
            gained = _after_play(case.table, card, case.card, ending) - case.table.points_lead()
            total += case.copies * sign * gained
        value = round(total / whole, 2)
        ways.append(CardValue(card, value, *_dearest_melds(table, card)))
    ways.sort(key=lambda way: -way.value)
    mine = next(way.value for way in ways if way.card == did)
    return LastStockDecision(
        event=index,
        seat=seat,
        did=did,
        lost=round(ways[0].value - mine, 2),
        cards=whole,
        ways=ways,
    )


def _dearest_melds(table: Table, card: str) -> tuple[PossibleScore | None, PossibleScore | None]:
    """The dearest meld that a card could bring its seat, and the other seat, by who takes the trick."""
    seat, after = table.seat, table.copy()
    unchecked_stepper(after).advance(Play(seat=seat, card=card))
    tables = [after]
    if after.step is TableStep.REPLY:
        replies = legal_plays(after)
        tables = [after.copy() for _ in replies]
        for replied, reply in zip(tables, replies, strict=True):
            unchecked_stepper(replied).advance(Play(seat=1 - seat, card=reply))
    mine, theirs = (
        [
            possible_score_of(*each)
            for taken in tables
            if taken.melding.seat == who
            for each in legal_melds(taken)
        ]
        for who in (seat, 1 - seat)
    )
    return max(mine, key=_points, default=None), max(theirs, key=_points, default=None)


def _points(could: PossibleScore) -> int:
    return could.points


def _cases(table: Table, seat: int, face_down: str) -> list[_Case]:
    """Every card that may lie face down, for all this seat knows."""
    other = 1 - seat
    sure = {card: least for card, (least, _) in laid_bounds(table.readings[other]).items()}
    unseen = Counter({face_down: 1})
    for card, count in table.held[other].items():
        unseen[card] += count - sure.get(card, 0)
    cases = []
    for card, count in sorted(unseen.items()):
        if count:
            changed = table.copy()
            held = changed.held[other]
            if card != face_down:
                held[card] -= 1
                if not held[card]:
                    del held[card]
                held[face_down] = held.get(face_down, 0) + 1
            cases.append(_Case(card, count, show_all_sevens(changed)))
    return cases


def _after_play(table: Table, card: str, face_down: str, ending: CloseSolver) -> int:
    """Seat 0's lead at the end if a card is played now and both do their best."""
    after = table.copy()
    unchecked_stepper(after).advance(Play(seat=table.seat, card=card))
    if after.step is not TableStep.REPLY:
        return _after_trick(after, face_down, ending, FULL_POINTS_WINDOW)
    low, high = FULL_POINTS_WINDOW
    for reply in legal_plays(after):
        replied = after.copy()
        unchecked_stepper(replied).advance(Play(seat=after.seat, card=reply))
        value = _after_trick(replied, face_down, ending, (low, high))
        if after.seat == 0:
            low = max(low, value)
        else:
            high = min(high, value)
    return low if after.seat == 0 else high


def _after_trick(table: Table, face_down: str, ending: CloseSolver, window: tuple[int, int]) -> int:
    """The best of what the winner may do before the last two cards are drawn: melds, a dix, or nothing.

    What lies outside the `window` is only known to do so.
    """
    found = [_after_draws(table, face_down, ending, window)]
    seat = table.melding.seat
    if table.step is TableStep.DRAW and seat is not None:
        for row, cards in legal_melds(table):
            after = table.copy()
            unchecked_stepper(after).advance(Meld(seat=seat, meld=row.name, cards=cards))
            found.append(_after_trick(after, face_down, ending, window))
        for action in legal_dixes(table):
            after = table.copy()
            unchecked_stepper(after).advance(Dix(seat=seat, action=action))  # type: ignore[arg-type]
            found.append(_after_trick(after, face_down, ending, window))
    return max(found) if seat == 0 else min(found)


def _after_draws(table: Table, face_down: str, ending: CloseSolver, window: tuple[int, int]) -> int:
    """Seat 0's lead at the end of the deal once the last cards are drawn, as far as it lies in the window.

    Where any number of melds may be made, their orders alone can be too many: raises TooWide.
    """
    ending.spend()
    after = table.copy()
    for seat in tuple(after.draws_due):
        card = face_down if after.stock.left else after.stock.turn_up
        unchecked_stepper(after).advance(Draw(seat=seat, card=card or "??"))
    known = after.points_lead() + certain_dix_points(after)
    stand = ending.stand(after)
    low, high = window
    if high < INFINITE_POINTS and ending.reaches(stand, high - known):
        return high
    if low > -INFINITE_POINTS and not ending.reaches(stand, low - known + 1):
        return low
    return known + ending.value(stand)
