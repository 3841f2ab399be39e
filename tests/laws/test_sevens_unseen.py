"""A seven of trumps where draws or plays are not told: it may be the one that has scored, or another that nobody saw."""

import pytest

from records.events import Discard, Draw, Meld
from records.record import Deal
from records.validator import check_record
from tests.make.tables import deal_of, record_of, table

ZIQUE = {"dix": True, "dix_exchange": True}
FRESH = "N: 7H QS 9S JD JC 8D 8S 9D | S: 7D TS TC 7C AC 8C 8D KD | turn-up TH | S deals afresh"
SHOWN = "N 9S, N dix show 10, S 7C, N draws KS, S draws 8H,"
"""North shows a seven; what it plays next tells whether it still has that one."""


def seen(told: str, *, sheet: str = "zique", **options: bool) -> list[str]:
    """What is found in a deal of which the hands are known, and some draws and plays are not."""
    return table(FRESH, told, sheet=sheet, knowledge="public", **(options or ZIQUE)).codes


@pytest.mark.parametrize("points", ["", " 10"])
@pytest.mark.parametrize("option", [{"dix": True}, ZIQUE])
def test_a_second_seven_may_come_by_a_draw_that_is_not_written(points, option):
    told = f"N 9S, N dix show 10, S 7C, N dix show{points}"
    assert seen(told, **option) == []
    assert seen(f"{told}, N draws KS, S draws 8H", **option) == ["dix-spent"]


def test_by_a_stock_in_order_it_comes_only_if_it_lies_there():
    for cards, found in ((["7H", "9C"], False), (["9C", "7H"], True)):
        deal = deal_of(FRESH, "N 9S, N dix show 10, S 7C, N dix show 10")
        deal.knowledge, deal.stock = "public", [*cards, *["??"] * 45]
        codes = [f.code for f in check_record(record_of([deal], sheet="zique", **ZIQUE)).findings]
        assert ("dix-spent" in codes) is found


@pytest.mark.parametrize("points", ["", " 0", " 10"])
@pytest.mark.parametrize("card", ["??", "7?", "?H"])
def test_after_a_play_that_nobody_saw_either_may_be_exchanged(points, card):
    assert seen(f"{SHOWN} N {card}, S 7D, N dix exchange{points}") == []


def test_what_is_open_of_an_exchange_is_open_in_the_points():
    deal = deal_of(FRESH, f"{SHOWN} N ??, S 7D, N dix exchange 10")
    deal.knowledge = "public"
    claims = check_record(record_of([deal], sheet="zique", **ZIQUE)).reconciliation
    assert [(c.claimed, c.computed, c.status) for c in claims if c.what == "dix"] == [
        (10, 10, "equal"),
        (10, None, "open"),
    ]


def test_a_card_that_cannot_be_the_seven_leaves_nothing_open():
    told = f"{SHOWN} N ?S, S 7D, N draws JS, S draws 9C, N dix exchange"
    assert seen(f"{told} 10") == ["wrong-dix-points"]
    assert seen(f"{told} 0") == seen(told) == []


def test_by_the_option_one_seven_shown_and_played_scores_twice():
    position = FRESH.replace("7H", "9H")
    told = "N 9S, S 7C, N 9D, S 7D, N dix show 10, N 7H, N dix play 10, S 8C, N draws 7H"
    options = {"sheet": "polish-bezique", "knowledge": "public"}
    assert table(position, told, dix_once_per_card=False, **options).codes == []
    assert table(position, f"{told}, S draws 7H", dix_once_per_card=False, **options).codes == [
        "no-such-card-left"
    ]


@pytest.mark.parametrize("knowledge", ["full", "public"])
def test_of_two_held_the_one_shown_after_an_exchange_without_points_had_not_scored(knowledge):
    position = FRESH.replace("QS", "7H")
    told = "N dix show 10, N dix exchange, N dix show 10"
    shown = table(position, told, sheet="zique", knowledge=knowledge, **ZIQUE)
    assert (shown.codes, shown.points) == ([], [20, 0])


# -- several draws of one seat in a turn

CARDS = [
    "7H",
    "7C",
    *[
        "AS",
        "2S",
        "3S",
        "4S",
        "5S",
        "6S",
        "7S",
        "8S",
        "9S",
        "TS",
        "JS",
        "QS",
        "KS",
        "AH",
        "4H",
        "5H",
        "6H",
        "8H",
        "9H",
        "TH",
        "JH",
        "AD",
        "2D",
        "3D",
        "5D",
    ],
]
CARDS += [
    "7D",
    "TD",
    "JD",
    "QD",
    "KD",
    "AC",
    "6C",
    "8C",
    "9C",
    "TC",
    "JC",
    "QC",
    "KC",
    "AS",
    "2S",
    "3S",
    "4S",
    "5S",
    "6S",
    "7S",
    "8S",
    "9S",
    "TS",
    "JS",
    "QS",
    "KS",
]


