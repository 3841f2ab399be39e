"""What a review comes to: what each seat lost and missed, and the choices that cost most."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from analyzer.review.deep_review import (
    DEFAULT_LEAST,
    MISTAKES,
    GameReview,
    ReviewedChoice,
    ReviewedDeal,
    ReviewedDecision,
    find_turning_points,
    grade_decision,
)
from analyzer.review.exact_deals import close_decisions
from analyzer.review.missed import MissedChance


class SeatSum(msgspec.Struct):
    """What one seat lost, in one deal or several.

    `lost` is the points lost after the close, in `choices` decisions of which `mistakes` were mistakes; all
    three are 0 where no close was reviewed (`closes` is 0). `melds` counts melds made, `melds_lost` those never
    made, `others_lost` dixes and cartes blanches never shown, `brisques` the aces and tens not taken.
    """

    closes: int = 0
    lost: int = 0
    choices: int = 0
    mistakes: int = 0
    melds: int = 0
    melds_lost: int = 0
    melds_lost_points: int = 0
    melds_delayed: int = 0
    melds_given_up: int = 0
    others_lost: int = 0
    brisques: int = 0


def seat_sums(review: GameReview, deals: Iterable[ReviewedDeal] | None = None) -> list[SeatSum]:
    """The sums of every seat, over the deals given, or over all."""
    sums = [SeatSum() for _ in review.names]
    for deal in review.deals if deals is None else deals:
        for seat, total in enumerate(sums):
            _add(total, deal, seat, review.terms.least)
    return sums


def _add(total: SeatSum, deal: ReviewedDeal, seat: int, least: int) -> None:
    """Add what a seat lost in one deal."""
    if deal.close is not None:
        # One lawful move is no choice, even where another was made against the rules.
        own = [each for each in close_decisions(deal) if each.seat == seat and _had_choice(each)]
        total.closes += 1
        total.lost += deal.close.lost[seat]
        total.choices += len(own)
        total.mistakes += sum(each.lost >= least for each in own)
    total.melds += sum(len(won.made) for won in deal.won if won.seat == seat)
    for missed in (each for each in deal.missed if each.seat == seat):
        lost = missed.became == "lost"
        match missed.what:
            case "meld" if lost:
                total.melds_lost += 1
                total.melds_lost_points += missed.could.points
            case "meld" if missed.became == "delayed":
                total.melds_delayed += 1
            case "meld":
                total.melds_given_up += 1
            case "brisque":
                total.brisques += 1
            case _:
                total.others_lost += lost


def _had_choice(decision: ReviewedDecision) -> bool:
    return len(decision.choices) - (not decision.lawful) > 1


# The choices that cost most: one list for the whole game.


class CostlyChoice(NamedTuple):
    """A choice that cost much: a decision, or a chance to score that was never taken and is not weighed yet.

    `deal` counts from 0, `event` is its event in the deal. `cost` is in points: what was lost at the end of the deal, and of
    a missed chance what it would have scored.
    """

    deal: int
    event: int
    cost: float
    decision: ReviewedDecision | None = None
    missed: MissedChance | None = None


def list_costly_choices(review: GameReview, least: float = DEFAULT_LEAST) -> list[CostlyChoice]:
    """Every mistake of a game by a limit of `least` points, every choice that lost the match, and every score never taken.

    The costliest comes first. A chance is told by the decision to pass it up, once that has been valued.
    """
    found = [each for deal in review.deals for each in _costly_choices(deal, least)]
    return sorted(found, key=lambda each: (-each.cost, each.deal, each.event))


def _costly_choices(deal: ReviewedDeal, least: float) -> Iterator[CostlyChoice]:
    for each in (*deal.decisions, *deal.broken):
        if is_worth_telling(each, least) and _had_choice(each):
            yield CostlyChoice(deal.deal, each.event, each.lost, decision=each)
    for missed in deal.missed:
        is_costly = missed.became == "lost" and missed.could.points >= max(least, 1)
        if is_costly and missed.what != "brisque" and not _is_valued(missed, deal):
            yield CostlyChoice(deal.deal, missed.last + 1, missed.could.points, missed=missed)


def is_mistake(decision: ReviewedDecision, least: float) -> bool:
    """Whether a decision is a mistake or a blunder by a limit of `least` points, or lost the match.

    Breaking a rule counts by its loss.
    """
    if not decision.lawful:
        return decision.lost >= least
    return decision.match is not None or grade_decision(decision, least) in MISTAKES


def is_worth_telling(decision: ReviewedDecision, least: float) -> bool:
    """Whether a decision was a mistake, or gained points by breaking a rule."""
    return is_mistake(decision, least) or (not decision.lawful and decision.lost < 0)


def count_mistakes(review: GameReview, least: float = DEFAULT_LEAST) -> list[tuple[int, int]]:
    """For each seat how many of its decisions were mistakes, and how many decisions there were, as far as they are valued."""
    decisions = [
        each
        for deal in review.deals
        for each in (*deal.decisions, *deal.broken)
        if _had_choice(each)
    ]
    own = [[each for each in decisions if each.seat == seat] for seat in range(len(review.names))]
    return [(sum(is_mistake(each, least) for each in some), len(some)) for some in own]


def _is_valued(missed: MissedChance, deal: ReviewedDeal) -> bool:
    """Whether a decision that passed the chance up has been valued."""
    return any(
        each.seat == missed.seat
        and missed.first < each.event <= missed.last + 1
        and any(_takes(choice, missed) for choice in each.choices)
        for each in deal.decisions
    )


def _takes(choice: ReviewedChoice, missed: MissedChance) -> bool:
    if missed.what == "meld":
        return choice.kind == "meld" and choice.meld == missed.could.name
    return missed.what == "dix" and choice.kind in ("exchange", "show")


def find_match_turns(
    review: GameReview, least: float = DEFAULT_LEAST
) -> list[tuple[int, ReviewedDecision]]:
    """The turning points of the whole match, with their deals from 0 (`find_turning_points`)."""
    places = [(deal.deal, each) for deal in review.deals for each in deal.decisions]
    found = find_turning_points([each for _, each in places], least)
    return [places[place] for place in found]
