"""The doctor: every damage is said, and every record whose bytes can be read is rescued."""

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from analyzer.ingest.deletion import delete_games
from analyzer.ingest.loader import ingest_bytes
from analyzer.store.acknowledged import Acknowledged, write_note
from analyzer.store.parquet import export_parquet
from analyzer.store.schema import LEFT_OUT_FOLDER
from analyzer.store.store import DATABASE_FILE_NAME, Store
from analyzer.upkeep.doctor import check_folder
from analyzer.upkeep.rescue import FIRST_BLOCK, RescueSummary, find_raw_records, rescue_records
from records.format import codec
from records.selfplay import play_game

FLIPS = int(os.environ.get("BEZIQUE_FLIPS", "3"))
"""Places at which one byte is changed."""
LOG_FOUR = """
    INSERT INTO import_batches (import, start, stop, line, lines, final, records, stored, known, rejected, deals, events, findings)
    VALUES (1, 0, 9, 1, 4, true, 4, 4, 0, 0, 4, 4, 0)
"""
WIDE_GAMES = 1
"""Games with so long notes that their records go through several blocks."""


def long_game(seed: int) -> bytes:
    """A record that does not fit one block, however well it is compressed."""
    noise = random.Random(seed).randbytes(150_000).hex()
    return codec.encode(play_game("zique", seed=1000 + seed)).replace(
        b'"meta":{', b'"meta":{"x-noise":"%s",' % noise.encode(), 1
    )


@pytest.fixture(scope="module")
def games() -> list[bytes]:
    return [
        *(codec.encode(play_game("zique", seed=seed)) for seed in range(14)),
        *map(long_game, range(WIDE_GAMES)),
    ]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, games: list[bytes]) -> bytes:
    folder = tmp_path_factory.mktemp("whole")
    with Store(folder) as store:
        outcomes = ingest_bytes(store, "games.jsonl", b"\n".join(games))
    assert {outcome.state for outcome in outcomes} == {"stored"}
    return (folder / DATABASE_FILE_NAME).read_bytes()


def put(folder: Path, data: bytes) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / DATABASE_FILE_NAME).write_bytes(data)
    return folder


def rescue(folder: Path, target: Path) -> tuple[set[bytes], RescueSummary]:
    """What is rescued, byte for byte."""
    summary = rescue_records(folder, target, lambda *_: None)
    with Store(target) as store:
        digests = [digest for (digest,) in store.rows("SELECT digest FROM games").rows]
        found = {data for digest in digests if (data := store.record_bytes(digest))}
    assert len(found) == summary.rescued
    return found, summary


def check(folder: Path) -> list[tuple[str, str]]:
    return [
        (problem.severity, problem.message)
        for problem in check_folder(folder, lambda *_: None).problems
    ]


@pytest.mark.slow
def test_a_whole_folder_has_no_problem(tmp_path: Path, whole: bytes, games: list[bytes]) -> None:
    folder = put(tmp_path / "data", whole)
    (folder / DATABASE_FILE_NAME).chmod(0o600)
    (problem,) = check_folder(folder, lambda *_: None).problems
    assert problem.message.startswith("acknowledged.json is missing: nobody knows")
    write_note(folder / DATABASE_FILE_NAME, Acknowledged("one", 1, len(games)))
    report = check_folder(folder, lambda *_: None)
    assert {problem.severity for problem in report.problems} == {"note"}  # it is of another one
    assert report.records == len(games)
    assert (folder / DATABASE_FILE_NAME).read_bytes() == whole
    found, summary = rescue(folder, tmp_path / "new")
    assert found == set(games)
    assert summary.is_complete
    assert (summary.lost, summary.unproven, summary.damaged_blocks) == ([], 0, 0)
    with Store(tmp_path / "new") as store:
        names = store.rows("SELECT DISTINCT name, line IS NULL FROM records").rows
    assert names == [("games.jsonl", False)]


@pytest.mark.long
def test_every_record_is_found_in_the_bytes_alone(
    tmp_path: Path, whole: bytes, games: list[bytes]
) -> None:
    folder = put(tmp_path / "data", whole)
    found = set(find_raw_records(folder / DATABASE_FILE_NAME, blocks=True))
    assert found >= set(games)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(FLIPS))
def test_a_flipped_byte_costs_at_most_the_record_it_is_in(
    tmp_path: Path, whole: bytes, games: list[bytes], number: int
) -> None:
    flip_and_rescue(tmp_path, whole, games, random.Random(number))


