"""The whole close of one deal, solved: tricks, melds, and what is scored for taking every trick.

A *value* here is points still to come, seat 0's less seat 1's, if both play and meld their best from
there. What a dix scores for being played is left out: it does not depend on the tricks. Where nothing but
tricks is left to be scored, `TrickPlaySolver` answers; elsewhere its answer, give or take what may still be
melded or shown, bounds the search.
"""

from collections.abc import Sequence
from math import gcd
from typing import Any

from analyzer.annotate.solver.melds.captured import meld_tracker_for
from analyzer.annotate.solver.melds.held import PossibleMeld, RightsPair
from analyzer.annotate.solver.position import (
    EITHER_SEAT,
    ClosePosition,
    SearchLimitExceeded,
    possible_sweeper,
)
from analyzer.annotate.solver.suits import suit_cache_for
from analyzer.annotate.solver.trick_play import TrickPlaySolver, TrickPosition, trick_rules_of
from records.cards import FACE_OF
from records.engine.copies.history import are_all_readings
from records.engine.table import Table, TableStep
from records.rules.compiled import CompiledSheet
from records.rules.vocabulary import To, When

INFINITY = 1 << 30
DEFAULT_POSITIONS_SEARCHED = 40_000
"""So many positions of one close are searched, unless more are asked for: some seconds' worth."""


