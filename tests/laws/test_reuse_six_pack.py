"""R-001: Six-Pack Bezique, where a card scores once in a class, unless a bezique grows or a broken meld is restored."""

from functools import partial

import pytest

from tests.make import winning
from tests.make.winning import points

melded = partial(winning.melded, sheet="six-pack-bezique")
REFUSED = "meld-reuses-cards"
HEARTS = "sequence AH TH KH QH JH"
BEZIQUES = ["bezique QS JD", "double_bezique QS QS JD JD", "triple_bezique QS QS QS JD JD JD",
            "quadruple_bezique QS QS QS QS JD JD JD JD"]  # fmt: skip


# Four classes: sequences, marriages, fours, beziques


def test_r_001_a_card_scores_once_in_each_class():
    """The queen of spades: marriage (B), bezique (D), four queens (C), sequence (A)."""
    hand = "AS TS KS QS JS JD QH QD QC"
    acts = ["marriage KS QS", "bezique QS JD", "four_queens QS QH QD QC", "sequence AS TS KS QS JS"]
    assert points(melded(hand, *acts)) == [20, 40, 60, 150]


def test_r_001_a_queen_moves_from_a_bezique_to_a_marriage_and_not_to_another_jack():
    """The example of [001]."""
    assert points(melded("QS JD JD KS", "bezique QS JD", "marriage KS QS")) == [40, 20]
    melded("QS JD JD KS", "bezique QS JD", "bezique QS JD").only(REFUSED)


def test_a15_sequence_then_marriage_are_two_classes():
    assert points(melded("AH TH KH QH JH", HEARTS, "marriage KH QH")) == [250, 40]


def test_a16_marriage_then_sequence():
    assert points(melded("AH TH KH QH JH", "marriage KH QH", HEARTS)) == [40, 250]


def test_a22_marriages_do_not_change_partners():
    acts = ["marriage KS.1 QS.1", "marriage KS.2 QS.2", "marriage KS.1 QS.2"]
    melded("KS.1 KS.2 QS.1 QS.2", *acts).only(REFUSED)
    melded("KS KS QS QS", *["marriage KS QS"] * 3).only(REFUSED)


def test_r_001_a_fifth_ace_does_not_score_three_again():
    melded("AS AS AH AD AC", "four_aces AS AH AD AC", "four_aces AS AH AD AC").only(REFUSED)


def test_r_001_two_fours_of_eight_cards_are_two():
    assert points(melded("AS AH AD AC " * 2, *["four_aces AS AH AD AC"] * 2)) == [100, 100]


# (a): a bigger bezique that contains the earlier


def test_r_001_a_single_double_triple_quadruple():
    assert points(melded("QS JD " * 4, *BEZIQUES)) == [40, 500, 1500, 4500]


def test_a17_two_singles_grow_into_a_double():
    assert points(melded("QS JD " * 2, BEZIQUES[0], BEZIQUES[0], BEZIQUES[1])) == [40, 40, 500]


def test_a17_by_the_option_a_double_needs_a_card_that_is_new():
    acts = [BEZIQUES[0], BEZIQUES[0], BEZIQUES[1]]
    melded("QS JD " * 2, *acts, singles_then_double=False).only(REFUSED)
    acts = [BEZIQUES[0], BEZIQUES[1]]
    assert points(melded("QS JD " * 2, *acts, singles_then_double=False)) == [40, 500]


def test_a18_a_double_does_not_come_down():
    melded("QS JD " * 2, BEZIQUES[1], BEZIQUES[0]).only(REFUSED)


def test_r_001_beziques_that_overlap_and_do_not_contain_are_refused():
    """Queen 1 is in a single with jack 1; a double of queens 1, 2 and jacks 2, 3 breaks it up."""
    hand = "QS.1 QS.2 JD.1 JD.2 JD.3"
    single = "bezique QS.1 JD.1"
    melded(hand, single, "double_bezique QS.1 QS.2 JD.2 JD.3").only(REFUSED)
    assert points(melded(hand, single, "double_bezique QS.1 QS.2 JD.1 JD.3")) == [40, 500]


def test_r_001_a_broken_bezique_does_not_grow():
    """Its queen was played: the jack that is left is no bezique to be contained."""
    hand = "QS.1 QS.2 QS.3 JD.1 JD.2"
    acts = ["bezique QS.1 JD.1", "led QS.1, double_bezique QS.2 QS.3 JD.1 JD.2"]
    melded(hand, *acts).only(REFUSED)


# (b): restored with a card from the hand


def test_r_001_b_restored_after_a_card_was_played():
    aces = "four_aces AS AH AD AC"
    assert points(melded("AS AS AH AD AC", aces, f"led AS, {aces}")) == [100, 100]
    told = melded("AS AH AH AD AC", aces, "led AS, four_aces AH AH AD AC")
    assert points(told) == [100, 100]


@pytest.mark.parametrize(
    ("hand", "meld", "led", "value"),
    [
        ("KS QS QS", "marriage KS QS", "QS", 20),
        ("AH TH KH KH QH JH", HEARTS, "KH", 250),
        ("QS JD JD", "bezique QS JD", "JD", 40),
        ("QS QS QS JD JD", "double_bezique QS QS JD JD", "QS", 500),
        ("KH KH KH KH KH", "four_trump_kings KH KH KH KH", "KH", 800),
    ],
)
def test_r_001_b_every_type_is_restored(hand, meld, led, value):
    assert points(melded(hand, meld, f"led {led}, {meld}")) == [value, value]
    melded(hand, meld, meld).only(REFUSED)


