"""The seven of trumps: rulings A-01 to A-05, and A-44 for Zique."""

from itertools import permutations

import pytest

from records.replay import replay
from records.selfplay import play_game
from tests.make.tables import N, table

EXCHANGERS = ["bezique", "bezique-enhanced", "polish-bezique", "marjolet", "marjolet-oxford"]
OF_HELD_CARDS = [sheet for sheet in EXCHANGERS if sheet != "polish-bezique"]
SHOWERS = ["bezique", "bezique-enhanced", "polish-bezique"]
WON = "N: 7S KH 9D | S: 8H 8D 8C | trump S | turn-up AS | stock 5 | N won"
TWO = "N: 7S 7S KH 9D | S: 8H 8D 8C 9C | trump S | turn-up AS | stock 9 | N won"


DEALT_SIX = "N: AS KS QS JS 9S 8S | S: AH KH QH JH 9H 8H | S deals afresh"
DEALT_EIGHT = "N: AS KS QS JS 9S 8S KD 9D | S: AH KH QH JH 9H 8H AD 8D | S deals afresh"


@pytest.mark.parametrize("sheet", EXCHANGERS)
def test_the_dealer_scores_ten_for_a_seven_turned_up(sheet):
    dealt = DEALT_SIX if sheet.startswith("marjolet") else DEALT_EIGHT
    told = table(f"{dealt} | turn-up 7C", "S scores turned_seven 10", sheet=sheet)
    assert told.codes == []
    assert told.points == [0, 10]


def test_zique_pays_nothing_for_a_seven_turned_up():
    told = table(f"{DEALT_EIGHT} | turn-up 7C", "S scores turned_seven 10", sheet="zique")
    assert (told.codes, told.awards) == (["score-not-earned"], [])


@pytest.mark.parametrize("sheet", EXCHANGERS)
def test_but_not_for_another_card_and_not_the_other_player(sheet):
    dealt = DEALT_SIX if sheet.startswith("marjolet") else DEALT_EIGHT
    told = table(f"{dealt} | turn-up 8C", "S scores turned_seven 10", sheet=sheet)
    assert told.codes == ["score-not-earned"]
    told = table(f"{dealt} | turn-up 7C", "N scores turned_seven 10", sheet=sheet)
    assert told.codes == ["score-not-earned"]


@pytest.mark.parametrize(("dix", "points"), [(False, 0), (True, 10)])
def test_in_zique_only_by_the_option(dix, points):
    told = table(f"{DEALT_EIGHT} | turn-up 7C", sheet="zique", dix=dix)
    assert told.points == [0, points]


@pytest.mark.parametrize("sheet", ["marjolet", "marjolet-oxford"])
def test_a01_in_one_pack_the_seven_turned_up_is_the_only_one(sheet):
    position = WON.replace("7S", "9S").replace("AS", "7S")
    told = table(position, "N dix exchange 10", sheet=sheet)
    assert "nothing-to-exchange" in told.codes
    assert told.points == [0, 0]


@pytest.mark.parametrize("sheet", SHOWERS)
def test_a01_a_seven_turned_up_is_not_exchanged_for_another(sheet):
    position = WON.replace("AS", "7S")
    assert table(position, "N dix exchange 10", sheet=sheet).codes == ["nothing-to-exchange"]


@pytest.mark.parametrize("sheet", SHOWERS)
def test_a01_the_seven_in_hand_scores_when_it_is_shown_or_played(sheet):
    position = WON.replace("AS", "7S")
    assert table(position, "N dix show 10", sheet=sheet).points == [10, 0]
    drawn = "N draws JC, S draws QC, N 7S, N dix play 10"
    told = table(position, drawn, sheet=sheet)
    assert told.codes == []
    assert told.points == [10, 0]


@pytest.mark.parametrize("sheet", SHOWERS)
def test_a01_nor_is_the_seven_that_was_exchanged(sheet):
    told = table(TWO, "N dix exchange 10, N dix exchange 10", sheet=sheet)
    assert told.codes == ["nothing-to-exchange"]


@pytest.mark.parametrize("sheet", EXCHANGERS)
def test_a02_a_seven_turned_up_has_scored_when_the_loser_draws_it(sheet):
    position = "N: KH 9D | S: 8D 8H | trump S | turn-up 7S | stock 1 | N won"
    told = f"{'N draws JC, S draws 7S, N 9D, S 8D, N KH, S 8H, N JC, S 7S'}"
    assert table(position, told, sheet=sheet).scored("dix") == []
    claimed = table(position, f"{told}, S dix play 10", sheet=sheet)
    assert claimed.codes == ["dix-spent"]


