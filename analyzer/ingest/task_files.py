"""The results of a task as Parquet files: one file per table, one folder per task.

A folder gets its name only when it is complete. The same task always makes the same folder, so whoever
finishes second leaves it as it is.
"""

from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import duckdb

from analyzer.db.arrow import readable
from analyzer.db.tables import select_list
from analyzer.ingest.batch import PreparedBatch
from analyzer.ingest.tasks import ImportTask, examine_task


def examine_into_folder(task: ImportTask, folder: str) -> tuple[PreparedBatch, list[int]]:
    """Examine a task and write its tables into a folder; raises OSError."""
    batch, sizes = examine_task(task)
    write_tables(batch, Path(folder))
    return PreparedBatch(batch.outcomes, {}, folder), sizes


def write_tables(batch: PreparedBatch, folder: Path) -> None:
    """Write the tables of a batch into a folder, as a whole or not at all; raises OSError."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(mkdtemp(prefix=f"{folder.name}.", suffix=".draft", dir=folder.parent))
    try:
        with _engine().cursor() as connection:
            for table, columns in batch.tables.items():
                path = str(draft / f"{table}.parquet").replace("'", "''")
                rows = f"SELECT {select_list(table, columns)} FROM incoming"
                copy = f"COPY ({rows}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)"
                with readable(connection, columns):
                    connection.execute(copy)
        _publish(draft, folder)
    finally:
        rmtree(draft, ignore_errors=True)


@cache
def _engine() -> duckdb.DuckDBPyConnection:
    """One DuckDB for the life of a process: making one takes as long as examining a hundred deals."""
    return duckdb.connect(config={"threads": 1})


def _publish(draft: Path, folder: Path) -> None:
    """Give a draft its name; a folder that is already there has the same contents and stays."""
    try:
        draft.rename(folder)
    except OSError:
        if not folder.is_dir():
            raise


def list_parquet_files(batches: list[PreparedBatch]) -> dict[str, list[str]]:
    """The Parquet files of some batches, by table."""
    found: dict[str, list[str]] = {}
    for batch in batches:
        for file in sorted(Path(batch.folder).glob("*.parquet")) if batch.folder else ():
            found.setdefault(file.stem, []).append(str(file))
    return found


def delete_folders(batches: list[PreparedBatch]) -> None:
    """Delete the folders of batches that are stored."""
    for batch in batches:
        if batch.folder:
            rmtree(batch.folder, ignore_errors=True)
