"""The sentences of a deep review, as a card player would say them."""

import msgspec
import pytest
from msgspec.structs import replace

from analyzer.review.choice_worlds import ChoiceComparison, PointSource, Reason
from analyzer.review.deep_review import (
    GameReview,
    ReviewedChoice,
    ReviewedDeal,
    ReviewedDecision,
    ReviewTerms,
)
from analyzer.review.missed import PossibleScore
from analyzer.review.review_words import call_players, describe_loss, describe_why, explain_grade

NAMES = ["Ann", "Bob"]
TEN = ReviewedChoice("play", ["TC.1"], 34.0, 4.0, worlds=512)
QUEEN = ReviewedChoice("play", ["QH"], -12.0, 4.0, 46.0, 3.2, worlds=512)
ACES = ReviewedChoice("meld", ["AS", "AS", "AH", "AC"], 34.0, 4.0, worlds=512, meld="four_aces")
NOTHING = ReviewedChoice("hold_back", [], 20.0, 4.0, 46.0, 3.2, worlds=512)


def decision(best: ReviewedChoice, made: ReviewedChoice) -> ReviewedDecision:
    lost, error = made.behind, made.behind_error
    return ReviewedDecision(5, 1, "stock", [best, made], 1, "mistake", lost=lost, error=error)


def why(best: ReviewedChoice, made: ReviewedChoice, *reasons: Reason) -> str:
    return describe_why(decision(best, made), ChoiceComparison(40, reasons), NAMES)


def of_meld(seat: int, often: int, often_else: int, name: str = "four_aces") -> Reason:
    worth = {"four_aces": 100, "marriage": 20}[name]
    source = PointSource(seat, name, worth)
    return Reason(source, 100, often, often_else, often / 100, often_else / 100, 40)


@pytest.mark.parametrize(
    ("often", "often_else", "said"),
    [
        (71, 8, "in 71 of 100 possible deals instead of 8"),
        (100, 8, "in all 100 possible deals instead of 8"),
        (36, 0, "in 36 of 100 possible deals instead of none"),
        (0, 13, "in none of 100 possible deals instead of 13"),
    ],
)
def test_a_meld_is_told_in_worlds(often: int, often_else: int, said: str) -> None:
    assert why(TEN, QUEEN, of_meld(1, often, often_else)) == (
        f"With the 10 of clubs Bob makes four aces (100) {said}."
    )


def test_what_comes_more_than_once_is_told_as_a_mean() -> None:
    twice = Reason(PointSource(0, "marriage", 20), 100, 100, 97, 2.4, 1.7, 14)
    assert why(TEN, QUEEN, twice) == (
        "With the 10 of clubs Ann makes a marriage (20) 2.4 times instead of 1.7, on average over 100 possible deals."
    )
    brisques = Reason(PointSource(1, "brisques", 10), 100, 100, 100, 9.2, 8.5, 14)
    said = "Bob takes 9.2 brisques instead of 8.5, on average over 100 possible deals."
    assert why(TEN, QUEEN, brisques) == f"With the 10 of clubs {said}"
    both = why(TEN, QUEEN, of_meld(1, 71, 8), brisques)
    assert both.endswith(f" instead of 8. Also, {said}")


def test_without_a_reason_the_leads_are_told() -> None:
    assert why(TEN, QUEEN) == (
        "With the 10 of clubs Bob ends 34 ± 4 points ahead, on average over 512 possible deals, "
        "instead of 12 ± 4 points behind."
    )
    smaller = msgspec.structs.replace(QUEEN, behind_base=46.0, behind_simple=20.0)
    assert why(TEN, smaller).endswith("instead of 12 ± 4 points behind, if base players go on."), (
        "the loss told is that with simple players"
    )


def test_what_like_cards_leave_open_is_told_as_open_throughout() -> None:
    told = decision(TEN, QUEEN)
    told.certain, told.doubtful, told.phase = True, True, "close"
    assert describe_loss(told, NAMES).startswith(
        "Bob perhaps loses 46 points by playing the queen of hearts; playing the 10 of clubs was perhaps better: with"
    )


def test_the_better_choice_is_named_before_what_comes_of_it() -> None:
    reason = of_meld(1, 71, 8, "marriage")
    assert why(ACES, NOTHING, reason).startswith("After four aces (A♠ A♠ A♥ A♣) Bob makes")
    assert why(NOTHING, ACES, reason).startswith("Without a meld now Bob makes")
    exchange = msgspec.structs.replace(NOTHING, kind="exchange", cards=["7S"])
    assert why(exchange, NOTHING, reason).startswith("After the exchange Bob makes")


