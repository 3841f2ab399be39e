"""R-RUB: rubicon and Chinese Bezique, where a meld is formed again once a card has left it."""

import pytest

from tests.make.winning import melded, points

RUBICON = ["rubicon-bezique", "rubicon-bezique-recommended", "chinese-bezique"]
REFUSED = "meld-reuses-cards"

pytestmark = pytest.mark.parametrize("sheet", RUBICON)


# R-RUB (1): the same set of the same kind, once


def test_r_rub_1_the_same_cards_do_not_score_the_same_kind_twice(sheet):
    told = melded("KS QS", "marriage KS QS", "marriage KS QS", sheet=sheet)
    told.only(REFUSED)


def test_r_rub_1_two_sets_that_look_alike_are_two_sets(sheet):
    told = melded("KS KS QS QS", "marriage KS QS", "marriage KS QS", sheet=sheet)
    assert points(told) == [20, 20]


def test_r_rub_1_a_kind_is_scored_again_with_other_cards(sheet):
    told = melded("KS QS KD QD", "marriage KS QS", "marriage KD QD", sheet=sheet)
    assert points(told) == [20, 20]


# R-RUB (2): an overlapping set, once a card has left the earlier one


def test_r_rub_2_a_like_card_does_not_take_the_place_of_one_that_still_lies_there(sheet):
    told = melded("KS QS QS", "marriage KS QS", "marriage KS QS", sheet=sheet)
    told.only(REFUSED)


def test_r_rub_2_a_fifth_ace_does_not_join_four_that_still_lie_there(sheet):
    told = melded("AS AS AH AD AC", "four_aces AS AH AD AC", "four_aces AS AH AD AC", sheet=sheet)
    told.only(REFUSED)


def test_r_rub_2_reformed_after_a_card_was_played(sheet):
    aces = "four_aces AS AH AD AC"
    told = melded("AS AS AH AD AC", aces, f"led AS, {aces}", sheet=sheet)
    assert points(told) == [100, 100]


def test_r_rub_2_the_hand_of_000_heart_trump_sequence_king_played_other_king_in(sheet):
    trumps = "sequence AH TH KH QH JH"
    told = melded("AH TH KH KH QH JH", trumps, f"led KH, {trumps}", sheet=sheet)
    assert points(told) == [250, 250]


def test_r_rub_2_the_hand_of_000_heart_trump_sequence_king_melded_other_king_in(sheet):
    trumps = "sequence AH TH KH QH JH"
    hand = "AH TH KH KH QH JH KS KD KC"
    told = melded(hand, trumps, "four_kings KH KS KD KC", trumps, sheet=sheet)
    assert points(told) == [250, 80, 250]


def test_r_rub_2_without_the_move_of_the_king_it_is_refused(sheet):
    trumps = "sequence AH TH KH QH JH"
    told = melded("AH TH KH KH QH JH", trumps, trumps, sheet=sheet)
    told.only(REFUSED)


def test_r_rub_2_a_card_melded_before_has_not_left(sheet):
    """The king married first and came to the sequence afterwards: it is still there."""
    trumps = "sequence AH TH KH QH JH"
    told = melded("AH TH KH KH QH JH", "marriage KH QH", trumps, trumps, sheet=sheet)
    told.only(REFUSED)


def test_r_rub_2_the_card_that_left_may_not_be_one_of_the_new_set(sheet):
    """Of four kings the king of spades has married; four kings with it again need another gap."""
    kings = "four_kings KS KH KD KC"
    told = melded("KS KH KH KD KC QS", kings, "marriage KS QS", kings, sheet=sheet)
    told.only(REFUSED)
    told = melded("KS KS KH KD KC QS", kings, "marriage KS QS", kings, sheet=sheet)
    assert points(told) == [80, 20, 80]


def test_r_rub_2_a_card_that_married_has_left_though_its_queen_is_played(sheet):
    kings = "four_kings KS KH KD KC"
    told = melded("KS KS KH KD KC QS", kings, "marriage KS QS", f"led QS, {kings}", sheet=sheet)
    assert points(told) == [80, 20, 80]


def test_r_rub_2_a_meld_made_later_is_not_left_by_what_was_melded_before(sheet):
    """Kings, marriage, the queen goes, a second marriage of the same king: it has left the kings only."""
    told = melded(
        "KS KH KD KC QS QS QS",
        "four_kings KS KH KD KC", "marriage KS QS", "led QS, marriage KS QS", "marriage KS QS",
        sheet=sheet,
    )  # fmt: skip
    told.only(REFUSED)
    assert [told.awards[i][2] for i in range(3)] == [80, 20, 20]


def test_r_rub_2_every_earlier_set_that_overlaps_must_have_lost_a_card(sheet):
    """Two fours share three aces: the gap in the first is none in the second."""
    hand = "AS.1 AS.2 AS.3 AH.1 AD.1 AC.1"
    first, second, third = (f"four_aces AS.{i} AH.1 AD.1 AC.1" for i in (1, 2, 3))
    told = melded(hand, first, f"led AS.1, {second}", third, sheet=sheet)
    told.only(REFUSED)
    told = melded(hand, first, f"led AS.1, {second}", f"led AS.2, {third}", sheet=sheet)
    assert points(told) == [100, 100, 100]


