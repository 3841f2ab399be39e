"""A model of winning for every sheet and target: fitted to stored matches, shrunk towards simulated ones.

Simulated matches count as `SIMULATED_WORTH` stored ones, so they decide while few are stored and matter little once
many are. Only the first matches by digest are used, at most `MOST_MATCHES_FITTED`: a fit costs at most a second or
so, is kept, and is made again only when these matches change.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import erfc, exp, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from analyzer.players import players_sql
from analyzer.statistics.intervals import DEVIATIONS_FOR_95_PERCENT
from records.errors import RulesError
from records.rules.compiled import compile_sheet
from records.rules.registry import ResolvedSheet, resolve_sheet
from records.rules.settlement import race_target
from records.rules.vocabulary import BrisqueCount, RaceTo

if TYPE_CHECKING:  # who reviews a record needs no database
    from analyzer.store.store import Store

# The state of a match as numbers: the lead, divided by the spread of what is left to play.
#
# The start is Stern's Brownian motion: the lead moves at random from deal to deal, so the chance depends on the lead
# divided by the square root of the play that is left. What is left is the rest of the deal, and the deals expected
# until a side reaches the target.
#
# Stern, H. S. (1994), A Brownian motion model for the progress of sports scores. Journal of the American Statistical
# Association 89, 1128 to 1134.

STAGES = 16
"""The stages of a deal: what depends on how much of it is played is known at so many places, and between them by a line."""
LEAST_LEFT = 0.01
"""The least share of a deal's variance that is left before its last trick is over."""
FEWEST_CHANCES_OF_A_DEAL = 0.001
"""Deals that are played with less than this probability are not counted among those expected."""
BEND = 0.3
"""A lead of so many standard deviations bends the curve half as much as any can."""
Features = tuple[float, float, float, float, float]
"""What the model knows of a state, in the order of `FEATURE_NAMES`; a bent lead has heavier tails than a normal curve."""
FEATURE_NAMES = (
    "lead",
    "lead where further deals are expected",
    f"lead, bent: x / ({BEND} + |x|)",
    "dealer, early in the deal",
    "dealer, where further deals are expected",
)


class DealShape(msgspec.Struct, frozen=True):
    """How deals by a sheet go, for the dealer's side, by stages from the first card to the last.

    `spread` is the standard deviation of a deal's lead in points, `side_spread` that of one side's points. `left` is
    the share of a deal's variance still to come, `drift` what the lead still changes on average, `rest` the points a
    side still makes.
    """

    spread: float
    side_spread: float
    left: list[float]
    drift: list[float]
    rest: list[float]


class MatchState(NamedTuple):
    """A match in progress, for the dealer's side of a deal: match points before the deal of both sides, and in it.

    `lead` and `both` are the points in the deal, the difference and the sum, `brisques` the brisques ahead.
    """

    tricks: int
    own: int
    other: int
    lead: int
    both: int
    brisques: int


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """What the rules say of a match: its `target`, None if one deal is the match; the tricks of a deal.

    `worth` is what a brisque brings at the end of the deal, in points; 0 where they do not count then.
    """

    target: int | None
    tricks: int
    worth: int


def state_features(state: MatchState, terms: MatchTerms, shape: DealShape) -> Features:
    """The features of a state before the last trick of its deal is over; all change their sign with the sides."""
    stage = min(1.0, state.tricks / terms.tricks) * STAGES
    left = max(LEAST_LEFT, _at(shape.left, stage))
    further = _further_deals(state, terms, shape, stage, left)
    counted = terms.worth * state.brisques
    spread = shape.spread * sqrt(left + further)
    lead = (state.own - state.other + state.lead + counted + _at(shape.drift, stage)) / spread
    share = further / (1 + further)
    one_deal = shape.spread / spread
    return lead, lead * share, lead / (BEND + abs(lead)), left * one_deal, share * one_deal


MOST_FURTHER_DEALS = 1_000
"""A record has no more deals; a rulebook of one's own may have a target that no number of deals reaches."""


