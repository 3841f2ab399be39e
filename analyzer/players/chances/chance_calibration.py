"""Is a model of winning calibrated? Predictions in tenths, with how often the match was won, and the error of that.

The states of a match have one outcome and are not independent: the errors are those of a sum over matches. A model
that was fitted to the same matches is judged by five others, each fitted without a fifth of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt

import msgspec

from analyzer.db.file.query_result import QueryResult
from analyzer.db.store import Store
from analyzer.intervals.interval_sql import SELECT_STUDENT_T
from analyzer.players.chances.chance_fit import (
    ChanceWeights,
    MatchOutcomes,
    estimate_chance,
    fit_weights,
)
from analyzer.questions import Answer, Chart, Question, QuestionFilters

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