class CloseSolver:
    """The close of one deal. What was once found is kept, for all later questions."""

    def __init__(self, book: CompiledSheet, positions: int | None = None) -> None:
        self.book = book
        self.left = INFINITY if positions is None else positions
        self.rightful: Any = None
        self.limit = book.phases[-1].melds
        self.sweep = sum(
            [
                bonus.points if bonus.to is To.WINNER else -bonus.points
                for bonus in book.sheet.bonuses
                if bonus.when is When.ALL_CLOSED_TRICKS
            ]
        )
        self.unit = gcd(
            self.sweep,
            suit_cache_for(trick_rules_of(book.sheet)).unit,
            *[meld.points for meld in book.sheet.melds],
        )
        self.endgames: dict[str | None, TrickPlaySolver] = {}
        self.bounds: dict[ClosePosition, list[int]] = {}

    def stand(self, table: Table) -> ClosePosition:
        """The position at a table after the close, where both hands are known."""
        endgame = self.endgame(table.trump)
        hands = endgame.hand(table.held[0]), endgame.hand(table.held[1])
        led = table.trick.led if table.step is TableStep.REPLY else None
        close = TrickPosition(hands, table.seat, FACE_OF[led] if led else None)
        rights: RightsPair[Any] = None, None
        if self.limit:
            self.rightful = self.rightful or meld_tracker_for(self.book, table.trump)
            left = endgame.left(close)
            rights = self.rightful.of(table, 0, left), self.rightful.of(table, 1, left)
        open_window = (
            table.step in (TableStep.LEAD, TableStep.OVER) and table.melding.seat == table.seat
        )
        return ClosePosition(
            close=close,
            led=led,
            trump=table.trump,
            melds=table.melding.left if open_window and rights[table.seat] else 0,
            rights=rights,
            sweeper=possible_sweeper(table) if self.sweep else None,
        )

    def lists(self, table: Table) -> bool:
        """Whether all readings are listed from which follows what may be melded; always, without melds."""
        return not self.limit or all(map(are_all_readings, table.melding.readings))

    def endgame(self, trump: str | None) -> TrickPlaySolver:
        """The tricks alone, under these trumps."""
        if trump not in self.endgames:
            self.endgames[trump] = TrickPlaySolver(self.book, trump)
        return self.endgames[trump]

    def options(self, stand: ClosePosition) -> list[PossibleMeld]:
        """The melds that the seat to act may score now."""
        rights = stand.rights[stand.close.seat]
        return self.rightful.options(rights) if rights and stand.melds else []

    def shows(self, stand: ClosePosition) -> list[tuple[int, ClosePosition]]:
        """What showing a dix scores for seat 0, and the position then, where that is to be chosen."""
        return []

    def meld(self, stand: ClosePosition, option: PossibleMeld) -> tuple[int, ClosePosition]:
        """What a meld scores for seat 0, and the position then."""
        seat = stand.close.seat
        points = option.meld.points if seat == 0 else -option.meld.points
        trump, close = stand.trump, stand.close
        rights = (option.rights, stand.rights[1]) if seat == 0 else (stand.rights[0], option.rights)
        if trump is None and option.meld.kind in self.book.makes_trumps:
            trump = option.cards[0][1]
            close = self.endgame(None).moved(close, self.endgame(trump))
            rights = self.rightful.under(rights[0], trump), self.rightful.under(rights[1], trump)
        melds = stand.melds - 1 if rights[seat] else 0
        return points, ClosePosition(close, trump, None, melds, rights, stand.sweeper)

    def play(self, stand: ClosePosition, card: str) -> tuple[int, ClosePosition]:
        """What a card played scores for seat 0, and the position then."""
        seat, sweeper = stand.close.seat, stand.sweeper
        points, close = self.endgame(stand.trump).after(stand.close, FACE_OF[card])
        points = -points if seat else points
        rights = self._played(stand, card, close)
        if close.led:
            return points, ClosePosition(close, stand.trump, card, 0, rights, sweeper)
        winner, more = close.seat, any(close.hands[0])
        if sweeper is not None and sweeper != winner:
            sweeper = winner if sweeper == EITHER_SEAT else None
        if sweeper is not None and not more:
            points += -self.sweep if sweeper else self.sweep
            sweeper = None
        melds = self.limit if rights[winner] else 0
        return points, ClosePosition(close, stand.trump, None, melds, rights, sweeper)

    def _played(self, stand: ClosePosition, card: str, close: TrickPosition) -> RightsPair[Any]:
        """The rights of both seats after a card was played."""
        rights, seat = stand.rights, stand.close.seat
        if rights == (None, None):
            return rights
        own = self.rightful.played(rights[seat], card)
        if close.led:
            own = self.rightful.led(own)
        rights = (rights[0], own) if seat else (own, rights[1])
        if close.led:
            return rights
        left = self.endgame(stand.trump).left(close)
        won: RightsPair[Any] = self.rightful.won(rights, close.seat, (stand.led or "", card), left)
        return won

    def cards(self, stand: ClosePosition) -> list[str]:
        """The cards that the seat to act may play, by name where copies are told apart."""
        hands, seat, led = stand.close
        endgame, rights = self.endgame(stand.trump), stand.rights[seat]
        faces = endgame.replies(hands[seat], led) if led else endgame.cards(hands[seat])
        if rights is None:
            return faces
        return [name for face in faces for name in self.rightful.names(rights, face)]

    def same(self, stand: ClosePosition, higher: str, lower: str) -> bool:
        """Whether it makes no difference which of two neighbouring cards is played."""
        if self._matters(stand, higher) or self._matters(stand, lower):
            return False
        (hands, seat, led), endgame = stand.close, self.endgame(stand.trump)
        return endgame.alike(FACE_OF[higher], FACE_OF[lower], hands[1 - seat], led)

    def _matters(self, stand: ClosePosition, card: str) -> bool:
        """Whether a card may make a meld for either seat."""
        if self.rightful is None:
            return False
        return any([self.rightful.matters(rights, FACE_OF[card]) for rights in stand.rights])

    def _different(self, stand: ClosePosition) -> list[str]:
        """The cards that may be played, neighbours that make no difference left out."""
        found: list[str] = []
        before: str | None = None
        for card in self.cards(stand):
            if before is None or not self.same(stand, before, card):
                found.append(card)
                before = card
        return found

    def value(self, stand: ClosePosition, guess: int = 0) -> int:
        """What the rest of the close is worth to seat 0."""
        if stand.plain:
            value = self.endgame(stand.trump).value(stand.close)
            return -value if stand.close.seat else value
        bounds = self._bounds(stand)
        goal = guess
        while bounds[0] < bounds[1]:
            if not bounds[0] < goal <= bounds[1]:
                steps = (bounds[1] - bounds[0]) // self.unit
                goal = bounds[0] + self.unit * ((steps + 1) // 2)
            goal = bounds[0] + self.unit if self.reaches(stand, goal) else bounds[1]
        return bounds[0]

    def reaches(self, stand: ClosePosition, goal: int) -> bool:
        """Whether the rest of the close is worth so much to seat 0; all it can be worth is whole `unit`s."""
        goal = -(-goal // self.unit) * self.unit
        if stand.plain and not stand.led:
            return self._tricks_reach(stand, goal)
        bounds = self._searched(stand)
        if bounds[0] < goal <= bounds[1]:
            self._search(stand, goal, bounds)
        return goal <= bounds[0]

    def _tricks_reach(self, stand: ClosePosition, goal: int) -> bool:
        endgame, close = self.endgame(stand.trump), stand.close
        return (
            endgame.reaches(close, goal)
            if close.seat == 0
            else not endgame.reaches(close, 1 - goal)
        )

    def spend(self) -> None:
        """Count one position more; raises TooWide when there were as many as were to be searched."""
        self.left -= 1
        if self.left < 0:
            raise SearchLimitExceeded

    def _search(self, stand: ClosePosition, goal: int, mine: list[int]) -> None:
        """Bring a position's bounds to one side of the goal; raises TooWide."""
        self.spend()
        if self._settled_by_tricks(stand) and self._tricks_settle(stand, goal, mine):
            return
        ways = self._ways(stand)
        if stand.close.seat == 0:
            best = max([points + bounds[0] for points, _, bounds in ways])
            if best >= goal:
                mine[0] = best
                return
            ways.sort(key=lambda way: -(2 * way[0] + way[2][0] + way[2][1]))
            best = -INFINITY
            for points, after, bounds in ways:
                if points + bounds[1] >= goal:
                    self.reaches(after, goal - points)
                    bounds = self._bounds(after)
                if points + bounds[0] >= goal:
                    mine[0] = points + bounds[0]
                    return
                best = max(best, points + bounds[1])
            mine[1] = best
        else:
            best = min([points + bounds[1] for points, _, bounds in ways])
            if best < goal:
                mine[1] = best
                return
            ways.sort(key=lambda way: 2 * way[0] + way[2][0] + way[2][1])
            best = INFINITY
            for points, after, bounds in ways:
                if points + bounds[0] < goal:
                    self.reaches(after, goal - points)
                    bounds = self._bounds(after)
                if points + bounds[1] < goal:
                    mine[1] = points + bounds[1]
                    return
                best = min(best, points + bounds[0])
            mine[0] = best

    def _ways(self, stand: ClosePosition) -> list[tuple[int, ClosePosition, Sequence[int]]]:
        ways = [self.meld(stand, option) for option in self.options(stand)]
        ways += [self.play(stand, card) for card in self._different(stand)]
        if not any(stand.close.hands[0]) and not stand.led:
            ways.append((0, ClosePosition(stand.close, stand.trump)))
        return [(points, after, self._bounds(after)) for points, after in ways]

    def _tricks_settle(self, stand: ClosePosition, goal: int, bounds: list[int]) -> bool:
        """Ask what the tricks alone are worth; whether that settles it."""
        least, most = self._most(stand, 1), self._most(stand, 0)
        if self._tricks_reach(stand, goal + least):
            bounds[0] = max(bounds[0], goal)
        elif not self._tricks_reach(stand, goal - most):
            bounds[1] = min(bounds[1], goal - self.unit)
        return not bounds[0] < goal <= bounds[1]

    def _settled_by_tricks(self, stand: ClosePosition) -> bool:
        """Whether what the tricks alone are worth bounds the position: nobody replies, trumps stay."""
        return stand.led is None and (stand.trump is not None or not self.book.makes_trumps)

    def _bounds(self, stand: ClosePosition) -> Sequence[int]:
        """The least and the most that a position is worth to seat 0, as far as is known."""
        if stand.plain and not stand.led:
            return self._of_tricks(stand)
        return self._searched(stand)

    def _searched(self, stand: ClosePosition) -> list[int]:
        """The bounds of a position that is searched; they close in as it is."""
        bounds = self.bounds.get(stand)
        if bounds is None:
            if self._settled_by_tricks(stand):
                low, high = self._of_tricks(stand)
            else:
                high = self.endgame(stand.trump).all_points(stand.close)
                low = -high
            bounds = self.bounds[stand] = [low - self._most(stand, 1), high + self._most(stand, 0)]
        return bounds

    def _of_tricks(self, stand: ClosePosition) -> tuple[int, int]:
        low, high = self.endgame(stand.trump).bounds(stand.close)
        return (-high, -low) if stand.close.seat else (low, high)

    def _most(self, stand: ClosePosition, seat: int) -> int:
        """A bound on what a seat may still score but for tricks."""
        sweep = self.sweep if stand.sweeper in (seat, EITHER_SEAT) else 0
        rights = stand.rights[seat]
        if rights is None:
            return sweep
        now = stand.melds if seat == stand.close.seat else 0
        left = self.endgame(stand.trump).left(stand.close)
        most: int = self.rightful.most(rights, left, now)
        return sweep + most
