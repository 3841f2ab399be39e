"""Twins for the laws: two records of a law that differ in one place, one right and one wrong."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from records.format.codec import encode
from records.record import Record
from records.rules.registry import cited_laws, get_sheet
from records.rules.vocabulary import RuleSheet
from records.validate.finding import Finding
from records.validator import check_record
from tests.records.conformance.game_candidates import with_claims
from tests.records.conformance.law_records import LawRecord
from tests.records.conformance.one_change import as_json, neighbours, the_change
from tests.records.conformance.refereed import may_be_refereed, referee_says

MOST_RECORDS, MOST_NEIGHBOURS = 10, 600
"""So many records of a law are looked at in one sheet, the shortest first, and so many neighbours of each."""
FAULTS = ("illegal", "mismatch", "unreadable")
_REUSE = {"meld-reuses-cards"}
_SETTLED = {"wrong-settlement", "wrong-winner"}
_FOLLOWED = {"must-follow-suit", "must-beat", "must-trump"}
_PERMITTED = {"wrong-meld-points"}
"""What becomes wrong where a law only permits: the meld that it permits, with other points."""
CODES_OF_LAWS: dict[str, set[str]] = {
    "C1": {"wrong-hand-size", "too-many-copies"},
    "C2": {"wrong-dealer", "out-of-turn"},
    "C3": {"wrong-trick-winner"},
    # It frees what C8 binds: the wrong record has no stock left.
    "C4": _FOLLOWED,
    "C5": {"meld-by-loser", "meld-out-of-window", "draw-missing", "draw-out-of-turn", "dix-out-of-window"},
    "C6": {"wrong-card-drawn", "draw-not-due"},
    "C7": {"not-in-hand", "not-on-table"},
    "C8": _FOLLOWED,
    "C9": {"wrong-brisques", "wrong-settlement", "wrong-deal-scores", "score-not-earned"},
    "C10": {"wrong-cards-for-meld"},
    "C11": {"wrong-cards-for-meld"},
    "C12": {"meld-card-not-held", "meld-reuses-cards", "card-not-held"},
    "C13": {"wrong-trick-winner", "wrong-meld-points"},
    "C14": {"wrong-score-points", "not-blank", "carte-blanche-too-late"},
    "C15": {*_SETTLED, "deal-after-game-won"},
    "C16": {"score-not-earned", "wrong-score-points"},
    "R-PENDING": {"too-many-melds", "meld-reuses-cards", "no-pending-melds", "meld-card-not-held"},
    "A-01": {"nothing-to-exchange", "score-not-earned", "dix-spent"},
    "A-02": {"dix-spent", "wrong-dix-points"},
    "A-03": {"dix-not-in-rules"},
    "A-04": {"wrong-dix-points", "dix-spent"},
    "A-05": {"too-many-melds"},
    "A-06": {"wrong-card-drawn"},
    "A-07": {"meld-after-close", "meld-out-of-window", "dix-out-of-window", "nothing-to-exchange"},
    "A-08": {"meld-after-close", "meld-out-of-window"},
    "A-09": {"score-not-earned", "scored-twice"},
    "A-10": {"wrong-score-points"},
    "A-11": {"wrong-winner", "wrong-status", "deal-after-game-won"},
    "A-12": {"meld-after-close"},
    "A-13": {"wrong-trick-winner", "wrong-meld-points", "must-trump"},
    "A-15": _REUSE | _PERMITTED,
    "A-16": _REUSE | _PERMITTED,
    "A-19": _REUSE,
    "A-23": {*_REUSE, "meld-not-in-rules"},
    "A-24": {*_REUSE, "wrong-cards-for-meld"},
    "A-27": _SETTLED,
    "A-28": _SETTLED,
    "A-29": _SETTLED,
    "A-30": _SETTLED,
    "A-30a": {"carte-blanche-too-late"},
    "A-30b": {"not-blank"},
    "A-30c": {"score-not-earned", "wrong-score-points"},
    "A-30d": {"too-many-melds"},
    "A-31": {"out-of-turn"},
    "A-32": {"draw-not-due"},
    "A-33": {"draw-not-due", "draw-missing", "wrong-hand-size"},
    "A-34": {"meld-after-close"},
    "A-35": {"out-of-turn"},
    "A-36": {"must-go-on", "out-of-turn"},
    "A-37": {"wrong-cards-for-meld"},
    "A-38": {"marriage-without-hand-card"},
    "A-39": {"wrong-cards-for-meld"},
    "A-40": {"discard-not-of-combination"},
    "A-41": {"wrong-meld-points", "wrong-cards-for-meld"},
    "A-42": {"score-not-earned", "wrong-score-points"},
    "A-43": {"wrong-winner", "wrong-deal-scores", "wrong-status"},
    "A-44": {"dix-not-in-rules", "score-not-earned", "wrong-dix-points", "dix-spent", "dix-out-of-window", "nothing-to-exchange"},
    "A-45": {"too-many-melds", "meld-reuses-cards", "out-of-turn"},
    "A-46": {"wrong-meld-points", "wrong-trick-winner", "must-trump"},
    "A-48": _SETTLED,
    "A-49": {"card-not-in-pack", "card-twice"},
    "A-50": {"score-not-earned"},
    "A-51": {"wrong-settlement"},
    "A-52": {"too-many-copies"},
    "Z1": {"too-many-copies", "wrong-hand-size", "out-of-turn"},
    "Z2": {"draw-missing", "draw-not-due", "too-many-melds"},
    "Z3": {"wrong-meld-points", "wrong-cards-for-meld", "not-on-tableau", "meld-card-not-held"},
    "Z4": {"meld-card-not-held", "score-not-earned", "wrong-score-points"},
    "Z5": {"event-after-end", "out-of-turn"},
    "Z6": {"wrong-winner", "wrong-status", "deal-after-game-won"},
}  # fmt: skip
"""The codes of what breaks a law; of the laws of reuse that are not here, `meld-reuses-cards`."""
CLAUSES_OF_CAPTURED = ("no-card-won", "served")
"""In which way a meld of captured cards breaks C12, whatever the rule of reuse."""


class Twins(NamedTuple):
    """A right and a wrong record of a law; `change` says how the wrong one differs from the right one."""

    law: str
    right: Record
    wrong: Record
    change: str


def laws_of(sheet: str) -> list[str]:
    """The laws and rulings that a sheet cites."""
    return [law.number for law in cited_laws(each.cited for each in get_sheet(sheet).articles)]


def law_twins(
    sheet: RuleSheet, records: Iterable[LawRecord], more: Iterable[LawRecord]
) -> Iterator[Twins]:
    """Twins for every law of a sheet of which there are records; `more` are taken where there are none better."""
    by_law: dict[str, dict[bytes, Record]] = defaultdict(dict)
    for found in (*records, *more):
        if found.record.rules.id == sheet.id:
            for law in found.laws:
                by_law[law][encode(found.record)] = found.record
    for law in laws_of(sheet.id):
        some = sorted(by_law[law].items(), key=lambda pair: len(pair[0]))
        twins = _twins(law, [record for _, record in some[:MOST_RECORDS]])
        if twins is not None:
            yield twins


def _twins(law: str, records: list[Record]) -> Twins | None:
    """Twins that are about the law and that the referee confirms; None if there are none."""
    return next(filter(_confirmed, _pairs(law, records)), None)


def _pairs(law: str, records: list[Record]) -> Iterator[Twins]:
    """A right and a wrong record with one change: both of the tests, or one and a neighbour of it."""
    right = [record for record in records if fault_of(record) is None]
    wrong = [record for record in records if fault_of(record) is not None]
    for one in right:
        for other in wrong:
            change = the_change(as_json(one), as_json(other))
            if change is not None and _is_about_fault_of(other, law):
                yield Twins(law, one, other, change)
    for record in [*wrong, *right, *map(with_claims, right)]:
        is_right = fault_of(record) is None
        for other in islice(neighbours(record), MOST_NEIGHBOURS):
            if (fault_of(other) is None) == is_right:
                continue
            pair = (record, other) if is_right else (other, record)
            change = the_change(as_json(pair[0]), as_json(pair[1]))
            if change is not None and _is_about_fault_of(pair[1], law):
                yield Twins(law, *pair, change)


def _is_about_fault_of(record: Record, law: str) -> bool:
    fault = fault_of(record)
    return fault is not None and is_about(fault, law)


def _confirmed(twins: Twins) -> bool:
    """Whether the referee can judge both, and says the same."""
    said = [
        referee_says(record) if may_be_refereed(record) else None
        for record in (twins.right, twins.wrong)
    ]
    return [one and one.right for one in said] == [True, False]


def is_about(fault: Finding, law: str) -> bool:
    """Whether a fault is a breach of a law."""
    if fault.clause in CLAUSES_OF_CAPTURED:
        return law in ("C12", "A-45")
    return fault.code in CODES_OF_LAWS.get(law, _REUSE)


def fault_of(record: Record) -> Finding | None:
    """The first finding that makes a record wrong."""
    findings = check_record(record).findings
    return next((finding for finding in findings if finding.severity in FAULTS), None)
