"""When a card may score again in the games of one and two packs: R-SET, R-KIND, R-CLASS, A-14 to A-24."""

import pytest

from tests.make.tables import table
from tests.make.winning import melded, points

REFUSED = ["meld-reuses-cards"]
BY_KIND = ["bezique-enhanced", "zique"]
BY_CLASS = ["bezique"]
TWO_PACKS = BY_KIND + BY_CLASS
MARJOLETS = ["marjolet", "marjolet-oxford"]


@pytest.mark.parametrize("sheet", MARJOLETS)
def test_r_set_the_trump_jack_goes_with_one_queen_after_another(sheet):
    acts = "marjolet JH QH", "marjolet JH QS, marjolet JH QD"
    assert points(melded("JH QH QS QD", *acts, sheet=sheet)) == [40, 20, 20]


@pytest.mark.parametrize("sheet", MARJOLETS)
def test_r_set_a_queen_serves_in_a_marriage_and_with_the_jack(sheet):
    assert points(melded("JH QH KH", "marriage KH QH, marjolet JH QH", sheet=sheet)) == [40, 40]
    assert points(melded("JH QH KH", "marjolet JH QH", "marriage KH QH", sheet=sheet)) == [40, 40]


@pytest.mark.parametrize("sheet", MARJOLETS)
@pytest.mark.parametrize("meld", ["marriage KH QH", "marriage KS QS", "marjolet JH QS"])
def test_r_set_the_same_cards_score_the_same_meld_once(sheet, meld):
    hand = "JH QH KH KS QS"
    assert melded(hand, f"{meld}, {meld}", sheet=sheet).codes == REFUSED
    assert melded(hand, meld, meld, sheet=sheet).codes == REFUSED


@pytest.mark.parametrize("sheet", MARJOLETS)
def test_r_set_four_queens_and_each_of_them_elsewhere(sheet):
    hand, four = "QS QH QD QC KS KC JH", "four_queens QS QH QD QC"
    rest = "marriage KS QS, marriage KC QC, marjolet JH QH, marjolet JH QS, marjolet JH QD"
    queens = 40 if sheet == "marjolet" else 60
    assert points(melded(hand, f"{four}, {rest}", sheet=sheet)) == [queens, 20, 20, 40, 20, 20]


@pytest.mark.parametrize("sheet", MARJOLETS)
def test_a24_melds_of_one_trick_may_overlap(sheet):
    told = melded("KH QH JH", "marriage KH QH, marjolet JH QH", sheet=sheet)
    assert points(told) == [40, 40]


@pytest.mark.parametrize("sheet", TWO_PACKS)
def test_a14_a_queen_does_not_marry_a_second_king(sheet):
    told = melded("KH KH QH", "marriage KH QH", "led KH, marriage KH QH", sheet=sheet)
    assert told.codes == REFUSED


@pytest.mark.parametrize("sheet", TWO_PACKS)
def test_a14_nor_does_a_king_a_second_queen(sheet):
    told = melded("KD QD QD", "marriage KD QD", "led QD, marriage KD QD", sheet=sheet)
    assert told.codes == REFUSED


@pytest.mark.parametrize("sheet", TWO_PACKS)
def test_a14_two_kings_and_two_queens_make_two_marriages_and_no_third(sheet):
    hand, marry = "KH KH QH QH", "marriage KH QH"
    assert points(melded(hand, marry, marry, sheet=sheet)) == [40, 40]
    assert melded(hand, marry, marry, marry, sheet=sheet).codes == REFUSED


@pytest.mark.parametrize("sheet", TWO_PACKS)
def test_a14_a_fifth_ace_does_not_make_four_aces_again(sheet):
    hand = "AS AS AH AD AC"
    acts = "four_aces AS AH AD AC", "led AS, four_aces AS AH AD AC"
    assert melded(hand, *acts, sheet=sheet).codes == REFUSED


