import gc
import gzip
import io
import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from analyzer.ingest import batch
from analyzer.ingest.batch import ExaminedRecord
from analyzer.ingest.loader import IngestCounts, ingest, ingest_bytes
from analyzer.store.store import Store
from records.events import Draw, Meld
from records.format import codec
from records.format.files import Entry, read_entries
from records.record import Claims
from records.selfplay import play_game
from tests.make.stored_games import store_game

SAMPLES = Path(__file__).parents[3] / "samples"
TRIES = 5
"""Other threads of the process, a browser's or a server's, leave garbage now and then, but not every time."""
TABLES = ("records", "games", "deals", "seats", "tricks", "scores", "cards", "findings", "rejected")


def contents(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Everything in the tables but the times."""
    return {
        table: sorted(
            store.rows(
                f"SELECT COLUMNS(lambda c: c NOT IN ('stored_at', 'seen_at')) FROM {table}"
            ).rows,
            key=repr,
        )
        for table in TABLES
    }


def entries(data: bytes, name: str = "games.jsonl") -> list[Entry]:
    return list(read_entries(io.BytesIO(data), name=name))


@pytest.mark.long
def test_the_same_file_again_doubles_nothing(store: Store, lines: bytes) -> None:
    first = ingest(store, entries(lines))
    before = contents(store)
    again = ingest(store, entries(lines))
    assert contents(store) == before
    assert first.states == {"stored": first.records}
    assert again.states == {"known": first.records}
    assert again.verdicts == first.verdicts


@pytest.mark.long
def test_an_upload_again_is_recognised_and_reported_anew(store: Store, lines: bytes) -> None:
    line = lines.splitlines()[0]
    (stored,) = ingest_bytes(store, "a.json", line)
    (known,) = ingest_bytes(store, "b.json", line)
    assert (stored.state, known.state) == ("stored", "known")
    assert stored.digest == known.digest
    assert known.report is not None
    assert known.report.verdict == stored.verdict
    assert known.stored_as == ""


SCORES_ONLY = {
    "format": "bezique-record",
    "version": "1.0",
    "rules": {"id": "bezique"},
    "deals": [{"dealer": 0, "knowledge": "scores", "claims": {"scores": [100, 170]}}],
}


def sheet_of(*names: str, **meta: str) -> bytes:
    """A record that tells nothing but scores."""
    return json.dumps(
        {**SCORES_ONLY, "players": [{"name": name} for name in names], "meta": meta}
    ).encode()


def test_matches_that_ended_alike_are_all_stored(store: Store) -> None:
    records = [
        sheet_of("Ann", "Bob", event="Spring"),
        sheet_of("Cleo", "Dan", event="Spring"),
        sheet_of("Ann", "Bob", event="Autumn"),
    ]
    states = [ingest_bytes(store, "a.json", data)[0].state for data in [*records, records[0]]]
    assert states == ["stored", "stored", "stored", "known"]
    names = store.rows("SELECT names, event FROM games ORDER BY ALL").rows
    assert names == [
        (["Ann", "Bob"], "Autumn"),
        (["Ann", "Bob"], "Spring"),
        (["Cleo", "Dan"], "Spring"),
    ]


@pytest.mark.long
def test_what_is_told_of_a_known_game_is_short(store: Store, lines: bytes) -> None:
    game = json.loads(lines.splitlines()[0])
    for event in ("a" * 100_000, "b" * 100_000):
        data = json.dumps({**game, "meta": {"event": event, "site": event}}).encode()
        (outcome,) = ingest_bytes(store, "a.json", data)
    assert outcome.stored_as.endswith(f"{'a' * 80}…, {'a' * 80}…")
    assert max(len(outcome.stored_as), len(outcome.occasion)) < 400


def test_a_known_game_of_another_place_or_time_of_the_day_is_told(
    store: Store, lines: bytes
) -> None:
    game = json.loads(lines.splitlines()[0])
    game["meta"] = {"event": "Spring", "started": "2026-11-05T19:30:00Z"}
    corrected = {**game, "meta": {"event": "Spring Cup", "started": "2026-11-05T20:30:00Z"}}
    both = b"\n".join(json.dumps(each).encode() for each in (game, corrected))
    _, in_one_batch = ingest_bytes(store, "both.jsonl", both)
    (later,) = ingest_bytes(store, "later.json", json.dumps(corrected).encode())
    names = " – ".join(player["name"] for player in game["players"])
    for known in (in_one_batch, later):
        assert known.state == "known"
        assert known.stored_as == f"{names}, Spring, 2026-11-05 19:30 UTC"
        assert known.occasion == f"{names}, Spring Cup, 2026-11-05 20:30 UTC"


def test_a_bad_line_costs_only_itself_and_is_kept_in_the_list(store: Store, lines: bytes) -> None:
    good = lines.splitlines()[:2]
    data = b"\n".join([good[0], b'{"format": "bezique-rec', good[1], b'{"a": 1}'])
    outcomes = ingest_bytes(store, "folder/mixed.jsonl", data)
    assert [outcome.state for outcome in outcomes] == ["stored", "rejected", "stored", "rejected"]
    assert [outcome.line for outcome in outcomes] == [1, 2, 3, 4]
    rejected = store.rejected()
    assert {one.line for one in rejected} == {2, 4}
    assert {(one.name, one.reason) for one in rejected} == {("mixed.jsonl", "unreadable")}
    assert all(one.findings for one in rejected)
    ingest_bytes(store, "folder/mixed.jsonl", data)
    assert store.counts().rejected == 2


@pytest.mark.long
def test_a_damaged_archive_is_reported(store: Store, lines: bytes) -> None:
    data = gzip.compress(lines)[: len(lines) // 40]
    outcomes = ingest_bytes(store, "games.jsonl.gz", data)
    assert outcomes[-1].state == "rejected"
    assert outcomes[-1].report is not None
    assert outcomes[-1].report.findings
    assert store.counts().rejected == 1


def test_an_unknown_rule_sheet_is_not_stored_as_a_game(
    store: Store, raw: list[dict[str, Any]]
) -> None:
    other = {**raw[0], "rules": {"id": "snap"}}
    (outcome,) = ingest_bytes(store, "snap.json", json.dumps(other).encode())
    assert (outcome.state, outcome.verdict) == ("rejected", "unreadable")
    assert (store.counts().games, store.counts().rejected) == (0, 1)


def test_numbers_beyond_every_column_cost_only_their_own_record(
    store: Store, raw: list[dict[str, Any]]
) -> None:
    huge = json.loads(json.dumps(raw[0]))
    huge["deals"][0]["events"].append(
        {"type": "irregular", "seat": 0, "what": "other", "points": 2**53 - 1}
    )
    data = b"\n".join(json.dumps(record).encode() for record in (raw[1], huge, raw[2]))
    states = [outcome.state for outcome in ingest_bytes(store, "huge.jsonl", data)]
    assert states == ["stored", "rejected", "stored"]
    assert "out of range" in store.rejected()[0].reason


def test_a_record_the_program_fails_at_costs_only_itself(
    store: Store, lines: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    examine = batch.examine_record

    def fails_at_line_two(entry: Entry, **how: bool) -> ExaminedRecord:
        if entry.line == 2:
            raise RuntimeError("a mistake of ours")
        return examine(entry, **how)

    monkeypatch.setattr(batch, "examine_record", fails_at_line_two)
    outcomes = ingest_bytes(store, "g.jsonl", b"\n".join(lines.splitlines()[:4]))
    assert [one.state for one in outcomes] == ["stored", "rejected", "stored", "stored"]
    (rejected,) = store.rejected()
    assert (rejected.line, store.counts().games) == (2, 3)
    assert "a mistake of ours" in rejected.reason


def test_an_illegal_deal_is_stored_and_left_out_of_the_statistics(
    store: Store, raw: list[dict[str, Any]]
) -> None:
    spoiled = json.loads(json.dumps(raw[0]))
    events = spoiled["deals"][1]["events"]
    first, second = (i for i, event in enumerate(events[:3]) if event["type"] == "play")
    events[first], events[second] = events[second], events[first]
    (outcome,) = ingest_bytes(store, "spoiled.json", json.dumps(spoiled).encode())
    assert (outcome.state, outcome.verdict) == ("stored", "illegal")
    deals = store.rows("SELECT deal, clean, legal, tainted FROM deals ORDER BY deal").rows
    assert deals[1] == (1, False, False, True)
    assert all(deal == (deal[0], True, True, False) for deal in deals[:1] + deals[2:])
    for table in ("seats", "tricks", "scores"):
        rows = store.rows(f"SELECT DISTINCT deal, clean FROM {table} ORDER BY deal").rows
        assert rows == [(deal, clean) for deal, clean, *_ in deals]
    assert store.rows("SELECT clean FROM games").rows == [(False,)]
    found = store.rows("SELECT deal, severity FROM findings WHERE severity = 'illegal'").rows
    assert set(found) == {(1, "illegal")}


def test_findings_are_tainted_from_the_first_breach_of_their_deal_on(store: Store) -> None:
    """The breach is, a wrong number after it, and one of the whole deal; none before it, none in another deal."""
    record = play_game("bezique", seed=3, deals=2)
    for deal in reversed(record.deals):
        first, second = [i for i, event in enumerate(deal.events) if isinstance(event, Meld)][:2]
        for i in (first, second):
            deal.events[i] = replace(deal.events[i], points=1000)
        deal.claims = Claims(scores=[1, 1])
    events = record.deals[0].events
    # Between two melds the loser of a trick draws before the winner.
    draw = next(i for i, event in enumerate(events) if i > first and isinstance(event, Draw))
    events[draw : draw + 2] = events[draw + 1], events[draw]
    store_game(store, record)
    sql = "SELECT deal, event IS NULL, severity, tainted FROM findings ORDER BY deal, event NULLS LAST"
    assert [row for row in store.rows(sql).rows if row[0] is not None] == [
        (0, False, "mismatch", False), (0, False, "illegal", True), (0, False, "mismatch", True),
        (0, True, "mismatch", True),
        (1, False, "mismatch", False), (1, False, "mismatch", False), (1, True, "mismatch", False),
    ]  # fmt: skip


def test_an_unfinished_deal_is_left_out_of_the_statistics(
    store: Store, raw: list[dict[str, Any]]
) -> None:
    cut = json.loads(json.dumps(raw[0]))
    cut["deals"] = cut["deals"][:2]
    del cut["deals"][1]["events"][20:], cut["deals"][1]["claims"], cut["result"]
    (outcome,) = ingest_bytes(store, "cut.json", json.dumps(cut).encode())
    assert outcome.state == "stored"
    deals = store.rows("SELECT clean, complete, legal FROM deals ORDER BY deal").rows
    assert deals == [(True, True, True), (False, False, True)]


@pytest.mark.slow
def test_examining_leaves_nothing_that_refers_to_itself(lines: bytes) -> None:
    """`prepare` switches the search for such garbage off."""
    broken = (
        entry for path in sorted(SAMPLES.glob("broken/*.json")) for entry in read_entries(path)
    )
    given = [*entries(lines), *broken]
    batch.prepare_batch(given)
    left = list[int]()
    gc.disable()
    try:
        while len(left) < TRIES and 0 not in left:
            gc.collect()
            batch.prepare_batch(given)
            left.append(gc.collect())
        assert not gc.isenabled()
    finally:
        gc.enable()
    assert 0 in left, left
    batch.prepare_batch(given[:1])
    assert gc.isenabled()


@pytest.mark.long
def test_progress_is_told_after_every_batch(store: Store, lines: bytes) -> None:
    seen: list[tuple[int, int]] = []

    def note(summary: IngestCounts) -> None:
        seen.append((summary.records, store.counts().games))

    summary = ingest(store, entries(lines), note)
    assert seen[-1] == (summary.records, summary.records)
    assert summary.size == sum(map(len, lines.splitlines()))
    assert summary.deals == store.counts().deals


def test_a_start_in_another_zone_keeps_its_clock_beside_utc(
    store: Store, raw: list[dict[str, Any]]
) -> None:
    record = {**raw[0], "meta": {"started": "2026-11-20T19:30:00+02:00"}}
    ingest_bytes(store, "a.json", json.dumps(record).encode())
    (row,) = store.rows("SELECT started, utc_offset, started_at, month FROM games").rows
    own, utc = datetime(2026, 11, 20, 19, 30), datetime(2026, 11, 20, 17, 30)
    assert row == (own, 120, utc, date(2026, 11, 1))
    assert store.rows("SELECT DISTINCT month FROM seats").rows == [(date(2026, 11, 1),)]


def test_a_day_alone_is_the_day_of_a_game_that_gives_no_time(
    store: Store, raw: list[dict[str, Any]]
) -> None:
    metas = [
        {"date": "2026-03-05"},
        {"date": "2026-04-01", "started": "2026-03-06T01:30:00+02:00"},
        {"date": "5/3/2026"},
        {"date": "2026-02-30"},
        {"date": 20260305},
    ]
    for number, meta in enumerate(metas):
        record = {**raw[0], "meta": meta, "players": [{"name": f"Ann {number}"}, {"name": "Bob"}]}
        ingest_bytes(store, "a.json", json.dumps(record).encode())
    rows = store.rows(
        "SELECT started, utc_offset, started_at, month FROM games WHERE started IS NOT NULL ORDER BY started"
    ).rows
    midnight, march = datetime(2026, 3, 5), date(2026, 3, 1)
    assert rows[0] == (midnight, None, midnight, march)
    assert rows[1][:2] == (datetime(2026, 3, 6, 1, 30), 120)
    assert len(rows) == 2
    day_alone = [game for game in store.games().games if game.started and not game.started.tzinfo]
    assert [game.started for game in day_alone] == [midnight]


def test_real_programs_are_loaded(store: Store, real: list[Path]) -> None:
    summary = ingest(store, (entry for path in real for entry in read_entries(path)))
    assert summary.states == {"stored": len(real)}
    for path in real:
        digest = codec.decode(path.read_bytes()).digest()
        assert digest is not None
        assert store.record_bytes(digest) == path.read_bytes()


def test_of_many_lines_that_cannot_be_read_only_some_are_kept(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All are counted, and the first of them keep their findings."""
    monkeypatch.setattr(batch, "MOST_REJECTED_ROWS", 3)
    counts = ingest(store, entries(b"{}\n" * 10))
    assert counts.states == {"rejected": 10}
    assert [row[0] for row in store.rows("SELECT line FROM rejected ORDER BY line").rows] == [
        1,
        2,
        3,
    ]


def test_only_the_reports_that_are_shown_are_kept(store: Store) -> None:
    outcomes = ingest_bytes(store, "x.jsonl", b"{}\n" * 1000, most_reports=300)
    assert [outcome.report is not None for outcome in outcomes] == [True] * 300 + [False] * 700


@pytest.mark.parametrize("sample", ["card-not-held", "no-such-card-left", "must-follow-suit"])
def test_a_game_has_the_events_of_its_deals(store: Store, sample: str) -> None:
    """Also where a deal stops at an event that cannot have happened."""
    data = (SAMPLES / "broken" / f"{sample}.json").read_bytes()
    ingest_bytes(store, "x.json", data)
    rows = store.rows(
        "SELECT g.events, sum(d.events) FROM games g JOIN deals d USING (game) GROUP BY ALL"
    ).rows
    written = sum(len(deal["events"]) for deal in json.loads(data)["deals"])
    assert rows == [(written, written)]