def _further_deals(
    state: MatchState, terms: MatchTerms, shape: DealShape, stage: float, left: float
) -> float:
    """The deals expected after this one: until the side that leads reaches the target."""
    if terms.target is None:
        return 0.0
    counted = abs(state.lead + terms.worth * state.brisques)
    even = (state.both - abs(state.lead)) / 2
    behind, ahead = sorted((state.own, state.other))
    same_side = (state.own >= state.other) == (state.lead + terms.worth * state.brisques >= 0)
    top = even + (ahead + counted if same_side else max(ahead, behind + counted))
    missing = terms.target - top - _at(shape.rest, stage)
    expected = 0.0
    for deals in range(MOST_FURTHER_DEALS):
        chance = 0.5 * erfc(
            (deals * shape.rest[0] - missing) / (shape.side_spread * sqrt(2 * (left + deals)))
        )
        if chance < FEWEST_CHANCES_OF_A_DEAL:
            break
        expected += chance
    return expected


def _at(values: list[float], stage: float) -> float:
    """A value between the stages, by a line."""
    below = min(int(stage), STAGES - 1)
    return values[below] + (stage - below) * (values[below + 1] - values[below])


# Fit a logistic model of winning to matches, in plain Python: few numbers, few steps, and a covariance by matches.
#
# All states of a match have one outcome, so a match counts as one observation, however many of its states are used:
# each has the weight of one divided by their number, and the covariance is that of a sum over matches (a sandwich).
# The weights shrink towards those of a model known before, which counts as some matches.

FEATURES = len(FEATURE_NAMES)
MOST_STEPS, SMALL_STEP = 12, 1e-6
"""Newton's method ends after so many steps, or when none of the weights changes by more than this."""
BROWNIAN_WEIGHTS = [1.702, 0.0, 0.0, 0.0, 0.0]
"""The weights if the lead is a Brownian motion: 1.702 turns deviations of a normal curve into a logit."""
CORRECTION_DEVIATIONS = (1.0, 0.2, 1.0, 0.15, 0.15)
"""How far each weight may lie from what is known before, as a standard deviation."""
MOST_LOGIT = 12.0
"""No state is more certain than this before the end: odds of some 160,000 to 1."""
Vector = list[float]
Matrix = list[Vector]


class ChanceWeights(msgspec.Struct, frozen=True):
    """The weights of the features, their covariance, and what one match tells of them on average (`information`)."""

    weights: Vector
    covariance: Matrix
    information: Matrix


class ChanceRange(NamedTuple):
    """A chance of winning, with its 95 % interval."""

    chance: float
    low: float
    high: float


class MatchOutcomes(NamedTuple):
    """Some states of one match, and how it ended: 1, 0.5 or 0 for the side each is seen from."""

    features: Sequence[Features]
    won: Sequence[float]


def estimate_chance(known: ChanceWeights, features: Features) -> ChanceRange:
    """The chance of winning in a state, and its interval: the weights are uncertain, the model is believed."""
    logit = _dot(known.weights, features)
    reach = DEVIATIONS_FOR_95_PERCENT * slope_error(known, features)
    return ChanceRange(*(_logistic(logit + side * reach) for side in (0, -1, 1)))


def chance_slope(known: ChanceWeights, features: Features) -> tuple[float, Vector]:
    """The chance of winning in a state, and how fast it changes with each weight."""
    chance = _logistic(_dot(known.weights, features))
    return chance, [chance * (1 - chance) * feature for feature in features]


def slope_error(known: ChanceWeights, slope: Sequence[float]) -> float:
    """The standard error of a mean of chances with this mean slope, or of a difference: the weights are uncertain."""
    return sqrt(max(0.0, _dot([_dot(row, slope) for row in known.covariance], slope)))


def fit_weights(
    matches: Sequence[MatchOutcomes], before: ChanceWeights | None = None, worth: float = 0
) -> ChanceWeights:
    """The weights that fit these matches best, shrunk towards those `before`, which are worth so many matches.

    Where none are known before, they shrink towards those of a Brownian motion.
    """
    prior = _prior(before, worth)
    centre = before.weights if before else BROWNIAN_WEIGHTS
    weights = list(centre)
    for _ in range(MOST_STEPS):
        gradient, hessian = _sums(matches, weights)
        pull = [_dot(row, [c - w for c, w in zip(centre, weights, strict=True)]) for row in prior]
        step = _solve(_added(hessian, prior), [g + p for g, p in zip(gradient, pull, strict=True)])
        weights = [weight + change for weight, change in zip(weights, step, strict=True)]
        if max(map(abs, step)) < SMALL_STEP:
            break
    return _with_covariance(matches, weights, prior)