@pytest.mark.parametrize("sheet", ["bezique", "marjolet"])
def test_a02_no_more_sevens_score_than_there_are_from_the_deal_to_the_last_trick(sheet):
    """Whole deals: the seven turned up is drawn at the end and played, and has scored."""
    copies, ended = {"bezique": 2, "marjolet": 1}[sheet], 0
    for seed in range(60):
        game = play_game(sheet, seed=seed, deals=1)
        if game.deals[0].turn_up[0] == "7":
            *_, last = replay(game)
            scored = [
                award for award in last.table.awards if award.source in ("turned_seven", "dix")
            ]
            assert len(scored) == copies
            ended += 1
    assert ended >= 4


@pytest.mark.parametrize("sheet", EXCHANGERS)
def test_a02_so_has_one_that_was_exchanged(sheet):
    position = "N: 7S 9D | S: 8D 8H | trump S | turn-up AS | stock 1 | N won"
    told = table(
        position, "N dix exchange 10, N draws JC, S draws 7S, N 9D, S 8D, N AS, S 7S", sheet=sheet
    )
    assert told.codes == []
    assert told.scored("dix") == [(N, 10)]


@pytest.mark.parametrize("sheet", SHOWERS)
@pytest.mark.parametrize("again", ["N dix show 10", "N dix exchange 10"])
def test_a02_a_seven_shown_is_spent(sheet, again):
    assert table(WON, f"N dix show 10, {again}", sheet=sheet).codes == ["dix-spent"]


@pytest.mark.parametrize("sheet", OF_HELD_CARDS)
def test_a02_not_if_the_exchange_was_illegal_and_counted_nothing(sheet):
    position = "N: KH 9D | S: 7S 8H | trump S | turn-up AS | stock 1 | N won"
    told = table(
        position,
        "S dix exchange 10, N draws JC, S draws 7S, N 9D, S 7S, S dix play 10",
        sheet=sheet,
    )
    assert told.codes == ["dix-out-of-window"]
    assert told.scored("dix") == [(1, 10)]


@pytest.mark.parametrize("sheet", SHOWERS)
def test_a02_and_scores_no_more_when_played(sheet):
    played = "N dix show 10, N draws JC, S draws QC, N 7S"
    told = table(WON, played, sheet=sheet)
    assert told.codes == []
    assert told.points == [10, 0]
    assert table(WON, f"{played}, N dix play 10", sheet=sheet).codes == ["dix-spent"]


@pytest.mark.parametrize("sheet", SHOWERS)
def test_a02_two_sevens_score_twice(sheet):
    told = table(TWO, "N dix exchange 10, N dix show 10", sheet=sheet)
    assert told.codes == []
    assert told.points == [20, 0]
    assert table(TWO, "N dix show 10, N dix show 10", sheet=sheet).points == [20, 0]


@pytest.mark.parametrize("sheet", SHOWERS)
def test_a02_and_not_three_times(sheet):
    told = table(
        TWO,
        "N dix show 10, N dix show 10, N draws JC, S draws QC, N 7S, N dix play 10",
        sheet=sheet,
    )
    assert told.codes == ["dix-spent"]


@pytest.mark.parametrize("sheet", SHOWERS)
@pytest.mark.parametrize("first", [True, False])
def test_a02_of_two_like_sevens_one_shown_either_may_be_played_first(sheet, first):
    """The record says at which play the 10 were claimed; both orders are possible."""
    position = "N: 7S 7S KH AD | S: 8H 8D 8C 9C | trump S | turn-up AS | stock 9 | N won"
    claims = ["N dix play 10, ", ""] if first else ["", "N dix play 10, "]
    told = table(
        position,
        f"N dix show 10, N draws JC, S draws QC, N 7S, {claims[0]} S 8H, N draws JD, S draws QD,"
        f" N 7S, {claims[1]} S 8D",
        sheet=sheet,
    )
    assert told.codes == []
    assert told.points == [20, 0]


@pytest.mark.parametrize("sheet", SHOWERS)
def test_a02_without_a_claim_it_is_the_one_that_scores(sheet):
    position = "N: 7S 7S KH AD | S: 8H 8D 8C 9C | trump S | turn-up AS | stock 9 | N won"
    told = table(position, "N dix show 10, N draws JC, S draws QC, N 7S, S 8H", sheet=sheet)
    assert told.codes == []
    assert told.points == [20, 0]


