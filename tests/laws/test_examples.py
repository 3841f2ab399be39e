"""The examples that the rulebooks work out themselves."""

import pytest

from tests.make.tables import N, table
from tests.make.winning import melded, points

REFUSED = ["meld-reuses-cards"]


def test_000_a_marriage_of_diamonds_grows_into_a_sequence():
    """[000]: queen and king of diamonds marry; ace, ten and jack are added and the lot scores."""
    acts = "marriage KD QD 20", "sequence AD TD KD QD JD 120"
    assert points(melded("KD QD AD TD JD", *acts, sheet="bezique-enhanced")) == [20, 120]


def test_000_but_another_king_of_diamonds_does_not_marry_that_queen():
    acts = "marriage KD QD 20", "led KD, marriage KD QD 20"
    assert melded("KD KD QD", *acts, sheet="bezique-enhanced").codes == REFUSED


def test_000_bezique_grows_into_the_double():
    """[000], building melds: queen and jack, then the other two added."""
    acts = "bezique QS JD 40", "double_bezique QS QS JD JD 350"
    assert points(melded("QS QS JD JD", *acts, sheet="bezique-enhanced")) == [40, 350]


def test_003_king_and_queen_of_hearts_then_four_of_a_kind_or_a_sequence_and_no_other_marriage():
    hand = "KH QH KS KD KC AH TH JH QH"
    acts = "marriage KH QH", "four_kings KH KS KD KC", "sequence AH TH KH QH JH"
    assert points(melded(hand, *acts, sheet="zique")) == [40, 80, 250]
    acts = "marriage KH QH", "led QH, marriage KH QH"
    assert melded(hand, *acts, sheet="zique").codes == REFUSED


def test_003_zique_a_second_zique_and_a_royal_zique_with_all_four():
    acts = "bezique QS JD 50", "bezique QS JD 50", "double_bezique QS QS JD JD 350"
    assert points(melded("QS QS JD JD", *acts, sheet="zique")) == [50, 50, 350]


def test_003_neither_queen_is_switched_to_the_other_jack():
    acts = ["bezique QS JD 50"] * 3
    assert melded("QS QS JD JD", *acts, sheet="zique").codes == REFUSED
    labelled = "bezique QS.1 JD.1", "bezique QS.1 JD.2"
    assert melded("QS.1 QS.2 JD.1 JD.2", *labelled, sheet="zique").codes == REFUSED
    labelled = "bezique QS.1 JD.1", "bezique QS.2 JD.2"
    assert melded("QS.1 QS.2 JD.1 JD.2", *labelled, sheet="zique").codes == []


def test_003_each_meld_needs_a_trick_of_its_own():
    told = melded("QS QS JD JD", "bezique QS JD, bezique QS JD", sheet="zique")
    assert told.codes == ["too-many-melds"]


@pytest.mark.parametrize("sheet", ["marjolet", "marjolet-oxford"])
def test_002_a_queen_marries_and_later_joins_the_trump_jack(sheet):
    assert points(melded("KS QS JH", "marriage KS QS", "marjolet JH QS", sheet=sheet)) == [20, 20]


@pytest.mark.parametrize("sheet", ["bezique", "bezique-enhanced", "zique"])
def test_the_ultimate_book_p34_hearts_are_trumps(sheet):
    """Seven of diamonds led, the jack wins; the royal marriage; winner draws, loser draws, winner leads."""
    position = "N: 7D 9C | S: JD KH QH | trump H | turn-up 8H | stock 9 | N leads"
    told = table(
        position,
        "N 7D, S JD, S takes, S melds marriage KH QH 40, S draws 9S, N draws 8S, S KH",
        sheet=sheet,
    )
    assert told.codes == []
    assert told.points == [0, 40]


def test_f326_after_one_single_the_double_and_after_two_none():
    acts = "bezique QS JD 40", "double_bezique QS QS JD JD 500"
    assert points(melded("QS QS JD JD", *acts, sheet="bezique")) == [40, 500]
    acts = "bezique QS JD 40", "bezique QS JD 40", "double_bezique QS QS JD JD 500"
    assert melded("QS QS JD JD", *acts, sheet="bezique").codes == REFUSED


def test_pg_nothing_is_gained_by_the_second_seven_from_the_turn_up():
    position = "N: 7S KH | S: 8H 8D | trump S | turn-up 7S | stock 5 | N won"
    assert table(position, "N dix exchange 10").codes == ["nothing-to-exchange"]
    assert table(position, "N dix show 10").scored("dix") == [(N, 10)]