def without_match(
    fitted: ChanceWeights,
    matches: int,
    match: MatchOutcomes,
    before: ChanceWeights | None = None,
    worth: float = 0,
) -> ChanceWeights:
    """Weights fitted to so many matches as they would be without one of them: one step of Newton's method back."""
    gradient, hessian = _sums([match], fitted.weights)
    whole = [[matches * entry for entry in row] for row in fitted.information]
    rest = [[a - b for a, b in zip(x, y, strict=True)] for x, y in zip(whole, hessian, strict=True)]
    step = _solve(_added(rest, _prior(before, worth)), gradient)
    weights = [weight - change for weight, change in zip(fitted.weights, step, strict=True)]
    return msgspec.structs.replace(fitted, weights=weights)


def _prior(before: ChanceWeights | None, worth: float) -> Matrix:
    """How surely the weights are known before any match is seen: the inverse of a covariance."""
    prior = _diagonal([deviation**-2 for deviation in CORRECTION_DEVIATIONS])
    if before is None:
        return prior
    return _added(prior, [[worth * entry for entry in row] for row in before.information])


def _with_covariance(
    matches: Sequence[MatchOutcomes], weights: Vector, prior: Matrix
) -> ChanceWeights:
    _, hessian = _sums(matches, weights)
    middle = [list(row) for row in prior]
    for match in matches:
        gradient, _ = _sums([match], weights)
        for row in range(FEATURES):
            for column in range(FEATURES):
                middle[row][column] += gradient[row] * gradient[column]
    bread = _inverse(_added(hessian, prior))
    covariance = _product(_product(bread, middle), bread)
    number = max(1, len(matches))
    return ChanceWeights(
        weights, covariance, [[entry / number for entry in row] for row in hessian]
    )


def _sums(matches: Iterable[MatchOutcomes], weights: Vector) -> tuple[Vector, Matrix]:
    """The gradient and the negative second derivatives of the likelihood, every match counting as one."""
    gradient = [0.0] * FEATURES
    hessian = [[0.0] * FEATURES for _ in range(FEATURES)]
    for match in matches:
        share = 1 / len(match.won)
        for features, won in zip(match.features, match.won, strict=True):
            chance = _logistic(_dot(weights, features))
            error, width = share * (won - chance), share * chance * (1 - chance)
            for row in range(FEATURES):
                gradient[row] += error * features[row]
                scaled = width * features[row]
                for column in range(row + 1):
                    hessian[row][column] += scaled * features[column]
    for row in range(FEATURES):
        for column in range(row):
            hessian[column][row] = hessian[row][column]
    return gradient, hessian


def _logistic(logit: float) -> float:
    return 1 / (1 + exp(-max(-MOST_LOGIT, min(MOST_LOGIT, logit))))


def _dot(one: Iterable[float], other: Iterable[float]) -> float:
    return sum([a * b for a, b in zip(one, other, strict=True)])


def _diagonal(values: Sequence[float]) -> Matrix:
    return [
        [value if row == column else 0.0 for column in range(len(values))]
        for row, value in enumerate(values)
    ]


def _added(one: Matrix, other: Matrix) -> Matrix:
    return [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(one, other, strict=True)]


def _product(one: Matrix, other: Matrix) -> Matrix:
    return [[_dot(row, column) for column in zip(*other, strict=True)] for row in one]


def _inverse(matrix: Matrix) -> Matrix:
    columns = [_solve(matrix, row) for row in _diagonal([1.0] * FEATURES)]
    return [list(row) for row in zip(*columns, strict=True)]


