"""The records of one file or request share a budget: it bounds what they cost, and takes nothing from ordinary ones."""

from io import BytesIO

import pytest

from records.format import codec
from records.selfplay import play_game
from records.validate.finding import (
    FREE_BYTES,
    FREE_STEPS,
    REQUEST_STEPS,
    STEPS_A_BYTE,
    SharedBudget,
)
from records.validate.report import Report
from records.validator import Validator, check, check_path
from tests.costs.payloads import begun_text
from tests.playouts.games import STANDARD
from tests.playouts.hoarding import HOARDED_SHEETS, play_hoarding_game

HARD = begun_text("bezique", 8)
"""Five hundred bytes in which as much must be searched as one record may cost."""
MOST_OVERSPENT = 300_000
"""What the last record may spend beyond what was left: it is told at its end what it has cost."""


def judged(lines: list[bytes]) -> list[Report]:
    return list(check_path(BytesIO(b"\n".join(lines) + b"\n"), identify=True))


def alone(line: bytes, number: int) -> Report:
    return check(line, line=number, identify=True)


def text_of(report: Report) -> str:
    return " ".join(finding.message for finding in report.findings)


@pytest.mark.slow
@pytest.mark.parametrize("size", [FREE_BYTES, 4 * FREE_BYTES])
def test_many_hard_records_spend_no_more_than_their_bytes_allow(size):
    budget = SharedBudget()
    for _ in range(size // len(HARD)):
        check(HARD, budget=budget)
    assert -MOST_OVERSPENT <= budget.left <= STEPS_A_BYTE * len(HARD)


@pytest.mark.long
def test_hard_records_search_little_once_the_budget_has_ended():
    budget, spent = SharedBudget(), []
    for _ in range(10):
        before = budget.left
        check(HARD, budget=budget)
        spent.append(before - budget.left)
    assert spent[0] > 100_000
    assert max(spent[5:]) < 2_000


@pytest.mark.slow
def test_the_first_record_is_checked_as_if_it_were_alone():
    for line in [HARD, codec.encode(play_game("chinese-bezique", seed=207, deals=1))]:
        assert judged([line, line])[0] == alone(line, 1)


@pytest.mark.slow
def test_full_games_of_every_sheet_keep_their_verdicts():
    lines = [codec.encode(way.play(5, "random", deals=1)) for way in STANDARD]
    lines += [codec.encode(play_hoarding_game(sheet, 0, labels=False)) for sheet in HOARDED_SHEETS]
    assert judged(lines) == [alone(line, 1 + i) for i, line in enumerate(lines)]


@pytest.mark.long
def test_a_record_that_is_left_open_by_the_others_says_so():
    *_, last = judged([HARD] * 10)
    assert last.verdict == "undetermined"
    assert "have used up what the file or request may cost" in text_of(last)
    assert "have used up" not in text_of(alone(HARD, 1))


@pytest.mark.long
def test_an_illegal_record_is_illegal_wherever_it_stands():
    wrong = codec.encode(play_game("zique", seed=1, deals=1)).replace(b'"QS"', b'"QD"')
    reports = judged([HARD] * 10 + [wrong])
    assert alone(wrong, 1).verdict == "illegal"
    assert reports[-1] == alone(wrong, 11)


def test_what_cheap_records_leave_serves_those_that_follow():
    cheap = codec.encode(play_game("bezique", seed=1, deals=1))
    many = [cheap] * (2 * FREE_BYTES // len(cheap))
    budget = SharedBudget()
    for line in many:
        check(line, budget=budget)
    assert budget.left > FREE_STEPS


@pytest.mark.slow
def test_every_file_is_judged_alike_each_time():
    lines = [HARD, codec.encode(play_game("zetema", seed=1, deals=1))] * 8
    assert judged(lines) == judged(lines)


def test_readings_are_cut_short_by_the_others_too():
    record = play_hoarding_game("chinese-bezique", 39, labels=False)
    budget = SharedBudget()
    budget.spend(FREE_STEPS)
    validator = Validator(record, budget=budget)
    assert validator.match is not None
    assert validator.match.reading_budget.steps == 0
    assert validator.match.reading_budget.is_cut_short


def test_the_blocks_of_a_file_have_together_what_the_file_has():
    whole = SharedBudget()
    whole.admit(1_000_000)
    first = SharedBudget.of_block(400_000, first=True)
    second = SharedBudget.of_block(600_000, first=False)
    assert first.left + second.left == whole.left


def test_a_request_counts_what_was_sent_and_reads_only_so_much_more():
    budget = SharedBudget.of_request(1_000)
    assert budget.left == FREE_STEPS
    assert budget.admit(FREE_STEPS)
    assert not budget.admit(FREE_STEPS + 2 * REQUEST_STEPS)
    report = check(b" " * (FREE_STEPS + 2 * REQUEST_STEPS), budget=budget, line=3)
    assert report.verdict == "undetermined"
    assert report.findings[0].at.line == 3
    assert "was not examined" in report.findings[0].message


def test_of_what_was_sent_plain_everything_is_read():
    budget = SharedBudget.of_request(3_000)
    budget.spend(10 * FREE_STEPS)
    budget.pay_for_reading(REQUEST_STEPS * 8, 0, 0)
    assert {check(b"{}", budget=budget).verdict for _ in range(1_000)} == {"unreadable"}
