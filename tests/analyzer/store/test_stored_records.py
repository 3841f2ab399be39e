"""Records come out byte for byte; games are deleted; the database is copied."""

import gzip
import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import zstandard

from analyzer.ingest.deletion import delete_games, list_game_tables
from analyzer.ingest.importer import Importer
from analyzer.ingest.loader import ingest_bytes
from analyzer.players.ratings import Ratings
from analyzer.store.games import backup_store, read_records, stream_pieces, write_records
from analyzer.store.instance import StoreReopened
from analyzer.store.store import GameFilter, QueryTimeout, Store
from records.errors import StoreError
from records.format import codec
from records.selfplay import play_game
from tests.analyzer.ingest.test_importer import source
from tests.analyzer.ingest.test_loader import contents

LINES = [
    codec.encode(play_game(sheet, seed=seed)) for sheet in ("zique", "bezique") for seed in (1, 2)
]
SPACED = json.dumps(json.loads(LINES[0]), indent=1).replace("\n", "\r\n").encode()
"""The same game as the first line, as somebody's editor saved it."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\n".join(LINES) + b"\n")
    return path


@pytest.fixture
def store(tmp_path: Path, file: Path):
    with Store(tmp_path / "data") as store:
        Importer(store).run([source(file)])
        yield store


def out(store: Store, path: Path, **choice: object) -> tuple[int, int]:
    return write_records(read_records(store, GameFilter(**choice)), path)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "unpack"),
    [
        ("o.jsonl", bytes),
        ("o.jsonl.gz", gzip.decompress),
        ("o.jsonl.zst", zstandard.ZstdDecompressor().decompressobj().decompress),
    ],
    ids=["plain", "gzip", "zstd"],
)
def test_a_file_comes_out_as_it_went_in(store, file, tmp_path, name, unpack) -> None:
    assert out(store, tmp_path / name) == (4, 0)
    assert unpack((tmp_path / name).read_bytes()) == file.read_bytes()
    assert not (tmp_path / f"{name}.part").exists()


@pytest.mark.long
def test_a_record_of_many_lines_is_kept_in_a_folder_and_said_to_change_in_a_file(tmp_path) -> None:
    with Store(tmp_path / "data") as store:
        ingest_bytes(store, "a.json", SPACED)
        ingest_bytes(store, "b.json", LINES[1])
        assert out(store, tmp_path / "many") == (2, 0)
        assert {path.read_bytes() for path in (tmp_path / "many").iterdir()} == {SPACED, LINES[1]}
        digest = codec.decode(SPACED).digest()
        assert out(store, tmp_path / "one.json", digests=[digest]) == (1, 0)
        assert (tmp_path / "one.json").read_bytes() == SPACED
        assert out(store, tmp_path / "lines.jsonl") == (2, 1)
    first, second = (tmp_path / "lines.jsonl").read_bytes().splitlines()
    assert (json.loads(first), second) == (json.loads(SPACED), LINES[1])
    assert codec.decode(first).digest() == digest


@pytest.mark.long
@pytest.mark.parametrize(
    "choice", [{"sheet": "zique"}, {"player": "ann"}, {"verdict": "legal"}, {"upload": "x"}]
)
def test_only_what_is_chosen_comes_out(store, choice) -> None:
    games = store.games(GameFilter(**choice)).games
    found = [one.digest for one in read_records(store, GameFilter(**choice))]
    assert sorted(found) == sorted(game.digest for game in games)


@pytest.mark.long
def test_pieces_are_the_file(store, file, monkeypatch) -> None:
    monkeypatch.setattr("analyzer.store.games.BYTES_PER_PIECE", 10)
    for name, unpack in (("o.jsonl", bytes), ("o.jsonl.gz", gzip.decompress)):
        pieces = list(stream_pieces(read_records(store, GameFilter()), name))
        assert len(pieces) > 1
        assert unpack(b"".join(pieces)) == file.read_bytes()


@pytest.mark.long
def test_a_deleted_game_leaves_nothing_and_comes_back(store, file, tmp_path) -> None:
    before, ladder = contents(store), Ratings(store)
    assert ladder.ladder().matches == 4
    gone = codec.decode(LINES[2]).digest()
    key = store.rows("SELECT game FROM games WHERE digest = ?", [gone]).rows[0][0]
    assert delete_games(store, [gone, "0" * 64]) == 1
    with store.writing() as cursor:
        tables = list_game_tables(cursor)
    assert {"records", "games", "deals", "seats", "tricks", "scores", "findings"} <= {*tables}
    for table in tables:
        assert store.rows(f"SELECT count(*) FROM {table} WHERE game = ?", [key]).rows == [(0,)]
    assert (store.counts().games, ladder.ladder().matches) == (3, 3)
    rest = tmp_path / "rest.jsonl"
    rest.write_bytes(b"\n".join(LINES[:2] + LINES[3:]) + b"\n")
    with Store(tmp_path / "other") as other:
        Importer(other).run([source(rest)])
        mine, theirs = contents(store), contents(other)
    assert {t: mine[t] for t in mine if t in tables and t != "records"} == {
        t: theirs[t] for t in theirs if t in tables and t != "records"
    }
    assert Importer(store).run([source(file)]).states == {"stored": 1, "known": 3}
    assert contents(store) == before


@pytest.mark.slow
def test_a_copy_is_whole_while_games_come_in(tmp_path) -> None:
    more = [codec.encode(play_game("zique", seed=seed)) for seed in range(30, 60)]
    with Store(tmp_path / "data") as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(LINES))

        def load() -> None:
            for line in more:
                ingest_bytes(store, "more.json", line)

        loader = threading.Thread(target=load)
        loader.start()
        for number in range(3):
            backup_store(store, tmp_path / f"copy-{number}")
        loader.join()
        assert store.counts().games == 34
        with pytest.raises(StoreError, match="already exists"):
            backup_store(store, tmp_path / "copy-0")
    for number in range(3):
        with Store(tmp_path / f"copy-{number}") as copy:
            games = copy.counts().games
            assert 4 <= games <= 34
            assert copy.rows("SELECT count(DISTINCT game) FROM deals").rows == [(games,)]
            assert len(list(read_records(copy, GameFilter()))) == games


@pytest.mark.long
def test_a_copy_leaves_the_lock_of_the_database_alone(store, tmp_path) -> None:
    backup_store(store, tmp_path / "copy")
    code = f"from analyzer.store.store import Store; Store({str(store.path.parent)!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "in use by another process" in done.stderr


def stored_lines(store: Store, number: int) -> list[bytes]:
    """So many records, stored in this order."""
    lines = [codec.encode(play_game("zique", seed=seed)) for seed in range(100, 100 + number)]
    ingest_bytes(store, "many.jsonl", b"\n".join(lines))
    return lines


def delete_and_checkpoint(store: Store, lines: list[bytes]) -> None:
    delete_games(store, [codec.decode(line).digest() for line in lines])
    with store.still():
        store.cursor().execute("CHECKPOINT")


@pytest.mark.long
def test_what_is_deleted_or_stored_while_records_are_written_changes_nothing(
    tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr("analyzer.store.games.RECORDS_PER_QUERY", 2)
    monkeypatch.setattr("analyzer.store.games.ROWS_PER_LIST", 6)
    with Store(tmp_path / "data") as store:
        lines = stored_lines(store, 20)
        records = read_records(store, GameFilter())
        found = [next(records).data]
        delete_and_checkpoint(store, lines[:12])
        ingest_bytes(store, "late.json", LINES[1])
        assert found + [record.data for record in records] == lines
        assert [one.data for one in read_records(store, GameFilter())] == [*lines[12:], LINES[1]]


def is_tidied(store: Store, late: bytes) -> bool:
    """Whether the rows of deleted records are gone from the file after one more record and a checkpoint."""
    ingest_bytes(store, "late.json", late)
    delete_and_checkpoint(store, [])
    return store.rows("SELECT max(rowid) + 1 = count(*) FROM records").rows == [(True,)]


@pytest.mark.long
@pytest.mark.parametrize("end", ["last", "close", "drop", "late"])
def test_the_database_is_tidied_once_nobody_takes_records(tmp_path, end) -> None:
    with Store(tmp_path / "data") as store:
        lines = stored_lines(store, 8)
        records = read_records(store, GameFilter(), seconds=0 if end == "late" else None)
        delete_and_checkpoint(store, lines[:6])
        assert not is_tidied(store, LINES[0])
        match end:
            case "last":
                assert len(list(records)) == 8
            case "close":
                records.close()
                assert not list(records)
            case "drop":
                del records
            case "late":
                with pytest.raises(QueryTimeout, match="longer than 0 seconds"):
                    next(records)
        assert is_tidied(store, LINES[1])


@pytest.mark.long
def test_taking_records_ends_if_the_database_is_opened_again(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("analyzer.store.games.RECORDS_PER_QUERY", 2)
    with Store(tmp_path / "data") as store:
        lines = stored_lines(store, 6)
        records = read_records(store, GameFilter())
        next(records)
        store._instance.replace(store._instance.number)
        with pytest.raises(StoreReopened):
            list(records)
        assert [one.data for one in read_records(store, GameFilter())] == lines
