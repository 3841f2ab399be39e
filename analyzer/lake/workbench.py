"""Databases that read the files of a lake: one in memory, in which games are changed as in any database, and put back."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import duckdb
import msgspec

from analyzer.store.lake_parts import (
    HIDDEN,
    OF_GAMES,
    fill_hidden,
    part_folder,
    part_source,
    publish_part,
)
from analyzer.store.lake_place import LakePlace, telling_of_files
from analyzer.store.lake_state import VERSIONS, LakePart
from analyzer.store.store import LOADING_SETTINGS, SETTINGS, Store, answers_of, read_rulebooks
from analyzer.store.sums import SUM_TABLES, sums_sql
from records.rules.registry import know_sheets, own_sheets
from records.rules.vocabulary import RuleSheet

MEMORY = "300MB"
"""What a workbench may take; more is written to the disk of this machine."""

FORMER_CONTENTS = "lake.former_contents"
"""Where a workbench notes what its games were, by `key`: a table with a column `game` would lose rows as games are deleted."""
CONTENT = "SELECT game AS key, '{}' AS kind, count(*) AS rows, sum(hash(it)::HUGEINT) AS content FROM {} AS it {} GROUP BY game"


class LakeReader(Store):
    """A database whose statements can also read the files of a lake, and write into the folder `files`."""

    def __init__(
        self,
        folder: Path,
        place: LakePlace,
        *,
        files: Path | None = None,
        settings: Mapping[str, str | int] | None = None,
    ) -> None:
        self.place = place
        super().__init__(folder, loading=True, files=files, settings=settings)

    def _places_of_files(self) -> list[str]:
        return [*super()._places_of_files(), self.place.address_of("").rstrip("/")]

    def _connect(self) -> duckdb.DuckDBPyConnection:
        connection = super()._connect()
        self.place.connect(connection)
        return connection


class Workbench(LakeReader):
    """A new database in memory, with a folder of its own for files."""

    described = False

    def __init__(self, folder: Path, place: LakePlace) -> None:
        settings = {**LOADING_SETTINGS, **_spilling(folder)}
        super().__init__(folder, place, files=folder, settings=settings)

    def _database_path(self, folder: Path) -> Path:
        return Path(":memory:")

    def load(self, parts: Sequence[LakePart], keys: Sequence[int]) -> None:
        """Load all rows of the games with these keys, and who was renamed; what a part hides is not among them."""
        with self.beside(parts) as cursor:
            for table in OF_GAMES:
                if source := part_source(self.place, parts, table):
                    rows = f"SELECT * FROM {source} WHERE game IN (SELECT unnest($keys::BIGINT[]))"
                    cursor.execute(f"INSERT INTO {table} BY NAME {rows}", {"keys": list(keys)})
            if source := part_source(self.place, parts, "renames"):
                cursor.execute(f"INSERT INTO renames BY NAME SELECT * FROM {source}")

    def note_contents(self) -> None:
        """Note what the games are now, for `keep_changed`."""
        with self.writing() as cursor:
            cursor.execute(f"CREATE TABLE {FORMER_CONTENTS} AS {contents_sql(str)}")

    def keep_changed(self) -> list[int]:
        """Forget the games whose rows are those that were noted; returns the keys of the others, those deleted among them."""
        with self.writing() as cursor:
            differing = select_differing(f"FROM {FORMER_CONTENTS}", contents_sql(str))
            changed = [key for (key,) in cursor.execute(differing).fetchall()]
            cursor.execute(f"DROP TABLE {FORMER_CONTENTS}")
            for table in OF_GAMES:
                rows = f"{table} WHERE game NOT IN (SELECT unnest($keys::BIGINT[]))"
                cursor.execute(f"DELETE FROM {rows}", {"keys": changed})
        return changed

    @contextmanager
    def beside(self, parts: Sequence[LakePart]) -> Iterator[duckdb.DuckDBPyConnection]:
        """A transaction whose statements can also read these parts, as `part_source` names them."""
        with self.writing() as cursor:
            fill_hidden(cursor, parts)
            with telling_of_files(self.place):
                yield cursor
            cursor.execute(f"DROP TABLE {HIDDEN}")  # what deletes games would look into it

    def publish(self, *, games_alone: bool = False) -> LakePart | None:
        """Write what is in the database as a part of the lake; None if there is nothing. No state names the part yet.

        Of a part that takes the place of others, the games alone are written: the rest is in those.
        """

        def source(table: str) -> str | None:
            return (
                _own_source(table) if table in (*OF_GAMES, *SUM_TABLES) or not games_alone else None
            )

        with self.writing() as cursor:
            return publish_part(self.place, cursor, self.folder, source)


def contents_sql(source_of: Callable[[str], str | None], condition: str = "") -> str:
    """The contents of games as SQL, of each table by its source: two games with equal ones have equal rows."""
    sources = ((table, source_of(table)) for table in OF_GAMES)
    return " UNION ALL ".join(CONTENT.format(table, it, condition) for table, it in sources if it)


def select_differing(one: str, other: str) -> str:
    """The keys of the games with other contents in two statements, in order."""
    told = f"WITH one AS ({one}), other AS ({other})"
    return f"{told} SELECT key FROM (FROM one EXCEPT FROM other) UNION SELECT key FROM (FROM other EXCEPT FROM one) ORDER BY key"


def _own_source(table: str) -> str:
    """A table itself; sums are made anew, as games come and go without them."""
    return f"({sums_sql(table, SUM_TABLES[table])})" if table in SUM_TABLES else table


@contextmanager
def open_workbench(place: LakePlace, sheets: Sequence[RuleSheet] = ()) -> Iterator[Workbench]:
    """A workbench whose files are deleted at the end; meanwhile records may name these rulebooks."""
    before = own_sheets()
    know_sheets([*before, *(sheet for sheet in sheets if sheet not in before)])
    try:
        with _workbench(place) as bench:
            yield bench
    finally:
        know_sheets(before)


@contextmanager
def _workbench(place: LakePlace) -> Iterator[Workbench]:
    with (
        TemporaryDirectory(prefix="bezique-lake-") as folder,
        Workbench(Path(folder), place) as bench,
    ):
        yield bench


def _spilling(folder: Path) -> dict[str, str]:
    return {"memory_limit": MEMORY, "temp_directory": str(folder / "spill")}


@contextmanager
def reading_parts(
    place: LakePlace, parts: Sequence[LakePart], folder: Path | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that reads these parts, as `part_source` names them, and can write files into the folder."""
    with TemporaryDirectory(prefix="bezique-lake-") as spill:
        settings = {**SETTINGS, **LOADING_SETTINGS, **_spilling(Path(spill))}
        with duckdb.connect(":memory:", config=settings) as connection:
            place.connect(connection)
            places = [place.address_of("").rstrip("/"), *([str(folder)] if folder else [])]
            connection.execute("SET allowed_directories = $places", {"places": places})
            connection.execute("SET enable_external_access = false")
            fill_hidden(connection, parts)
            with telling_of_files(place):
                yield connection


