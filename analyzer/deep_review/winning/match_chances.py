"""The chance of winning the match after each way in which a deal may end, and how far it can be trusted.

Where a deal is a match of its own, its settlement says who wins. In a race, a side that has reached the target wins;
otherwise the model of winning (`analyzer.players.chances`) says how often a match is won from there. What it does not
know of its own weights is part of every standard error.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from analyzer.deep_review.deep_review import ChanceSource
from analyzer.fast_table.fast_deal import FastDeal
from analyzer.players.chances.chance_features import (
    DealShape,
    MatchState,
    MatchTerms,
    state_features,
)
from analyzer.players.chances.chance_fit import FEATURES, ChanceWeights, chance_slope, slope_error
from analyzer.players.chances.chance_model import ChanceModel, SimulatedModel, match_terms
from records.record import Record
from records.replay import Match, replay
from records.rules.registry import ResolvedSheet
from records.rules.settlement import settle_deal
from records.rules.vocabulary import GameEnd, OneDeal, RaceTo

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
        if max(first, second) >= self._game.target and first != second:
            return _decided(0 if first > second else 1)
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
    record: Record, resolved: ResolvedSheet, model: WinningModel | None
) -> Mapping[int, DealChances]:
    """The chances with each deal of a record between two; none of a deal whose match is over, or whose start is not known.

    In a race they need a model, and there are none where the target ends the deal at once: no deal is then played on.
    """
    game, terms = resolved.sheet.game, match_terms(resolved)
    if len(record.players) != 2 or resolved.sheet.tableau:
        return {}
    if isinstance(game, RaceTo) and (model is None or game.end is GameEnd.AT_ONCE):
        return {}
    model = None if isinstance(game, OneDeal) else model
    return {
        number: DealChances(
            game, terms, before, record.deals[number].dealer, resolved.sheet.brisques.points, model
        )
        for number, before in _scores_before(record, resolved)
    }


def _scores_before(
    record: Record, resolved: ResolvedSheet
) -> Iterator[tuple[int, tuple[int, int]]]:
    """The match points of both seats before each deal, as long as they are known and the match goes on."""
    match = Match(record, resolved)
    for frame in replay(record, match=match):
        if frame.index == -1 and match.scores is not None and not match.complete:
            first, second = match.scores
            yield frame.deal, (first, second)


def chance_source(
    record_chances: Mapping[int, DealChances], model: WinningModel | None
) -> ChanceSource | None:
    """What the chances of a record rest on; None if it has none."""
    if not record_chances:
        return None
    are_settled = next(iter(record_chances.values())).are_settled
    return SETTLED_BY_RULES if are_settled or model is None else model.source
