"""Sums by seat answer as tricks and scores themselves do: every value, count and interval is the same."""

import io
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path

import pytest

from analyzer.db.store import Store
from analyzer.db.sums import sampled_tables
from analyzer.explore.answer import run_ask
from analyzer.explore.ask import Ask, Refused, refusal
from analyzer.explore.catalogue import WHOLE_GRAINS, dimensions, metrics
from analyzer.explore.compose import Composed, compose, compose_differences, count_rows
from analyzer.explore.presets import from_address
from analyzer.ingest.loader import ingest
from records import codec
from tests.empty_store import with_empty_database
from tests.playouts.games import STANDARD
from tests.soak_loading import mixed

pytestmark = pytest.mark.long
SAMPLES = Path(__file__).parents[2] / "samples"
GAMES = 2 * len(STANDARD)
SUMMED = [name for name, metric in metrics().items() if metric.sums and not metric.sums[-1].whole]
"""Metrics whose rows are summed by seat."""
WITHIN_DEALS = {"phase", "trick", "meld", "source", "scored_after"}
"""Dimensions that tell apart the tricks or scores of a deal."""
SHAPES = [
    name for name, each in dimensions().items()
    if not each.option or name in ("option.target", "option.dix")
]  # fmt: skip
LIMITS = (
    "",
    "&every=1",
    "&role=leader&brisques_taken=1..6",
    "&every=1&verdict=illegal&verdict=incomplete&verdict=legal_with_mismatches",
    "&sheet=zetema&sheet=marjolet&sheet=zique",
    "&every=1&last_trick=yes&trump=spades&score=0..200",
)
SPLITS = ("", "&split=role", "&split=players")


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Games of all sheets at all tables, with every sample: partial, broken, begun in mid-deal."""
    with Store(tmp_path_factory.mktemp("many")) as store:
        games = io.BytesIO(mixed(range(GAMES)))
        ingest(store, codec.read_entries(games, name="games.jsonl"))
        samples = sorted([*SAMPLES.glob("good/*.json"), *SAMPLES.glob("broken/*.json")])
        ingest(store, (entry for path in samples for entry in codec.read_entries(path)))
        yield store


def needs_clean(metric: str) -> bool:
    return any(sums.only_clean for sums in metrics()[metric].sums)


def asked(metric: str) -> Iterator[Ask]:
    """Questions of a metric by every dimension, with the limits in turn, alone or split by another."""
    summable = LIMITS[::2] if needs_clean(metric) else LIMITS
    for number, by in enumerate(SHAPES):
        limits, split = summable[number % len(summable)], SPLITS[number // 2 % len(SPLITS)]
        try:
            yield from_address(f"metric={metric}&by={by}{split}{limits}")
        except Refused:
            assert refusal(metrics()[metric], dimensions()[by]) or by in split
    yield from (from_address(f"metric={metric}{limits}") for limits in LIMITS)


def both(store: Store, summed: Composed, by_rows: Composed) -> tuple[list[object], list[object]]:
    assert summed.parameters == by_rows.parameters
    assert summed.notes == by_rows.notes
    return (
        store.rows(summed.sql, summed.parameters).rows,
        store.rows(by_rows.sql, by_rows.parameters).rows,
    )


def differing(store: Store, questions: Iterable[Ask]) -> tuple[int, int]:
    """How many questions were asked from sums, and how many of them are answered otherwise."""
    asks = wrong = 0
    for ask in questions:
        one_in = 1 << asks % 3
        summed, by_rows = compose(ask, one_in), compose(ask, one_in, by_rows=True)
        if summed == by_rows:
            used = {each.name for each in ask.split_by}
            assert used & WITHIN_DEALS or (ask.every and needs_clean(ask.metric.name))
            continue
        asks += 1
        pairs = [both(store, summed, by_rows)]
        pairs.append(both(store, count_rows(ask), count_rows(ask, by_rows=True)))
        if ask.split and ask.split.name == "role" and not ask.metric.per:
            found = (compose_differences(ask, one_in, by_rows=rows) for rows in (False, True))
            pairs.append(both(store, *found))
        wrong += any(left != right for left, right in pairs)
    return asks, wrong


@pytest.mark.parametrize("metric", SUMMED)
def test_sums_answer_as_the_rows_do(many: Store, metric: str) -> None:
    asks, wrong = differing(many, asked(metric))
    assert asks > 15
    assert wrong == 0


def test_every_metric_of_tricks_or_scores_has_sums(many: Store) -> None:
    assert [
        name for name, each in metrics().items() if each.grain.base in ("tricks", "scores")
    ] == SUMMED
    for metric in SUMMED:
        sql = run_ask(many, from_address(f"metric={metric}&by=player")).sql
        assert "FROM seats" in sql
        assert "FROM tricks" not in sql
        assert "FROM scores" not in sql
        assert run_ask(many, from_address(f"metric={metric}&every=1")).n > 100


def test_games_are_of_every_kind(many: Store) -> None:
    sql = """
        SELECT
            count(*) FILTER (NOT clean),
            count(*) FILTER (side > 1),
            count(*) FILTER (let_go_known < tricks_led),
            count(*) FILTER (points IS NULL)
        FROM seats
    """
    assert min(many.rows(sql).rows[0]) > 0


def test_a_deal_has_as_many_rows_of_tricks_as_it_says(many: Store) -> None:
    sql = """
        SELECT DISTINCT deal_tricks = (
            SELECT count(*) FROM tricks WHERE tricks.game = seats.game AND tricks.deal = seats.deal
        )
        FROM seats
    """
    assert many.rows(sql).rows == [(True,)]


WHOLE = {
    "brisques_in_trick": "trick", "brisques_let_go": "trick", "lead": "phase", "leader_takes": "trick",
    "leads_held": "trick", "own_lead": "trick", "tricks_ahead": "phase", "meld_rate": "meld", "meld_time": "meld",
    "meld_worth": "source", "points_from": "source", "royal_melds": "meld",
}  # fmt: skip
"""Metrics of which whole tables are summed, and a dimension of their rows that these sums tell apart."""


def test_sums_of_whole_tables_are_of_all_metrics_of_tricks_and_scores() -> None:
    assert sorted(SUMMED) == sorted(WHOLE)


@pytest.mark.parametrize("metric", WHOLE)
def test_sums_of_whole_tables_answer_as_the_rows_do(many: Store, metric: str) -> None:
    """The values of a large collection come from them, and its intervals from some matches."""
    limits = ("", "&sheet=marjolet&sheet=zique", "&every=1")[: 2 if needs_clean(metric) else 3]
    for one_in, limit in product((1, 2), limits):
        asked = from_address(f"metric={metric}&by={WHOLE[metric]}&split=sheet{limit}")
        summed, by_rows = compose(asked, one_in), compose(asked, one_in, by_rows=True)
        whole = f"FROM {WHOLE_GRAINS[asked.metric.grain.name][0]}"
        assert (whole in summed.sql) == (one_in > 1 or asked.metric.per is not None)
        left, right = both(many, summed, by_rows)
        assert left == right
        assert len(left) > 1
        counts = both(many, count_rows(asked), count_rows(asked, by_rows=True))
        assert counts[0] == counts[1]


OF_ALL_SEATS = [
    name
    for name, metric in metrics().items()
    if any(sums.grain == "sums_by_rules" for sums in metric.sums)
]


def test_sums_of_all_seats_are_of_all_metrics_of_seats_too() -> None:
    of_seats = [name for name, each in metrics().items() if each.grain.name == "seat"]
    assert sorted(OF_ALL_SEATS) == sorted([*WHOLE, *of_seats])


BY_RULES = ("role", "players", "program", "option.target", "month", "sheet")
SPLIT_SUMS = [
    *[("sums_by_rules", pair) for pair in zip(BY_RULES, (*BY_RULES[1:], "role"), strict=True)],
    ("sums_by_player", ("player", "sheet")),
    ("sums_by_hand", ("strength", "sheet")),
]
"""The sums of all seats, and two dimensions that they tell apart."""
LIMITS_OF_SUMS = ("&sheet=marjolet&sheet=zique&{}", "&{}", "&every=1")
LIMITED_SUMS = {
    "sums_by_rules": ["role=leader&players=2..3&month=..2030-01"],
    "sums_by_player": ["player=Ann&player=Bob"],
    "sums_by_hand": ["strength=10..40"],
}


@pytest.mark.parametrize("metric", OF_ALL_SEATS)
def test_sums_of_all_seats_answer_as_the_rows_do(many: Store, metric: str) -> None:
    """By everything that they tell apart, and with every limit."""
    filled = 0
    for (sums, (by, split)), limit in product(SPLIT_SUMS, LIMITS_OF_SUMS):
        if "every" in limit and needs_clean(metric):
            continue
        given = limit.format(*LIMITED_SUMS[sums])
        ask = from_address(f"metric={metric}&by={by}&split={split}{given}")
        summed, by_rows = compose(ask, 2), compose(ask, 2, by_rows=True)
        assert f"FROM {sums}" in summed.sql
        left, right = both(many, summed, by_rows)
        assert left == right
        counts = both(many, count_rows(ask), count_rows(ask, by_rows=True))
        assert counts[0] == counts[1]
        filled += len(left) > 1
    assert filled >= 4


@pytest.mark.parametrize(
    ("metric", "by"),
    [
        *WHOLE.items(),
        ("points", "result"),
        ("share_of_deals", "score"),
        ("margin", "player"),
        ("own_lead", "player"),
    ],
)
def test_rows_kept_a_second_time_answer_as_all_rows_do(
    many: Store, monkeypatch: pytest.MonkeyPatch, metric: str, by: str
) -> None:
    """Of one match in as many as are kept, and of fewer."""
    for one_in, split in product((4, 8, 16, 32, 64), ("sheet", "players")):
        ask = from_address(f"metric={metric}&by={by}&split={split}")
        kept = compose(ask, one_in)
        if one_in not in (8, 16):  # then some of the tables are
            assert ("sampled_" in kept.sql) == (one_in >= 32)
        rows = many.rows(kept.sql).rows
        assert any(row[-2] for row in rows)
        with monkeypatch.context() as patched:
            patched.setattr(sampled_tables, "SAMPLING_STEPS", {})
            from_all = compose(ask, one_in)
        assert "sampled_" not in from_all.sql
        assert many.rows(from_all.sql).rows == rows


OF_ALL_COLUMNS = sorted(
    {
        (column, metric)
        for metric in OF_ALL_SEATS
        for sums in metrics()[metric].sums
        if sums.grain == "sums_by_rules"
        for column in {sums.total, sums.count, sums.rows}
    }
)


@pytest.mark.parametrize(("column", "metric"), OF_ALL_COLUMNS)
def test_a_wrong_sum_of_all_seats_is_noticed(tmp_path: Path, column: str, metric: str) -> None:
    ask = from_address(f"metric={metric}&by=role")
    name = column.removeprefix("sums_by_rules.").removesuffix(" / 2")

    def differs(store: Store) -> bool:
        summed, by_rows = compose(ask, 2), compose(ask, 2, by_rows=True)
        pairs = (
            both(store, summed, by_rows),
            both(store, count_rows(ask), count_rows(ask, by_rows=True)),
        )
        return any(left != right for left, right in pairs)

    with Store(with_empty_database(tmp_path)) as store:
        ingest(store, codec.read_entries(SAMPLES / "good" / "marjolet.json"))
        assert not differs(store)
        with store.writing() as cursor:
            cursor.execute(f"UPDATE seat_sums SET {name} = {name} + 1")
        assert differs(store)


COLUMNS = [
    (column, metric)
    for metric in SUMMED
    for sums in [metrics()[metric].sums[-1]]
    for column in sorted({sums.total, sums.count, sums.rows})
]


@pytest.mark.parametrize(("column", "metric"), COLUMNS)
def test_a_wrong_sum_is_noticed(tmp_path: Path, column: str, metric: str) -> None:
    questions = [from_address(f"metric={metric}&by={by}") for by in ("opponent", "result")]
    name = column.removeprefix("seats.")
    with Store(with_empty_database(tmp_path)) as store:
        ingest(store, codec.read_entries(SAMPLES / "good" / "marjolet.json"))
        assert differing(store, questions) == (2, 0)
        with store.writing() as cursor:
            cursor.execute(f"UPDATE seats SET {name} = {name} + 1")
        assert differing(store, questions) == (2, 2)