def test_a21_the_replacement_may_come_from_the_table(sheet):
    """The other king of spades lies in a marriage and still completes the kings."""
    hand = "KS.1 KS.2 KH.1 KD.1 KC.1 QS.1"
    kings = [f"four_kings KS.{i} KH.1 KD.1 KC.1" for i in (1, 2)]
    told = melded(hand, kings[0], "marriage KS.2 QS.1", f"led KS.1, {kings[1]}", sheet=sheet)
    assert points(told) == [80, 20, 80]


def test_a20_beziques_may_be_reformed_around_a_queen_that_moved(sheet):
    """The queen marries; the jack takes another queen: to the letter of (2)."""
    told = melded("QS QS JD KS", "bezique QS JD", "marriage KS QS", "bezique QS JD", sheet=sheet)
    assert points(told) == [40, 20, 40]


# the option card_leaves_by


def test_a20_where_a_card_leaves_only_when_played_melding_it_is_not_enough(sheet):
    trumps = "sequence AH TH KH QH JH"
    hand = "AH TH KH KH QH JH KS KD KC"
    acts = [trumps, "four_kings KH KS KD KC", trumps]
    melded(hand, *acts, sheet=sheet, card_leaves_by="played").only(REFUSED)
    acts = [trumps, "four_kings KH KS KD KC", f"led KH, {trumps}"]
    told = melded(hand, *acts, sheet=sheet, card_leaves_by="played")
    assert points(told) == [250, 80, 250]


# R-RUB (3), A-22: marriages change partners


def test_a22_two_kings_and_two_queens_make_four_marriages(sheet):
    hand = "KS.1 KS.2 QS.1 QS.2"
    pairs = [f"marriage KS.{k} QS.{q}" for k, q in ((1, 1), (2, 2), (1, 2), (2, 1))]
    assert points(melded(hand, *pairs, sheet=sheet)) == [20] * 4
    melded(hand, *pairs, pairs[0], sheet=sheet).only(REFUSED)


def test_a22_unlabelled_two_and_two_make_four_and_no_fifth(sheet):
    assert points(melded("KS KS QS QS", *["marriage KS QS"] * 4, sheet=sheet)) == [20] * 4
    melded("KS KS QS QS", *["marriage KS QS"] * 5, sheet=sheet).only(REFUSED)


def test_a22_three_kings_and_three_queens_make_nine(sheet):
    nine = ["marriage KH QH"] * 9
    assert points(melded("KH KH KH QH QH QH", *nine, sheet=sheet)) == [40] * 9
    melded("KH KH KH QH QH QH", *nine, "marriage KH QH", sheet=sheet).only(REFUSED)


def test_a22_both_must_have_married_before(sheet):
    """A queen fresh from the hand does not rearrange: the king's first queen still lies there."""
    first = "marriage KS.1 QS.1"
    melded("KS.1 QS.1 QS.2", first, "marriage KS.1 QS.2", sheet=sheet).only(REFUSED)
    second = "marriage KS.2 QS.2"
    told = melded("KS.1 KS.2 QS.1 QS.2", first, second, "marriage KS.1 QS.2", sheet=sheet)
    assert points(told) == [20, 20, 20]


def test_a22_only_the_two_declared_need_be_held(sheet):
    pairs = ["marriage KS.1 QS.1", "marriage KS.2 QS.2", "led QS.1, marriage KS.1 QS.2"]
    assert points(melded("KS.1 KS.2 QS.1 QS.2", *pairs, sheet=sheet)) == [20, 20, 20]


#


def test_a16_marriage_then_sequence(sheet):
    told = melded("AD TD KD QD JD", "marriage KD QD", "sequence AD TD KD QD JD", sheet=sheet)
    assert points(told) == [20, 150]


def test_a15_sequence_then_marriage(sheet):
    acts = ["sequence AH TH KH QH JH", "marriage KH QH"]
    assert points(melded("AH TH KH QH JH", *acts, sheet=sheet)) == [250, 40]
    melded("AH TH KH QH JH", *acts, sheet=sheet, sequence_then_marriage=False).only(REFUSED)


DOUBLES = {"rubicon-bezique": 500, "rubicon-bezique-recommended": 350, "chinese-bezique": 350}


def test_a17_two_singles_then_the_double(sheet):
    acts = ["bezique QS JD", "bezique QS JD", "double_bezique QS QS JD JD"]
    assert points(melded("QS QS JD JD", *acts, sheet=sheet)) == [40, 40, DOUBLES[sheet]]
    melded("QS QS JD JD", *acts, sheet=sheet, singles_then_double=False).only(REFUSED)


def test_a18_double_then_a_single_of_its_cards(sheet):
    acts = ["double_bezique QS QS JD JD", "bezique QS JD"]
    assert points(melded("QS QS JD JD", *acts, sheet=sheet)) == [DOUBLES[sheet], 40]
    melded("QS QS JD JD", *acts, sheet=sheet, double_then_single=False).only(REFUSED)


def test_a14_marriages_share_no_card_in_one_kind(sheet):
    melded("KS KS QS", "marriage KS QS", "marriage KS QS", sheet=sheet).only(REFUSED)
