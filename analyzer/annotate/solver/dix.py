"""Solve a close in which showing a dix after a won trick scores points that playing it does not.

That is so where a dix scores every time: once shown, and again when played. The points for playing it
are fixed and left out, as everywhere. Showing it needs a trick won with the seven still in hand, so it is
searched with the rest. Waiting gains nothing: whoever may show a seven shows it at once, and that is then
the only move.
"""

from math import gcd

from analyzer.annotate.solver.close import CloseSolver, SearchMove
from analyzer.annotate.solver.melds.held import PossibleMeld
from analyzer.annotate.solver.position import ClosePosition, HeldSeven, HeldSevens, UnshownSevens
from records.cards import FACE_OF
from records.engine.copies.marks import SPENT_BIT, Reading
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import Dix
from records.rules.compiled import CompiledSheet
from records.rules.vocabulary import RuleSheet, Window


def close_solver_for(rules: CompiledSheet, positions: int | None = None) -> CloseSolver:
    """The solver for one deal's close; it searches at most `positions` positions."""
    return (
        DixCloseSolver(rules, positions)
        if showing_dix_scores(rules.sheet)
        else CloseSolver(rules, positions)
    )


def showing_dix_scores(sheet: RuleSheet) -> bool:
    """Whether winning a trick after the close with the seven of trumps in hand can score."""
    dix = sheet.dix
    if dix is None or dix.show is not Window.AFTER_TRICK_WON or not sheet.phases[-1].melds:
        return False
    return dix.points > 0 and dix.in_last_tricks and not (dix.played and dix.once_per_card)


def certain_dix_points(table: Table) -> int:
    """The points sevens of trumps in hand bring for certain, played or shown at any time: seat 0's minus seat 1's."""
    dix = table.rules.sheet.dix
    if dix is None or not dix.in_last_tricks:
        return 0
    if not dix.played and dix.show is not Window.AT_ANY_TIME:
        return 0
    every = dix.played and not dix.once_per_card
    scoring = [
        sum([held if every else fresh for _, held, fresh in _sevens_held(table, s)]) for s in (0, 1)
    ]
    return dix.points * (scoring[0] - scoring[1])


def show_all_sevens(table: Table) -> Table:
    """Show every seven on this table where that is allowed at any time, and return the same table.

    Such a showing is no choice: it costs nothing.
    """
    dix = table.rules.sheet.dix
    if dix is not None and dix.show is Window.AT_ANY_TIME and dix.in_last_tricks:
        for seat in (0, 1):
            for _, _, fresh in _sevens_held(table, seat):
                for _ in range(fresh):
                    unchecked_stepper(table).advance(Dix(seat=seat, action="show"))
    return table


