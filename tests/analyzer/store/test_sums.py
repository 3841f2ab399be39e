"""Sums are what their rows come to, whatever was loaded and deleted, and answer as these rows do.

Those by seat are columns of `seats`; those of all tricks and scores are tables.
"""

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from analyzer.ingest.deletion import delete_games
from analyzer.ingest.loader import ingest, ingest_bytes
from analyzer.statistics.answer import run_ask
from analyzer.statistics.ask import Ask, Refused, from_address, refusal
from analyzer.statistics.catalogue import WHOLE_GRAINS, dimensions, metrics
from analyzer.statistics.compose import Composed, compose, compose_differences, count_rows
from analyzer.store import sums
from analyzer.store.store import Store
from analyzer.store.sums import SUM_KEYS, SUM_TABLES, sums_sql
from records.format.files import read_entries
from tests.make.empty_store import with_empty_database
from tests.playouts.games import STANDARD
from tests.soak.loading import mixed

pytestmark = pytest.mark.long
SAMPLES = Path(__file__).parents[3] / "samples"
GAMES = 2 * len(STANDARD)
LINES = mixed(range(24)).splitlines()
SUMMED = [name for name, metric in metrics().items() if any(not sums.whole for sums in metric.sums)]
"""Metrics whose rows are summed."""
WITHIN_DEALS = {
    "phase", "trick", "meld", "source", "scored_after", "led_rank", "led_suit", "led_trump",
    "card_rank", "card_suit", "card_trump", "place", "took",
}  # fmt: skip
"""Dimensions that tell apart the tricks, scores or cards of a deal."""
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
        load(store, mixed(range(GAMES)).splitlines())
        samples = sorted([*SAMPLES.glob("good/*.json"), *SAMPLES.glob("broken/*.json")])
        ingest(store, (entry for path in samples for entry in read_entries(path)))
        yield store


def load(store: Store, lines: list[bytes]) -> None:
    ingest(store, read_entries(io.BytesIO(b"\n".join(lines)), name="games.jsonl"))


def needs_clean(metric: str) -> bool:
    return metrics()[metric].of_points or any(each.only_clean for each in metrics()[metric].sums)


def by_rows(ask: Ask) -> Ask:
    """The same question of the rows themselves."""
    return replace(ask, metric=replace(ask.metric, sums=()))


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


def both(store: Store, summed: Composed, of_rows: Composed) -> tuple[list[object], list[object]]:
    assert summed.parameters == of_rows.parameters
    assert summed.notes == of_rows.notes
    return (
        store.rows(summed.sql, summed.parameters).rows,
        store.rows(of_rows.sql, of_rows.parameters).rows,
    )


def differing(store: Store, questions: Iterable[Ask]) -> tuple[int, int]:
    """How many questions were asked from sums, and how many of them are answered otherwise."""
    asks = wrong = 0
    for ask in questions:
        one_in = 1 << asks % 3
        summed, of_rows = compose(ask, one_in), compose(by_rows(ask), one_in)
        if summed == of_rows:
            used = {each.name for each in ask.split_by}
            assert used & WITHIN_DEALS or (ask.every and needs_clean(ask.metric.name))
            continue
        asks += 1
        pairs = [both(store, summed, of_rows)]
        pairs.append(both(store, count_rows(ask), count_rows(by_rows(ask))))
        if ask.split and ask.split.name == "role" and ask.metric.kind in ("mean", "share"):
            found = (compose_differences(each, one_in) for each in (ask, by_rows(ask)))
            pairs.append(both(store, *found))
        wrong += any(left != right for left, right in pairs)
    return asks, wrong


@pytest.mark.slow
@pytest.mark.parametrize("metric", SUMMED)
def test_sums_answer_as_the_rows_do(many: Store, metric: str) -> None:
    asks, wrong = differing(many, asked(metric))
    assert asks > 15
    assert wrong == 0


@pytest.mark.slow
def test_every_metric_of_tricks_scores_or_cards_has_sums(many: Store) -> None:
    rows = ("tricks", "scores", "plays", "cards")
    assert [name for name, each in metrics().items() if each.grain.base in rows] == SUMMED
    for metric in SUMMED:
        sql = run_ask(many, from_address(f"metric={metric}&by=player")).sql
        assert "FROM seats" in sql
        assert not any(f"FROM {table}" in sql for table in rows)
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
OF_CARDS = {
    "leads": "card_rank", "trumps_led": "trick", "brisques_led": "phase", "cards_taking": "card_rank", "brisques_given": "place",
    "forced_cards": "place", "cards_kept": "card_rank", "card_timing": "card_trump", "throws": "card_rank",
    "cards_drawn": "card_rank", "melded": "card_rank",
}  # fmt: skip
"""Metrics of which whole tables are summed, and a dimension of their rows that these sums tell apart."""


def test_sums_of_whole_tables_are_of_all_metrics_of_tricks_scores_and_cards() -> None:
    assert set(SUMMED) == {*WHOLE, *OF_CARDS}


