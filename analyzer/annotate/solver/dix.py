"""The close where a dix may be shown after a trick won, for points that its being played does not bring.

So it is where a dix scores every time: shown once, and again when it is played. What the play scores stands
apart as ever; the showing takes a trick won with the seven still in hand, and is solved with the rest.
Nothing is gained by waiting: what may be shown later may be shown now, and then nothing else changes.
"""

from collections.abc import Sequence
from math import gcd

from analyzer.annotate.solver.close import CloseSolver
from analyzer.annotate.solver.melds.held import PossibleMeld
from analyzer.annotate.solver.position import ClosePosition, HeldSeven, HeldSevens, UnshownSevens
from records.cards import FACE_OF
from records.engine.copies.marks import SPENT_BIT, Reading
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import Dix
from records.rules.compiled import CompiledSheet
from records.rules.vocabulary import RuleSheet, Window


def close_solver_for(book: CompiledSheet, positions: int | None = None) -> CloseSolver:
    """The solver for the close of one deal; at most so many positions are searched."""
    return (
        DixCloseSolver(book, positions)
        if showing_dix_scores(book.sheet)
        else CloseSolver(book, positions)
    )


def showing_dix_scores(sheet: RuleSheet) -> bool:
    """Whether it is worth something to win a trick after the close with the seven of trumps in hand."""
    dix = sheet.dix
    if dix is None or dix.show is not Window.AFTER_TRICK_WON or not sheet.phases[-1].melds:
        return False
    return dix.points > 0 and dix.in_last_tricks and not (dix.played and dix.once_per_card)


def certain_dix_points(table: Table) -> int:
    """What sevens of trumps held bring seat 0 less seat 1 whatever is done: played, or shown at any time."""
    dix = table.rules.sheet.dix
    if dix is None or not dix.in_last_tricks:
        return 0
    if not dix.played and dix.show is not Window.AT_ANY_TIME:
        return 0
    every = dix.played and not dix.once_per_card
    scoring = [
        sum([held if every else fresh for _, held, fresh in _held(table, s)]) for s in (0, 1)
    ]
    return dix.points * (scoring[0] - scoring[1])


def show_all_sevens(table: Table) -> Table:
    """The table once all sevens are shown, if they may be at any time: that is no choice. It is changed."""
    dix = table.rules.sheet.dix
    if dix is not None and dix.show is Window.AT_ANY_TIME and dix.in_last_tricks:
        for seat in (0, 1):
            for _, _, fresh in _held(table, seat):
                for _ in range(fresh):
                    unchecked_stepper(table).advance(Dix(seat=seat, action="show"))
    return table


class DixCloseSolver(CloseSolver):
    """The close of one deal in which sevens of trumps may be shown."""

    def __init__(self, book: CompiledSheet, positions: int | None = None) -> None:
        dix = book.sheet.dix
        self.dix = dix.points if dix else 0
        super().__init__(book, positions)
        self.unit = gcd(self.unit, self.dix)

    def stand(self, table: Table) -> ClosePosition:
        """The position at a table after the close, with the sevens that have not been shown."""
        won = table.step is TableStep.LEAD and table.melding.seat == table.seat
        return self._with(super().stand(table), (_held(table, 0), _held(table, 1)), won=won)

    def shows(self, stand: ClosePosition) -> list[tuple[int, ClosePosition]]:
        """The showing of one seven, if the seat to act may show one; of two, one is as good as the other."""
        sevens, seat = stand.sevens, stand.close.seat
        if sevens is None or not sevens.won or not sevens.held[seat]:
            return []
        name = next(name for name, _, fresh in sevens.held[seat] if fresh)
        left = tuple([(n, held, fresh - (n == name)) for n, held, fresh in sevens.held[seat]])
        after = self._with(stand, _with_own_sevens(sevens.held, seat, left), won=True)
        return [(-self.dix if seat else self.dix, after)]

    def meld(self, stand: ClosePosition, option: PossibleMeld) -> tuple[int, ClosePosition]:
        """What a meld scores for seat 0, and the position then."""
        points, after = super().meld(stand, option)
        return points, after._replace(sevens=stand.sevens)

    def play(self, stand: ClosePosition, card: str) -> tuple[int, ClosePosition]:
        """What a card played scores for seat 0, and the position then; of like sevens the one shown is played."""
        points, after = super().play(stand, card)
        if stand.sevens is None:
            return points, after
        held, seat = stand.sevens.held, stand.close.seat
        left = tuple([_played(each, card) for each in held[seat] if each[:2] != (card, 1)])
        return points, self._with(
            after, _with_own_sevens(held, seat, left), won=not after.close.led
        )

    def cards(self, stand: ClosePosition) -> list[str]:
        """The cards that the seat to act may play; labelled sevens by name while one may be shown."""
        names = [name for name, *_ in stand.sevens.held[stand.close.seat]] if stand.sevens else []
        faces = {FACE_OF[name] for name in names}
        found = super().cards(stand)
        return [name for card in found for name in (names if card in faces else [card])]

    def _with(
        self, stand: ClosePosition, held: tuple[HeldSevens, HeldSevens], *, won: bool
    ) -> ClosePosition:
        """A position with these sevens, as far as a trick won can still let them be shown."""
        last = self.endgame(stand.trump).left(stand.close).tricks < 2
        seat = stand.close.seat
        now = [
            each
            if any([fresh for *_, fresh in each]) and (not last or (won and who == seat))
            else ()
            for who, each in enumerate(held)
        ]
        return stand._replace(sevens=UnshownSevens((now[0], now[1]), won) if any(now) else None)

    def _matters(self, stand: ClosePosition, card: str) -> bool:
        """Whether a card may make a meld, or is a seven that the seat to act may yet show."""
        held = stand.sevens.held[stand.close.seat] if stand.sevens else ()
        if any([FACE_OF[name] == FACE_OF[card] for name, *_ in held]):
            return True
        return super()._matters(stand, card)

    def _ways(self, stand: ClosePosition) -> list[tuple[int, ClosePosition, Sequence[int]]]:
        shown = self.shows(stand)
        if not shown:
            return super()._ways(stand)
        return [(points, after, self._bounds(after)) for points, after in shown]

    def _most(self, stand: ClosePosition, seat: int) -> int:
        """A bound on what a seat may still score but for tricks."""
        most = super()._most(stand, seat)
        if stand.sevens is None:
            return most
        return most + self.dix * sum([fresh for *_, fresh in stand.sevens.held[seat]])


def _held(table: Table, seat: int) -> HeldSevens:
    """The sevens of trumps that a seat holds, and how many of each name can be said not to have scored."""
    readings = table.readings[seat]
    return tuple(
        [
            (name, count, count - min([_spent(reading, name) for reading in readings]))
            for name, count in sorted(table.held[seat].items())
            if FACE_OF[name] == table.seven
        ]
    )


def _spent(reading: Reading, name: str) -> int:
    return sum([1 for card, mark in reading if card == name and mark & SPENT_BIT])


def _played(seven: HeldSeven, card: str) -> HeldSeven:
    """A seven of that name less, if it is the card played: one that was shown, if there is one."""
    name, count, fresh = seven
    return (name, count - 1, min(fresh, count - 1)) if name == card else seven


def _with_own_sevens(
    held: tuple[HeldSevens, HeldSevens], seat: int, own: HeldSevens
) -> tuple[HeldSevens, HeldSevens]:
    return (held[0], own) if seat else (own, held[1])
