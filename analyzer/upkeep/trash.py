"""The trash: deleted games with their records, which can be brought back for a while.

It is a folder beside the database, so that nothing that reads the database, copies it or exports it has a deleted game. Each
deletion writes one file before the rows of the games go; whoever is interrupted between the two has both, and a game
that is stored is not shown as deleted. Nothing here is the last copy of a game that is stored.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import zstandard

from analyzer.ingest.batch import game_key, prepare_batch
from analyzer.ingest.correcting import SELECT_CORRECTIONS, take_corrections
from analyzer.ingest.deletion import delete_games, delete_rows
from analyzer.ingest.loader import insert_rows
from analyzer.ingest.matches import join_matches, list_companions
from analyzer.review.stored import insert_review, unpack_review
from analyzer.store.durable_files import (
    NO_ROOM_ERRORS,
    make_private_folder,
    remove_file,
    write_file,
)
from analyzer.store.instance import no_room
from analyzer.store.packing import unpack_record
from analyzer.store.player_names import settle_people
from analyzer.store.reserve import delete_on_full_disk
from analyzer.store.sealed_files import FileBroken, read_sealed
from analyzer.store.store import SELECT_COMMITS_OF_UPLOAD, Store
from analyzer.store.tables import INSTANT, number_column
from records.format.files import Entry
from records.people import DIGEST_LETTERS

TRASH_FOLDER, TRASH_ENDING = "trash", ".trash"
TIME_IN_NAME = "%Y%m%d%H%M%S%f"
"""The name of a file begins with the time of the deletion, in UTC."""
TRASH_DAYS = 30
"""How long a deleted game can be brought back."""
GAMES_IN_FILE = 500
"""So many games are deleted together, and have one file."""

SELECT_DELETED = """
    SELECT records.digest, records.name, line, records.data, epoch_us(records.stored_at), names, sheet,
        started::DATE, scores, game_reviews.data, epoch_us(game_reviews.made_at), records.game
    FROM records JOIN stored_games USING (game) LEFT JOIN game_reviews USING (game)
    WHERE list_contains($digests, records.digest) ORDER BY records.rowid
"""
SELECT_CORRECTIONS_OF = (
    f"{SELECT_CORRECTIONS} WHERE game IN (SELECT unnest($keys::BIGINT[])) ORDER BY game, number"
)
SELECT_STORED = "SELECT digest FROM records WHERE list_contains($digests, digest)"
SELECT_PEOPLE = """
    SELECT DISTINCT unnest(persons) FROM stored_games WHERE game IN (SELECT unnest($keys::BIGINT[]))
"""
SELECT_TIMES = f"SELECT epoch_us(committed_at) FROM ({SELECT_COMMITS_OF_UPLOAD})"


class TrashEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What a list tells of a game in the trash; `leaves_at` is when it is deleted for good, in UTC."""

    digest: str
    name: str
    line: int | None
    names: list[str]
    sheet: str
    day: date | None
    scores: list[int | None]
    deleted_at: datetime
    leaves_at: datetime


class DeletedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game in the trash: its record as it was stored, and what a list tells of it; times are in microseconds since 1970.

    `day` is when it was played, and `scores` has the points of each side; both are empty where the record does not tell them,
    and of games that earlier versions deleted. `companions` are the digests of other records of its match, `corrections` are as `take_corrections` takes them, and
    `review` is packed as the database has it.
    """

    digest: str
    name: str
    line: int | None
    data: bytes
    stored_at: int
    names: list[str]
    sheet: str
    companions: list[str]
    day: date | None = None
    scores: list[int | None] = []
    review: bytes | None = None
    reviewed_at: int | None = None
    corrections: list[tuple[int, int, str, int | None, str, str, str, str | None, int | None, int]] = []  # fmt: skip
    deleted_at: datetime

    @property
    def leaves_at(self) -> datetime:
        """When it is deleted for good, in UTC."""
        return self.deleted_at + timedelta(days=TRASH_DAYS)

    @property
    def entry(self) -> TrashEntry:
        """What a list tells of it."""
        return TrashEntry(**{name: getattr(self, name) for name in TrashEntry.__struct_fields__})


def trash_games(store: Store, digests: Sequence[str]) -> int:
    """Move stored games to the trash, and return how many there were; raises StoreReadOnly, StoreFull and OSError.

    On a full disk it takes the room that is kept for deletions. If all of that is not enough, the games stay.
    """
    store.require_writable()
    empty_trash(store.folder, older_than=timedelta(days=TRASH_DAYS))
    parts = (digests[at : at + GAMES_IN_FILE] for at in range(0, len(digests), GAMES_IN_FILE))
    return sum(
        delete_on_full_disk(store, partial(_trash_part, store, _new_path(store.folder), part))
        for part in parts
    )


def _new_path(folder: Path) -> Path:
    now = datetime.now(UTC)
    return folder / TRASH_FOLDER / f"{now:{TIME_IN_NAME}}-{secrets.token_hex(4)}{TRASH_ENDING}"


def _trash_part(store: Store, path: Path, digests: Sequence[str]) -> int:
    with store.writing() as cursor:
        games = list(_read_games(cursor, digests))
        if games:
            try:
                make_private_folder(path.parent)
                _write(path, games)
            except OSError as error:
                raise no_room(store.folder) if error.errno in NO_ROOM_ERRORS else error from error
            delete_rows(cursor, [game_key(game.digest) for game in games])
    return len(games)


def _read_games(cursor: duckdb.DuckDBPyConnection, digests: Sequence[str]) -> Iterator[DeletedGame]:
    now = datetime.now(UTC)
    rows = cursor.execute(SELECT_DELETED, {"digests": list(digests)}).fetchall()
    keys = [row[-1] for row in rows]
    companions, corrections = list_companions(cursor, keys), _corrections(cursor, keys)
    for digest, name, line, data, stored_at, names, sheet, day, scores, review, reviewed_at, key in rows:  # fmt: skip
        yield DeletedGame(
            digest=digest,
            name=name,
            line=line,
            data=unpack_record(data),
            stored_at=stored_at,
            names=names,
            sheet=sheet,
            day=day,
            scores=scores or [],
            companions=companions.get(key, []),
            review=review,
            reviewed_at=reviewed_at,
            corrections=corrections.get(key, []),
            deleted_at=now,
        )


def _corrections(
    cursor: duckdb.DuckDBPyConnection, keys: Sequence[int]
) -> dict[int, list[tuple[Any, ...]]]:
    """The corrections of these games, by key."""
    found: dict[int, list[tuple[Any, ...]]] = {}
    for row in cursor.execute(SELECT_CORRECTIONS_OF, {"keys": list(keys)}).fetchall():
        found.setdefault(row[0], []).append(row)
    return found


def list_trash(store: Store) -> list[DeletedGame]:
    """The games in the trash that are not stored again, those deleted last first; each once.

    What has been there too long is deleted for good before.
    """
    if not store.read_only:
        empty_trash(store.folder, older_than=timedelta(days=TRASH_DAYS))
    found = dict[str, DeletedGame]()
    for _, games in _files(store.folder):
        found |= {game.digest: game for game in games}
    stored = {digest for (digest,) in store.rows(SELECT_STORED, {"digests": list(found)}).rows}
    return [game for digest, game in reversed(found.items()) if digest not in stored]


def find_in_trash(store: Store, digest: str) -> DeletedGame | None:
    """The game in the trash with this digest, of which 12 characters are enough; None if there is none, or several."""
    is_known = len(digest) >= DIGEST_LETTERS
    found = [game for game in list_trash(store) if is_known and game.digest.startswith(digest)]
    return found[0] if len(found) == 1 else None


def list_trash_of_upload(store: Store, upload: str) -> list[DeletedGame]:
    """Those of them that an upload stored, by its public id."""
    times = _times_of_upload(store, upload)
    return [game for game in list_trash(store) if game.stored_at in times] if times else []


def upload_of_deleted(store: Store, game: DeletedGame, uploads: Iterable[str]) -> str:
    """Which of these uploads, by their public ids, stored a game that is in the trash; empty if none of them did."""
    return next((each for each in uploads if game.stored_at in _times_of_upload(store, each)), "")


def _times_of_upload(store: Store, upload: str) -> set[int]:
    return {time for (time,) in store.rows(SELECT_TIMES, {"upload": upload}).rows}


def restore_games(store: Store, digests: Iterable[str]) -> int:
    """Bring games back from the trash as they were, and return how many; raises StoreReadOnly and StoreError.

    The times of storing stay, and so do the reviews. A game that was stored again meanwhile stays as it is.
    """
    store.require_writable()
    wanted = set(digests)
    games = [game for game in list_trash(store) if game.digest in wanted]
    games.sort(key=lambda game: game.stored_at)
    for at in range(0, len(games), GAMES_IN_FILE):
        _restore_part(store, games[at : at + GAMES_IN_FILE])
    forget_deleted(store.folder, wanted)
    return len(games)


def _restore_part(store: Store, games: Sequence[DeletedGame]) -> None:
    entries = [Entry(game.name, game.line, game.data) for game in games]
    tables = prepare_batch(entries, digests=[game.digest for game in games]).tables
    times = {game.digest: game.stored_at for game in games}
    with store.writing() as cursor:
        stored = cursor.execute(SELECT_STORED, {"digests": list(times)}).fetchall()
        known = [game_key(digest) for (digest,) in stored]
        for name in ("records", "games"):
            tables[name]["stored_at"] = number_column(INSTANT, [game.stored_at for game in games])
        for name, columns in tables.items():
            insert_rows(cursor, name, [columns], known)
        new = {game_key(game.digest): game for game in games}
        for key in known:
            del new[key]
        companions = {key: list(map(game_key, game.companions)) for key, game in new.items()}
        join_matches(cursor, new, companions)
        take_corrections(cursor, [row for game in new.values() for row in game.corrections])
        rows = cursor.execute(SELECT_PEOPLE, {"keys": list(new)}).fetchall()
        settle_people(cursor, [key for (key,) in rows])
        for game in new.values():
            review = unpack_review(game.review) if game.review else None
            if review is not None:
                made_at = datetime.fromtimestamp((game.reviewed_at or 0) / 1_000_000, UTC)
                insert_review(cursor, review, made_at.replace(tzinfo=None))


def delete_for_good(store: Store, digests: Sequence[str]) -> int:
    """Delete games so that nobody can bring them back, from the database and from the trash; returns how many were stored."""
    number = delete_games(store, digests)
    forget_deleted(store.folder, digests)
    return number


def forget_deleted(folder: Path, digests: Iterable[str]) -> int:
    """Take games out of the trash for good, and return how many there were; raises OSError."""
    gone, number = set(digests), 0
    for path, games in _files(folder):
        left = [game for game in games if game.digest not in gone]
        number += len(games) - len(left)
        if not left:
            remove_file(path)
        elif len(left) < len(games):
            _write(path, left)
    return number


class TrashSize(msgspec.Struct, frozen=True):
    """How many games are in the trash, as far as its files can be read, and the bytes of its files."""

    number: int
    size: int


def trash_size(store: Store) -> TrashSize:
    """What the trash takes of the disk."""
    size = sum(path.stat().st_size for path in _paths(store.folder))
    return TrashSize(len(list_trash(store)), size)


def empty_trash(folder: Path, *, older_than: timedelta = timedelta()) -> int:
    """Delete for good what has been in the trash for so long, and return how many files; raises OSError.

    A file that cannot be read goes, too: it may hold what somebody wants to be forgotten.
    """
    before = f"{datetime.now(UTC) - older_than:{TIME_IN_NAME}}"
    old = [path for path in _paths(folder) if path.name.partition("-")[0] <= before]
    for path in old:
        remove_file(path)
    return len(old)


def empty_whole_trash(store: Store) -> int:
    """Delete for good all that is in the trash, and return how many games; raises StoreReadOnly and OSError."""
    store.require_writable()
    number = len(list_trash(store))
    empty_trash(store.folder)
    return number


def broken_trash(folder: Path) -> list[FileBroken]:
    """What is wrong with files of the trash that cannot be read."""
    found = []
    for path in _paths(folder):
        try:
            _read(path)
        except FileBroken as error:
            found.append(error)
    return found


def _paths(folder: Path) -> list[Path]:
    return sorted((folder / TRASH_FOLDER).glob(f"*{TRASH_ENDING}"))


def _files(folder: Path) -> Iterator[tuple[Path, list[DeletedGame]]]:
    """The files of the trash that can be read, in the order in which they were written."""
    for path in _paths(folder):
        try:
            yield path, _read(path)
        except FileBroken:
            continue


def _read(path: Path) -> list[DeletedGame]:
    data = read_sealed(path)
    try:
        packed = b"" if data is None else zstandard.decompress(data)
        return msgspec.msgpack.decode(packed, type=list[DeletedGame]) if packed else []
    except (zstandard.ZstdError, msgspec.DecodeError) as error:
        raise FileBroken(path) from error


def _write(path: Path, games: Sequence[DeletedGame]) -> None:
    packer = zstandard.ZstdCompressor(write_checksum=True)
    write_file(path, packer.compress(msgspec.msgpack.encode(games)))