def _solve(matrix: Matrix, right: Sequence[float]) -> Vector:
    """The solution of equations by Gauss and Jordan; the matrix is positive definite, so no rows are exchanged."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for pivot in range(len(rows)):
        scale = rows[pivot][pivot]
        rows[pivot] = [value / scale for value in rows[pivot]]
        for row in range(len(rows)):
            if row != pivot:
                factor = rows[row][pivot]
                rows[row] = [
                    value - factor * own for value, own in zip(rows[row], rows[pivot], strict=True)
                ]
    return [row[-1] for row in rows]


MOST_MATCHES_FITTED, STATES_PER_MATCH = 2_000, 8
"""The most matches that a model is fitted to, and the most states of each."""
SIMULATED_WORTH = 30
"""Simulated matches count as so many stored ones; so do their deals, for the shape of a deal."""
DRIFT_WORTH = 400
"""What a deal changes for its dealer on average is believed to be 0, or as simulated, as if from so many deals.

It is small: by this belief its deviation is a twentieth of the spread of a deal's lead.
"""
MOST_MODELS_IN_MEMORY = 64
SELECT_SAMPLE_PRINT = """
    SELECT count(*), coalesce(bit_xor(hash(hash(game, stored_at))), 0)
    FROM (
        SELECT game, stored_at FROM games
        WHERE clean AND complete AND players = 2 AND list_contains($variants, variant)
        ORDER BY game LIMIT $most
    )
