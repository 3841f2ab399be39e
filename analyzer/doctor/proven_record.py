"""A record and the proof that it is whole: its digest."""

from dataclasses import dataclass

from analyzer.db.packing.packed_record import RecordDamaged, unpack_record
from records import codec


@dataclass(frozen=True, slots=True)
class RescuedRecord:
    """A record as it was uploaded; `name` and `line` are those of its file, where they could be read."""

    digest: str
    data: bytes
    name: str = "rescued.jsonl"
    line: int | None = None


def unpack_whole(data: bytes) -> bytes | None:
    """Stored bytes as they were uploaded; None if they are damaged."""
    try:
        return unpack_record(data)
    except (RecordDamaged, MemoryError):
        return None


def digest_of(data: bytes | None) -> str | None:
    """The digest of a record; None if the bytes are none."""
    return None if data is None else codec.decode(data).digest()
