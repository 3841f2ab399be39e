"""One draw of two is written, and nobody knows who took the trick: it may be the winner's or the loser's."""

import pytest

from records.validator import check_record
from tests.make.tables import deal_of, record_of, table

POSITION = "N: {seven} ?? | S: 8D JC | turn-up {turn_up} | stock 1 | N leads"
TRICK = "N ??, S 8D,"
"""A trick of an unknown card and the 8 of diamonds."""
CLAIMS = ("", "N takes,", "S takes,")


def seen(
    told: str, *, turn_up: str = "KH", seven: str = "9H", sheet: str = "marjolet"
) -> list[str]:
    """The codes found in what an onlooker saw of the trick, and of what came after it."""
    position = POSITION.format(turn_up=turn_up, seven=seven)
    options = {"dix": True, "dix_exchange": True} if sheet == "zique" else {}
    return table(position, f"{TRICK} {told}", sheet=sheet, knowledge="public", **options).codes


def in_order(told: str) -> str:
    """The verdict on the trick where the stock is the ace, the king and the queen of clubs."""
    position = POSITION.format(turn_up="KH", seven="9H").replace("stock 1", "stock 3")
    deal = deal_of(position, f"{TRICK} {told}")
    deal.knowledge, deal.stock = "public", ["AC", "KC", "QC"]
    return check_record(record_of([deal], sheet="marjolet")).verdict


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("drawn", ["N draws KH", "S draws KH", "N draws AC", "S draws AC"])
def test_it_may_be_the_last_card_face_down_or_the_turn_up(drawn, claim):
    assert seen(f"{claim} {drawn}") == []


@pytest.mark.parametrize("drawn", ["N draws 9H", "S draws 9H", "S draws JC"])
def test_it_is_none_that_somebody_holds(drawn):
    assert seen(drawn) == ["no-such-card-left"]


@pytest.mark.parametrize("token", ["?H", "K?", "??"])
def test_it_may_be_a_turn_up_known_in_part(token):
    assert seen("S draws KH", turn_up=token) == []


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("seat", ["N", "S"])
def test_it_is_the_first_or_the_second_card_of_a_stock_in_order(seat, claim):
    verdicts = [in_order(f"{claim} {seat} draws {card}") for card in ("AC", "KC", "QC")]
    assert verdicts == ["undetermined", "undetermined", "illegal"]


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_seven_shown_after_it_may_be_the_turn_up(claim):
    told = f"{claim} S draws ??, S dix show"
    assert seen(told, turn_up="7H", seven="7H", sheet="zique") == []


@pytest.mark.parametrize("claim", CLAIMS)
def test_the_turn_up_may_lie_there_after_it(claim):
    assert seen(f"{claim} S draws AC, N dix exchange", seven="7H", sheet="zique") == []


@pytest.mark.parametrize("stock", [["KC", "TC"], ["TC", "KC"]])
def test_either_has_drawn_the_card_without_court_from_a_stock_in_order(stock):
    deal = deal_of(
        "S deals afresh | N: 7S 8S 9S TS AS 7H 8H 9H ?? | S: 7C 8C 9C QC QC KC KC KC ??",
        "N shows carte_blanche, N ??, S ??, N shows carte_blanche",
    )
    deal.knowledge, deal.stock = "public", [*stock, *["??"] * 108]
    assert check_record(record_of([deal], sheet="rubicon-bezique")).verdict == "undetermined"