@pytest.mark.parametrize("sheet", SHOWERS)
def test_a02_the_spent_one_is_exchanged_where_nothing_is_claimed(sheet):
    told = table(
        TWO,
        "N dix show 10, N dix exchange 0, N draws JC, S draws QC, N 7S, N dix play 10",
        sheet=sheet,
    )
    assert told.codes == []
    assert told.points == [20, 0]


@pytest.mark.parametrize("sheet", SHOWERS)
def test_a02_a_seven_shown_for_nothing_is_the_fresh_one_with_a_wrong_number(sheet):
    told = table(TWO, "N dix show 10, N dix show 0", sheet=sheet)
    assert told.codes == ["wrong-dix-points"]
    assert told.points == [20, 0]


@pytest.mark.parametrize("sheet", SHOWERS)
def test_a02_labels_say_which_of_the_two_was_played(sheet):
    position = "N: 7S.1 7S.2 KH.1 | S: 8H.1 8D.1 8C.1 | trump S | turn-up AS.1 | stock 9 | N won"
    shown = "N dix show 7S.1 10, N draws JC.1, S draws QC.1"
    assert table(position, f"{shown}, N 7S.2, N dix play 7S.2 10", sheet=sheet).codes == []
    assert table(position, f"{shown}, N 7S.1, N dix play 7S.1 10", sheet=sheet).codes == [
        "dix-spent"
    ]


@pytest.mark.parametrize("sheet", EXCHANGERS)
def test_the_ten_for_a_played_seven_is_earned_without_a_claim(sheet):
    position = "N: 7S KH | S: 8H 8D | trump S | turn-up AS | stock 5 | N leads"
    assert table(position, "N 7S", sheet=sheet).points == [10, 0]


@pytest.mark.parametrize("sheet", EXCHANGERS)
def test_whether_or_not_it_takes_the_trick(sheet):
    position = "N: KH JS | S: 7S 8D | trump S | turn-up AS | stock 5 | N leads"
    assert table(position, "N JS, S 7S, S dix play 10, N takes", sheet=sheet).points == [0, 10]


@pytest.mark.parametrize("sheet", EXCHANGERS)
def test_a_seven_of_another_suit_is_no_dix(sheet):
    position = "N: 7H KH | S: 8H 8D | trump S | turn-up AS | stock 5 | N leads"
    told = table(position, "N 7H, N dix play 10", sheet=sheet)
    assert told.codes == ["dix-not-played"]
    assert told.points == [0, 0]


@pytest.mark.parametrize("sheet", EXCHANGERS)
def test_a03_an_unspent_seven_scores_after_the_close_too(sheet):
    position = "N: 7S KH | S: 8H 8D | trump S | N leads"
    told = table(position, "N 7S, N dix play 10", sheet=sheet)
    assert told.codes == []
    assert told.points == [10, 0]


@pytest.mark.parametrize("sheet", EXCHANGERS)
def test_a03_the_option_dix_in_last_tricks(sheet):
    closed = "N: 7S KH | S: 8H 8D | trump S | N leads"
    assert table(closed, "N 7S", sheet=sheet, dix_in_last_tricks=False).points == [0, 0]
    told = table(closed, "N 7S, N dix play 10", sheet=sheet, dix_in_last_tricks=False)
    assert told.codes == ["dix-not-in-rules"]
    still_open = "N: 7S KH | S: 8H 8D | trump S | turn-up AS | stock 1 | N leads"
    assert table(still_open, "N 7S", sheet=sheet, dix_in_last_tricks=False).points == [10, 0]


@pytest.mark.parametrize("act", ["N dix exchange 10", "N dix show 10"])
def test_a04_in_bezique_enhanced_exchanged_or_shown_or_played(act):
    assert table(WON, act, sheet="bezique-enhanced").points == [10, 0]
    played = "N draws JC, S draws QC, N 7S, N dix play 10"
    assert table(WON, played, sheet="bezique-enhanced").points == [10, 0]


@pytest.mark.parametrize("sheet", ["bezique-enhanced", "polish-bezique"])
def test_a04_shown_after_a_closed_trick_won_too(sheet):
    position = "N: 7S KH AD | S: 8H 8D 9C | trump S | N leads"
    told = table(position, "N AD, S 8D, N dix show 10", sheet=sheet)
    assert told.codes == []
    assert told.points == [10, 0]


