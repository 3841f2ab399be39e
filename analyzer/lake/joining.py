"""Adding parts to a lake: games that it has already are hidden, and records of one match joined, as a database does it.

What is new is compared with what is there by keys and traces alone. Only games that meet others are looked at one by one, in
a database in memory. Then a state that names the parts is written, which is the moment at which they count, all together.
If somebody else has changed the lake meanwhile, the new parts are compared again with what is there now.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from types import MappingProxyType
from typing import NamedTuple

import duckdb
from msgspec.structs import replace

from analyzer.ingest.batch import digest_apart, game_key
from analyzer.ingest.deletion import delete_games
from analyzer.ingest.loader import IngestCounts, ingest
from analyzer.ingest.matches import join_matches
from analyzer.ingest.renaming import rejoin_matches
from analyzer.lake.taking_over import (
    Brought,
    describe_contradictions,
    games_to_rejoin,
    read_brought,
    take_over,
    tell_the_same,
)
from analyzer.lake.waiting import waiting_records_come
from analyzer.lake.workbench import Workbench, open_workbench, reading_parts, rulebooks_of
from analyzer.store.instance import quote_sql
from analyzer.store.lake_parts import (
    OF_GAMES,
    noting_published,
    part_folder,
    part_source,
    rows_by_part,
)
from analyzer.store.lake_place import LakePlace, folder_for
from analyzer.store.lake_state import (
    MOST_TRIES,
    LakePart,
    LakeState,
    add_state,
    read_state,
    require_own_versions,
    wait_to_try_again,
)
from analyzer.store.lake_store import LakeStore
from analyzer.store.packing import unpack_record
from analyzer.store.player_names import unsettled_names, write_names
from analyzer.store.store import answers_of
from analyzer.store.sums import SUM_TABLES
from records.errors import StoreError
from records.format.files import Entry

UNHURRIED = {"max_execution_time": 0}
"""Nobody waits for a page."""
MAKE_NEW_GAMES = """
    CREATE TEMP TABLE new_games AS
    SELECT game, part, row_number() OVER (PARTITION BY game ORDER BY number) > 1
        OR game IN (SELECT game FROM {old}) AS known
    FROM ({new})
"""
MOST_IMPORTS = 1_000
"""So many of the last imports are known by their ids. Games of others are known by their keys."""
NO_GAMES = "(SELECT NULL::BIGINT AS game WHERE false)"
NO_TRACES = "(SELECT NULL::BIGINT AS game, NULL::BIGINT AS trace, '' AS part WHERE false)"
SELECT_NEW = "SELECT game FROM new_games WHERE NOT known"
SELECT_KNOWN = "SELECT part, list(game) FROM new_games WHERE known GROUP BY part"
SELECT_OCCASIONS = """
    SELECT told.game, part, persons, event, site, started, utc_offset, list_sort(traces) AS traces
    FROM ({games}) AS told LEFT JOIN (
        SELECT game, part, list(trace) AS traces FROM {traces} GROUP BY game, part
    ) USING (game, part)
    WHERE told.game IN (SELECT game FROM new_games WHERE known)
"""
SELECT_OTHER_OCCASIONS = """
    WITH told AS ({told})
    SELECT DISTINCT new.game, new.part FROM told AS new JOIN new_games USING (game, part) JOIN told AS other USING (game)
    WHERE new_games.known AND new.part <> other.part AND (
        new.persons, new.event, new.site, new.started, new.utc_offset, new.traces
    ) IS DISTINCT FROM (other.persons, other.event, other.site, other.started, other.utc_offset, other.traces)
"""
SELECT_MEETING = """
    SELECT DISTINCT unnest([new.game, other.game]) FROM {traces} AS new
    JOIN new_games ON new.game = new_games.game AND new.part = new_games.part AND NOT known
    JOIN {traces} AS other ON new.trace = other.trace AND new.part <> other.part AND new.game <> other.game
