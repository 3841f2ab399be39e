"""What no player would believe is not tried by the expert; all that is near by stays."""

from functools import partial

import pytest

from analyzer.play.expert import ExpertPlayer
from analyzer.play.seat_players import base_player_for
from analyzer.play.sensible_choices import sensible_choices
from analyzer.play.setting_up import fast_deal_at
from analyzer.play.worlds import choices_of
from records.cards import FACE_OF
from records.replay import replay
from records.rules.registry import get_sheet
from records.selfplay import play_game
from tests.make.tables import N, cut_down, deal_of, record_of
from tests.referee.implausible_play import count_patterns

OTHER_HAND = "KS 9S JD QD 8H TH KD QC"
EARLY, LATE = "trump C | turn-up 9C | stock 9", "trump C | turn-up 9C | stock 1"


def refused(position: str, told: str = "", sheet: str = "bezique") -> set[str]:
    """The faces, or what else may be chosen, that North does not try."""
    with cut_down():
        *_, frame = replay(record_of([deal_of(position, told)], sheet=sheet))
        deal = fast_deal_at(frame.table, (), viewer=N)
    deal.stock = [0] * frame.table.stock.left
    choices = choices_of(deal)
    names = deal.view.cards.names_of
    return {
        FACE_OF[names(choice.cards)[0]] if choice.what == "play" else choice.what
        for choice in choices
        if choice not in sensible_choices(deal, choices)
    }


@pytest.mark.parametrize(
    ("hand", "rest", "cards"),
    [
        ("AS 9H KD QS 8D 7C JS JH", f"{EARLY} | N replies to KH", {"AS"}),
        ("AS QH KD QS KS 7C JS JH", f"{EARLY} | N replies to KH", set()),
        ("AH 9H KD QS 8D 7C JS JD", f"{EARLY} | N replies to KH", set()),
        ("AC 9D 9H 8S KS JH TS KD", f"{EARLY} | N leads", {"AC"}),
        ("TC 9D 9H QS KS JH TS KD", f"{EARLY} | N leads", set()),
        ("AC 9D", f"{LATE} | N leads", set()),
        ("AS AH AD AC 9D KH 8D 7D", f"{EARLY} | N leads", {"AS", "AH", "AD", "AC"}),
        ("AS AS AH AD AC 9D 8D 7D", f"{EARLY} | N leads", set()),
        ("AS AH AD AC 9D KH 8D 7D", f"{EARLY} | N replies to TH", {"AS", "AD"}),
        ("AS AH AD AC QS KH KD JH", f"{EARLY} | N leads", set()),
        ("AC TC KC QC JC 9D 8D 7D", f"{EARLY} | N leads", {"AC", "TC", "KC", "QC", "JC"}),
    ],
)  # fmt: skip
def test_what_is_refused(hand: str, rest: str, cards: set[str]) -> None:
    assert refused(f"N: {hand} | S: {OTHER_HAND} | {rest}") == cards


@pytest.mark.parametrize(
    ("rest", "sheet", "held_back"),
    [
        (LATE, "bezique", {"hold_back"}),
        (EARLY, "bezique", set()),
        (LATE, "bezique-enhanced", set()),
    ],
)
def test_a_last_meld_is_not_held_back(rest: str, sheet: str, held_back: set[str]) -> None:
    position = f"N: AS KH QH | S: 7S 9D 8D | {rest} | N leads"
    assert refused(position, "N AS, S 7S, N takes", sheet) == held_back


def test_a_card_is_parted_with_where_its_meld_may_be_formed_again() -> None:
    lies = f"N: 9D 8D | N lays sequence AC TC KC QC JC | S: {OTHER_HAND} | trump C | stock 30 | N"
    assert refused(f"{lies} leads", sheet="rubicon-bezique") == set()
    assert refused(f"{lies} replies to AC", sheet="rubicon-bezique") == set()


@pytest.mark.slow
@pytest.mark.parametrize("sheet", ["bezique", "polish-bezique"])
def test_the_expert_plays_nothing_that_no_player_would_believe(sheet: str) -> None:
    """With few worlds much seems better than it is; the other player is not asked."""
    makers = {0: partial(ExpertPlayer, worlds=2), 1: base_player_for(get_sheet(sheet))}
    record = play_game(sheet, seed=53, deals=1, labels=True, seat_players=makers)
    assert (
        sum(number for (seat, _), number in count_patterns(record).times.items() if not seat) == 0
    )
