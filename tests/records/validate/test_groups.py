"""Findings are told in groups: a habit once, and what follows from a finding below it."""

import re

import msgspec
import pytest

from records.validate.codes import FINDING_CODES, HABITS, SETUP_CODES
from records.validate.finding import Cause, Finding, Place, describe_place, describe_places
from records.validate.report import SEVERITIES_IN_ORDER, Report, fold_findings, group_findings
from records.validator import check
from tests.make.tables import S, table
from tests.samples.make import SAMPLES


def found(code: str, deal: int, event: int | None, **details: object) -> Finding:
    pointer = f"/deals/{deal}" + ("" if event is None else f"/events/{event}")
    at = Place(deal=deal, event=event, pointer=pointer, seat=details.pop("seat", None))
    severity = FINDING_CODES[code].severity
    return Finding(code=code, severity=severity, at=at, message=f"{code} here.", **details)


def because(finding: Finding) -> Cause:
    return Cause(code=finding.code, pointer=finding.at.pointer)


def test_one_habit_is_one_group_with_its_number_and_all_its_places():
    habit = [found("draw-out-of-turn", 0, 8 + 5 * i, seat=S, clause="first") for i in range(17)]
    (group,) = group_findings(habit)
    assert (
        group.message == "The loser of the trick draws first: 17 times, first at deal 1, event 9."
    )
    assert (group.count, group.seats, group.first) == (17, [S], habit[0].at)
    assert group.pointers == [finding.at.pointer for finding in habit]


def test_a_finding_alone_keeps_its_sentence():
    (group,) = group_findings([found("must-beat", 0, 3)])
    assert (group.message, group.count) == ("must-beat here.", 1)


def test_clauses_and_severities_are_habits_of_their_own():
    early = found("not-on-table", 0, 3, clause="in-hand")
    late = [found("not-on-table", 0, i, clause="taken-back") for i in (90, 95)]
    excused = msgspec.structs.replace(late[0], severity="note")
    groups = group_findings([early, *late, excused])
    assert [(group.clause, group.severity, group.count) for group in groups] == [
        ("in-hand", "illegal", 1), ("taken-back", "illegal", 2), ("taken-back", "note", 1),
    ]  # fmt: skip


def test_a_chain_of_causes_is_folded_below_its_first_finding():
    count = found("wrong-brisques", 1, 70)
    deal = found("wrong-deal-scores", 1, None, because_of=because(count))
    result = found("wrong-result-scores", 2, None, because_of=because(deal))
    other = found("must-trump", 0, 60)
    groups = fold_findings([other, count, deal, result])
    assert [group.first for group in groups] == [other, count]
    assert [group.first for group in groups[1].consequences] == [deal, result]
    assert groups[1].following == 2


def test_the_consequences_of_a_habit_are_habits_too():
    counts = [found("wrong-brisques", i, 70, clause="over") for i in range(3)]
    deals = [found("wrong-deal-scores", i, None, because_of=because(counts[i])) for i in range(3)]
    mixed = [finding for pair in zip(counts, deals, strict=True) for finding in pair]
    (group,) = group_findings(mixed)
    assert group.count == 3
    assert [(below.code, below.count) for below in group.consequences] == [("wrong-deal-scores", 3)]
    assert (
        group.consequences[0].message == "The scores of a deal are wrong: 3 times, first in deal 1."
    )


def test_a_cause_that_is_not_listed_or_comes_later_folds_nothing():
    later = found("wrong-brisques", 0, 9)
    lost = found(
        "wrong-deal-scores", 0, None, because_of=Cause(code="must-beat", pointer="/deals/7")
    )
    early = found("score-not-earned", 0, 3, because_of=because(later))
    assert len(group_findings([lost, early, later])) == 3


def test_the_most_serious_comes_first():
    mismatch, illegal = found("wrong-dealer", 0, None), found("must-beat", 3, 60)
    note = found("irregularity", 0, 1)
    groups = group_findings([note, mismatch, illegal])
    assert [group.severity for group in groups] == ["illegal", "mismatch", "note"]
    assert set(SEVERITIES_IN_ORDER) == {code.severity for code in FINDING_CODES.values()}


def test_every_finding_of_a_report_is_in_one_group():
    for path in sorted((SAMPLES / "broken").glob("*.json")):
        report = check(path.read_bytes())
        pointers = [finding.at.pointer for finding in report.findings]

        def count(groups):
            return sum(group.count + count(group.consequences) for group in groups)

        assert count(report.groups) == len(report.findings)
        told = [pointer for group in report.groups for pointer in group.pointers]
        assert set(told) <= set(pointers)


def test_groups_follow_findings_that_are_put_first():
    report = Report(verdict="illegal", findings=[found("must-beat", 0, 3)])
    report.put_first([found("must-beat", 0, 1)])
    assert [(group.count, group.first.event) for group in report.groups] == [(2, 1)]
    assert msgspec.json.decode(msgspec.json.encode(report), type=Report) == report


def test_the_seat_of_a_habit_is_named_only_if_it_is_one():
    told = table("N: AS KS 9D | S: 7S 8S 8D | trump C | N leads", "N AS, S 8D, N KS, S 7S")
    (group,) = [group for group in fold_findings(told.findings) if group.first.at.seat == S]
    assert group.only_seat is None
    both = [found("must-beat", 0, i, seat=i % 2) for i in range(4)]
    assert fold_findings(both)[0].only_seat is None
    assert fold_findings(both[::2])[0].only_seat == 0


def test_places_count_from_1():
    assert describe_place(Place(deal=1, event=33)) == "deal 2, event 34"
    assert describe_place(Place(pointer="/result/scores")) == "/result/scores"
    places = [Place(deal=0, event=3), Place(deal=0, event=8), Place(deal=2), Place(pointer="/x")]
    assert describe_places(places) == "in deal 1 at events 4 and 9; in deal 3; at /x"


@pytest.mark.parametrize("code", HABITS)
def test_habits_are_those_of_codes_and_of_all_their_clauses(code):
    words, known = HABITS[code], FINDING_CODES[code]
    sentences = [words] if isinstance(words, str) else [*words.values()]
    assert isinstance(words, str) or words.keys() == known.clauses.keys()
    for sentence in sentences:
        assert re.fullmatch(r"[A-Z][^:{}]*[^.:,{}]", sentence)


def test_a_broken_rule_or_a_wrong_number_that_can_be_a_habit_has_its_words():
    """Those without are told by their titles: what can be found only once, or is a fault of a position or a file."""
    positions = set(SETUP_CODES)
    without = {
        code.code for code in FINDING_CODES.values()
        if code.severity in ("illegal", "mismatch") and code.code not in HABITS
    }  # fmt: skip
    assert all(FINDING_CODES[code].habit() == FINDING_CODES[code].title for code in without)
    assert without - positions <= {
        "wrong-number-of-hands", "wrong-stock-size", "turn-up-missing", "turn-up-not-in-rules", "cut-out-of-place",
        "impossible-cut", "wrong-result-scores", "impossible-result-scores", "wrong-winner", "wrong-status", "wrong-settlement",
        "settlement-not-in-rules",
    }  # fmt: skip
