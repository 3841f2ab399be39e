"""The validation report: a record's verdict, its findings, alone and in groups, and its claims.

Which finding follows from which is decided in `records.validate.causes`; here they are grouped by it.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

import msgspec

from records.validate.codes import FINDING_CODES
from records.validate.finding import Cause, Finding, Place, Severity, Verdict, describe_place

# Findings that belong together, told once: what follows from a finding, and what a program does again and again.

T = TypeVar("T")

SEVERITIES_IN_ORDER: tuple[Severity, ...] = ("unreadable", "illegal", "mismatch", "warning", "note")
"""The severities, the most serious first: the groups stand in this order."""


class FindingGroup(msgspec.Struct, omit_defaults=True, frozen=True, kw_only=True):
    """Findings of one code, clause and severity, by whichever seats, told in one sentence.

    One finding alone is a group, too. `first` is the place of the first, `pointers` lead to all. The
    `consequences` are the findings that follow from these, in groups of their own.
    """

    code: str
    severity: Severity
    count: int
    message: str
    first: Place
    pointers: list[str]
    clause: str | None = None
    seats: list[int] = []
    consequences: list["FindingGroup"] = []


@dataclass(slots=True)
class FoldedFindings:
    """The findings of one group, at least one, and what follows from them."""

    findings: list[Finding]
    consequences: list["FoldedFindings"] = field(default_factory=list)

    @property
    def first(self) -> Finding:
        """The first of them in the record."""
        return self.findings[0]

    @property
    def message(self) -> str:
        """The sentence of the only finding, or the habit of several with their number and the first place."""
        return self.message_with(describe_place(self.first.at))

    def message_with(self, place: str) -> str:
        """The same, with the first place in these words."""
        first, count = self.first, len(self.findings)
        if count == 1:
            return first.message
        code = FINDING_CODES[first.code]
        preposition = "in" if first.at.deal is not None and first.at.event is None else "at"
        place = f"{preposition} {place}" if place else ""
        return code.habit_sentence(first.clause or "", count=count, place=place)

    @property
    def habit(self) -> str:
        """What several findings of this kind are, without a full stop."""
        return FINDING_CODES[self.first.code].habit(self.first.clause or "")

    @property
    def only_seat(self) -> int | None:
        """The seat that made them all, if there are several; None if they are of several seats, or of none."""
        seats = {finding.at.seat for finding in self.findings}
        return self.first.at.seat if len(self.findings) > 1 and len(seats) == 1 else None

    @property
    def following(self) -> int:
        """How many findings follow from these."""
        return sum(group.explained for group in self.consequences)

    @property
    def explained(self) -> int:
        """How many findings these are, with those that follow from them."""
        return len(self.findings) + self.following


def fold_findings(findings: Sequence[Finding]) -> list[FoldedFindings]:
    """The findings in groups, the most serious first: what follows from another is below it, a habit is one group."""
    roots = _roots_of(findings)
    following: dict[int, list[Finding]] = {}
    for finding, root in zip(findings, roots, strict=True):
        if findings[root] is not finding:
            following.setdefault(root, []).append(finding)
    own = [(i, finding) for i, finding in enumerate(findings) if roots[i] == i]
    folded = []
    for members in _alike(own, lambda numbered: _habit(numbered[1])):
        below = [finding for i, _ in members for finding in following.get(i, ())]
        folded.append(
            FoldedFindings(
                [finding for _, finding in members],
                [FoldedFindings(alike) for alike in _alike(below, _habit)],
            )
        )
    return sorted(folded, key=lambda group: SEVERITIES_IN_ORDER.index(group.first.severity))


def group_findings(findings: Sequence[Finding]) -> list[FindingGroup]:
    """The groups of these findings, as a report lists them."""
    return [_group(folded) for folded in fold_findings(findings)]


def _roots_of(findings: Sequence[Finding]) -> list[int]:
    """For each finding, the first of its chain of causes; its own index where no earlier finding is its cause."""
    places: dict[tuple[str, str], int] = {}
    roots: list[int] = []
    for i, finding in enumerate(findings):
        cause = finding.because_of
        known = None if cause is None else places.get((cause.code, cause.pointer))
        roots.append(i if known is None else roots[known])
        places.setdefault((finding.code, finding.at.pointer), i)
    return roots


def _habit(finding: Finding) -> Hashable:
    # Slips of the pen are no habit, and only their sentences say where they are, or what is wrong with a rulebook.
    own = finding.message if finding.code in ("not-notation", "bad-sheet") else ""
    return finding.code, finding.clause, finding.severity, own


def _alike(items: Iterable[T], key: Callable[[T], Hashable]) -> list[list[T]]:
    """The items in lists of those with the same key, in the order of the first of each."""
    found: dict[Hashable, list[T]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return list(found.values())


def _group(folded: FoldedFindings) -> FindingGroup:
    first = folded.first
    seats = {finding.at.seat for finding in folded.findings}
    return FindingGroup(
        code=first.code,
        severity=first.severity,
        count=len(folded.findings),
        message=folded.message,
        first=first.at,
        pointers=[finding.at.pointer for finding in folded.findings],
        clause=first.clause,
        seats=sorted(seat for seat in seats if seat is not None),
        consequences=[_group(below) for below in folded.consequences],
    )


REPORT_FORMAT: Literal["bezique-report"] = "bezique-report"
REPORT_VERSION = "1.0"


class ResolvedRules(msgspec.Struct, kw_only=True):
    """The sheet that was applied, with every option's value."""

    id: str
    edition: int
    options: dict[str, bool | int | str]