"""
"""The matches are those that `chosen` takes in chance_states.sql: both must agree."""
SELECT_VARIANTS = "SELECT variant, edition, options FROM variants WHERE sheet = $sheet"


class SimulatedModel(msgspec.Struct, frozen=True):
    """The model of a sheet from matches that simple players simulated."""

    sheet: str
    matches: int
    shape: DealShape
    weights: ChanceWeights


@dataclass(frozen=True, slots=True)
class ChanceModel:
    """A model of winning: its terms, from so many stored `matches` and so many `simulated` ones.

    `sample` are the stored matches it was fitted to, by the key of the game, `before` the weights of the simulated ones.
    """

    terms: MatchTerms
    shape: DealShape
    weights: ChanceWeights
    matches: int
    simulated: int
    sample: Mapping[int, MatchOutcomes]
    before: ChanceWeights | None

    def without(self, game: int) -> ChanceWeights:
        """The weights as they would be without a match, if it is one of those used."""
        own = self.sample.get(game)
        if own is None:
            return self.weights
        return without_match(self.weights, self.matches, own, self.before, SIMULATED_WORTH)


def match_terms(resolved: ResolvedSheet) -> MatchTerms:
    """What the rules say of a match for two."""
    sheet = resolved.sheet
    counts_at_end = sheet.rules.brisques.count is BrisqueCount.AT_THE_END
    return MatchTerms(
        target=race_target(sheet.rules.match, 2) if isinstance(sheet.rules.match, RaceTo) else None,
        tricks=1 if sheet.rules.tableau else compile_sheet(sheet).pack_size // 2,
        worth=sheet.rules.brisques.points if counts_at_end else 0,
    )


class ChanceModels:
    """The models of a store, each fitted when it is first asked for, and again when its matches have changed."""

    def __init__(self, store: "Store", simulated: Mapping[str, SimulatedModel]) -> None:
        self.store, self.simulated = store, simulated
        self._models: dict[tuple[str, MatchTerms], tuple[object, ChanceModel]] = {}
        self._lock = threading.Lock()

    def model(self, resolved: ResolvedSheet) -> ChanceModel:
        """The model of a sheet with the target of these rules; raises QueryTimeout."""
        sheet, terms = resolved.sheet.id, match_terms(resolved)
        sample: dict[str, Any] = {
            "variants": self._variants(sheet, terms),
            "most": MOST_MATCHES_FITTED,
        }
        sample_print = self.store.answer(SELECT_SAMPLE_PRINT, sample).rows[0]
        with self._lock:
            known = self._models.pop((sheet, terms), None)
            if known is None or known[0] != sample_print:
                before = self.simulated.get(sheet)
                known = sample_print, fit_model(self.store, sample, terms, before)
            self._models[sheet, terms] = known
            while len(self._models) > MOST_MODELS_IN_MEMORY:
                del self._models[next(iter(self._models))]
        return known[1]

    def _variants(self, sheet: str, terms: MatchTerms) -> list[int]:
        """The sets of rules that were played by a sheet with the same terms."""
        found = self.store.answer(SELECT_VARIANTS, {"sheet": sheet}).rows
        return [
            variant
            for variant, edition, options in found
            if _terms_of(sheet, edition, msgspec.json.decode(options)) == terms
        ]


def _terms_of(sheet: str, edition: int, options: Mapping[str, Any]) -> MatchTerms | None:
    """The terms of stored rules; None if the program no longer knows them."""
    try:
        return match_terms(resolve_sheet(sheet, edition, options))
    except RulesError:
        return None


def fit_model(
    store: "Store", sample: Mapping[str, Any], terms: MatchTerms, before: SimulatedModel | None
) -> ChanceModel:
    """Fit a model to the stored matches of these variants, the first `most` by digest; raises QueryTimeout."""
    shape = _shape(store, sample, terms, before)
    matches = read_matches(store, sample, terms, shape)
    known = before.weights if before else None
    weights = fit_weights(list(matches.values()), known, SIMULATED_WORTH)
    simulated = before.matches if before else 0
    return ChanceModel(terms, shape, weights, len(matches), simulated, matches, known)


def read_matches(
    store: "Store", sample: Mapping[str, Any], terms: MatchTerms, shape: DealShape
) -> dict[int, MatchOutcomes]:
    """Some states of every stored match of a sample, by the key of its game."""
    sql = players_sql("chance_states") + players_sql("chance_sample")
    rows = store.rows(sql, {**sample, "states": STATES_PER_MATCH}).rows
    found: dict[int, MatchOutcomes] = {}
    for game, states in groupby(rows, key=lambda row: int(row[0])):
        features: list[Features] = []
        won: list[float] = []
        for _, _, tricks, own, other, lead, both, brisques, outcome in states:
            state = MatchState(tricks, own, other, lead, both, brisques)
            features.append(state_features(state, terms, shape))
            won.append(outcome)
        found[game] = MatchOutcomes(features, won)
    return found


class _Stage(NamedTuple):
    """What is known of one stage of some deals; see chance_shape.sql."""

    deals: int = 0
    drift: float = 0.0
    variance: float = 0.0
    rest: float = 0.0
    side_variance: float = 0.0


def _shape(
    store: "Store", sample: Mapping[str, Any], terms: MatchTerms, before: SimulatedModel | None
) -> DealShape:
    """The shape of the stored deals, shrunk towards that of the simulated ones."""
    sql = players_sql("chance_states") + players_sql("chance_shape")
    parameters = {**sample, "stages": STAGES, "tricks": terms.tricks, "worth": terms.worth}
    rows = {stage: _Stage(*rest) for stage, *rest in store.rows(sql, parameters).rows}
    start = rows.get(0, _Stage())
    prior = before.shape if before else _plain_shape(start)
    deals, worth = start.deals, SIMULATED_WORTH if before else 0
    variance = _joined(deals, start.variance, worth, prior.spread**2)
    side_variance = _joined(deals, start.side_variance, worth, prior.side_spread**2)
    stages = [rows.get(number, _Stage()) for number in range(STAGES + 1)]
    return DealShape(
        spread=variance**0.5,
        side_spread=side_variance**0.5,
        left=[
            _joined(own.deals, own.variance / variance, worth, known)
            for own, known in zip(stages, prior.left, strict=True)
        ],
        drift=[
            _joined(own.deals, own.drift, DRIFT_WORTH, known)
            for own, known in zip(stages, prior.drift, strict=True)
        ],
        rest=[
            _joined(own.deals, own.rest, worth, known)
            for own, known in zip(stages, prior.rest, strict=True)
        ],
    )


def _plain_shape(start: _Stage) -> DealShape:
    """A shape for stages that no deal has, as in games without tricks: all goes down along a line."""
    shares = [1 - stage / STAGES for stage in range(STAGES + 1)]
    return DealShape(
        1.0, 1.0, shares, [0.0] * len(shares), [start.rest * share for share in shares]
    )


def _joined(deals: int, own: float, worth: int, known: float) -> float:
    """A mean of so many deals joined with one known before, which is worth so many; that alone if there are none."""
    return (own * deals + known * worth) / (deals + worth) if deals + worth else known
