"""Which stored records tell of one match, and which of them stands for it.

The fullest record of a match is in `games` and all tables of numbers; of two that are as full, the first that was stored. The
others keep their bytes and stay to be seen, and have a row in `other_games`: no number counts a match twice.

Two records are of one match if they are so as they were uploaded, or as they are corrected: a correction can join two
records, and never parts any. People who were made one are one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, starmap
from typing import Any

import duckdb

from analyzer.ingest.batch import game_key
from analyzer.store.made_corrections import holding_corrections
from analyzer.store.packing import unpack_record
from analyzer.store.player_names import PeopleNames, read_people_names
from analyzer.store.store import StatementAnswerer, answers_of
from analyzer.store.sums import take_games_from_sums
from records.corrected import NO_CORRECTIONS, Corrections, correct
from records.format import codec
from records.match_play import (
    MatchPlay,
    Relation,
    match_play,
    match_traces,
    may_be_one_match,
    relate,
)
from records.record import Record

MOST_CANDIDATES, MOST_CANDIDATE_BYTES = 100, 16 * 1024 * 1024
"""A record is compared with so many others that begin alike, and so many bytes of them, those first that share more."""
TABLES_OF_NUMBERS = ("deals", "seats", "tricks", "scores", "cards", "findings")
"""The tables that have rows of the record that stands for its match, and of no other."""
REVIEW_TABLES = ("reviews", "luck", "decisions")
"""Tables with rows of reviews, which a record keeps when another one stands for its match; none of them is clean then."""

SELECT_MEETINGS = """
    SELECT game, other FROM (
        SELECT own.game, other.game AS other, row_number() OVER (
            PARTITION BY own.game ORDER BY count(*) DESC, other.game IN (SELECT unnest($new)), other.game
        ) AS place
        FROM traces AS own JOIN traces AS other USING (trace)
        WHERE own.game IN (SELECT unnest($new)) AND own.game <> other.game
        GROUP BY own.game, other.game
    )
    WHERE place <= $most
    ORDER BY game, place
"""
SELECT_RECORDS = """
    SELECT records.game, records.digest, data, match, (records.stored_at, records.name, coalesce(line, 0), records.rowid)
    FROM records LEFT JOIN other_games USING (game)
    WHERE records.game IN (SELECT unnest($keys)) ORDER BY records.rowid
"""
DEMOTE = """
    INSERT INTO other_games BY NAME
    SELECT games.*, $match AS match, $relation AS relation FROM games WHERE game = $game
"""
SELECT_RENAMED = """
    SELECT records.game, records.data FROM records JOIN stored_games USING (game)
    WHERE records.game IN (SELECT unnest($keys::BIGINT[])) AND list_has_any(persons, $people::VARCHAR[])
"""
INSERT_TRACES = """
    INSERT INTO traces SELECT game, trace
    FROM (SELECT unnest($games::BIGINT[]) AS game, unnest($traces::BIGINT[]) AS trace)
    WHERE (game, trace) NOT IN (SELECT (game, trace) FROM traces WHERE game IN (SELECT unnest($games::BIGINT[])))
"""
SELECT_SIZES = "SELECT game, size FROM records WHERE game IN (SELECT unnest($keys))"
SELECT_STANDING = "SELECT game FROM games WHERE game IN (SELECT unnest($keys))"
POINT_ELSEWHERE = "UPDATE other_games SET match = $match, relation = $relation WHERE game = $game"
SET_UNCLEAN = "UPDATE {} SET clean = false WHERE game IN (SELECT unnest($keys))"
SELECT_COMPANIONS = """
    WITH matches AS (
        SELECT game, digest, game AS match FROM games UNION ALL SELECT game, digest, match FROM other_games
    )
    SELECT own.game, other.digest FROM matches AS own JOIN matches AS other USING (match)
    WHERE own.game IN (SELECT unnest($keys::BIGINT[])) AND own.game <> other.game
