"""Records of one match count once, whatever their order; all are stored, and another stands where one is deleted."""

import json
from collections.abc import Sequence
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from analyzer.ingest.deletion import delete_games
from analyzer.ingest.loader import ingest_bytes
from analyzer.store.store import OtherRecord, Store
from analyzer.store.sums import SUM_KEYS, SUM_TABLES
from records.format import codec
from records.format.redaction import redact
from records.match_play import MatchPlay, Relation, match_play, may_be_one_match
from records.record import Record
from records.selfplay import play_game
from tests.make.empty_store import with_empty_database
from tests.make.rewritings import Raw, changed, other_day, other_person, rewritten

NUMBERS = (
    "deals",
    "seats",
    "tricks",
    "scores",
    "cards",
    "findings",
    "clean_deals",
    "melds",
    "plays",
)
SHEETS = ("zique", "rubicon-bezique", "zetema")


@cache
def game(sheet: str, seed: int) -> bytes:
    record = play_game(sheet, seed=seed, deals=2)
    record.meta = {"event": "League", "started": "2026-03-31T19:00:00Z"}
    return codec.encode(record)


def told(sheet: str, seed: int, random: Random) -> tuple[bytes, list[bytes]]:
    """A record of a match, and others that tell less of it: rewritten, of one seat, a beginning."""
    raw = json.loads(game(sheet, seed))
    fullest = written(raw)
    decoded = codec.decode(fullest).record
    assert decoded is not None
    others = [written(rewritten(raw, random)) for _ in range(2)]
    others += [codec.encode(redact(decoded, seat)) for seat in range(2)]
    others.append(beginning(decoded, random))
    return fullest, others


def written(raw: Raw) -> bytes:
    return json.dumps(raw, ensure_ascii=False).encode()


def beginning(record: Record, random: Random) -> bytes:
    raw = json.loads(codec.encode(record))
    del raw["deals"][1:], raw["result"]
    events = raw["deals"][0]["events"]
    raw["deals"][0].pop("claims", None)
    del events[random.randint(1, len(events) - 2) :]
    return written(raw)


def numbers(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """All rows that enter numbers, without what says which record they come from and when it was stored."""
    found = {}
    for table in NUMBERS:
        rows = store.rows(f"SELECT * EXCLUDE (game) FROM {table}").rows
        found[table] = sorted(map(repr, rows))
    for table in SUM_TABLES:
        keys = ", ".join(SUM_KEYS[table])
        sums = store.rows(
            f"SELECT {keys}, sum(COLUMNS(* EXCLUDE ({keys}))) FROM {table} GROUP BY ALL"
        ).rows
        found[table] = sorted(repr(row) for row in sums if any(row[len(SUM_KEYS[table]) :]))
    columns = "* EXCLUDE (game, digest, stored_at)"
    found["games"] = sorted(map(repr, store.rows(f"SELECT {columns} FROM games").rows))
    return found  # type: ignore[return-value]


def fresh(folder: Path, records: Sequence[bytes]) -> dict[str, list[tuple[object, ...]]]:
    with Store(with_empty_database(folder)) as store:
        for data in records:
            ingest_bytes(store, "fresh.json", data)
        return numbers(store)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(4))
def test_a_match_counts_once_from_its_fullest_record_in_any_order(
    tmp_path: Path, seed: int
) -> None:
    random = Random(seed)
    matches = {sheet: told(sheet, seed, random) for sheet in SHEETS}
    lines = [line for fullest, others in matches.values() for line in (fullest, *others)]
    random.shuffle(lines)
    with Store(with_empty_database(tmp_path / "all")) as store:
        stored = 0
        while stored < len(lines):
            some = lines[stored : stored + random.randint(1, 6)]
            outcomes = ingest_bytes(store, "some.jsonl", b"\n".join(some))
            assert {outcome.state for outcome in outcomes} <= {"stored", "known"}
            stored += len(some)
        digests = {str(codec.decode(line).digest()) for line in lines}
        assert store.counts().games == len(matches)
        assert store.rows("SELECT count(*) FROM stored_games").rows == [(len(digests),)]
        assert all(store.record_bytes(digest) in lines for digest in digests)
        standing = [digest for (digest,) in store.rows("SELECT digest FROM games").rows]
        shown = [store.record_bytes(digest) for digest in standing]
        assert numbers(store) == fresh(tmp_path / "standing", [data for data in shown if data])
        # Where the record that stands for a match is deleted, the fullest of the others stands for it.
        delete_games(store, standing)
        assert store.counts().games == len(matches)
        left = [digest for (digest,) in store.rows("SELECT digest FROM games").rows]
        assert not {*left} & {*standing}
        shown = [store.record_bytes(digest) for digest in left]
        assert numbers(store) == fresh(tmp_path / "left", [data for data in shown if data])
        delete_games(store, sorted(digests))
        assert store.rows("SELECT count(*) FROM stored_games").rows == [(0,)]
        assert store.rows("SELECT count(*) FROM traces").rows == [(0,)]


