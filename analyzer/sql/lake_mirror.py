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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from math import inf
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, gettempdir
from typing import NamedTuple

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


class _Running(NamedTuple):
    """A statement that runs: the number of the state that was shown when it began, and the tables that it can read."""

    number: int
    tables: Set[str]


class LakeMirror:
    """A folder with the tables of a lake that were asked for last, as the lake is now; `close` deletes it.

    One statement at a time fetches. Those whose files are there do not wait for it: what may wait is done without the lock
    of `_changed`, which guards all that is known of the folder.
    """

    def __init__(self, place: LakePlace) -> None:
        self._place = place
        _delete_left()
        passing = TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
        self.folder = Path(passing.name).resolve()
        self._end = ExitStack()
        self._end.enter_context(_locked(self.folder))
        self._end.callback(passing.cleanup)
        self._here = LakePlace(str(self.folder))
        self._shown = LakeState(1)
        add_state(self._here, self._shown)
        self._fetching, self._looking = threading.Lock(), threading.Lock()
        self._changed = threading.Condition()
        self._state, self._looked_at = LakeState(0), -inf
        self._running: list[_Running] = []
        self._alone: Set[str] | None = None
        self._condemned: dict[Path, int] = {}
        self._is_closed = False

    def close(self) -> None:
        """Delete the folder, once nothing is written into it any more."""
        self._is_closed = True
        with self._fetching, self._changed:
            self._end.close()

    @contextmanager
    def bring(self, sql: str) -> Iterator[None]:
        """Let the folder have what a statement can read, for as long as that runs: nothing of it goes meanwhile.

        Raises ForbiddenStatement with a sentence if it is too much, BeingFetched, OSError and StoreError.
        """
        running = self._begin(tables_named(sql), time.monotonic() + FETCH_SECONDS)
        try:
            yield
        finally:
            with self._changed:
                self._running.remove(running)
                self._delete_condemned()

    def _begin(self, tables: Set[str], end: float) -> "_Running":
        if tables:
            self._look()
            _require_room(self._state, tables)
        if running := self._begin_at_once(tables):
            return running
        if not self._fetching.acquire(timeout=max(0.0, end - time.monotonic())):
            raise BeingFetched(OTHERS_FETCHED)
        try:
            self._fetch(tables, end)
            with self._changed:
                if not self._has(tables):
                    raise BeingFetched(CHANGED)
                self._wait_until(lambda: self._may_show(self._shown_with(tables)), end)
                if running := self._begin_at_once(tables):
                    return running
            raise BeingFetched(CHANGED)
        finally:
            self._fetching.release()

    def _wait_until(self, is_so: Callable[[], bool], end: float) -> None:
        """Wait for statements to end."""
        if not self._changed.wait_for(is_so, max(0.0, end - time.monotonic())):
            raise BeingFetched(OTHERS_FETCHED)

    def _look(self) -> None:
        """Look for the newest state of the lake now and then. While somebody does, others go on with the one they know."""
        if time.monotonic() - self._looked_at <= SECONDS_TO_LOOK:
            return
        if not self._looking.acquire(blocking=not self._state.number):
            return
        try:
            if time.monotonic() - self._looked_at > SECONDS_TO_LOOK:
                state = read_state(self._place)
                with self._changed:  # so that nobody shows what is here of another one
                    self._state, self._looked_at = state, time.monotonic()
        finally:
            self._looking.release()

    def _begin_at_once(self, tables: Set[str]) -> "_Running | None":
        """Begin a statement whose files are here; None if they are not, or if others have to end before it finds them."""
        with self._changed:
            if tables:
                shown = self._shown_with(tables)
                is_kept = self._alone is None or self._has_no_files(tables - self._alone)
                if not (is_kept and self._has(tables) and self._may_show(shown)):
                    return None
                self._show(shown)
            running = _Running(self._shown.number, tables)
            self._running.append(running)
            return running

    def _has(self, tables: Set[str]) -> bool:
        """Whether all files of these tables are here, and are to stay."""
        paths = self._paths(_of(self._state, tables))
        return all(path.exists() and path not in self._condemned for path in paths)

    def _shown_with(self, tables: Set[str]) -> Set[str]:
        """The tables that can be shown beside these: those shown before, if their files are here."""
        before = set().union(*(part.tables for part in self._shown.parts))
        return {table for table in before | tables if self._has({table})}

    def _may_show(self, tables: Set[str]) -> bool:
        """Whether the statements that run would find theirs: the process of each may not have looked yet what there is."""
        return all(self._has_no_files(running.tables - tables) for running in self._running)

    def _has_no_files(self, tables: Set[str]) -> bool:
        """Whether the lake has no rows of these tables."""
        return not _files(_of(self._state, tables))

    def _show(self, tables: Set[str]) -> None:
        """Let statements find these tables, and let go of what the lake has no more."""
        parts = _of(self._state, tables)
        if parts != self._shown.parts:
            self._shown = LakeState(self._shown.number + 1, parts)
            add_state(self._here, self._shown)
            self._here.remove(state_names(self._here, below=self._shown.number))
        self._condemn(self._others(self._state.parts))

    def _paths(self, parts: Iterable[LakePart]) -> list[Path]:
        return [self.folder / name for name in _files(parts)]

    def _others(self, parts: Iterable[LakePart]) -> list[Path]:
        """The files that are here, those of these parts left out."""
        kept = set(self._paths(parts))
        return [path for path in (self.folder / PARTS).rglob("*.parquet") if path not in kept]

    def _condemn(self, paths: Iterable[Path]) -> None:
        """Delete files that are not shown any more, once the statements have ended that may have found them."""
        for path in paths:
            self._condemned.setdefault(path, self._shown.number)
        self._delete_condemned()

    def _delete_condemned(self) -> None:
        """Delete what no running statement may be reading, and folders that are empty then."""
        first = min((each.number for each in self._running), default=self._shown.number)
        for path in [path for path, number in self._condemned.items() if number <= first]:
            del self._condemned[path]
            path.unlink()
            with suppress(OSError):
                path.parent.rmdir()
                path.parent.parent.rmdir()
        self._changed.notify_all()

    def _fetch(self, tables: Set[str], end: float) -> None:
        """Fetch the files of these tables that are not here, as many as come in time; nobody else fetches meanwhile."""
        parts = _of(self._state, tables)
        for name, target in zip(_files(parts), self._paths(parts), strict=True):
            if not name.startswith(f"{PARTS}/") or ".." in target.parts:
                raise StoreError(f"the lake {self._place.address} has a file elsewhere: {name}")
        self._make_room(tables, parts, end)
        for name, target in zip(_files(parts), self._paths(parts), strict=True):
            if target.exists():
                continue
            if self._is_closed:
                raise StoreError("the server is closing")
            if time.monotonic() > end:
                raise BeingFetched(
                    BEING_FETCHED.format(self._fetched(parts), size_in_units(_size(parts)))
                )
            self._fetch_file(name, target)

    def _make_room(self, tables: Set[str], parts: Sequence[LakePart], end: float) -> None:
        """Let there be room for these parts beside what is here: otherwise nothing else stays.

        Statements that read something else end first, and none begins meanwhile.
        """
        with self._changed:
            for path in self._paths(parts):
                self._condemned.pop(path, None)
            others = self._others(parts)
            if sum(path.stat().st_size for path in others) + _size(parts) <= MOST_FETCHED_BYTES:
                return
            self._alone = tables
            try:
                self._wait_until(lambda: self._may_show(tables), end)
                self._show({table for table in tables if self._has({table})})
                self._condemn(others)
                self._wait_until(lambda: self._condemned.keys().isdisjoint(others), end)
            finally:
                self._alone = None

    def _fetch_file(self, name: str, target: Path) -> None:
        with self._changed:  # so that nobody deletes the folder of a part in between
            target.parent.mkdir(parents=True, exist_ok=True)
        draft = draft_of(target)
        try:
            self._place.fetch(name, draft)
            draft.rename(target)
        except FileNotFoundError as error:  # files that no state names any more are deleted
            self._looked_at = -inf
            raise BeingFetched(CHANGED) from error
        finally:
            draft.unlink(missing_ok=True)

    def _fetched(self, parts: Sequence[LakePart]) -> str:
        here = filter(Path.exists, self._paths(parts))
        return size_in_units(sum(path.stat().st_size for path in here))


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
