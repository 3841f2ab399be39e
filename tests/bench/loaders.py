"""The contestants of the loading benchmark: validating, loading by one process and by two, inserting rows.

Each prepares itself once and does one round when called, into a database of its own: to open it, to commit and
to bring the file up to date are parts of the round.
"""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

import duckdb

from analyzer.ingest.batch import PreparedBatch, prepare_batch
from analyzer.ingest.importer import TASKS_PER_COMMIT, Importer, ImportSource
from analyzer.ingest.loader import store_batches
from analyzer.store.store import LOADING_SETTINGS, Store
from analyzer.store.tables import readable
from records import validator
from records.format.files import read_blocks
from tests.bench import corpus

Round = Callable[[], int]


def source(path: Path) -> ImportSource:
    """A file as an import takes it."""
    return ImportSource(path.name, path, path.stat().st_size, lambda: path.open("rb"))


@contextmanager
def fresh() -> Iterator[Store]:
    """An empty database, thrown away when it is closed."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder), loading=True) as store:
        yield store


def validate(folder: Path, deals: int) -> Round:
    """Every record of the file read and checked, with its digest, as `bezique validate` does."""
    path = corpus.file(folder, deals)
    return lambda: sum(report.deals for report in validator.check_path(path, identify=True))


def load(folder: Path, deals: int) -> Round:
    """The file into a new database, in this process alone."""
    return _loaded(corpus.file(folder, deals), processes=0)


def load_by_two(folder: Path, deals: int) -> Round:
    """The file into a new database, the records examined by two other processes."""
    return _loaded(corpus.file(folder, deals), processes=2)


def _loaded(path: Path, *, processes: int) -> Round:
    def one_round() -> int:
        with fresh() as store:
            return Importer(store, processes).run([source(path)]).deals

    return one_round


def insert(folder: Path, deals: int) -> Round:
    """The examined rows into a new database, as the loader does it."""
    batches = _examined(corpus.file(folder, deals))

    def one_round() -> int:
        for outcome in chain.from_iterable([batch.outcomes for batch in batches]):
            outcome.state = "stored"
        with fresh() as store:
            for start in range(0, len(batches), TASKS_PER_COMMIT):
                store_batches(store, batches[start : start + TASKS_PER_COMMIT])
        return _rows(batches)

    return one_round


def raw(folder: Path, deals: int) -> Round:
    """The same columns into tables without a constraint, with nothing asked and nothing changed on the way."""
    batches = _examined(corpus.file(folder, deals))

    def one_round() -> int:
        with tempfile.TemporaryDirectory() as made:
            connection = duckdb.connect(f"{made}/raw.duckdb", config=dict(LOADING_SETTINGS))
            for start in range(0, len(batches), TASKS_PER_COMMIT):
                connection.begin()
                _insert_raw(connection, batches[start : start + TASKS_PER_COMMIT])
                connection.commit()
            connection.close()
        return _rows(batches)

    return one_round


def _insert_raw(connection: duckdb.DuckDBPyConnection, batches: list[PreparedBatch]) -> None:
    for table in {name: None for batch in batches for name in batch.tables}:
        columns = [batch.tables[table] for batch in batches if table in batch.tables]
        for sql, chunks in (
            (f"CREATE TABLE IF NOT EXISTS {table} AS FROM incoming WITH NO DATA", columns[:1]),
            (f"INSERT INTO {table} FROM incoming", columns),
        ):
            with readable(connection, *chunks):
                connection.execute(sql)


def _examined(path: Path) -> list[PreparedBatch]:
    with path.open("rb") as stream:
        return [prepare_batch(list(block)) for block in read_blocks(stream, name=path.name)]


def _rows(batches: list[PreparedBatch]) -> int:
    return sum(
        next(iter(columns.values())).length
        for batch in batches
        for columns in batch.tables.values()
    )
