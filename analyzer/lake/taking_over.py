"""What a database tells of games that a lake has already: its corrections, reviews and renames are taken over.

What they say does not depend on the order in which databases come, or on how often; which of two records with one digest is
stored apart does, and so do the numbers of evenings. Of corrections, those of both are kept in the order in which they were
made, and what either has undone is undone: as always, the last one of a fact holds. Two reviews of a game are made one.
Matches follow the renames of all.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import duckdb
from msgspec.structs import replace

from analyzer.ingest.correcting import (
    DELETE_ROWS,
    SELECT_CORRECTIONS,
    SELECT_CORRECTIONS_OF,
    batched_keys,
    remake_rows,
)
from analyzer.ingest.loader import insert_rows
from analyzer.ingest.matches import traces_of_renamed
from analyzer.lake.workbench import Workbench, contents_sql, reading_parts, select_differing
from analyzer.review.deep_review import REVIEW_VERSION, GameReview
from analyzer.review.joined_reviews import join_reviews
from analyzer.review.stored import insert_review, unpack_review
from analyzer.store.lake_parts import (
    ONE_OF_EACH,
    WHICH_OF_EACH,
    fill_hidden,
    part_source,
    rows_by_part,
)
from analyzer.store.lake_place import LakePlace
from analyzer.store.lake_state import LakePart, LakeState
from analyzer.store.player_names import read_people_names
from analyzer.store.store import Store, answers_of
from analyzer.store.tables import columns_with_time
from records.corrected import CorrectedFact

NONE_HELD = "(SELECT * FROM ({}) WHERE false)"
SELECT_BROUGHT_CORRECTIONS = """
    WITH brought AS ({brought})
    SELECT * FROM brought WHERE game IN (
        SELECT game FROM (SELECT * EXCLUDE number FROM brought EXCEPT SELECT * EXCLUDE number FROM ({held}))
    )
    ORDER BY game, number
"""
SELECT_BROUGHT_REVIEWS = """
    WITH told AS MATERIALIZED (
        SELECT game, part FROM (SELECT game, part, md5_number(data) AS content FROM {made}) JOIN new_games USING (game, part)
        WHERE known AND (game, content) NOT IN (SELECT (game, md5_number(data)) FROM {held})
    )
    SELECT game, data, made_at FROM {made} WHERE (game, part) IN (FROM told) ORDER BY game
