"""Which readings a history allows, where there are too many to list: asked of a SAT solver.

Copies of a card get numbers, and a variable says that a step took a certain copy. The clauses say how many
copies a step took, that a copy that was played is gone, from where a card was taken, and what the rule of
reuse demands (see `ReuseEncoder`). A solution is a choice of copies for every step, and so a reading.

A solver is needed because in four and six packs of Rubicon or Chinese Bezique a seat's readings go into millions, and
any of them may be the one that makes a later meld legal.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import combinations
from math import comb, prod
from typing import TYPE_CHECKING, NamedTuple

from records.engine import reuse
from records.engine.copies import (
    LAID_BIT,
    LITERALS_A_STEP,
    PROPAGATIONS_A_STEP,
    SEEN_BIT,
    STEPS_A_CONFLICT,
    VARIABLES_A_STEP,
    Reading,
    ReadingBudget,
    Readings,
    ReusePredicate,
    mark_after_scoring,
    mark_without_sets,
)
from records.engine.copy_history import (
    CopiesLying,
    CopiesMelded,
    CopyHistory,
    CopyLeft,
    HistorySearches,
    HistoryStep,
    MeldsTakenUp,
    attach_history,
)
from records.engine.readings import NOTHING_MARKED, allow_any_copies, allow_unmarked_copies
from records.engine.reuse import ReuseBits, ScoredSets
from records.rules.compiled import CompiledSheet

if TYPE_CHECKING:
    from pysat.solvers import Minisat22


# Clauses for a SAT solver; each holds only while the variable `active` of its step is assumed.
#
# This way one solver serves a history that branches: the clauses of a meld that was considered and not
# made stay in the solver, but nobody assumes its variable any more.

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


# What a rule of reuse demands of the copies that a meld takes, as clauses (R-RUB, R-PORT).
#
# The same laws as `reformed_after_leaving` and `reformed_after_play` in `records.engine.reuse`. Those ask whether a reading
# that is known allows a meld; this states what a reading must satisfy that is still sought. The two must
# agree: `tests/records/engine/test_history.py` compares them on whole games and damaged ones.

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


class SatSearch:
    """Searches the histories of one seat; `sets` are the bits that mark the sets scored, `budget` pays for it."""

    def __init__(self, sets: int, budget: ReadingBudget) -> None:
        self._sets = sets
        self._budget = budget
        self._clauses = Clauses()
        self._encoded: dict[CopyHistory, EncodedStep] = {}

    def __call__(self, history: CopyHistory) -> Readings | None:
        """One reading that the history allows: empty if there is none, None if the search was given up."""
        chain = self._chain(history)
        if chain is None:
            return None
        true = self._clauses.solve([earlier.active for earlier in chain], self._budget.left)
        self._pay()
        if not true:
            return None if true is None else ()
        return (_reading_of(chain, true, self._sets),)

    def _pay(self) -> None:
        self._budget.spend(self._clauses.cost)
        self._clauses.cost = 0

    def _chain(self, history: CopyHistory) -> list[EncodedStep] | None:
        """The steps of a history, the oldest first; each is encoded once, whatever branches off later.

        None where the budget does not suffice for all of them.
        """
        chain: list[EncodedStep] = []
        for part in reversed([*history.chain()]):
            if self._budget.is_spent:
                return None
            if part not in self._encoded:
                self._encoded[part] = self._encode(part, chain)
                self._pay()
            chain.append(self._encoded[part])
        return chain

    def _encode(self, history: CopyHistory, before: list[EncodedStep]) -> EncodedStep:
        now = EncodedStep(history, self._clauses.new_variables(1)[0], {})
        match history.step:
            case CopyLeft(card, held, where):
                self._take(now, card, 1, held, before)
                self._from(now, card, where, before)
            case CopiesMelded(wanted, held, _, allows):
                for (card, number), of_card in zip(wanted, held, strict=True):
                    self._take(now, card, number, of_card, before)
                if rule := constraint_of(allows):
                    ReuseEncoder(self._clauses, rule, self._sets, before).make(now)
            case CopiesLying():
                self._lie(now, history.step, before)
        return now

    def _take(
        self, now: EncodedStep, card: str, number: int, held: int, before: list[EncodedStep]
    ) -> None:
        """So many copies of a card are taken, none of which is gone.

        Copies that no step has touched yet are alike. They are taken in the order of their numbers, so that
        the solver does not search the same solution under other numbers.
        """
        touched = [earlier for earlier in before if card in earlier.copies]
        departures = [earlier for earlier in touched if isinstance(earlier.step, CopyLeft)]
        now.copies[card] = taken = self._clauses.new_variables(held + len(departures))
        self._clauses.at_least(now.active, taken, number)
        self._clauses.at_most(now.active, taken, number)
        for copy, mine in enumerate(taken):
            for departure in departures:
                for other in departure.copy(card, copy):
                    self._clauses.add(-now.active, -mine, -other)
            if copy:
                touched_before = [
                    v for earlier in touched for v in earlier.copies[card][copy - 1 : copy + 1]
                ]
                self._clauses.add(-now.active, -mine, taken[copy - 1], *touched_before)

    def _from(
        self, now: EncodedStep, card: str, where: str | None, before: list[EncodedStep]
    ) -> None:
        """The copy taken lies on the table, or in the hand, where the record says so."""
        for copy, mine in enumerate(now.copies[card]):
            laid = _laid(before, card, copy)
            if where == "table":
                self._clauses.add(-now.active, -mine, *laid)
            elif where == "hand":
                for other in laid:
                    self._clauses.add(-now.active, -mine, -other)

    def _lie(self, now: EncodedStep, question: CopiesLying, before: list[EncodedStep]) -> None:
        """At least, or at most, so many copies of a card lie on the table.

        A copy lies there if it was laid and has not left: `lying` is defined by clauses both ways.
        """
        card = question.card
        departures = [earlier for earlier in before if isinstance(earlier.step, CopyLeft)]
        number = max([len(earlier.copies.get(card, [])) for earlier in before], default=0)
        lying = self._clauses.new_variables(number)
        for copy, on_table in enumerate(lying):
            laid = _laid(before, card, copy)
            left = [other for earlier in departures for other in earlier.copy(card, copy)]
            self._clauses.add(-now.active, -on_table, *laid)
            for other in left:
                self._clauses.add(-now.active, -on_table, -other)
            for other in laid:
                self._clauses.add(-now.active, on_table, -other, *left)
        if question.at_least:
            self._clauses.at_least(now.active, lying, question.number)
        else:
            self._clauses.at_most(now.active, lying, question.number)


def _laid(before: list[EncodedStep], card: str, copy: int) -> list[int]:
    """The variables of this copy in the melds since the laid cards were last taken up."""
    laid: list[int] = []
    for earlier in before:
        if isinstance(earlier.step, MeldsTakenUp):
            laid.clear()
        elif isinstance(earlier.step, CopiesMelded):
            laid += earlier.copy(card, copy)
    return laid


def _reading_of(chain: Iterable[EncodedStep], true: set[int], sets: int) -> Reading:
    """The reading of a solution: its choice of copies played through, step by step, as `readings` would."""
    marks: dict[tuple[str, int], int] = {}
    for earlier in chain:
        taken = [
            (card, number) for card, number, variable in copies_taken(earlier) if variable in true
        ]
        if isinstance(earlier.step, CopiesMelded):
            for copy in taken:
                marks[copy] = mark_after_scoring(marks.get(copy, 0), earlier.step.bit)
        elif isinstance(earlier.step, CopyLeft):
            gone = sum([marks.pop(copy, 0) for copy in taken]) & sets
            marks = {copy: mark_without_sets(mark, gone, sets) for copy, mark in marks.items()}
        elif isinstance(earlier.step, MeldsTakenUp):
            marks = {copy: mark & ~(LAID_BIT | SEEN_BIT) for copy, mark in marks.items()}
    return tuple(sorted([(card, mark) for (card, _), mark in marks.items() if mark]))


def unmarked_readings(rules: CompiledSheet, seats: int, budget: ReadingBudget) -> list[Readings]:
    """What every seat's cards may be before any has been marked; with a history where the sheet's law asks for it.

    Replaying pays from the `budget`; whoever only looks at the table has another.
    """
    if not rules.keeps_history:
        return [NOTHING_MARKED] * seats
    sets, for_readers = rules.forgotten_bits, ReadingBudget()
    return [
        attach_history(
            NOTHING_MARKED,
            CopyHistory(
                HistorySearches(SatSearch(sets, budget), SatSearch(sets, for_readers), budget)
            ),
        )
        for _ in range(seats)
    ]