def test_what_a_record_is_to_a_match_is_told(store: Store) -> None:
    decoded = codec.decode(game("zique", 1)).record
    assert decoded is not None
    (first,) = ingest_bytes(store, "beginning.json", beginning(decoded, Random(1)))
    assert (first.state, first.match, first.relation) == ("stored", "", "")
    (second,) = ingest_bytes(store, "whole.json", game("zique", 1))
    assert (second.state, second.match, second.relation) == ("stored", first.digest, "whole")
    (third,) = ingest_bytes(store, "seat.json", codec.encode(redact(decoded, 1)))
    assert (third.state, third.match, third.relation) == ("stored", second.digest, "view")
    kept = store.game(str(first.digest))
    assert kept is not None
    assert (kept.match, kept.relation) == (second.digest, "beginning")
    assert store.other_records(str(second.digest)) == [
        OtherRecord(str(first.digest), Relation.BEGINNING),
        OtherRecord(str(third.digest), Relation.VIEW),
    ]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("sheet", SHEETS)
def test_every_change_makes_two_matches(tmp_path: Path, sheet: str) -> None:
    random = Random(sheet)
    raw = json.loads(game(sheet, 2))
    kinds = [changed, changed, changed]
    others = [written(change(raw, random)) for change in kinds]
    for change in (other_person, other_day):
        other = json.loads(game(sheet, 2))
        change(other, random)
        others.append(written(other))
    for number, other in enumerate(others):
        for in_one_batch in (True, False):
            folder = tmp_path / f"{number} {in_one_batch}"
            with Store(with_empty_database(folder)) as store:
                lines = [game(sheet, 2), other]
                for data in [b"\n".join(lines)] if in_one_batch else lines:
                    outcomes = ingest_bytes(store, "two.jsonl", data)
                    assert {outcome.state for outcome in outcomes} == {"stored"}
                assert store.counts().games == 2
                assert {
                    store.record_bytes(d) for (d,) in store.rows("SELECT digest FROM games").rows
                } == {*lines}
                (again,) = ingest_bytes(store, "again.json", other)
                assert again.state == "known"


def test_records_without_deals_are_told_apart_by_all_that_they_say(store: Store) -> None:
    results = [
        {"format": "bezique-record", "version": "1.0", "rules": {"id": "zique"},
         "players": [{"name": first}, {"name": second}], "meta": {"event": "Friday"},
         "result": {"status": "complete", "scores": scores}}
        for first, second, scores in (
            ("Ann", "Bob", [970, 1010]), ("Eve", "Dan", [970, 1010]), ("Ann", "Bob", [1010, 970]),
        )
    ]  # fmt: skip
    outcomes = ingest_bytes(store, "results.jsonl", b"\n".join(map(written, results)))
    assert [outcome.state for outcome in outcomes] == ["stored"] * 3
    assert store.counts().games == 3
    turned = {**results[0], "players": results[0]["players"][::-1]}  # type: ignore[index]
    turned["result"] = {"status": "complete", "scores": [1010, 970]}
    (again,) = ingest_bytes(store, "again.json", written(turned))
    assert (again.state, again.match, again.relation) == ("stored", outcomes[0].digest, "same")
    former = str(codec.former_digest(codec.decode(written(results[0])).record))  # type: ignore[arg-type]
    assert store.digests_beginning(former[:12]) == [outcomes[0].digest]


def dated(record: Record, day: str | None) -> bytes:
    raw = json.loads(codec.encode(record))
    raw["meta"] = {"started": f"2026-01-{day}T19:00:00Z"} if day else {}
    return written(raw)


def contradicting(random: Random) -> list[bytes]:
    """Two matches that begin alike, or are of two days, and records that fit both."""
    first, second = (codec.decode(game("zique", seed)).record for seed in (1, 3))
    assert first is not None
    assert second is not None
    other = replace(first, deals=[first.deals[0], second.deals[1]], result=None)
    common = replace(first, deals=first.deals[:1], result=None)
    whole = replace(first, result=None)
    lines = [dated(record, day) for record, day in ((whole, "01"), (other, "01"), (common, "01"))]
    lines += [dated(record, day) for record, day in ((whole, "02"), (common, None), (whole, None))]
    random.shuffle(lines)
    return lines


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(6))
def test_records_that_contradict_each_other_are_never_of_one_match(
    tmp_path: Path, seed: int
) -> None:
    random = Random(seed)
    lines = contradicting(random)
    with Store(with_empty_database(tmp_path)) as store:
        for line in lines:
            ingest_bytes(store, "line.json", line)
        for _ in range(3):
            assert_no_match_contradicts_itself(store)
            stored = [digest for (digest,) in store.rows("SELECT digest FROM stored_games").rows]
            delete_games(store, [random.choice(sorted(stored))])
        left = [
            store.record_bytes(digest) for (digest,) in store.rows("SELECT digest FROM games").rows
        ]
        assert numbers(store) == fresh(tmp_path / "left", [data for data in left if data])


def assert_no_match_contradicts_itself(store: Store) -> None:
    sql = "SELECT digest, coalesce(match, game) FROM stored_games"
    matches: dict[int, list[MatchPlay]] = {}
    for digest, match in store.rows(sql).rows:
        record = codec.decode(store.record_bytes(digest) or b"").record
        assert record is not None
        play = match_play(record)
        assert play is not None
        matches.setdefault(match, []).append(play)
    assert len(matches) >= 2
    assert all(
        may_be_one_match(one, other)
        for plays in matches.values()
        for one, other in product(plays, repeat=2)
    )
