"""Intervals follow their definition, hold the true value as often as they say, and are missing where none is known."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.statistics import compose
from analyzer.statistics.answer import NO_MIXED_INTERVAL, run_ask, run_differences
from analyzer.statistics.ask import Ask, from_address, refusal
from analyzer.statistics.catalogue import dimensions, metrics
from analyzer.statistics.intervals import FEWEST_MATCHES, IntervalKind
from analyzer.store.store import Store
from records.events import Trick
from records.format import codec
from records.selfplay import play_game
from tests.analyzer.statistics import population, recount
from tests.analyzer.statistics.resampling import coverage, draw

DRAWS, MATCHES = 100, 80
"""Draws, and matches of a draw: twenty of each sheet."""


# The definition


@pytest.mark.parametrize("sizes", [[1, 1], [9, 1], [1, 2, 5, 3, 1], [4] * 6, [1, 1, 1, 20]])
def test_the_variance_is_unbiased_and_its_freedom_is_satterthwaites(sizes: list[int]) -> None:
    """As a quadratic form of rows that vary alike: its mean is its trace, and its spread gives the freedom."""
    rows = [match for match, size in enumerate(sizes) for _ in range(size)]

    def of(*ones: int) -> float:
        counts = [0.0] * len(sizes)
        for row in ones:
            counts[rows[row]] += 1
        return recount.variance(list(zip(counts, sizes, strict=True)))

    places = range(len(rows))
    form = [[(of(i, j) - of(i) - of(j)) / 2 for j in places] for i in places]
    trace = sum(form[i][i] for i in places)
    assert trace == pytest.approx(1 / len(rows))
    square = sum(form[i][j] ** 2 for i, j in product(places, places))
    assert recount.freedom(sizes) == pytest.approx(trace**2 / square)


def test_matches_of_equal_size_have_one_degree_less_than_they_are() -> None:
    for number in (2, 3, 10, 60):
        assert recount.freedom([7] * number) == pytest.approx(number - 1)


ENDS = {"mean": recount.mean_ends, "share": recount.share_ends}


@pytest.mark.parametrize("number", [2, 3, 5, 12, 60])
@pytest.mark.parametrize(("kind", "metric"), [("mean", "points"), ("share", "won_last_trick")])
def test_matches_of_any_size(store: Store, kind: IntervalKind, metric: str, number: int) -> None:
    """Made up matches, from one deal to nine, with the answer that the SQL gives for them."""
    random = Random(f"{kind} {number}")
    deals = [
        (game, random.randrange(2) if kind == "share" else random.randrange(900))
        for game in range(number)
        for _ in range(random.randint(1, 9))
    ]
    asked = "last_tricks_won" if kind == "share" else metric
    sql = compose.compose(from_address(f"metric={asked}&sheet=zique")).filled()
    made = ", ".join(f"({game}, {value}, true, 9, 'zique')" for game, value in deals)
    seats = f"FROM (VALUES {made}) AS seats (game, {metric}, clean, deal_tricks, sheet)"
    ((found, low, high, matches, n),) = store.rows(sql.replace("FROM seats", seats)).rows
    told = [
        (sum(value for of, value in deals if of == game), sum(of == game for of, _ in deals))
        for game in range(number)
    ]
    ends, scale = ENDS[kind](told), 100 if kind == "share" else 1
    assert (matches, n) == (number, len(deals))
    assert found == pytest.approx(scale * recount.value(told), abs=0.006)
    assert ends is not None
    if number < FEWEST_MATCHES[kind]:
        assert (low, high) == (None, None)
        return
    assert (low, high) == tuple(pytest.approx(scale * end, rel=2e-4, abs=0.006) for end in ends)


# Where there is none


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "empty") as opened:
        yield opened


def ends(store: Store, address: str) -> set[tuple[float | None, float | None]]:
    return {(row["low"], row["high"]) for row in run_ask(store, from_address(address)).dicts()}


NONE = {(None, None)}
CONSTANT = (
    "metric=deals_won&by=sheet", "metric=matches_won&by=sheet", "metric=last_tricks_won&by=sheet",
    "metric=points_ahead&by=sheet", "metric=deal_length&by=sheet", "metric=own_lead&by=trick",
    "metric=matches_won_from&by=sheet", "metric=share_of_deals&by=role", "metric=tricks_won&by=sheet",
)  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("address", CONSTANT)
def test_what_arithmetic_settles_has_no_interval(drawn: Store, address: str) -> None:
    assert ends(drawn, address) == NONE


@pytest.mark.slow
def test_what_the_dimension_settles_has_no_interval(drawn: Store) -> None:
    for name, metric in metrics().items():
        for by in metric.settled_by:
            assert dimensions()[by]
            assert ends(drawn, f"metric={name}&by={by}") == NONE
            assert ends(drawn, f"metric={name}&by=sheet&split={by}") == NONE


def test_all_of_a_whole_is_no_estimate(drawn: Store) -> None:
    assert ends(drawn, "metric=share_of_deals") == NONE
    assert ends(drawn, "metric=share_of_records") == NONE


MIXTURES = [name for name, metric in metrics().items() if not metric.mixes]
GROUPED_BY = ("month", "role", "trump", "phase", "meld", "player", "scored_after", "program")


@pytest.mark.sampled(8)
@pytest.mark.long
@pytest.mark.parametrize("metric", MIXTURES)
def test_a_mixture_of_rulebooks_has_no_interval_and_says_why(
    everything: Store, metric: str
) -> None:
    """Every group of these matches has some by several sheets; the same groups of one sheet have intervals."""
    assert ends(everything, f"metric={metric}") <= NONE
    for by in GROUPED_BY:
        if refusal(metrics()[metric], dimensions()[by]):
            continue
        answer = run_ask(everything, from_address(f"metric={metric}&by={by}"))
        assert NO_MIXED_INTERVAL in answer.question.caveat
        sheets = run_ask(everything, from_address(f"metric={metric}&by={by}&split=sheet"))
        assert NO_MIXED_INTERVAL not in sheets.question.caveat
        played = Counter(row[by] for row in sheets.dicts())
        for row in answer.dicts():
            assert played[row[by]] == 1 or row["low"] is None, row


@pytest.mark.long
@pytest.mark.parametrize(
    "metric", [name for name in metrics() if metrics()[name].kind in ("mean", "rate")]
)
def test_fewer_than_ten_matches_tell_no_mean(everything: Store, metric: str) -> None:
    for by in ("", "player", "month"):
        if not by or not refusal(metrics()[metric], dimensions()[by]):
            answer = run_ask(everything, from_address(f"metric={metric}&by={by}&sheet=zique"))
            assert all(row["low"] is None for row in answer.dicts() if row["matches"] < 10)


def test_differences_of_mixtures_have_none(everything: Store) -> None:
    mixed = from_address("metric=points&by=players&split=role")
    alike = from_address("metric=points&by=sheet&split=role")
    for asked, known in ((mixed, False), (alike, True)):
        found = run_differences(everything, asked, run_ask(everything, asked))
        assert found is not None
        assert {low is not None for _, _, low, *_ in found.rows} == {known}


@pytest.mark.slow
def test_one_match_alone_tells_no_interval(store: Store) -> None:
    ingest_bytes(store, "one.json", codec.encode(play_game("zique", seed=1)))
    for name, metric in metrics().items():
        if metric.grain.name not in ("finding", "review"):
            assert ends(store, f"metric={name}") <= NONE, name


@pytest.mark.long
def test_a_copy_of_a_match_is_the_same_match(store: Store) -> None:
    """A copy tells nothing new, whatever its file is called and whatever it claims."""
    for seed, claims in product((1, 2, 3), (True, False)):
        record = play_game("zique", seed=seed)
        if not claims:
            record.result = None
            for deal in record.deals:
                deal.events = [event for event in deal.events if not isinstance(event, Trick)]
        ingest_bytes(store, f"{claims}.json", codec.encode(record))
    (row,) = run_ask(store, from_address("metric=points")).dicts()
    assert row["matches"] == 3


def test_a_share_of_none_or_all_is_as_sure_as_its_matches(drawn: Store) -> None:
    """By Wilson's interval, each match counted once: of 6,000 records, so many, all played to the end."""
    where = "metric=share_of_records&by=players"
    (row,) = run_ask(drawn, from_address(where)).dicts()
    assert (row["share_of_records"], row["matches"]) == (100, row["n"])
    expected = 100 / (1 + recount.t_quantile(row["n"] - 1) ** 2 / row["n"])
    assert (row["low"], row["high"]) == (pytest.approx(expected, abs=0.006), 100)


