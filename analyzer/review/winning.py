"""What choices are worth in chance of winning the match, and how far that can be trusted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import hypot, sqrt
from typing import NamedTuple

from analyzer.play.fast_deal import FastDeal
from analyzer.players.winning_model import (
    FEATURES,
    ChanceModel,
    ChanceWeights,
    DealShape,
    MatchState,
    MatchTerms,
    SimulatedModel,
    chance_slope,
    match_terms,
    slope_error,
    state_features,
)
from analyzer.review.deep_review import ChanceSource, ReviewedChoice, ReviewedDecision
from records.record import Record
from records.replay import Match, replay
from records.rules.registry import ResolvedSheet
from records.rules.settlement import race_winner, settle_deal
from records.rules.vocabulary import GameEnd, OneDeal, RaceTo

# The chance of winning the match after each way in which a deal may end, and how far it can be trusted.
#
# Where a deal is a match of its own, its settlement says who wins. In a race, a side that has reached the target wins;
# otherwise the model of winning (`analyzer.players.winning_model`) says how often a match is won from there. What it does not
# know of its own weights is part of every standard error.

NO_SLOPE: Sequence[float] = (0.0,) * FEATURES
SETTLED_BY_RULES = ChanceSource(0, 0)


class DealEnd(NamedTuple):
    """How a deal ends: the points of both seats before settlement, and the brisques that they have taken."""

    points: tuple[int, int]
    brisques: tuple[int, int] = (0, 0)

    @classmethod
    def of(cls, deal: FastDeal) -> "DealEnd":
        """The end of a deal that has been played out."""
        points, brisques = deal.points, deal.brisques
        return cls((points[0], points[1]), (brisques[0], brisques[1]))


class SeatChance(NamedTuple):
    """The chance of a seat to win the match, and how fast it changes with the weights of the model."""

    chance: float
    slope: Sequence[float] = NO_SLOPE


class WinningModel(NamedTuple):
    """What the chances in a race rest on: how deals go, the weights, and how many matches both are from."""

    shape: DealShape
    weights: ChanceWeights
    source: ChanceSource

    @classmethod
    def of_stored(cls, model: ChanceModel, game: int) -> "WinningModel":
        """A model of stored matches, as it would be without the game with this key."""
        return cls(model.shape, model.without(game), ChanceSource(model.matches, model.simulated))

    @classmethod
    def of_simulated(cls, model: SimulatedModel) -> "WinningModel":
        """A model of simulated matches alone."""
        return cls(model.shape, model.weights, ChanceSource(0, model.matches))


class DealChances:
    """The chances of winning the match with one deal: who deals, what both have before it, and what is known of winning.

    `model` is None where the deal is the match.
    """

    def __init__(
        self,
        game: RaceTo | OneDeal,
        terms: MatchTerms,
        before: tuple[int, int],
        dealer: int,
        worth: int,
        model: WinningModel | None,
    ) -> None:
        """`worth` are the points of a brisque in a settlement."""
        self._game, self._terms, self._before = game, terms, before
        self._dealer, self._worth, self._model = dealer, worth, model
        self._known: dict[DealEnd, SeatChance] = {}

    def after(self, end: DealEnd, seat: int) -> SeatChance:
        """The chance of a seat to win once the deal has ended so."""
        if end not in self._known:
            self._known[end] = self._first_after(end)
        found = self._known[end]
        if seat == 0:
            return found
        return SeatChance(1 - found.chance, [-slope for slope in found.slope])

    def error_of(self, slope: Sequence[float]) -> float:
        """The standard error, from the weights alone, of a mean chance or a difference with this mean slope."""
        return slope_error(self._model.weights, slope) if self._model else 0.0

    @property
    def are_settled(self) -> bool:
        """Whether the deal is the match, so that brisques may decide it even where they are no points of the deal."""
        return isinstance(self._game, OneDeal)

    def _first_after(self, end: DealEnd) -> SeatChance:
        """The chance of seat 0."""
        if isinstance(self._game, OneDeal):
            brisques = [self._worth * number for number in end.brisques]
            return _decided(settle_deal(self._game, [*end.points], brisques).winner)
        first, second = (has + more for has, more in zip(self._before, end.points, strict=True))
        winner = race_winner(self._game, (first, second), seats=2)
        if winner is not None:
            return _decided(winner)
        assert self._model is not None
        # The other seat deals next, and nothing of that deal is known yet.
        own, other = (second, first) if self._dealer == 0 else (first, second)
        state = MatchState(0, own, other, 0, 0, 0)
        features = state_features(state, self._terms, self._model.shape)
        chance, slope = chance_slope(self._model.weights, features)
        if self._dealer == 0:
            return SeatChance(1 - chance, [-each for each in slope])
        return SeatChance(chance, slope)


def _decided(winner: int | None) -> SeatChance:
    return SeatChance({0: 1.0, 1: 0.0, None: 0.5}[winner])


def chances_by_deal(
    record: Record,
    resolved: ResolvedSheet,
    model: WinningModel | None,
    before: Mapping[int, tuple[int, int]] | None = None,
) -> Mapping[int, DealChances]:
    """The chances with each deal of a record between two of whose start the match points are known: `before`.

    In a race they need a model, and there are none where the target ends the deal at once: no deal is then played on.
    """
    game, terms = resolved.sheet.rules.match, match_terms(resolved)
    if len(record.players) != 2 or resolved.sheet.rules.tableau:
        return {}
    if isinstance(game, RaceTo) and (model is None or game.end is GameEnd.AT_ONCE):
        return {}
    model = None if isinstance(game, OneDeal) else model
    before = scores_before(record, resolved) if before is None else before
    return {
        number: DealChances(
            game,
            terms,
            scores,
            record.deals[number].dealer,
            resolved.sheet.rules.brisques.points,
            model,
        )
        for number, scores in before.items()
    }


def scores_before(record: Record, resolved: ResolvedSheet) -> dict[int, tuple[int, int]]:
    """The match points of both seats before each deal, as long as they are known and the match goes on."""
    match, found = Match(record, resolved), {}
    for frame in replay(record, match=match):
        if frame.index == -1 and match.scores is not None and not match.complete:
            first, second = match.scores
            found[frame.deal] = first, second
    return found


def chance_source(
    record_chances: Mapping[int, DealChances], model: WinningModel | None
) -> ChanceSource | None:
    """What the chances of a record rest on; None if it has none."""
    if not record_chances:
        return None
    are_settled = next(iter(record_chances.values())).are_settled
    return SETTLED_BY_RULES if are_settled or model is None else model.source


# The choices: in the worlds in which their points were found, or exactly.

CHANCE_DIGITS = 4
DECIDED = (0.0, 0.5, 1.0)


class MeanChance(NamedTuple):
    """A mean chance, or a difference of two, from 0 to 1, and its standard error."""

    chance: float
    error: float


class ChoiceChances:
    """The chances of winning by choice and world, for the seat that decides.

    The best choice is the one with most points, and is compared as points are: in worlds that had no part in its choice.
    So there is one for each world in which a choice is `compared`, beside the best in all of them.
    """

    def __init__(
        self,
        ends: Sequence[Sequence[DealEnd]],
        seat: int,
        best: int,
        compared: Sequence[tuple[int, Sequence[int]]],
        chances: DealChances,
    ) -> None:
        """`ends` are those of the deal by choice and world; `compared` has what `LeadsByChoice.best_by_world` says of each."""
        self._best, self._compared, self._known = best, compared, chances
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
        """The mean chance after a choice; of one that was given up, by how much it differs in the worlds of both."""
        own, best = self._chances[choice], self._chances[self._best]
        if len(own) == len(best):
            return mean_chance(own, self._known)
        gap = mean_chance(
            [_difference(*each) for each in zip(own, best, strict=False)], self._known
        )
        of_best = mean_chance(best, self._known)
        chance = min(1.0, max(0.0, of_best.chance + gap.chance))
        return MeanChance(chance, hypot(of_best.error, gap.error))

    def behind(self, choice: int) -> MeanChance:
        """By how much the chance after the best choice is higher; below 0 if it is lower.

        Its error has the same parts as that in points (`ChoiceWorlds.behind`): which choice is best is uncertain, too.
        """
        first, best_by_world = self._compared[choice]
        own = self._chances[choice][first:]
        found = mean_chance(
            [
                _difference(self._chances[place][world], each)
                for world, (place, each) in enumerate(zip(best_by_world, own, strict=True), first)
            ],
            self._known,
        )
        of_best = mean_chance(self._chances[self._best][first : first + len(own)], self._known)
        chosen_by_all = of_best.chance - mean_chance(own, self._known).chance
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
        if best is not None and choice is not decision.best:
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
