"""Deals of one world that become alike are played on once, and end as if each had been played alone."""

from random import Random

import pytest

from analyzer.play import base_player, greedy
from analyzer.play.greedy import make_choice
from analyzer.play.shared_ends import play_out_together, table_of
from analyzer.play.worlds import choices_of, do_choice
from analyzer.review.winning import DealEnd
from records.rules.registry import ALL_SHEETS
from tests.analyzer.play.test_base_player import deals_of

SHEETS = [sheet.id for sheet in ALL_SHEETS if sheet.rules.tableau is None]


@pytest.mark.long
@pytest.mark.parametrize("players", [base_player, greedy])
@pytest.mark.parametrize("sheet", SHEETS)
def test_what_is_played_once_ends_as_if_each_had_been_played_alone(
    sheet: str, players: object
) -> None:
    play_out = base_player.play_out if players is base_player else greedy.play_out
    random, choices = Random(sheet), 0
    for deal in deals_of(sheet, 3, seed=7):
        deal.paired = True
        for _ in range(random.randrange(40)):
            make_choice(deal, base_player.next_choice(deal))
        alone, together = list[DealEnd](), list[DealEnd]()
        twins = []
        for choice in choices_of(deal):
            twin = deal.copy()
            do_choice(twin, choice)
            twins.append(twin.copy())
            play_out(twin, greedy.WHOLE_DEAL)
            alone.append(DealEnd.of(twin))
        play_out_together(twins, play_out)
        together = [DealEnd.of(twin) for twin in twins]
        assert together == alone
        assert all(twin.over and twin.window is None for twin in twins)
        choices += len(alone)
    assert choices > 3


def test_tables_are_alike_whatever_was_scored_on_the_way() -> None:
    (deal,) = deals_of("bezique", 1)
    twin = deal.copy()
    twin.points[0], twin.brisques[1] = 40, 3
    assert table_of(twin) == table_of(deal)
    twin.hands[0] ^= twin.hands[0] & -twin.hands[0]
    assert table_of(twin) != table_of(deal)
