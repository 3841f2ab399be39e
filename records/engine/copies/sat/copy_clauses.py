"""Clauses for a SAT solver; each holds only while the variable `active` of its step is assumed.

This way one solver serves a history that branches: the clauses of a meld that was considered and not
made stay in the solver, but nobody assumes its variable any more.
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, NamedTuple

from records.engine.copies.history import CopyHistory, HistoryStep
from records.engine.copies.reading_budget import (
    LITERALS_A_STEP,
    PROPAGATIONS_A_STEP,
    STEPS_A_CONFLICT,
    VARIABLES_A_STEP,
)

if TYPE_CHECKING:
    from pysat.solvers import Minisat22

MOST_SUBSETS_LISTED = 64
"""A number of copies is demanded by a clause for every subset while so few suffice: of six copies there are twenty."""
CopyVariables = dict[str, list[int]]
"""By card, a variable for every copy the seat ever had: true if the step took that copy."""


class EncodedStep(NamedTuple):
    """A step as the solver knows it: the variable `active` that makes its clauses hold, and those of its copies."""

    history: CopyHistory
    active: int
    copies: CopyVariables

    @property
    def step(self) -> HistoryStep | None:
        """What happened."""
        return self.history.step

    def copy(self, card: str, number: int) -> Sequence[int]:
        """The variable of this copy, in a list that is empty if the seat did not have so many."""
        return self.copies.get(card, [])[number : number + 1]


class Clauses:
    """A solver and its variables; it is made when the first clause is added, since few records need one.

    `cost` counts the steps that clauses and searches have taken and that nobody has paid for yet.
    """

    def __init__(self) -> None:
        self._last_variable = 0
        self.cost = 0

    @cached_property
    def _solver(self) -> "Minisat22":
        from pysat.solvers import Minisat22  # imported late: it takes time, and few records need it

        return Minisat22()

    def new_variables(self, number: int) -> list[int]:
        """So many new variables."""
        first = self._last_variable + 1
        self._last_variable += number
        return list(range(first, self._last_variable + 1))

    def add(self, *clause: int) -> None:
        """At least one of these literals is true."""
        self.cost += 1 + len(clause) // LITERALS_A_STEP
        self._solver.add_clause(clause)

    def at_least(self, active: int, variables: Sequence[int], number: int) -> None:
        """While `active`, at least so many of these are true."""
        if number > 0:
            self.at_most(active, [-variable for variable in variables], len(variables) - number)

    def at_most(self, active: int, literals: Sequence[int], number: int) -> None:
        """While `active`, at most so many of these are true."""
        if number < 0:
            self.add(-active)
        elif comb(len(literals), number + 1) <= MOST_SUBSETS_LISTED:
            # Of any subset that is larger by one, some is false. Seats have few copies, so there are few subsets.
            for subset in combinations(literals, number + 1):
                self.add(-active, *[-literal for literal in subset])
        else:
            self._count(active, literals, number)

    def _count(self, active: int, literals: Sequence[int], number: int) -> None:
        """The same by a network that sorts the literals: it grows little faster than their number."""
        from pysat.card import CardEnc, EncType  # imported late, as the solver is

        encoded = CardEnc.atmost(
            list(literals), number, top_id=self._last_variable, encoding=EncType.cardnetwrk
        )
        self._last_variable = max(self._last_variable, encoded.nv)
        for clause in encoded.clauses:
            self.add(-active, *clause)

    def solve(self, assumed: Sequence[int], most_steps: int) -> set[int] | None:
        """The literals of one solution; empty if there is none, None if the search took more steps than allowed."""
        solver = self._solver
        before = solver.accum_stats()
        solver.conf_budget(1 + most_steps // STEPS_A_CONFLICT)
        solver.prop_budget(1 + most_steps * PROPAGATIONS_A_STEP)
        found = solver.solve_limited(assumptions=assumed)
        after = solver.accum_stats()
        conflicts, propagations = (after[of] - before[of] for of in ("conflicts", "propagations"))
        self.cost += conflicts * STEPS_A_CONFLICT + propagations // PROPAGATIONS_A_STEP
        if not found:
            return None if found is None else set()
        model = solver.get_model()
        self.cost += len(model) // VARIABLES_A_STEP
        return set(model)
