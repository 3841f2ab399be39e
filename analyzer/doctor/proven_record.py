"""A record and the proof that it is whole: its digest."""

from dataclasses import dataclass

import zstandard

from records import codec

MOST_RECORD_BYTES = 256 * 1024 * 1024
"""The most bytes that a damaged frame may claim to hold."""


@dataclass(frozen=True, slots=True)
class RescuedRecord:
    """A record as it was uploaded; `name` and `line` are those of its file, where they could be read."""

    digest: str
    data: bytes
    name: str = "rescued.jsonl"
    line: int | None = None


def unpack_whole(data: bytes) -> bytes | None:
    """Stored bytes as they were uploaded; None if they are damaged."""
    if not data.startswith(zstandard.FRAME_HEADER):
        return data
    try:
        return zstandard.ZstdDecompressor().decompress(data, max_output_size=MOST_RECORD_BYTES)
    except (zstandard.ZstdError, MemoryError):
        return None


def digest_of(data: bytes | None) -> str | None:
    """The digest of a record; None if the bytes are none."""
    return None if data is None else codec.decode(data).digest()
