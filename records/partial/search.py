"""The search: whether some completion of a partial deal is legal, whether some is not, and whether all were examined.

A solver proposes completions that agree with the record and, as far as literals can say it, with the rules; the replay
judges each. One that the replay finds illegal is taken back, with all that must be illegal for the same cause, and
the solver is asked again. If it has none left, no completion is legal.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from msgspec.structs import replace

from records.cards import SUITS
from records.engine.deal import lay_out_deal
from records.events import CarteBlanche, Declare, Discard, Dix, Meld, Play, Score, Trick
from records.partial.clauses import (
    Demand,
    Holdings,
    SlotClauses,
    Solution,
    add_hand_sizes,
    add_slots,
    find_demands,
)
from records.partial.conditions import Dependence, GuardEncoder, find_moments
from records.partial.written_deal import (
    MOST_NUMBERS_COMPARED,
    MOST_READINGS,
    STEPS_A_DEAL,
    STEPS_A_FINDING,
    STEPS_A_REPLAYED_EVENT,
    DealLayout,
    NoCompletionError,
    NoWayError,
    SearchBudget,
    SearchGivenUpError,
    deals_with_origins,
    write_out,
    write_out_turns,
)
from records.record import Deal, Record
from records.replay import Match, replay
from records.rules.compiled import CompiledSheet
from records.rules.vocabulary import TurnUp
from records.validate.finding import Finding

# Judging one completion: the ordinary replay of a deal in which every card is known.


class CompletionVerdict(NamedTuple):
    """What the replay says of a completion: the position and code of its first breach, or its mismatches.

    `unsure`: not every reading of the copies could be followed, so the verdict proves nothing.
    """

    position: int | None
    code: str
    mismatches: tuple[Finding, ...]
    unsure: bool

    @property
    def legal(self) -> bool:
        """Whether no rule is broken."""
        return not self.code


class CompletionJudge:
    """Replays the completions of one deal of a record, with the scores that the deals before it came to."""

    def __init__(self, record: Record, match: Match, number: int, budget: SearchBudget) -> None:
        self._record = replace(record, deals=[], result=None, notes=None, lines=None)
        self._match, self._number, self._budget = match, number, budget

    def judge(self, layout: DealLayout, cards: list[str]) -> CompletionVerdict:
        """The verdict on the deal with these cards in its slots."""
        self._budget.spend(STEPS_A_DEAL + STEPS_A_REPLAYED_EVENT * len(layout.steps))
        record = replace(self._record, deals=[layout.completed(cards)])
        match = Match(record, self._match.resolved, budget=self._match.reading_budget)
        scores = self._match.scores
        match.scores = None if scores is None else list(scores)
        mismatches, unsure = [], False
        for frame in replay(record, match=match, findings_only=True):
            self._budget.spend(STEPS_A_FINDING * len(frame.findings))
            for finding in frame.findings:
                if finding.severity == "illegal":
                    return CompletionVerdict(finding.at.event, finding.code, (), unsure)
                if finding.severity == "mismatch":
                    mismatches.append(self._in_record(layout, finding))
            tracking = frame.table.tracking
            if tracking.largest > MOST_READINGS:
                raise SearchGivenUpError
            unsure = tracking.exhausted or frame.table.knowledge.uncertain
        return CompletionVerdict(None, "", tuple(mismatches), unsure)

    def _in_record(self, layout: DealLayout, finding: Finding) -> Finding:
        """A finding at its place in the record, where the draws that it leaves out are not counted."""
        at, deal = finding.at, f"/deals/{self._number}"
        event = None if at.event is None else layout.steps[at.event].index
        rest = at.pointer.removeprefix("/deals/0")
        if event is not None:
            rest = f"/events/{event}" + rest.removeprefix(f"/events/{at.event}")
        return replace(finding, at=replace(at, deal=self._number, event=event, pointer=deal + rest))


# Examining the completions of one deal under one trump suit.

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


SearchOutcome = Literal["illegal", "open", "legal", "given-up", "unsearched", "more-players"]


@dataclass(slots=True)
class CompletionSearchResult:
    """What is so of the completions of a deal.

    `illegal`: there is no legal one. `open`: there are legal ones and illegal ones. `legal`: all are legal.
    `given-up`: not all could be examined. `unsearched`: at this level of knowledge, none was. `more-players`: none
    was, as tricks have more than two cards. `event` is the first that no completion makes legal, None for the deal itself; or the first found that is open.
    `mismatches` are those of every legal completion; `numbers_open` says that others depend on the
    completion.
    """

    outcome: SearchOutcome
    event: int | None = None
    mismatches: tuple[Finding, ...] = ()
    numbers_open: bool = False


def search_completions(
    record: Record, match: Match, number: int, last_trump: str | None, budget: SearchBudget
) -> CompletionSearchResult:
    """Search the completions of one partial deal that was replayed; `last_trump` is the trump suit at its end."""
    deal, rules = record.deals[number], match.rules
    if deal.knowledge == "plays":
        return CompletionSearchResult("unsearched")
    if len(match.names) > 2 and not rules.has_tableau:
        return CompletionSearchResult("more-players")
    judge = CompletionJudge(record, match, number, budget)
    try:
        branches = _branches(match, deal, budget)
    except SearchGivenUpError:
        return CompletionSearchResult("given-up")
    except NoWayError as refuted:
        return CompletionSearchResult("illegal", refuted.args[0])
    found: list[Examination] = []
    for trump, branch in branches:
        examination = Examination(rules, branch, judge, trump, last_trump)
        found.append(examination)
        examination.run(match.names, budget)
        if examination.given_up or _is_open(found):
            break
    if rules.has_tableau and len(branches) > 1:
        # An origin that no completion makes legal is a wrong reading of the record, not a way to fill it in.
        found = [one for one in found if one.has_legal or one.given_up] or found
    elif any(one.unwritten for one in found):
        return CompletionSearchResult("given-up")
    return _result(found)


def _branches(match: Match, deal: Deal, budget: SearchBudget) -> list[tuple[str | None, Deal]]:
    """The deal with each trump suit that the turn-up leaves open, or each origin of the cards of marriages."""
    rules = match.rules
    if rules.has_tableau:
        return [(None, way) for way in deals_with_origins(rules, deal, match.names, budget)]
    if not isinstance(rules.written.trumps, TurnUp):
        return [(None, deal)]
    setup = deal.setup
    if setup is None:
        turn_up = deal.turn_up or "??"
        suits = turn_up[1] if turn_up[1] != "?" else SUITS
        return [(suit, deal) for suit in suits]
    known = setup.trump or (setup.turn_up or "??")[1]
    if known != "?":
        return [(known, deal)]
    return [(suit, replace(deal, setup=replace(setup, trump=suit))) for suit in SUITS]


def _is_open(found: Iterable[Examination]) -> bool:
    found = list(found)
    return any(one.has_legal for one in found) and any(one.has_illegal for one in found)


def _result(found: list[Examination]) -> CompletionSearchResult:
    first_open = min(
        (one.first_illegal for one in found if one.first_illegal is not None), default=None
    )
    if _is_open(found):
        return CompletionSearchResult("open", first_open)
    if any(one.given_up for one in found):
        return CompletionSearchResult("given-up")
    if not any(one.has_legal for one in found):
        # Each suit has its own first event; the last of them is where the last suit is refuted.
        events = [-1 if one.refuted_at is None else one.refuted_at for one in found]
        last = max(events)
        return CompletionSearchResult("illegal", None if last < 0 else last)
    numbers = [mismatches for one in found for mismatches in one.numbers]
    in_each = [{(finding.code, finding.at) for finding in mismatches} for mismatches in numbers]
    in_all = set.intersection(*in_each)
    common = [finding for finding in numbers[0] if (finding.code, finding.at) in in_all]
    opens = any(one.numbers_unknown for one in found) or any(each - in_all for each in in_each)
    return CompletionSearchResult("legal", None, tuple(common), opens)