@pytest.mark.parametrize(
    ("drawn", "codes"),
    [(["7H"], []), (["7C"], []), (["7H", "7C"], []), (["AS"], ["wrong-card-drawn"]), ([], [])],
)
def test_of_two_draws_due_in_zetema_either_may_be_written_alone(drawn, codes):
    hands = [["KH", "QH", "2H", "3H", "4D", "5C"], ["2C", "3C", "4C", "6D", "8D", "9D"]]
    events = [Meld(seat=0, meld="marriages", cards=["KH", "QH"]), Discard(seat=1, card="2C")]
    events += [Draw(seat=0, card=card) for card in drawn]
    for thrown in ("7H", "7C") if not codes else ("2H",):
        deal = Deal(dealer=1, knowledge="public", hands=hands, stock=CARDS)
        deal.events = [*events, Discard(seat=0, card=thrown)]
        report = check_record(record_of([deal], sheet="zetema"))
        assert [f.code for f in report.findings if f.severity == "illegal"] == codes


# -- an exchange by which nobody learns the trump suit


@pytest.mark.parametrize("copies", ["7C 7C", "7C.1 7C.2"])
def test_a_seven_exchanged_may_be_drawn_by_the_other_though_every_copy_was_seen(copies):
    first, *_ = copies.split()
    hands = f"N: {copies} 9S | S: 8C 9D TD | turn-up T? | stock 1 | N won"
    told = f"N dix exchange, N 9S, S 8C, S {first}"
    assert table(hands, told, sheet="bezique", knowledge="public").codes == []
    assert table(hands.replace("T?", "TS"), told, sheet="bezique", knowledge="public").codes != []


@pytest.mark.parametrize("points", ["", " 0"])
def test_a_seven_shown_has_scored_though_melds_may_be_missing(points):
    """By its label it is the same seven, which earns nothing more in exchange."""
    deal = deal_of(FRESH.replace("7H", "7H.2"), f"N dix show 7H.2 10, N dix exchange 7H.2{points}")
    deal.knowledge, deal.hands = "plays", None
    claims = check_record(record_of([deal], sheet="zique", **ZIQUE)).reconciliation
    assert [claim.status for claim in claims if claim.what == "dix" and claim.claimed == 0] == [
        "equal"
    ] * bool(points)


@pytest.mark.parametrize("unseen", ["7H.1", "7H.2"])
def test_a_labelled_seven_exchanged_unnamed_is_the_one_that_is_not_drawn_later(unseen):
    """The deal goes on to the draws in which the other one comes from the stock."""
    told = f"N 9S.1, S 7C.1, N dix exchange, N draws KS.1, S draws {unseen}, N 8C.1, S {unseen}"
    deal = deal_of(FRESH, told)
    deal.knowledge, deal.hands, deal.turn_up = "public", None, "TH.1"
    assert codes_of(deal, sheet="bezique-enhanced") == []


@pytest.mark.parametrize("turn_up", ["T?", "TS", "TS.1"])
def test_where_an_exchange_may_be_missing_the_last_card_drawn_may_be_any_seven(turn_up):
    """At the level of plays: the card turned up went to whoever gave a seven for it."""
    told = "N 9S, S 8S, N draws KC, S draws 7S, N KC, S 7S"
    deal = deal_of("N: 9S 8D | S: 8S 9D | trump S | stock 1 | N leads", told)
    assert deal.setup is not None
    deal.setup.trump, deal.setup.turn_up, deal.knowledge = None, turn_up, "plays"
    assert codes_of(deal, sheet="bezique-enhanced") == []


def codes_of(deal: Deal, *, sheet: str, **options: bool) -> list[str]:
    record = record_of([deal], sheet=sheet, **options)
    return [f.code for f in check_record(record).findings if f.severity == "illegal"]


@pytest.mark.parametrize("labels", ["", ".1"])
@pytest.mark.parametrize("points", [" 0", " 10"])
def test_at_the_level_of_plays_a_seven_exchanged_may_have_been_shown_before(labels, points):
    deal = deal_of(FRESH, f"N 9S{labels}, S 7C{labels}, N dix exchange{points}")
    deal.knowledge, deal.hands, deal.turn_up = "plays", None, f"TH{labels}"
    report = check_record(record_of([deal], sheet="zique", **ZIQUE))
    assert [f.code for f in report.findings if f.severity != "note"] == []
    assert [c.status for c in report.reconciliation if c.what == "dix"] == ["open"]


def test_a_seven_shown_was_exchanged_if_the_other_is_drawn_later():
    """It is held, and the other one might be among the cards that are not known."""
    told = "N 9S.1, S 7C.1, N draws 7H.1, S draws KS.1, N dix show, N dix exchange, N 8S.1, S AC.1, N draws KC.1, S draws 7H.2"
    deal = deal_of(FRESH, told)
    deal.knowledge, deal.hands, deal.turn_up = "public", None, "TH.1"
    assert codes_of(deal, sheet="zique", **ZIQUE) == []
