"""What choices are worth in chance of winning the match: in the worlds in which their points were found, or exactly."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import hypot, sqrt
from typing import NamedTuple

from analyzer.deep_review.deep_review import ReviewedChoice, ReviewedDecision
from analyzer.deep_review.winning.match_chances import DealChances, DealEnd, SeatChance

CHANCE_DIGITS = 4
DECIDED = (0.0, 0.5, 1.0)


class MeanChance(NamedTuple):
    """A mean chance, or a difference of two, from 0 to 1, and its standard error."""

    chance: float
    error: float


class ChoiceChances:
    """The chances of winning by choice and world, for the seat that decides.

    The best choice is the one with most points, and is compared as points are: in worlds that had no part in its choice.
    So there is one for each fold of the worlds, beside the best in all of them.
    """

    def __init__(
        self,
        ends: Sequence[Sequence[DealEnd]],
        seat: int,
        best: int,
        best_by_fold: Sequence[int],
        chances: DealChances,
    ) -> None:
        """`ends` are those of the deal by choice and world."""
        self._best, self._best_by_fold, self._known = best, best_by_fold, chances
        self._chances = [[chances.after(end, seat) for end in of_choice] for of_choice in ends]

    def add_to(self, reviewed: ReviewedChoice, choice: int, *, is_best: bool) -> None:
        """Give a reviewed choice its chance, and how far it is behind that of the best."""
        mean, behind = self.mean_of(choice), self.behind(choice)
        reviewed.chance = round(mean.chance, CHANCE_DIGITS)
        reviewed.chance_error = round(mean.error, CHANCE_DIGITS)
        if not is_best:
            reviewed.chance_behind = round(behind.chance, CHANCE_DIGITS)
            reviewed.chance_behind_error = round(behind.error, CHANCE_DIGITS)

    def mean_of(self, choice: int) -> MeanChance:
        """The mean chance after a choice."""
        return mean_chance(self._chances[choice], self._known)

    def behind(self, choice: int) -> MeanChance:
        """By how much the chance after the best choice is higher; below 0 if it is lower.

        Its error has the same parts as that in points (`ChoiceWorlds.behind`): which choice is best is uncertain, too.
        """
        own, folds = self._chances[choice], len(self._best_by_fold)
        best = [self._chances[place] for place in self._best_by_fold]
        found = mean_chance(
            [_difference(best[number % folds][number], each) for number, each in enumerate(own)],
            self._known,
        )
        chosen_by_all = self.mean_of(self._best).chance - self.mean_of(choice).chance
        flattery, one_more = chosen_by_all - found.chance, found.chance / len(own)
        return MeanChance(found.chance, hypot(found.error, flattery, one_more))


def mean_chance(values: Sequence[SeatChance], chances: DealChances) -> MeanChance:
    """The mean of sampled chances; its error is that of the sample and that of the model's weights.

    Where every sampled match is decided, the next one may be the first to end otherwise: so the error is at least that
    of one in so many.
    """
    number = len(values)
    mean = sum(value.chance for value in values) / number
    variance = sum((value.chance - mean) ** 2 for value in values) / max(number - 1, 1)
    sampled = sqrt(variance / number)
    if all(abs(value.chance) in DECIDED for value in values):
        sampled = max(sampled, 1 / (number + 2))
    return MeanChance(mean, sqrt(sampled**2 + chances.error_of(_mean_slope(values)) ** 2))


def _mean_slope(values: Sequence[SeatChance]) -> list[float]:
    return [
        sum(slopes) / len(values) for slopes in zip(*(each.slope for each in values), strict=True)
    ]


def _difference(first: SeatChance, second: SeatChance) -> SeatChance:
    slope = [a - b for a, b in zip(first.slope, second.slope, strict=True)]
    return SeatChance(first.chance - second.chance, slope)


class ExactEnds(NamedTuple):
    """The ends of a deal after each choice of a decision whose values are exact.

    `leads` has for each choice the leads of seat 0 with the number of cases that have each. In all, both seats then have
    `together` points, as at the end that was played: what else could be melded is not considered. They have `taken` some
    brisques, and `left` of them may fall to either.
    """

    leads: Sequence[Mapping[int, int]]
    together: int
    taken: tuple[int, int]
    left: int


def add_exact_chances(decision: ReviewedDecision, ends: ExactEnds, chances: DealChances) -> None:
    """Give the choices of a decision their chances; none where brisques that are still to be taken may decide."""
    found = [_exact_chance(leads, ends, decision.seat, chances) for leads in ends.leads]
    best = found[0]
    for choice, chance in zip(decision.choices, found, strict=True):
        if chance is None:
            continue
        choice.chance = round(chance.chance, CHANCE_DIGITS)
        choice.chance_error = round(chances.error_of(chance.slope), CHANCE_DIGITS)
        if best is not None and choice is not decision.choices[0]:
            behind = _difference(best, chance)
            choice.chance_behind = round(behind.chance, CHANCE_DIGITS)
            choice.chance_behind_error = round(chances.error_of(behind.slope), CHANCE_DIGITS)


def _exact_chance(
    leads: Mapping[int, int], ends: ExactEnds, seat: int, chances: DealChances
) -> SeatChance | None:
    """The mean over the cases; None if it depends on who takes which brisques."""
    cases = Counter(leads).elements()
    found = [_case_chance(lead, ends, seat, chances) for lead in cases]
    known = [chance for chance in found if chance is not None]
    if len(known) < len(found):
        return None
    return SeatChance(sum(each.chance for each in known) / len(known), _mean_slope(known))


def _case_chance(lead: int, ends: ExactEnds, seat: int, chances: DealChances) -> SeatChance | None:
    points = (ends.together + lead) // 2, (ends.together - lead) // 2
    first, second = ends.taken
    splits = range(ends.left + 1) if chances.are_settled else range(1)
    found = [
        chances.after(DealEnd(points, (first + more, second + ends.left - more)), seat)
        for more in splits
    ]
    return found[0] if all(each.chance == found[0].chance for each in found) else None
