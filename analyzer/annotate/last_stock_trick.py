"""Value the last trick before the close, when one face-down card is left in the stock.

A seat knows its own hand, the melds on the table and the cards played. One of the cards it has not seen lies
face down; the other player holds the rest. Each of them may be the face-down card, and each is one case. For
every case the trick, the melds after it and the whole close are solved, and a card's value is the exact mean
over the cases. The other player is assumed to know the case, so the mean is a guaranteed value.

The trick itself is played on the engine's own tables (`unchecked_stepper`, `legal_melds`); from the last draw on
`CloseSolver` takes over.
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
    """A card and its mean value: the points to come for its seat minus the other's.

    `meld` is the highest meld its seat could make after taking the trick, `theirs` the highest the other
    seat could make after taking it.
    """

    card: str
    value: float
    meld: PossibleScore | None = None
    theirs: PossibleScore | None = None


class LastStockDecision(msgspec.Struct):
    """A decision in the last trick before the close; `cards` cards may be the one that lies face down.

    `lost` is what the card played (`did`) cost on average; `ways` lists every card, the best first.
    """

    event: int
    seat: int
    did: str
    lost: float
    cards: int
    ways: list[CardValue]


class _Case(NamedTuple):
    """A card that may lie face down, how many like it are unseen, and the table in that case."""

    card: str
    copies: int
    table: Table


class LastStockTrickWatch:
    """Reads the frames of one two-player deal and values both decisions of the last trick before the close."""

    def __init__(self, positions: int | None) -> None:
        self.positions = positions
        self.found: list[LastStockDecision] = []
        self._played: list[tuple[int, Table, str]] = []
        self._table_before: Table | None = None

    def read(self, frame: Frame) -> None:
        """Read a frame."""
        table, event = frame.table, frame.event
        if isinstance(event, Play) and self._table_before is not None:
            if (
                event.seat == self._table_before.seat
                and event.card in self._table_before.held[event.seat]
            ):
                self._played.append((frame.index, self._table_before, event.card))
            self._table_before = None
        if (
            table.stock.left == 1
            and table.stock.turn_up is not None
            and table.step in (TableStep.LEAD, TableStep.REPLY)
        ):
            self._table_before = table.copy()
        elif isinstance(event, Draw) and table.stock.left == 0 and table.draws_due and self._played:
            self._value_decisions(event.card)

    def _value_decisions(self, face_down: str) -> None:
        """Value the decisions of the trick, now that the draw has shown the last face-down card."""
        played, self._played = self._played, []
        solver = close_solver_for(played[0][1].rules, self.positions)
        for index, table, card in played if solver.knows_all_moves(played[0][1]) else ():
            try:
                self.found.append(_value_decision(index, table, card, face_down, solver))
            except SearchLimitExceeded:
                continue


def _value_decision(
    index: int, table: Table, played: str, face_down: str, solver: CloseSolver
) -> LastStockDecision:
    """Value one decision; raises SearchLimitExceeded."""
    seat = table.seat
    sign = -1 if seat else 1
    cases = _cases(table, seat, face_down)
    unseen_count = sum([case.copies for case in cases])
    ways = []
    for card in legal_plays(table):
        total = 0
        for case in cases:
            gained = _after_play(case.table, card, case.card, solver) - case.table.points_lead()
            total += case.copies * sign * gained
        value = round(total / unseen_count, 2)
        ways.append(CardValue(card, value, *_highest_melds(table, card)))
    ways.sort(key=lambda way: -way.value)
    mine = next(way.value for way in ways if way.card == played)
    return LastStockDecision(
        event=index,
        seat=seat,
        did=played,
        lost=round(ways[0].value - mine, 2),
        cards=unseen_count,
        ways=ways,
    )


def _highest_melds(table: Table, card: str) -> tuple[PossibleScore | None, PossibleScore | None]:
    """The highest meld a card could bring its seat if it takes the trick, and the other seat if that does."""
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
            possible_score_of(*meld)
            for after_trick in tables
            if after_trick.melding.seat == winner
            for meld in legal_melds(after_trick)
        ]
        for winner in (seat, 1 - seat)
    )
    return max(mine, key=_points, default=None), max(theirs, key=_points, default=None)


def _points(could: PossibleScore) -> int:
    return could.points


def _cases(table: Table, seat: int, face_down: str) -> list[_Case]:
    """Every card that may lie face down, as far as this seat knows.

    Cards the other seat has laid on the table are known; every other card of its hand may be swapped for
    the one face down.
    """
    other = 1 - seat
    laid = {card: least for card, (least, _) in laid_bounds(table.readings[other]).items()}
    unseen = Counter({face_down: 1})
    for card, count in table.held[other].items():
        unseen[card] += count - laid.get(card, 0)
    cases = []
    for card, count in sorted(unseen.items()):
        if count:
            swapped = table.copy()
            held = swapped.held[other]
            if card != face_down:
                held[card] -= 1
                if not held[card]:
                    del held[card]
                held[face_down] = held.get(face_down, 0) + 1
            cases.append(_Case(card, count, show_all_sevens(swapped)))
    return cases


def _after_play(table: Table, card: str, face_down: str, solver: CloseSolver) -> int:
    """Seat 0's lead at the end if this card is played now, with best play after it."""
    after = table.copy()
    unchecked_stepper(after).advance(Play(seat=table.seat, card=card))
    if after.step is not TableStep.REPLY:
        return _after_trick(after, face_down, solver, FULL_POINTS_WINDOW)
    # Alpha-beta: once one reply is valued, the others only need to be known where they are better.
    low, high = FULL_POINTS_WINDOW
    for reply in legal_plays(after):
        replied = after.copy()
        unchecked_stepper(replied).advance(Play(seat=after.seat, card=reply))
        value = _after_trick(replied, face_down, solver, (low, high))
        if after.seat == 0:
            low = max(low, value)
        else:
            high = min(high, value)
    return low if after.seat == 0 else high


def _after_trick(table: Table, face_down: str, solver: CloseSolver, window: tuple[int, int]) -> int:
    """The best the winner can do before the last two cards are drawn: melds, a dix, or nothing.

    Values outside the `window` are only bounds.
    """
    values = [_after_draws(table, face_down, solver, window)]
    seat = table.melding.seat
    if table.step is TableStep.DRAW and seat is not None:
        for row, cards in legal_melds(table):
            after = table.copy()
            unchecked_stepper(after).advance(Meld(seat=seat, meld=row.name, cards=cards))
            values.append(_after_trick(after, face_down, solver, window))
        for action in legal_dixes(table):
            after = table.copy()
            unchecked_stepper(after).advance(Dix(seat=seat, action=action))  # type: ignore[arg-type]
            values.append(_after_trick(after, face_down, solver, window))
    return max(values) if seat == 0 else min(values)


def _after_draws(table: Table, face_down: str, solver: CloseSolver, window: tuple[int, int]) -> int:
    """Seat 0's lead at the end of the deal, once the last cards are drawn; a bound if outside the window.

    Raises SearchLimitExceeded.
    """
    # Where any number of melds may follow a trick, their orders alone can be too many: each one counts.
    solver.count_position()
    after = table.copy()
    for seat in tuple(after.draws_due):
        card = face_down if after.stock.left else after.stock.turn_up
        unchecked_stepper(after).advance(Draw(seat=seat, card=card or "??"))
    known = after.points_lead() + certain_dix_points(after)
    position = solver.position_at(after)
    low, high = window
    if high < INFINITE_POINTS and solver.reaches(position, high - known):
        return high
    if low > -INFINITE_POINTS and not solver.reaches(position, low - known + 1):
        return low
    return known + solver.value(position)
