"""Clauses about unknown cards: which card lies in each slot, and how many of a card lie in several."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from records.completions.budget import (
    CARDS_A_STEP,
    PROPAGATIONS_A_STEP,
    VARIABLES_A_STEP,
    SearchBudget,
    SearchGivenUpError,
)

if TYPE_CHECKING:
    from pysat.solvers import Minicard

TRUE, FALSE = 1, -1
"""The literals of a variable that is always true."""


class Solution(NamedTuple):
    """A card for every slot, and the literals that are true."""

    cards: list[str]
    true: set[int]


class SlotClauses:
    """A solver that counts; it is made when it is first needed."""

    def __init__(self, budget: SearchBudget) -> None:
        self._budget = budget
        self._variables = 1
        self._cards: list[dict[str, int]] = []

    @cached_property
    def _solver(self) -> "Minicard":
        from pysat.solvers import Minicard  # imported late: it takes time, and few records need it

        solver = Minicard()
        solver.add_clause([TRUE])
        return solver

    def new_variable(self) -> int:
        """A new variable."""
        self._variables += 1
        return self._variables

    def add(self, *clause: int) -> None:
        """At least one of these literals is true."""
        if TRUE in clause:
            return
        self._budget.spend(1)
        self._solver.add_clause(clause)

    def at_most(self, literals: Sequence[int], number: int) -> None:
        """At most so many of these are true."""
        if number < len(literals):
            self._budget.spend(1 + len(literals) // CARDS_A_STEP)
            self._solver.add_atmost(literals, number)

    def add_slot(self, domain: Sequence[str]) -> None:
        """A slot, with exactly one of these cards."""
        if len(domain) == 1:
            self._cards.append({domain[0]: TRUE})
            return
        self._budget.spend(len(domain) // CARDS_A_STEP)
        cards = {card: self.new_variable() for card in domain}
        self._cards.append(cards)
        self.add(*cards.values())
        self.at_most(list(cards.values()), 1)

    def order(self, slots: Sequence[int]) -> None:
        """Slots that are alike hold their cards in the order of the domain: any other order is the same deal."""
        for one, next_one in pairwise(slots):
            before = self._not_before(one)
            after = self._not_before(next_one)
            for mine, other in zip(before, after, strict=True):
                self.add(-mine, other)

    def _not_before(self, slot: int) -> list[int]:
        """By place in its domain, whether a slot holds this card or a later one."""
        known = self._places.get(slot)
        if known is None:
            cards = list(self._cards[slot].values())
            known = [TRUE, *[self.new_variable() for _ in cards[1:]]]
            for place, card in enumerate(cards):
                later = known[place + 1] if place + 1 < len(known) else FALSE
                self.add(-card, known[place])
                self.add(-card, -later)
                self.add(-known[place], card, *([later] if later != FALSE else []))
            self._places[slot] = known
        return known

    @cached_property
    def _places(self) -> dict[int, list[int]]:
        return {}

    def is_card(self, slot: int, card: str) -> int:
        """The literal that says that this card lies in the slot."""
        return self._cards[slot].get(card, FALSE)

    def domain(self, slot: int) -> Iterable[str]:
        """The cards that may lie in a slot."""
        return self._cards[slot]

    def any_of(self, literals: Iterable[int]) -> int:
        """The literal that says that at least one of these is true."""
        chosen = [literal for literal in dict.fromkeys(literals) if literal != FALSE]
        if TRUE in chosen:
            return TRUE
        if len(chosen) < 2:
            return chosen[0] if chosen else FALSE
        found = self.new_variable()
        self.add(-found, *chosen)
        for literal in chosen:
            self.add(-literal, found)
        return found

    def solve(self, assumed: Sequence[int] = ()) -> Solution | None:
        """One solution, if there is one; raises SearchGivenUpError if the solver gives up."""
        if FALSE in assumed:
            return None
        solver, budget = self._solver, self._budget
        budget.spend(1 + len(assumed) // VARIABLES_A_STEP)
        before = solver.accum_stats()["propagations"]
        solver.prop_budget(PROPAGATIONS_A_STEP * (budget.steps + 1))
        found = solver.solve_limited(assumptions=[a for a in assumed if a != TRUE])
        budget.spend((solver.accum_stats()["propagations"] - before) // PROPAGATIONS_A_STEP)
        if found is None:
            raise SearchGivenUpError
        if not found:
            return None
        budget.spend(self._variables // VARIABLES_A_STEP)
        true = {literal for literal in solver.get_model() if literal > 0}
        lying = [
            next(card for card, literal in cards.items() if literal in true)
            for cards in self._cards
        ]
        return Solution(lying, true)

    def close(self) -> None:
        """Free what the solver holds."""
        if "_solver" in self.__dict__:
            self._solver.delete()


class Counter:
    """How many of the first literals of a list are true: `reached(n, k)` says that k of the first n are.

    No more than `most` are ever true. The rows are made when they are asked for.
    """

    def __init__(self, clauses: SlotClauses, literals: Sequence[int], most: int) -> None:
        self._clauses, self._literals = clauses, literals
        self._most = min(most, sum(literal != FALSE for literal in literals))
        self._rows = [[TRUE] + [FALSE] * self._most]

    def reached(self, first: int, number: int) -> int:
        """The literal that says that at least so many of the first literals are true."""
        if number <= 0:
            return TRUE
        if number > self._most:
            return FALSE
        while len(self._rows) <= first:
            self._rows.append(self._next_row(self._literals[len(self._rows) - 1]))
        return self._rows[first][number]

    def _next_row(self, literal: int) -> list[int]:
        last = self._rows[-1]
        if literal == FALSE:
            return last
        return [TRUE, *[self._one_more(last, literal, k) for k in range(1, self._most + 1)]]

    def _one_more(self, last: list[int], literal: int, number: int) -> int:
        """Reached before, or reached all but one before and this one is true."""
        already, short = last[number], last[number - 1]
        if literal == TRUE or short == FALSE or already == TRUE:
            return short if literal == TRUE else already
        if already == FALSE and short == TRUE:
            return literal
        clauses = self._clauses
        found = clauses.new_variable()
        clauses.add(-already, found)
        clauses.add(-literal, -short, found)
        for needed in (literal, short):
            clauses.add(-found, *[one for one in (already, needed) if one != FALSE])
        return found
