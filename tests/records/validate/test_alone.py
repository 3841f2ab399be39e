"""A verdict depends on the record alone: not on its neighbours, nor on how they travelled."""

import gzip
from collections.abc import Callable
from io import BytesIO
from random import Random

import pytest
import zstandard

from records.format import codec
from records.selfplay import play_game
from records.validate.finding import (
    MOST_BYTES_EXAMINED,
    MOST_STEPS_A_RECORD,
    REQUEST_STEPS,
    RequestBudget,
    StepBudget,
)
from records.validate.report import Report
from records.validator import Validator, check, check_path
from tests.costs.payloads import begun_text
from tests.playouts.games import STANDARD
from tests.playouts.hoarding import HOARDED_SHEETS, play_hoarding_game

HARD = begun_text("bezique", 8)
"""Five hundred bytes in which as much must be searched as one record may cost."""
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda data: data,
    "gzip": gzip.compress,
    "zstd": zstandard.ZstdCompressor(level=19).compress,
}


def judged(lines: list[bytes], packed: str = "plain") -> list[Report]:
    data = PACKED[packed](b"\n".join(lines) + b"\n")
    return list(check_path(BytesIO(data), identify=True))


def alone(line: bytes, number: int) -> Report:
    return check(line, line=number, identify=True)


def records() -> list[bytes]:
    lines = [codec.encode(way.play(5, "random", deals=1)) for way in STANDARD]
    lines += [codec.encode(play_hoarding_game(sheet, 0, labels=False)) for sheet in HOARDED_SHEETS]
    wrong = codec.encode(play_game("zique", seed=1, deals=1)).replace(b'"QS"', b'"QD"')
    return [*lines, *[HARD] * 6, wrong, b"{}", b'{"format": 1']


@pytest.mark.slow
@pytest.mark.parametrize("packed", PACKED)
def test_a_report_is_the_same_in_any_order_and_any_compression(packed: str) -> None:
    lines = records()
    Random(packed).shuffle(lines)
    assert judged(lines, packed) == [alone(line, 1 + i) for i, line in enumerate(lines)]


def test_what_a_request_has_left_changes_no_report() -> None:
    budget = RequestBudget()
    budget.spend(REQUEST_STEPS)
    record = play_hoarding_game("chinese-bezique", 39, labels=False)
    validator = Validator(record, budget=budget)
    assert validator.match is not None
    assert validator.match.reading_budget.steps == Validator(record).match.reading_budget.steps  # type: ignore[union-attr]
    text = codec.encode(play_game("bezique", seed=1, deals=1))
    assert check(text, budget=budget) == check(text)


def test_a_request_examines_so_much_and_no_more() -> None:
    budget = RequestBudget()
    assert budget.admit(1_000)
    budget.spend(REQUEST_STEPS)
    assert budget.admit(1_000)
    budget.pay_for_reading(4_000, 1_000, 10)
    assert not budget.admit(1_000)
    assert not RequestBudget().admit(MOST_BYTES_EXAMINED + 1)


def test_full_games_cost_less_than_their_bytes_add() -> None:
    for way in STANDARD:
        budget, text = RequestBudget(), codec.encode(way.play(1, "greedy", deals=1))
        assert budget.admit(len(text))
        check(text, budget=budget)
        assert budget.left > REQUEST_STEPS, way


def test_variants_of_a_record_share_their_steps() -> None:
    record = play_hoarding_game("chinese-bezique", 39, labels=False)
    budget = StepBudget()
    budget.spend(MOST_STEPS_A_RECORD)
    validator = Validator(record, budget=budget)
    assert validator.match is not None
    assert validator.match.reading_budget.steps == 0
    assert validator.match.reading_budget.is_cut_short
