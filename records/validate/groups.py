"""Findings that belong together, told once: what follows from a finding, and what a program does again and again."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from records.validate.codes.all_codes import FINDING_CODES
from records.validate.finding import Finding, Place, Severity
from records.validate.places import describe_place

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
    # Slips of the pen are no habit, and only their sentences say where they are.
    own = finding.message if finding.code == "not-notation" else ""
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
