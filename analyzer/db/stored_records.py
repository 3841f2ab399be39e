"""Records as they came: out of the database again, byte for byte."""

import gzip
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

from analyzer.db.game_filter import GameFilter
from analyzer.db.store import Store, unpack_record

RECORDS_PER_QUERY = 200
BYTES_PER_PIECE = 256 * 1024
SELECT_ROW_IDS = """
    SELECT records.rowid
    FROM records JOIN games USING (game)
    WHERE {where}
    ORDER BY records.rowid
"""
SELECT_RECORDS = """
    SELECT digest, data
    FROM records
    WHERE rowid BETWEEN $low AND $high AND rowid IN (SELECT unnest($rows))
    ORDER BY rowid
"""


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record as it was given."""

    digest: str
    data: bytes

    @property
    def is_one_line(self) -> bool:
        """Whether it can stand in a file of one record a line as it is."""
        return b"\n" not in self.data

    @property
    def line(self) -> bytes:
        """The record in one line: outside of texts a line break is a blank, and inside there is none."""
        return (
            self.data
            if self.is_one_line
            else self.data.replace(b"\r\n", b" ").replace(b"\n", b" ").strip()
        )


def list_row_ids(store: Store, chosen: GameFilter) -> list[int]:
    """The places of the games that are meant, in the order in which they were stored."""
    where, used = chosen.where()
    return [row for (row,) in store.rows(SELECT_ROW_IDS.format(where=where), used).rows]


def read_records(store: Store, rows: list[int]) -> Iterator[StoredRecord]:
    """The records in these places; one that was deleted meanwhile is left out."""
    for start in range(0, len(rows), RECORDS_PER_QUERY):
        part = rows[start : start + RECORDS_PER_QUERY]
        used = {"low": part[0], "high": part[-1], "rows": part}
        for digest, data in store.rows(SELECT_RECORDS, used).rows:
            yield StoredRecord(digest, unpack_record(data))


def write_records(records: Iterable[StoredRecord], path: Path) -> tuple[int, int]:
    """Write records into a folder, one a file, or into a file, compressed as its name says.

    A `.json` file takes the one record there is; any other file has one a line.

    Returns how many there were, and how many had to be put on one line. A file is there as a whole or not
    at all; raises OSError.
    """
    if not path.suffix or path.is_dir():
        return _into_folder(records, path), 0
    draft = path.with_name(f"{path.name}.part")
    try:
        with draft.open("wb") as stream, compressed_stream(stream, path.name) as out:
            counts = (_alone if ".json" in path.suffixes else write_lines)(records, out)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return counts


def write_lines(records: Iterable[StoredRecord], out: BinaryIO) -> tuple[int, int]:
    """Write records one a line; returns how many, and how many of them had more lines."""
    count = changed = 0
    for record in records:
        out.write(record.line + b"\n")
        count += 1
        changed += not record.is_one_line
    return count, changed


def stream_pieces(records: Iterable[StoredRecord], name: str) -> Iterator[bytes]:
    """The bytes of a file of this name, as they come."""
    buffer = io.BytesIO()
    with compressed_stream(buffer, name) as out:
        for record in records:
            out.write(record.line + b"\n")
            if buffer.tell() >= BYTES_PER_PIECE:
                yield buffer.getvalue()
                buffer.seek(0)
                buffer.truncate()
    yield buffer.getvalue()


def _alone(records: Iterable[StoredRecord], out: BinaryIO) -> tuple[int, int]:
    """Write the one record there is, as it was given."""
    (record,) = records
    out.write(record.data)
    return 1, 0


def compressed_stream(stream: BinaryIO, name: str) -> BinaryIO:
    """A stream that compresses as a file of this name is to be: `.gz`, `.zst`, or not at all."""
    if name.endswith((".gz", ".gzip")):
        return cast(BinaryIO, gzip.GzipFile("", "wb", fileobj=stream, mtime=0))
    if name.endswith((".zst", ".zstd")):
        writer = zstandard.ZstdCompressor().stream_writer(stream, closefd=False)
        return cast(BinaryIO, writer)
    return cast(BinaryIO, _Open(stream))


class _Open(io.RawIOBase):
    """A stream as it is; closing it leaves the stream open."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        return self.stream.write(cast(bytes, data))


def _into_folder(records: Iterable[StoredRecord], folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for record in records:
        (folder / f"{record.digest[:20]}.json").write_bytes(record.data)
        count += 1
    return count