def test_a04_in_bezique_nothing_is_declared_after_the_close():
    position = "N: 7S KH AD | S: 8H 8D 9C | trump S | N leads"
    told = table(position, "N AD, S 8D, N dix show 10", sheet="bezique")
    assert told.codes == ["dix-out-of-window"]
    assert table(position, "N AD, S 8D", sheet="bezique").choices.dix == []


@pytest.mark.parametrize("sheet", ["marjolet", "marjolet-oxford"])
def test_a04_in_marjolet_it_is_exchanged_or_played_and_not_shown(sheet):
    assert table(WON, "N dix show 10", sheet=sheet).codes == ["dix-not-in-rules"]
    assert table(WON, "N dix exchange 10", sheet=sheet).points == [10, 0]


@pytest.mark.parametrize("sheet", ["marjolet", "marjolet-oxford"])
def test_an_exchange_comes_before_between_or_after_the_melds(sheet):
    position = "N: 7S KH QH KD QD | S: 8H 8D | trump S | turn-up AS | stock 9 | N won"
    acts = ["N dix exchange 10", "N melds marriage KH QH 20", "N melds marriage KD QD 20"]
    for order in permutations(acts):
        assert table(position, ", ".join(order), sheet=sheet).points == [50, 0]


@pytest.mark.parametrize("sheet", OF_HELD_CARDS)
def test_a05_exchange_then_meld_with_the_card_gained(sheet):
    position = "N: 7S QS 9D | S: 8H 8D 8C | trump S | turn-up KS | stock 5 | N won"
    told = table(position, "N dix exchange 10, N melds marriage KS QS 40", sheet=sheet)
    assert told.codes == []
    assert told.points == [50, 0]


@pytest.mark.parametrize("sheet", EXCHANGERS)
@pytest.mark.parametrize(
    "told",
    [
        "N dix exchange 10",
        "N KH, N dix exchange 10",
        "N KH, S 8H, N draws JC, N dix exchange 10",
        "N KH, S AH, N dix exchange 10",
        "N KH, S 8H, N draws JC, S draws QC, N dix exchange 10",
    ],
)
def test_an_exchange_comes_after_winning_a_trick_and_before_drawing(sheet, told):
    position = "N: 7S KH 9D | S: 8H AH 8C | trump S | turn-up AS | stock 5 | N leads"
    assert table(position, told, sheet=sheet).codes == ["dix-out-of-window"]
    assert table(position, "N KH, S 8H, N dix exchange 10", sheet=sheet).codes == []


@pytest.mark.parametrize("sheet", EXCHANGERS)
def test_a07_the_last_chance_to_exchange_is_after_the_last_open_trick(sheet):
    position = "N: 7S KH 9D | S: 8H 8D 8C | trump S | turn-up AS | stock 1 | N won"
    told = table(position, "N dix exchange 10, N draws JC, S draws 7S", sheet=sheet)
    assert told.codes == []
    assert told.position.phase == "close"


@pytest.mark.parametrize("sheet", EXCHANGERS)
def test_nothing_is_left_to_exchange_after_the_close(sheet):
    position = "N: 7S KH AD | S: 8H 8D 9C | trump S | N leads"
    told = table(position, "N AD, S 8D, N dix exchange 10", sheet=sheet)
    assert told.codes == ["nothing-to-exchange"]


def test_nobody_exchanges_a_seven_he_has_not():
    told = table(WON.replace("7S", "8S"), "N dix exchange 10")
    assert told.codes == ["dix-not-held"]
    assert told.findings[0].expected is None


ZIQUE = "N: 7S KH 9D | S: 7S 8D 8C | trump S | turn-up AS | stock 5 | N leads"


@pytest.mark.parametrize("act", ["N dix show 10", "N dix exchange 10"])
def test_a44_zique_has_no_dix_without_its_options(act):
    assert table(ZIQUE, act, sheet="zique").codes == ["dix-not-in-rules"]


def test_a44_a_played_seven_scores_nothing():
    assert table(ZIQUE, "N 7S", sheet="zique", dix=True).points == [0, 0]


@pytest.mark.parametrize(
    "when",
    [
        "",
        "N KH",
        "N KH, S 8D",
        "N KH, S 8D, N draws JC",
        "N KH, S 8D, N draws JC, S draws QC, N JC",
    ],
)
@pytest.mark.parametrize("seat", "NS")
def test_a44_an_unspent_seven_is_shown_at_any_time(when, seat):
    told = table(ZIQUE, f"{when}, {seat} dix show 10", sheet="zique", dix=True)
    assert told.codes == []
    assert told.points == ([10, 0] if seat == "N" else [0, 10])


