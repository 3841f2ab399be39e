"""Clauses for a SAT solver, each of which holds only while the variable `on` of its step is assumed."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import combinations, count
from typing import TYPE_CHECKING, NamedTuple

from records.engine.copies.history import CopyHistory, HistoryStep

if TYPE_CHECKING:
    from pysat.solvers import Minisat22

MAX_CONFLICTS = 20_000
"""So many dead ends a search meets before it gives up: about a second."""

CopyVariables = dict[str, list[int]]
"""By card, for every copy the seat ever had, the variable that says it was taken."""


class EncodedStep(NamedTuple):
    """A step as the solver knows it: the variable that makes its clauses hold, and those of its copies."""

    story: CopyHistory
    on: int
    took: CopyVariables

    @property
    def step(self) -> HistoryStep | None:
        """What happened."""
        return self.story.step

    def copy(self, card: str, number: int) -> Sequence[int]:
        """The variable that says that this copy was taken, if the seat had so many."""
        return self.took.get(card, [])[number : number + 1]


class Clauses:
    """What a solver knows; the solver is made when it is first told something."""

    def __init__(self) -> None:
        self._numbers = count(1)

    @cached_property
    def _solver(self) -> "Minisat22":
        from pysat.solvers import Minisat22  # few records need it

        return Minisat22()

    def fresh(self, number: int) -> list[int]:
        """So many new variables."""
        return [next(self._numbers) for _ in range(number)]

    def add(self, *clause: int) -> None:
        """One of these holds."""
        self._solver.add_clause(clause)

    def at_least(self, on: int, variables: Sequence[int], number: int) -> None:
        """Of these, at least so many are true."""
        for few in combinations(variables, max(0, len(variables) - number + 1)):
            self.add(-on, *few)

    def at_most(self, on: int, variables: Sequence[int], number: int) -> None:
        """Of these, no more than so many are true."""
        for many in combinations(variables, number + 1):
            self.add(-on, *[-one for one in many])

    def solve(self, assumed: Iterable[int]) -> set[int] | None:
        """What is true and what is not (negated) in some solution; nothing, if there is none; None: given up."""
        self._solver.conf_budget(MAX_CONFLICTS)
        found = self._solver.solve_limited(assumptions=list(assumed))
        if not found:
            return None if found is None else set()
        return set(self._solver.get_model())