def flip_and_rescue(
    tmp_path: Path, whole: bytes, games: list[bytes], chance: random.Random
) -> None:
    at = chance.randrange(len(whole))
    changed = whole[at] ^ chance.randrange(1, 256)
    folder = put(tmp_path / f"flip-{at}", whole[:at] + bytes([changed]) + whole[at + 1 :])
    severities = {severity for severity, _ in check(folder)}
    found, summary = rescue(folder, tmp_path / f"new-{at}")
    assert found <= set(games)
    assert len(found) >= len(games) - 1
    assert not summary.is_complete or found == set(games)
    if len(found) < len(games):
        assert severities & {"lost"}


@pytest.mark.slow
@pytest.mark.parametrize("is_noted", [True, False])
@pytest.mark.parametrize("seed", range(FLIPS))
def test_a_rescue_that_lost_something_never_says_that_nothing_is_lost(
    tmp_path: Path, whole: bytes, games: list[bytes], seed: int, *, is_noted: bool
) -> None:
    """Many bytes are changed: what names the games may be lost with them."""
    chance, data = random.Random(seed), bytearray(whole)
    for _ in range((20, 200, 2000)[seed % 3]):
        data[chance.randrange(FIRST_BLOCK, len(data))] ^= 0x41
    folder = put(tmp_path / "data", bytes(data))
    if is_noted:
        write_note(folder / DATABASE_FILE_NAME, Acknowledged("one", 1, len(games)))
    found, summary = rescue(folder, tmp_path / "new")
    assert found <= set(games)
    assert not summary.is_complete or found == set(games)
    if is_noted:
        assert summary.rescued + len(summary.lost) + summary.missing >= len(games)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.0001, 0.02, 0.4, 0.6, 0.9])
def test_of_a_file_cut_short_all_records_before_the_cut_are_rescued(
    tmp_path: Path, whole: bytes, games: list[bytes], share: float
) -> None:
    cut = int(len(whole) * share)
    folder = put(tmp_path / "data", whole[:cut])
    assert ("lost" in {severity for severity, _ in check(folder)}) or share > 0.5
    whole_path = put(tmp_path / "there", whole[:cut]) / DATABASE_FILE_NAME
    there = set(find_raw_records(whole_path, blocks=True)) & set(games)
    found, _ = rescue(folder, tmp_path / "new")
    assert there <= found <= set(games)


@pytest.mark.slow
def test_a_deleted_game_does_not_come_back(tmp_path: Path, games: list[bytes]) -> None:
    with Store(tmp_path / "data") as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(games[:10]))
        delete_games(store, [str(codec.decode(games[0]).digest())])
    data = bytearray((tmp_path / "data" / DATABASE_FILE_NAME).read_bytes())
    data[data.rfind(b"\x28\xb5\x2f\xfd") + 100] ^= 0xFF
    found, _ = rescue(put(tmp_path / "data", bytes(data)), tmp_path / "new")
    assert games[0] not in found
    assert len(found) >= 8


@pytest.mark.long
def test_what_an_upgrade_left_out_is_not_called_lost(tmp_path: Path, games: list[bytes]) -> None:
    """Each kind of what lies beside the database is counted, with what to do; only the rest may be lost."""
    kept = tmp_path / LEFT_OUT_FOLDER
    with Store(tmp_path) as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(games[:4]))
        delete_games(store, [str(codec.decode(game).digest()) for game in games[1:4]])
        with store.writing() as cursor:
            cursor.execute(LOG_FOUR)
    kept.mkdir()
    for name, data in {"a": games[0], "b": games[1], "c": b"{bad}"}.items():
        (kept / f"{name}.json").write_bytes(data)
    said = [message for _, message in check(tmp_path)]
    assert said == [
        "not-upgraded has 1 record of games that are stored: an upgrade found the game twice. You can delete what it has of "
        "them.",
        "not-upgraded has 1 record that an upgrade did not take, whole as uploaded, and this version can read: "
        f"`bezique ingest {kept}` stores what is not here.",
        "not-upgraded has 1 record that this version cannot read, whole as uploaded: "
        f"`bezique validate {kept}` says why. Keep the files; nothing of them is lost.",
    ]  # fmt: skip
    (kept / "c.json").unlink()
    assert [message for _, message in check(tmp_path)][-1] == (
        "Imports stored 4 games and 1 are here, 2 in not-upgraded: the others were deleted, or lost."
    )


