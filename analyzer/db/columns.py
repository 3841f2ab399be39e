"""Columns as bytes in Arrow's layout: what travels between processes and into the database.

Making a column raises struct.error for a number its type cannot hold, and UnicodeEncodeError for a text that
is not valid Unicode.
"""

import struct
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import accumulate, chain
from typing import Any, NamedTuple

STRUCT_CODES = {"c": "b", "C": "B", "s": "h", "i": "i", "l": "q", "g": "d", "tdD": "i", "tsu:": "q"}
"""Number types: their Arrow format and their `struct` format."""

TINY, UNSIGNED_TINY, SMALL, INTEGER, BIG, DOUBLE, DAY, INSTANT = STRUCT_CODES
EPOCH = datetime(1970, 1, 1)
"""Where days and instants are counted from, in UTC."""
MICROSECOND = timedelta(microseconds=1)
"""The unit of an instant."""
TEXT, BLOB, LIST = "u", "z", "+l"


class Column(NamedTuple):
    """Values of one type; `validity` is a bitmap with a bit set for every value that is not NULL, or None.

    `words` holds the texts that the numbers of a word column stand for, `items` the values of all lists of a
    list column.
    """

    format: str
    length: int
    validity: bytes | None
    buffers: tuple[bytes, ...]
    words: "Column | None" = None
    items: "Column | None" = None


Columns = dict[str, Column]


def number_column(kind: str, values: Sequence[Any]) -> Column:
    """Numbers, some of which may be None."""
    validity = None
    if None in values:
        validity = _bitmap(values)
        values = [0 if value is None else value for value in values]
    return Column(kind, len(values), validity, (pack_numbers(kind, values),))


def pack_numbers(kind: str, values: Sequence[int]) -> bytes:
    """Numbers as bytes; `struct` packs lists three times as fast as `array`."""
    return _packer(kind, len(values))(*values)


@lru_cache(maxsize=4096)
def _packer(kind: str, length: int) -> Callable[..., bytes]:
    return struct.Struct(f"{length}{STRUCT_CODES[kind]}").pack


def text_column(values: Sequence[str | None]) -> Column:
    """Texts, some of which may be None."""
    return _variable_length(TEXT, values, [(value or "").encode() for value in values])


def blob_column(values: Sequence[bytes]) -> Column:
    """Bytes objects."""
    return _variable_length(BLOB, values, values)


def word_column(values: Sequence[str | None]) -> Column:
    """Texts with few different values: each is stored once, and every row is a number."""
    different = dict.fromkeys(values)
    places = {word: place for place, word in enumerate(different)}
    data = pack_numbers(INTEGER, [places[word] for word in values])
    return coded_column(data, len(values), list(different), INTEGER)


def coded_column(
    places: bytes, length: int, different: Sequence[str | None], kind: str = UNSIGNED_TINY
) -> Column:
    """Texts as numbers of type `kind` that are already packed: indices into `different`."""
    return Column(kind, length, None, (places,), words=text_column(different))


def list_column(values: Sequence[Sequence[Any] | None], kind: str) -> Column:
    """Lists of numbers or of texts, some of which may be None."""
    flat = list(chain.from_iterable(value or () for value in values))
    items = text_column(flat) if kind == TEXT else number_column(kind, flat)
    offsets = _offsets(len(value or ()) for value in values)
    return Column(LIST, len(values), _bitmap_if_any(values), (offsets,), items=items)


def _variable_length(kind: str, values: Sequence[Any], encoded: Sequence[bytes]) -> Column:
    buffers = (_offsets(map(len, encoded)), b"".join(encoded))
    return Column(kind, len(values), _bitmap_if_any(values), buffers)


def _offsets(sizes: Iterable[int]) -> bytes:
    return pack_numbers(INTEGER, list(accumulate(sizes, initial=0)))


def _bitmap_if_any(values: Sequence[Any]) -> bytes | None:
    return _bitmap(values) if None in values else None


def _bitmap(values: Sequence[Any]) -> bytes:
    """One bit per value, lowest bit first, set where the value is not None."""
    bits = "".join("0" if value is None else "1" for value in reversed(values))
    return int(bits, 2).to_bytes(len(values) // 8 + 1, "little")
