"""Expectancy: the chance of winning a match, after every trick of a deal of a stored game.

Before the end it is an estimate by the model of the sheet and its target (`chance_model`). At the end of the match
it is what the rules say: 1, 0, or half of a draw.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from analyzer.db.store import Store
from analyzer.players.chances.chance_features import MatchState, state_features
from analyzer.players.chances.chance_fit import ChanceRange, ChanceWeights, estimate_chance
from analyzer.players.chances.chance_model import ChanceModel, ChanceModels
from records.errors import RulesError
from records.rules.registry import resolve_sheet

SELECT_DEAL_START = """
    SELECT
        games.game, games.sheet, games.edition, games.options, seats.seat, seats.side,
        seats.match_score, seats.match_score_against, seats.match_outcome,
        games.complete AND seats.deal = games.deals - 1 AS is_last
    FROM games
    JOIN seats ON seats.game = games.game
    WHERE games.digest = $digest AND seats.deal = $deal AND seats.role = 'dealer' AND seats.opponent IS NOT NULL
"""
SELECT_BRISQUES = """
    SELECT trick + 1, sum(if(winner = $seat, brisques::INTEGER, -brisques::INTEGER)) OVER (ORDER BY trick)
    FROM tricks WHERE game = $game AND deal = $deal
"""


class DealPoints(NamedTuple):
    """The points of both sides in a deal so far, and whether the deal is over."""

    first: int
    second: int
    over: bool = False


@dataclass(frozen=True, slots=True)
class WinChance:
    """The chance of the first side at a point of a deal, named by the caller, with its 95 % interval.

    `decided` says that the match is over and this is its result.
    """

    at: int
    chance: float
    low: float
    high: float
    decided: bool


@dataclass(frozen=True, slots=True)
class Expectancy:
    """The chances in a deal, from so many stored and so many simulated matches; `chances` may be empty."""

    sheet: str
    matches: int
    simulated: int
    chances: list[WinChance]


class _Dealt(NamedTuple):
    """The start of a deal as its dealer's side sees it; `is_last` says that the match ends with the deal."""

    game: int
    sheet: str
    edition: int
    options: str
    seat: int
    side: int
    own: int | None
    other: int | None
    won: float | None
    is_last: bool


NO_EXPECTANCY = Expectancy("", 0, 0, [])


def match_expectancy(
    store: Store,
    models: ChanceModels,
    digest: str,
    deal: int,
    points: Mapping[int, tuple[int, DealPoints]],
) -> Expectancy:
    """The first side's chances of winning the match in a deal of a stored game.

    `points` maps whatever names a point of the deal to the tricks that were over and the points so far. The game itself does not count in
    the model. Only games for two have chances. Raises QueryTimeout.
    """
    found = store.rows(SELECT_DEAL_START, {"digest": digest, "deal": deal}).rows
    if not found:
        return NO_EXPECTANCY
    dealt = _Dealt(*found[0])
    if dealt.own is None or dealt.other is None:
        return NO_EXPECTANCY
    try:
        options = msgspec.json.decode(dealt.options)
        model = models.model(resolve_sheet(dealt.sheet, dealt.edition, options))
    except RulesError:
        return NO_EXPECTANCY
    reader = _DealReader(dealt, model, model.without(dealt.game))
    brisques = {0: 0}
    parameters = {"game": dealt.game, "deal": deal, "seat": dealt.seat}
    brisques.update(store.rows(SELECT_BRISQUES, parameters).rows)
    chances = [
        reader.chance(at, tricks, brisques.get(tricks, 0), scored)
        for at, (tricks, scored) in points.items()
    ]
    return Expectancy(dealt.sheet, model.matches, model.simulated, chances)


class _DealReader:
    """Estimates the chances in one deal."""

    def __init__(self, dealt: _Dealt, model: ChanceModel, weights: ChanceWeights) -> None:
        self.dealt, self.model, self.weights = dealt, model, weights

    def chance(self, at: int, tricks: int, brisques: int, scored: DealPoints) -> WinChance:
        """The first side's chance after so many tricks, in which the dealer is some brisques ahead."""
        dealt = self.dealt
        if scored.over and dealt.is_last and dealt.won is not None:
            won = dealt.won if dealt.side == 0 else 1 - dealt.won
            return WinChance(at, won, won, won, decided=True)
        side, state = dealt.side, self._state(tricks, brisques, scored)
        if scored.over:
            # The other side deals next, and nothing of that deal is known yet.
            side = 1 - side
            state = MatchState(0, state.other + _other(state), state.own + _own(state), 0, 0, 0)
        features = state_features(state, self.model.terms, self.model.shape)
        estimate = estimate_chance(self.weights, features)
        if side == 1:
            estimate = ChanceRange(1 - estimate.chance, 1 - estimate.high, 1 - estimate.low)
        return WinChance(at, *estimate, decided=False)

    def _state(self, tricks: int, brisques: int, scored: DealPoints) -> MatchState:
        sign = 1 if self.dealt.side == 0 else -1
        lead = sign * (scored.first - scored.second)
        together = scored.first + scored.second
        return MatchState(
            tricks, self.dealt.own or 0, self.dealt.other or 0, lead, together, brisques
        )


def _own(state: MatchState) -> int:
    return (state.both + state.lead) // 2


def _other(state: MatchState) -> int:
    return (state.both - state.lead) // 2