@pytest.mark.slow
def test_records_in_the_log_alone_are_rescued(tmp_path: Path, games: list[bytes]) -> None:
    with Store(tmp_path / "data") as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(games[:10]))
        shutil.copytree(tmp_path / "data", tmp_path / "killed")
    log = tmp_path / "killed" / f"{DATABASE_FILE_NAME}.wal"
    assert set(find_raw_records(log, blocks=False)) >= set(games[:10])
    found, _ = rescue(tmp_path / "killed", tmp_path / "new")
    assert found == set(games[:10])
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 0xFF
    log.write_bytes(data)
    found, _ = rescue(tmp_path / "killed", tmp_path / "newer")
    assert len(found) >= 9


def change(sql: str) -> Callable[[Path], None]:
    def run(path: Path) -> None:
        with duckdb.connect(str(path)) as connection:
            connection.execute(sql)

    return run


@pytest.mark.long
@pytest.mark.parametrize(
    ("sql", "severity", "words"),
    [
        ("DROP TABLE seats", "wrong", "The database lacks seats."),
        ("DROP TABLE records", "lost", "The database lacks records."),
        ("DROP VIEW variants", "wrong", "The database lacks variants."),
        ("ALTER TABLE games DROP COLUMN names", "wrong", "The database lacks games.names."),
        ("INSERT INTO schema_version VALUES (99, 1, '', now())", "wrong", "its schema is 99"),
        ("UPDATE schema_version SET version = 4", "note", "`bezique upgrade` judges them again"),
        ("DROP TABLE schema_version", "wrong", "does not say which schema it has"),
        ("DELETE FROM records WHERE rowid = 3", "lost", "There is 1 game without a record."),
        ("DELETE FROM games WHERE rowid = 3", "wrong", "There is 1 record without a row in games or other_games."),
        ("DELETE FROM deals WHERE rowid = 3", "wrong", "1 game with other deals than the game has"),
        ("DELETE FROM seats WHERE rowid = 3", "wrong", "1 game with other seats than players"),
        ("UPDATE trick_sums SET leads = leads + 1 WHERE rowid = 0", "wrong", "The sums in trick_sums are not"),
        ("DELETE FROM trick_sums WHERE rowid = 0", "wrong", "The sums in trick_sums are not"),
        ("DELETE FROM scores WHERE rowid = 0", "wrong", "The sums in score_sums are not"),
        ("UPDATE records SET data = 'x' WHERE rowid = 3", "lost", "1 record does not fit the digest"),
        (
            "UPDATE records SET data = (SELECT data FROM records WHERE rowid = 4) WHERE rowid = 3",
            "lost",
            "1 record does not fit the digest",
        ),
    ],
)  # fmt: skip
def test_what_is_missing_or_does_not_fit_is_said(
    tmp_path: Path, whole: bytes, sql: str, severity: str, words: str
) -> None:
    folder = put(tmp_path / "data", whole)
    change(sql)(folder / DATABASE_FILE_NAME)
    problems = check(folder)
    assert [problem for problem in problems if problem[0] == severity and words in problem[1]], (
        problems
    )


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory, games: list[bytes]) -> Path:
    folder = tmp_path_factory.mktemp("tables").resolve()
    with Store(folder / "data", files=folder) as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(games[:10]))
        export_parquet(store, folder / "out")
    return folder / "out"


@pytest.mark.parametrize("table", ["games", "deals", "seats", "records"])
def test_missing_parquet_files_are_said(tmp_path: Path, tables: Path, table: str) -> None:
    shutil.copytree(tables, tmp_path / "out")
    assert check(tmp_path / "out") == []
    shutil.rmtree(tmp_path / "out" / table)
    severity = "lost" if table == "records" else "wrong"
    assert (severity, f"The files of the table {table} are missing.") in check(tmp_path / "out")


@pytest.mark.long
def test_a_damaged_parquet_folder_is_rescued(
    tmp_path: Path, tables: Path, games: list[bytes]
) -> None:
    shutil.copytree(tables, tmp_path / "out")
    shutil.rmtree(tmp_path / "out" / "games")
    (tmp_path / "out" / "bezique.json").unlink()
    assert ("wrong", "bezique.json is missing or cannot be read: the folder is not shown without it.") in check(tmp_path / "out")  # fmt: skip
    found, _ = rescue(tmp_path / "out", tmp_path / "new")
    assert found == set(games[:10])
