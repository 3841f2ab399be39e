"""A game was played on the day that its record states, by the clock of the place: the same day everywhere."""

import csv
import io
import os
from collections import Counter
from datetime import date, datetime, timedelta, timezone
from itertools import pairwise
from pathlib import Path
from random import Random

import duckdb
import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.store.parquet import export_parquet
from analyzer.store.store import Store
from records.format import codec
from records.format.semantics import read_time
from records.selfplay import play_game
from tests.webui.csv_answers import csv_text
from webui.display.words import date_words

MINUTE = timedelta(minutes=1)
GAMES = int(os.environ.get("BEZIQUE_DAYS", "12"))


def evenings() -> list[datetime]:
    """Times of every zone that there is, most of them within a day of a change of year or month."""
    chance, turns = (
        Random(31),
        (datetime(2025, 1, 1), datetime(2026, 1, 1), datetime(2026, 4, 1), datetime(2024, 3, 1)),
    )
    return [
        (chance.choice(turns) + chance.randrange(-1440, 1440) * MINUTE).replace(
            tzinfo=timezone(chance.randrange(-48, 57) * 15 * MINUTE)
        )
        for _ in range(GAMES)
    ]


@pytest.fixture
def evening_of(store: Store) -> dict[str, datetime]:
    """When each stored game was played, by digest."""
    found = {}
    for seed, evening in enumerate(evenings()):
        record = play_game("marjolet", seed=seed, names=["Ann", "Bob"])
        record.deals = record.deals[:1]
        record.result = None
        record.meta = {"event": "Evening", "started": evening.isoformat()}
        (outcome,) = ingest_bytes(store, "evening.json", codec.encode(record))
        found[str(outcome.digest)] = evening
    assert len(found) == GAMES
    return found


@pytest.mark.slow
def test_a_game_has_the_same_day_everywhere(
    fresh_client, store, evening_of, tmp_path_factory
) -> None:
    days = {digest: evening.date() for digest, evening in evening_of.items()}
    whole = fresh_client.get("/games.json").json["games"]
    written = {game["digest"]: datetime.fromisoformat(game["started"]) for game in whole}
    assert written == evening_of
    assert {digest: time.utcoffset() for digest, time in written.items()} == {
        digest: time.utcoffset() for digest, time in evening_of.items()
    }
    rows = csv.DictReader(io.StringIO(csv_text(fresh_client.get("/games.csv"))))
    assert {row["digest"]: date.fromisoformat(row["started"][:10]) for row in rows} == days
    for game in fresh_client.get("/api/v1/games?limit=100").json["games"]:
        assert datetime.fromisoformat(game["started"]) == evening_of[game["digest"]]
    for digest, day in days.items():
        assert date_words(day) in fresh_client.get(f"/games/{digest}").text
    assert_days_of_filters(fresh_client, days)
    assert_days_of_tables(store, days)
    target = tmp_path_factory.mktemp("export") / "parquet"
    with Store(tmp_path_factory.mktemp("files"), files=target.parent) as copy:
        for record in fresh_client.get("/games.jsonl").data.splitlines():
            ingest_bytes(copy, "copy.jsonl", record)
        export_parquet(copy, target)
    assert_days_of_parquet(target, days)


def assert_days_of_filters(client, days: dict[str, date]) -> None:
    """Lists of a day, a year and an event have the games of that day, and name it."""
    for day in {*days.values()}:
        expected = {digest for digest, own in days.items() if own == day}
        query = f"since={day}&until={day}"
        for place in (f"/games.json?{query}", f"/api/v1/games?limit=100&{query}"):
            assert {game["digest"] for game in client.get(place).json["games"]} == expected
        assert client.get(f"/games?{query}").text.count(
            f'<span class="game-day">{date_words(day)}</span>'
        ) == len(expected)
    events = {each["season"]: each for each in client.get("/events.json").json["events"]}
    years = {day.year for day in days.values()}
    assert {*events} == {*client.get("/events.json").json["seasons"]} == years
    for year, event in events.items():
        own = sorted(day for day in days.values() if day.year == year)
        assert (event["games"], event["since"], event["until"]) == (
            len(own),
            str(own[0]),
            str(own[-1]),
        )
        page = client.get(f"/standings?event=Evening&season={year}").text
        assert all(f">{date_words(day)}<" in page for day in own)


def assert_days_of_tables(store: Store, days: dict[str, date]) -> None:
    """Months in every table are those of the days, and instants put the games in order."""
    months = Counter(day.replace(day=1) for day in days.values())
    for table, rows in (("games", 1), ("seats", 2)):
        found = dict(store.rows(f"SELECT month, count(*) FROM {table} GROUP BY month").rows)
        assert found == {month: rows * number for month, number in months.items()}
    rows = store.rows(
        "SELECT digest, started, utc_offset, started_at FROM games ORDER BY started_at"
    ).rows
    assert all(started - offset * MINUTE == at for _, started, offset, at in rows)
    assert all(one[3] <= other[3] for one, other in pairwise(rows))
    assert {digest: started.date() for digest, started, *_ in rows} == days


def assert_days_of_parquet(folder: Path, days: dict[str, date]) -> None:
    files = f"{folder}/games/**/*.parquet"
    found = duckdb.sql(
        f"SELECT digest, started::DATE, month::DATE FROM read_parquet('{files}', hive_partitioning = true)"
    ).fetchall()
    assert {digest: day for digest, day, _ in found} == days
    assert all(month == day.replace(day=1) for _, day, month in found)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2026-12-31T23:59:59.9999999-05:00", "2026-12-31T23:59:59.999999-05:00"),
        ("2026-12-31t23:59:59z", "2026-12-31T23:59:59+00:00"),
        ("2026-12-31 00:00:00+14:00", "2026-12-31T00:00:00+14:00"),
        ("0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00+14:00"),
        ("2026-12-31T24:00:00Z", None),
        ("2026-12-31T23:59:60Z", None),
        ("2026-12-31T23:59:59", None),
        ("2026-12-31T23:59:59+24:00", None),
        ("2026-12-31T23:59:59+01:60", None),
        ("2026-W53-4T23:59:59Z", None),
        ("20261231T235959Z", None),
    ],
)
def test_a_time_is_read_as_its_own_clock_shows_it(text: str, read: str | None) -> None:
    found = read_time(text)
    assert (found and found.isoformat()) == read


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_the_first_and_the_last_day_of_a_calendar_are_days(fresh_client, store, text: str) -> None:
    record = play_game("marjolet", seed=1, names=["Ann", "Bob"])
    record.meta = {"started": text}
    (outcome,) = ingest_bytes(store, "evening.json", codec.encode(record))
    assert fresh_client.get("/games.json?order=latest").json["games"][0]["started"] == text
    assert fresh_client.get(f"/games/{outcome.digest}").status_code == 200
    assert fresh_client.get("/players?order=rating").status_code == 200
