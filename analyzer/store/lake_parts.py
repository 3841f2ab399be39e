"""The tables of a lake's parts: written from a store or from other parts, and read as if they were one database."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from shutil import rmtree

import duckdb

from analyzer.store.instance import quote_sql
from analyzer.store.lake_place import LakePlace
from analyzer.store.lake_state import PARTS, LakePart, LakeTable, new_key
from analyzer.store.schema import VIEW_PATTERN, schema_columns, schema_sql
from analyzer.store.sums import SUM_TABLES, negative_sums_sql

BY_KEY = ("records", "games", "other_games", "traces", "former_digests", "findings")
"""Tables about single games lie in the order of their keys, so that one is found without reading others."""
BY_MONTH = ("deals", "seats", "tricks", "scores", "cards")
"""Tables that questions read lie by rulebook and month: what a question does not ask for is skipped."""
OF_GAMES = (*BY_KEY, *BY_MONTH, "game_reviews", "reviews", "luck", "decisions", "corrections")
"""Tables whose rows belong to a game."""
ONE_OF_EACH = {
    "rejected": "content, name, line",
    "waiting_records": "content",
    "rulebooks": "rulebook",
    "renames": "person, same_as, name",
    "evening_steps": "evening, number",
    "studies": "study, number",
}
"""Tables of which several parts may have the same row, and by what rows are told apart."""
WHICH_OF_EACH = {
    **dict.fromkeys(("renames", "evening_steps", "studies"), "made_at DESC"),
    "rulebooks": "made_at",
}
"""Which of these is the row, where parts have several that differ: of what people said, the last."""
NUMBER_EVENINGS = """(
    WITH steps AS (FROM {}),
    opened AS (
        SELECT part, evening, arg_min((made_at, content), number) AS opening FROM steps GROUP BY part, evening
    ),
    evenings AS (SELECT opening, min(evening) AS evening FROM opened GROUP BY opening),
    placed AS (
        SELECT *, row_number() OVER (PARTITION BY evening ORDER BY opening) AS place, max(evening) OVER () AS most
        FROM evenings
    ),
    numbered AS (
        SELECT opening, if(place = 1, evening, most + row_number() OVER (PARTITION BY place = 1 ORDER BY opening)) AS evening
        FROM placed
    )
    SELECT steps.* EXCLUDE part REPLACE (numbered.evening AS evening)
    FROM steps JOIN opened USING (part, evening) JOIN numbered ON numbered.opening = opened.opening
)"""
"""Databases number their evenings from 1: of several with one number, which begin otherwise, the later get new ones."""
LEFT_OUT = ("schema_version", "commits", "work_requests", "imports", "import_batches", *SUM_TABLES)
"""Tables of a database that a lake has not."""
HIDDEN = "lake.hidden_games"
"""The table of what is hidden: the keys of parts and of games."""
PART_OF_FILE = "split_part(filename, '/', -3)"
"""The key of the part that a file belongs to, by its name."""
FILE_BYTES = 160_000_000
"""A file is closed once it is larger."""
ROWS_TOGETHER = dict.fromkeys(("records", "waiting_records", "game_reviews"), 2048)
"""Rows that are read together, where these are few: each holds a document, and one is wanted at a time."""
HAVING_IDS = "(SELECT 1 FROM {} WHERE contains(array_to_string(persons, chr(10)), 'id:') LIMIT 1)"
COPY = "COPY ({}) TO {} (FORMAT parquet, COMPRESSION {}, ROW_GROUP_SIZE {}, FILE_SIZE_BYTES {}, FILENAME_PATTERN '{{i}}')"
ROW_GROUP = 122_880


def lake_tables() -> list[str]:
    """The tables that a part may have, sums apart."""
    views = set(VIEW_PATTERN.findall(schema_sql()))
    return sorted(schema_columns().keys() - views - {*LEFT_OUT})


def write_tables(
    cursor: duckdb.DuckDBPyConnection,
    folder: Path,
    source_of: Callable[[str], str | None],
    progress: Callable[[float], None] = lambda _: None,
) -> dict[str, int]:
    """Write the rows of every table's source into files below a folder; returns how many each has.

    A source is a table or a subquery, or None for no rows. Tables without rows have no files.
    """
    counts = {}
    tables = [*lake_tables(), *SUM_TABLES]
    for number, table in enumerate(tables):
        progress(number / len(tables))
        source = source_of(table)
        if source and (rows := count_rows(cursor, source)):
            target = folder / table
            target.mkdir(parents=True)
            cursor.execute(
                COPY.format(
                    _ordered(table, source, source_of),
                    quote_sql(target),
                    "uncompressed" if table == "records" else "zstd",  # records are packed already
                    ROWS_TOGETHER.get(table, ROW_GROUP),
                    FILE_BYTES,
                )
            )
            counts[table] = rows
    return counts


def count_rows(cursor: duckdb.DuckDBPyConnection, source: str) -> int:
    """How many rows a table or subquery has."""
    ((rows,),) = cursor.execute(f"SELECT count(*) FROM {source}").fetchall()
    return int(rows)


def _ordered(table: str, source: str, source_of: Callable[[str], str | None]) -> str:
    """The rows of a source in the order in which they lie in a part."""
    if table in BY_KEY:
        return f"SELECT * FROM {source} ORDER BY game"
    if table == "seats":
        return f"SELECT * FROM {source} ORDER BY sheet, month, game, deal, seat"
    if table in BY_MONTH:
        months = f"SELECT game, any_value(month) AS month FROM {source_of('games')} GROUP BY game"
        return f"SELECT it.* FROM {source} AS it LEFT JOIN ({months}) AS months USING (game) ORDER BY it.sheet, month, game, deal"
    return f"SELECT * FROM {source}"


_PUBLISHED: ContextVar[list[str]] = ContextVar("published")


@contextmanager
def noting_published() -> Iterator[list[str]]:
    """The keys of the parts that are published meanwhile, so that those which come to nothing can be deleted."""
    keys: list[str] = []
    token = _PUBLISHED.set(keys)
    try:
        yield keys
    finally:
        _PUBLISHED.reset(token)


def publish_part(
    place: LakePlace,
    cursor: duckdb.DuckDBPyConnection,
    folder: Path,
    source_of: Callable[[str], str | None],
    progress: Callable[[float], None] = lambda _: None,
) -> LakePart | None:
    """Write the rows of every table's source as a part of the lake, by a folder of this machine; None if there are none.

    No state names the part yet.
    """
    key = new_key()
    made = folder / key
    made.mkdir()
    try:
        counts = write_tables(cursor, made, source_of, progress)
        if not counts:
            return None
        tables = {table: _describe(key, made / table, rows) for table, rows in counts.items()}
        deals = count_rows(cursor, source_of("deals") or "") if "deals" in counts else 0
        named = "renames" not in counts and not _have_ids(cursor, source_of)
        place.publish(made, part_folder(key))
        _PUBLISHED.get([]).append(key)
    finally:
        rmtree(made, ignore_errors=True)
    return LakePart(key, counts.get("records", 0), deals, named, tables)


def _have_ids(cursor: duckdb.DuckDBPyConnection, source_of: Callable[[str], str | None]) -> bool:
    """Whether anybody in these games has an id."""
    sources = filter(None, map(source_of, ("games", "other_games")))
    return any(count_rows(cursor, HAVING_IDS.format(source)) for source in sources)


def _describe(key: str, made: Path, rows: int) -> LakeTable:
    """The files of a table, as the lake will have them."""
    files = sorted(made.glob("*.parquet"))
    names = tuple(f"{part_folder(key)}/{made.name}/{file.name}" for file in files)
    return LakeTable(names, rows, sum(file.stat().st_size for file in files))


# Reading: the rows of all parts, without those that are hidden.


def rows_by_part(place: LakePlace, parts: Iterable[LakePart], table: str) -> str | None:
    """The rows of a table in some parts with the keys of their parts, as a subquery; None if no part has any.

    Rows of games that are hidden in a part are not among them; `fill_hidden` was called with these parts.
    """
    having = [part for part in parts if table in part.tables]
    if not having:
        return None
    rows = f"SELECT * EXCLUDE filename, {PART_OF_FILE} AS part FROM {_files(place, having, table, named=True)}"
    if table not in OF_GAMES or not any(part.hidden for part in having):
        return f"({rows})"
    return f"(SELECT * FROM ({rows}) AS it WHERE (part, game) NOT IN (SELECT (part, game) FROM {HIDDEN}))"


def part_source(place: LakePlace, parts: Iterable[LakePart], table: str) -> str | None:
    """The same without the keys; parts that hide nothing are read at no further cost."""
    having = [part for part in parts if table in part.tables]
    whole = [part for part in having if not part.hidden or table not in OF_GAMES]
    pieces = [f"SELECT * FROM {_files(place, whole, table)}"] if whole else []
    if rows := rows_by_part(place, [part for part in having if part not in whole], table):
        pieces.append(f"SELECT * EXCLUDE part FROM {rows}")
    rows = f"({' UNION ALL BY NAME '.join(pieces)})"
    if having and table == "evening_steps":
        rows = NUMBER_EVENINGS.format(rows_by_part(place, having, table))
    if table in ONE_OF_EACH:
        order = f" ORDER BY {WHICH_OF_EACH[table]}" if table in WHICH_OF_EACH else ""
        rows = f"(SELECT DISTINCT ON ({ONE_OF_EACH[table]}) * FROM {rows}{order})"
    return rows if pieces else None


def sum_source(place: LakePlace, parts: Sequence[LakePart], name: str) -> str | None:
    """The sums of all parts, those of hidden games taken out; None if there are none."""
    kept, hiding = part_source(place, parts, name), [part for part in parts if part.hidden]
    having = [part for part in hiding if SUM_TABLES[name] in part.tables]
    if kept is None or not having:
        return kept
    files = _files(place, having, SUM_TABLES[name], named=True)
    gone = f"(SELECT * FROM {files} WHERE ({PART_OF_FILE}, game) IN (SELECT (part, game) FROM {HIDDEN}))"
    return f"(SELECT * FROM {kept} UNION ALL BY NAME {negative_sums_sql(name, gone)})"


def fill_hidden(cursor: duckdb.DuckDBPyConnection, parts: Iterable[LakePart]) -> None:
    """Make the table of what is hidden in these parts."""
    cursor.execute(f"CREATE SCHEMA IF NOT EXISTS {HIDDEN.split('.')[0]}")
    cursor.execute(f"CREATE OR REPLACE TABLE {HIDDEN} (part VARCHAR, game BIGINT)")
    for part in parts:
        if part.hidden:
            cursor.execute(f"INSERT INTO {HIDDEN} SELECT ?, unnest(?::BIGINT[])", [part.key, list(part.hidden)])  # fmt: skip


def _files(place: LakePlace, parts: Iterable[LakePart], table: str, *, named: bool = False) -> str:
    names = [name for part in parts for name in part.tables[table].files]
    listed = ", ".join(quote_sql(place.address_of(name)) for name in names)
    return f"read_parquet([{listed}]{', filename = true' if named else ''})"


def part_folder(key: str) -> str:
    """Where the files of a part lie."""
    return f"{PARTS}/{key}"
