"""Private uploads: records in a folder of their own, that only who has their link can see, and the room they may take."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec
import zstandard

from analyzer.ingest.loader import merge_notes
from analyzer.store.durable_files import make_private_folder, remove_file, write_file
from analyzer.store.sealed_files import FileBroken, read_sealed
from records.format import codec
from records.format.files import Entry
from records.record import Record
from records.rules.registry import resolve_rules
from records.validate.finding import Finding
from webui.server.game_cache import GameNotFound, GameSource, OpenedGame

# Room on the disk: what uploads that are in no table may take of it.


class RoomFull(Exception):
    """There is no room for an upload; the text is a sentence that says what fills it."""


@dataclass(frozen=True, slots=True)
class DiskRoom:
    """How many uploads of a kind are kept, and their bytes; `most` of each is what there is room for."""

    number: int
    most_number: int
    size: int
    most_size: int

    def has_room(self, size: int) -> bool:
        """Whether one more upload of so many bytes fits."""
        return self.number < self.most_number and self.size + size <= self.most_size


# The uploads: in a folder of their own, and in no database.

PRIVATE_FOLDER_NAME = "private"
FILE_ENDING = ".msgpack.zst"
MOST_PRIVATE_RECORDS = 100
LARGEST_PRIVATE_UPLOAD = 4 * 1024 * 1024
"""The most records of a private upload, and the most bytes that they may have together."""
MOST_PRIVATE_UPLOADS = 10_000
PRIVATE_ROOM = 1024 * 1024 * 1024
"""The most private uploads of a data folder, and the most bytes that their files may have together."""
FULL_TEXT = (
    "There is no room left for private uploads on this server. Nothing was stored. Try again later, or upload without "
    "“Keep it private”."
)


class PrivateRecord(msgspec.Struct, frozen=True):
    """A record of a private upload as it came, with what a list tells of it; `line` counts from 1."""

    data: bytes
    name: str
    line: int | None
    verdict: str
    sheet: str
    players: list[str]
    deals: int


class UnreadablePrivateRecord(msgspec.Struct, frozen=True):
    """A record of a private upload that was not stored, with the first thing that is wrong; `line` counts from 1."""

    name: str
    line: int | None
    findings: list[Finding]
    reason: str = "unreadable"


class PrivateUpload(msgspec.Struct, frozen=True):
    """The records of a private upload, those that were not stored, and when it came, in UTC."""

    sent_at: datetime
    records: list[PrivateRecord]
    unreadable: list[UnreadablePrivateRecord] = []


class PrivateUploads:
    """The private uploads of a data folder, by public id: the folder does not hold the keys of their links."""

    def __init__(self, folder: Path, most_size: int = PRIVATE_ROOM) -> None:
        self.folder = folder / PRIVATE_FOLDER_NAME
        self.most_size = most_size
        self._saving = threading.Lock()

    def save(self, upload: str, sent: PrivateUpload) -> None:
        """Store an upload; when this returns it survives a power loss. Raises RoomFull and OSError."""
        data = _packed(sent)
        with self._saving:
            if not self.room().has_room(len(data)):
                raise RoomFull(FULL_TEXT)
            make_private_folder(self.folder)
            write_file(self._path(upload), data)

    def add_notes(self, upload: str, sent: Sequence[PrivateRecord]) -> int:
        """Add to the records of an upload the notes that the same games have in `sent`; how many. Raises OSError.

        One that cannot be read gets none.
        """
        with self._saving:
            known = self.load_whole(upload)
            if known is None:
                return 0
            added, records = 0, []
            for record in known.records:
                for each in sent:
                    if _may_be_same(each, record):
                        longer, new = merge_notes(record.data, each.data)
                        record, added = msgspec.structs.replace(record, data=longer), added + new
                records.append(record)
            if added:
                longer_upload = msgspec.structs.replace(known, records=records)
                write_file(self._path(upload), _packed(longer_upload))
            return added

    def __contains__(self, upload: str) -> bool:
        return self._path(upload).is_file()

    def room(self) -> DiskRoom:
        """The room that private uploads take."""
        sizes = [path.stat().st_size for path in self.folder.glob(f"*{FILE_ENDING}")]
        return DiskRoom(len(sizes), MOST_PRIVATE_UPLOADS, sum(sizes), self.most_size)

    def load(self, upload: str) -> PrivateUpload | None:
        """An upload; None if there is none. Raises FileBroken."""
        return _read_upload(self._path(upload))

    def load_whole(self, upload: str) -> PrivateUpload | None:
        """An upload; None if there is none, or if it cannot be read."""
        try:
            return self.load(upload)
        except FileBroken:
            return None

    def broken(self) -> list[FileBroken]:
        """What is wrong with uploads that cannot be read."""
        found = []
        for path in sorted(self.folder.glob(f"*{FILE_ENDING}")):
            try:
                _read_upload(path)
            except FileBroken as error:
                found.append(error)
        return found

    def delete(self, upload: str) -> None:
        """Delete an upload, if it is there; raises OSError."""
        remove_file(self._path(upload))

    def _path(self, upload: str) -> Path:
        return self.folder / f"{upload}{FILE_ENDING}"


def _packed(sent: PrivateUpload) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(msgspec.msgpack.encode(sent))


def _read_upload(path: Path) -> PrivateUpload | None:
    packed = read_sealed(path)
    try:
        if packed is None:
            return None
        return msgspec.msgpack.decode(zstandard.decompress(packed), type=PrivateUpload)
    except (zstandard.ZstdError, msgspec.DecodeError) as error:
        raise FileBroken(path) from error


def _may_be_same(one: PrivateRecord, other: PrivateRecord) -> bool:
    """Whether two records may be of the same game, by what a list tells of them."""
    return (one.sheet, one.players, one.deals) == (other.sheet, other.players, other.deals)


def private_record(entry: Entry, verdict: str) -> PrivateRecord | None:
    """A record to store, with its verdict; None if it cannot be read."""
    record = codec.decode(entry.data, line=entry.line).record
    if record is None:
        return None
    names = [player.name or "" for player in record.players]
    deals = len(record.deals)
    data = codec.encode(record) if codec.is_notation(entry.data) else entry.data
    return PrivateRecord(data, entry.name, entry.line, verdict, record.rules.id, names, deals)


def open_private_record(stored: PrivateRecord, sent: str, number: int) -> OpenedGame:
    """The game of a record of a private upload; `sent` is its public id, `number` counts from 1."""
    record = _read(stored)
    return OpenedGame(
        record=record,
        resolved=resolve_rules(record.rules),
        source=GameSource("private_games", {"sent": sent, "number": number}),
    )


def _read(stored: PrivateRecord) -> Record:
    record = codec.decode(stored.data, line=stored.line).record
    if record is None:
        raise GameNotFound(stored.name)
    return record
