"""Rescued, upgraded, tried again or with a record deleted: the records of a match stay what they were, and so do people."""

import json
from pathlib import Path
from random import Random

import duckdb
import pytest
from msgspec.structs import replace

from analyzer.ingest import loader
from analyzer.ingest.deletion import delete_games
from analyzer.ingest.loader import ingest_bytes
from analyzer.ingest.renaming import rename_player, take_back_rename
from analyzer.review.stored import list_games_without_review, review_stored_exactly
from analyzer.store.instance import StoreFull
from analyzer.store.store import DATABASE_FILE_NAME, Store
from analyzer.upkeep.doctor import check_folder
from analyzer.upkeep.rescue import rescue_records
from analyzer.upkeep.upgrade import upgrade_folder
from records.format import codec
from records.record import Record
from records.selfplay import play_game
from tests.make.empty_store import with_empty_database

State = dict[str, list[tuple[object, ...]]]
STATE = {
    "games": "SELECT digest, people, names FROM games",
    "other games": """
        SELECT other_games.digest, games.digest, relation, other_games.people, other_games.names
        FROM other_games JOIN games ON games.game = other_games.match
    """,
    "seats": "SELECT game, deal, seat, player, points FROM seats",
    "renames": "SELECT person, same_as, name FROM renames",
    "former": "SELECT * FROM former_digests",
}


def state(store: Store) -> State:
    return {name: sorted(store.rows(sql).rows, key=repr) for name, sql in STATE.items()}


def match_of(seed: int, first: str, second: str) -> Record:
    record = play_game("zique", seed=seed, deals=2, names=[first, second])
    return replace(record, meta={"started": "2026-03-31T19:00:00Z"})


def beginning(record: Record) -> Record:
    deal = record.deals[0]
    return replace(record, deals=[replace(deal, events=deal.events[:40], claims=None)], result=None)


def result_of(first: str, second: str) -> bytes:
    raw = {"format": "bezique-record", "version": "1.0", "rules": {"id": "zique"},
           "players": [{"name": first}, {"name": second}],
           "result": {"status": "complete", "scores": [970, 1010]}}  # fmt: skip
    return json.dumps(raw).encode()


def lines(random: Random) -> list[bytes]:
    """A match and its beginning, the same cards among other people, results alone, and another match."""
    one, others = match_of(1, "Ann", "Bob"), match_of(1, "Carl", "Dora")
    records = [one, beginning(one), others, match_of(2, "Ann", "Eve")]
    found = [*map(codec.encode, records), result_of("Ann", "Bob"), result_of("Eve", "Dora")]
    random.shuffle(found)
    return found


def filled(folder: Path, random: Random) -> Store:
    store = Store(with_empty_database(folder))
    for line in lines(random):
        ingest_bytes(store, "line.json", line)
    rename_player(store, "Ann", "Zoe")
    return store


def assert_sound(folder: Path) -> None:
    report = check_folder(folder, lambda done, total: None)
    assert not report.is_wrong, report.problems


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(4))
def test_a_rescue_keeps_every_record_and_who_stands_for_whom(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    with filled(tmp_path / "data", random) as store:
        if seed % 2:
            stored = [digest for (digest,) in store.rows("SELECT digest FROM stored_games").rows]
            delete_games(store, [random.choice(sorted(stored))])
        before = state(store)
        ((records,),) = store.rows("SELECT count(*) FROM records").rows
    summary = rescue_records(tmp_path / "data", tmp_path / "rescued", lambda done, total: None)
    assert (summary.rescued, summary.lost, summary.missing) == (records, [], 0)
    assert summary.is_complete
    assert_sound(tmp_path / "rescued")
    with Store(tmp_path / "rescued") as store:
        assert state(store) == before


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(4))
def test_an_upgrade_keeps_who_stands_for_whom(tmp_path: Path, seed: int) -> None:
    with filled(tmp_path, Random(seed)) as store:
        before = state(store)
    with duckdb.connect(tmp_path / DATABASE_FILE_NAME) as connection:
        connection.execute("UPDATE schema_version SET judgement = judgement - 1")
    assert upgrade_folder(tmp_path) is not None
    assert_sound(tmp_path)
    with Store(tmp_path) as store:
        assert state(store) == before


