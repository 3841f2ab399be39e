"""What a rule of reuse demands of the copies that a meld takes, as clauses (R-RUB, R-PORT).

The same laws as `reuse.reformed_after_leaving` and `reuse.reformed_after_play`. Those ask whether a reading
that is known allows a meld; this states what a reading must satisfy that is still sought. The two must
agree: `tests/engine/test_history.py` compares them on whole games and damaged ones.
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
from records.engine.copies.sat.copy_clauses import Clauses, EncodedStep

Moves = dict[str, list[tuple[int, list[int]]]]
"""By card, the steps by which a copy may have left a set: their places in the history, and the variables of the copies."""


class ReuseConstraint(NamedTuple):
    """A rule of reuse, bound to one meld; `leaves_by_meld` says that a card leaves a set by a later meld, too."""

    bits: ReuseBits
    past: ScoredSets
    leaves_by_meld: bool


def constraint_of(allows: ReusePredicate) -> ReuseConstraint | None:
    """The rule of reuse that a meld was made by; none for cards that are laid whatever they are."""
    # A rule is a function bound to one meld; only two rules let melds be formed again and need this search.
    if allows is allow_any_copies or allows is allow_unmarked_copies:
        return None
    assert isinstance(allows, partial)
    assert allows.func in (reuse.reformed_after_leaving, reuse.reformed_after_play)
    bits, past = allows.args
    return ReuseConstraint(bits, past, allows.func is reuse.reformed_after_leaving)


class ReuseEncoder:
    """Encodes what a rule demands of a meld made after the steps `before`; `sets` are the bits of all sets."""

    def __init__(
        self, clauses: Clauses, rule: ReuseConstraint, sets: int, before: list[EncodedStep]
    ) -> None:
        self.clauses, self.rule, self.sets, self.before = clauses, rule, sets, before

    def make(self, now: EncodedStep) -> None:
        """All clauses of the rule for this meld."""
        bits, past = self.rule.bits, self.rule.past
        if not bits.may_go_down:
            self._nothing_of(bits.higher, now)
        if not bits.may_combine and bits.lower:
            self._not_all_of(bits.lower, now)
        excused = [self._all_married(now)] if bits.rearranges else []
        moves = self._moves()
        for place, earlier in enumerate(self.before):
            if leaves_any_bit(earlier, past.same):
                self._beside(now, earlier, place, moves, excused)
        # A contradiction that clauses do not show to a solver quickly: found by counting, and stated at once.
        if self._too_many(now, past.same):
            self.clauses.add(-now.active)

    def _beside(
        self, now: EncodedStep, earlier: EncodedStep, place: int, moves: Moves, excused: list[int]
    ) -> None:
        """Not the same set again; and where the sets overlap, a card of the earlier one has left it.

        `differs` says that a copy of the earlier set is not in the new one, `has_left` that it has left as well,
        by one of the `moves` after the `place` of the earlier set.
        """
        add, new_variables = self.clauses.add, self.clauses.new_variables
        differing, left, shared = [], list(excused), []
        for card, copies in earlier.copies.items():
            mine = now.copies.get(card, [])
            since = [taken for at, taken in moves.get(card, []) if at > place]
            for number, other in enumerate(copies):
                (differs,) = new_variables(1)
                differing.append(differs)
                add(-differs, other)
                if number < len(mine):
                    add(-differs, -mine[number])
                    shared.append((mine[number], other))
                if ways := [taken[number] for taken in since if number < len(taken)]:
                    (has_left,) = new_variables(1)
                    left.append(has_left)
                    add(-has_left, differs)
                    add(-has_left, *ways)
        add(-now.active, *differing)
        (overlaps,) = new_variables(1)
        add(-now.active, -overlaps, *left)
        for mine_too, other in shared:
            add(-mine_too, -other, overlaps)

    def _moves(self) -> Moves:
        """By card, every step in which a copy was played or, where that counts, scored in a set."""
        melded = self.sets if self.rule.leaves_by_meld else 0
        moves: Moves = {}
        for place, step in enumerate(self.before):
            if isinstance(step.step, CopyLeft) or leaves_any_bit(step, melded):
                for card, taken in step.copies.items():
                    moves.setdefault(card, []).append((place, taken))
        return moves

    def _too_many(self, now: EncodedStep, same: int) -> bool:
        """Whether there are not so many different sets as were made: counted here, since a solver would try them all.

        The sets made since any moment are of the copies that had not left by then. Sets that were laid
        although no rule allowed it may be alike, and do not count.
        """
        assert isinstance(now.step, CopiesMelded)
        copies_since = dict(zip(dict(now.step.wanted), now.step.held, strict=True))
        sets_made = 1
        for step in reversed(self.before):
            if isinstance(step.step, CopyLeft) and step.step.card in copies_since:
                copies_since[step.step.card] += 1
            elif isinstance(step.step, CopiesMelded) and step.step.bit & same:
                sets_made += (
                    step.step.wanted == now.step.wanted and step.step.allows is not allow_any_copies
                )
            if sets_made > prod(
                comb(copies_since[card], number) for card, number in now.step.wanted
            ):
                return True
        return False

    def _all_married(self, now: EncodedStep) -> int:
        """The variable that can be true only if every card of the meld has married before."""
        (married,) = self.clauses.new_variables(1)
        for card, number, mine in copies_taken(now):
            self.clauses.add(-married, -mine, *self._served(self.rule.bits.kind, card, number))
        return married

    def _nothing_of(self, bits: int, now: EncodedStep) -> None:
        """No copy taken has scored in a meld with one of these bits: one cannot go down its class (A-15, A-18)."""
        for card, number, mine in copies_taken(now):
            for other in self._served(bits, card, number):
                self.clauses.add(-now.active, -mine, -other)

    def _not_all_of(self, bits: int, now: EncodedStep) -> None:
        """Some copy taken has not: one does not go up its class with nothing new (A-17)."""
        new_copies = []
        for card, number, mine in copies_taken(now):
            (free,) = self.clauses.new_variables(1)
            new_copies.append(free)
            self.clauses.add(-free, mine)
            for other in self._served(bits, card, number):
                self.clauses.add(-free, -other)
        self.clauses.add(-now.active, *new_copies)

    def _served(self, bits: int, card: str, number: int) -> list[int]:
        """The variables that say that a copy scored in a meld with one of these bits."""
        return [
            variable
            for step in self.before
            if leaves_any_bit(step, bits)
            for variable in step.copy(card, number)
        ]


def leaves_any_bit(step: EncodedStep, bits: int) -> bool:
    """Whether a step is a meld that leaves one of these bits."""
    return isinstance(step.step, CopiesMelded) and bool(step.step.bit & bits)


def copies_taken(step: EncodedStep) -> Iterator[tuple[str, int, int]]:
    """Every copy that a step may have taken: its card, its number, and the variable that says so."""
    for card, taken in step.copies.items():
        for number, variable in enumerate(taken):
            yield card, number, variable