"""
SELECT_MEETING_CORRECTED = """
    SELECT DISTINCT unnest([own.game, other.game]) FROM {traces} AS own JOIN {traces} AS other USING (trace)
    WHERE own.game IN (SELECT unnest($keys::BIGINT[])) AND own.game <> other.game
"""
SELECT_COMPANY = """
    SELECT DISTINCT unnest([game, match]) FROM {others}
    WHERE game IN (SELECT unnest($keys::BIGINT[])) OR match IN (SELECT unnest($keys::BIGINT[]))
"""
SELECT_APART = """
    SELECT game, name, line, data FROM {records} JOIN apart USING (game, part) ORDER BY name, line
"""
SELECT_PLACES = """
    SELECT part, list(game) FROM {records} WHERE game IN (SELECT unnest($keys::BIGINT[])) GROUP BY part
"""


class AddedParts(NamedTuple):
    """What adding parts came to: the state, and how many games were known.

    `otherwise` has those known that are told otherwise; `told_again` is how many records tell of a match told before.
    `conflicts` says in sentences what was said otherwise of games and people.
    """

    state: LakeState
    known: int
    otherwise: IngestCounts
    told_again: int
    conflicts: tuple[str, ...] = ()


class _Meeting(NamedTuple):
    """The keys of known games by part, those of games that may be of one match with others, and what is brought of those known.

    Known games that tell otherwise have their records as `entries`, by key. `new` are those that are not known, and `rejoined`
    those whose matches may be others by the renames.
    """

    known: Mapping[str, Sequence[int]] = MappingProxyType({})
    meeting: Sequence[int] = ()
    entries: Mapping[int, Entry] = MappingProxyType({})
    brought: Brought = Brought()
    conflicts: Sequence[str] = ()
    new: Sequence[int] = ()
    rejoined: Set[int] = frozenset()

    @property
    def apart(self) -> dict[int, int]:
        """The keys that the records have which tell otherwise, where they are stored apart, by the keys of the known ones."""
        return {game: game_key(digest_apart(entry)) for game, entry in self.entries.items()}

    @property
    def keys(self) -> list[int]:
        """All games that are looked at one by one."""
        apart = self.apart
        return sorted({*self.meeting, *apart, *apart.values(), *self.brought.games, *self.rejoined})


class Compared(NamedTuple):
    """New parts beside those of a state: what each hides from now on, and a part with games that were joined.

    `otherwise` counts the known games that are told otherwise, and `conflicts` says in sentences what contradicted.
    """

    parts: tuple[LakePart, ...]
    known: int
    otherwise: IngestCounts
    conflicts: tuple[str, ...] = ()


def add_parts(
    place: LakePlace,
    made: Sequence[LakePart],
    import_id: str = "",
    waiting: Callable[[str], None] = lambda _: None,
) -> AddedParts:
    """Let parts count that were written and that no state names; raises StoreError, and nothing is changed then.

    An import that the lake has already is not added again. What changes nothing makes no new state.
    """
    require_own_versions(made)
    for tries in range(MOST_TRIES):
        state = read_state(place)
        if import_id and import_id in state.imports:
            return AddedParts(state, sum(part.games for part in made), IngestCounts(), 0)
        there = {part.key for part in state.parts}
        with noting_published() as written:
            compared = compare_parts(
                place, state.parts, [part for part in made if part.key not in there]
            )
            parts = settle_people_of(place, _store_waiting(place, compared.parts))
        imports = (*state.imports, import_id)[-MOST_IMPORTS:] if import_id else state.imports
        new = LakeState(state.number + 1, parts, imports)
        again = _other_games(place, parts) - _other_games(place, state.parts)
        added = AddedParts(new, compared.known, compared.otherwise, again, compared.conflicts)
        if state.number and imports == state.imports and tell_the_same(place, state.parts, parts):
            remove_unnamed(place, state, written)
            return added._replace(state=state)
        if add_state(place, new):
            remove_unnamed(place, new, written)
            return added
        remove_unnamed(place, state, written)
        waiting("somebody else has added games: comparing again")
        wait_to_try_again(tries)
    raise StoreError(f"the lake {place.address} changes faster than games can be added")


def remove_unnamed(place: LakePlace, state: LakeState, written: Sequence[str]) -> None:
    """Delete parts that were written on the way to a state, by their keys, unless the state names them.

    What cannot be deleted now goes when the lake is cleaned.
    """
    named = {part.key for part in state.parts}
    with suppress(StoreError, OSError):
        place.remove(part_folder(key) for key in written if key not in named)


def change_games(
    place: LakePlace,
    keys_of: Callable[[LakeState], Sequence[int]],
    change: Callable[[Workbench], object],
) -> LakeState:
    """Change games, and all records of their matches, by what changes a database; raises StoreError.

    `keys_of` says which games, and is asked again where somebody else has changed the lake meanwhile.
    """
    for tries in range(MOST_TRIES):
        state = read_state(place)
        with reading_parts(place, state.parts) as reading:
            concerned = _company(reading, place, state.parts, keys_of(state))
        with open_workbench(place, rulebooks_of(place, state.parts)) as bench:
            bench.load(state.parts, concerned)
            change(bench)
            parts = _put_back(place, state.parts, bench, concerned)
        new = LakeState(state.number + 1, settle_people_of(place, parts))
        if add_state(place, new):
            return new
        wait_to_try_again(tries)
    raise StoreError(f"the lake {place.address} changes faster than its games can be changed")


def settle_people_of(place: LakePlace, parts: tuple[LakePart, ...]) -> tuple[LakePart, ...]:
    """Parts in which everybody has the name that follows from all games, where somebody has an id or was renamed."""
    if all(part.named for part in parts):
        return parts
    with _store_of(place, parts) as store:
        rows = unsettled_names(answers_of(store))
    if not rows:
        return parts
    keys = [row.game for row in rows]
    with reading_parts(place, parts) as reading:
        hidden = _where(reading, place, parts, keys)
    with open_workbench(place) as bench:
        bench.load(parts, keys)
        with bench.writing() as cursor:
            write_names(cursor, rows)
        changed = bench.publish(games_alone=True)
    return (*_hide(parts, hidden), *([changed] if changed else []))


def _store_of(place: LakePlace, parts: tuple[LakePart, ...]) -> LakeStore:
    """These parts as a store."""
    state = (place, LakeState(0, parts))
    return LakeStore(folder_for(place.address), state=state, settings=UNHURRIED)


def delete_from_lake(place: LakePlace, digests: Sequence[str]) -> int:
    """Delete games and return how many there were; raises StoreError."""
    deleted = 0

    def delete(bench: Workbench) -> None:
        nonlocal deleted
        deleted = delete_games(bench, digests)

    change_games(place, lambda _: list(map(game_key, digests)), delete)
    return deleted


def compare_parts(place: LakePlace, old: Sequence[LakePart], made: Sequence[LakePart]) -> Compared:
    """New parts beside those that are there: what is known is hidden, and what tells of one match is joined.

    What new parts tell of known games beyond their records is taken over. No part has a game twice.
    """
    everything = (*old, *made)
    if not made:
        return Compared(everything, 0, IngestCounts())
    with reading_parts(place, everything) as reading:
        met = _meet(reading, place, old, made)
    parts = _hide(everything, met.known)
    met = met._replace(rejoined=_rejoined(place, parts, made, met.new))
    number = sum(map(len, met.known.values()))
    if not met.keys:
        return Compared(parts, number, IngestCounts(), tuple(met.conflicts))
    parts, counts, conflicts = _change(place, parts, met)
    if meeting := _meet_corrected(place, parts, met.brought):
        parts, *_ = _change(place, parts, _Meeting(meeting=meeting))
    return Compared(parts, number - counts.states["stored"], counts, (*met.conflicts, *conflicts))


def _change(
    place: LakePlace, parts: tuple[LakePart, ...], met: _Meeting
) -> tuple[tuple[LakePart, ...], IngestCounts, list[str]]:
    """Look at games one by one; the parts then, what became of those that tell otherwise, and what contradicted."""
    with reading_parts(place, parts) as reading:
        concerned = _company(reading, place, parts, met.keys)
    with open_workbench(place, rulebooks_of(place, parts)) as bench:
        bench.load(parts, concerned)
        bench.note_contents()
        counts = _join(bench, met)
        conflicts = take_over(bench, met.brought, met.apart)
        return _put_back(place, parts, bench, bench.keep_changed()), counts, conflicts


def _put_back(
    place: LakePlace, parts: tuple[LakePart, ...], bench: Workbench, keys: Sequence[int]
) -> tuple[LakePart, ...]:
    """Parts in which the games of a workbench take the place of what there was of these."""
    if not keys:
        return parts
    with reading_parts(place, parts) as reading:
        hidden = _where(reading, place, parts, keys)
    written = bench.publish(games_alone=True)
    return (*_hide(parts, hidden), *([written] if written else []))


def _meet_corrected(place: LakePlace, parts: tuple[LakePart, ...], brought: Brought) -> list[int]:
    """Games that may be of one match since they are corrected."""
    traces = part_source(place, parts, "traces")
    if not brought.corrections or traces is None:
        return []
    with reading_parts(place, parts) as reading:
        asked = {"keys": [row[0] for row in brought.corrections]}
        found = reading.execute(SELECT_MEETING_CORRECTED.format(traces=traces), asked)
        return [key for (key,) in found.fetchall()]


def _meet(
    reading: duckdb.DuckDBPyConnection,
    place: LakePlace,
    old: Sequence[LakePart],
    made: Sequence[LakePart],
) -> _Meeting:
    """What of new parts is known, or may tell of a match that another part tells of."""
    everything = [*old, *made]
    conflicts = describe_contradictions(reading, place, old, made)
    if not any(part.games for part in made):
        return _Meeting(conflicts=conflicts)
    known_before = part_source(place, old, "records") or NO_GAMES
    reading.execute(MAKE_NEW_GAMES.format(old=known_before, new=_numbered(place, made)))
    known = dict(reading.execute(SELECT_KNOWN).fetchall())
    apart = _other_occasions(reading, place, everything) if known else []
    reading.execute(
        SELECT_MEETING.format(traces=rows_by_part(place, everything, "traces") or NO_TRACES)
    )
    meeting = [key for (key,) in reading.fetchall()]
    entries = _entries(reading, rows_by_part(place, made, "records") or "", apart)
    brought = read_brought(reading, place, old, made) if known else Brought()
    renamed = any("renames" in part.tables for part in everything)
    new = [key for (key,) in reading.execute(SELECT_NEW).fetchall()] if renamed else []
    return _Meeting(known, meeting, entries, brought, conflicts, new)


def _rejoined(
    place: LakePlace, parts: Sequence[LakePart], made: Sequence[LakePart], new: Sequence[int]
) -> set[int]:
    """The games whose matches may be others by the renames of all parts."""
    if not any("renames" in part.tables for part in parts):
        return set()
    with _store_of(place, tuple(parts)) as store:
        return games_to_rejoin(store, made, new)


def _join(bench: Workbench, met: _Meeting) -> IngestCounts:
    """Join records of one match, and store those that only look like known ones; what became of the latter."""
    counts = ingest(bench, met.entries.values())
    with bench.writing() as cursor:
        join_matches(cursor, met.meeting)
        rejoin_matches(cursor)
    return counts


def _store_waiting(place: LakePlace, parts: tuple[LakePart, ...]) -> tuple[LakePart, ...]:
    """Parts in which no record waits for a rulebook that is there: each is a game now, as in a database."""
    come = waiting_records_come(place, parts)
    return parts if come is None else compare_parts(place, come.left, come.made).parts


def _other_games(place: LakePlace, parts: Sequence[LakePart]) -> int:
    """How many records tell of matches for which another record stands."""
    source = part_source(place, parts, "other_games")
    if source is None:
        return 0
    with reading_parts(place, parts) as reading:
        (number,) = reading.execute(f"SELECT count(*) FROM {source}").fetchone() or (0,)
        return int(number)


def _other_occasions(
    cursor: duckdb.DuckDBPyConnection, place: LakePlace, parts: Sequence[LakePart]
) -> list[tuple[int, str]]:
    """The known games, each with its part, that tell of other people or another day than what is there."""
    games = " UNION ALL BY NAME ".join(
        f"SELECT * FROM {found}"
        for table in ("games", "other_games")
        if (found := rows_by_part(place, parts, table))
    )
    told = SELECT_OCCASIONS.format(
        games=games, traces=rows_by_part(place, parts, "traces") or NO_TRACES
    )
    return cursor.execute(SELECT_OTHER_OCCASIONS.format(told=told)).fetchall()


def _entries(
    cursor: duckdb.DuckDBPyConnection, records: str, apart: Sequence[tuple[int, str]]
) -> dict[int, Entry]:
    """The records of games in certain parts, as they were read, by key."""
    if not apart:
        return {}
    cursor.execute("CREATE TEMP TABLE apart (game BIGINT, part VARCHAR)")
    cursor.executemany("INSERT INTO apart VALUES (?, ?)", apart)
    rows = cursor.execute(SELECT_APART.format(records=records)).fetchall()
    return {game: Entry(name, line, unpack_record(data)) for game, name, line, data in rows}


def _company(
    reading: duckdb.DuckDBPyConnection,
    place: LakePlace,
    parts: Sequence[LakePart],
    keys: Sequence[int],
) -> list[int]:
    """These games, those that stand for their matches, and all others of these matches."""
    others = part_source(place, parts, "other_games")
    found, size = set(keys), 0
    while others and size < len(found):
        size = len(found)
        reading.execute(SELECT_COMPANY.format(others=others), {"keys": sorted(found)})
        found |= {key for (key,) in reading.fetchall()}
    return sorted(found)


def _where(
    reading: duckdb.DuckDBPyConnection,
    place: LakePlace,
    parts: Sequence[LakePart],
    keys: Sequence[int],
) -> dict[str, list[int]]:
    """Which of these games each part has, those that it hides left out."""
    records = rows_by_part(place, parts, "records")
    if records is None:
        return {}
    found = reading.execute(SELECT_PLACES.format(records=records), {"keys": list(keys)})
    return dict(found.fetchall())


def _hide(parts: Sequence[LakePart], hidden: Mapping[str, Sequence[int]]) -> tuple[LakePart, ...]:
    """Parts that hide these games, too, by the keys of the parts; what has nothing else any more is left out."""
    changed = (
        replace(part, hidden=tuple(sorted({*part.hidden, *hidden.get(part.key, ())})))
        for part in parts
    )
    return tuple(part for part in changed if len(part.hidden) < part.games or _has_more(part))


def _has_more(part: LakePart) -> bool:
    """Whether a part has rows that belong to no game."""
    return not part.tables.keys() <= {*OF_GAMES, *SUM_TABLES}


def _numbered(place: LakePlace, made: Sequence[LakePart]) -> str:
    """The keys of the games of new parts, with the key and the number of the part."""
    return " UNION ALL ".join(
        f"SELECT game, {quote_sql(part.key)} AS part, {number} AS number FROM {part_source(place, [part], 'records')}"
        for number, part in enumerate(made)
        if part.games
    )