@pytest.mark.parametrize("seed", range(4))
def test_names_follow_a_record_that_leaves_its_place_and_comes_back(
    tmp_path: Path, seed: int
) -> None:
    """In any order of storing, renaming and deleting, a name is the same in all tables."""
    random = Random(seed)
    one = match_of(1, "Ann", "Bob")
    acts = ["whole", "beginning", "rename", "undo", "delete", "rename"]
    random.shuffle(acts)
    with Store(with_empty_database(tmp_path)) as store:
        ingest_bytes(store, "other.json", codec.encode(match_of(2, "Ann", "Eve")))
        renamed = False
        for act in acts:
            if act in ("whole", "beginning"):
                ingest_bytes(
                    store, f"{act}.json", codec.encode(one if act == "whole" else beginning(one))
                )
            elif act == "rename" and not renamed:
                rename_player(store, "Ann", "Zoe")
                renamed = True
            elif act == "undo" and renamed:
                take_back_rename(store, "Zoe")
                renamed = False
            elif act == "delete":
                delete_games(store, [str(codec.digest(one))])
            wanted = "Zoe" if renamed else "Ann"
            found = store.rows("SELECT DISTINCT unnest(people) FROM stored_games").rows
            assert wanted in {name for (name,) in found}
            assert ({"Ann", "Zoe"} - {wanted}).isdisjoint(name for (name,) in found)
    assert_sound(tmp_path)


def test_an_upload_that_is_tried_again_stores_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A transaction of several uploads failed after it had found what is known: each is then stored alone."""
    one, others = match_of(1, "Ann", "Bob"), match_of(1, "Carl", "Dora")
    with Store(with_empty_database(tmp_path)) as store:
        ingest_bytes(store, "one.json", codec.encode(one))
        insert, failed = loader._insert_all, []

        def fail_once(cursor: object, tables: object, known: object) -> None:
            insert(cursor, tables, known)  # type: ignore[arg-type]
            if known and not failed:
                failed.append(True)
                raise StoreFull("no room")

        monkeypatch.setattr(loader, "_insert_all", fail_once)
        batch = loader.prepare_batch(
            [
                loader.Entry("two.jsonl", n, codec.encode(record))
                for n, record in enumerate((one, others))
            ]
        )
        with pytest.raises(StoreFull):
            loader.store_batches(store, [batch])
        loader.store_batches(store, [batch])
        assert [outcome.state for outcome in batch.outcomes] == ["known", "stored"]
        assert store.rows("SELECT count(*), count(DISTINCT game) FROM records").rows == [(2, 2)]
    assert_sound(tmp_path)


def test_a_review_counts_once_its_record_stands_for_the_match(tmp_path: Path) -> None:
    one = match_of(1, "Ann", "Bob")
    whole, short = (codec.encode(record) for record in (one, beginning(one)))
    counted = "SELECT count(*), coalesce(count_if(reviews.clean), 0) FROM reviews JOIN seats USING (game, deal, seat)"
    with Store(with_empty_database(tmp_path)) as store:
        (first,) = ingest_bytes(store, "short.json", short)
        review_stored_exactly(store, str(first.digest))
        (second,) = ingest_bytes(store, "whole.json", whole)
        assert store.rows(counted).rows == [(0, 0)]
        assert store.rows("SELECT coalesce(count_if(clean), 0) FROM reviews").rows == [(0,)]
        review_stored_exactly(store, str(second.digest))
        once = store.rows(counted).rows
        assert once == [(4, 4)]
        ingest_bytes(store, "again.json", short)
        delete_games(store, [str(second.digest)])
        assert store.rows(counted).rows[0][0] == 2
        assert str(first.digest) not in list_games_without_review(store)


def test_partners_are_those_of_the_record_that_does_not_stand(tmp_path: Path) -> None:
    record = play_game("zetema", seed=1, players=4, sides=[[0, 2], [1, 3]], deals=1)
    less = replace(
        record,
        deals=[replace(record.deals[0], events=record.deals[0].events[:30], claims=None)],
        result=None,
    )
    with Store(with_empty_database(tmp_path)) as store:
        (first,) = ingest_bytes(store, "whole.json", codec.encode(record))
        (second,) = ingest_bytes(store, "less.json", codec.encode(less))
        games = [store.game(str(one.digest)) for one in (first, second)]
        assert games[1] is not None
        assert games[1].match == first.digest
        assert [game and game.side_names for game in games] == [games[1].side_names] * 2


def test_people_of_results_alone_stay_renamed_after_an_upgrade(tmp_path: Path) -> None:
    """Before schema 13 only the names of the games told who was renamed, and results had other digests."""
    with Store(with_empty_database(tmp_path)) as store:
        ingest_bytes(store, "result.json", result_of("Ann", "Bob"))
        ((former,),) = store.rows("SELECT digest FROM former_digests").rows
    with duckdb.connect(tmp_path / DATABASE_FILE_NAME) as connection:
        connection.execute("UPDATE games SET names = ['Zoe', 'Bob'], digest = ?", [former])
        connection.execute("UPDATE records SET digest = ?", [former])
        connection.execute("DROP TABLE renames")
        connection.execute("UPDATE schema_version SET version = version - 1")
    assert upgrade_folder(tmp_path) is not None
    with Store(tmp_path) as store:
        assert store.rows("SELECT people FROM games").rows == [(["Zoe", "Bob"],)]
