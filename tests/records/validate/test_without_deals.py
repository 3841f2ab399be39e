"""A record of nothing but a result is held against itself, and not against deals that nobody wrote."""

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
    seats = sheet.players[0]
    assert judged(sheet.id, None, seats) == ("incomplete", False, {"unfinished"})
    assert judged(sheet.id, Result(status="unfinished"), seats)[0] == "incomplete"
    assert judged(sheet.id, Result(status="complete"), seats) == (
        "undetermined",
        True,
        {"undetermined"},
    )
    game = resolve_sheet(sheet.id).sheet.game
    if isinstance(game, RaceTo):
        scores = [game.target, *[game.target - 50] * (seats - 1)]
        won = Result(status="complete", scores=scores, winner=0)
        assert judged(sheet.id, won, seats) == ("undetermined", True, {"undetermined"})
        lost = Result(status="complete", scores=scores, winner=1)
        assert "wrong-winner" in judged(sheet.id, lost, seats)[2]