@pytest.mark.parametrize("metric", {**WHOLE, **OF_CARDS})
def test_sums_of_whole_tables_answer_as_the_rows_do(many: Store, metric: str) -> None:
    """The values of a large collection come from them, and its intervals from some matches."""
    limits = ("", "&sheet=marjolet&sheet=zique", "&every=1")[: 2 if needs_clean(metric) else 3]
    for one_in, limit in product((1, 2), limits):
        ask = from_address(f"metric={metric}&by={(WHOLE | OF_CARDS)[metric]}&split=sheet{limit}")
        summed, of_rows = compose(ask, one_in), compose(by_rows(ask), one_in)
        whole = f"FROM {WHOLE_GRAINS[ask.metric.grain.name]}"
        assert (whole in summed.sql) == (one_in > 1 or ask.metric.kind in ("rate", "spread"))
        left, right = both(many, summed, of_rows)
        assert left == right
        assert len(left) > 1
        counts = both(many, count_rows(ask), count_rows(by_rows(ask)))
        assert counts[0] == counts[1]


COLUMN = re.compile(r"\bseats\.(\w+)")
COLUMNS = [
    (column, metric)
    for metric in SUMMED
    for of_seats in [metrics()[metric].sums[-1]]
    for column in sorted(
        set(COLUMN.findall(" ".join((of_seats.total, of_seats.count, of_seats.rows)))) - {"players"}
    )
]


@pytest.mark.slow
@pytest.mark.parametrize(("column", "metric"), COLUMNS)
def test_a_wrong_sum_is_noticed(tmp_path: Path, column: str, metric: str) -> None:
    questions = [from_address(f"metric={metric}&by={by}") for by in ("opponent", "result")]
    with Store(with_empty_database(tmp_path)) as store:
        ingest(store, read_entries(SAMPLES / "good" / "marjolet.json"))
        assert differing(store, questions) == (2, 0)
        with store.writing() as cursor:
            cursor.execute(f"UPDATE seats SET {column} = {column} + 1")
        assert differing(store, questions) == (2, 2)


def kept(store: Store, name: str) -> list[tuple[object, ...]]:
    """The rows of a table of sums, none of which is of nothing."""
    columns = store.rows(f"FROM {name} LIMIT 0").columns
    of_rows = [column for column in columns if column not in SUM_KEYS[name]]
    of_all = ", ".join((*SUM_KEYS[name], *(f"sum({each})::BIGINT" for each in of_rows)))
    sql = f"SELECT {of_all} FROM {name} GROUP BY ALL HAVING sum({of_rows[0]}) <> 0 ORDER BY ALL"
    return store.rows(sql).rows


def found(store: Store, name: str) -> list[tuple[object, ...]]:
    return store.rows(f"{sums_sql(name, SUM_TABLES[name])} ORDER BY ALL").rows


def assert_right(store: Store) -> None:
    for name in SUM_TABLES:
        assert kept(store, name) == found(store, name)


def is_summed(store: Store) -> bool:
    """Whether the sums of tricks have at most twice as many rows as differ by their keys."""
    keys = ", ".join(SUM_KEYS["trick_sums"])
    sql = f"SELECT count(*), (SELECT count(*) FROM (SELECT DISTINCT {keys} FROM trick_sums)) FROM trick_sums"
    ((rows, needed),) = store.rows(sql).rows
    return rows <= 2 * needed


@pytest.mark.slow
@pytest.mark.parametrize("most", [20_000, 1])
def test_sums_are_what_the_rows_come_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Games come in batches, twice, and go; with and without summing the sums each time."""
    monkeypatch.setattr(sums, "MOST_SUMS", most)
    with Store(tmp_path) as store:
        load(store, LINES[:12])
        assert_right(store)
        load(store, LINES[8:])
        ingest_bytes(store, "again.jsonl", b"\n".join(LINES[4:20]))
        assert_right(store)
        assert found(store, "trick_sums")
        digests = [digest for (digest,) in store.rows("SELECT digest FROM games").rows]
        for digest in digests[::2]:
            delete_games(store, [digest])
        assert_right(store)
        assert is_summed(store) == (most == 1)
        delete_games(store, digests)
        assert not any(kept(store, name) for name in SUM_TABLES)
        load(store, LINES)
        assert_right(store)
        assert is_summed(store) == (most == 1)
        assert len(found(store, "trick_sums")) > 100


def test_sums_that_half_would_do_for_become_one_row_for_each_of_their_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same game is stored, deleted and stored again: then every key has three rows, and all are summed."""
    monkeypatch.setattr(sums, "MOST_SUMS", 1)
    with Store(tmp_path) as store:
        load(store, LINES[:1])
        needed = store.rows("SELECT count(*) FROM trick_sums").rows[0][0]
        assert needed > 1
        delete_games(store, [digest for (digest,) in store.rows("SELECT digest FROM games").rows])
        assert store.rows("SELECT count(*) FROM trick_sums").rows == [(2 * needed,)]
        load(store, LINES[:1])
        assert store.rows("SELECT count(*) FROM trick_sums").rows == [(needed,)]
        assert_right(store)
