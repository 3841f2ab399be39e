"""The options of the dix: an exchange that is the trick's meld (A-05), a dix that scores again (A-02)."""

from tests.make.tables import table

WON = "N: 7S KH QH 9D | S: 8H 8D 8C 9C | trump S | turn-up AS | stock 9 | N won"
MELD, EXCHANGE = "N melds marriage KH QH 20", "N dix exchange 10"


def test_a05_an_exchange_leaves_the_meld():
    assert table(WON, f"{EXCHANGE}, {MELD}").codes == []
    assert table(WON, f"{MELD}, {EXCHANGE}").codes == []


def test_a05_an_exchange_that_is_the_meld_leaves_none():
    assert table(WON, EXCHANGE, exchange_is_the_meld=True).codes == []
    assert table(WON, f"{EXCHANGE}, {MELD}", exchange_is_the_meld=True).codes == ["too-many-melds"]


def test_a05_after_a_meld_no_exchange_is_left_that_would_be_one():
    told = table(WON, f"{MELD}, {EXCHANGE}", exchange_is_the_meld=True)
    assert told.codes == ["too-many-melds"]
    assert table(WON, MELD, exchange_is_the_meld=True).choices.dix == ["show"]


BACK = "N: 7S KH | S: 8H 9C | trump S | turn-up AS | stock 1 | N won"
PLAYED = f"{EXCHANGE}, N draws 8D, S draws 7S, N KH, S 8H, N takes, N 8D, S 7S, S dix play 10"


def test_a02_a_dix_exchanged_and_drawn_again_is_spent():
    assert table(BACK, PLAYED).codes == ["dix-spent"]


def test_a02_by_the_option_it_scores_whenever_it_is_played():
    assert table(BACK, PLAYED, dix_once_per_card=False).codes == []


def test_a02_by_the_option_it_is_still_not_shown_again():
    shown = "N: 7S KH | S: AH 9C | trump S | turn-up AS | stock 1 | N won"
    told = table(
        shown,
        f"{EXCHANGE}, N draws 8D, S draws 7S, N KH, S AH, S takes, S dix show 10",
        sheet="bezique-enhanced",
        dix_once_per_card=False,
    )
    assert told.codes == ["dix-spent"]


def test_a_seven_that_came_by_an_exchange_was_not_turned_up():
    assert table(WON, f"{EXCHANGE}, S scores turned_seven 10").codes == ["score-not-earned"]
