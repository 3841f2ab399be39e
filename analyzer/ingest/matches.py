"""Which stored records tell of one match, and which of them stands for it.

The fullest record of a match is in `games` and all tables of numbers; of two that are as full, the first that was stored. The
others keep their bytes and stay to be seen, and have a row in `other_games`: no number counts a match twice.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import duckdb

from analyzer.store.packing import unpack_record
from analyzer.store.sums import take_games_from_sums
from records.format import codec
from records.match_play import MatchPlay, Relation, match_play, relate

MOST_CANDIDATES = 100
"""A record is compared with so many others that begin alike, those first that share more."""
TABLES_OF_NUMBERS = ("deals", "seats", "tricks", "scores", "findings")
"""The tables that have rows of the record that stands for its match, and of no other."""

SELECT_MEETINGS = """
    SELECT own.game, other.game
    FROM traces AS own JOIN traces AS other USING (trace)
    WHERE own.game IN (SELECT unnest($new)) AND own.game <> other.game
    GROUP BY own.game, other.game
    QUALIFY row_number() OVER (PARTITION BY own.game ORDER BY count(*) DESC, other.game IN (SELECT unnest($new)), other.game) <= $most
"""
SELECT_RECORDS = """
    SELECT records.game, records.digest, data, match, records.rowid
    FROM records LEFT JOIN other_games USING (game)
    WHERE records.game IN (SELECT unnest($keys)) ORDER BY records.rowid
"""
DEMOTE = """
    INSERT INTO other_games BY NAME
    SELECT games.*, $match AS match, $relation AS relation FROM games WHERE game = $game
"""
POINT_ELSEWHERE = "UPDATE other_games SET match = $match, relation = $relation WHERE game = $game"
SELECT_OTHERS = "SELECT game FROM other_games WHERE match IN (SELECT unnest($keys))"


@dataclass(slots=True)
class _MatchRecord:
    """A stored record: its play, its place in the order of storing, and the key of the game that stands for its match."""

    game: int
    digest: str
    play: MatchPlay | None
    place: int
    standing: int


@dataclass(slots=True)
class _Matches:
    """The records that were read, by key, and what has changed of what stands for them."""

    records: dict[int, _MatchRecord] = field(default_factory=dict)
    changed: set[int] = field(default_factory=set)

    def read_alone(self, cursor: duckdb.DuckDBPyConnection, keys: Sequence[int]) -> None:
        """Read records, and not those that stand for their matches."""
        for game, digest, data, match, place in cursor.execute(
            SELECT_RECORDS, {"keys": list(keys)}
        ).fetchall():
            self.records[game] = _MatchRecord(game, digest, _play_of(data), place, match or game)

    def read(self, cursor: duckdb.DuckDBPyConnection, keys: Iterable[int]) -> None:
        """Read records, and those that stand for their matches."""
        wanted = set(keys) - self.records.keys()
        while wanted:
            self.read_alone(cursor, sorted(wanted))
            wanted = {record.standing for record in self.records.values()} - self.records.keys()

    def join(self, game: int, others: Iterable[int]) -> None:
        """Let a record and all that tell of its match have one that stands for them."""
        own = self.records[game]
        related = [self.records[key] for key in others if _is_same_match(own, self.records[key])]
        standing = {own.standing, *(record.standing for record in related)}
        if len(standing) == 1:
            return
        fullest = min((self.records[key] for key in standing), key=_rank)
        for record in self.records.values():
            if record.standing in standing and record.standing != fullest.game:
                record.standing = fullest.game
                self.changed.add(record.game)

    def relation(self, record: _MatchRecord) -> Relation:
        """How a record stands to the one that stands for its match."""
        standing = self.records[record.standing].play
        found = relate(record.play, standing) if record.play and standing else None
        return found or Relation.VIEW


def _play_of(data: bytes) -> MatchPlay | None:
    record = codec.decode(unpack_record(data)).record
    return match_play(record) if record else None


def _is_same_match(one: _MatchRecord, other: _MatchRecord) -> bool:
    return bool(one.play and other.play and relate(one.play, other.play))


def _rank(record: _MatchRecord) -> tuple[int, int]:
    """The fullest first, and the first stored of those."""
    return -(record.play.fullness if record.play else 0), record.place


def join_matches(
    cursor: duckdb.DuckDBPyConnection, new: Iterable[int]
) -> Mapping[int, tuple[str, str]]:
    """Let one record stand for each match that games just stored tell of, which may be stored already.

    Returns, by key of each new game that shares its match, the digest of another record of it and its own relation to that.
    """
    found = cursor.execute(SELECT_MEETINGS, {"new": list(new), "most": MOST_CANDIDATES}).fetchall()
    if not found:
        return {}
    meetings: dict[int, list[int]] = {}
    for game, other in found:
        meetings.setdefault(game, []).append(other)
    matches = _Matches()
    matches.read(cursor, [*meetings, *(other for _, other in found)])
    for game in sorted(meetings, key=lambda key: matches.records[key].place):
        earlier = [
            k for k in meetings[game] if matches.records[k].place < matches.records[game].place
        ]
        matches.join(game, earlier)
    _write(cursor, matches)
    return {game: pair for game in meetings if (pair := _other_of(matches, game))}


def choose_standing(cursor: duckdb.DuckDBPyConnection, deleted: Sequence[int]) -> list[int]:
    """The keys of the games that stand for their matches from now on, where the deleted ones stood for them before.

    The others of each match follow them.
    """
    followers = cursor.execute(SELECT_OTHERS, {"keys": deleted}).fetchall()
    if not followers:
        return []
    matches = _Matches()
    matches.read_alone(cursor, [game for (game,) in followers])
    groups: dict[int, list[_MatchRecord]] = {}
    for record in matches.records.values():
        groups.setdefault(record.standing, []).append(record)
    chosen = []
    for group in groups.values():
        first, *others = sorted(group, key=_rank)
        chosen.append(first.game)
        for record in group:
            record.standing = first.game
        for record in others:
            relation = str(matches.relation(record))
            values = {"game": record.game, "match": first.game, "relation": relation}
            cursor.execute(POINT_ELSEWHERE, values)
    return chosen


def _other_of(matches: _Matches, game: int) -> tuple[str, str] | None:
    """The record that stands for a new game's match, or that stood for it before: its digest, and the game's relation to it."""
    own = matches.records[game]
    if own.standing != game:
        return matches.records[own.standing].digest, str(matches.relation(own))
    others = [t for t in matches.records.values() if t.standing == game and t.place < own.place]
    if not others:
        return None
    inverse = {Relation.BEGINNING: Relation.WHOLE, Relation.WHOLE: Relation.BEGINNING}
    relation = matches.relation(others[0])
    return others[0].digest, str(inverse.get(relation, relation))


def _write(cursor: duckdb.DuckDBPyConnection, matches: _Matches) -> None:
    """Write what stands for what: who stands no longer leaves every table of numbers."""
    if not matches.changed:
        return
    changed = sorted(matches.changed)
    rows = cursor.execute(
        "SELECT game FROM games WHERE game IN (SELECT unnest($keys))", {"keys": changed}
    ).fetchall()
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
    for table in ("games", *TABLES_OF_NUMBERS) if leaving else ():
        cursor.execute(
            f"DELETE FROM {table} WHERE game IN (SELECT unnest($keys))", {"keys": leaving}
        )
