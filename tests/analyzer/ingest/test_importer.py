"""Imports by several processes: every game once, whole batches, and an interrupted import resumes."""

import gzip
import io
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO

import pytest
import zstandard

from analyzer.ingest.importer import Importer, ImportSource
from analyzer.ingest.loader import IngestCounts, ingest
from analyzer.ingest.tasks import ImportTask, Portion, examine_task
from analyzer.store.store import Store
from records.format.files import read_blocks, read_entries
from tests.analyzer.ingest.test_loader import contents
from tests.costs.payloads import begun_text

SMALL = 60_000
"""Bytes of a task, so that a short file has several."""


def source(path: Path) -> ImportSource:
    def opened() -> AbstractContextManager[BinaryIO]:
        return path.open("rb")

    return ImportSource(str(path), path, path.stat().st_size, opened)


def load(store: Store, *paths: Path, processes: int = 0) -> IngestCounts:
    importer = Importer(store, processes, task_bytes=SMALL)
    return importer.run([source(path) for path in paths])


@pytest.fixture
def file(tmp_path: Path, lines: bytes) -> Path:
    path = tmp_path / "games.jsonl"
    path.write_bytes(lines)
    return path


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory, lines: bytes) -> object:
    """What the tables hold when the file is loaded without blocks, log and processes."""
    with Store(tmp_path_factory.mktemp("expected")) as store:
        ingest(store, read_entries(io.BytesIO(lines), name="games.jsonl"))
        return contents(store)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [0, 2])
def test_a_file_is_loaded_by_one_process_or_many(
    tmp_path: Path, file: Path, expected: object, processes: int
) -> None:
    with Store(tmp_path / "data", loading=True) as store:
        summary = load(store, file, processes=processes)
        assert contents(store) == expected
        assert summary.states == {"stored": store.counts().games}
        batches = store.rows("SELECT count(*), sum(records), sum(stored) FROM import_batches").rows
        assert batches[0][0] > 10
        assert batches[0][1:] == (summary.records, summary.records)


@pytest.mark.slow
@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_compressed_files_and_streams_are_loaded(
    tmp_path: Path, lines: bytes, expected: dict[str, object], pack: type[bytes]
) -> None:
    stream = io.BytesIO(pack(lines))
    with Store(tmp_path / "data") as store:
        source = ImportSource("games.jsonl", None, None, lambda: nullcontext(stream))
        Importer(store, 2, task_bytes=SMALL).run([source])
        assert contents(store) == expected
        assert store.rows("SELECT DISTINCT path FROM imports").rows == [(None,)]


@pytest.mark.long
def test_many_small_files_are_loaded_together(tmp_path: Path, lines: bytes) -> None:
    paths = []
    for number, line in enumerate(lines.splitlines()):
        paths.append(tmp_path / f"{number}.json")
        paths[-1].write_bytes(line)
    with Store(tmp_path / "data") as store:
        summary = load(store, *paths)
        assert summary.states == {"stored": len(paths)}
        found = store.rows(
            "SELECT name, records, final FROM imports JOIN import_batches USING (import)"
        )
        assert sorted(found.rows) == sorted((path.name, 1, True) for path in paths)
        assert store.rows("SELECT count(*) FROM records WHERE line IS NULL").rows == [(len(paths),)]


@pytest.mark.long
def test_what_is_committed_is_not_read_again(tmp_path: Path, file: Path) -> None:
    with Store(tmp_path / "data") as store:
        first = load(store, file)
        before = contents(store)
        seen: list[ImportTask] = []
        importer = Importer(store, task_bytes=SMALL, progress=lambda done: seen.append(done))
        again = importer.run([source(file)])
        assert seen == []
        assert again.states == {"known": first.records}
        assert (again.deals, again.findings) == (first.deals, first.findings)
        assert contents(store) == before