FIVE_QUEENS = "QH.1 QH.2 QH.3 QH.4 QH.5 QC.1 QC.2"
RESTORED_ONCE = ["four_queens QH.2 QH.3 QC.1 QC.2", "led QC.1, four_queens QH.2 QH.3 QH.4 QC.2"]


def test_a47_a_restored_set_is_restored_in_turn_and_keeps_all_that_is_left_of_it():
    acts = [*RESTORED_ONCE, "led QC.2, four_trump_queens QH.1 QH.2 QH.3 QH.4"]
    assert points(melded(FIVE_QUEENS, *acts)) == [60, 60, 600]


def test_a47_the_set_that_was_broken_first_is_not_restored_any_more():
    """Both cards played belonged to the first set, and its two others stay: but the second has taken its place."""
    acts = [*RESTORED_ONCE, "led QC.2, four_trump_queens QH.1 QH.2 QH.3 QH.5"]
    melded(FIVE_QUEENS, *acts).only(REFUSED)


def test_a47_a_card_played_from_the_first_set_alone_does_not_break_the_second():
    acts = [*RESTORED_ONCE, "four_trump_queens QH.1 QH.2 QH.3 QH.4"]
    melded(FIVE_QUEENS, *acts).only(REFUSED)


def test_r_001_b_melding_a_card_elsewhere_breaks_nothing():
    hand = "AH TH KH KH QH JH KS KD KC"
    melded(hand, HEARTS, "four_kings KH KS KD KC", HEARTS).only(REFUSED)


def test_r_001_b_a_restored_meld_keeps_every_card_that_is_left():
    hand = "AS.1 AS.2 AS.3 AH.1 AD.1 AC.1"
    first = "four_aces AS.1 AH.1 AD.1 AC.1"
    melded(hand, first, "led AS.1, four_aces AS.2 AS.3 AH.1 AD.1").only(REFUSED)
    told = melded(hand, first, "led AS.1, four_aces AS.2 AH.1 AD.1 AC.1")
    assert points(told) == [100, 100]


def test_r_001_b_two_cards_played_two_restored():
    hand = "AS AS AH AH AD AC"
    told = melded(hand, "four_aces AS AH AD AC", "led AS", "led AH, four_aces AS AH AD AC")
    assert points(told) == [100, 100]


def test_r_001_b_restored_again_and_again():
    hand, aces = "AS AS AS AH AD AC", "four_aces AS AH AD AC"
    assert points(melded(hand, aces, f"led AS, {aces}", f"led AS, {aces}")) == [100] * 3


def test_r_001_b_the_new_card_never_scored_in_the_class():
    """Queen 2 married king 2; she does not restore the marriage of king 1."""
    hand = "KS.1 KS.2 QS.1 QS.2"
    acts = ["marriage KS.1 QS.1", "marriage KS.2 QS.2", "led QS.1, marriage KS.1 QS.2"]
    melded(hand, *acts).only(REFUSED)


def test_r_001_a21_the_new_card_may_have_scored_in_another_class():
    """Melded cards are part of the hand [001]: a king that married restores the kings."""
    hand = "KS.1 KS.2 KH.1 KD.1 KC.1 QS.1"
    acts = ["four_kings KS.1 KH.1 KD.1 KC.1", "marriage KS.2 QS.1"]
    told = melded(hand, *acts, "led KS.1, four_kings KS.2 KH.1 KD.1 KC.1")
    assert points(told) == [80, 20, 80]


def test_r_001_b_a_broken_double_is_not_restored_as_a_single():
    melded("QS JD " * 2, BEZIQUES[1], f"led QS, {BEZIQUES[0]}").only(REFUSED)


# four aces of trumps are four aces


def test_a23_four_trump_aces_are_not_four_aces_as_well():
    acts = ["four_trump_aces AH AH AH AH", "four_aces AH AH AH AH"]
    assert points(melded("AH AH AH AH", acts[0])) == [1000]
    assert points(melded("AH AH AH AH", acts[1])) == [100]
    melded("AH AH AH AH", *acts).only(REFUSED)
    melded("AH AH AH AH", *acts[::-1]).only(REFUSED)


@pytest.mark.parametrize(("name", "value"), [("four_aces", 100), ("four_trump_aces", 1000)])
def test_a23_a_restored_set_scores_at_either_value(name, value):
    acts = ["four_trump_aces AH AH AH AH", f"led AH, {name} AH AH AH AH"]
    assert points(melded("AH AH AH AH AH", *acts)) == [1000, value]


def test_a23_four_aces_restored_as_four_trump_aces():
    acts = ["four_aces AH AH AH AS", "led AS, four_trump_aces AH AH AH AH"]
    assert points(melded("AH AH AH AS AH", *acts)) == [100, 1000]


def test_a23_the_other_trump_fours_and_their_points():
    rows = [("tens", "T", 900), ("kings", "K", 800), ("queens", "Q", 600), ("jacks", "J", 400)]
    for name, rank, value in rows:
        meld = f"four_trump_{name} " + " ".join([rank + "H"] * 4)
        assert points(melded(f"{rank}H " * 4, meld)) == [value]
    melded("TS TS TS TS", "four_trump_tens TS TS TS TS").only("wrong-cards-for-meld")
