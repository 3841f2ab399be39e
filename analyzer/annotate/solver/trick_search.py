"""Who takes how much of the last tricks: two hands, both known, searched to the end.

The question asked is always whether the seat to lead surely takes so many units of those left: brisques
and last trick. Answers are kept as bounds for each position; a share is found by asking until they
meet. Most leads are judged before they are searched, by what either seat surely makes.
"""

from typing import Any, Literal, NamedTuple

from analyzer.annotate.solver.suits import MY_CARDS, Suit, SuitCache, steps_without
from analyzer.annotate.solver.units import COUNT_PER_TRICK, UNITS_MASK
from analyzer.annotate.solver.void_cards import VoidCardCounts, VoidCards

PositionBySuit = tuple[Suit, Suit, Suit, Suit, VoidCards]
"""Trumps (or one suit, if there are none), the other suits, loose cards: seen from the seat to lead."""

OpenReply = tuple[int, bool, PositionBySuit, int, int]
"""What a lead and its reply leave open: the trick's worth, whether the other seat leads now, the position
seen from the seat now to lead, the tricks and units which that seat makes at least, and the units which
the other keeps."""

SuitPlace = Literal[0, 1, 2, 3]
SUIT_PLACES: tuple[SuitPlace, ...] = (0, 1, 2, 3)
PLAIN_SUIT_PLACES: tuple[SuitPlace, ...] = (1, 2, 3)


class SearchPosition(NamedTuple):
    """A position, the units left to be taken in it, and the tricks."""

    position: PositionBySuit
    units: int
    tricks: int


