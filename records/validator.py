"""Bytes in, report out: decode, replay, reconcile, and give a verdict."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec.structs import replace

from records.engine.copies import MOST_READING_STEPS, ReadingBudget
from records.engine.table import Table, TableStep
from records.errors import RulesError
from records.format import codec
from records.format.files import Entry, read_entries
from records.partial.record_search import RecordSearch
from records.partial.written_deal import MOST_STEPS, SearchBudget
from records.proposed_lines import check_lines
from records.record import Record, Result, is_claimed_over
from records.replay import Frame, Match, MatchOutcome, replay
from records.rules.registry import ResolvedSheet, resolve_rules
from records.rules.vocabulary import RaceTo
from records.validate.breach import Breach
from records.validate.check_deals import certain_scores
from records.validate.check_players import check_players
from records.validate.check_scores import ComputedResult, check_game
from records.validate.codes import FINDING_CODES
from records.validate.dispatch import DEAL_STOPPING_CODES
from records.validate.finding import (
    CUT_SHORT_CLAUSE,
    Cause,
    Finding,
    Place,
    RequestBudget,
    StepBudget,
    choose_verdict,
)
from records.validate.opening import Opening, opening_of
from records.validate.report import Assignments, Claim, ClaimStatus, Report, ResolvedRules

JUDGEMENT_VERSION = 13
"""The number of the judgement: raised whenever some record may get another verdict, other findings or another digest.

Databases note it; one with a lower number is judged again by `bezique upgrade`.
"""
EVENTS_PER_CLAIM_BLOCK = 256
"""The claims that name a trick's winner rightly are made for so many events at a time."""
DEALS_SHARED, MOST_BLOCKS_SHARED = 8, 4
"""A later deal, or one with more blocks of events, gets claims of its own, so that not much is kept."""
COST_CLAUSES = ("search", CUT_SHORT_CLAUSE)
"""A deal that is open for one of these reasons shows everything that matters; only searching it would cost too much."""


def check(
    data: bytes,
    *,
    line: int | None = None,
    strict: bool = True,
    identify: bool = False,
    budget: RequestBudget | None = None,
) -> Report:
    """The report on one record as bytes, with its digest if asked to `identify` it.

    What it costs is taken from the `budget` of a request, if there is one, and never changes the report. Never raises
    for what the bytes hold.
    """
    decoded = codec.decode(data, line=line, strict=strict)
    if decoded.record is None:
        report = Report(verdict="unreadable", line=line, findings=decoded.findings)
    else:
        report = check_record(decoded.record, line=line, budget=budget)
        if identify:
            report.digest = decoded.digest()
        report.put_first(decoded.findings)
    if budget is not None:
        budget.pay_for_reading(len(data), report.events, len(report.findings))
        budget.pay_for_sheet(decoded.sheet_read(data))
    return report


def check_path(
    source: Path | BinaryIO, *, strict: bool = True, identify: bool = False
) -> Iterator[Report]:
    """The reports on all records of a file, in order; a damaged line is a report of its own."""
    for entry in read_entries(source):
        yield check_entry(entry, strict=strict, identify=identify)


def check_entry(
    entry: Entry,
    *,
    strict: bool = True,
    identify: bool = False,
    budget: RequestBudget | None = None,
) -> Report:
    """The report on one entry of a file, as `check` makes it, with the remarks on how the file was read."""
    if entry.findings:
        findings = entry.findings + entry.notes
        return Report(verdict="unreadable", line=entry.line, findings=findings)
    report = check(entry.data, line=entry.line, strict=strict, identify=identify, budget=budget)
    report.put_first(entry.notes)
    return report


def check_record(
    record: Record, *, line: int | None = None, budget: StepBudget | None = None
) -> Report:
    """The report on one record; what it costs to search is taken from the `budget`, if there is one."""
    validator = Validator(record, line=line, budget=budget)
    if validator.match is not None:
        for frame in replay(record, match=validator.match, findings_only=True, few_readings=True):
            validator.see(frame)
    return validator.report()


