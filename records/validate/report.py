"""The validation report: a record's verdict, its findings and its claims."""

from typing import Any, Literal

import msgspec

from records.validate.finding import Cause, Finding
from records.validate.groups import FindingGroup, group_findings
from records.validate.verdict import Verdict

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


class Claim(msgspec.Struct, gc=False, omit_defaults=True):
    """One claim of the record beside the computed value; `what` says what it is about.

    The claim is `equal` to the computed value or `differs` from it, or the record does not claim the value;
    it is `open`, with nothing computed, where the record shows too little to compute it. `because_of` is the
    finding that a difference follows from.
    """

    what: str
    pointer: str
    claimed: Any
    computed: Any
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