class TrickSearch:
    """The closed tricks of one deal under one law; every answer is kept for the next question."""

    def __init__(self, suits: SuitCache) -> None:
        self.suits = suits
        self.bounds: dict[PositionBySuit, list[int]] = {}

    def share(self, spot: SearchPosition, guess: int | None = None) -> int:
        """The units that the seat to lead takes if both play their best; `guess` is tried first."""
        position, units, tricks = spot
        bounds = self.bounds.get(position) or self.bound(spot)
        while bounds[0] < bounds[1]:
            low, high = bounds
            goal = (low + high + 1) // 2
            if guess is not None:
                goal = guess if low < guess <= high else guess + 1 if low <= guess < high else goal
            self.takes(position, units, tricks, goal, bounds)
        return bounds[0]

    def reaches(self, spot: SearchPosition, goal: int) -> bool:
        """Whether the seat to lead takes so many units."""
        bounds = self.bounds.get(spot.position) or self.bound(spot)
        if bounds[0] < goal <= bounds[1]:
            return self.takes(*spot, goal, bounds)
        return goal <= bounds[0]

    def bound(self, spot: SearchPosition) -> list[int]:
        """The bounds of a position before it is searched; they are kept, and close as it is."""
        position, units, tricks = spot
        makes = self.makes(position)
        if makes >= tricks * COUNT_PER_TRICK:
            bounds = [units, units]
        elif tricks <= 1:
            bounds = [0, 0]
        else:
            kept = sum([suit.kept for suit in position[:4]])
            bounds = [makes & UNITS_MASK, units - kept]
        self.bounds[position] = bounds
        return bounds

    def makes(self, position: PositionBySuit) -> int:
        """The tricks and units that the seat to lead makes at least."""
        first, second, third, fourth, loose = position
        if first.ruffs:
            return first.sure + second.sure + third.sure + fourth.sure
        return first.run + second.run + third.run + fourth.run + loose.run

    def takes(
        self, position: PositionBySuit, units: int, tricks: int, goal: int, bounds: list[int]
    ) -> bool:
        """Whether the seat to lead takes `goal` units, which the position's `bounds` leave open."""
        leads = self._open_leads(position, units, tricks, goal)
        if leads is None:
            bounds[0] = goal
            return True
        if len(leads) > 1:
            leads.sort(key=len)
        positions, tricks = self.bounds, tricks - 1
        for replies in leads:
            for worth, changed, after, makes, kept in replies:
                left = units - worth
                known = positions.get(after)
                if known is None:
                    known = positions[after] = [makes & UNITS_MASK, left - kept]
                needs = left - goal + 1 if changed else goal - worth
                if known[0] >= needs:
                    reached = True
                elif known[1] < needs:
                    reached = False
                else:
                    reached = self.takes(after, left, tricks, needs, known)
                if reached is changed:
                    break
            else:
                bounds[0] = goal
                return True
        bounds[1] = goal - 1
        return False

    def _open_leads(
        self, position: PositionBySuit, units: int, tricks: int, goal: int
    ) -> list[list[OpenReply]] | None:
        """The leads that may reach the goal, each with the replies still to be searched.

        None if one of them reaches it whatever the reply. A reply that takes the trick refutes the
        lead if what the other seat then makes is too much; one that does not, if what it keeps is.
        """
        first, second, third, fourth, loose = position
        theirs = first.flip, second.flip, third.flip, fourth.flip, loose.flip
        a, b, c, d, their_loose = theirs
        ruffs, they_ruff = first.ruffs, a.ruffs
        sure = first.sure + second.sure + third.sure + fourth.sure
        run = first.run + second.run + third.run + fourth.run + loose.run
        kept = first.kept + second.kept + third.kept + fourth.kept
        their_sure = a.sure + b.sure + c.sure + d.sure
        their_run = a.run + b.run + c.run + d.run + their_loose.run
        their_kept = a.kept + b.kept + c.kept + d.kept
        all_left, spare, last = (tricks - 1) * COUNT_PER_TRICK, units - goal, tricks == 2
        leads: list[list[OpenReply]] = []
        for place in SUIT_PLACES:
            suit = position[place]
            for taking, losing in self.suits.leads(suit) if suit.leads is None else suit.leads:
                replies: list[OpenReply] = []
                for worth, left, change, more_sure, more_run, more_kept in taking:
                    if left.ruffs if place == 0 else they_ruff:
                        makes = their_sure + more_sure
                    else:
                        makes = their_run + more_run
                    if makes >= all_left or (makes & UNITS_MASK) > spare - worth:
                        break
                    if not last and their_kept + more_kept < goal:
                        after: list[Any] = [*theirs]
                        after[place] = left
                        if change:
                            after[4] = self.suits.looses.after(their_loose, change)
                        replies.append((worth, True, tuple(after), makes, their_kept + more_kept))
                else:
                    for worth, left, change, more_sure, more_run, more_kept in losing:
                        if left.ruffs if place == 0 else ruffs:
                            makes = sure + more_sure
                        else:
                            makes = run + more_run
                        if makes >= all_left or worth + (makes & UNITS_MASK) >= goal:
                            continue
                        if last or kept + more_kept > spare:
                            break
                        after = [*position]
                        after[place] = left
                        if change:
                            after[4] = self.suits.looses.after(loose, change)
                        replies.append((worth, False, tuple(after), makes, kept + more_kept))
                    else:
                        if not replies:
                            return None
                        leads.append(replies)
        if loose.mine and first.is_trump and first.theirs:
            makes_now = their_sure, their_run, their_kept
            proven = self._ruffed(position, theirs, makes_now, leads, goal, spare, tricks)
        elif loose.mine or (first.is_trump and first.mine and not first.theirs):
            proven = self._not_taken(position, leads, goal, tricks)
        else:
            return leads
        return None if proven else leads

    def _ruffed(
        self,
        position: PositionBySuit,
        theirs: PositionBySuit,
        makes_now: tuple[int, int, int],
        leads: list[list[OpenReply]],
        goal: int,
        spare: int,
        tricks: int,
    ) -> bool:
        """Add the leads of loose cards while the other seat has trumps; whether one reaches the goal.

        `makes_now` is that seat's `sure`, `run` and `kept` before it ruffs.
        """
        trumps, loose, (_, second, third, fourth, _) = position[0], position[4], theirs
        sure, run, kept = makes_now
        all_left, last = (tricks - 1) * COUNT_PER_TRICK, tricks == 2
        for worth, rest in loose.led or self.suits.looses.led(loose):
            replies: list[OpenReply] = []
            for its, left, _, more_sure, more_run, more in trumps.taken or self.suits.taken(trumps):
                makes = sure + more_sure if left.ruffs else run + more_run
                if makes >= all_left or (makes & UNITS_MASK) > spare - worth - its:
                    break
                if not last:
                    after = left, second, third, fourth, rest.flip
                    replies.append((worth + its, True, after, makes, kept + more))
            else:
                if not replies:
                    return True
                leads.append(replies)
        return False

    def _not_taken(
        self, position: PositionBySuit, leads: list[list[OpenReply]], goal: int, tricks: int
    ) -> bool:
        """Add the leads that cannot be taken: loose cards and trumps, where the other seat has none.

        It throws what it likes. Whether one of them reaches the goal.
        """
        trumps, second, third, fourth, loose = position
        all_left, last = (tricks - 1) * COUNT_PER_TRICK, tricks == 2
        ways = [(worth, trumps, rest) for worth, rest in self.suits.looses.led(loose)]
        ways += [(worth, left, loose) for worth, left in self._own_trumps(trumps)]
        for worth, left, rest in ways:
            replies: list[OpenReply] = []
            for its, after, makes, kept in self._thrown((left, second, third, fourth, rest)):
                if makes >= all_left or worth + its + (makes & UNITS_MASK) >= goal:
                    continue
                if last:
                    break
                replies.append((worth + its, False, after, makes, kept))
            else:
                if not replies:
                    return True
                leads.append(replies)
        return False

    def _own_trumps(self, trumps: Suit) -> list[tuple[int, Suit]]:
        """The trumps that the seat to lead may lead where the other has none, and what is left then."""
        if not trumps.is_trump:
            return []
        return [
            (
                step[0],
                self.suits.settle(steps_without(trumps.steps, row, MY_CARDS), is_trump=True)[0],
            )
            for row, step in enumerate(trumps.steps)
            if step[MY_CARDS]
        ]

    def _thrown(self, position: PositionBySuit) -> list[tuple[int, PositionBySuit, int, int]]:
        """What the other seat may throw on a card that it does not take.

        With it goes what is left then, what the seat to lead makes of that as it cannot be ruffed, and
        what the other keeps.
        """
        first, second, third, fourth, loose = position
        run = first.run + second.run + third.run + fourth.run + loose.run
        kept = first.kept + second.kept + third.kept + fourth.kept
        found: list[tuple[int, PositionBySuit, int, int]] = [
            (worth, (first, second, third, fourth, rest), run, kept)
            for worth, rest in self.suits.looses.thrown(loose)
        ]
        for place in PLAIN_SUIT_PLACES if first.is_trump else SUIT_PLACES:
            suit = position[place]
            if suit.theirs:
                for worth, left, change, _, more_run, more_kept in self.suits.thrown(suit):
                    after = replace_suit(position, place, left, change, self.suits)
                    found.append((worth, after, run + more_run, kept + more_kept))
        return found


def replace_suit(
    position: PositionBySuit,
    place: SuitPlace,
    suit: Suit,
    change: VoidCardCounts | None,
    suits: SuitCache,
) -> PositionBySuit:
    """A position with another suit in one place, and the loose cards changed."""
    after: list[Any] = [*position]
    after[place] = suit
    if change:
        after[4] = suits.looses.after(position[4], change)
    return tuple(after)
