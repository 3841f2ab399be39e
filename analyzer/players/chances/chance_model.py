"""A model of winning for every sheet and target: fitted to stored matches, shrunk towards simulated ones.

Simulated matches count as `SIMULATED_WORTH` stored ones, so they decide while few are stored and matter little once
many are. Only the first matches by digest are used, at most `MOST_MATCHES_FITTED`: a fit costs at most a second or
so, is kept, and is made again only when these matches change.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from analyzer.db.store import Store
from analyzer.players.chances.chance_features import (
    STAGES,
    DealShape,
    Features,
    MatchState,
    MatchTerms,
    state_features,
)
from analyzer.players.chances.chance_fit import (
    ChanceWeights,
    MatchOutcomes,
    fit_weights,
    without_match,
)
from records.errors import RulesError
from records.rules.compiled import compile_sheet
from records.rules.registry import ResolvedSheet, resolve_sheet
from records.rules.vocabulary import BrisqueCount, RaceTo

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
    SELECT count(*), coalesce(bit_xor(hash(game, stored_at)), 0)
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
    counts_at_end = sheet.brisques.count is BrisqueCount.AT_THE_END
    return MatchTerms(
        target=sheet.game.target if isinstance(sheet.game, RaceTo) else None,
        tricks=1 if sheet.tableau else compile_sheet(sheet).pack_size // 2,
        worth=sheet.brisques.points if counts_at_end else 0,
    )


class ChanceModels:
    """The models of a store, each fitted when it is first asked for, and again when its matches have changed."""

    def __init__(self, store: Store, simulated: Mapping[str, SimulatedModel]) -> None:
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
        sample_print = self.store.rows(SELECT_SAMPLE_PRINT, sample).rows[0]
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
        found = self.store.rows(SELECT_VARIANTS, {"sheet": sheet}).rows
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
    store: Store, sample: Mapping[str, Any], terms: MatchTerms, before: SimulatedModel | None
) -> ChanceModel:
    """Fit a model to the stored matches of these variants, the first `most` by digest; raises QueryTimeout."""
    shape = _shape(store, sample, terms, before)
    matches = read_matches(store, sample, terms, shape)
    known = before.weights if before else None
    weights = fit_weights(list(matches.values()), known, SIMULATED_WORTH)
    simulated = before.matches if before else 0
    return ChanceModel(terms, shape, weights, len(matches), simulated, matches, known)


def read_matches(
    store: Store, sample: Mapping[str, Any], terms: MatchTerms, shape: DealShape
) -> dict[int, MatchOutcomes]:
    """Some states of every stored match of a sample, by the key of its game."""
    sql = _sql("chance_states") + _sql("chance_sample")
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
    store: Store, sample: Mapping[str, Any], terms: MatchTerms, before: SimulatedModel | None
) -> DealShape:
    """The shape of the stored deals, shrunk towards that of the simulated ones."""
    sql = _sql("chance_states") + _sql("chance_shape")
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


def _sql(name: str) -> str:
    return (files("analyzer.players.chances") / f"{name}.sql").read_text(encoding="utf-8")
