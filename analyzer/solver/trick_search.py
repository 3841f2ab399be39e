"""Search the tricks after the close: how many units does each seat take with best play?

State: a `PositionBySuit`, the four suits and the void cards, seen from the seat to lead. Equal positions
are one object per suit, so hashing and comparing them is cheap. Value: the *share*, the units that the
leader takes of those left (brisques and last trick); the other seat takes the rest.

Search: questions of the form "does the leader take at least `goal` units?" (`takes`). Every answer narrows
the bounds stored for the position, and `share` asks until they meet (as MTD(f) does). After a trick the
winner leads, so the question is turned round where the reply takes the trick.

Bounds: before a lead is searched, what either seat surely takes in each suit (`suits.py`) is added up for
every reply. That settles most replies at once, and often the whole question. The leads left over are tried
in order of their number of open replies.
"""

from typing import Any, Literal, NamedTuple

from analyzer.solver.suits import (
    COUNT_PER_TRICK,
    MY_CARDS,
    UNITS_MASK,
    Suit,
    SuitCache,
    VoidCardCounts,
    VoidCards,
    steps_without,
)

PositionBySuit = tuple[Suit, Suit, Suit, Suit, VoidCards]
"""Trumps (or one suit, if there are none), the other suits, the void cards: seen from the seat to lead."""

OpenReply = tuple[int, bool, PositionBySuit, int, int]
"""A reply still to be searched: the units of the trick; whether the reply takes it; the position after it,
seen from the next leader; the count of tricks and units that leader surely takes; and the units it surely
does not get."""

SuitPlace = Literal[0, 1, 2, 3]
SUIT_PLACES: tuple[SuitPlace, ...] = (0, 1, 2, 3)
PLAIN_SUIT_PLACES: tuple[SuitPlace, ...] = (1, 2, 3)


class SearchPosition(NamedTuple):
    """A position to start from, with the units and the tricks still to be taken."""

    suits: PositionBySuit
    units: int
    tricks: int


