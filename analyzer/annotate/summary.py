"""An annotation in numbers: for each seat the points lost, the melds missed, and the mistakes."""

from collections.abc import Iterable

import msgspec

from analyzer.annotate.annotation import Annotation, DealAnnotation
from analyzer.annotate.close_review import CloseDecision


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


class Mistake(msgspec.Struct):
    """A mistake and the deal it was made in."""

    deal: int
    choice: CloseDecision


def seat_sums(notes: Annotation, deals: Iterable[DealAnnotation] | None = None) -> list[SeatSum]:
    """The sums of every seat, over the deals given, or over all."""
    sums = [SeatSum() for _ in notes.names]
    for deal in notes.deals if deals is None else deals:
        for seat, total in enumerate(sums):
            _add(total, deal, seat, notes.terms.least)
    return sums


def _add(total: SeatSum, deal: DealAnnotation, seat: int, least: int) -> None:
    """Add what a seat lost in one deal."""
    if deal.close is not None:
        own = [choice for choice in _decisions(deal) if choice.seat == seat]
        total.closes += 1
        total.lost += deal.close.lost[seat]
        total.choices += len(own)
        total.mistakes += sum(choice.lost >= least for choice in own)
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


def _decisions(deal: DealAnnotation) -> list[CloseDecision]:
    """The decisions of a close: one move is none, even where another was made against the rules."""
    found = deal.close.decisions if deal.close is not None else []
    return [choice for choice in found if len(choice.ways) > 1]


def mistakes(notes: Annotation) -> list[Mistake]:
    """Every mistake, costliest first."""
    found = [
        Mistake(deal.deal, choice)
        for deal in notes.deals
        for choice in _decisions(deal)
        if choice.lost >= notes.terms.least
    ]
    return sorted(found, key=lambda mistake: -mistake.choice.lost)
