"""Which readings a history allows, where there are too many to list: asked of a SAT solver.

Copies of a card get numbers, and a variable says that a step took a certain copy. The clauses say how many
copies a step took, that a copy that was played is gone, from where a card was taken, and what the rule of
reuse demands (see `reuse_demands`). A solution is a choice of copies for every step, and so a reading.

A solver is needed because in four and six packs of Rubicon or Chinese Bezique a seat's readings go into millions, and
any of them may be the one that makes a later meld legal.
"""

from collections.abc import Iterable

from records.engine.copies.history import (
    CopiesLying,
    CopiesMelded,
    CopyHistory,
    CopyLeft,
    HistorySearches,
    MeldsTakenUp,
    attach_history,
)
from records.engine.copies.marks import (
    LAID_BIT,
    SEEN_BIT,
    Reading,
    Readings,
    mark_after_scoring,
    mark_without_sets,
)
from records.engine.copies.reading_budget import ReadingBudget
from records.engine.copies.readings import NOTHING_MARKED
from records.engine.copies.sat.copy_clauses import Clauses, EncodedStep
from records.engine.copies.sat.reuse_demands import ReuseEncoder, constraint_of, copies_taken
from records.rules.compiled import CompiledSheet


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
