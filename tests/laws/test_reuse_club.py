"""R-PORT: Rubicon Bezique by the club's rules, after the Portland Club's laws 34 to 38."""

from functools import partial

import pytest

from tests.make import winning
from tests.make.winning import points

melded = partial(winning.melded, sheet="rubicon-bezique-club")
REFUSED = "meld-reuses-cards"
TRUMPS = "sequence AH TH KH QH JH"


# L34: formed again once a card was played


def test_r_port_1_the_same_cards_do_not_score_twice():
    melded("KS QS", "marriage KS QS", "marriage KS QS").only(REFUSED)


def test_r_port_l34_four_queens_one_played_a_fifth_added():
    """[PG p. 19]: four queens, one of them played, a fifth added, are scored again."""
    queens = "four_queens QS QH QD QC"
    assert points(melded("QS QS QH QD QC", queens, f"led QS, {queens}")) == [60, 60]
    melded("QS QS QH QD QC", queens, queens).only(REFUSED)


def test_r_port_l34_the_card_played_may_be_of_another_suit_than_the_one_added():
    told = melded("QS QH QH QD QC", "four_queens QS QH QD QC", "led QS, four_queens QH QH QD QC")
    assert points(told) == [60, 60]


def test_r_port_l34_melding_a_card_elsewhere_is_not_leaving():
    hand = "AH TH KH KH QH JH KS KD KC"
    melded(hand, TRUMPS, "four_kings KH KS KD KC", TRUMPS).only(REFUSED)
    told = melded(hand, TRUMPS, "four_kings KH KS KD KC", f"led KH, {TRUMPS}")
    assert points(told) == [250, 80, 250]


def test_a20_by_the_option_melding_it_elsewhere_is_leaving():
    hand = "AH TH KH KH QH JH KS KD KC"
    acts = [TRUMPS, "four_kings KH KS KD KC", TRUMPS]
    assert points(melded(hand, *acts, card_leaves_by="played_or_melded")) == [250, 80, 250]


def test_r_port_l34_a_sequence_re_formed_with_another_ten():
    told = melded("AD TD TD KD QD JD", "sequence AD TD KD QD JD", "led TD, sequence AD TD KD QD JD")
    assert points(told) == [150, 150]


# L35: two marriages of a suit change partners


def test_r_port_a22_l35_two_kings_and_two_queens_make_four_marriages():
    assert points(melded("KS KS QS QS", *["marriage KS QS"] * 4)) == [20] * 4
    melded("KS KS QS QS", *["marriage KS QS"] * 5).only(REFUSED)


def test_r_port_a22_l35_one_of_the_four_may_have_been_played():
    acts = ["marriage KS.1 QS.1", "marriage KS.2 QS.2", "led QS.1, marriage KS.1 QS.2"]
    assert points(melded("KS.1 KS.2 QS.1 QS.2", *acts)) == [20] * 3


def test_r_port_a22_beziques_do_not_change_partners():
    acts = ["bezique QS.1 JD.1", "bezique QS.2 JD.2", "bezique QS.1 JD.2"]
    melded("QS.1 QS.2 JD.1 JD.2", *acts).only(REFUSED)


# the new card may lie in another meld


def test_a21_the_replacement_may_come_from_the_table():
    hand = "KS.1 KS.2 KH.1 KD.1 KC.1 QS.1"
    kings = [f"four_kings KS.{i} KH.1 KD.1 KC.1" for i in (1, 2)]
    told = melded(hand, kings[0], "marriage KS.2 QS.1", f"led KS.1, {kings[1]}")
    assert points(told) == [80, 20, 80]


# marriage, then sequence


def test_a16_marriage_then_sequence():
    told = melded("AH TH KH QH JH", "marriage KH QH", TRUMPS)
    assert points(told) == [40, 250]


# L37: what has been in a sequence does not marry


def test_r_port_l37_king_and_queen_of_a_sequence_do_not_marry():
    melded("AH TH KH QH JH", TRUMPS, "marriage KH QH").only(REFUSED)