def test_a_loss_is_told_once_and_then_why() -> None:
    found = decision(TEN, QUEEN)
    found.why = (
        "With the 10 of clubs Bob makes four aces (100) in 71 of 100 possible deals instead of 8."
    )
    assert describe_loss(found, NAMES) == (
        "Bob probably loses 46 ±\u00a03 points by playing the queen of hearts; playing the 10 of clubs was probably better. "
        + found.why
    )


def test_what_may_be_luck_is_called_no_loss() -> None:
    close = msgspec.structs.replace(
        QUEEN, behind=6.0, behind_error=3.2, behind_base=6.0, behind_base_error=3.2
    )
    assert describe_loss(decision(TEN, close), NAMES) == (
        "Bob may lose 6 ±\u00a03 points by playing the queen of hearts; playing the 10 of clubs may be better."
    )


def test_losses_far_apart_are_both_told() -> None:
    """Their mean error, 23 ± 65, would be no loss to believe."""
    made = msgspec.structs.replace(
        QUEEN,
        behind=23.0,
        behind_error=66.0,
        behind_base=153.0,
        behind_base_error=12.0,
        behind_simple=23.0,
    )
    told = decision(TEN, msgspec.structs.replace(made, behind_simple_error=9.0))
    assert describe_loss(told, NAMES) == (
        "Bob probably loses 23 ±\u00a09 points by playing the queen of hearts if simple players go on, and 153 ±\u00a012 if "
        "base players do; playing the 10 of clubs was probably better."
    )


def test_a_loss_told_is_no_loss_within_its_error() -> None:
    """Both are sure, and the larger one has so large an error that the two may be one: together they seem to be none."""
    made = msgspec.structs.replace(
        QUEEN, behind=150.0, behind_error=85.0, behind_base=270.0, behind_base_error=60.0
    )
    made = msgspec.structs.replace(made, behind_simple=150.0, behind_simple_error=60.0)
    assert (
        "loses 150 ±\u00a060 points by playing the queen of hearts if simple players go on, and 270 ±\u00a060 if"
        in (describe_loss(decision(TEN, made), NAMES))
    )


def test_choices_as_good_as_the_best_are_all_named() -> None:
    nine = msgspec.structs.replace(TEN, cards=["9D"], behind=1.0, behind_base=2.0)
    far = msgspec.structs.replace(TEN, cards=["9H"], behind=1.0, behind_base=8.0)
    told = decision(TEN, QUEEN)
    told.choices[1:1] = [nine, far]
    told.chosen = 3
    assert "playing the 10 of clubs or the 9 of diamonds was probably better" in describe_loss(
        told, NAMES
    )


def test_a_matter_of_style_tells_who_would_have_to_go_on() -> None:
    made = msgspec.structs.replace(
        QUEEN, behind=2.0, behind_base=30.0, behind_base_error=4.0, behind_simple=2.0
    )
    told = decision(TEN, made)
    told.grade = "style"
    assert explain_grade(told, NAMES, 20).says == (
        "A matter of style: playing the 10 of clubs is 30 ± 4 points better if base "
        "players go on, but only 2 if simple players do."
    )


def told_to(names: list[str]) -> GameReview:
    """A review with sentences of every kind, as they are kept."""
    twice = Reason(PointSource(0, "marriage", 20), 100, 100, 97, 2.4, 1.7, 14)
    last = Reason(PointSource(1, "last_trick", 10), 100, 71, 8, 0.7, 0.1, 14)
    brisques = Reason(PointSource(1, "brisques", 10), 100, 100, 100, 9.2, 8.5, 14)
    best = replace(TEN, may_meld=PossibleScore("four_aces", "four aces", ("AS",), 100))
    made = replace(QUEEN, may_allow=PossibleScore("marriage", "a marriage", ("KS",), 20))
    exact = replace(decision(best, made), certain=True, phase="close")
    each_told = [
        decision(TEN, QUEEN),
        decision(NOTHING, QUEEN),
        replace(exact, doubtful=True),
        exact,
    ]
    reasons = [(), (twice, last), (of_meld(0, 100, 8), brisques)]
    told = [
        *(describe_loss(each, names) for each in each_told),
        *(describe_why(each_told[0], ChoiceComparison(40, some), names) for some in reasons),
    ]
    decisions = [replace(each_told[0], why=why) for why in told]
    return GameReview(
        digest="", sheet="bezique", options={}, terms=ReviewTerms(), names=names,
        deals=[ReviewedDeal(0, decisions, broken=decisions)],
    )  # fmt: skip


@pytest.mark.parametrize(
    "names",
    [["Ann", "Bob"], ["Bob", "Ann"], ["clubs", "With"], ["Ann", "Ann B."], ["a+b", "10 of clubs"]],
)
def test_a_review_tells_other_names_as_if_it_had_always_known_them(names: list[str]) -> None:
    renamed = ["Bob B.", "Ann"]
    assert call_players(told_to(names), renamed) == told_to(renamed)
