"""Lines that end their deal: what they tell of the match is what its rules say."""

from functools import cache
from html import unescape
from pathlib import Path

import pytest

from records.format import codec
from records.record import Record
from records.rules.registry import ALL_SHEETS, resolve_rules, resolve_sheet
from records.rules.vocabulary import GameEnd, OneDeal, RaceTo
from records.selfplay import play_game
from records.validator import check
from tests.make.stored_games import store_game
from webui.replay.what_if import TriedLine, events_for_url, finish_line, try_line, write_line

SAMPLES = sorted((Path(__file__).parents[2] / "samples" / "good").glob("*.json"))
RACES = [
    sheet.id for sheet in ALL_SHEETS
    if isinstance(sheet.rules.match, RaceTo) and sheet.rules.match.end is not GameEnd.AT_ONCE
]  # fmt: skip


@cache
def sample(path: Path) -> Record:
    return codec.decode(path.read_bytes()).record


@cache
def played(sheet: str, seed: int) -> Record:
    return play_game(sheet, seed=seed, style="casual")


def followed(record: Record, number: int, start: int, **how: object) -> TriedLine:
    """The record's own moves from a step of a deal to its end, as a line."""
    line, _ = events_for_url(record.deals[number].events[start:])
    return try_line(record, resolve_rules(record.rules), number, start, line, **how)


def assert_tells_own_result(record: Record, start: int) -> None:
    report = check(codec.encode(record))
    assert report.finished, "the test needs a game that was played to its end"
    found = followed(record, len(record.deals) - 1, start)
    assert found.match is not None
    assert found.match.is_over
    assert found.match.scores == report.scores
    assert found.match.winner == report.winner
    assert found.match.settlement == report.settlement
    stated = record.result
    assert stated is not None
    assert found.match.scores == stated.scores
    assert found.match.winner == stated.winner
    said = " ".join(found.deal.outcome)
    if report.winner is None:
        assert "Nobody wins the match" in said
    else:
        sides = record.sides or [[seat] for seat in range(len(record.players))]
        names = " and ".join(record.players[seat].name for seat in sides[report.winner])
        assert f"{names} win" in said.replace(", ", " and ")
        assert f"{max(report.scores):,}" in said or report.settlement


@pytest.mark.long
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_own_moves_of_a_sample_lead_to_its_own_result(path):
    record = sample(path)
    for start in (0, len(record.deals[-1].events) // 2, len(record.deals[-1].events) - 2):
        assert_tells_own_result(record, start)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS])
def test_the_own_moves_of_a_game_lead_to_its_own_result(sheet, seed):
    assert_tells_own_result(played(sheet, seed), 20 * seed)


@pytest.mark.long
def test_before_the_last_deal_a_line_tells_how_the_match_stands():
    record = next(game for game in map(sample, SAMPLES) if len(game.deals) > 2)
    totals = [0] * len(record.deals[0].claims.scores)
    for number, deal in enumerate(record.deals[:-1]):
        totals = [total + more for total, more in zip(totals, deal.claims.scores, strict=True)]
        found = followed(record, number, 5)
        assert not found.match.is_over
        assert found.match.scores == totals
        assert "In the match: " in found.deal.outcome[-1]


@pytest.mark.long
@pytest.mark.parametrize("sheet", RACES)
def test_a_tie_at_the_target_goes_on_and_a_point_more_wins(sheet):
    record = play_game(sheet, seed=3, deals=1)
    game = resolve_sheet(sheet).sheet.rules.match
    brought = followed(record, 0, 0, before=[0, 0]).match.scores
    tied = [2 * game.target[2] - points for points in brought]
    found = followed(record, 0, 0, before=tied)
    assert found.match.scores == [2 * game.target[2]] * 2
    assert (found.match.is_over, found.match.winner) == (False, None)
    assert found.deal.outcome[-1].endswith("Another deal decides.")
    for ahead in (0, 1):
        more = [points + 10 * (seat == ahead) for seat, points in enumerate(tied)]
        found = followed(record, 0, 0, before=more)
        assert (found.match.is_over, found.match.winner) == (True, ahead)


def test_a_line_that_has_not_ended_the_deal_tells_nothing_of_the_match():
    record = play_game("rubicon-bezique", seed=3)
    found = try_line(record, resolve_rules(record.rules), 0, 10, [])
    assert isinstance(resolve_sheet("rubicon-bezique").sheet.rules.match, OneDeal)
    assert found.match is None
    assert found.deal.outcome == []


def test_where_the_scores_before_the_deal_are_open_so_is_the_match():
    record = play_game("zique", seed=3, deals=2)
    found = followed(record, 1, 0, before=[None, None])
    assert found.why_none == "The deal is over."
    assert found.match is None


@pytest.mark.long
def test_the_page_tells_the_match_and_what_it_was_in_the_record(fresh_client, store):
    record = played("zique", 1)
    digest = store_game(store, record)
    number, start = len(record.deals), len(record.deals[-1].events) // 2
    address = f"/games/{digest}/deals/{number}/what-if"
    own, _ = events_for_url(record.deals[-1].events[start:])
    query = {"step": start, "line": write_line(own)}
    page = unescape(fresh_client.get(address, query_string=query).text)
    winner = record.players[record.result.winner].name
    high, low = max(record.result.scores), min(record.result.scores)
    told = f"<p>{winner} wins the match, {high:,} to {low:,} points.</p>"
    assert told in page
    assert "In the record: " not in page.split("what-if-panel")[0]
    match = fresh_client.get(f"{address}.json", query_string=query).json["match"]
    assert match["winner"] == record.result.winner
    other = try_line(record, resolve_rules(record.rules), number - 1, start, [])
    line = finish_line(
        record, resolve_rules(record.rules), number - 1, start, [other.choices[0].event]
    )
    query = {"step": start, "line": write_line(line)}
    page = unescape(fresh_client.get(address, query_string=query).text)
    assert f"In the record: {' '.join(followed(record, number - 1, start).deal.outcome)}" in page
