"""Win expectancy: what it rests on recounted from the records, certain at the end, and true in the long run."""

import io
import math
from collections.abc import Iterator
from random import Random
from statistics import mean

import pytest

from analyzer.ingest.loader import ingest
from analyzer.players import winning_model
from analyzer.players.expectancy import (
    DealPoints,
    Expectancy,
    calibrate,
    match_expectancy,
    shipped_models,
)
from analyzer.players.simulation import matches_print
from analyzer.players.winning_model import (
    BROWNIAN_WEIGHTS,
    FEATURE_NAMES,
    ChanceModels,
    ChanceWeights,
    DealShape,
    MatchOutcomes,
    MatchState,
    MatchTerms,
    estimate_chance,
    fit_weights,
    match_terms,
    state_features,
    without_match,
)
from analyzer.store.store import Store
from records.format import codec
from records.format.files import read_entries
from records.record import Record
from records.replay import Match, replay
from records.rules.registry import ALL_SHEETS, resolve_sheet
from records.selfplay import play_game
from tests.soak import chances as soak_chances

SHEETS = ("zique", "bezique", "rubicon-bezique", "zetema", "marjolet")
GAMES = {
    codec.digest(record): record
    for record in (
        play_game(sheet, seed=seed, players=2, style="random" if seed % 2 else "greedy")
        for sheet in SHEETS
        for seed in range(4)
    )
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store(tmp_path_factory.mktemp("played")) as store:
        fill(store, list(GAMES.values()))
        yield store


@pytest.fixture(scope="module")
def models(played: Store) -> ChanceModels:
    return ChanceModels(played, shipped_models())


def fill(store: Store, records: list[Record]) -> None:
    lines = b"".join(codec.encode(record) + b"\n" for record in records)
    ingest(store, read_entries(io.BytesIO(lines), name="games.jsonl"))


def points_by_trick(record: Record) -> Iterator[dict[int, tuple[DealPoints, int]]]:
    """For every deal the points of both after so many tricks, and how many brisques seat 0 is ahead."""
    resolved = resolve_sheet(record.rules.id)
    match = Match(record, resolved)
    found: list[dict[int, tuple[DealPoints, int]]] = []
    for frame in replay(record, match=match):
        if frame.deal == len(found):
            found.append({})
        table = frame.table
        taken = [
            sum(card[0] in resolved.sheet.rules.brisques.ranks for card in table.won[seat])
            for seat in (0, 1)
        ]
        over = frame.event is None and frame.index >= 0
        scored = DealPoints(table.points[0], table.points[1], over)
        found[-1][table.tricks] = scored, taken[0] - taken[1]
    yield from found


def expectancy(store: Store, models: ChanceModels, digest: str, deal: int) -> Expectancy:
    tricks = list(points_by_trick(GAMES[digest]))[deal]
    points = {trick: (trick, scored) for trick, (scored, _) in tricks.items()}
    return match_expectancy(store, models, digest, deal, points)


@pytest.mark.parametrize("digest", GAMES)
def test_at_the_end_of_a_match_the_chance_is_its_result(
    played: Store, models: ChanceModels, digest: str
) -> None:
    record = GAMES[digest]
    assert record.result is not None
    last = expectancy(played, models, digest, len(record.deals) - 1).chances[-1]
    won = 1.0 if record.result.winner == 0 else 0.0
    assert (last.chance, last.low, last.high, last.decided) == (won, won, won, True)


@pytest.mark.long
def test_a_drawn_match_ends_with_a_half(tmp_path_factory: pytest.TempPathFactory) -> None:
    digest = next(d for d, record in GAMES.items() if record.rules.id == "rubicon-bezique")
    with Store(tmp_path_factory.mktemp("drawn")) as store:
        fill(store, [GAMES[digest]])
        with store.writing() as cursor:
            cursor.execute("UPDATE seats SET match_outcome = 0.5")
            cursor.execute("UPDATE games SET winner = NULL")
        last = expectancy(store, ChanceModels(store, shipped_models()), digest, 0).chances[-1]
    assert (last.chance, last.low, last.high, last.decided) == (0.5, 0.5, 0.5, True)


@pytest.mark.long
@pytest.mark.parametrize("digest", [d for d in GAMES if len(GAMES[d].deals) > 1])
def test_the_end_of_a_deal_is_the_start_of_the_next(
    played: Store, models: ChanceModels, digest: str
) -> None:
    for deal in range(1, len(GAMES[digest].deals)):
        before = expectancy(played, models, digest, deal - 1).chances[-1]
        start = match_expectancy(played, models, digest, deal, {0: (0, DealPoints(0, 0))})
        assert not before.decided
        assert (before.chance, before.low, before.high) == pytest.approx(
            (start.chances[0].chance, start.chances[0].low, start.chances[0].high)
        )


@pytest.mark.parametrize("digest", GAMES)
def test_before_the_end_a_chance_lies_inside_its_interval(
    played: Store, models: ChanceModels, digest: str
) -> None:
    for deal in range(len(GAMES[digest].deals)):
        for one in expectancy(played, models, digest, deal).chances:
            if not one.decided:
                assert 0 < one.low <= one.chance <= one.high < 1
                assert one.high > one.low


@pytest.mark.parametrize("sheet", SHEETS)
def test_states_are_those_of_the_records(
    played: Store, sheet: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every state that a model is fitted to, recounted from the replay."""
    monkeypatch.setattr(winning_model, "STATES_PER_MATCH", 10_000)
    seen: list[MatchState] = []

    def note(state: MatchState, terms: MatchTerms, shape: DealShape) -> tuple[float, ...]:
        seen.append(state)
        return (0.0,) * len(FEATURE_NAMES)

    monkeypatch.setattr(winning_model, "state_features", note)
    resolved = resolve_sheet(sheet)
    model = ChanceModels(played, shipped_models()).model(resolved)
    expected = set()
    for record in GAMES.values():
        if record.rules.id != sheet:
            continue
        before = [0, 0]
        for deal, tricks in zip(record.deals, points_by_trick(record), strict=True):
            dealer = deal.dealer
            shown = [trick for trick in tricks if trick < max(tricks)] if max(tricks) else []
            for trick in shown or [0]:
                scored, brisques = tricks[trick] if shown else (DealPoints(0, 0), 0)
                sign = 1 - 2 * dealer
                points = (0, 0) if trick == 0 else (scored.first, scored.second)
                expected.add(
                    MatchState(
                        trick, before[dealer], before[1 - dealer],
                        sign * (points[0] - points[1]), sum(points), sign * brisques,
                    )
                )  # fmt: skip
            end = tricks[max(tricks)][0]
            if resolved.sheet.rules.match.__class__.__name__ == "RaceTo":
                before = [before[0] + end.first, before[1] + end.second]
    assert {*seen} == expected
    assert model.matches == 4


def test_stern_is_where_it_starts() -> None:
    """With the weights of a Brownian motion a lead wins as often as a normal variable is above 0."""
    shape = DealShape(100.0, 80.0, [1 - s / 16 for s in range(17)], [0.0] * 17, [0.0] * 17)
    terms = MatchTerms(None, 16, 0)
    known = ChanceWeights(BROWNIAN_WEIGHTS, [[0.0] * len(FEATURE_NAMES)] * len(FEATURE_NAMES), [])
    for tricks, lead in ((0, 50), (8, 50), (12, -80), (4, 0)):
        state = MatchState(tricks, 0, 0, lead, 200, 0)
        left = 1 - tricks / 16
        expected = 0.5 * (1 + math.erf(lead / 100 / math.sqrt(2 * left)))
        chance = estimate_chance(known, state_features(state, terms, shape)).chance
        assert chance == pytest.approx(expected, abs=0.01)


def test_what_is_left_ends_with_the_target() -> None:
    """The same lead is worth more, the nearer the leader is to the target."""
    shipped, terms = shipped_models()["bezique"], match_terms(resolve_sheet("bezique"))
    chances = [
        estimate_chance(
            shipped.weights,
            state_features(MatchState(0, own, own - 150, 0, 0, 0), terms, shipped.shape),
        ).chance
        for own in (150, 450, 750, 950)
    ]
    assert chances == sorted(chances)
    assert chances[-1] - chances[0] > 0.1


def drawn(number: int, truth: list[float], states: int = 4) -> list[MatchOutcomes]:
    """Matches whose outcomes follow a model with these weights."""
    random = Random(number)
    matches = []
    for _ in range(number):
        base = [random.gauss(0, 1) for _ in range(len(FEATURE_NAMES))]
        logit = sum(a * b for a, b in zip(base, truth, strict=True))
        won = float(random.random() < 1 / (1 + math.exp(-logit)))
        matches.append(MatchOutcomes([tuple(base)] * states, [won] * states))  # type: ignore[list-item]
    return matches


TRUTH = [1.5, 0.1, 0.4, -0.1, 0.1]


@pytest.mark.long
def test_a_fit_finds_the_weights() -> None:
    fitted = fit_weights(drawn(4000, TRUTH))
    for weight, true, row, index in zip(
        fitted.weights, TRUTH, fitted.covariance, range(len(FEATURE_NAMES)), strict=True
    ):
        assert abs(weight - true) < 3 * math.sqrt(row[index])
        assert 0.02 < math.sqrt(row[index]) < 0.1


def test_many_states_of_a_match_say_no_more_than_one() -> None:
    """The match is the unit: states that are repeated change neither the weights nor their errors."""
    one, many = fit_weights(drawn(300, TRUTH, 1)), fit_weights(drawn(300, TRUTH, 9))
    assert many.weights == pytest.approx(one.weights)
    for row, other in zip(one.covariance, many.covariance, strict=True):
        assert row == pytest.approx(other)


@pytest.mark.long
def test_intervals_hold_the_truth() -> None:
    """Of 200 intervals, each from 400 other matches, some 95 in a hundred hold the chance that the matches have."""
    held = 0
    features = (0.8, 0.3, 0.5, 0.2, 0.1)
    truth = 1 / (1 + math.exp(-sum(a * b for a, b in zip(features, TRUTH, strict=True))))
    for number in range(400, 440):
        found = estimate_chance(fit_weights(drawn(number, TRUTH, 1)), features)
        held += found.low <= truth <= found.high
    assert held >= 35


@pytest.mark.long
def test_few_matches_leave_the_shipped_model_and_many_leave_it_behind() -> None:
    before = shipped_models()["zique"].weights
    assert fit_weights([], before, 30).weights == pytest.approx(before.weights)
    other = [2 * weight for weight in before.weights]
    distances = []
    for number in (30, 300, 3000):
        fitted = fit_weights(drawn(number, other), before, 30).weights
        distances.append(abs(fitted[0] - other[0]))
    assert distances[0] > distances[1] > distances[2]


def test_a_match_does_not_judge_itself() -> None:
    """The step back from a fit is nearly the fit without the match."""
    matches = drawn(60, TRUTH)
    whole = fit_weights(matches)
    for match in matches[:5]:
        exact = fit_weights([other for other in matches if other is not match]).weights
        stepped = without_match(whole, len(matches), match).weights
        moved = [a - b for a, b in zip(exact, whole.weights, strict=True)]
        assert max(abs(a - b) for a, b in zip(exact, stepped, strict=True)) < 0.6 * max(
            map(abs, moved)
        )


@pytest.mark.long
def test_a_model_is_kept_until_its_matches_change(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fits = 0
    fit = winning_model.fit_model

    def counting(*arguments: object) -> object:
        nonlocal fits
        fits += 1
        return fit(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(winning_model, "fit_model", counting)
    monkeypatch.setattr(winning_model, "MOST_MATCHES_FITTED", 3)
    models, zique = ChanceModels(store, shipped_models()), resolve_sheet("zique")
    records = sorted(
        (record for record in GAMES.values() if record.rules.id == "zique"), key=codec.digest
    )
    assert models.model(zique).matches == 0
    fill(store, records[:3])
    first = models.model(zique)
    assert (first.matches, fits) == (3, 2)
    fill(store, records[3:])  # one more, which is not among the first three
    assert models.model(zique) is first
    assert models.model(resolve_sheet("zique", None, {"target": 500})).matches == 0
    assert fits == 3


@pytest.mark.long
def test_the_shipped_models_are_fresh() -> None:
    """Whoever changes the rules or the simple players runs `python -m analyzer.players.simulation`."""
    shipped = shipped_models()
    assert [*shipped] == [sheet.id for sheet in ALL_SHEETS]
    for sheet, model in shipped.items():
        assert model.first_matches == matches_print(sheet), sheet
        assert min(model.matches, model.held_out) >= 100


def test_calibration_counts_a_match_once() -> None:
    """Ten like predictions of each match have the error of one of each."""
    random = Random(1)
    single = [(game, 0.25, float(random.random() < 0.25)) for game in range(400)]
    (one,), (ten,) = calibrate(single), calibrate([each for each in single for _ in range(10)])
    assert (ten.tenth, ten.predictions, ten.matches) == (2, 4000, 400)
    assert ten.error == pytest.approx(one.error)
    assert one.error == pytest.approx(math.sqrt(one.won * (1 - one.won) / 399), rel=0.01)
    assert one.won == mean(won for *_, won in single)


@pytest.mark.slow
def test_what_is_said_comes_true() -> None:
    """A small form of `make soak ARGS=--chances`; of twenty tenths one or two may be beyond two errors by chance.

    All tenths are of the same matches: of fewer than these, more of them may be off together.
    """
    tenths = [
        tenth
        for calibration in soak_chances.calibrated_twice("marjolet", 600)
        for tenth in calibration
    ]
    assert len(tenths) == 20
    assert sum(not soak_chances.is_true(tenth) for tenth in tenths) <= 2
    assert all(abs(tenth.won - tenth.said) < max(0.03, 3.5 * tenth.error) for tenth in tenths)


@pytest.mark.long
def test_only_games_of_two_have_chances(store: Store) -> None:
    record = play_game("zetema", seed=1, players=3)
    fill(store, [record])
    models = ChanceModels(store, shipped_models())
    for digest in (codec.digest(record), "nothing"):
        found = match_expectancy(store, models, digest, 0, {0: (0, DealPoints(0, 0))})
        assert (found.matches, found.chances) == (0, [])