"""
SELECT_OTHERS = "SELECT game FROM other_games WHERE match IN (SELECT unnest($keys))"


@dataclass(slots=True)
class _MatchRecord:
    """A stored record: its plays, which the `key` tells from others, and its place in the order of storing.

    The plays are as uploaded and as corrected, which may be the same; there is none if its rules cannot be resolved.
    `standing` is the key of the game that stands for its match.
    """

    game: int
    digest: str
    plays: tuple[MatchPlay, ...]
    key: str
    place: tuple[Any, ...]
    standing: int


@dataclass(slots=True)
class _Matches:
    """The records that were read, by key, and what has changed of what stands for them."""

    names: PeopleNames = field(default_factory=PeopleNames)
    records: dict[int, _MatchRecord] = field(default_factory=dict)
    changed: set[int] = field(default_factory=set)

    def read_alone(self, cursor: duckdb.DuckDBPyConnection, keys: Sequence[int]) -> None:
        """Read records, and not those that stand for their matches."""
        held = holding_corrections(answers_of(cursor), keys)
        for game, digest, data, match, place in cursor.execute(
            SELECT_RECORDS, {"keys": list(keys)}
        ).fetchall():
            told = uploaded_and_corrected(unpack_record(data), held.get(game, NO_CORRECTIONS))
            plays = plays_of(told, self.names)
            key = "".join(play.key for play in plays) or digest
            self.records[game] = _MatchRecord(game, digest, plays, key, place, match or game)

    def read(self, cursor: duckdb.DuckDBPyConnection, keys: Iterable[int]) -> None:
        """Read records, and those that stand for their matches."""
        wanted = set(keys) - self.records.keys()
        while wanted:
            self.read_alone(cursor, sorted(wanted))
            wanted = {record.standing for record in self.records.values()} - self.records.keys()

    def join(self, game: int, others: Iterable[int]) -> None:
        """Let a record have one that stands for its match, which may be itself; the fullest match that fits comes first.

        Two records that contradict each other are never of one match, even if a third fits both.
        """
        own = self.records[game]
        related = [self.records[key] for key in others if _relation(own, self.records[key])]
        standing = {record.standing for record in related}
        for other in sorted((self.records[key] for key in standing), key=_rank):
            if other.standing != own.standing and self._fits(own, other):
                self._unite(self.records[own.standing], other)

    def _fits(self, own: _MatchRecord, standing: _MatchRecord) -> bool:
        """Whether nothing that was read of two matches contradicts."""
        mine, theirs = (
            {one.key: one for one in self.records.values() if one.standing == game}
            for game in (own.standing, standing.game)
        )
        return all(_agree(one, other) for one in mine.values() for other in theirs.values())

    def _unite(self, one: _MatchRecord, other: _MatchRecord) -> None:
        fuller, less = sorted((one, other), key=_rank)
        for record in self.records.values():
            if record.standing == less.game:
                record.standing = fuller.game
                self.changed.add(record.game)

    def relation(self, record: _MatchRecord) -> Relation:
        """How a record stands to the one that stands for its match."""
        return _relation(record, self.records[record.standing]) or Relation.VIEW


def uploaded_and_corrected(data: bytes, held: Corrections = NO_CORRECTIONS) -> list[Record]:
    """What the text of a record tells: as it was uploaded, and as it is corrected if corrections hold; nothing if unreadable."""
    record = codec.decode(data).record
    if record is None:
        return []
    return [record, correct(record, held)] if held else [record]


def plays_of(told: Iterable[Record], names: PeopleNames) -> tuple[MatchPlay, ...]:
    """The plays that these records tell of, with people as they are known now; none of those whose rules cannot be resolved."""
    plays = (match_play(record, names.person_of) for record in told)
    return tuple(play for play in plays if play is not None)


def _play_pairs(one: _MatchRecord, other: _MatchRecord) -> Iterator[tuple[MatchPlay, MatchPlay]]:
    """What two records tell as they were uploaded, then what they tell as they are corrected."""
    if one.plays and other.plays:
        yield one.plays[0], other.plays[0]
        if len(one.plays) + len(other.plays) > 2:
            yield one.plays[-1], other.plays[-1]


def _relation(one: _MatchRecord, other: _MatchRecord) -> Relation | None:
    """How a record stands to another one of its match; None if they are not certain to be of one."""
    return next(filter(None, starmap(relate, _play_pairs(one, other))), None)


def _agree(one: _MatchRecord, other: _MatchRecord) -> bool:
    """Whether two records may be of one match, which another one that fits both makes certain."""
    return any(starmap(may_be_one_match, _play_pairs(one, other)))


def _rank(record: _MatchRecord) -> tuple[int, tuple[Any, ...]]:
    """The fullest first, and the first stored of those."""
    return -(record.plays[0].fullness if record.plays else 0), record.place


def join_matches(
    cursor: duckdb.DuckDBPyConnection,
    new: Iterable[int],
    companions: Mapping[int, Sequence[int]] | None = None,
) -> Mapping[int, tuple[str, str]]:
    """Let one record stand for each match that games just stored tell of, which may be stored already.

    Games that were deleted and are back are joined first with their `companions` of then, as far as those are stored.

    Returns, by key of each new game whose match another record told before, the digest of such a one and its own relation to it.
    """
    new = set(new)
    add_traces(cursor, new)
    found = cursor.execute(SELECT_MEETINGS, {"new": list(new), "most": MOST_CANDIDATES}).fetchall()
    if not found:
        return {}
    meetings = _as_many_as_may_be_read(cursor, found)
    matches = _Matches(read_people_names(answers_of(cursor)))
    matches.read(cursor, {*meetings, *chain.from_iterable(meetings.values())})
    for game in sorted(meetings, key=lambda key: matches.records[key].place):
        place = matches.records[game].place
        earlier = [k for k in meetings[game] if k not in new or matches.records[k].place < place]
        before = set(companions.get(game, ())) if companions else set[int]()
        matches.join(game, [k for k in earlier if k in before])
        matches.join(game, earlier)
    _write(cursor, matches)
    return {game: pair for game in meetings if (pair := _other_of(matches, game))}


def add_traces(cursor: duckdb.DuckDBPyConnection, games: Iterable[int]) -> None:
    """Let those of these games be found that people played who were made one with others: by who they are now, too."""
    if traces := traces_of_renamed(answers_of(cursor), games):
        own, new = zip(*traces, strict=True)
        cursor.execute(INSERT_TRACES, {"games": own, "traces": new})


def traces_of_renamed(answer: StatementAnswerer, games: Iterable[int]) -> list[tuple[int, int]]:
    """The traces of those of these games that people played who were made one with others, each with its game."""
    names = read_people_names(answer)
    asked = {"keys": list(games), "people": names.made_one}
    found = answer(SELECT_RENAMED, asked) if asked["people"] else []
    held = holding_corrections(answer, [game for game, _ in found]) if found else {}
    traces = dict.fromkeys(
        (game, game_key(trace))
        for game, data in found
        for told in uploaded_and_corrected(unpack_record(data), held.get(game, NO_CORRECTIONS))
        for trace in match_traces(told, names.person_of)
    )
    return [*traces]


def list_sharing(cursor: duckdb.DuckDBPyConnection, games: Sequence[int]) -> list[int]:
    """Those of these games that share a match with another record, or may share one."""
    asked = {"new": games, "most": MOST_CANDIDATES}
    meetings = cursor.execute(SELECT_MEETINGS, asked).fetchall()
    return sorted({game for game, _ in meetings} | list_companions(cursor, games).keys())


def _as_many_as_may_be_read(
    cursor: duckdb.DuckDBPyConnection, found: Sequence[tuple[int, int]]
) -> dict[int, list[int]]:
    """The candidates of each game, one at least, and as many as have no more than so many bytes together."""
    keys = {other for _, other in found}
    sizes = dict(cursor.execute(SELECT_SIZES, {"keys": sorted(keys)}).fetchall())
    meetings: dict[int, list[int]] = {}
    read: dict[int, int] = {}
    for game, other in found:
        read[game] = read.get(game, 0) + sizes[other]
        if game not in meetings or read[game] <= MOST_CANDIDATE_BYTES:
            meetings.setdefault(game, []).append(other)
    return meetings


def list_companions(
    cursor: duckdb.DuckDBPyConnection, keys: Sequence[int]
) -> Mapping[int, list[str]]:
    """The digests of the other records of the matches of these games, by key."""
    found = dict[int, list[str]]()
    for key, digest in cursor.execute(SELECT_COMPANIONS, {"keys": list(keys)}).fetchall():
        found.setdefault(key, []).append(digest)
    return found


def choose_standing(cursor: duckdb.DuckDBPyConnection, deleted: Sequence[int]) -> list[int]:
    """The keys of the games that stand for their matches from now on, where the deleted ones stood for them before.

    The others of each match follow them.
    """
    followers = cursor.execute(SELECT_OTHERS, {"keys": deleted}).fetchall()
    if not followers:
        return []
    matches = _Matches(read_people_names(answers_of(cursor)))
    matches.read_alone(cursor, [game for (game,) in followers])
    groups: dict[int, list[_MatchRecord]] = {}
    for record in matches.records.values():
        groups.setdefault(record.standing, []).append(record)
    chosen = []
    for group in groups.values():
        left = sorted(group, key=_rank)
        while left:
            first = left[0]
            chosen.append(first.game)
            those = [record for record in left if record is first or _agree(record, first)]
            for record in those:
                record.standing = first.game
                if record is not first:
                    relation = str(matches.relation(record))
                    values = {"game": record.game, "match": first.game, "relation": relation}
                    cursor.execute(POINT_ELSEWHERE, values)
            left = [record for record in left if record not in those]
    return chosen


def _other_of(matches: _Matches, game: int) -> tuple[str, str] | None:
    """The record that stands for a new game's match, or that stood for it before: its digest, and the game's relation to it.

    None for the record of a match that was stored first, whichever stands for it now.
    """
    own = matches.records[game]
    earlier = [
        other
        for other in matches.records.values()
        if other.standing == own.standing and other.place < own.place
    ]
    if not earlier:
        return None
    if own.standing != game:
        return matches.records[own.standing].digest, str(matches.relation(own))
    inverse = {Relation.BEGINNING: Relation.WHOLE, Relation.WHOLE: Relation.BEGINNING}
    relation = matches.relation(earlier[0])
    return earlier[0].digest, str(inverse.get(relation, relation))


def _write(cursor: duckdb.DuckDBPyConnection, matches: _Matches) -> None:
    """Write what stands for what: who stands no longer leaves every table of numbers."""
    if not matches.changed:
        return
    rows = cursor.execute(SELECT_STANDING, {"keys": sorted(matches.changed)}).fetchall()
    leaving = [game for (game,) in rows]
    followers = cursor.execute(SELECT_OTHERS, {"keys": leaving}).fetchall() if leaving else []
    matches.read(cursor, [game for (game,) in followers])
    for (game,) in followers:
        record = matches.records[game]
        record.standing = matches.records[record.standing].standing
        matches.changed.add(game)
    if leaving:
        take_games_from_sums(cursor, leaving)
    for game in sorted(matches.changed):
        record = matches.records[game]
        values: dict[str, Any] = {
            "game": game, "match": record.standing, "relation": str(matches.relation(record))
        }  # fmt: skip
        cursor.execute(DEMOTE if game in leaving else POINT_ELSEWHERE, values)
    if not leaving:
        return
    for table in REVIEW_TABLES:
        cursor.execute(SET_UNCLEAN.format(table), {"keys": leaving})
    for table in ("games", *TABLES_OF_NUMBERS):
        cursor.execute(
            f"DELETE FROM {table} WHERE game IN (SELECT unnest($keys))", {"keys": leaving}
        )