def rulebooks_of(place: LakePlace, parts: Sequence[LakePart]) -> tuple[RuleSheet, ...]:
    """The rulebooks of their own that these parts keep."""
    source = part_source(place, parts, "rulebooks")
    if source is None:
        return ()
    with reading_parts(place, parts) as reading:
        reading.execute(f"CREATE TEMP TABLE rulebooks AS SELECT * FROM {source}")
        return tuple(read_rulebooks(answers_of(reading)))


# Notes: what was made of a share or a part, so that work that was interrupted need not make it again.


class MadePart(msgspec.Struct, frozen=True):
    """What was made: a part that no state names yet, unless there was nothing to keep."""

    part: LakePart | None


_Made = TypeVar("_Made", bound=MadePart)


def read_note(place: LakePlace, name: str, kind: type[_Made]) -> _Made | None:
    """What was made before; None if nothing was, or by another version of the program, or if its files are gone.

    Files that nobody has used for long are deleted.
    """
    try:
        text = place.read(name)
    except FileNotFoundError:
        return None
    note = msgspec.json.decode(text, type=kind, dec_hook=lambda wanted, given: wanted(given))
    part = note.part
    if part and (part.made_by != VERSIONS or not place.names(part_folder(part.key))):
        return None
    return note


def write_note(place: LakePlace, name: str, note: MadePart) -> None:
    """Note what was made, in place of a note of what is gone."""
    place.replace(name, msgspec.json.encode(note))


def parts_of_notes(place: LakePlace, folders: Iterable[str]) -> set[str]:
    """The keys of the parts that are noted in these folders."""
    names = (f"{folder}/{name}" for folder in folders for name in place.names(folder))
    notes = (msgspec.json.decode(place.read(name), type=MadePart) for name in names)
    return {note.part.key for note in notes if note.part}