class DixCloseSolver(CloseSolver):
    """Solves a close in which sevens of trumps may be shown for points."""

    def __init__(self, rules: CompiledSheet, positions: int | None = None) -> None:
        dix = rules.sheet.dix
        self.dix_points = dix.points if dix else 0
        super().__init__(rules, positions)
        self.unit = gcd(self.unit, self.dix_points)

    def position_at(self, table: Table) -> ClosePosition:
        """The solver's position for a table after the close, unshown sevens included."""
        won = table.step is TableStep.LEAD and table.melding.seat == table.seat
        return self._with_sevens(
            super().position_at(table),
            (_sevens_held(table, 0), _sevens_held(table, 1)),
            won=won,
        )

    def dix_showings(self, position: ClosePosition) -> list[tuple[int, ClosePosition]]:
        """Showing one seven, if the seat to act may; of two sevens either will do."""
        sevens, seat = position.sevens, position.trick_position.seat
        if sevens is None or not sevens.won or not sevens.held[seat]:
            return []
        name = next(name for name, _, fresh in sevens.held[seat] if fresh)
        left = tuple([(n, held, fresh - (n == name)) for n, held, fresh in sevens.held[seat]])
        after = self._with_sevens(position, _with_own_sevens(sevens.held, seat, left), won=True)
        return [(-self.dix_points if seat else self.dix_points, after)]

    def after_meld(
        self, position: ClosePosition, option: PossibleMeld
    ) -> tuple[int, ClosePosition]:
        """The points a meld scores for seat 0, and the position after it."""
        points, after = super().after_meld(position, option)
        return points, after._replace(sevens=position.sevens)

    def after_card(self, position: ClosePosition, card: str) -> tuple[int, ClosePosition]:
        """The points a card scores for seat 0, and the position after it.

        Of two like sevens the one already shown is played.
        """
        points, after = super().after_card(position, card)
        if position.sevens is None:
            return points, after
        held, seat = position.sevens.held, position.trick_position.seat
        left = tuple([_without_played(each, card) for each in held[seat] if each[:2] != (card, 1)])
        return points, self._with_sevens(
            after, _with_own_sevens(held, seat, left), won=not after.trick_position.led
        )

    def playable_cards(self, position: ClosePosition) -> list[str]:
        """The cards the seat to act may play; labelled sevens by name while one may be shown."""
        names = (
            [name for name, *_ in position.sevens.held[position.trick_position.seat]]
            if position.sevens
            else []
        )
        faces = {FACE_OF[name] for name in names}
        found = super().playable_cards(position)
        return [name for card in found for name in (names if card in faces else [card])]

    def _with_sevens(
        self, position: ClosePosition, held: tuple[HeldSevens, HeldSevens], *, won: bool
    ) -> ClosePosition:
        """The position with these sevens, leaving out those that can never be shown.

        After the next to last trick nobody can win another with a seven in hand: only its winner may
        still show one.
        """
        last = self.trick_solver(position.trump).remaining(position.trick_position).tricks < 2
        seat = position.trick_position.seat
        useful = [
            own if any([fresh for *_, fresh in own]) and (not last or (won and who == seat)) else ()
            for who, own in enumerate(held)
        ]
        sevens = UnshownSevens((useful[0], useful[1]), won) if any(useful) else None
        return position._replace(sevens=sevens)

    def _can_be_melded(self, position: ClosePosition, card: str) -> bool:
        """Whether a card may make a meld, or is a seven the seat to act may still show."""
        held = position.sevens.held[position.trick_position.seat] if position.sevens else ()
        if any([FACE_OF[name] == FACE_OF[card] for name, *_ in held]):
            return True
        return super()._can_be_melded(position, card)

    def _moves(self, position: ClosePosition) -> list[SearchMove]:
        """Every move; showing a seven, where possible, is the only one worth trying."""
        shown = self.dix_showings(position)
        if not shown:
            return super()._moves(position)
        return [(points, after, self._bounds(after)) for points, after in shown]

    def _most_beside_tricks(self, position: ClosePosition, seat: int) -> int:
        """An upper bound on what a seat may still score by anything but tricks."""
        most = super()._most_beside_tricks(position, seat)
        if position.sevens is None:
            return most
        return most + self.dix_points * sum([fresh for *_, fresh in position.sevens.held[seat]])


def _sevens_held(table: Table, seat: int) -> HeldSevens:
    """The sevens of trumps a seat holds; of each name, how many may not have scored yet in some reading."""
    readings = table.readings[seat]
    return tuple(
        [
            (name, count, count - min([_count_spent(reading, name) for reading in readings]))
            for name, count in sorted(table.held[seat].items())
            if FACE_OF[name] == table.seven
        ]
    )


def _count_spent(reading: Reading, name: str) -> int:
    """How many cards of this name have scored as a dix in one reading."""
    return sum([1 for card, mark in reading if card == name and mark & SPENT_BIT])


def _without_played(seven: HeldSeven, card: str) -> HeldSeven:
    """These sevens after a card is played: one less if it was one of them, a shown one first."""
    name, count, fresh = seven
    return (name, count - 1, min(fresh, count - 1)) if name == card else seven


def _with_own_sevens(
    held: tuple[HeldSevens, HeldSevens], seat: int, own: HeldSevens
) -> tuple[HeldSevens, HeldSevens]:
    return (held[0], own) if seat else (own, held[1])
