"""Search the tricks after the close where any card may be played to any lead.

State, questions and stored bounds are those of `TrickSearch`; only the replies differ. There are many more
of them, since nobody must follow, and few are certain: so each is built first and bounded after. Games
played this way are rare, and their search may be slower.
"""

from collections.abc import Iterator

from analyzer.annotate.solver.suits import MY_CARDS, steps_without
from analyzer.annotate.solver.trick_search import (
    SUIT_PLACES,
    OpenReply,
    PositionBySuit,
    SuitPlace,
    TrickSearch,
    replace_suit,
)
from analyzer.annotate.solver.units import COUNT_PER_TRICK, UNITS_MASK

Reply = tuple[int, bool, PositionBySuit]
"""The units of the trick, whether the reply takes it, and the position for the next leader."""


class FreeTrickSearch(TrickSearch):
    """The trick search without a duty to follow: every reply is built, then bounded."""

    def _open_leads(
        self, position: PositionBySuit, units: int, tricks: int, goal: int
    ) -> list[list[OpenReply]] | None:
        """The leads that may reach the goal; None if one of them surely does."""
        leads: list[list[OpenReply]] = []
        for replies in self._every_lead(position):
            left = self._open_replies(replies, (tricks - 1) * COUNT_PER_TRICK, goal, units - goal)
            if left is not None and not left:
                return None
            if left:
                leads.append(left)
        return leads

    def _open_replies(
        self,
        replies: Iterator[Reply],
        all_tricks: int,
        goal: int,
        spare: int,
    ) -> list[OpenReply] | None:
        """The replies still to be searched; None if one refutes the lead."""
        left: list[OpenReply] = []
        for trick_units, reply_takes, after in replies:
            count = self.sure_count(after)
            if reply_takes:
                if count >= all_tricks or (count & UNITS_MASK) > spare - trick_units:
                    return None
            elif count >= all_tricks or trick_units + (count & UNITS_MASK) >= goal:
                continue
            elif all_tricks == COUNT_PER_TRICK:
                return None
            # With one trick left after this one the counts are exact, and nothing stays open.
            if all_tricks > COUNT_PER_TRICK:
                left.append((trick_units, reply_takes, after, count, after[0].denied))
        return left

    def _every_lead(self, position: PositionBySuit) -> Iterator[Iterator[Reply]]:
        """The replies to every lead: from each suit, then of a void card."""
        suit_cache = self.suit_cache
        for place in SUIT_PLACES:
            suit = position[place]
            for row, step in enumerate(suit.steps):
                if step[MY_CARDS]:
                    steps = steps_without(suit.steps, row, MY_CARDS)
                    rest, change = suit_cache.merge_steps(steps, is_trump=suit.is_trump)
                    after = replace_suit(position, place, rest, change, suit_cache)
                    yield self._replies(position, after, step[0], place, row)
        for trick_units, void in suit_cache.void_cards.leads(position[4]):
            yield self._replies(position, (*position[:4], void), trick_units, None, 0)

    def _replies(
        self,
        position: PositionBySuit,
        after: PositionBySuit,
        trick_units: int,
        place: SuitPlace | None,
        row: int,
    ) -> Iterator[Reply]:
        """Every reply: in the suit led, a ruff, a void card thrown, a card of another suit thrown.

        `position` is before the lead and `after` behind it; `row` is the step of the card led, of
        `trick_units` units, in the suit at `place`, or `place` is None if a void card is led.
        """
        suit_cache, trumps = self.suit_cache, after[0]
        flipped, flipped_after = flip_position(position), flip_position(after)
        if place is not None and position[place].theirs:
            # Suits list their leads by the leader's steps alone: find the one led.
            led = [i for i, step in enumerate(position[place].steps) if step[MY_CARDS]].index(row)
            taking, losing = suit_cache.leads(position[place])[led]
            for both, left, change, *_ in taking:
                yield both, True, replace_suit(flipped, place, left, change, suit_cache)
            for both, left, change, *_ in losing:
                yield both, False, replace_suit(position, place, left, change, suit_cache)
        if place != 0 and trumps.is_trump:
            for units, left, *_ in suit_cache.ruffs(trumps):
                found = replace_suit(flipped_after, 0, left, None, suit_cache)
                yield trick_units + units, True, found
        # Cards that become void cards by this lead are of the suit led: those replies came first.
        _, _, brisques, others = position[4].counts
        if brisques or others:
            units, thrown = (0, (0, 0, 0, -1)) if others else (suit_cache.brisque, (0, 0, -1, 0))
            rest = suit_cache.void_cards.after(after[4], thrown)
            yield trick_units + units, False, (*after[:4], rest)
        for other in SUIT_PLACES:
            if other != place and not after[other].is_trump:
                for units, left, change, *_ in suit_cache.throws(after[other]):
                    found = replace_suit(after, other, left, change, suit_cache)
                    yield trick_units + units, False, found


def flip_position(position: PositionBySuit) -> PositionBySuit:
    """A position seen from the other seat."""
    first, second, third, fourth, void = position
    return first.flip, second.flip, third.flip, fourth.flip, void.flip
