"""Records as they are stored: packed each on its own, and unpacked byte for byte.

Stored records depend on the numbers of events here: they never change, and every packed form ever written can be read.
"""

import struct
from collections.abc import Callable, Iterator
from functools import cache
from itertools import compress, product, repeat

import zstandard

from analyzer.store.instance import StoreDamaged

# The events that packed records name by numbers. Stored records depend on them, so that they never change.
#
# Nothing here follows the format: where the format gets a card or an event, this list does not. What is not in it is
# stored as it stands. A longer list would be another version, beside this one, and with another mark before it.

_SEATS = range(6)
_SUITS = "SHDC"
_CARDS = (
    *(rank + suit for suit, rank in product(_SUITS, "AKQJT98765432")),
    *(f"{rank}{suit}.{copy}" for suit, rank, copy in product(_SUITS, "AKQJT987", range(1, 7))),
    "?",
)
_TURNS = (
    ("play", ""),
    ("play", ',"from":"hand"'),
    ("play", ',"from":"table"'),
    ("draw", ""),
    ("discard", ""),
)
"""Types of events with a card, and what stands after it."""


@cache
def codes_by_event() -> dict[bytes, bytes]:
    """The two bytes that stand for the text of an event, from 1 to 250 each: its type and seat, and its card.

    The card of a trick is 0.
    """
    return {text.encode(): bytes((kind, card)) for kind, card, text in _numbered_events()}


@cache
def events_by_number() -> dict[int, bytes]:
    """The text of an event by its two bytes as a number, of which the first is the smaller."""
    return {int.from_bytes(code, "little"): text for text, code in codes_by_event().items()}


def _numbered_events() -> Iterator[tuple[int, int, str]]:
    for kind, seat in enumerate(_SEATS, 1):
        yield kind, 0, f'"type":"trick","winner":{seat}'
    for kind, ((name, rest), seat) in enumerate(product(_TURNS, _SEATS), 1 + len(_SEATS)):
        for number, card in enumerate(_CARDS, 1):
            yield kind, number, f'"type":"{name}","seat":{seat},"card":"{card}"{rest}'


# Packing and unpacking: whatever does one of them does it here.
#
# A record is mostly plays, draws and tricks, of which there are only some thousand different texts. Each is written as
# two bytes, the first bytes apart from the second, and all else as it stands; zstd, with a checksum, does the rest. That
# takes two thirds of the space that zstd needs alone. Records that earlier versions stored are compressed with zstd alone,
# and Parquet files have them as they were uploaded: both are unpacked, too.
#
# This reader is the one thing of the database that never changes: `bezique upgrade` builds everything else from what it
# reads. It reads every form in which a record was ever stored. A new form gets a mark of its own, and takes none away.

RECORD_ZSTD_LEVEL = 1
"""zstd's fastest level but for those that save too little."""

MOST_BYTES_INLINE = 4095
"""Bytes of a packed record that DuckDB keeps beside the others. For larger ones it begins another block of 256 KiB with
every 256 KiB of records, however few are so large: one in 200 makes the database larger by a quarter."""

TIGHT_ZSTD_LEVEL, MOST_BYTES_TO_SHRINK = 9, 4600
"""This level takes eight times as long and saves a tenth: enough to fit records of up to so many bytes."""

MOST_RECORD_BYTES = 256 * 1024 * 1024
"""The most bytes that something packed may claim to hold."""

CODED_MARK = b"\x01"
"""What coded text begins with: no record does, neither as JSON nor in the notation."""

BETWEEN_EVENTS = b"},{"
AS_IT_STANDS = b"\0\0"
"""The code of what has none."""
END_OF_TEXT = b"\xff"
"""What stands before the codes, none of which has this byte."""
_MARK_TEXTS = bytes((1,)).ljust(256, b"\0")
_LONGEST_EVENT = 64
"""More bytes than an event with a code has, with what stands between it and the next."""


class RecordDamaged(StoreDamaged):
    """What is stored of a record is not what was stored."""


def record_packer() -> Callable[[bytes], bytes]:
    """A function that packs records, all with one compressor, which is faster than one at a time.

    A record that is a little too large to be stored beside the others is packed more tightly. The checksum tells a
    damaged record from a whole one, also where the digest does not cover its bytes.
    """
    pack_text = zstandard.ZstdCompressor(level=RECORD_ZSTD_LEVEL, write_checksum=True).compress

    def pack(data: bytes) -> bytes:
        coded = encode_events(data)
        packed = pack_text(coded)
        if MOST_BYTES_INLINE < len(packed) <= MOST_BYTES_TO_SHRINK:
            tight = zstandard.ZstdCompressor(level=TIGHT_ZSTD_LEVEL, write_checksum=True)
            packed = min(packed, tight.compress(coded), key=len)
        return packed

    return pack


def unpack_record(data: bytes) -> bytes:
    """A record as it was uploaded, from what is stored of it; raises RecordDamaged."""
    if not data.startswith(zstandard.FRAME_HEADER):
        return data
    try:
        if zstandard.frame_content_size(data) > MOST_RECORD_BYTES:
            raise RecordDamaged("a stored record claims to be larger than records are")
        coded = zstandard.ZstdDecompressor().decompress(data, max_output_size=MOST_RECORD_BYTES)
    except zstandard.ZstdError as error:
        raise RecordDamaged(f"a stored record is damaged: {error}") from error
    return decode_events(coded)


def encode_events(data: bytes) -> bytes:
    """The text of a record with its events as codes, whatever it is."""
    pieces = data.split(BETWEEN_EVENTS)
    codes = b"".join(map(codes_by_event().get, pieces, repeat(AS_IT_STANDS)))
    kinds = codes[::2]
    texts = BETWEEN_EVENTS.join(compress(pieces, kinds.translate(_MARK_TEXTS)))
    return b"".join((CODED_MARK, texts, END_OF_TEXT, kinds, codes[1::2]))


def decode_events(coded: bytes) -> bytes:
    """What `encode_events` was given, or the text itself if it was not coded; raises RecordDamaged."""
    if not coded.startswith(CODED_MARK):
        return coded
    joined, end, columns = coded[len(CODED_MARK) :].rpartition(END_OF_TEXT)
    count = len(columns) // 2
    if len(joined) + count * _LONGEST_EVENT > MOST_RECORD_BYTES:
        raise RecordDamaged("a stored record claims to be larger than records are")
    codes = bytearray(2 * count)
    codes[::2], codes[1::2] = columns[:count], columns[count : 2 * count]
    numbers = struct.unpack(f"<{count}H", codes)
    texts = joined.split(BETWEEN_EVENTS)
    if not end or len(columns) % 2 or len(texts) != max(1, numbers.count(0)):
        raise RecordDamaged("a stored record has not as many codes as it needs")
    events, rest = events_by_number(), iter(texts)
    try:
        pieces = [events[number] if number else next(rest) for number in numbers]
    except KeyError as error:
        raise RecordDamaged("a stored record has a code that means nothing") from error
    return BETWEEN_EVENTS.join(pieces)
