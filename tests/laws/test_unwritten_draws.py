"""A draw that a record does not write brings an unknown card, and the player may use it next."""

import pytest

from records.validator import check_record
from tests.make.tables import Told, table
from tests.make.turns import deal_of, record_of

TRICK = "N: 9D KH | S: 8D 7D | trump H | turn-up 9H | stock 9 | N leads"


@pytest.mark.parametrize("sheet", ["bezique", "polish-bezique", "zique"])
def test_the_card_drawn_unseen_may_be_led(sheet):
    told = table(TRICK, "N 9D, S 8D, N takes, N AC, S 7D", sheet=sheet, knowledge="public")
    assert told.codes == []
    assert told.report.verdict in ("undetermined", "incomplete")


def test_one_card_was_drawn_and_no_two():
    """Before the second trick's window one draw went unseen: the king of spades may be that card."""
    position = TRICK.replace("N: 9D KH", "N: 9D KH QS")
    won = "N 9D, S 8D, N takes, N KH, S 7D, N takes, N melds"
    assert table(position, f"{won} marriage KS QS 20", knowledge="public").codes == []
    table(position, f"{won} marriage KD QD 20", knowledge="public").only("meld-card-not-held")


def test_under_full_knowledge_the_missing_draw_is_the_fault_and_not_the_card():
    table(TRICK, "N 9D, S 8D, N takes, N AC, S 7D").only("draw-missing")


def test_a_meld_comes_before_the_draw():
    told = table(TRICK, "N 9D, S 8D, N takes, N melds marriage KH QH", knowledge="public")
    told.only("meld-card-not-held")


ZETEMA = "A: 2H 3H 4H 5H 6H | B: 2C 3C 4C 5C 6C | stock 20"


def test_zetema_the_card_drawn_unseen_may_be_discarded_or_combined():
    for told in (
        "A discards KD, B discards KC",
        "A melds flush_sequence 2H 3H 4H 5H 6H 7H 50, A discards 7H",
    ):
        deal = deal_of(ZETEMA, told)
        deal.knowledge = "public"
        assert Told(record_of(deal)).codes == []


def test_zetema_one_card_was_due_and_no_two():
    deal = deal_of(ZETEMA, "A melds assembly 7S 7S 7H 7D 7C 100")
    deal.knowledge = "public"
    Told(record_of(deal)).only("meld-card-not-held")


def test_zetema_under_full_knowledge_the_missing_draw_is_the_fault():
    Told(record_of(deal_of(ZETEMA, "A discards KD, B draws 7C, B discards 7C"))).only(
        "draw-missing"
    )


def test_zetema_a_written_stock_is_drawn_from():
    deal = deal_of(
        ZETEMA.replace("stock 20", "stock 2"), "A discards KD, B discards KC, A discards 2H"
    )
    deal.stock = ["KD", "KC"]
    report = check_record(record_of(deal))
    assert (report.findings[0].code, report.verdict) == ("unfinished", "incomplete")
    deal.stock = ["KC", "KD"]
    assert check_record(record_of(deal)).findings[0].code == "card-not-held"
