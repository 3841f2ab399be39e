"""The closed tricks where nothing is owed: any card may be played to any lead."""

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


class FreeTrickSearch(TrickSearch):
    """The same search by simpler means: every reply is built, then judged."""

    def _open_leads(
        self, position: PositionBySuit, units: int, tricks: int, goal: int
    ) -> list[list[OpenReply]] | None:
        """The leads that may reach the goal; None if one of them surely does."""
        leads: list[list[OpenReply]] = []
        for replies in self._every_lead(position):
            left = self._judged(replies, (tricks - 1) * COUNT_PER_TRICK, goal, units - goal)
            if left is not None and not left:
                return None
            if left:
                leads.append(left)
        return leads

    def _judged(
        self,
        replies: Iterator[tuple[int, bool, PositionBySuit]],
        all_left: int,
        goal: int,
        spare: int,
    ) -> list[OpenReply] | None:
        """The replies still to be searched; None if one refutes the lead."""
        left: list[OpenReply] = []
        for worth, changed, after in replies:
            makes = self.makes(after)
            if changed:
                if makes >= all_left or (makes & UNITS_MASK) > spare - worth:
                    return None
            elif makes >= all_left or worth + (makes & UNITS_MASK) >= goal:
                continue
            elif all_left == COUNT_PER_TRICK:
                return None
            if all_left > COUNT_PER_TRICK:
                left.append((worth, changed, after, makes, after[0].kept))
        return left

    def _every_lead(
        self, position: PositionBySuit
    ) -> Iterator[Iterator[tuple[int, bool, PositionBySuit]]]:
        suits = self.suits
        for place in SUIT_PLACES:
            suit = position[place]
            for row, step in enumerate(suit.steps):
                if step[MY_CARDS]:
                    steps = steps_without(suit.steps, row, MY_CARDS)
                    rest, change = suits.settle(steps, is_trump=suit.is_trump)
                    after = replace_suit(position, place, rest, change, suits)
                    yield self._replies(position, after, step[0], place, row)
        for worth, loose in suits.looses.led(position[4]):
            yield self._replies(position, (*position[:4], loose), worth, None, 0)

    def _replies(
        self,
        position: PositionBySuit,
        after: PositionBySuit,
        worth: int,
        place: SuitPlace | None,
        row: int,
    ) -> Iterator[tuple[int, bool, PositionBySuit]]:
        """Every reply: `position` is before the lead, `after` what it leaves, `row` its step."""
        suits, trumps = self.suits, after[0]
        if place is not None and position[place].theirs:
            led = [i for i, step in enumerate(position[place].steps) if step[MY_CARDS]].index(row)
            taking, losing = suits.leads(position[place])[led]
            for its, left, change, *_ in taking:
                yield its, True, replace_suit(flip_position(position), place, left, change, suits)
            for its, left, change, *_ in losing:
                yield its, False, replace_suit(position, place, left, change, suits)
        if place != 0 and trumps.is_trump:
            for its, left, *_ in suits.taken(trumps):
                yield worth + its, True, replace_suit(flip_position(after), 0, left, None, suits)
        _, _, brisques, others = position[4].counts
        if brisques or others:
            its, change = (0, (0, 0, 0, -1)) if others else (suits.brisque, (0, 0, -1, 0))
            yield worth + its, False, (*after[:4], suits.looses.after(after[4], change))
        for other in SUIT_PLACES:
            if other != place and not after[other].is_trump:
                for its, left, change, *_ in suits.thrown(after[other]):
                    yield worth + its, False, replace_suit(after, other, left, change, suits)


def flip_position(position: PositionBySuit) -> PositionBySuit:
    """A position seen from the other seat."""
    first, second, third, fourth, loose = position
    return first.flip, second.flip, third.flip, fourth.flip, loose.flip
