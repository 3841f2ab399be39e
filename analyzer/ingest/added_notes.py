"""Notes that come with a game that is already stored: added to its record, which otherwise stays as it was uploaded."""

import zstandard
from msgspec.structs import replace

from analyzer.db.store import Store
from analyzer.ingest.batch import RECORD_ZSTD_LEVEL
from records import codec
from records.record import Record
from records.validator import check_record

MOST_NOTES_STORED = 1_000
"""A record takes no more notes than this."""
UPDATE_RECORD = "UPDATE records SET data = $data, size = $size WHERE digest = $digest"


def add_notes(store: Store, digest: str, data: bytes) -> int:
    """Add to a stored record the notes that the same game has in `data` and the record has not; returns how many.

    None are added that would change the report on the record. Raises StoreError.
    """
    stored, sent = _read(store.record_bytes(digest)), _read(data)
    if stored is None or sent is None or not sent.notes:
        return 0
    known = stored.notes or []
    new = [note for note in sent.notes if note not in known]
    noted = replace(stored, notes=[*known, *new])
    if not new or len(known) + len(new) > MOST_NOTES_STORED:
        return 0
    if check_record(noted).findings != check_record(stored).findings:
        return 0
    text = codec.encode(noted)
    if codec.decode(text).digest() != digest:
        return 0
    packed = zstandard.ZstdCompressor(level=RECORD_ZSTD_LEVEL, write_checksum=True).compress(text)
    with store.writing() as cursor:
        cursor.execute(UPDATE_RECORD, {"data": packed, "size": len(text), "digest": digest})
    return len(new)


def _read(data: bytes | None) -> Record | None:
    return None if data is None else codec.decode(data).record