"""
"""Reviews are compared by digests: a lake has more of them than memory holds."""
NO_REVIEWS = "(SELECT NULL::BIGINT AS game, NULL::BLOB AS data WHERE false)"
KNOWN_ROWS = "(SELECT * FROM {} JOIN new_games USING (game, part) WHERE known)"
SELECT_OWN_CORRECTIONS = (
    f"{SELECT_CORRECTIONS} WHERE game IN (SELECT unnest($keys::BIGINT[])) ORDER BY game, number"
)
SELECT_OWN_REVIEWS = (
    "SELECT game, data, made_at FROM game_reviews WHERE game IN (SELECT unnest($keys::BIGINT[]))"
)
SELECT_DIGESTS = "SELECT game, digest FROM records WHERE game IN (SELECT unnest($keys::BIGINT[]))"
SELECT_GAMES_OF = "SELECT game FROM stored_games WHERE list_has_any(persons, $people::VARCHAR[])"
AND_THESE = " AND game IN (SELECT unnest($keys::BIGINT[]))"
SELECT_TRACED = "SELECT game, trace FROM traces WHERE trace IN (SELECT unnest($traces::BIGINT[]))"


class BroughtReview(NamedTuple):
    """A review of a game, by its key, and when it was made, in UTC."""

    game: int
    review: GameReview
    made_at: datetime


class Brought(NamedTuple):
    """What new parts tell of games that a lake has, where it is not what the lake says itself.

    `corrections` are as `SELECT_CORRECTIONS` has them, all of each game.
    """

    corrections: Sequence[tuple[Any, ...]] = ()
    reviews: Sequence[BroughtReview] = ()

    @property
    def games(self) -> set[int]:
        """The keys of the games."""
        return {row[0] for row in self.corrections} | {each.game for each in self.reviews}


def read_brought(
    reading: duckdb.DuckDBPyConnection,
    place: LakePlace,
    old: Sequence[LakePart],
    made: Sequence[LakePart],
) -> Brought:
    """What new parts tell of known games, which the table `new_games` names."""
    return Brought(
        _brought_corrections(reading, place, old, made),
        _brought_reviews(reading, place, old, made),
    )


def _brought_corrections(
    reading: duckdb.DuckDBPyConnection,
    place: LakePlace,
    old: Sequence[LakePart],
    made: Sequence[LakePart],
) -> list[tuple[Any, ...]]:
    rows = rows_by_part(place, made, "corrections")
    if rows is None:
        return []
    brought = SELECT_CORRECTIONS_OF.format(KNOWN_ROWS.format(rows))
    source = part_source(place, old, "corrections")
    held = SELECT_CORRECTIONS_OF.format(source) if source else NONE_HELD.format(brought)
    return reading.execute(SELECT_BROUGHT_CORRECTIONS.format(brought=brought, held=held)).fetchall()


def _brought_reviews(
    reading: duckdb.DuckDBPyConnection,
    place: LakePlace,
    old: Sequence[LakePart],
    made: Sequence[LakePart],
) -> list[BroughtReview]:
    rows = rows_by_part(place, made, "game_reviews")
    if rows is None:
        return []
    held = part_source(place, old, "game_reviews") or NO_REVIEWS
    found = reading.execute(SELECT_BROUGHT_REVIEWS.format(made=rows, held=held)).fetchall()
    return [
        BroughtReview(game, review, made_at)
        for game, data, made_at in found
        if (review := unpack_review(data))
    ]


def take_over(bench: Workbench, brought: Brought, apart: Mapping[int, int]) -> list[str]:
    """Let the games of a workbench have what was brought of them; returns what contradicted, in sentences.

    What concerns a record that is stored `apart` from a known game with its digest, by the keys of both, is that one's.
    """
    with bench.writing() as cursor:
        digests = _digests(cursor, {*brought.games, *apart.values()})
        moved = {game: key for game, key in apart.items() if key in digests}
        corrections = [(moved.get(row[0], row[0]), *row[1:]) for row in brought.corrections]
        conflicts = _take_corrections(cursor, corrections, digests)
        for game, review, made_at in brought.reviews:
            key = moved.get(game, game)
            _take_review(cursor, key, replace(review, digest=digests[key]), made_at)
    return conflicts


def _digests(cursor: duckdb.DuckDBPyConnection, keys: Iterable[int]) -> dict[int, str]:
    return dict(cursor.execute(SELECT_DIGESTS, {"keys": sorted(keys)}).fetchall())


# Corrections: all that were made, in the order of time.


class _Correction(NamedTuple):
    """A correction as `SELECT_CORRECTIONS` has it; times are in microseconds since 1970."""

    game: int
    number: int
    subject: Any
    place: int | None
    value: str
    reason: str
    made_by: str
    undone_by: str | None
    undone_at: int | None
    made_at: int

    @property
    def fact(self) -> CorrectedFact:
        """What is corrected."""
        return CorrectedFact(self.subject, self.place)

    @property
    def identity(self) -> tuple[object, ...]:
        """What tells it from others of its game, in every database that has it."""
        return self.made_at, self.fact, self.value, self.reason, self.made_by


def _take_corrections(
    cursor: duckdb.DuckDBPyConnection, rows: Sequence[tuple[Any, ...]], digests: Mapping[int, str]
) -> list[str]:
    brought = _by_game(rows)
    held = _by_game(cursor.execute(SELECT_OWN_CORRECTIONS, {"keys": [*brought]}).fetchall())
    merged = {game: merge_corrections([*held.get(game, ()), *own]) for game, own in brought.items()}
    changed = [game for game, own in merged.items() if own != held.get(game)]
    if changed:
        cursor.execute(DELETE_ROWS.format("corrections"), {"keys": changed})
        new = [tuple(each) for game in changed for each in merged[game]]
        insert_rows(cursor, "corrections", [columns_with_time("corrections", "made_at", new)], [])
        for some in batched_keys(changed):
            remake_rows(cursor, some)
    return [
        words
        for game, own in brought.items()
        for words in _contradictions(digests[game], held.get(game, []), own, merged[game])
    ]


def _by_game(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[_Correction]]:
    found: dict[int, list[_Correction]] = {}
    for row in map(_Correction._make, rows):
        found.setdefault(row.game, []).append(row)
    return found


def merge_corrections(corrections: Iterable[_Correction]) -> list[_Correction]:
    """The corrections of a game that several databases have, each once, in the order in which they were made.

    What one of them has undone is undone.
    """
    found: dict[tuple[object, ...], _Correction] = {}
    for each in corrections:
        before = found.setdefault(each.identity, each)
        undone = min((one for one in (before, each) if one.undone_at is not None), key=_undone, default=before)  # fmt: skip
        found[each.identity] = before._replace(
            undone_by=undone.undone_by, undone_at=undone.undone_at
        )
    # Those of one moment were made together: their numbers tell their order, wherever they come from.
    in_order = sorted(found.values(), key=lambda one: (one.made_at, one.number, str(one.identity)))
    return [each._replace(number=number) for number, each in enumerate(in_order, 1)]


def _undone(correction: _Correction) -> tuple[int, str]:
    return correction.undone_at or 0, correction.undone_by or ""


def _contradictions(
    digest: str,
    held: Sequence[_Correction],
    brought: Sequence[_Correction],
    merged: Sequence[_Correction],
) -> list[str]:
    """What two databases say otherwise of a fact, neither of which knew of the other, in sentences."""
    ours, theirs, both = map(_holding, (held, brought, merged))
    known, told = ({each.identity for each in those} for those in (held, brought))
    return [
        f"game {digest[:12]}: {fact.word} is {ours[fact].value!r} in the lake and {theirs[fact].value!r} in the database; "
        f"{both[fact].value!r} holds, which was said last"
        for fact in sorted(ours.keys() & theirs.keys() & both.keys(), key=lambda fact: fact.word)
        if ours[fact].value != theirs[fact].value
        and ours[fact].identity not in told
        and theirs[fact].identity not in known
    ]


def _holding(corrections: Iterable[_Correction]) -> dict[CorrectedFact, _Correction]:
    """The corrections that hold, by what they correct."""
    return {each.fact: each for each in corrections if each.undone_at is None}


# Reviews: two of a game are made one.


def _take_review(
    cursor: duckdb.DuckDBPyConnection, key: int, review: GameReview, made_at: datetime
) -> None:
    for _, data, held_at in cursor.execute(SELECT_OWN_REVIEWS, {"keys": [key]}).fetchall():
        held = unpack_review(data)
        if held is None:
            continue
        both = ((held_at, held), (made_at, review))
        first, last = sorted(both, key=lambda each: (each[1].version == REVIEW_VERSION, each[0]))
        joined = join_reviews(last[1], first[1]) if held.version == review.version else last[1]
        if joined == held:
            return
        review, made_at = joined, last[0]
    insert_review(cursor, review, made_at)


# Renames: matches follow those of all databases.


def games_to_rejoin(store: Store, made: Sequence[LakePart], new: Sequence[int]) -> set[int]:
    """The keys of games whose matches may be others by the renames of a store, and of those that they may be of one match with.

    If none of the `made` parts brings renames, only these `new` games are looked at.
    """
    answer = answers_of(store)
    people = read_people_names(answer).made_one
    if not people:
        return set()
    sql, among = SELECT_GAMES_OF, dict[str, Any](people=people)
    if not any("renames" in part.tables for part in made):
        sql, among = sql + AND_THESE, among | {"keys": new}
    found = set[int]()
    for some in batched_keys(sorted(key for (key,) in answer(sql, among))):
        traces = traces_of_renamed(answer, some)
        rows = answer(SELECT_TRACED, {"traces": [trace for _, trace in traces]})
        lacking = {game for game, trace in {*traces} - {*rows}}
        asked = {trace for game, trace in traces if game in lacking}
        found |= lacking | {game for game, trace in rows if trace in asked}
    return found


# What contradicts of people and rulebooks: nothing is taken over there, as all parts have their rows.

SELECT_RENAMES = "SELECT person, (same_as, name), name, epoch_us(made_at) FROM {} ORDER BY made_at"
SELECT_RULEBOOKS = "SELECT content->>'id', rulebook, content->>'name', -epoch_us(made_at) FROM {} ORDER BY made_at DESC"
RENAMED = (
    "{} was renamed {!r} in the lake and {!r} in the database; {!r} holds, which was said last"
)
TWO_RULEBOOKS = "the rulebook with the id {} is {!r} in the lake and {!r} in the database, which are not the same; records that name the id are judged by {!r}, which was added first"


def describe_contradictions(
    reading: duckdb.DuckDBPyConnection,
    place: LakePlace,
    old: Sequence[LakePart],
    made: Sequence[LakePart],
) -> list[str]:
    """Who was renamed otherwise in a lake and in what is brought, and which rulebooks are others there, in sentences."""
    found = []
    for table, sql, words in (
        ("renames", SELECT_RENAMES, RENAMED),
        ("rulebooks", SELECT_RULEBOOKS, TWO_RULEBOOKS),
    ):
        sources = [part_source(place, it, table) for it in (old, made)]
        if all(sources):
            ours, theirs = (reading.execute(sql.format(source)).fetchall() for source in sources)
            found += [words.format(*each) for each in _contradicting_rows(ours, theirs)]
    return found


_Statement = tuple[str, object, str, int]
"""Of what something was said, what it was, how it is called, and how much it counts beside others."""


def _contradicting_rows(
    ours: Sequence[_Statement], theirs: Sequence[_Statement]
) -> Iterator[tuple[str, str, str, str]]:
    """What two say otherwise, neither of which has what the other says: of what, what each says, and what holds."""
    mine, other = ({row[0]: row for row in rows} for rows in (ours, theirs))
    known, told = ({row[:2] for row in rows} for rows in (ours, theirs))
    for subject in sorted(mine.keys() & other.keys()):
        one, two = mine[subject], other[subject]
        if one[:2] not in told and two[:2] not in known:
            holds = max(one, two, key=lambda row: row[3])
            yield subject.partition(":")[2] or subject, one[2], two[2], holds[2]


# Whether anything was brought at all.

SELECT_DIFFERENCE = """
    SELECT 1 WHERE EXISTS (SELECT {what} FROM {one} EXCEPT SELECT {what} FROM {other})
        OR EXISTS (SELECT {what} FROM {other} EXCEPT SELECT {what} FROM {one})
