"""A record of nothing but a result is held against itself, and not against deals that nobody wrote."""

from itertools import product
from typing import Any

import msgspec
import pytest

from records.record import Player, Record, Result, Rules
from records.rules.registry import ALL_SHEETS, resolve_sheet
from records.rules.vocabulary import RaceTo
from records.validator import check_record


def judged(sheet: str, result: Result | None, seats: int) -> tuple[str, bool, set[str]]:
    players = [Player(name=name) for name in ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn")[:seats]]
    record = Record(
        format="bezique-record",
        version="1.0",
        rules=Rules(id=sheet),
        players=players,
        result=result,
    )
    report = check_record(record)
    return report.verdict, report.finished, {finding.code for finding in report.findings}


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_a_result_alone_is_believed(sheet) -> None:
    seats = sheet.rules.players[0]
    assert judged(sheet.id, None, seats) == ("incomplete", False, {"unfinished"})
    assert judged(sheet.id, Result(status="unfinished"), seats)[0] == "incomplete"
    assert judged(sheet.id, Result(status="complete"), seats) == (
        "undetermined",
        True,
        {"undetermined"},
    )
    game = resolve_sheet(sheet.id).sheet.rules.match
    if isinstance(game, RaceTo):
        target = game.target[seats]
        scores = [target, *[target - 50] * (seats - 1)]
        won = Result(status="complete", scores=scores, winner=0)
        assert judged(sheet.id, won, seats) == ("undetermined", True, {"undetermined"})
        lost = Result(status="complete", scores=scores, winner=1)
        assert "wrong-winner" in judged(sheet.id, lost, seats)[2]


STATUSES: tuple[Any, ...] = (None, "complete", "unfinished", "abandoned")
WINNERS: tuple[Any, ...] = (msgspec.UNSET, None, 0)
SETTLEMENTS = (None, [800, 0])


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_a_match_is_finished_if_its_result_says_so(sheet) -> None:
    """The status decides; where it is left out, an outcome that is named does, of either kind."""
    for status, winner, settlement in product(STATUSES, WINNERS, SETTLEMENTS):
        result = Result(status=status, winner=winner, settlement=settlement)
        named = winner is not msgspec.UNSET or settlement is not None
        ended = status == "complete" or (status is None and named)
        assert judged(sheet.id, result, sheet.rules.players[0])[1] == ended, result


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_no_winner_has_fewer_points_than_another(sheet) -> None:
    """Also below the target, where the players may have agreed on another one."""
    scores = [100, 200, *[50] * (sheet.rules.players[0] - 2)]
    _, _, codes = judged(sheet.id, Result(scores=scores, winner=0), sheet.rules.players[0])
    assert "wrong-winner" in codes
