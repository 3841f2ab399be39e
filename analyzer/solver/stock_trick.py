"""Value a card played to the last trick of the stock, where the last face-down card is known.

The trick itself is played on the engine's own tables (`unchecked_stepper`, `legal_melds`); from the last draw on a
`CloseSolver` takes over. Its answers serve every case of a decision, and so do the replies that were best before:
they are tried first, and then most others need only be shown to be no better.
"""

from collections import Counter
from collections.abc import Iterator

from analyzer.solver.close import CloseSolver, certain_dix_points
from records.engine.choices import legal_dixes, legal_melds, legal_plays
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import Dix, Draw, Meld, Play

INFINITE_POINTS = 1 << 30
TABLE_COST = 3
"""A table that is copied, changed and coded for the solver takes as long as so many positions of its search."""
PointsWindow = tuple[int, int]
FULL_POINTS_WINDOW: PointsWindow = (-INFINITE_POINTS, INFINITE_POINTS)


class StockTrickSolver:
    """Values the cards of one decision, case by case.

    Raises SearchLimitExceeded wherever its `close_solver` does.
    """

    def __init__(self, close_solver: CloseSolver) -> None:
        self.close_solver = close_solver
        self._best_replies: dict[str, Counter[str]] = {}
        self._guesses: dict[str, int] = {}

    def lead_after(self, table: Table, card: str, face_down: str) -> int:
        """Seat 0's lead at the end of the deal if the seat to act plays this card, with best play after it."""
        after = table.copy()
        unchecked_stepper(after).advance(Play(seat=table.seat, card=card))
        if after.step is TableStep.REPLY:
            value = self._after_lead(after, card, face_down)
        else:
            value = self._after_trick(after, card, face_down, FULL_POINTS_WINDOW)
        return value

    def _after_lead(self, table: Table, led: str, face_down: str) -> int:
        """Seat 0's lead at the end with the best reply.

        Once one reply is valued, the others only need to be known where they are better.
        """
        found = self._best_replies.setdefault(led, Counter())
        low, high = FULL_POINTS_WINDOW
        best = ""
        for reply in sorted(legal_plays(table), key=lambda card: -found[card]):
            replied = table.copy()
            unchecked_stepper(replied).advance(Play(seat=table.seat, card=reply))
            value = self._after_trick(replied, led + reply, face_down, (low, high))
            if table.seat == 0 and value > low:
                low, best = value, reply
            elif table.seat == 1 and value < high:
                high, best = value, reply
        found[best] += 1
        return low if table.seat == 0 else high

    def _after_trick(self, table: Table, played: str, face_down: str, window: PointsWindow) -> int:
        """The best the winner can do before the last two cards are drawn: melds, a dix, or nothing.

        A value outside the `window` is only a bound.
        """
        (low, high), seat, values = window, table.melding.seat, []
        for number, declared in enumerate(_tables_after_declarations(table)):
            # Where any number of melds may follow a trick, their sets alone can be too many: each one counts.
            self.close_solver.count_position(TABLE_COST)
            value = self._after_draws(declared, f"{played}{number}", face_down, (low, high))
            values.append(value)
            low, high = (max(low, value), high) if seat == 0 else (low, min(high, value))
            if low >= high:
                break
        return max(values) if seat == 0 else min(values)

    def _after_draws(self, table: Table, played: str, face_down: str, window: PointsWindow) -> int:
        """Seat 0's lead at the end of the deal, once the last cards are drawn; a bound if outside the window.

        The table is used up.
        """
        solver = self.close_solver
        for seat in tuple(table.draws_due):
            card = face_down if table.stock.left else table.stock.turn_up
            unchecked_stepper(table).advance(Draw(seat=seat, card=card or "??"))
        known = table.points_lead() + certain_dix_points(table)
        position = solver.position_at(table)
        low, high = window
        if high < INFINITE_POINTS and solver.reaches(position, high - known):
            return high
        if low > -INFINITE_POINTS and not solver.reaches(position, low - known + 1):
            return low
        value = solver.value(position, self._guesses.get(played, 0))
        self._guesses[played] = value
        return known + value


def _tables_after_declarations(table: Table) -> Iterator[Table]:
    """A table for every set of declarations the winner may make before the draws, the largest sets first.

    The order within a set does not matter: whatever may be declared in two orders leads to the same table.
    """
    seen: set[tuple[str, ...]] = set()

    def after(made: tuple[str, ...], current: Table) -> Iterator[Table]:
        for event in _declarations(current):
            more = tuple(sorted((*made, _name_declaration(event))))
            if more not in seen:
                seen.add(more)
                declared = current.copy()
                unchecked_stepper(declared).advance(event)
                yield from after(more, declared)
        yield current

    return after((), table)


def _declarations(table: Table) -> list[Meld | Dix]:
    """What the winner of the trick may meld or show before the draws."""
    seat = table.melding.seat
    if table.step is not TableStep.DRAW or seat is None:
        return []
    melds = [Meld(seat=seat, meld=row.name, cards=cards) for row, cards in legal_melds(table)]
    return [*melds, *[Dix(seat=seat, action=action) for action in legal_dixes(table)]]  # type: ignore[arg-type]


def _name_declaration(event: Meld | Dix) -> str:
    return (
        f"{event.meld} {' '.join(sorted(event.cards))}" if isinstance(event, Meld) else event.action
    )