@pytest.mark.parametrize("sheet", TWO_PACKS)
def test_a14_four_other_aces_do(sheet):
    told = melded("AS AS AH AH AD AD AC AC", *["four_aces AS AH AD AC"] * 2, sheet=sheet)
    assert points(told) == [100, 100]


@pytest.mark.parametrize("sheet", TWO_PACKS)
def test_a14_a_royal_marriage_and_a_common_one_are_of_one_kind_but_not_of_one_suit(sheet):
    told = melded("KH QH KS QS", "marriage KH QH", "marriage KS QS", sheet=sheet)
    assert points(told) == [40, 20]


@pytest.mark.parametrize("sheet", TWO_PACKS)
def test_r_kind_a_card_serves_in_melds_of_different_kinds(sheet):
    hand = "KS QS KH KD KC JD QH QD QC"
    acts = (
        "marriage KS QS", "four_kings KS KH KD KC", "bezique QS JD", "four_queens QS QH QD QC",
    )  # fmt: skip
    bezique = 50 if sheet == "zique" else 40
    assert points(melded(hand, *acts, sheet=sheet)) == [20, 80, bezique, 60]


@pytest.mark.parametrize("sheet", BY_KIND)
def test_a15_sequence_then_marriage_is_legal_by_kinds(sheet):
    told = melded("AH TH KH QH JH", "sequence AH TH KH QH JH", "marriage KH QH", sheet=sheet)
    assert points(told) == [250, 40]


def test_r_class_a15_sequence_then_marriage_is_down_the_class_in_bezique():
    acts = "sequence AH TH KH QH JH", "marriage KH QH"
    assert melded("AH TH KH QH JH", *acts, sheet="bezique").codes == REFUSED


def test_a15_nor_with_one_card_of_the_sequence():
    acts = "sequence AH TH KH QH JH", "led KH, marriage KH QH"
    assert melded("AH TH KH KH QH JH", *acts, sheet="bezique").codes == REFUSED


def test_r_class_a15_with_two_cards_that_were_not_in_it():
    acts = "sequence AH TH KH QH JH", "marriage KH QH"
    assert points(melded("AH TH KH QH JH KH QH", *acts, sheet="bezique")) == [250, 40]


@pytest.mark.parametrize(
    ("sheet", "legal"), [("bezique", True), ("bezique-enhanced", False), ("zique", False)]
)
def test_a15_the_option_sequence_then_marriage(sheet, legal):
    acts = "sequence AH TH KH QH JH", "marriage KH QH"
    told = melded("AH TH KH QH JH", *acts, sheet=sheet, sequence_then_marriage=legal)
    assert told.codes == ([] if legal else REFUSED)


@pytest.mark.parametrize("sheet", TWO_PACKS)
def test_a16_marriage_then_sequence_is_legal_everywhere(sheet):
    told = melded("AH TH KH QH JH", "marriage KH QH", "sequence AH TH KH QH JH", sheet=sheet)
    assert points(told) == [40, 250]


@pytest.mark.parametrize("sheet", TWO_PACKS)
def test_a16_but_the_sequence_does_not_score_again_with_another_king(sheet):
    acts = "sequence AH TH KH QH JH", "led KH, sequence AH TH KH QH JH"
    assert melded("AH TH KH KH QH JH", *acts, sheet=sheet).codes == REFUSED


SINGLES = ["bezique QS JD", "bezique QS JD", "double_bezique QS QS JD JD"]


@pytest.mark.parametrize(
    ("sheet", "scores"), [("bezique-enhanced", [40, 40, 350]), ("zique", [50, 50, 350])]
)
def test_a17_two_singles_then_the_double_is_legal_by_kinds(sheet, scores):
    assert points(melded("QS QS JD JD", *SINGLES, sheet=sheet)) == scores


def test_r_class_a17_in_bezique_the_double_wants_a_card_new_to_the_class():
    assert melded("QS QS JD JD", *SINGLES, sheet="bezique").codes == REFUSED


