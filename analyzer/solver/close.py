"""The close solved: both hands are face up, and every card, meld and dix has an exact value."""

from collections.abc import Sequence
from math import gcd
from typing import Any, NamedTuple

from analyzer.solver.melds import meld_tracker_for
from analyzer.solver.melds_held import PossibleMeld, RightsPair
from analyzer.solver.suits import suit_cache_for
from analyzer.solver.tricks import TrickPlaySolver, TrickPosition, trick_rules_of
from records.cards import FACE_OF
from records.engine.copies import SPENT_BIT, Reading
from records.engine.copy_history import are_all_readings
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import Dix
from records.rules.compiled import CompiledSheet
from records.rules.vocabulary import RuleSheet, To, When, Window

# A position after the close as the solver sees it: hands, trumps, and everything that may still score.

EITHER_SEAT = 2
"""No trick has been taken since the close: either seat may still take them all."""


class SearchLimitExceeded(Exception):
    """A search needed more positions than its limit allows."""


HeldSeven = tuple[str, int, int]
"""Sevens of trumps of one name: the name, how many a seat holds, how many of those were not shown."""

HeldSevens = tuple[HeldSeven, ...]


class UnshownSevens(NamedTuple):
    """The sevens of trumps each seat may still show; `won` if the seat to act has just won a trick."""

    held: tuple[HeldSevens, HeldSevens]
    won: bool


class ClosePosition(NamedTuple):
    """A position after the close, with everything that may still score.

    `led` is the card led, by its name. `melds` counts the melds the seat to act may score before it
    leads, and `rights` holds what each seat may meld from now on. `sweeper` is the seat that has taken
    every trick since the close: a seat, `EITHER_SEAT`, or None. `sevens` are those that still score by
    being shown.
    """

    trick_position: TrickPosition
    trump: str | None
    led: str | None = None
    melds: int = 0
    rights: RightsPair[Any] = (None, None)
    sweeper: int | None = None
    sevens: UnshownSevens | None = None

    @property
    def only_tricks_left(self) -> bool:
        """Whether only tricks can still score."""
        return self.rights == (None, None) and self.sweeper is None and self.sevens is None


def possible_sweeper(table: Table) -> int | None:
    """The seat that may still take every trick after the close: a seat, `EITHER_SEAT`, or None."""
    tricks_won = table.closed_tricks
    if not table.whole_close or all(tricks_won):
        return None
    return EITHER_SEAT if not any(tricks_won) else tricks_won.index(max(tricks_won))


# The solver of the whole close: tricks, melds, and the bonus for taking every trick.
#
# State: a `ClosePosition`, both hands face up. Value: the points still to come with best play, seat 0's
# minus seat 1's, so seat 0 maximises and seat 1 minimises. Points for playing a dix are left out, because
# they do not depend on the tricks.
#
# Moves: cards, melds, and dixes where showing one is a choice. Of neighbouring cards that neither seat can
# meld or tell apart, only one is tried.
#
# Search: minimax by questions. `reaches` asks "is this position worth at least `goal`?", and the answer
# narrows a pair of bounds stored for the position; `value` asks until the bounds meet (as MTD(f) does).
# All values are multiples of `unit`, so the questions are few.
#
# Bounds: a position where only tricks can score belongs to `TrickPlaySolver`, which is much faster. Anywhere
# else its answer, plus or minus what either seat may still meld, show or sweep, bounds the search from the start.
#
# The moves are written here a second time, apart from `records.engine`, because copying a `Table` for every
# move would make the search far slower. `tests/analyzer/solver/test_close.py` proves that both agree:
# it compares every value with a minimax on the engine's own tables.

INFINITY = 1 << 30
MOST_READINGS_SOLVED = 2_048
"""With more readings of a seat a close is not solved: every meld would be tried in all of them."""


SearchMove = tuple[int, ClosePosition, Sequence[int]]
"""A move in the search: its points for seat 0, the position after it, and that position's bounds."""


