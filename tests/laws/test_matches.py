"""Matches of several deals in every rulebook: the dealer, the target, records that stop early or go on."""

import pytest
from msgspec.structs import replace

from records.record import Record
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import OneDeal
from records.selfplay import play_game
from records.validator import check_record
from tests.make.tables import deal_of, record_of

RACES = [sheet.id for sheet in ALL_SHEETS if not isinstance(sheet.rules.match, OneDeal)]
ONE_DEAL = [sheet.id for sheet in ALL_SHEETS if isinstance(sheet.rules.match, OneDeal)]
TARGETS = {
    "bezique": 1000, "bezique-enhanced": 1000, "polish-bezique": 1000, "marjolet": 500,
    "marjolet-oxford": 500, "zique": 800, "zetema": 300,
}  # fmt: skip
"""What wins a game, as the books have it; Zetema for two players."""
SIDES = [
    (2, None), (3, None), (4, None), (5, None), (6, None), (4, [[0, 2], [1, 3]]),
    (6, [[0, 2, 4], [1, 3, 5]]), (6, [[0, 3], [1, 4], [2, 5]]),
]  # fmt: skip
every = pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS])
races = pytest.mark.parametrize("sheet", RACES)


def game(sheet: str, seed: int = 1, **more: object) -> Record:
    return play_game(sheet, seed=seed, **more)


def codes(record: Record) -> list[str]:
    return [found.code for found in check_record(record).findings if found.severity != "note"]


def of_several_deals(sheet: str) -> Record:
    """A game that took more than one deal."""
    return next(record for seed in range(1, 20) if len((record := game(sheet, seed)).deals) > 1)


def last_tricks(sheet: str, *before: tuple[int, int]) -> Record:
    """Deals that are one last trick each, North's for 10 points, from positions with these scores."""
    deals = []
    for number, (north, south) in enumerate(before):
        deal = deal_of(f"N: KH | S: QH | trump C | scores {north} {south} | N leads", "N KH, S QH")
        deal.dealer = number % 2
        deals.append(deal)
    return record_of(deals, sheet=sheet)


def test_the_targets_are_those_of_every_race() -> None:
    assert set(TARGETS) == set(RACES)
    assert {sheet.id for sheet in ALL_SHEETS} - set(TARGETS) == set(ONE_DEAL)


@races
@pytest.mark.parametrize("seed", [1, 2])
def test_a11_deals_are_played_until_a_side_has_the_target_and_no_longer(sheet, seed):
    record = game(sheet, seed)
    report = check_record(record)
    assert report.verdict == "legal"
    assert max(report.scores) >= TARGETS[sheet]
    assert report.scores[report.winner] == max(report.scores)
    fewer = check_record(replace(record, deals=record.deals[:-1], result=None))
    assert len(record.deals) == 1 or max(fewer.scores) < TARGETS[sheet]


@pytest.mark.parametrize("sheet", ONE_DEAL)
def test_c15_one_deal_is_a_game(sheet):
    record = game(sheet)
    assert len(record.deals) == 1
    assert check_record(record).verdict == "legal"
    assert check_record(record).settlement is not None


@races
def test_a_record_that_stops_between_two_deals_is_incomplete(sheet):
    record = of_several_deals(sheet)
    stopped = replace(record, deals=record.deals[:-1], result=None)
    report = check_record(stopped)
    assert (report.verdict, report.winner) == ("incomplete", None)
    assert codes(stopped) == []


@every
def test_a_record_that_stops_in_a_deal_is_incomplete(sheet):
    record = game(sheet)
    last = record.deals[-1]
    cut = replace(last, events=last.events[: len(last.events) // 2], claims=None)
    stopped = replace(record, deals=[*record.deals[:-1], cut], result=None)
    report = check_record(stopped)
    assert (report.verdict, report.winner) == ("incomplete", None)
    assert codes(stopped) == []


@every
def test_a_record_that_says_it_is_complete_and_is_not(sheet):
    record = game(sheet)
    last = record.deals[-1]
    cut = replace(last, events=last.events[: len(last.events) // 2], claims=None)
    stopped = replace(record, deals=[*record.deals[:-1], cut])
    assert "wrong-status" in codes(stopped)


@every
def test_a_record_that_goes_on_after_the_game_was_won_has_a_finding_there(sheet):
    record = game(sheet)
    players = len(record.players)
    another = replace(record.deals[0], dealer=(record.deals[-1].dealer + 1) % players)
    longer = replace(record, deals=[*record.deals, another], result=None)
    (found,) = [f for f in check_record(longer).findings if f.code == "deal-after-game-won"]
    assert found.at.deal == len(record.deals)
    assert "deal-after-game-won" not in codes(record)


@pytest.mark.parametrize(("players", "sides"), SIDES)
def test_z6_also_with_more_players_and_with_partners(players, sides):
    record = game("zetema", 3, players=players, sides=sides)
    report = check_record(record)
    assert report.verdict == "legal"
    assert max(report.scores) >= (300 if players < 4 else 200)
    assert len(report.scores) == len(sides or range(players))
    another = replace(record.deals[0], dealer=(record.deals[-1].dealer + 1) % players)
    longer = replace(record, deals=[*record.deals, another], result=None)
    assert "deal-after-game-won" in codes(longer)


@races
def test_c2_the_deal_passes_to_the_next_player(sheet):
    record = of_several_deals(sheet)
    dealers = [deal.dealer for deal in record.deals]
    assert dealers == [(dealers[0] + i) % 2 for i in range(len(dealers))]
    first = record.deals[0]
    twice = replace(record, deals=[first, first], result=None)
    assert "wrong-dealer" in codes(twice)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_z1_the_deal_goes_round_the_table(players):
    record = game("zetema", 5, players=players)
    dealers = [deal.dealer for deal in record.deals]
    assert len(dealers) > 1
    assert dealers == [(dealers[0] + i) % players for i in range(len(dealers))]
    second = record.deals[1]
    for other in range(players):
        turned = replace(
            record, deals=[record.deals[0], replace(second, dealer=other)], result=None
        )
        assert ("wrong-dealer" in codes(turned)) == (other != dealers[1])


@pytest.mark.parametrize("sheet", [sheet for sheet in RACES if sheet != "zetema"])
def test_a11_more_than_one_side_over_the_target_and_equal_sides(sheet):
    target = TARGETS[sheet]
    for before, winner in (
        ((target - 20, target - 20), None),
        ((target - 10, target - 10), 0),
        ((target - 10, target + 10), 1),
        ((target, target + 10), None),
    ):
        report = check_record(last_tricks(sheet, before))
        assert (report.scores, report.winner) == ([before[0] + 10, before[1]], winner)
        assert report.verdict == ("incomplete" if winner is None else "legal")
    level = last_tricks(sheet, (target, target + 10), (0, 0))
    assert (check_record(level).winner, codes(level)) == (0, [])
    won = last_tricks(sheet, (target, target), (0, 0))
    assert codes(won) == ["deal-after-game-won"]
