"""Bytes in, report out: decode, replay, reconcile, and give a verdict."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec.structs import replace

from records import codec
from records.engine.table import Table, TableStep
from records.errors import RulesError
from records.phrases import join_words
from records.proposed_lines import check_lines
from records.record import Record
from records.replay import Frame, Match, replay
from records.rules.registry import ResolvedSheet, resolve_sheet
from records.rules.vocabulary import RaceTo
from records.validate.breach import Breach
from records.validate.checks.deals import side_scores
from records.validate.checks.games import ComputedResult, check_game
from records.validate.codes.all_codes import FINDING_CODES
from records.validate.dispatch import DEAL_STOPPING_CODES
from records.validate.finding import Finding, Place
from records.validate.report import Assignments, Claim, Report, ResolvedRules
from records.validate.verdict import choose_verdict

EVENTS_PER_POINTER_BLOCK = 256
"""Pointers are made for so many events at a time."""


def check(
    data: bytes, *, line: int | None = None, strict: bool = True, identify: bool = False
) -> Report:
    """The report on one record as bytes, with its digest if asked to `identify` it.

    Never raises for what the bytes hold.
    """
    decoded = codec.decode(data, line=line, strict=strict)
    if decoded.record is None:
        return Report(verdict="unreadable", line=line, findings=decoded.findings)
    report = check_record(decoded.record, line=line)
    if identify:
        report.digest = decoded.digest()
    report.findings = [*decoded.findings, *report.findings]
    return report


def check_path(
    source: Path | BinaryIO, *, strict: bool = True, identify: bool = False
) -> Iterator[Report]:
    """The reports on all records of a file, in order; a damaged line is a report of its own."""
    for entry in codec.read_entries(source):
        if entry.findings:
            yield Report(verdict="unreadable", line=entry.line, findings=entry.findings)
        else:
            yield check(entry.data, line=entry.line, strict=strict, identify=identify)


def check_record(record: Record, *, line: int | None = None) -> Report:
    """The report on one record."""
    validator = Validator(record, line=line)
    if validator.match is not None:
        for frame in replay(record, match=validator.match, only=()):
            validator.see(frame)
    return validator.report()


class Validator:
    """Reads the frames of one record and makes its report; others may read the same frames beside it.

    `match` is None where the record's rules cannot be resolved; then there is nothing to replay. Without
    `reconcile` the report does not list the numbers claimed beside those computed.
    """

    def __init__(self, record: Record, *, line: int | None = None, reconcile: bool = True) -> None:
        self.record = record
        self.line = line
        self.reconcile = reconcile
        self.findings: list[Finding] = []
        self.claims: list[Claim] = []
        self.events = 0
        self.undetermined = False
        self.unfinished = False
        self.assignments = Assignments()
        self.resolved: ResolvedSheet | None = None
        self.match: Match | None = None
        rules = record.rules
        try:
            self.resolved = resolve_sheet(rules.id, rules.edition, rules.options)
        except RulesError as error:
            self.findings.append(_rules_finding(error, line))
            return
        players = _wrong_players(record, self.resolved, line)
        if players is not None:
            self.findings.append(players)
            return
        self.match = Match(record, self.resolved)

    def see(self, frame: Frame) -> None:
        """Take in one frame, in order."""
        if frame.findings:
            self.findings += frame.findings
        if frame.event is None and frame.index >= 0:
            self._end_deal(frame)
        if frame.event is not None and any(
            finding.code in DEAL_STOPPING_CODES for finding in frame.findings
        ):
            self._end_deal(frame)

    def _add(self, what: str, pointer: str, claimed: Any, computed: Any) -> None:
        self.claims.append(
            Claim(what, pointer, claimed, computed, "equal" if claimed == computed else "differs")
        )

    def _end_deal(self, frame: Frame) -> None:
        table = frame.table
        self.events += frame.index
        if self.reconcile:
            self._event_claims(frame.deal, table)
        withheld = table.knowledge.partial and self.record.deals[frame.deal].knowledge is not None
        self.undetermined = (
            self.undetermined or table.knowledge.uncertain or withheld or table.tracking.exhausted
        )
        self.unfinished = table.step is not TableStep.OVER
        self.assignments.largest = max(self.assignments.largest, table.tracking.largest)
        self.assignments.final = table.assignments
        self.assignments.capped = self.assignments.capped or table.tracking.incomplete
        if table.step is TableStep.OVER and self.reconcile:
            self._deal_claims(frame.deal, table)

    def _event_claims(self, number: int, table: Table) -> None:
        at = f"/deals/{number}/events/"
        events: Sequence[Any] = table.events
        places = _winner_pointers(number, -(-len(events) // EVENTS_PER_POINTER_BLOCK))
        self.claims += [
            Claim("trick", places[i], winner := events[i].winner, winner, "equal")
            for i in table.claims.winners_agreed
        ]
        self.claims += [
            Claim("trick", f"{at}{i}/winner", claimed, computed, "differs")
            for i, claimed, computed in table.claims.winners_disputed
        ]
        self.claims += [
            Claim(
                what,
                f"{at}{i}/points",
                claimed,
                computed,
                "equal" if claimed == computed else "differs",
            )
            for i, what, claimed, computed in table.claims.points
        ]

    def _deal_claims(self, number: int, table: Table) -> None:
        pointer = f"/deals/{number}"
        for seat, claimed in enumerate(table.claims.brisques):
            if (seat, "brisques") in table.claims.scores:
                self._add("brisques", pointer, claimed, table.earned.get((seat, "brisques"), 0))
        for (seat, what), points in table.earned.items():
            if (seat, what) not in table.claims.scores:
                self.claims.append(Claim(what, pointer, None, points, "unclaimed"))
        claims = self.record.deals[number].claims
        sides = self.match.sides if self.match else []
        computed = side_scores(table.points, sides)
        if claims is None or claims.scores is None:
            self.claims.append(Claim("deal scores", pointer, None, computed, "unclaimed"))
        else:
            self._add("deal scores", f"{pointer}/claims/scores", claims.scores, computed)

    def report(self, *, digest: str | None = None) -> Report:
        """The report, once every frame has been seen."""
        if self.match is None or self.resolved is None:
            return Report(verdict="unreadable", line=self.line, findings=self.findings)
        self._settle(self.match)
        if self.record.lines:
            self.findings += check_lines(self.record, self.match)
        verdict = choose_verdict(
            {finding.severity for finding in self.findings},
            undetermined=self.undetermined,
            complete=self.match.complete,
        )
        # Added after the verdict is chosen: the note explains the verdict and must not change it.
        if verdict in ("incomplete", "undetermined"):
            self.findings.append(_note("unfinished" if verdict == "incomplete" else "undetermined"))
        if self.line is not None:
            self.findings = [_on_line(finding, self.line) for finding in self.findings]
        return Report(
            verdict=verdict,
            finished=self.match.complete,
            known=not (self.undetermined or self.match.unsure),
            line=self.line,
            digest=digest,
            rules=_resolved_rules(self.resolved),
            scores=list(self.match.scores),
            settlement=self.match.settlement,
            winner=self.match.winner,
            deals=len(self.record.deals),
            events=self.events,
            assignments=self.assignments,
            findings=self.findings,
            reconciliation=self.claims,
        )

    def _settle(self, match: Match) -> None:
        """Compare what the record says of the whole game."""
        whole = (match.complete or not self.unfinished) and not match.unsure
        if self.reconcile:
            self._game_claims(match, whole=whole)
        outcome = ComputedResult(
            match.scores,
            match.settlement,
            match.winner,
            complete=match.complete,
            settles=not isinstance(match.resolved.sheet.game, RaceTo),
            whole=whole,
            known=not match.unsure,
        )
        found = check_game(self.record.result, outcome)
        self.findings += [_game_finding(breach, match) for breach in found]

    def _game_claims(self, match: Match, *, whole: bool) -> None:
        result = self.record.result
        if result is None:
            self.claims.append(Claim("result", "/result", None, match.scores, "unclaimed"))
            return
        if whole and result.scores is not None:
            self._add("result scores", "/result/scores", result.scores, match.scores)
        if match.complete and result.settlement is not None and match.settlement is not None:
            self._add("settlement", "/result/settlement", result.settlement, match.settlement)
        if match.complete and result.winner is not msgspec.UNSET:
            self._add("winner", "/result/winner", result.winner, match.winner)
        if result.status is not None and not match.unsure:
            status = "complete" if match.complete else "unfinished"
            self._add("status", "/result/status", result.status, status)


@lru_cache(maxsize=16)
def _winner_pointers(deal: int, blocks: int) -> list[str]:
    """The pointers to the winners in a deal of at most so many blocks of events, shared by all records."""
    return [f"/deals/{deal}/events/{i}/winner" for i in range(EVENTS_PER_POINTER_BLOCK * blocks)]


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


def _wrong_players(record: Record, resolved: ResolvedSheet, line: int | None) -> Finding | None:
    found, sheet = len(record.players), resolved.sheet
    if found in sheet.players:
        return None
    numbers = list(map(str, sheet.players))
    players = join_words(numbers, "or")
    finding_code = FINDING_CODES["wrong-number-of-players"]
    return Finding(
        code=finding_code.code,
        severity="unreadable",
        at=Place(pointer="/players", line=line),
        message=finding_code.sentence(sheet=sheet.name, players=players, found=found),
        rule=f"{sheet.id}/{finding_code.article}",
        expected=" or ".join(numbers),
        found=str(found),
    )


def _on_line(finding: Finding, line: int) -> Finding:
    return replace(finding, at=replace(finding.at, line=line))


def _note(code: str) -> Finding:
    finding_code = FINDING_CODES[code]
    return Finding(
        code=code, severity=finding_code.severity, at=Place(), message=finding_code.sentence()
    )


def _game_finding(breach: Breach, match: Match) -> Finding:
    code = breach.code
    return Finding(
        code=code,
        severity=FINDING_CODES[code].severity,
        at=Place(pointer=breach.pointer, seat=breach.seat),
        message=breach.message,
        rule=f"{match.resolved.sheet.id}/{FINDING_CODES[code].article}",
        expected=breach.expected,
        found=breach.found,
    )