@pytest.mark.long
def test_a_file_that_has_changed_is_read_again(tmp_path: Path, file: Path, lines: bytes) -> None:
    with Store(tmp_path / "data") as store:
        file.write_bytes(b"".join(lines.splitlines(keepends=True)[:5]))
        assert load(store, file).states == {"stored": 5}
        file.write_bytes(lines)
        summary = load(store, file)
        assert summary.states == {"known": 5, "stored": summary.records - 5}


@pytest.mark.slow
def test_what_could_not_be_read_is_tried_again(
    tmp_path: Path, lines: bytes, expected: dict[str, list[object]]
) -> None:
    games = lines.splitlines()
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\n".join([*games[:3], b"{broken", *games[3:]]))
    with Store(tmp_path / "data") as store:
        first = load(store, path)
        again = load(store, path)
        assert first.states == {"stored": len(games), "rejected": 1}
        assert again.states == {"known": len(games), "rejected": 1}
        assert store.counts().rejected == 1
        assert len(contents(store)["seats"]) == len(expected["seats"])


@pytest.mark.slow
def test_an_import_that_is_stopped_keeps_what_is_committed(
    tmp_path: Path, file: Path, expected: object
) -> None:
    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with Store(tmp_path / "data") as store:
        importer = Importer(store, 2, progress=stop, task_bytes=SMALL)
        with pytest.raises(KeyboardInterrupt):
            importer.run([source(file)])
        assert 0 < store.counts().games == importer.summary.records
        summary = load(store, file, processes=2)
        assert summary.states["known"] == importer.summary.records
        assert contents(store) == expected


def test_a_file_that_cannot_be_opened_is_said(tmp_path: Path) -> None:
    gone = ImportSource(
        "gone.jsonl", tmp_path / "gone.jsonl", 1, lambda: (tmp_path / "gone").open("rb")
    )
    with Store(tmp_path / "data") as store, pytest.raises(FileNotFoundError):
        Importer(store).run([gone])


def test_a_portion_is_read_from_its_file_by_whoever_examines_it(file: Path, lines: bytes) -> None:
    first = lines.splitlines()[0]
    block = next(read_blocks(io.BytesIO(first), name="games.jsonl"))
    portion = Portion(block, file, len(first))
    batch, sizes = examine_task(ImportTask([], [portion], 0))
    assert sizes == [2]  # read once from the file, and once from the block: it has no line break
    assert {outcome.size for outcome in batch.outcomes} == {len(first)}


@pytest.fixture
def hard(tmp_path: Path) -> Path:
    """A file of small partial records in which much must be searched, none like another."""
    path = tmp_path / "hard.jsonl"
    path.write_bytes(b"\n".join(hard_lines()))
    return path


def hard_lines() -> list[bytes]:
    """The same deal with other cards thrown off to both tricks; each costs half a second."""
    line, ranks = begun_text("bezique", 8), "789TJQKA"
    assert line.count(b"8C") == line.count(b"9D") == 1
    return [
        line.replace(b"8C", f"{one}C".encode()).replace(b"9D", f"{two}{suit}".encode())
        for one in ranks
        for two, suit in zip("79JK", "CDSC", strict=True)
    ]


def verdicts(
    folder: Path, *paths: Path, processes: int = 0, job: str | None = None
) -> list[object]:
    with Store(folder, loading=True) as store:
        importer = Importer(store, processes, job, task_bytes=SMALL // 8)
        importer.run([source(path) for path in paths])
        sql = "SELECT game, code, message FROM findings ORDER BY ALL"
        return store.rows(sql).rows


@pytest.mark.slow
def test_the_verdicts_do_not_depend_on_processes_or_uploads(tmp_path: Path, hard: Path) -> None:
    alone = verdicts(tmp_path / "one", hard)
    assert len({row[0] for row in alone}) > 20  # type: ignore[index]
    assert verdicts(tmp_path / "two", hard, processes=2) == alone
    assert verdicts(tmp_path / "three", hard, job="upload") == alone
