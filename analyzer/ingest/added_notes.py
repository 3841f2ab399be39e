"""Notes that come with a game that is already stored: added to its record, which otherwise stays as it was uploaded."""

from collections.abc import Sequence
from json import JSONDecoder

import msgspec
from msgspec.structs import replace

from analyzer.db.packing.packed_record import record_packer, unpack_record
from analyzer.db.store import Store
from records import codec
from records.record import Note
from records.validator import check_record

MOST_NOTES_STORED = 1_000
"""A record takes no more notes than this."""
SELECT_RECORD = "SELECT data FROM records WHERE digest = $digest"
UPDATE_RECORD = """
    UPDATE records SET data = $data, size = $size WHERE digest = $digest AND data = $before
"""
WHITESPACE = " \t\r\n"


def add_notes(store: Store, digest: str, data: bytes) -> int:
    """Add to a stored record the notes that the same game has in `data` and the record has not; returns how many.

    None are added if the record has changed meanwhile. Raises StoreError.
    """
    packed = store.rows(SELECT_RECORD, {"digest": digest}).rows
    if not packed:
        return 0
    longer, new = merge_notes(unpack_record(packed[0][0]), data)
    if not new:
        return 0
    changed = {"data": record_packer()(longer), "size": len(longer)}
    with store.writing() as cursor:
        cursor.execute(UPDATE_RECORD, {**changed, "digest": digest, "before": packed[0][0]})
        made = cursor.fetchone()
    return new if made and made[0] else 0


def merge_notes(text: bytes, data: bytes) -> tuple[bytes, int]:
    """The text of a record with the notes that the same game has in `data` and the record has not, and how many.

    Every other byte of the record stays. None are added to a record with findings on its text, and none that would
    change the report on it.
    """
    stored, sent = codec.decode(text), codec.decode(data)
    if stored.record is None or stored.findings or sent.record is None or not sent.record.notes:
        return text, 0
    known = stored.record.notes or []
    new = [note for note in sent.record.notes if note not in known]
    if not new or len(known) + len(new) > MOST_NOTES_STORED or sent.digest() != stored.digest():
        return text, 0
    noted = replace(stored.record, notes=[*known, *new])
    longer = _write_notes(text, new)
    reread = codec.decode(longer)
    if reread.findings or reread.record != noted or reread.digest() != stored.digest():
        return text, 0
    if check_record(noted).findings != check_record(stored.record).findings:
        return text, 0
    return longer, len(new)


def _write_notes(record: bytes, new: Sequence[Note]) -> bytes:
    """The text of a record with these notes after its own; nothing else of it changes."""
    text = record.decode()
    written = ",".join(msgspec.json.encode(note).decode() for note in new)
    end = _end_of_member(text, "notes")
    if end is not None and text[end - 1] == "]":
        listed = text[: end - 1].rstrip(WHITESPACE)
        comma = "" if listed.endswith("[") else ","
        return f"{listed}{comma}{written}{text[len(listed) :]}".encode()
    members = text.rstrip(WHITESPACE)[:-1].rstrip(WHITESPACE)
    return f'{members},"notes":[{written}]{text[len(members) :]}'.encode()


def _end_of_member(text: str, name: str) -> int | None:
    """Where the value of a member of a JSON object ends; None without one. The text is known to be such an object."""
    # Numbers stay texts: Python reads no integer of more than 4,300 digits.
    read_value = JSONDecoder(parse_int=str, parse_float=str).raw_decode
    at = _after(text, text.index("{") + 1)
    while text[at : at + 1] == '"':
        key, at = read_value(text, at)
        _, at = read_value(text, _after(text, text.index(":", at) + 1))
        if key == name:
            return at
        at = _after(text, _after(text, at) + 1)  # past the comma or the last brace
    return None


def _after(text: str, at: int) -> int:
    """The first place from here on without whitespace."""
    while text[at : at + 1] in (" ", "\t", "\r", "\n"):
        at += 1
    return at
