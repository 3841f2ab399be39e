"""A lake as a store for reading: its tables under the names that they have in a database, as its state says.

A store keeps to one state, and looks for a newer one now and then: then it reads that.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NoReturn

import duckdb

from analyzer.store.lake_parts import (
    fill_hidden,
    lake_tables,
    part_source,
    sum_source,
)
from analyzer.store.lake_place import LakePlace, lake_address, place_of, telling_of_files
from analyzer.store.lake_state import LakeState, last_number, read_state
from analyzer.store.parquet import ReadOnlyStore
from analyzer.store.store import StoreReadOnly
from analyzer.store.sums import SUM_TABLES, total_sums_sql
from records.errors import StoreError

SECONDS_TO_LOOK = 15.0
"""How long a state is believed to be the last."""
READER_MEMORY = "256MB"
"""What questions about a lake may take, so that a process that answers them stays below 500 MB. The rest goes to the disk."""


class LakeStore(ReadOnlyStore):
    """The store of a folder that is a lake, or stands for one; raises StoreError.

    Only a `state` of a place is read, if it is given: the folder may be any one then.
    """

    look_every = SECONDS_TO_LOOK

    def __init__(
        self,
        folder: Path,
        *,
        settings: Mapping[str, str | int] | None = None,
        state: tuple[LakePlace, LakeState] | None = None,
    ) -> None:
        address = lake_address(Path(folder))
        if state is not None:
            self.place, self.state = state
        elif address is None:
            raise StoreError(f"there is no lake in {folder}")
        else:
            self.place = place_of(address)
            self.state = read_state(self.place)
        self._follows, self._looked_at = state is None, time.monotonic()
        self._reactions: list[Callable[[], None]] = []
        super().__init__(folder, settings={"memory_limit": READER_MEMORY, **(settings or {})})

    def when_changed(self, react: Callable[[], None]) -> None:
        """Let `react` be called whenever another state is read."""
        self._reactions.append(react)

    @property
    def whence(self) -> str:
        """The address of the lake."""
        return self.place.address

    @property
    def as_of(self) -> datetime:
        """When what is read was changed last, in UTC."""
        return self.state.made_at

    def still(self) -> NoReturn:
        """There is no file of a database; raises StoreReadOnly."""
        raise StoreReadOnly(f"there is a lake and no database in {self.place.address}: `bezique lake copy` makes one")  # fmt: skip

    def _places_of_files(self) -> list[str]:
        return [self.place.address_of("").rstrip("/")]

    def _connect(self) -> duckdb.DuckDBPyConnection:
        connection = super()._connect()
        self.place.connect(connection)
        return connection

    def _fill_tables(self, writer: duckdb.DuckDBPyConnection) -> None:
        # Opened again, a store that follows the lake reads another state.
        again = self._follows and self._instance.number
        state = read_state(self.place) if again else self.state
        with telling_of_files(self.place):
            self._show_parts(writer, state)
        self.state = state

    def _show_parts(self, writer: duckdb.DuckDBPyConnection, state: LakeState) -> None:
        """Let every table have the rows of all parts."""
        fill_hidden(writer, state.parts)
        for table in lake_tables():
            source = part_source(self.place, state.parts, table)
            if source:
                self._show_table(writer, table, source, "game")
        for name in SUM_TABLES:
            if source := sum_source(self.place, state.parts, name):
                writer.execute(f"INSERT INTO {name} BY NAME {total_sums_sql(name, source)}")

    def _trouble(self, error: Exception) -> Exception:
        """An error as callers know it; what is wrong with a file of the lake in words."""
        known = super()._trouble(error)
        try:
            with telling_of_files(self.place):
                raise known
        except Exception as told:
            return told

    def look_for_changes(self) -> bool:
        """Whether another state is read than before: it is looked for now and then."""
        if not self._follows or time.monotonic() - self._looked_at < self.look_every:
            return False
        if not self._lock.acquire(blocking=False):  # another thread is looking: nobody waits for it
            return False
        try:
            self._looked_at = time.monotonic()
            before = self.state.number
            with suppress(StoreError):  # what was read before is still there
                if last_number(self.place) != before:
                    self._instance.renew()
            return self.state.number != before
        finally:
            self._lock.release()

    def _reader(self) -> duckdb.DuckDBPyConnection:
        if self.look_for_changes():
            for react in self._reactions:
                react()
        return super()._reader()