@pytest.mark.parametrize("fresh", ["KH", "QH"])
def test_r_port_l37_nor_does_one_of_them_with_a_fresh_partner(fresh):
    hand = f"AH.1 TH.1 KH.1 QH.1 JH.1 {fresh}.2"
    pair = {"KH": "marriage KH.2 QH.1", "QH": "marriage KH.1 QH.2"}[fresh]
    melded(hand, "sequence AH.1 TH.1 KH.1 QH.1 JH.1", pair).only(REFUSED)


def test_r_port_l37_a_fresh_king_and_a_fresh_queen_do():
    assert points(melded("AH TH KH KH QH QH JH", TRUMPS, "marriage KH QH")) == [250, 40]


def test_r_port_l37_cards_that_married_before_their_sequence_do_not_marry_again():
    hand = "AS TS KS.1 QS.1 JS KS.2 QS.2".replace("AS TS", "AS.1 TS.1").replace("JS", "JS.1")
    acts = ["marriage KS.1 QS.1", "marriage KS.2 QS.2", "sequence AS.1 TS.1 KS.1 QS.1 JS.1"]
    melded(hand, *acts, "marriage KS.1 QS.2").only(REFUSED)


def test_a15_by_the_option_they_marry():
    told = melded("AH TH KH QH JH", TRUMPS, "marriage KH QH", sequence_then_marriage=True)
    assert points(told) == [250, 40]


# L38: beziques climb and never come down


def test_r_port_l38_two_singles_scored_make_a_double():
    acts = ["bezique QS JD", "bezique QS JD", "double_bezique QS QS JD JD"]
    assert points(melded("QS QS JD JD", *acts)) == [40, 40, 500]


def test_r_port_l38_single_double_triple_quadruple():
    acts = ["bezique QS JD", "double_bezique QS QS JD JD", "triple_bezique QS QS QS JD JD JD",
            "quadruple_bezique QS QS QS QS JD JD JD JD"]  # fmt: skip
    assert points(melded("QS QS QS QS JD JD JD JD", *acts)) == [40, 500, 1500, 4500]


def test_r_port_l38_two_doubles_make_a_quadruple():
    acts = ["double_bezique QS QS JD JD"] * 2 + ["quadruple_bezique QS QS QS QS JD JD JD JD"]
    assert points(melded("QS QS QS QS JD JD JD JD", *acts)) == [500, 500, 4500]


def test_r_port_l38_cards_of_a_double_make_no_single():
    melded("QS QS JD JD", "double_bezique QS QS JD JD", "bezique QS JD").only(REFUSED)


def test_r_port_l38_nor_with_a_fresh_jack():
    hand = "QS.1 QS.2 JD.1 JD.2 JD.3"
    acts = ["double_bezique QS.1 QS.2 JD.1 JD.2", "bezique QS.1 JD.3"]
    melded(hand, *acts).only(REFUSED)


def test_r_port_l38_cards_of_a_triple_make_no_double():
    hand, double = "QS QS QS JD JD JD", "double_bezique QS QS JD JD"
    melded(hand, "triple_bezique QS QS QS JD JD JD", double).only(REFUSED)


def test_r_port_l38_a_double_is_formed_again_when_a_queen_was_played():
    double = "double_bezique QS QS JD JD"
    assert points(melded("QS QS QS JD JD", double, f"led QS, {double}")) == [500, 500]


def test_a18_by_the_option_a_double_comes_down():
    acts = ["double_bezique QS QS JD JD", "bezique QS JD"]
    assert points(melded("QS QS JD JD", *acts, double_then_single=True)) == [500, 40]


def test_a17_by_the_option_a_double_needs_a_card_that_is_new():
    acts = ["bezique QS JD", "bezique QS JD", "double_bezique QS QS JD JD"]
    melded("QS QS JD JD", *acts, singles_then_double=False).only(REFUSED)
    acts = ["bezique QS JD", "double_bezique QS QS JD JD"]
    assert points(melded("QS QS JD JD", *acts, singles_then_double=False)) == [40, 500]
