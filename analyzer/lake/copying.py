"""From a database of one machine into a lake, and back: the same records byte for byte, the same rows."""

from collections.abc import Callable
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

from analyzer.lake.joining import AddedParts, add_parts, remove_unnamed
from analyzer.lake.workbench import LakeReader
from analyzer.store.durable_files import draft_of, make_private_folder, sync_folder
from analyzer.store.lake_parts import (
    count_rows,
    fill_hidden,
    lake_tables,
    part_source,
    publish_part,
    sum_source,
)
from analyzer.store.lake_place import LakePlace, telling_of_files
from analyzer.store.lake_state import LakeState, read_state
from analyzer.store.store import DATABASE_FILE_NAME
from analyzer.store.sums import SUM_TABLES, total_sums_sql
from records.errors import StoreError

ORDER_OF_STORING = {"records": "ORDER BY stored_at, name, line NULLS FIRST, game"}
"""Of two records of a match that tell as much, the first stored stands for it."""

Progress = Callable[[float], None]


def copy_into_lake(
    folder: Path, place: LakePlace, progress: Progress = lambda _: None
) -> AddedParts:
    """Add everything that a database holds to a lake: all of it, or nothing. Raises OSError and StoreError.

    Where the lake has all of it already, it stays as it is.
    """
    if not (folder / DATABASE_FILE_NAME).is_file():
        raise StoreError(f"there is no database in {folder}")
    with TemporaryDirectory(prefix="bezique-lake-") as made:
        with (
            LakeReader(folder, place, files=Path(made)) as store,
            store.writing() as cursor,
        ):
            part = publish_part(place, cursor, Path(made), _own_source, progress)
        added = add_parts(place, [part] if part else [])
        if part:
            remove_unnamed(place, added.state, [part.key])
        return added


def _own_source(table: str) -> str:
    return f"({total_sums_sql(table, table)})" if table in SUM_TABLES else table


def copy_from_lake(
    place: LakePlace, folder: Path, progress: Progress = lambda _: None
) -> LakeState:
    """Make a database in a folder that has none, with everything that a lake holds. Raises OSError and StoreError.

    If it is interrupted, there is no database.
    """
    if (folder / DATABASE_FILE_NAME).exists():
        raise StoreError(f"choose another folder: {folder} has a database already")
    make_private_folder(folder)
    state = read_state(place)
    draft = draft_of(folder / DATABASE_FILE_NAME)
    try:
        with LakeReader(draft, place) as store:
            _fill(store, state, progress)
        for file in sorted(draft.iterdir(), key=lambda file: file.name == DATABASE_FILE_NAME):
            file.replace(folder / file.name)
        sync_folder(folder)
    finally:
        rmtree(draft, ignore_errors=True)
    return state


def _fill(store: LakeReader, state: LakeState, progress: Progress) -> None:
    """Fill an empty database with the rows of a state."""
    with store.writing() as cursor:
        fill_hidden(cursor, state.parts)
    with store.writing() as cursor, telling_of_files(store.place):
        tables = [*lake_tables(), *SUM_TABLES]
        for number, table in enumerate(tables):
            progress(number / len(tables))
            if source := _rows(store.place, state, table):
                order = ORDER_OF_STORING.get(table, "")
                cursor.execute(f"INSERT INTO {table} BY NAME SELECT * FROM {source} {order}")
        if count_rows(cursor, "stored_games") != state.games:
            raise StoreError(f"the lake {store.place.address} is damaged: it has not as many games as it says")  # fmt: skip
    with store.writing() as cursor:
        cursor.execute("DROP SCHEMA lake CASCADE")


def _rows(place: LakePlace, state: LakeState, table: str) -> str | None:
    if table in SUM_TABLES:
        sums = sum_source(place, state.parts, table)
        return f"({total_sums_sql(table, sums)})" if sums else None
    return part_source(place, state.parts, table)