@pytest.mark.parametrize(
    ("sheet", "double"), [("bezique", 500), ("bezique-enhanced", 350), ("zique", 350)]
)
def test_a17_after_one_single_the_double_is_legal_everywhere(sheet, double):
    """F326: double after one single scores."""
    told = melded("QS QS JD JD", SINGLES[0], SINGLES[2], sheet=sheet)
    assert told.codes == []
    assert told.scored("meld")[1] == (0, double)


def test_a17_after_one_single_and_a_second_with_the_same_queen():
    """The second single is refused for its queen, whichever jack it takes."""
    told = melded("QS JD JD", "bezique QS JD", "bezique QS JD", sheet="bezique")
    assert told.codes == REFUSED


@pytest.mark.parametrize(
    ("sheet", "legal"), [("bezique", True), ("bezique-enhanced", False), ("zique", False)]
)
def test_a17_the_option_singles_then_double(sheet, legal):
    told = melded("QS QS JD JD", *SINGLES, sheet=sheet, singles_then_double=legal)
    assert told.codes == ([] if legal else REFUSED)


DOWN = ["double_bezique QS QS JD JD", "bezique QS JD"]


@pytest.mark.parametrize(
    ("sheet", "legal"), [("bezique", False), ("bezique-enhanced", True), ("zique", True)]
)
def test_a18_double_then_single(sheet, legal):
    assert melded("QS QS JD JD", *DOWN, sheet=sheet).codes == ([] if legal else REFUSED)


@pytest.mark.parametrize(
    ("sheet", "legal"), [("bezique", True), ("bezique-enhanced", False), ("zique", False)]
)
def test_a18_the_option_double_then_single(sheet, legal):
    told = melded("QS QS JD JD", *DOWN, sheet=sheet, double_then_single=legal)
    assert told.codes == ([] if legal else REFUSED)


@pytest.mark.parametrize("sheet", BY_KIND)
def test_a18_once_only(sheet):
    """By kinds the double leaves its four cards two singles, and no third."""
    told = melded("QS QS JD JD", DOWN[0], DOWN[1], DOWN[1], sheet=sheet)
    assert told.codes == []
    told = melded("QS QS JD JD", DOWN[0], DOWN[1], DOWN[1], DOWN[1], sheet=sheet)
    assert told.codes == REFUSED


@pytest.mark.parametrize("sheet", BY_KIND)
def test_a19_no_fresh_card_is_needed_by_kinds(sheet):
    """Four kings, four queens: then a marriage of two of them."""
    hand = "KS KH KD KC QS QH QD QC"
    acts = "four_kings KS KH KD KC", "four_queens QS QH QD QC", "marriage KH QH"
    assert points(melded(hand, *acts, sheet=sheet)) == [80, 60, 40]


def test_a19_nor_in_bezique_across_classes():
    hand = "KS KH KD KC QS QH QD QC"
    acts = "four_kings KS KH KD KC", "four_queens QS QH QD QC", "marriage KH QH"
    assert points(melded(hand, *acts, sheet="bezique")) == [80, 60, 40]


@pytest.mark.parametrize("sheet", TWO_PACKS)
def test_r_kind_a_broken_meld_is_not_formed_again_with_a_like_card(sheet):
    """HH: the marriage's king is played; another king with the married queen scores nothing."""
    acts = "marriage KH QH", "led KH, marriage KH QH"
    assert melded("KH KH QH", *acts, sheet=sheet).codes == REFUSED


@pytest.mark.parametrize("sheet", BY_KIND)
def test_after_the_close_what_scored_before_it_still_counts(sheet):
    position = "N: KH QH AS AD | S: 7S 7D 8D 8C | trump C | turn-up 9C | stock 1 | N leads"
    open_trick = "N AS, S 7S, N melds marriage KH QH, N draws 8S, S draws 9C"
    told = table(position, f"{open_trick}, N AD, S 7D, N melds marriage KH QH", sheet=sheet)
    assert told.codes == REFUSED
