"""A-23 and the kinds that Chinese Bezique adds to the rubicon family."""

from functools import partial

import pytest

from tests.make import winning
from tests.make.winning import points

melded = partial(winning.melded, sheet="chinese-bezique")
REFUSED = "meld-reuses-cards"


@pytest.mark.parametrize(("rank", "trumps", "plain"), [
    ("A", ("four_trump_aces", 1000), ("four_aces", 100)),
    ("K", ("four_trump_kings", 800), ("four_kings", 80)),
    ("Q", ("four_trump_queens", 600), ("four_queens", 60)),
    ("J", ("four_trump_jacks", 400), ("four_jacks", 40)),
])  # fmt: skip
def test_a23_four_of_trumps_score_twice_on_two_tricks_in_either_order(rank, trumps, plain):
    cards = " ".join([rank + "H"] * 4)
    acts = [(f"{name} {cards}", value) for name, value in (trumps, plain)]
    for order in (acts, acts[::-1]):
        told = melded(cards, *[meld for meld, _ in order])
        assert points(told) == [value for _, value in order]
    melded(cards, *[meld for meld, _ in acts], acts[0][0]).only(REFUSED)


def test_a23_not_on_one_trick():
    told = melded("AH AH AH AH", "four_trump_aces AH AH AH AH, four_aces AH AH AH AH")
    told.only("too-many-melds")


def test_a23_four_tens_score_in_trumps_only():
    assert points(melded("TH TH TH TH", "four_trump_tens TH TH TH TH")) == [900]
    melded("TS TS TS TS", "four_trump_tens TS TS TS TS").only("wrong-cards-for-meld")
    melded("TH TH TH TH", "four_tens TH TH TH TH").only("meld-not-in-rules")


def test_a23_the_two_kinds_are_formed_again_each_by_itself():
    """The played ace breaks both fours; each is scored again with the fifth."""
    acts = ["four_trump_aces AH AH AH AH", "four_aces AH AH AH AH"]
    told = melded("AH " * 5, *acts, f"led AH, {acts[0]}", acts[1])
    assert points(told) == [1000, 100, 1000, 100]


def test_a23_scoring_the_one_kind_is_leaving_the_other():
    """R-RUB (2) to the letter: an ace that scored in four aces since has left the four trump aces."""
    hand = " ".join(f"AH.{i}" for i in range(1, 6))
    first = "four_trump_aces AH.1 AH.2 AH.3 AH.4"
    told = melded(
        hand, first, "four_aces AH.1 AH.2 AH.3 AH.4", "four_trump_aces AH.2 AH.3 AH.4 AH.5"
    )
    assert points(told) == [1000, 100, 1000]
    melded(hand, first, "four_trump_aces AH.2 AH.3 AH.4 AH.5").only(REFUSED)


@pytest.mark.parametrize(("scale", "worth"), [
    ("recommended", [40, 350, 700, 1400]), ("standard", [40, 500, 1500, 4500]),
])  # fmt: skip
def test_a30_the_scale_is_named(scale, worth):
    beziques = ["bezique", "double_bezique", "triple_bezique", "quadruple_bezique"]
    acts = [f"{name} {'QS JD ' * (i + 1)}" for i, name in enumerate(beziques)]
    assert points(melded("QS JD " * 4, *acts, scale=scale)) == worth
    assert points(melded("QS JD " * 4, *acts)) == [40, 350, 700, 1400]


def test_five_beziques_have_no_score_of_their_own():
    """[000]: no score specifically for quintuple or sextuple beziques."""
    told = melded("QS JD " * 5, f"quadruple_bezique {'QS JD ' * 5}")
    told.only("wrong-cards-for-meld")
