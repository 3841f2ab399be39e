"""The validator's report on a record that hides cards, held against the truth about its completions."""

from collections import Counter
from typing import Any, NamedTuple

from records.events import Score, Trick
from records.record import Record
from records.validate.report import Report
from records.validator import check_record
from tests.records.partial.cases import Case, make_case
from tests.records.partial.truth import TooMany, Truth, truth_of

GIVEN_UP = "too-many-completions"
"""The code of the note that says that a record was too costly to decide."""
NO_COMPLETION = "no-legal-completion"
LEAST_SHARE = 0.98
"""At least so many cases agree; those given up with a note count among the others."""
SURE = ("legal", "incomplete")
"""Verdicts that leave no doubt that the events are legal."""


class Compared(NamedTuple):
    """What a comparison comes to.

    `outcome` is `agrees`, `given up` (undetermined, and a note says that it costs too much), `missed` (less
    than what is true) or `unsound` (not true).
    """

    outcome: str
    why: str = ""


def compare(record: Record, truth: Truth, report: Report) -> Compared:
    """Whether a report says what is true of a record, and nothing that is not.

    A wrong number outranks `undetermined`, so `legal_with_mismatches` may leave the events open or not.
    """
    sure, unsure = report.verdict in SURE, report.verdict == "undetermined"
    if report.verdict == "illegal":
        if truth.legal:
            return Compared("unsound", "illegal, but a completion is legal")
        for told in wrong_codes(truth, report):
            return Compared("unsound", told)
        return Compared("agrees")
    if not truth.legal:
        if sure:
            return Compared("unsound", f"{report.verdict}, but no completion is legal")
        return _less(report, "no completion is legal")
    if truth.breach and sure:
        return Compared("unsound", f"{report.verdict}, but a completion breaks a rule")
    for told in wrong_numbers(record, truth, report):
        return Compared("unsound", told)
    open_by_level = record.deals[0].knowledge == "plays"
    if unsure and not (truth.breach or truth.misfit or open_by_level):
        return _less(report, "every completion is legal")
    return Compared("agrees")


def _less(report: Report, why: str) -> Compared:
    codes = {finding.code for finding in report.findings}
    return Compared("given up" if GIVEN_UP in codes else "missed", f"{report.verdict}, but {why}")


def wrong_codes(truth: Truth, report: Report) -> list[str]:
    """What the first event is said to break, and does not in some completion that is legal before it."""
    illegal = [finding for finding in report.findings if finding.severity == "illegal"]
    first = min(illegal, key=lambda finding: -1 if finding.at.event is None else finding.at.event)
    told = []
    for index, broken in truth.broken:
        if index == first.at.event and first.code != NO_COMPLETION:
            last = len(broken.deals[0].events) - 1
            found = {each.code for each in check_record(broken).findings if each.at.event == last}
            if first.code not in found:
                told.append(f"{first.code} at event {index}, but a completion has {sorted(found)}")
    return told


def wrong_numbers(record: Record, truth: Truth, report: Report) -> list[str]:
    """Numbers said to differ that are right in some legal completion."""
    told = []
    for claim in report.reconciliation:
        if claim.status == "differs" and _may_be(truth, claim.pointer, claim.claimed):
            told.append(f"{claim.pointer} is said to differ, but {claim.claimed} is right")
    for finding in report.findings:
        at = finding.at.event
        if finding.severity != "mismatch" or at is None or at >= len(record.deals[0].events):
            continue
        event: Any = record.deals[0].events[at]
        if isinstance(event, Score) and event.what == "brisques":
            told += (
                _wrong_brisques(record, truth, event.seat)
                if finding.code == "wrong-brisques"
                else []
            )
            continue
        name = "winner" if isinstance(event, Trick) else "points"
        claimed = getattr(event, name, None)
        if _may_be(truth, f"/deals/0/events/{at}/{name}", claimed):
            told.append(f"{finding.code} at event {at}, but {claimed} may be right")
    return told


def _wrong_brisques(record: Record, truth: Truth, seat: int) -> list[str]:
    """What is untrue in saying that a seat's brisques are wrong: they are written as taken, and summed."""
    events = record.deals[0].events
    claims = [e for e in events if isinstance(e, Score) and (e.seat, e.what) == (seat, "brisques")]
    claimed = sum(event.points or 0 for event in claims)
    if claimed in truth.values.get(f"brisques of {seat}", set()):
        return [f"wrong-brisques, but {claimed} of seat {seat} may be right"]
    return []


def _may_be(truth: Truth, pointer: str, claimed: Any) -> bool:
    values = truth.values.get(pointer, set())
    return (
        claimed is not None and (tuple(claimed) if isinstance(claimed, list) else claimed) in values
    )


class Tally:
    """How often the report agrees, by sheet, every case in which it does not, and legal completions."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {}
        self.cases: list[tuple[int, Case, Truth, Compared]] = []
        self.witnesses: list[tuple[int, Record]] = []

    def add(self, seed: int, *, most: int) -> None:
        """Make, enumerate and compare the case of a seed."""
        case = make_case(seed)
        sheet = case.record.rules.id
        counts = self.counts.setdefault(sheet, Counter())
        try:
            truth = truth_of(case.record, most=most)
        except TooMany:
            counts["too many to enumerate"] += 1
            return
        compared = compare(case.record, truth, check_record(case.record))
        counts["cases"] += 1
        counts[compared.outcome] += 1
        counts["legal" if truth.legal else "illegal"] += 1
        if truth.witness is not None:
            self.witnesses.append((seed, truth.witness))
        if compared.outcome != "agrees":
            self.cases.append((seed, case, truth, compared))

    def merge(self, other: "Tally") -> None:
        """Count another tally's cases too."""
        for sheet, counts in other.counts.items():
            self.counts.setdefault(sheet, Counter()).update(counts)
        self.cases += other.cases
        self.witnesses += other.witnesses

    def of(self, outcome: str, *sheets: str) -> list[str]:
        """The cases with this outcome, told in a line each; of some sheets, or of all."""
        return [
            f"seed {seed} ({case.way}): {compared.why}"
            for seed, case, _, compared in self.cases
            if compared.outcome == outcome and (not sheets or case.record.rules.id in sheets)
        ]

    def total(self) -> Counter[str]:
        """The counts over all sheets."""
        return sum(self.counts.values(), Counter[str]())

    def share(self, *sheets: str) -> float:
        """The share of cases in which the verdict agrees; one that was given up does not."""
        some = [counts for sheet, counts in self.counts.items() if not sheets or sheet in sheets]
        total = sum(some, Counter[str]())
        return total["agrees"] / max(1, total["cases"])

    def lines(self) -> list[str]:
        """A line a sheet."""
        rows = [*sorted(self.counts.items()), ("all", self.total())]
        return [
            f"{sheet:30}{n['cases']:6,} cases ({n['illegal']:5,} illegal),"
            f" {100 * n['agrees'] / max(1, n['cases']):6.2f} % agree, {n['given up']:4} given up,"
            f" {n['missed']:4} missed, {n['unsound']:4} unsound"
            for sheet, n in rows
        ]
