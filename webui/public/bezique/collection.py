"""A collection of games for reading: its records, and its tables for Arrow, polars and pandas."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from difflib import get_close_matches
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

from bezique.arguments import require_path, require_text
from bezique.exchange import parse
from bezique.record_types import Record
from records.errors import StoreError

if TYPE_CHECKING:
    from analyzer.store.store import GameFilter

UNLIMITED = {"max_execution_time": 0}
"""A program may wait for an answer as long as it likes."""


class Collection:
    """The games of a data folder, or of a folder of Parquet files, to be read; nothing changes them.

    `tables` are the names of its tables, such as `games`, `deals`, `seats`, `tricks`, `scores` and `cards`; the page `/sql` of a site
    tells what they hold. A question is the name of one, or a statement in the SQL of DuckDB. Every method that asks one
    raises StoreError for a statement that is wrong. Close the collection, or open it by `with`.
    """

    def __init__(self, folder: str | PathLike[str]) -> None:
        # A program that opens no collection loads no database.
        from analyzer.store.instance import demand_folder_name
        from analyzer.store.lake_place import folder_for
        from analyzer.store.store_folders import holds_games, open_store

        require_path("folder", folder)
        path = folder_for(folder)
        demand_folder_name(path)
        if not holds_games(path):
            raise StoreError(f"there is neither a database nor a table in Parquet in {path}")
        self._store = open_store(path, read_only=True, settings=UNLIMITED)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        """How many games it has."""
        return int(self.rows("SELECT count(*) AS games FROM games")[0]["games"])

    @property
    def tables(self) -> list[str]:
        """The names of its tables."""
        from analyzer.store.schema import schema_columns

        return sorted(schema_columns())

    def close(self) -> None:
        """Close its files."""
        self._store.close()

    def records(self, sheet: str | None = None, player: str | None = None) -> Iterator[Record]:
        """Its records in the order in which they were stored: all, or those by a rulebook or with a player of this name.

        `sheet` is the id of a rulebook: of one of your own it means every version of which games are stored, and its key, such as
        `ours~0123456789ab`, only one. `player` is any part of a name. A game of which several records are stored, such as one
        for each seat, comes once for each of them, and `len` counts it once. Raises RulesError for an id of a rulebook that is neither
        published nor stored.
        """
        from analyzer.store.rulebooks import keys_named
        from analyzer.store.store import GameFilter

        require_text("sheet", sheet, "ours")
        require_text("player", player, "Ann")
        sheets = () if sheet is None else keys_named(self._store, sheet)
        return self._parsed(GameFilter(sheets=sheets, player=player))

    def _parsed(self, chosen: GameFilter) -> Iterator[Record]:
        from analyzer.store.games import read_records

        for stored in read_records(self._store, chosen):
            yield parse(stored.data)

    def rows(self, question: str) -> list[dict[str, Any]]:
        """The rows of a table or an answer, each as a dictionary by the names of its columns."""
        with _naming_mistakes():
            return self._store.rows(self._sql(question)).dicts()

    def arrow(self, question: str) -> Any:
        """The same as a `pyarrow.Table`; raises ImportError where pyarrow is not installed."""
        return self._fetched(question, "pyarrow", lambda answer: answer.to_arrow_table())

    def polars(self, question: str) -> Any:
        """The same as a `polars.DataFrame`; raises ImportError where polars or pyarrow are not installed."""
        return self._fetched(question, "polars", lambda answer: answer.pl())

    def pandas(self, question: str) -> Any:
        """The same as a `pandas.DataFrame`; raises ImportError where pandas is not installed."""
        return self._fetched(question, "pandas", lambda answer: answer.df())

    def _sql(self, question: str) -> str:
        import duckdb

        if question in self.tables:
            return f"SELECT * FROM {question}"
        if isinstance(question, str) and question.isidentifier():
            near = get_close_matches(question, self.tables, n=2)
            meant = f"did you mean {' or '.join(near)}?" if near else "`tables` has all."
            raise StoreError(f"There is no table {question!r}; {meant}")
        statements = duckdb.extract_statements(question) if isinstance(question, str) else []
        if len(statements) != 1:
            raise StoreError(
                f"The name of a table or one SQL statement is wanted, not {question!r}."
            )
        return question

    def _fetched(self, question: str, package: str, fetch: Any) -> Any:
        try:
            import_module(package)
        except ImportError as error:
            words = f"{package} is not installed: `pip install {package}`."
            raise ImportError(words, name=package) from error
        with closing(self._store.cursor()) as cursor, _naming_mistakes():
            return fetch(cursor.sql(self._sql(question)))


@contextmanager
def _naming_mistakes() -> Iterator[None]:
    """Raise StoreError where a statement is wrong."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise StoreError(str(error)) from error


def open(folder: str | PathLike[str]) -> Collection:  # noqa: A001 - it is called `bezique.open`
    """The collection of a data folder, as `bezique ingest` makes it, or of a folder of Parquet files.

    Raises StoreError if it is none, or if a server has it open.
    """
    return Collection(folder)