class CloseSolver:
    """Solves positions of one deal's close; answers are cached for later questions.

    `positions` limits how many positions are searched in all; None sets no limit.
    """

    def __init__(self, rules: CompiledSheet, positions: int | None = None) -> None:
        self.rules = rules
        self.positions_left = INFINITY if positions is None else positions
        self.meld_tracker: Any = None
        self.melds_per_trick = rules.phases[-1].melds
        self.sweep_points = sum(
            [
                bonus.points if bonus.to is To.WINNER else -bonus.points
                for bonus in rules.written.bonuses
                if bonus.tricks is When.ALL_CLOSED_TRICKS
            ]
        )
        self.unit = gcd(
            self.sweep_points,
            suit_cache_for(trick_rules_of(rules.sheet)).unit,
            *[meld.points for meld in rules.written.melds],
        )
        self.trick_solvers: dict[str | None, TrickPlaySolver] = {}
        self.bounds: dict[ClosePosition, list[int]] = {}

    def position_at(self, table: Table) -> ClosePosition:
        """The solver's position for a table after the close; both hands must be known."""
        trick_solver = self.trick_solver(table.trump)
        hands = trick_solver.code_hand(table.held[0]), trick_solver.code_hand(table.held[1])
        led = table.trick.led if table.step is TableStep.REPLY else None
        trick_position = TrickPosition(hands, table.seat, FACE_OF[led] if led else None)
        rights: RightsPair[Any] = None, None
        if self.melds_per_trick:
            self.meld_tracker = self.meld_tracker or meld_tracker_for(self.rules, table.trump)
            remaining = trick_solver.remaining(trick_position)
            rights = (
                self.meld_tracker.rights_of(table, 0, remaining),
                self.meld_tracker.rights_of(table, 1, remaining),
            )
        open_window = (
            table.step in (TableStep.LEAD, TableStep.OVER) and table.melding.seat == table.seat
        )
        return ClosePosition(
            trick_position=trick_position,
            led=led,
            trump=table.trump,
            melds=table.melding.left if open_window and rights[table.seat] else 0,
            rights=rights,
            sweeper=possible_sweeper(table) if self.sweep_points else None,
        )

    def knows_all_moves(self, table: Table) -> bool:
        """Whether the search has every move: the table lists all readings, and no meld only shown makes trumps.

        Always true where nothing may be melded after the close. Showing a meld unscored is no move of the search.
        """
        if not self.melds_per_trick:
            return True
        if table.trump is None and self.rules.laid_makes_trumps:
            return False
        return self.knows_all_readings(table)

    def knows_all_readings(self, table: Table) -> bool:
        """Whether the table lists all readings, so that the melds that may score are known, and not too many of them."""
        return all(
            [
                are_all_readings(readings) and len(readings) <= MOST_READINGS_SOLVED
                for readings in table.melding.readings
            ]
        )

    def differs_by_reading(self, position: ClosePosition) -> bool:
        """Whether the melds of a position may depend on which of like cards have scored.

        The search takes each meld that some reading allows, so that the position may be worth less.
        """
        if self.meld_tracker is None:
            return False
        return any([self.meld_tracker.differs_by_reading(rights) for rights in position.rights])

    def trick_solver(self, trump: str | None) -> TrickPlaySolver:
        """The solver for tricks alone, with these trumps."""
        if trump not in self.trick_solvers:
            self.trick_solvers[trump] = TrickPlaySolver(self.rules, trump)
        return self.trick_solvers[trump]

    def possible_melds(self, position: ClosePosition) -> list[PossibleMeld]:
        """The melds the seat to act may score now."""
        rights = position.rights[position.trick_position.seat]
        return self.meld_tracker.possible_melds(rights) if rights and position.melds else []

    def dix_showings(self, position: ClosePosition) -> list[tuple[int, ClosePosition]]:
        """Each way to show a dix where that is a choice: points for seat 0, and the position after it."""
        return []

    def after_meld(
        self, position: ClosePosition, option: PossibleMeld
    ) -> tuple[int, ClosePosition]:
        """The points a meld scores for seat 0, and the position after it."""
        seat = position.trick_position.seat
        points = option.meld.points if seat == 0 else -option.meld.points
        trump, trick_position = position.trump, position.trick_position
        rights = (
            (option.rights, position.rights[1])
            if seat == 0
            else (position.rights[0], option.rights)
        )
        # In games without a turn-up the first marriage makes trumps: hands and rights are coded again,
        # because both put trumps first.
        if trump is None and option.meld.kind in self.rules.makes_trumps:
            trump = option.cards[0][1]
            trick_position = self.trick_solver(None).recode(
                trick_position, self.trick_solver(trump)
            )
            rights = (
                self.meld_tracker.under_trump(rights[0], trump),
                self.meld_tracker.under_trump(rights[1], trump),
            )
        melds = position.melds - 1 if rights[seat] else 0
        return points, ClosePosition(trick_position, trump, None, melds, rights, position.sweeper)

    def after_card(self, position: ClosePosition, card: str) -> tuple[int, ClosePosition]:
        """The points a card scores for seat 0, and the position after it."""
        seat, sweeper = position.trick_position.seat, position.sweeper
        points, trick_position = self.trick_solver(position.trump).after_card(
            position.trick_position, FACE_OF[card]
        )
        points = -points if seat else points
        rights = self._rights_after(position, card, trick_position)
        if trick_position.led:
            return points, ClosePosition(trick_position, position.trump, card, 0, rights, sweeper)
        # The trick is complete: the bonus for a sweep falls due with the last one.
        winner, more = trick_position.seat, any(trick_position.hands[0])
        if sweeper is not None and sweeper != winner:
            sweeper = winner if sweeper == EITHER_SEAT else None
        if sweeper is not None and not more:
            points += -self.sweep_points if sweeper else self.sweep_points
            sweeper = None
        melds = self.melds_per_trick if rights[winner] else 0
        return points, ClosePosition(trick_position, position.trump, None, melds, rights, sweeper)

    def _rights_after(
        self, position: ClosePosition, card: str, trick_position: TrickPosition
    ) -> RightsPair[Any]:
        """The rights of both seats after a card is played."""
        rights, seat = position.rights, position.trick_position.seat
        if rights == (None, None):
            return rights
        own = self.meld_tracker.after_card(rights[seat], card)
        if trick_position.led:
            own = self.meld_tracker.after_lead(own)
        rights = (rights[0], own) if seat else (own, rights[1])
        if trick_position.led:
            return rights
        remaining = self.trick_solver(position.trump).remaining(trick_position)
        won: RightsPair[Any] = self.meld_tracker.after_trick(
            rights, trick_position.seat, (position.led or "", card), remaining
        )
        return won

    def playable_cards(self, position: ClosePosition) -> list[str]:
        """The cards the seat to act may play, by name where copies are told apart."""
        hands, seat, led = position.trick_position
        trick_solver, rights = self.trick_solver(position.trump), position.rights[seat]
        faces = (
            trick_solver.replies(hands[seat], led) if led else trick_solver.cards_of(hands[seat])
        )
        if rights is None:
            return faces
        return [name for face in faces for name in self.meld_tracker.named_cards(rights, face)]

    def are_equivalent(self, position: ClosePosition, higher: str, lower: str) -> bool:
        """Whether two neighbouring cards are equivalent: playing either has the same value."""
        if self._can_be_melded(position, higher) or self._can_be_melded(position, lower):
            return False
        (hands, seat, led), trick_solver = (
            position.trick_position,
            self.trick_solver(position.trump),
        )
        return trick_solver.are_equivalent(FACE_OF[higher], FACE_OF[lower], hands[1 - seat], led)

    def _can_be_melded(self, position: ClosePosition, card: str) -> bool:
        """Whether either seat may still meld a card of this face."""
        if self.meld_tracker is None:
            return False
        return any([self.meld_tracker.can_use(rights, FACE_OF[card]) for rights in position.rights])

    def _distinct_cards(self, position: ClosePosition) -> list[str]:
        """The cards that may be played, one of each run of equivalent neighbours."""
        found: list[str] = []
        before: str | None = None
        for card in self.playable_cards(position):
            if before is None or not self.are_equivalent(position, before, card):
                found.append(card)
                before = card
        return found

    def value(self, position: ClosePosition, guess: int = 0) -> int:
        """The value of the rest of the close to seat 0; `guess` is tried first.

        Raises SearchLimitExceeded.
        """
        if position.only_tricks_left:
            value = self.trick_solver(position.trump).value(position.trick_position)
            return -value if position.trick_position.seat else value
        bounds = self._bounds(position)
        goal = guess
        while bounds[0] < bounds[1]:
            if not bounds[0] < goal <= bounds[1]:
                steps = (bounds[1] - bounds[0]) // self.unit
                goal = bounds[0] + self.unit * ((steps + 1) // 2)
            goal = bounds[0] + self.unit if self.reaches(position, goal) else bounds[1]
        return bounds[0]

    def reaches(self, position: ClosePosition, goal: int) -> bool:
        """Whether the rest of the close is worth at least `goal` to seat 0.

        Raises SearchLimitExceeded.
        """
        # Values are multiples of `unit`: round the goal up to the next one.
        goal = -(-goal // self.unit) * self.unit
        if position.only_tricks_left and not position.led:
            return self._tricks_reach(position, goal)
        bounds = self._search_bounds(position)
        if bounds[0] < goal <= bounds[1]:
            self._search(position, goal, bounds)
        return goal <= bounds[0]

    def _tricks_reach(self, position: ClosePosition, goal: int) -> bool:
        """Whether the tricks alone are worth at least `goal` to seat 0."""
        trick_solver, trick_position = self.trick_solver(position.trump), position.trick_position
        return (
            trick_solver.reaches(trick_position, goal)
            if trick_position.seat == 0
            else not trick_solver.reaches(trick_position, 1 - goal)
        )

    def count_position(self, cost: int = 1) -> None:
        """Count one more position, or work that costs as much as several; raises SearchLimitExceeded at the limit."""
        self.positions_left -= cost
        if self.positions_left < 0:
            raise SearchLimitExceeded

    def _search(self, position: ClosePosition, goal: int, bounds: list[int]) -> None:
        """Search until a position's `bounds` lie on one side of the goal; raises SearchLimitExceeded."""
        self.count_position()
        if self._tricks_give_bounds(position) and self._tighten_by_tricks(position, goal, bounds):
            return
        moves = self._moves(position)
        if position.trick_position.seat == 0:
            self._maximise(moves, goal, bounds)
        else:
            self._minimise(moves, goal, bounds)

    def _maximise(self, moves: list[SearchMove], goal: int, bounds: list[int]) -> None:
        """Seat 0 moves: one move that reaches the goal settles it."""
        best = max([points + known[0] for points, _, known in moves])
        if best >= goal:
            bounds[0] = best
            return
        # The most promising move first: the middle of its bounds is the best estimate of its value.
        moves.sort(key=lambda move: -(2 * move[0] + move[2][0] + move[2][1]))
        best = -INFINITY
        for points, after, known in moves:
            if points + known[1] >= goal:
                self.reaches(after, goal - points)
                known = self._bounds(after)
            if points + known[0] >= goal:
                bounds[0] = points + known[0]
                return
            best = max(best, points + known[1])
        bounds[1] = best

    def _minimise(self, moves: list[SearchMove], goal: int, bounds: list[int]) -> None:
        """Seat 1 moves: one move that stays below the goal settles it."""
        best = min([points + known[1] for points, _, known in moves])
        if best < goal:
            bounds[1] = best
            return
        moves.sort(key=lambda move: 2 * move[0] + move[2][0] + move[2][1])
        best = INFINITY
        for points, after, known in moves:
            if points + known[0] < goal:
                self.reaches(after, goal - points)
                known = self._bounds(after)
            if points + known[1] < goal:
                bounds[1] = points + known[1]
                return
            best = min(best, points + known[0])
        bounds[0] = best

    def _moves(self, position: ClosePosition) -> list[SearchMove]:
        """Every move: its points for seat 0, the position after it, and that position's bounds."""
        moves = [self.after_meld(position, option) for option in self.possible_melds(position)]
        moves += [self.after_card(position, card) for card in self._distinct_cards(position)]
        if not any(position.trick_position.hands[0]) and not position.led:
            # After the last trick a meld may still be passed up; then nothing is left to score.
            moves.append((0, ClosePosition(position.trick_position, position.trump)))
        return [(points, after, self._bounds(after)) for points, after in moves]

    def _tighten_by_tricks(self, position: ClosePosition, goal: int, bounds: list[int]) -> bool:
        """Narrow the bounds by the value of the tricks alone; returns whether that answers the question."""
        least, most = self._most_beside_tricks(position, 1), self._most_beside_tricks(position, 0)
        if self._tricks_reach(position, goal + least):
            bounds[0] = max(bounds[0], goal)
        elif not self._tricks_reach(position, goal - most):
            bounds[1] = min(bounds[1], goal - self.unit)
        return not bounds[0] < goal <= bounds[1]

    def _tricks_give_bounds(self, position: ClosePosition) -> bool:
        """Whether the tricks alone bound the value: the seat is to lead, and no meld can make trumps."""
        return position.led is None and (position.trump is not None or not self.rules.makes_trumps)

    def _bounds(self, position: ClosePosition) -> Sequence[int]:
        """The lower and upper bound known for a position's value to seat 0."""
        if position.only_tricks_left and not position.led:
            return self._trick_bounds(position)
        return self._search_bounds(position)

    def _search_bounds(self, position: ClosePosition) -> list[int]:
        """The stored bounds of a position, a list that the search narrows in place."""
        bounds = self.bounds.get(position)
        if bounds is None:
            if self._tricks_give_bounds(position):
                low, high = self._trick_bounds(position)
            else:
                high = self.trick_solver(position.trump).all_points(position.trick_position)
                low = -high
            bounds = self.bounds[position] = [
                low - self._most_beside_tricks(position, 1),
                high + self._most_beside_tricks(position, 0),
            ]
        return bounds

    def _trick_bounds(self, position: ClosePosition) -> tuple[int, int]:
        """The bounds known for the tricks alone, as a value to seat 0."""
        low, high = self.trick_solver(position.trump).bounds(position.trick_position)
        return (-high, -low) if position.trick_position.seat else (low, high)

    def _most_beside_tricks(self, position: ClosePosition, seat: int) -> int:
        """An upper bound on what a seat may still score by anything but tricks."""
        sweep = self.sweep_points if position.sweeper in (seat, EITHER_SEAT) else 0
        rights = position.rights[seat]
        if rights is None:
            return sweep
        now = position.melds if seat == position.trick_position.seat else 0
        remaining = self.trick_solver(position.trump).remaining(position.trick_position)
        most: int = self.meld_tracker.most_points(rights, remaining, now)
        return sweep + most


# A close in which showing a dix after a won trick scores points that playing it does not.
#
# That is so where a dix scores every time: once shown, and again when played. The points for playing it
# are fixed and left out, as everywhere. Showing it needs a trick won with the seven still in hand, so it is
# searched with the rest. Waiting gains nothing: whoever may show a seven shows it at once, and that is then
# the only move.


def close_solver_for(rules: CompiledSheet, positions: int | None = None) -> CloseSolver:
    """The solver for one deal's close; it searches at most `positions` positions."""
    return (
        DixCloseSolver(rules, positions)
        if showing_dix_scores(rules.sheet)
        else CloseSolver(rules, positions)
    )


def showing_dix_scores(sheet: RuleSheet) -> bool:
    """Whether winning a trick after the close with the seven of trumps in hand can score."""
    dix = sheet.rules.dix
    if (
        dix is None
        or dix.show is not Window.AFTER_TRICK_WON
        or not sheet.rules.phases[-1].meld_limit
    ):
        return False
    return dix.points > 0 and dix.in_last_tricks and not (dix.played and dix.once_per_card)


def certain_dix_points(table: Table) -> int:
    """The points sevens of trumps in hand bring for certain, played or shown at any time: seat 0's minus seat 1's."""
    dix = table.rules.written.dix
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
    dix = table.rules.written.dix
    if dix is not None and dix.show is Window.AT_ANY_TIME and dix.in_last_tricks:
        for seat in (0, 1):
            for _, _, fresh in _sevens_held(table, seat):
                for _ in range(fresh):
                    unchecked_stepper(table).advance(Dix(seat=seat, action="show"))
    return table


class DixCloseSolver(CloseSolver):
    """Solves a close in which sevens of trumps may be shown for points."""

    def __init__(self, rules: CompiledSheet, positions: int | None = None) -> None:
        dix = rules.written.dix
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
