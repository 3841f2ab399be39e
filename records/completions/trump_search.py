"""Examining the completions of one deal under one trump suit."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from records.completions.budget import (
    MOST_NUMBERS_COMPARED,
    STEPS_A_DEAL,
    STEPS_A_REPLAYED_EVENT,
    NoCompletionError,
    SearchBudget,
    SearchGivenUpError,
)
from records.completions.demands import Demand, add_hand_sizes, add_slots, find_demands
from records.completions.dependence import Dependence
from records.completions.guards import GuardEncoder, find_moments
from records.completions.holdings import Holdings
from records.completions.judging import CompletionJudge, CompletionVerdict
from records.completions.slot_clauses import SlotClauses, Solution
from records.completions.written_deal.deal_layout import DealLayout
from records.completions.written_deal.trick_writing import write_out
from records.completions.written_deal.zetema_writing import write_out_turns
from records.engine.deal import lay_out_deal
from records.events import CarteBlanche, Declare, Discard, Dix, Meld, Play, Score, Trick
from records.record import Deal
from records.rules.compiled import CompiledSheet
from records.validate.finding import Finding

COPY_EVENTS = (Meld, Declare, Dix, CarteBlanche, Discard)
COPY_PLAY_CODES = ("not-in-hand", "not-on-table")
"""The breaches that no guard foresees, because they depend on which copies are meant."""


@dataclass(slots=True)
class Examination:
    """The completions of a deal under one trump suit, and what was found among them.

    `given_up` says that not all were examined, `unwritten` that the deal could not be written out.
    `first_illegal` is the first event of the record found illegal in one of them, `refuted_at` the first
    that none makes legal (None for the deal itself). `numbers` are the mismatches of legal ones.
    """

    rules: CompiledSheet
    deal: Deal
    judge: CompletionJudge
    trump: str | None
    last_trump: str | None
    has_legal: bool = False
    has_illegal: bool = False
    given_up: bool = False
    numbers_unknown: bool = False
    unwritten: bool = False
    first_illegal: int | None = None
    refuted_at: int | None = None
    numbers: list[tuple[Finding, ...]] = field(default_factory=list)

    def run(self, names: list[str], budget: SearchBudget) -> None:
        """Examine as many completions as it takes, and no more than the budget allows."""
        clauses = SlotClauses(budget)
        try:
            budget.spend(STEPS_A_DEAL + STEPS_A_REPLAYED_EVENT * len(self.deal.events))
            self._examine(names, clauses, budget)
        except SearchGivenUpError:
            self.given_up = True
        except NoCompletionError:
            self.unwritten = True
        finally:
            clauses.close()

    def _examine(self, names: list[str], clauses: SlotClauses, budget: SearchBudget) -> None:
        rules = self.rules
        if rules.has_tableau:
            layout = write_out_turns(rules, self.deal, names)
        else:
            layout = write_out(rules, self.deal, names, self.trump, self.last_trump)
        self.given_up = layout.doubtful
        add_slots(layout, clauses)
        holdings = Holdings(layout, clauses, add_hand_sizes(layout, clauses))
        demands = find_demands(layout, clauses, holdings, from_hand=not rules.melds_captured)
        first = clauses.solve([demand.literal for demand in demands])
        if first is None:
            self.refuted_at = self._first_unmet_alone(layout, budget)
            return
        table = lay_out_deal(rules, layout.completed(first.cards), names)
        encoder = GuardEncoder(rules, layout, clauses, holdings, find_moments(table))
        dependence = Dependence(rules, layout, clauses, holdings, self.trump)
        search = _Questions(self, layout, clauses, demands, encoder.guards(), dependence)
        search.find_illegal()
        search.find_legal()
        if self.has_legal and not self.has_illegal and _claims_numbers(self.deal):
            search.compare_numbers(encoder.open_winners)
        if self.has_legal and not self.has_illegal:
            self.given_up = self.given_up or layout.narrowed

    def _first_unmet_alone(self, layout: DealLayout, budget: SearchBudget) -> int | None:
        """The event that no completion agrees with, without what follows from later ones."""
        clauses = SlotClauses(budget)
        try:
            add_slots(layout, clauses)
            holdings, from_hand = Holdings(layout, clauses, {}), not self.rules.melds_captured
            demands = find_demands(layout, clauses, holdings, from_hand=from_hand)
            return _first_unmet(clauses, layout, [], demands)
        finally:
            clauses.close()

    def note_illegal(self, event: int) -> None:
        """Some completion breaks a rule at this event of the record."""
        self.has_illegal = True
        self.first_illegal = min(event, event if self.first_illegal is None else self.first_illegal)


def _claims_numbers(deal: Deal) -> bool:
    return deal.claims is not None or any(
        isinstance(event, Score | Trick) or getattr(event, "points", None) is not None
        for event in deal.events
    )


def _first_unmet(
    clauses: SlotClauses, layout: DealLayout, given: list[int], demands: Sequence[Demand]
) -> int | None:
    """The event of the first demand that cannot be met beside those given and all before it; None for the deal."""
    low, high = 0, len(demands)
    while low < high:
        middle = (low + high) // 2
        if clauses.solve([*given, *[demand.literal for demand in demands[:middle]]]) is None:
            high = middle
        else:
            low = middle + 1
    position = -1 if low == 0 else demands[low - 1].position
    return None if position < 0 else layout.steps[position].index


class _Questions:
    """The questions asked of the solver about one deal written out."""

    def __init__(
        self,
        found: Examination,
        layout: DealLayout,
        clauses: SlotClauses,
        demands: list[Demand],
        guards: list[Demand],
        dependence: Dependence,
    ) -> None:
        self.found, self.layout, self.clauses = found, layout, clauses
        self.given = [demand.literal for demand in demands]
        self.guards = guards
        self.dependence = dependence
        self.all_foreseen, self.perhaps_legal = True, False

    def find_illegal(self) -> None:
        """Find a completion that breaks a guard, the first guard that any breaks."""
        kept = list(self.given)
        for guard in self.guards:
            solution = self.clauses.solve([*kept, -guard.literal])
            if solution is not None:
                self._judge(solution)
                if not self.found.has_illegal:
                    raise SearchGivenUpError
                return
            kept.append(guard.literal)

    def find_legal(self) -> None:
        """Find a legal completion; go on until there is an illegal one too, or none is left to examine."""
        found, examined = self.found, self.clauses.new_variable()
        while solution := self._solve(examined):
            verdict = self._judge(solution)
            if found.has_legal and found.has_illegal:
                return
            self._take_back(verdict, solution, examined)
        if not found.has_legal:
            found.refuted_at = _first_unmet(self.clauses, self.layout, self.given, self.guards)
            found.given_up = found.given_up or self.perhaps_legal
        else:
            found.given_up = found.given_up or self.perhaps_legal or not self.all_foreseen

    def compare_numbers(self, winners: list[int]) -> None:
        """Collect the mismatches of all legal completions that may differ in their numbers."""
        found = self.found
        if not self.dependence.depend_numbers(winners):
            return
        watched = self.dependence.number_slots(winners)
        examined = self.clauses.new_variable()
        try:
            for _ in range(MOST_NUMBERS_COMPARED):
                if (solution := self._solve(examined)) is None:
                    return
                self._judge(solution)
                flips = self.dependence.number_flips(solution.true, watched)
                self.clauses.add(-examined, *flips)
        except SearchGivenUpError:
            pass
        found.numbers_unknown = True

    def _solve(self, examined: int) -> Solution | None:
        guards = [guard.literal for guard in self.guards]
        return self.clauses.solve([*self.given, *guards, examined])

    def _judge(self, solution: Solution) -> CompletionVerdict:
        found = self.found
        verdict = found.judge.judge(self.layout, solution.cards)
        if verdict.legal and verdict.unsure:
            self.perhaps_legal = True
        elif verdict.legal:
            found.has_legal = True
            found.numbers.append(verdict.mismatches)
        elif verdict.code == "draw-out-of-turn" and self.layout.doubtful:
            # Its missing draw stands after the one written; had it been made before, this would be legal.
            self.perhaps_legal = True
        else:
            position = verdict.position or 0
            found.note_illegal(self.layout.steps[position].index if self.layout.steps else 0)
        return verdict

    def _take_back(self, verdict: CompletionVerdict, solution: Solution, examined: int) -> None:
        """Exclude a completion, and all that are judged like it."""
        position, clauses = verdict.position, self.clauses
        if verdict.legal:
            clauses.add(-examined, *self.dependence.legal_flips(solution.true))
            return
        active = clauses.new_variable()
        clauses.add(-active, *self._flips(verdict, solution))
        self.guards = sorted([*self.guards, Demand(-1 if position is None else position, active)])

    def _flips(self, verdict: CompletionVerdict, solution: Solution) -> list[int]:
        """The literals of which one differs in every completion that may not be illegal for the same cause."""
        position, dependence = verdict.position, self.dependence
        event = None if position is None else self.layout.steps[position].event
        if position is None or not (
            isinstance(event, COPY_EVENTS) or verdict.code in COPY_PLAY_CODES
        ):
            self.all_foreseen = False
            return dependence.all_flips(solution.cards)
        if isinstance(event, CarteBlanche):
            return []
        seat = event.seat if isinstance(event, Meld | Declare | Play) else None
        return dependence.illegal_flips(solution.true, position, seat)
