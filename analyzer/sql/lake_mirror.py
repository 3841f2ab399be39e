"""The tables of a lake in an object store that readers' statements need, in a folder of this machine.

The process that runs statements has no credentials and no network. The server, which has both, fetches the files of the tables
that a statement names, and lists them in a folder that is a lake itself: that is all the process is given. Records are never
among them.
"""

import fcntl
import os
import re
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, gettempdir

from msgspec.structs import replace

from analyzer.sql.guard import (
    MOST_FETCHED_BYTES,
    READABLE_STORED_TABLES,
    READABLE_TABLES,
    ForbiddenStatement,
)
from analyzer.store.durable_files import draft_of
from analyzer.store.lake_place import STATES, LakePlace
from analyzer.store.lake_state import (
    PARTS,
    LakePart,
    LakeState,
    add_state,
    last_number,
    read_state,
    state_names,
)
from analyzer.store.lake_store import SECONDS_TO_LOOK
from analyzer.store.schema import schema_sql
from analyzer.store.sums import SUM_TABLES
from records.errors import StoreError
from records.phrases import join_words, size_in_units

PREFIX = "bezique-sql-"
"""What the names of the folders begin with, among the passing files of the machine."""
FETCH_SECONDS = 20.0
"""So long a request waits for files. What has come by then stays, and the next request fetches the rest."""
VIEWS = re.compile(r"CREATE VIEW (\w+) AS(.*?);", re.DOTALL)
TOO_LARGE = (
    "This statement cannot be run here: the games are in an object store, and what it reads takes {} ({}). At most {} are "
    "fetched. Read other tables, or use `bezique.open`, which fetches only what it needs."
)
OTHERS_FETCHED = "The games are in an object store, and what another statement reads is being fetched. Run yours again in a moment."
CHANGED = "The games changed while they were being fetched. Run the statement again."
BEING_FETCHED = "The games are in an object store. Of the {1} that this statement reads, {0} have been fetched so far. Run it again to fetch the rest."


class BeingFetched(StoreError):
    """What a statement reads is not here yet: the message is a sentence, and asking again helps."""


@lru_cache(maxsize=1)
def _read_by() -> Mapping[str, frozenset[str]]:
    """The tables with files that each readable table is made of."""
    views = dict(VIEWS.findall(schema_sql()))
    found = {name: frozenset((name,)) for name in READABLE_STORED_TABLES}
    # Sums of games that are hidden are taken out by the rows of these.
    found |= {name: frozenset((name, rows)) for name, rows in SUM_TABLES.items()}
    for view in READABLE_TABLES - found.keys():
        found[view] = frozenset(
            name for name in READABLE_STORED_TABLES if _names(views[view], name)
        )
    return found


def _names(text: str, table: str) -> bool:
    return re.search(rf"\b{table}\b", text) is not None


def tables_named(sql: str) -> set[str]:
    """The tables with files that a statement can read: whatever it reads, its text has the name of, in some case."""
    text = sql.lower()
    return {table for name, tables in _read_by().items() if name in text for table in tables}


