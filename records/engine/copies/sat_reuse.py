"""What a rule of reuse demands of the copies that a meld takes, as clauses (R-RUB, R-PORT).

The same law as `reuse.reformed_after_leaving` and `reformed_after_play`, which ask it of a reading
that is known; here it is demanded of one that is sought.
"""

from collections.abc import Iterator
from functools import partial
from math import comb, prod
from typing import NamedTuple

from records.engine.copies import reuse
from records.engine.copies.history import CopiesMelded, CopyLeft
from records.engine.copies.marks import ReusePredicate
from records.engine.copies.readings import allow_any_copies, allow_unmarked_copies
from records.engine.copies.reuse import ReuseBits, ScoredSets
from records.engine.copies.sat_clauses import Clauses, EncodedStep


class ReuseConstraint(NamedTuple):
    """What a meld may not do, and whether cards leave a set by a later meld."""

    terms: ReuseBits
    past: ScoredSets
    leaves_by_meld: bool


def constraint_of(allows: ReusePredicate) -> ReuseConstraint | None:
    """The rule that a meld was made by, taken apart; none for cards that are laid whatever they are."""
    if allows is allow_any_copies or allows is allow_unmarked_copies:
        return None
    assert isinstance(allows, partial)
    assert allows.func in (reuse.reformed_after_leaving, reuse.reformed_after_play)
    terms, past = allows.args
    return ReuseConstraint(terms, past, allows.func is reuse.reformed_after_leaving)


class ReuseEncoder:
    """What a rule demands of a meld `now`, made after so many other steps; `sets` are the bits of all sets."""

    def __init__(
        self, clauses: Clauses, rule: ReuseConstraint, sets: int, before: list[EncodedStep]
    ) -> None:
        self.clauses, self.rule, self.sets, self.before = clauses, rule, sets, before

    def make(self, now: EncodedStep) -> None:
        """All clauses of the rule."""
        terms, past = self.rule.terms, self.rule.past
        if not terms.may_go_down:
            self._nothing_of(terms.higher, now)
        if not terms.may_combine and terms.lower:
            self._not_all_of(terms.lower, now)
        excused = [self._all_married(now)] if terms.rearranges else []
        for place, one in enumerate(self.before):
            if leaves_any_bit(one, past.same):
                self._beside(now, one, self.before[place + 1 :], excused)
        if self._too_many(now, past.same):
            self.clauses.add(-now.on)

    def _beside(
        self, now: EncodedStep, earlier: EncodedStep, since: list[EncodedStep], excused: list[int]
    ) -> None:
        """Not the same set again; and where the sets overlap, a card of the earlier one has left it."""
        apart, left = [], list(excused)
        for card, number, other in copies_taken(earlier):
            differs, went = self.clauses.fresh(2)
            self.clauses.add(-differs, other)
            for mine in now.copy(card, number):
                self.clauses.add(-differs, -mine)
            self.clauses.add(-went, differs)
            self.clauses.add(-went, *self._moves(card, number, since))
            apart.append(differs)
            left.append(went)
        self.clauses.add(-now.on, *apart)
        for card, number, other in copies_taken(earlier):
            for mine in now.copy(card, number):
                self.clauses.add(-now.on, -mine, -other, *left)

    def _too_many(self, now: EncodedStep, same: int) -> bool:
        """Whether there are not so many different sets: counted here, as no clause tells it to a solver.

        The sets made since any moment are of the copies that had not left by then. Sets that were laid
        although no rule allowed it may be alike.
        """
        assert isinstance(now.step, CopiesMelded)
        copies_since = dict(zip(dict(now.step.wanted), now.step.held, strict=True))
        made = 1
        for one in reversed(self.before):
            if isinstance(one.step, CopyLeft) and one.step.card in copies_since:
                copies_since[one.step.card] += 1
            elif isinstance(one.step, CopiesMelded) and one.step.bit & same:
                made += (
                    one.step.wanted == now.step.wanted and one.step.allows is not allow_any_copies
                )
            if made > prod(comb(copies_since[card], number) for card, number in now.step.wanted):
                return True
        return False

    def _moves(self, card: str, number: int, since: list[EncodedStep]) -> Iterator[int]:
        """A copy is played or, where that counts, scored again."""
        melded = self.sets if self.rule.leaves_by_meld else 0
        for one in since:
            if isinstance(one.step, CopyLeft) or leaves_any_bit(one, melded):
                yield from one.copy(card, number)

    def _all_married(self, now: EncodedStep) -> int:
        """The variable that can be true only if every card of the meld has married before."""
        (married,) = self.clauses.fresh(1)
        for card, number, mine in copies_taken(now):
            self.clauses.add(-married, -mine, *self._served(self.rule.terms.kind, card, number))
        return married

    def _nothing_of(self, bits: int, now: EncodedStep) -> None:
        for card, number, mine in copies_taken(now):
            for other in self._served(bits, card, number):
                self.clauses.add(-now.on, -mine, -other)

    def _not_all_of(self, bits: int, now: EncodedStep) -> None:
        some = []
        for card, number, mine in copies_taken(now):
            (free,) = self.clauses.fresh(1)
            some.append(free)
            self.clauses.add(-free, mine)
            for other in self._served(bits, card, number):
                self.clauses.add(-free, -other)
        self.clauses.add(-now.on, *some)

    def _served(self, bits: int, card: str, number: int) -> list[int]:
        """The variables that say that a copy scored in a meld with one of these bits."""
        return [
            variable
            for one in self.before
            if leaves_any_bit(one, bits)
            for variable in one.copy(card, number)
        ]


def leaves_any_bit(one: EncodedStep, bits: int) -> bool:
    """Whether a step is a meld that leaves one of these bits."""
    return isinstance(one.step, CopiesMelded) and bool(one.step.bit & bits)


def copies_taken(one: EncodedStep) -> Iterator[tuple[str, int, int]]:
    """Every copy that a step may have taken: its card, its number, and the variable that says so."""
    for card, taken in one.took.items():
        for number, variable in enumerate(taken):
            yield card, number, variable