class Assignments(msgspec.Struct, kw_only=True):
    """How many readings of the record were followed: the most at any event, and at the end.

    In games without a dix, only a few are followed if one of them makes every event legal, and all otherwise. If there
    are too many, only some are, and the others are searched when it matters; `capped` says that a search was given up.
    """

    largest: int = 1
    final: int = 1
    capped: bool = False


ClaimStatus = Literal["equal", "differs", "unclaimed", "open"]
ClaimedValue = int | str | list[int] | None
"""A number, a word such as `complete`, scores by side, or nothing."""


class Claim(msgspec.Struct, gc=False, omit_defaults=True):
    """One claim of the record beside the computed value; `what` says what it is about.

    The claim is `equal` to the computed value or `differs` from it, or the record does not claim the value;
    it is `open`, with nothing computed, where the record shows too little to compute it. `because_of` is the
    finding that a difference follows from.
    """

    what: str
    pointer: str
    claimed: ClaimedValue
    computed: ClaimedValue
    status: ClaimStatus
    because_of: Cause | None = None


class Report(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The report on one record; the published schema is made from this struct.

    `finished` says whether the match was played to its end, `known` whether the record shows every card,
    draw and number that matters. `file` is the name that the record's file was given by, `line` its line where a file
    has one record per line. `scores` are by side, null for a score that the record leaves open;
    `settlement` and `winner` are null until they are certain. `groups` tell the `findings` in fewer words:
    what follows from another finding stands below it, and what happens again and again is told once.
    """

    # A default would be left out of the text; what a factory makes is written.
    format: Literal["bezique-report"] = msgspec.field(default_factory=lambda: REPORT_FORMAT)
    version: str = msgspec.field(default_factory=lambda: REPORT_VERSION)
    verdict: Verdict
    finished: bool = msgspec.field(default_factory=bool)
    known: bool = msgspec.field(default_factory=bool)
    file: str | None = None
    line: int | None = None
    digest: str | None = None
    rules: ResolvedRules | None = None
    scores: list[int | None] | None = None
    settlement: list[int] | None = None
    winner: int | None = None
    deals: int = 0
    events: int = 0
    assignments: Assignments | None = None
    findings: list[Finding] = []
    groups: list[FindingGroup] = []
    reconciliation: list[Claim] = []

    def __post_init__(self) -> None:
        if self.findings and not self.groups:
            self.groups = group_findings(self.findings)

    def put_first(self, findings: list[Finding]) -> None:
        """Put findings before the others: those of reading the text come first."""
        if findings:
            self.findings = [*findings, *self.findings]
            self.groups = group_findings(self.findings)