"""
OF_THESE = "WHERE game IN (SELECT unnest($keys::BIGINT[]))"


def tell_the_same(place: LakePlace, old: Sequence[LakePart], new: Sequence[LakePart]) -> bool:
    """Whether readers find the same in two lists of parts, of which one was made of the other."""
    if LakeState(0, tuple(old)).games != LakeState(0, tuple(new)).games:
        return False
    tables = [table for table in ONE_OF_EACH if _files_of(old, table) != _files_of(new, table)]
    with reading_parts(place, []) as reading:
        return not (
            _games_differ(reading, place, old, new)
            or any(_rows_differ(reading, place, table, old, new) for table in tables)
        )


def _files_of(parts: Iterable[LakePart], table: str) -> set[tuple[str, ...]]:
    return {part.tables[table].files for part in parts if table in part.tables}


def _games_differ(
    reading: duckdb.DuckDBPyConnection,
    place: LakePlace,
    old: Sequence[LakePart],
    new: Sequence[LakePart],
) -> bool:
    """Whether a game that was written again has other rows than before; both lists have equally many games."""
    before = {part.key for part in old}
    written = [part for part in new if part.key not in before and len(part.hidden) < part.games]
    if not written:
        return False
    fill_hidden(reading, new)
    rows = reading.execute(f"SELECT game FROM {part_source(place, written, 'records')}").fetchall()
    asked = {"keys": [key for (key,) in rows]}
    for name, parts in (("before", old), ("now", new)):
        fill_hidden(reading, parts)
        contents = contents_sql(lambda table, parts=parts: part_source(place, parts, table), OF_THESE)  # type: ignore[misc]  # fmt: skip
        reading.execute(f"CREATE TEMP TABLE {name} AS {contents}", asked)
    return reading.execute(select_differing("FROM before", "FROM now")).fetchone() is not None


def _rows_differ(
    reading: duckdb.DuckDBPyConnection,
    place: LakePlace,
    table: str,
    old: Sequence[LakePart],
    new: Sequence[LakePart],
) -> bool:
    """Whether a table about no game has other rows; where any one of several may stand for them, whether it has one."""
    sources = [part_source(place, parts, table) for parts in (old, new)]
    if not all(sources):
        return True
    what = "*" if table in WHICH_OF_EACH else ONE_OF_EACH[table]
    sql = SELECT_DIFFERENCE.format(what=what, one=sources[0], other=sources[1])
    return reading.execute(sql).fetchone() is not None
