"""Twins for the laws: two records of a law that differ in one place, one right and one wrong."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from records.format.codec import encode
from records.record import Record
from records.rules.registry import ALL_SHEETS, cited_laws, get_sheet
from records.validate.codes import FINDING_CODES
from records.validate.finding import Finding
from records.validator import check_record
from tests.records.conformance.game_candidates import with_claims
from tests.records.conformance.law_records import LawRecord
from tests.records.conformance.one_change import as_json, neighbours, the_change
from tests.records.conformance.refereed import may_be_refereed, referee_says

MOST_RECORDS, MOST_NEIGHBOURS = 10, 600
"""So many records of a law are looked at in one sheet, the shortest first, and so many neighbours of each."""
FAULTS = ("illegal", "mismatch", "unreadable")
_REUSE = {"meld-reuses-cards", "wrong-meld-points"}
_SETTLED = {"wrong-settlement", "wrong-winner"}
CODES_OF_LAWS: dict[str, set[str]] = {
    "C3": {"wrong-trick-winner", "must-beat"},
    "C5": {"meld-by-loser", "meld-out-of-window", "draw-missing", "dix-out-of-window"},
    "C9": {"wrong-brisques", "wrong-settlement", "score-not-earned"},
    "C12": {"meld-card-not-held", "meld-reuses-cards", "card-not-held"},
    "C14": {"wrong-score-points", "not-blank", "carte-blanche-too-late"},
    "R-PENDING": {"too-many-melds", "meld-reuses-cards", "no-pending-melds", "meld-card-not-held"},
    "A-01": {"nothing-to-exchange", "score-not-earned", "dix-spent"},
    "A-05": {"too-many-melds"},
    "A-06": {"wrong-card-drawn", "draw-out-of-turn", "score-not-earned"},
    "A-08": {"meld-after-close"},
    "A-12": {"meld-after-close"},
    "A-13": {"wrong-trick-winner", "wrong-meld-points", "must-trump"},
    "A-15": _REUSE,
    "A-16": _REUSE,
    "A-19": {*_REUSE, "wrong-cards-for-meld"},
    "A-23": {*_REUSE, "meld-not-in-rules"},
    "A-27": _SETTLED,
    "A-29": _SETTLED,
    "A-30": _SETTLED,
    "A-30d": {"too-many-melds"},
    "A-45": {"too-many-melds", "meld-reuses-cards", "out-of-turn"},
    "A-46": {"wrong-meld-points", "wrong-trick-winner", "must-trump"},
    "A-48": _SETTLED,
    "Z4": {"meld-card-not-held", "score-not-earned", "wrong-score-points"},
    "Z5": {"event-after-end", "out-of-turn"},
    "A-31": {"out-of-turn"},
    "A-34": {"meld-after-close"},
    "A-35": {"out-of-turn"},
    "A-36": {"must-go-on", "out-of-turn"},
    "A-42": {"score-not-earned", "wrong-score-points"},
}
"""The codes of findings about laws that their article does not cite, or not alone."""


class Twins(NamedTuple):
    """A right and a wrong record of a law in a sheet; `change` says how the wrong one differs from the right one."""

    sheet: str
    law: str
    right: Record
    wrong: Record
    change: str


def laws_of(sheet: str) -> list[str]:
    """The laws and rulings that a sheet cites."""
    return [law.number for law in cited_laws(each.cited for each in get_sheet(sheet).articles)]


def law_twins(records: Iterable[LawRecord], more: Iterable[LawRecord]) -> Iterator[Twins]:
    """Twins for every law of every sheet of which there are records; `more` are taken where there are none better."""
    by_law: dict[tuple[str, str], dict[bytes, Record]] = defaultdict(dict)
    for part in (records, more):
        for found in part:
            for law in found.laws:
                by_law[found.record.rules.id, law][encode(found.record)] = found.record
    for sheet in ALL_SHEETS:
        for law in laws_of(sheet.id):
            some = sorted(by_law[sheet.id, law].items(), key=lambda pair: len(pair[0]))
            twins = _twins(sheet.id, law, [record for _, record in some[:MOST_RECORDS]])
            if twins is not None:
                yield twins


def _twins(sheet: str, law: str, records: list[Record]) -> Twins | None:
    """Twins that are about the law and that the referee confirms, or else such as there are."""
    found: Twins | None = None
    for twins in _pairs(sheet, law, records):
        fault = fault_of(twins.wrong)
        if fault is None or not is_about(fault.code, sheet, law):
            found = found or twins
        elif _confirmed(twins):
            return twins
    return found


def _pairs(sheet: str, law: str, records: list[Record]) -> Iterator[Twins]:
    """A right and a wrong record with one change: both of the tests, or one and a neighbour of it."""
    right = [record for record in records if fault_of(record) is None]
    wrong = [record for record in records if fault_of(record) is not None]
    for one in right:
        for other in wrong:
            change = the_change(as_json(one), as_json(other))
            if change is not None:
                yield Twins(sheet, law, one, other, change)
    for record in [*wrong, *right, *map(with_claims, right)]:
        is_right = fault_of(record) is None
        for other in islice(neighbours(record), MOST_NEIGHBOURS):
            if (fault_of(other) is None) == is_right:
                continue
            pair = (record, other) if is_right else (other, record)
            change = the_change(as_json(pair[0]), as_json(pair[1]))
            if change is not None:
                yield Twins(sheet, law, *pair, change)


def _confirmed(twins: Twins) -> bool:
    """Whether the referee can judge both, and says the same."""
    said = [
        referee_says(record) if may_be_refereed(record) else None
        for record in (twins.right, twins.wrong)
    ]
    return [one and one.right for one in said] == [True, False]


def is_about(code: str, sheet: str, law: str) -> bool:
    """Whether findings of a code are about a law: its article cites it, or the code is known to be about it."""
    if law in CODES_OF_LAWS:
        return code in CODES_OF_LAWS[law]
    article = get_sheet(sheet).cited(FINDING_CODES[code].article or "")
    return law in [each.number for each in cited_laws([article])]


def fault_of(record: Record) -> Finding | None:
    """The first finding that makes a record wrong."""
    findings = check_record(record).findings
    return next((finding for finding in findings if finding.severity in FAULTS), None)