# Coverage, in small: `make soak ARGS="--intervals"` measures all of it


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A population, and draws from it, side by side."""
    folder = tmp_path_factory.mktemp("intervals")
    population.fill(folder / "population", 240, annotated=0, workers=0)
    draw(folder / "population", folder / "draws", draws=DRAWS, matches=MATCHES)
    return folder / "population", folder / "draws"


@pytest.fixture(scope="module")
def everything(folders: tuple[Path, Path]) -> Iterator[Store]:
    with Store(folders[0]) as opened:
        yield opened


@pytest.fixture(scope="module")
def drawn(folders: tuple[Path, Path]) -> Iterator[Store]:
    with Store(folders[1]) as opened:
        yield opened


ASKED = (
    ("leads_held", "sheet"), ("lead", "sheet"), ("matches_won_from", "match_lead"),
    ("meld_time", "meld&sheet=zique"), ("points", "role&sheet=marjolet"), ("points_from", "source&sheet=polish-bezique"),
    ("legal_records", "month"), ("lead", "phase&sheet=zique"), ("meld_time", "trump&sheet=marjolet"),
)  # fmt: skip


@pytest.mark.parametrize(("metric", "by"), ASKED)
def test_intervals_hold_the_true_value(
    everything: Store, drawn: Store, metric: str, by: str
) -> None:
    asked = from_address(f"metric={metric}&by={by}")
    found = coverage(everything, drawn, asked, fewest=10, draws=DRAWS)
    assert found.intervals >= DRAWS
    assert 90 <= found.percent <= 99, found


@pytest.mark.slow
def test_intervals_of_differences_hold_the_true_one(everything: Store, drawn: Store) -> None:
    """Of dealer and leader, who play the same deals: what the one wins more, the other wins less."""
    truth, right = difference(everything, "")[0], 0
    for number in range(DRAWS):
        _, low, high, reach = difference(drawn, f"&event={number}")
        right += low <= truth <= high
        # Were the groups independent, it would be the square root of two times the reach of one.
        assert (high - low) / 2 == pytest.approx(2 * reach, rel=0.15)
    assert 0.9 <= right / DRAWS <= 0.99


def difference(store: Store, limits: str) -> tuple[float, float, float, float]:
    """Deals won by the leader less those by the dealer, its ends, and the reach of the dealer's own interval."""
    asked = from_address(f"metric=deals_won&by=players&split=role{limits}")
    answer = run_ask(store, asked)
    found = run_differences(store, asked, answer)
    assert found is not None
    ((_, value, low, high, *_),) = found.rows
    dealer = next(row for row in answer.dicts() if row["role"] == "dealer")
    return value, low, high, (dealer["high"] - dealer["low"]) / 2


