"""The sentences of a deep review, for the pages, the terminal and the readable text alike."""

from collections.abc import Mapping, Sequence

from analyzer.review.choice_worlds import ChoiceComparison, Reason
from analyzer.review.deep_review import (
    ERRORS_TO_TELL,
    DeepReview,
    Grade,
    Phase,
    ReviewedChoice,
    ReviewedDecision,
    is_surely_behind,
    near_best,
)
from records.cards import FACE_OF
from records.phrases import capitalize_first, join_words, name_card, name_cards, name_meld

# The chance of winning the match in words.

PERCENT = "\u00a0%"
LEAST_PERCENT_IN_WHOLE = 0.95
"""Chances with a smaller standard error are told to a tenth of a percent."""
LEAST_ERROR_WRITTEN = 0.05


def describe_chance(chance: float, error: float) -> str:
    """A chance in percent with its standard error: `62 ± 2 %`, `61.6 ± 0.4 %`, and `100 %` where the match is decided."""
    percent, error = 100 * chance, 100 * error
    if not error:
        return f"{percent:.0f}{PERCENT}" if percent == round(percent) else f"{percent:.1f}{PERCENT}"
    if error >= LEAST_PERCENT_IN_WHOLE:
        return f"{percent:.0f} ±\u00a0{error:.0f}{PERCENT}"
    return f"{percent:.1f} ±\u00a0{max(error, 2 * LEAST_ERROR_WRITTEN):.1f}{PERCENT}"


def chance_of(choice: ReviewedChoice) -> str:
    """The chance after a choice; empty where it is not known."""
    return "" if choice.chance is None else describe_chance(choice.chance, choice.chance_error)


def describe_chance_lost(decision: ReviewedDecision) -> str:
    """What a decision changed in the chance of winning the match, in a sentence; empty where that is not known."""
    best, made = decision.choices[0], decision.choices[decision.chosen]
    if best.chance is None or made.chance is None or best is made:
        return ""
    sure = best.chance_error == made.chance_error == 0
    if sure and best.chance == made.chance in (0.0, 1.0):
        return f"The match is {'won' if best.chance else 'lost'} either way."
    was, became, by = chance_of(best), chance_of(made), made.chance_behind
    if abs(by) < ERRORS_TO_TELL * made.chance_behind_error or not by:
        return (
            f"The chance of winning the match is {became}, and {was} with the better choice: "
            "a difference too small to be sure of."
        )
    change = describe_chance(abs(by), made.chance_behind_error).removesuffix(PERCENT)
    points = f"{change} percentage {'point' if change == '1' else 'points'}"
    if by > 0:
        return f"This lowers the chance of winning the match by {points}, from {was} to {became}."
    return f"Yet it raises the chance of winning the match by {points}, from {was} to {became}."


GRADE_WORDS: Mapping[Grade, str] = {
    "only": "only choice",
    "best": "best",
    "good": "good",
    "inaccuracy": "inaccuracy",
    "mistake": "mistake",
    "blunder": "blunder",
    "too_close": "too close to tell",
    "style": "matter of style",
}
BONUS_WORDS = {
    "last_trick": "scores the last trick",
    "last_stock_trick": "scores the last trick before the close",
    "all_closed_tricks": "scores all tricks after the close",
}
PHASE_WORDS: Mapping[Phase, str] = {
    "stock": "while the stock lasts",
    "last_trick": "in the last trick before the close",
    "close": "after the close",
}
MOSTLY_OFTEN = 0.5
"""How often it comes is told in worlds if that accounts for so much of the difference, or else as a mean."""


def name_grade(grade: Grade) -> str:
    """A grade in words."""
    return GRADE_WORDS[grade]


def turning_point_remarks(review: DeepReview) -> dict[tuple[int, int], str]:
    """What the turning points cost, in sentences, by deal and event: for a text that tells the whole game."""
    return {
        (deal.deal, deal.decisions[place].event): describe_decision(deal.decisions[place])
        for deal in review.deals
        for place in deal.turning_points
    }


def describe_decision(decision: ReviewedDecision) -> str:
    """What a decision cost, in points and in chance of winning the match, and why, in sentences."""
    return f"{_describe_points(decision)} {describe_chance_lost(decision)}".rstrip()


def _describe_points(decision: ReviewedDecision) -> str:
    if decision.certain and decision.why:
        return decision.why
    made = decision.choices[decision.chosen]
    done = describe_choice(made)
    done = capitalize_first(done)
    if not decision.lost:
        return f"{done} is the best choice{'' if decision.certain else f', as far as {made.worlds} worlds tell'}."
    if decision.grade == "style":
        return f"{done} is a matter of style: {describe_style(decision)}."
    lost = (
        f"{decision.lost:g}" if decision.certain else describe_mean(decision.lost, decision.error)
    )
    better = describe_better(decision)
    if not is_surely_behind(made):
        return f"{done} may lose {lost} points; {better} may be better."
    return f"{done} loses {lost} points; {better} was better. {decision.why}".rstrip()


