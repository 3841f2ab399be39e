"""Twins for the laws: two records of a law that differ in one place, one right and one wrong."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from records.codec import encode
from records.record import Record
from records.rules.laws import cited_laws
from records.rules.registry import ALL_SHEETS, get_sheet
from records.validate.finding import Finding
from records.validator import check_record
from tests.conformance.law_records import LawRecord
from tests.conformance.one_change import as_json, neighbours, the_change

MOST_RECORDS, MOST_NEIGHBOURS = 10, 220
"""So many records of a law are looked at in one sheet, the shortest first, and so many neighbours of each."""
FAULTS = ("illegal", "mismatch", "unreadable")


class Twins(NamedTuple):
    """A right and a wrong record of a law in a sheet; `change` says how the wrong one differs from the right one."""

    sheet: str
    law: str
    right: Record
    wrong: Record
    change: str


def laws_of(sheet: str) -> list[str]:
    """The laws and rulings that a sheet cites."""
    return [law.number for law in cited_laws(get_sheet(sheet).laws.values())]


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
    right = [record for record in records if fault_of(record) is None]
    wrong = [record for record in records if fault_of(record) is not None]
    for one in right:
        for other in wrong:
            change = the_change(as_json(one), as_json(other))
            if change is not None:
                return Twins(sheet, law, one, other, change)
    found: Twins | None = None
    for record in [*wrong, *right]:
        for other in islice(neighbours(record), MOST_NEIGHBOURS):
            pair = (record, other) if fault_of(record) is None else (other, record)
            fault = fault_of(pair[1])
            if fault_of(pair[0]) is not None or fault is None:
                continue
            change = the_change(as_json(pair[0]), as_json(pair[1]))
            if change is None:
                continue
            found = found or Twins(sheet, law, *pair, change)
            if _is_of(fault, sheet, law):
                return Twins(sheet, law, *pair, change)
    return found


def _is_of(fault: Finding, sheet: str, law: str) -> bool:
    """Whether a finding is about the article that cites the law."""
    article = (fault.rule or "").partition("/")[2]
    return law in [each.number for each in cited_laws([get_sheet(sheet).laws.get(article, "")])]


def fault_of(record: Record) -> Finding | None:
    """The first finding that makes a record wrong."""
    findings = check_record(record).findings
    return next((finding for finding in findings if finding.severity in FAULTS), None)
