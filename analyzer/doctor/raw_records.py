"""Records found in the bytes of a database without DuckDB: each is a frame of zstd, which begins with a mark.

A short record lies in one piece. A long one continues in another block, whose number stands in the last eight
bytes of the block before.
"""

import mmap
import struct
from collections.abc import Iterator
from pathlib import Path

import zstandard

from analyzer.db.packing.packed_record import MOST_RECORD_BYTES, RecordDamaged, decode_events
from analyzer.doctor.mended_copy import BLOCK_BYTES, CHECKSUM, FIRST_BLOCK

BLOCK_NUMBER = struct.Struct("<q")
PIECE_BYTES = 64 * 1024
MOST_BLOCKS = 1024
"""The most blocks that one record may go through."""


def find_raw_records(path: Path, *, blocks: bool) -> Iterator[bytes]:
    """The record in every whole frame of a file; with `blocks` the file is a database, else a log.

    Raises OSError.
    """
    if path.stat().st_size == 0:
        return
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        at = data.find(zstandard.FRAME_HEADER)
        while at >= 0:
            whole = _unpack(_pieces(data, at, blocks=blocks))
            if whole is None and blocks:
                whole = _unpack(_chained_pieces(data, at))
            if whole is not None:
                yield whole
            at = data.find(zstandard.FRAME_HEADER, at + 1)


def _unpack(pieces: Iterator[bytes]) -> bytes | None:
    """The record in a frame; None if it is damaged or does not end."""
    decompressor = zstandard.ZstdDecompressor().decompressobj()
    found, size = [], 0
    for piece in pieces:
        try:
            found.append(decompressor.decompress(piece))
            if decompressor.eof:
                return decode_events(b"".join(found))
        except (zstandard.ZstdError, RecordDamaged):
            return None
        size += len(found[-1])
        if size > MOST_RECORD_BYTES:
            return None
    return None


def _pieces(data: mmap.mmap, at: int, *, blocks: bool) -> Iterator[bytes]:
    """The bytes from a place to the end of its block, or of the file."""
    end = _end_of_block(at) if blocks else len(data)
    for start in range(at, min(end, len(data)), PIECE_BYTES):
        yield data[start : min(start + PIECE_BYTES, end)]


def _chained_pieces(data: mmap.mmap, at: int) -> Iterator[bytes]:
    """The bytes from a place on through the blocks that continue them."""
    for _ in range(MOST_BLOCKS):
        end = _end_of_block(at) - BLOCK_NUMBER.size
        if end + BLOCK_NUMBER.size > len(data) or at >= end:
            return
        yield data[at:end]
        (number,) = BLOCK_NUMBER.unpack(data[end : end + BLOCK_NUMBER.size])
        at = FIRST_BLOCK + number * BLOCK_BYTES + CHECKSUM.size
        if number < 0 or at >= len(data):
            return


def _end_of_block(at: int) -> int:
    return at + BLOCK_BYTES - (at - FIRST_BLOCK) % BLOCK_BYTES