def describe_style(decision: ReviewedDecision) -> str:
    """Who would have to go on for another choice to be better: of a decision that is a matter of style."""
    made = decision.choices[decision.chosen]
    base = describe_mean(made.behind_base, made.behind_base_error)
    simple = describe_mean(made.behind_simple, made.behind_simple_error)
    better = describe_choice(decision.choices[0])
    if made.behind_base > made.behind_simple:
        return f"{better} is {base} points better if base players go on, but only {simple} if simple players do"
    return f"it is {simple} points behind the best if simple players go on, but only {base} if base players do"


def describe_choice(choice: ReviewedChoice) -> str:
    """A choice as the subject of a sentence: `playing the ten of hearts`, `melding four aces`, `holding back`."""
    cards = [FACE_OF.get(card, card) for card in choice.cards]
    match choice.kind:
        case "play":
            return f"playing {name_card(cards[0])}"
        case "meld":
            return f"melding {name_meld(choice.meld)} ({name_cards(cards)})"
        case "exchange":
            return f"exchanging {name_card(cards[0])}"
        case "show":
            return f"showing {name_card(cards[0])}"
        case "hold_back":
            return "melding nothing"


MOST_NAMED = 3
"""So many choices that are as good as the best are named at most."""


def describe_better(decision: ReviewedDecision) -> str:
    """The best choices as the subject of a sentence: `playing the ten of spades, the nine of diamonds or the nine of clubs`.

    A choice of the same faces as what was made is told from it.
    """
    made = describe_choice(decision.choices[decision.chosen])
    best, *others = near_best(decision)[:MOST_NAMED]
    words = describe_choice(best)
    if words == made:
        return f"{words} with other copies"
    if best.kind == "play":
        cards = [
            name_card(FACE_OF.get(each.cards[0], each.cards[0]))
            for each in others
            if each.kind == "play"
        ]
        return join_words([words, *cards], "or")
    return words


def describe_mean(points: float, error: float) -> str:
    """A mean with its standard error, to whole points where the error is one or more: `34 ± 5`, `12.5 ± 0.4`, `20`."""
    if error < LEAST_ERROR_WRITTEN:
        return f"{points:g}".replace("-", "−")
    digits = 0 if error >= 1 else 1
    return f"{points:.{digits}f} ± {error:.{digits}f}".replace("-", "−")


def describe_why(
    decision: ReviewedDecision, comparison: ChoiceComparison, names: Sequence[str]
) -> str:
    """What the worlds show of the best choice beside the one made: what comes of both, or else their means."""
    best, made = decision.choices[0], decision.choices[decision.chosen]
    means = _with_choice(best)
    if comparison.reasons:
        first, *more = [_describe_reason(reason, names) for reason in comparison.reasons]
        return " ".join([f"{means} {first}.", *(f"Also, {each}." for each in more)])
    return (
        f"{means} {names[decision.seat]} ends {_describe_lead(best)}, on average over {made.worlds} worlds, "
        f"instead of {_describe_lead(made)}."
    )


def _with_choice(choice: ReviewedChoice) -> str:
    """What goes before what comes of a choice: `With the 10 of clubs`, `After four aces`."""
    cards = [FACE_OF.get(card, card) for card in choice.cards]
    match choice.kind:
        case "play":
            return f"With {name_card(cards[0])}"
        case "meld":
            return f"After {name_meld(choice.meld)}"
        case "exchange":
            return "After the exchange"
        case "show":
            return f"After showing {name_card(cards[0])}"
        case "hold_back":
            return "Without a meld now"


def _describe_lead(choice: ReviewedChoice) -> str:
    """The mean lead after a choice: `34 ± 5 points ahead`, `12 ± 4 points behind`."""
    side = "behind" if choice.value < 0 else "ahead"
    return f"{describe_mean(abs(choice.value), choice.error)} points {side}"


def _describe_reason(reason: Reason, names: Sequence[str]) -> str:
    """What one source brings after the better choice, and after the other: `Bob makes four aces (100) in all 100 worlds instead of 8`."""
    source, worlds = reason.source, reason.worlds
    who = names[source.seat]
    if source.name == "brisques":
        return (
            f"{who} takes {reason.times:.1f} brisques instead of {reason.times_else:.1f}, "
            f"on average over {worlds} worlds"
        )
    does = BONUS_WORDS.get(source.name) or f"makes {name_meld(source.name)} ({source.worth})"
    by_often = (reason.often - reason.often_else) / worlds
    if abs(by_often) >= MOSTLY_OFTEN * abs(reason.times - reason.times_else):
        return f"{who} {does} in {_count_worlds(reason.often, worlds)} instead of {_count(reason.often_else, worlds)}"
    return (
        f"{who} {does} {reason.times:.1f} times instead of {reason.times_else:.1f}, "
        f"on average over {worlds} worlds"
    )


def _count_worlds(often: int, worlds: int) -> str:
    """So many of the worlds: `all 100 worlds`, `71 of 100 worlds`, `none of 100 worlds`."""
    number = (
        f"{_count(often, worlds)} {worlds}"
        if often == worlds
        else f"{_count(often, worlds)} of {worlds}"
    )
    return f"{number} worlds"


def _count(often: int, worlds: int) -> str:
    return {0: "none", worlds: "all"}.get(often, str(often))