class TrickSearch:
    """Searches the tricks of one deal's close; bounds found are cached for later questions."""

    def __init__(self, suit_cache: SuitCache) -> None:
        self.suit_cache = suit_cache
        self.bounds: dict[PositionBySuit, list[int]] = {}

    def share(self, root: SearchPosition, guess: int | None = None) -> int:
        """The units the leader takes with best play; `guess` is tried first."""
        position, units, tricks = root
        bounds = self.bounds.get(position) or self.bound(root)
        while bounds[0] < bounds[1]:
            low, high = bounds
            goal = (low + high + 1) // 2
            if guess is not None:
                # A right guess is proved by two questions: at least `guess`, and not one more.
                goal = guess if low < guess <= high else guess + 1 if low <= guess < high else goal
            self.takes(position, units, tricks, goal, bounds)
        return bounds[0]

    def reaches(self, root: SearchPosition, goal: int) -> bool:
        """Whether the leader takes at least `goal` units."""
        bounds = self.bounds.get(root.suits) or self.bound(root)
        if bounds[0] < goal <= bounds[1]:
            return self.takes(*root, goal, bounds)
        return goal <= bounds[0]

    def bound(self, root: SearchPosition) -> list[int]:
        """The bounds of a position before any search; they are stored, and the search narrows them."""
        position, units, tricks = root
        count = self.sure_count(position)
        if count >= tricks * COUNT_PER_TRICK:  # every trick left, and so every unit
            bounds = [units, units]
        elif tricks <= 1:
            bounds = [0, 0]  # one card each, and the leader's loses
        else:
            denied = sum([suit.denied for suit in position[:4]])
            bounds = [count & UNITS_MASK, units - denied]
        self.bounds[position] = bounds
        return bounds

    def sure_count(self, position: PositionBySuit) -> int:
        """The count of tricks and units that the leader surely takes."""
        first, second, third, fourth, void = position
        if first.leaves_trumps:
            return first.sure + second.sure + third.sure + fourth.sure
        return first.run + second.run + third.run + fourth.run + void.run

    def takes(
        self, position: PositionBySuit, units: int, tricks: int, goal: int, bounds: list[int]
    ) -> bool:
        """Whether the leader takes at least `goal` units; the position's `bounds`, which leave it open, are narrowed."""
        leads = self._open_leads(position, units, tricks, goal)
        if leads is None:
            bounds[0] = goal
            return True
        if len(leads) > 1:
            leads.sort(key=len)
        positions, tricks = self.bounds, tricks - 1
        for replies in leads:
            for trick_units, reply_takes, after, count, denied in replies:
                left = units - trick_units
                known = positions.get(after)
                if known is None:
                    known = positions[after] = [count & UNITS_MASK, left - denied]
                # A reply that takes the trick leads next: the goal fails if it takes one unit too many.
                needs = left - goal + 1 if reply_takes else goal - trick_units
                if known[0] >= needs:
                    reached = True
                elif known[1] < needs:
                    reached = False
                else:
                    reached = self.takes(after, left, tricks, needs, known)
                if reached is reply_takes:
                    break
            else:
                bounds[0] = goal
                return True
        bounds[1] = goal - 1
        return False

    def _open_leads(  # noqa: C901 - one loop, for its speed
        self, position: PositionBySuit, units: int, tricks: int, goal: int
    ) -> list[list[OpenReply]] | None:
        """The leads that may reach the goal, each with the replies still to be searched.

        None if one of them reaches it whatever the reply. A reply that takes the trick refutes a lead if
        the other seat then surely takes too much; a reply that does not, if it surely keeps too much.
        """
        # Most of a search is spent here: sums are unrolled, names are local, and a position is built
        # only for a reply that the bounds leave open.
        first, second, third, fourth, void = position
        theirs = first.flip, second.flip, third.flip, fourth.flip, void.flip
        a, b, c, d, their_void = theirs
        leaves_trumps, they_leave_trumps = first.leaves_trumps, a.leaves_trumps
        sure = first.sure + second.sure + third.sure + fourth.sure
        run = first.run + second.run + third.run + fourth.run + void.run
        denied = first.denied + second.denied + third.denied + fourth.denied
        their_sure = a.sure + b.sure + c.sure + d.sure
        their_run = a.run + b.run + c.run + d.run + their_void.run
        their_denied = a.denied + b.denied + c.denied + d.denied
        # With two tricks left the next one is the last: there the counts are exact, and nothing stays open.
        all_tricks, spare, next_is_last = (tricks - 1) * COUNT_PER_TRICK, units - goal, tricks == 2
        leads: list[list[OpenReply]] = []
        for place in SUIT_PLACES:
            suit = position[place]
            for taking, losing in self.suit_cache.leads(suit) if suit.leads is None else suit.leads:
                replies: list[OpenReply] = []
                for trick_units, left, change, more_sure, more_run, more_denied in taking:
                    # The next leader's long suits run only once the seat to reply cannot ruff them.
                    ruffs = left.leaves_trumps if place == 0 else they_leave_trumps
                    count = their_sure + more_sure if ruffs else their_run + more_run
                    if count >= all_tricks or (count & UNITS_MASK) > spare - trick_units:
                        break
                    if not next_is_last and their_denied + more_denied < goal:
                        after: list[Any] = [*theirs]
                        after[place] = left
                        if change:
                            after[4] = self.suit_cache.void_cards.after(their_void, change)
                        theirs_denied = their_denied + more_denied
                        replies.append((trick_units, True, tuple(after), count, theirs_denied))
                else:
                    for trick_units, left, change, more_sure, more_run, more_denied in losing:
                        ruffs = left.leaves_trumps if place == 0 else leaves_trumps
                        count = sure + more_sure if ruffs else run + more_run
                        if count >= all_tricks or trick_units + (count & UNITS_MASK) >= goal:
                            continue
                        if next_is_last or denied + more_denied > spare:
                            break
                        after = [*position]
                        after[place] = left
                        if change:
                            after[4] = self.suit_cache.void_cards.after(void, change)
                        replies.append(
                            (trick_units, False, tuple(after), count, denied + more_denied)
                        )
                    else:
                        if not replies:
                            return None
                        leads.append(replies)
        # Suits in which the other seat is void.
        if void.mine and first.is_trump and first.theirs:
            counts = their_sure, their_run, their_denied
            proven = self._add_ruffable_leads(position, theirs, counts, leads, goal, spare, tricks)
        elif void.mine or (first.is_trump and first.mine and not first.theirs):
            proven = self._add_safe_leads(position, leads, goal, tricks)
        else:
            proven = False
        return None if proven else leads

    def _add_ruffable_leads(
        self,
        position: PositionBySuit,
        theirs: PositionBySuit,
        their_counts: tuple[int, int, int],
        leads: list[list[OpenReply]],
        goal: int,
        spare: int,
        tricks: int,
    ) -> bool:
        """Add the leads of void cards where the other seat must ruff; returns whether one reaches the goal.

        `their_counts` are that seat's sums of `sure`, `run` and `denied` before it ruffs.
        """
        trumps, void, (_, second, third, fourth, _) = position[0], position[4], theirs
        sure, run, denied = their_counts
        all_tricks, next_is_last = (tricks - 1) * COUNT_PER_TRICK, tricks == 2
        # A reply that surely keeps the leader from the goal ends the look at a lead, which is left out; a lead
        # that leaves no reply open reaches the goal.
        for units, rest in void.leads or self.suit_cache.void_cards.leads(void):
            replies: list[OpenReply] = []
            for reply_units, left, _, more_sure, more_run, more in (
                trumps.ruffs or self.suit_cache.ruffs(trumps)
            ):
                count = sure + more_sure if left.leaves_trumps else run + more_run
                if count >= all_tricks or (count & UNITS_MASK) > spare - units - reply_units:
                    break
                if not next_is_last:
                    after = left, second, third, fourth, rest.flip
                    replies.append((units + reply_units, True, after, count, denied + more))
            else:
                if not replies:
                    return True
                leads.append(replies)
        return False

    def _add_safe_leads(
        self, position: PositionBySuit, leads: list[list[OpenReply]], goal: int, tricks: int
    ) -> bool:
        """Add the leads nothing can take: void cards and trumps, where the other seat has no trump.

        It may throw any card. Returns whether one of these leads reaches the goal.
        """
        trumps, second, third, fourth, void = position
        all_tricks, next_is_last = (tricks - 1) * COUNT_PER_TRICK, tricks == 2
        safe_leads = [
            (units, trumps, rest) for units, rest in self.suit_cache.void_cards.leads(void)
        ]
        safe_leads += [(units, left, void) for units, left in self._own_trumps(trumps)]
        for units, left, rest in safe_leads:
            replies: list[OpenReply] = []
            for reply_units, after, count, denied in self._throws(
                (left, second, third, fourth, rest)
            ):
                if count >= all_tricks or units + reply_units + (count & UNITS_MASK) >= goal:
                    continue
                if next_is_last:
                    break
                replies.append((units + reply_units, False, after, count, denied))
            else:
                if not replies:
                    return True
                leads.append(replies)
        return False

    def _own_trumps(self, trumps: Suit) -> list[tuple[int, Suit]]:
        """The trumps the leader may lead where the other seat has none: their units, and the trumps left."""
        if not trumps.is_trump:
            return []
        return [
            (
                step[0],
                self.suit_cache.merge_steps(
                    steps_without(trumps.steps, row, MY_CARDS), is_trump=True
                )[0],
            )
            for row, step in enumerate(trumps.steps)
            if step[MY_CARDS]
        ]

    def _throws(self, position: PositionBySuit) -> list[tuple[int, PositionBySuit, int, int]]:
        """What the other seat may throw on a card it cannot take.

        Each with the units thrown, the position after it, the count that the leader surely takes there,
        and the units the other seat surely keeps.
        """
        first, second, third, fourth, void = position
        run = first.run + second.run + third.run + fourth.run + void.run
        denied = first.denied + second.denied + third.denied + fourth.denied
        found: list[tuple[int, PositionBySuit, int, int]] = [
            (units, (first, second, third, fourth, rest), run, denied)
            for units, rest in self.suit_cache.void_cards.throws(void)
        ]
        for place in PLAIN_SUIT_PLACES if first.is_trump else SUIT_PLACES:
            suit = position[place]
            if suit.theirs:
                for units, left, change, _, more_run, more_denied in self.suit_cache.throws(suit):
                    after = replace_suit(position, place, left, change, self.suit_cache)
                    found.append((units, after, run + more_run, denied + more_denied))
        return found


def replace_suit(
    position: PositionBySuit,
    place: SuitPlace,
    suit: Suit,
    change: VoidCardCounts | None,
    suit_cache: SuitCache,
) -> PositionBySuit:
    """The position with one suit replaced and the void cards changed."""
    after: list[Any] = [*position]
    after[place] = suit
    if change:
        after[4] = suit_cache.void_cards.after(position[4], change)
    return tuple(after)