class Validator:
    """Reads the frames of one record and makes its report; others may read the same frames beside it.

    `match` is None where the record's rules cannot be resolved; then there is nothing to replay. Without
    `reconcile` the report does not list the numbers claimed beside those computed. A `budget` is shared with other
    variants of the record.
    """

    def __init__(
        self,
        record: Record,
        *,
        line: int | None = None,
        reconcile: bool = True,
        budget: StepBudget | None = None,
    ) -> None:
        self._budget = budget or StepBudget()
        steps = self._budget.allowance
        self.record = record
        self.line = line
        self.reconcile = reconcile
        self.findings: list[Finding] = []
        self.claims: list[Claim] = []
        self._found_before = 0
        self.openings: list[Opening] = []
        self.known = True
        self.assignments = Assignments()
        self._completions = RecordSearch(record, SearchBudget(min(steps, MOST_STEPS)))
        self.resolved: ResolvedSheet | None = None
        self.match: Match | None = None
        try:
            self.resolved = resolve_rules(record.rules)
        except RulesError as error:
            self.findings.append(_rules_finding(error, line))
            return
        players = check_players(record, self.resolved.sheet, line)
        if players is not None:
            self.findings.append(players)
            return
        readings = ReadingBudget(min(steps, MOST_READING_STEPS))
        self.match = Match(record, self.resolved, budget=readings)

    def see(self, frame: Frame) -> None:
        """Take in one frame, in order."""
        if frame.findings:
            self.findings += frame.findings
        if frame.event is None and frame.index >= 0:
            self._end_deal(frame)
        if frame.event is not None and any(
            finding.code in DEAL_STOPPING_CODES for finding in frame.findings
        ):
            self._end_deal(frame, stopped=True)

    def _add(self, what: str, pointer: str, claimed: Any, computed: Any) -> None:
        equal = claimed is not None and claimed == computed
        status: ClaimStatus = "equal" if equal else _status(claimed, computed)
        self.claims.append(Claim(what, pointer, claimed, computed, status))

    def _end_deal(self, frame: Frame, *, stopped: bool = False) -> None:
        table, deal = frame.table, self.record.deals[frame.deal]
        if self.reconcile:
            self._event_claims(frame.deal, table)
        knowledge = table.knowledge
        may_be_open = knowledge.uncertain or table.tracking.exhausted
        # A deal that stopped is not open for what it hides, but for what cannot have happened.
        if may_be_open and not (stopped and knowledge.open_since == frame.index):
            opening = opening_of(frame.deal, deal, table)
            self.known = self.known and (opening is None or opening.clause in COST_CLAUSES)
            if opening and knowledge.partial and not frame.tainted:
                opening = self._search(frame, opening)
            self.openings += [opening] if opening else []
        self._found_before = len(self.findings)
        self.assignments.largest = max(self.assignments.largest, table.tracking.largest)
        self.assignments.final = table.assignments
        self.assignments.capped = self.assignments.capped or table.tracking.incomplete
        over = table.step is TableStep.OVER or table.misdealt
        if self.reconcile and (over or table.are_points_open):
            self._deal_claims(frame.deal, table)

    def _search(self, frame: Frame, opening: Opening) -> Opening | None:
        """What leaves a partial deal open when its completions have been searched."""
        if self.match is None or frame.table.knowledge.scores_only:
            return opening
        found = self._completions.conclude(
            self.match, frame.deal, frame.table, self.findings[self._found_before :]
        )
        self.findings += found.findings
        if not found.is_open:
            return None
        return opening if found.event is None else opening._replace(event=found.event)

    def spend_budget(self) -> None:
        """Take what has been searched from the budget, once; `report` does it, too."""
        if self.match is not None:
            self._budget.spend(self.match.reading_budget.spent)
            self._budget.spend(self.match.few_readings_budget.spent)
        self._budget.spend(self._completions.budget.spent)

    def _event_claims(self, number: int, table: Table) -> None:
        at = f"/deals/{number}/events/"
        events: list[Any] = table.events
        winners, blocks = table.claims.winners_agreed, -(-len(events) // EVENTS_PER_CLAIM_BLOCK)
        # Many records name no winners, and Zetema has no tricks.
        if winners and number < DEALS_SHARED and blocks <= MOST_BLOCKS_SHARED:
            agreed = [_shared_claims(number, blocks, seat) for seat in range(table.seats)]
            self.claims += [agreed[events[i].winner][i] for i in winners]
        else:
            self.claims += [_claim_agreed(number, i, events[i].winner) for i in winners]
        self.claims += [
            Claim("trick", f"{at}{i}/winner", claimed, computed, _status(claimed, computed))
            for i, claimed, computed in table.claims.winners_disputed
        ]
        self.claims += [
            # Most claims are right: a call of `_status` for each would take longer than all the rest.
            Claim(
                what,
                f"{at}{i}/points",
                claimed,
                computed,
                "equal" if claimed == computed else _status(claimed, computed),
            )
            for i, what, claimed, computed in table.claims.points
        ]

    def _deal_claims(self, number: int, table: Table) -> None:
        pointer, said, knowledge = f"/deals/{number}", table.claims.scores, table.knowledge
        partial = knowledge.partial or knowledge.uncertain
        points_open = partial and table.are_points_open
        for seat, claimed in enumerate(table.claims.brisques):
            if (seat, "brisques") in said:
                taken = table.earned.get((seat, "brisques"), 0)
                is_open = knowledge.brisques_open or points_open
                self._add("brisques", pointer, claimed, None if is_open else taken)
        for due, points in table.earned.items():
            if due in said or due[1] in knowledge.bonuses_open:
                continue
            if not (points_open and due[1] == "brisques"):
                self.claims.append(Claim(due[1], pointer, None, points, "unclaimed"))
        claims = self.record.deals[number].claims
        sides = self.match.sides if self.match else []
        stated = claims.scores if claims else None
        computed = certain_scores(table, sides, stated)
        place = pointer if stated is None else f"{pointer}/claims/scores"
        self._add("deal scores", place, stated, computed)

    def report(self) -> Report:
        """The report, once every frame has been seen."""
        if self.match is None or self.resolved is None:
            return Report(verdict="unreadable", line=self.line, findings=self.findings)
        self._settle(self.match)
        if self.record.lines:
            self.findings += check_lines(self.record, self.match)
        self.spend_budget()
        finished = self._is_finished(self.match)
        only_result = finished and not self.record.deals
        verdict = choose_verdict(
            {finding.severity for finding in self.findings},
            undetermined=bool(self.openings) or only_result,
            finished=finished,
        )
        # Added after the verdict is chosen: the note explains the verdict and must not change it.
        if verdict != "illegal" and self.openings:
            self.findings.append(self.openings[0].note())
        elif verdict != "illegal" and only_result:
            self.findings.append(_note("undetermined", "no-deals"))
        elif verdict != "illegal" and not finished:
            self.findings.append(_note("unfinished"))
        self._explain_claims()
        if self.line is not None:
            self.findings = [finding.on_line(self.line) for finding in self.findings]
        scores: list[int | None] = [None] * len(self.match.sides)
        if self.match.scores is not None:
            scores = list(self.match.scores)
        return Report(
            verdict=verdict,
            finished=finished,
            known=self.known and not only_result,
            line=self.line,
            rules=_resolved_rules(self.resolved),
            scores=scores,
            settlement=self.match.settlement,
            winner=self.match.winner,
            deals=len(self.record.deals),
            events=sum([len(deal.events) for deal in self.record.deals]),
            assignments=self.assignments,
            findings=self.findings,
            reconciliation=self.claims,
        )

    def _explain_claims(self) -> None:
        """Let every wrong claim name what it follows from, as the finding on it does, or the breach of its event."""
        # A wrong claim follows from a finding, and in most records nothing is found.
        if not self.findings:
            return
        wrong = [claim for claim in self.claims if claim.status == "differs"]
        if not wrong:
            return
        causes: dict[str, Cause | None] = {}
        for finding in self.findings:
            pointer = finding.at.pointer
            own = Cause(code=finding.code, pointer=pointer)
            causes.setdefault(pointer, finding.because_of)
            if finding.severity == "illegal":
                causes.setdefault(pointer + "/points", finding.because_of or own)
        for claim in wrong:
            claim.because_of = causes.get(claim.pointer)

    def _is_finished(self, match: Match) -> bool:
        """Whether the match was played to its end; as the record says, if its numbers do not tell."""
        result = self.record.result
        if match.complete or result is None or (match.is_end_known and self.record.deals):
            return match.complete
        if self._judges_by_result(match) and not self._outcomes_of_result(match):
            return False
        return is_claimed_over(result)

    def _settle(self, match: Match) -> None:
        """Compare what the record says of the whole game."""
        if self.reconcile:
            self._game_claims(match)
        found = check_game(self.record.result, self._computed_result(match))
        if found:
            self.findings += self._explained([_game_finding(breach, match) for breach in found])

    def _computed_result(self, match: Match) -> ComputedResult:
        """What the result is held against: the cards, or the claims for the deals, or itself."""
        outcomes, by_scores = match.outcomes, self._judges_by_result(match)
        has_deals = bool(self.record.deals)
        complete = match.complete if match.is_end_known and has_deals else None
        if by_scores:
            outcomes = self._outcomes_of_result(match)
            ends = bool(outcomes) or not isinstance(match.resolved.sheet.rules.match, RaceTo)
            complete = complete if ends else False
        return ComputedResult(
            match.tally
            if has_deals and match.is_tally_final and (match.complete or not match.open)
            else None,
            [outcome.settlement for outcome in outcomes if outcome.settlement is not None],
            [outcome.winner for outcome in outcomes],
            complete=complete,
            settles=not isinstance(match.resolved.sheet.rules.match, RaceTo),
            possible=match.possible if by_scores or not match.open else None,
            by_scores=by_scores,
            by_itself=not by_scores and self._judges_by_itself(match),
        )

    def _judges_by_result(self, match: Match) -> bool:
        """Whether only the result tells the totals of a match that it says was played to its end."""
        result = self.record.result
        return result is not None and result.scores is not None and self._judges_by_itself(match)

    def _judges_by_itself(self, match: Match) -> bool:
        """Whether the deals leave open what a match came to that the result says was played to its end."""
        if match.tainted or match.outcomes:
            return False
        ends = match.complete or not match.is_end_known
        open_ = (match.tally is None and ends) or not self.record.deals
        return open_ and is_claimed_over(self.record.result)

    def _outcomes_of_result(self, match: Match) -> list[MatchOutcome]:
        result = self.record.result
        scores = result.scores if result is not None else None
        return match.outcomes_of(scores) if scores and len(scores) == len(match.sides) else []

    def _explained(self, found: list[Finding]) -> list[Finding]:
        """Findings on the whole game, with what they follow from: scores counted differently in the deals."""
        match, result = self.match, self.record.result
        if match is None or result is None:
            return found
        believed = match.believed
        root = match.differences[0].cause if match.differences else None
        explained = []
        for finding in found:
            if finding.code == "wrong-result-scores":
                if result.scores != believed:
                    root = Cause(code=finding.code, pointer=finding.at.pointer)
                    believed = result.scores
                else:
                    finding = replace(finding, because_of=root)
            elif believed is not None and _agrees(result, match.outcomes_of(believed), finding):
                finding = replace(finding, because_of=root)
            explained.append(finding)
        return explained

    def _game_claims(self, match: Match) -> None:
        result = self.record.result
        if result is None:
            self._add("result", "/result", None, match.scores)
            return
        if result.scores is not None and (match.complete or not match.open or match.tally is None):
            self._add("result scores", "/result/scores", result.scores, match.tally)
        if match.complete:
            settlements = [outcome.settlement for outcome in match.outcomes]
            if result.settlement is not None and None not in settlements:
                self._add_outcome(
                    "settlement", "/result/settlement", result.settlement, settlements
                )
            if result.winner is not msgspec.UNSET:
                winners = [outcome.winner for outcome in match.outcomes]
                self._add_outcome("winner", "/result/winner", result.winner, winners)
        if result.status is not None and match.is_end_known:
            unfinished = "unfinished" if result.status == "complete" else result.status
            status = "complete" if match.complete else unfinished
            self._add("status", "/result/status", result.status, status)

    def _add_outcome(self, what: str, pointer: str, claimed: Any, possible: Sequence[Any]) -> None:
        """Compare a part of the outcome with those that are possible; null is a value here, too."""
        only = possible[0] if possible else None
        agrees = claimed in possible
        if agrees and all(other == claimed for other in possible):
            self.claims.append(Claim(what, pointer, claimed, claimed, "equal"))
        elif agrees or not possible:
            self.claims.append(Claim(what, pointer, claimed, None, "open"))
        else:
            self.claims.append(Claim(what, pointer, claimed, only, "differs"))


def _agrees(result: Result, outcomes: list[MatchOutcome], finding: Finding) -> bool:
    """Whether what a finding calls wrong would be right if the match might have ended in these ways."""
    match finding.code:
        case "wrong-winner":
            return result.winner in [outcome.winner for outcome in outcomes]
        case "wrong-settlement":
            return result.settlement in [outcome.settlement for outcome in outcomes]
        case "wrong-status":
            return (result.status == "complete") == bool(outcomes)
        case _:
            return False


def _status(claimed: Any, computed: Any) -> ClaimStatus:
    """How a claim stands beside a value that is None where it is open."""
    if computed is None:
        return "open"
    if claimed is None:
        return "unclaimed"
    return "equal" if claimed == computed else "differs"


def _claim_agreed(deal: int, event: int, winner: int) -> Claim:
    """What an event says if it names this winner rightly."""
    return Claim("trick", f"/deals/{deal}/events/{event}/winner", winner, winner, "equal")


@lru_cache(maxsize=32)
def _shared_claims(deal: int, blocks: int, winner: int) -> list[Claim]:
    """What each event says if it names this winner rightly, in a deal of at most so many blocks of events.

    Most claims are these, so all records share them. Nothing changes a claim that is right.
    """
    events = range(EVENTS_PER_CLAIM_BLOCK * blocks)
    return [_claim_agreed(deal, event, winner) for event in events]


def _resolved_rules(resolved: ResolvedSheet) -> ResolvedRules:
    sheet = resolved.sheet
    return ResolvedRules(id=sheet.id, edition=sheet.edition, options=dict(resolved.options))


def _rules_finding(error: RulesError, line: int | None) -> Finding:
    return Finding(
        code=error.code,
        severity="unreadable",
        at=Place(pointer=error.pointer, line=line),
        message=str(error),
        found=error.found,
        candidates=error.candidates,
    )


def _note(code: str, clause: str = "") -> Finding:
    return FINDING_CODES[code].finding(Place(), clause)


def _game_finding(breach: Breach, match: Match) -> Finding:
    code = breach.code
    return Finding(
        code=code,
        severity=FINDING_CODES[code].severity,
        at=Place(pointer=breach.pointer, seat=breach.seat),
        message=breach.message,
        clause=breach.clause,
        rule=f"{match.resolved.sheet.id}/{FINDING_CODES[code].article}",
        expected=breach.expected,
        found=breach.found,
    )