ROW_NUMBERS = {"trick": "trick", "score": "event", "seat": "seat"}


@pytest.mark.parametrize(
    ("metric", "by"), [*ASKED[:2], ("tricks_ahead", "sheet"), ("matches_won_from", "player")]
)
def test_rows_that_are_taken_for_independent_do_not(
    everything: Store, drawn: Store, monkeypatch: pytest.MonkeyPatch, metric: str, by: str
) -> None:
    """The measurement sees the error that it is for: each row as if it were a match of its own."""
    made = compose.compose

    def by_row(ask: Ask) -> compose.Composed:
        composed = made(replace(ask, metric=replace(ask.metric, sums=())))
        grain = metrics()[metric].grain
        columns = (f"{grain.base}.{name}" for name in ("game", "deal", ROW_NUMBERS[grain.name]))
        row = f"hash({', '.join(columns)})"
        alone = composed.sql.replace(f"{grain.base}.game AS game", f"{row} AS game")
        return compose.Composed(alone, composed.parameters, composed.notes)

    monkeypatch.setattr("tests.analyzer.statistics.resampling.compose", by_row)
    asked = from_address(f"metric={metric}&by={by}")
    found = coverage(everything, drawn, asked, fewest=10, draws=DRAWS)
    assert found.percent < 85