def test_a44_after_the_close_too():
    position = "N: 7S KH AD | S: 8H 8D 9C | trump S | N leads"
    assert table(position, "N dix show 10", sheet="zique", dix=True).points == [10, 0]
    assert table(position, "N AD, N dix show 10", sheet="zique", dix=True).codes == []


def test_a02_a44_once_for_each_seven():
    told = table(ZIQUE, "N dix show 10, S dix show 10", sheet="zique", dix=True)
    assert told.points == [10, 10]
    assert table(ZIQUE, "N dix show 10, N dix show 10", sheet="zique", dix=True).codes == [
        "dix-spent"
    ]


@pytest.mark.parametrize(("options", "points"), [({"dix": True}, 10), ({}, 0)])
def test_a44_exchanging_shows_it(options, points):
    told = table(ZIQUE, f"N dix exchange {points}", sheet="zique", dix_exchange=True, **options)
    assert told.codes == []
    assert told.points == [points, 0]
    assert told.hands[N] == ["9D", "AS", "KH"]
    assert told.position.turn_up == "7S"


def test_a44_a_spent_seven_is_still_exchanged_for_nothing():
    both = {"sheet": "zique", "dix": True, "dix_exchange": True}
    told = table(ZIQUE, "N dix show 10, N dix exchange 0", **both)
    assert told.codes == []
    assert told.points == [10, 0]
    told = table(ZIQUE, "N dix show 10, N dix exchange 10", **both)
    assert told.codes == ["wrong-dix-points"]


@pytest.mark.parametrize("when", ["", "N KH", "N KH, S 8D", "N KH, S 8D, N draws JC"])
@pytest.mark.parametrize("seat", "NS")
def test_a44_exchanged_at_any_time_until_the_turn_up_is_drawn(when, seat):
    told = table(ZIQUE, f"{when}, {seat} dix exchange 0", sheet="zique", dix_exchange=True)
    assert told.codes == []
    last = "N: 7S KH | S: 8D 8C | trump S | turn-up AS | stock 1 | N won"
    drawn = "N draws JC, S draws AS, N dix exchange 0"
    told = table(last, drawn, sheet="zique", dix_exchange=True)
    assert told.codes == ["nothing-to-exchange"]


def test_a44_between_the_last_two_draws():
    last = "N: 7S KH | S: 8D 8C | trump S | turn-up AS | stock 1 | N won"
    told = table(last, "N draws JC, N dix exchange 0, S draws 7S", sheet="zique", dix_exchange=True)
    assert told.codes == []
    assert told.hands == [["AS", "JC", "KH"], ["7S", "8C", "8D"]]


def test_a01_a44_never_for_a_seven_turned_up():
    position = ZIQUE.replace("AS", "7S").replace("S: 7S", "S: 9S")
    told = table(position, "N dix exchange 0", sheet="zique", dix_exchange=True)
    assert told.codes == ["nothing-to-exchange"]


def test_a44_only_for_the_original_turn_up():
    told = table(ZIQUE, "N dix exchange 0, S dix exchange 0", sheet="zique", dix_exchange=True)
    assert told.codes == ["nothing-to-exchange"]


def test_a44_the_seven_turned_up_has_scored_for_its_dealer():
    position = "N: KH 9D | S: 8D 8C | trump S | turn-up 7S | stock 1 | N won"
    told = table(position, "N draws JC, S draws 7S, S dix show 10", sheet="zique", dix=True)
    assert told.codes == ["dix-spent"]


def test_what_cannot_be_exchanged_stays_in_the_hand():
    """After the close nothing lies under the stock: the seven is not gone, and may be played."""
    position = "N: 7C 9S | S: 9H 9D | trump C | N won"
    told = table(position, "N dix exchange 10, N 7C, S 9H, N takes, N 9S, S 9D")
    told.only("nothing-to-exchange")
    assert told.report.verdict == "illegal"


def test_a_dix_where_there_is_none_hides_no_seven():
    position = "N: 7C 9S | S: 8D 9D | trump C | stock 2 | N won"
    told = table(position, "N dix exchange 10", sheet="rubicon-bezique")
    told.only("dix-not-in-rules")
    assert told.hands[N] == ["7C", "9S"]