class LakeMirror:
    """A folder with the tables of a lake that were asked for last, as the lake is now; `close` deletes it."""

    def __init__(self, place: LakePlace) -> None:
        self._place = place
        _delete_left()
        passing = TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
        self.folder = Path(passing.name).resolve()
        self._end = ExitStack()
        self._end.enter_context(_locked(self.folder))
        self._end.callback(passing.cleanup)
        self._here = LakePlace(str(self.folder))
        add_state(self._here, LakeState(1))
        self._lock = threading.Lock()
        self._ended, self._running = threading.Condition(), 0
        self._state, self._looked_at = LakeState(0), 0.0
        self._tables: Set[str] = frozenset()
        self._shown: tuple[LakePart, ...] | None = None
        self._is_closed = False

    def close(self) -> None:
        """Delete the folder, once nothing is written into it any more."""
        self._is_closed = True
        with self._lock:
            self._end.close()

    @contextmanager
    def bring(self, sql: str) -> Iterator[None]:
        """Let the folder have what a statement can read, for as long as that runs: nothing of it goes meanwhile.

        Raises ForbiddenStatement with a sentence if it is too much, BeingFetched, OSError and StoreError.
        """
        end = time.monotonic() + FETCH_SECONDS
        if not self._lock.acquire(timeout=FETCH_SECONDS):
            raise BeingFetched(OTHERS_FETCHED)
        try:
            self._bring(tables_named(sql), end)
            with self._ended:
                self._running += 1
        finally:
            self._lock.release()
        try:
            yield
        finally:
            with self._ended:
                self._running -= 1
                self._ended.notify_all()

    def _bring(self, tables: Set[str], end: float) -> None:
        state = self._newest()
        both = self._tables | tables
        wanted: Set[str] = both if _size(_of(state, both)) <= MOST_FETCHED_BYTES else tables
        _require_room(state, wanted)
        parts = _of(state, wanted)
        others = self._others(parts)
        if sum(path.stat().st_size for path in others) + _size(parts) > MOST_FETCHED_BYTES:
            self._delete(others)
        self._fetch(parts, end)
        if parts != self._shown:
            self._delete(self._others(parts))
            add_state(self._here, LakeState(last_number(self._here) + 1, parts))
            self._here.remove(state_names(self._here, below=last_number(self._here)))
            self._shown = parts
        self._tables = wanted

    def _newest(self) -> LakeState:
        """The state of the lake, looked for now and then."""
        if not self._state.number or time.monotonic() - self._looked_at > SECONDS_TO_LOOK:
            self._state, self._looked_at = read_state(self._place), time.monotonic()
        return self._state

    def _others(self, parts: Sequence[LakePart]) -> list[Path]:
        """The files that are here, those of these parts left out."""
        kept = {self.folder / name for name in _files(parts)}
        return [path for path in (self.folder / PARTS).rglob("*.parquet") if path not in kept]

    def _delete(self, paths: Sequence[Path]) -> None:
        """Delete files and what is empty then, once no statement runs that may be reading them; none begins meanwhile."""
        if not paths:
            return
        with self._ended:
            self._ended.wait_for(lambda: not self._running)
        self._shown = None
        for path in paths:
            path.unlink()
            with suppress(OSError):
                path.parent.rmdir()
                path.parent.parent.rmdir()

    def _fetch(self, parts: Sequence[LakePart], end: float) -> None:
        """Fetch the files that are not here, as many as come in time."""
        for name in _files(parts):
            target = self.folder / name
            if not name.startswith(f"{PARTS}/") or ".." in target.parts:
                raise StoreError(f"the lake {self._place.address} has a file elsewhere: {name}")
            if target.exists():
                continue
            if self._is_closed:
                raise StoreError("the server is closing")
            if time.monotonic() > end:
                raise BeingFetched(
                    BEING_FETCHED.format(self._fetched(parts), size_in_units(_size(parts)))
                )
            self._fetch_file(name, target)

    def _fetch_file(self, name: str, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = draft_of(target)
        try:
            self._place.fetch(name, draft)
            draft.rename(target)
        except FileNotFoundError as error:  # files that no state names any more are deleted
            self._state = LakeState(0)
            raise BeingFetched(CHANGED) from error
        finally:
            draft.unlink(missing_ok=True)

    def _fetched(self, parts: Sequence[LakePart]) -> str:
        here = (self.folder / name for name in _files(parts))
        return size_in_units(sum(path.stat().st_size for path in here if path.exists()))


def _delete_left() -> None:
    """Delete what processes that were killed have left: whoever uses a folder has locked it before it has states."""
    for states in Path(gettempdir()).glob(f"{PREFIX}*/{STATES}"):
        with suppress(OSError), _locked(states.parent):
            rmtree(states.parent, ignore_errors=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock a folder; raises OSError if it is locked. The system drops the lock when this process ends, however it ends."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def _of(state: LakeState, tables: Set[str]) -> tuple[LakePart, ...]:
    """The parts of a state, with these tables alone."""
    return tuple(
        replace(part, tables={name: own for name, own in part.tables.items() if name in tables})
        for part in state.parts
    )


def _files(parts: Iterable[LakePart]) -> list[str]:
    return [name for part in parts for table in part.tables.values() for name in table.files]


def _size(parts: Iterable[LakePart]) -> int:
    return sum(part.size for part in parts)


def _require_room(state: LakeState, tables: Set[str]) -> None:
    """Raise ForbiddenStatement if these tables are too large to be fetched."""
    sizes = {table: _size(_of(state, {table})) for table in sorted(tables)}
    if sum(sizes.values()) > MOST_FETCHED_BYTES:
        each = join_words(
            [f"{table} {size_in_units(size)}" for table, size in sizes.items() if size], "and"
        )
        raise ForbiddenStatement(
            TOO_LARGE.format(
                size_in_units(sum(sizes.values())), each, size_in_units(MOST_FETCHED_BYTES)
            )
        )
