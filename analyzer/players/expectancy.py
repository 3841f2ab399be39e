"""Expectancy: the chance of winning a match, after every trick of a deal of a stored game.

Before the end it is an estimate by the model of the sheet and its target (`analyzer.players.winning_model`). At the end of the match
it is what the rules say: 1, 0, or half of a draw.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from math import sqrt
from typing import Any, NamedTuple

import msgspec

from analyzer.players.winning_model import (
    SIMULATED_WORTH,
    ChanceModel,
    ChanceModels,
    ChanceRange,
    ChanceWeights,
    MatchOutcomes,
    MatchState,
    SimulatedModel,
    estimate_chance,
    fit_weights,
    state_features,
)
from analyzer.statistics.intervals import SELECT_STUDENT_T
from analyzer.statistics.questions import Answer, Chart, Question, QuestionFilters
from analyzer.store.store import QueryResult, Store
from records.errors import RulesError
from records.rules.registry import resolve_sheet

# Calibration of a model of winning: predictions in tenths, with how often the match was won, and the error of that.
#
# The states of a match have one outcome and are not independent: the errors are those of a sum over matches. A model
# that was fitted to the same matches is judged by five others, each fitted without a fifth of them.

TENTHS, FOLDS = 10, 5
Prediction = tuple[int, float, float]
"""The key of a match, the chance that was stated, and how the match ended."""


class CalibrationTenth(msgspec.Struct, frozen=True):
    """The predictions in one tenth: `said` and `won` are shares from 0 to 1, `error` is that of `won` minus `said`."""

    tenth: int
    predictions: int
    matches: int
    said: float
    won: float
    error: float


def calibrate(predictions: Iterable[Prediction]) -> list[CalibrationTenth]:
    """The tenths that hold predictions."""
    tenths: list[list[Prediction]] = [[] for _ in range(TENTHS)]
    for prediction in predictions:
        tenths[min(TENTHS - 1, int(TENTHS * prediction[1]))].append(prediction)
    return [_tenth(number, found) for number, found in enumerate(tenths) if found]


def _tenth(number: int, predictions: Sequence[Prediction]) -> CalibrationTenth:
    count = len(predictions)
    said = sum(chance for _, chance, _ in predictions) / count
    won = sum(outcome for *_, outcome in predictions) / count
    sums: dict[int, float] = {}
    for game, chance, outcome in predictions:
        sums[game] = sums.get(game, 0.0) + (outcome - chance) - (won - said)
    matches = len(sums)
    # A ratio estimator with the match as its cluster, and the usual correction for few of them.
    squares = sum(value**2 for value in sums.values()) * matches / max(1, matches - 1)
    return CalibrationTenth(number, count, matches, said, won, sqrt(squares) / count)


def predictions_of(
    weights: ChanceWeights, matches: Mapping[int, MatchOutcomes]
) -> list[Prediction]:
    """What a model says of every state of some matches."""
    return [
        (game, estimate_chance(weights, features).chance, won)
        for game, match in matches.items()
        for features, won in zip(match.features, match.won, strict=True)
    ]


def cross_validated(
    matches: Mapping[int, MatchOutcomes], before: ChanceWeights | None, worth: float
) -> list[Prediction]:
    """What models say of every match that were fitted without its fifth of all."""
    found = []
    for fold in range(FOLDS):
        held_out = {game: match for game, match in matches.items() if game % FOLDS == fold}
        others = [match for game, match in matches.items() if game % FOLDS != fold]
        found += predictions_of(fit_weights(others, before, worth), held_out)
    return found


def calibration_answer(
    store: Store, tenths: Sequence[CalibrationTenth], title: str, caveat: str
) -> Answer:
    """Calibration as an answer, to be drawn: in percent, with the 95 % interval of the share won, by Student's t.

    A tenth with the predictions of one match only has none. Raises QueryTimeout.
    """
    freedoms = [1 / (one.matches - 1) if one.matches > 1 else None for one in tenths]
    found = store.rows(SELECT_STUDENT_T, {"inverse_freedoms": freedoms}).rows
    rows = [
        (round(100 * one.said, 1), round(100 * one.won, 1), *_ends(one, t), one.predictions)
        for one, (t,) in zip(tenths, found, strict=True)
    ]
    columns = {"x": "said", "y": "won", "low": "low", "high": "high"}
    question = Question(
        name="calibration",
        title=title,
        answers="How often is a match won that was said to be won so often?",
        over="predictions",
        over_one="prediction",
        chart=Chart("scatter", columns, (), frozenset({"diagonal"})),
        unit="percent of predictions that came true",
        x="chance stated, in percent",
        caveat=caveat,
        sql="",
    )
    result = QueryResult((*columns.values(), "n"), rows)
    total = sum(one.predictions for one in tenths)
    return Answer(question, QuestionFilters(), result.columns, result.rows, total, 0.0, "")


def _ends(tenth: CalibrationTenth, t: float | None) -> tuple[float | None, float | None]:
    """The ends of the interval of the share won, in percent."""
    if t is None:
        return None, None
    reach = t * tenth.error
    return round(100 * max(0.0, tenth.won - reach), 1), round(100 * min(1.0, tenth.won + reach), 1)


# The models of winning that are shipped: fitted to matches that simple players simulated.
#
# `python -m analyzer.players.simulation` makes the file anew. It holds no matches, only models, how they were
# calibrated on other matches, and a print of the first matches: a test plays those again, so that a file that no longer
# fits the rules or the players is found.

FILE_NAME = "simulated_matches.json"


class ShippedModel(SimulatedModel, frozen=True, kw_only=True):
    """A model with its calibration on `held_out` matches, and the print of the first matches it was fitted to."""

    held_out: int
    first_matches: str
    calibration: list[CalibrationTenth]


def shipped_models() -> dict[str, ShippedModel]:
    """The models that are shipped, by sheet."""
    data = (files("analyzer.players") / FILE_NAME).read_bytes()
    return {model.sheet: model for model in msgspec.json.decode(data, type=list[ShippedModel])}


# How far the chances of a sheet can be trusted: where its model comes from, and how it is calibrated.

FEWEST_MATCHES_TO_CALIBRATE = 30
"""With fewer stored matches the calibration on simulated ones is shown."""


@dataclass(frozen=True, slots=True)
class ChanceTrust:
    """A model and its calibration, on so many `judged` matches; `on_stored` says whether these are stored ones."""

    model: ChanceModel
    on_stored: bool
    judged: int
    calibration: list[CalibrationTenth]

    def as_data(self) -> dict[str, Any]:
        """The same for JSON."""
        return {
            "target": self.model.terms.target,
            "matches": self.model.matches,
            "simulated": self.model.simulated,
            "shape": self.model.shape,
            "weights": msgspec.to_builtins(self.model.weights),
            "on_stored": self.on_stored,
            "judged": self.judged,
            "calibration": self.calibration,
        }


def judge_model(model: ChanceModel, shipped: ShippedModel) -> ChanceTrust:
    """The calibration of a model, each match judged by a model that was fitted without it."""
    if model.matches < FEWEST_MATCHES_TO_CALIBRATE:
        return ChanceTrust(
            model, on_stored=False, judged=shipped.held_out, calibration=shipped.calibration
        )
    predictions = cross_validated(model.sample, shipped.weights, SIMULATED_WORTH)
    return ChanceTrust(
        model, on_stored=True, judged=model.matches, calibration=calibrate(predictions)
    )


class ChanceTrusts:
    """How far the models of a store can be trusted. A model is judged once, by five fits; its page asks three times."""

    def __init__(self, models: ChanceModels, shipped: Mapping[str, ShippedModel]) -> None:
        self._models, self._shipped = models, shipped
        self._judged: dict[str, ChanceTrust] = {}
        self._lock = threading.Lock()

    def trust(self, sheet: str) -> ChanceTrust:
        """The model of a sheet with its own target, and its calibration; raises QueryTimeout."""
        model = self._models.model(resolve_sheet(sheet))
        with self._lock:
            judged = self._judged.get(sheet)
            if judged is None or judged.model is not model:
                judged = self._judged[sheet] = judge_model(model, self._shipped[sheet])
        return judged


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


class DealtMatch(NamedTuple):
    """The start of a deal as its dealer's side sees it; `is_last` says that the match ends with the deal.

    `own` and `other` are the points of the match, and `won` how it ended: 1, 0.5 or 0, None if it did not.
    """

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
    dealt = DealtMatch(*found[0])
    if dealt.own is None or dealt.other is None:
        return NO_EXPECTANCY
    try:
        options = msgspec.json.decode(dealt.options)
        model = models.model(resolve_sheet(dealt.sheet, dealt.edition, options))
    except RulesError:
        return NO_EXPECTANCY
    reader = DealReader(dealt, model, model.without(dealt.game))
    brisques = {0: 0}
    parameters = {"game": dealt.game, "deal": deal, "seat": dealt.seat}
    brisques.update(store.rows(SELECT_BRISQUES, parameters).rows)
    chances = [
        reader.chance(at, tricks, brisques.get(tricks, 0), scored)
        for at, (tricks, scored) in points.items()
    ]
    return Expectancy(dealt.sheet, model.matches, model.simulated, chances)


class DealReader:
    """Estimates the chances in one deal."""

    def __init__(self, dealt: DealtMatch, model: ChanceModel, weights: ChanceWeights) -> None:
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
