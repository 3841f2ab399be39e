"""The tables as the loader fills them: their columns, with types, in order, as bytes in Arrow's layout."""

import ctypes
import errno
import signal
import struct
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import accumulate, chain, count
from typing import Any, NamedTuple, TypeVar

import duckdb

from records.cards import FACES, UNKNOWN_CARDS
from records.events import MELD_NAMES
from records.rules.registry import ALL_SHEETS

# Columns as bytes in Arrow's layout: what travels between processes and into the database.
#
# Making a column raises struct.error for a number its type cannot hold, and UnicodeEncodeError for a text that
# is not valid Unicode.

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


# Hand columns to DuckDB without copying them, through the Arrow C stream interface.
#
# The structures are those of the Arrow C data interface (https://arrow.apache.org/docs/format/CDataInterface.html);
# a producer as small as this needs no Arrow library.

NULLABLE_FLAG = 2
"""Arrow's flag for a column in which values may be missing."""

_Value = TypeVar("_Value")


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


def _release_type(structure: type[ctypes.Structure]) -> Any:
    return ctypes.CFUNCTYPE(None, ctypes.POINTER(structure))


_RELEASE_SCHEMA = _release_type(_Schema)
_RELEASE_ARRAY = _release_type(_Array)
_RELEASE_STREAM = _release_type(_Stream)
_GET_SCHEMA = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))
_GET_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))
_GET_ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_Stream))

_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)),
    ("release", _RELEASE_SCHEMA),
    ("private_data", ctypes.c_void_p),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.POINTER(_Array)),
    ("release", _RELEASE_ARRAY),
    ("private_data", ctypes.c_void_p),
]
_Stream._fields_ = [
    ("get_schema", _GET_SCHEMA),
    ("get_next", _GET_NEXT),
    ("get_last_error", _GET_ERROR),
    ("release", _RELEASE_STREAM),
    ("private_data", ctypes.c_void_p),
]

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def _releaser(release_type: Any) -> Any:
    """A release callback; it only marks a structure as released, because Python owns the memory."""

    def release(structure: Any) -> None:
        structure.contents.release = release_type()

    return release_type(release)


_release_schema = _releaser(_RELEASE_SCHEMA)
_release_array = _releaser(_RELEASE_ARRAY)
_release_stream = _releaser(_RELEASE_STREAM)

_RELEASE = ctypes.cast(_release_array, ctypes.c_void_p).value or 0
_FIELDS, _WORD, _SIZE = len(_Array._fields_), ctypes.sizeof(ctypes.c_void_p), ctypes.sizeof(_Array)
_BUFFERS, _CHILDREN = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.POINTER(_Array))


@contextmanager
def readable(connection: duckdb.DuckDBPyConnection, *chunks: Columns) -> Iterator[None]:
    """Let one statement of this connection read columns, as the table `incoming`.

    Every chunk has the same columns and some of the rows. Ctrl-C takes effect after the statement.
    """
    source = _ColumnSource(chunks)
    with _interrupts_held():
        connection.register("incoming", source)
        try:
            yield
        finally:
            connection.unregister("incoming")
            source.close()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Let Ctrl-C wait: Python drops what is raised in a callback, so that the signal would be lost, or rows."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread gets signals
        return
    held: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _: held.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if held:
            signal.raise_signal(signal.SIGINT)


class _ColumnSource:
    """Columns that DuckDB can read once; it must outlive the statement that reads it."""

    def __init__(self, chunks: tuple[Columns, ...]) -> None:
        self.chunks = chunks
        self._references: list[Any] = []
        self._left = list(reversed(chunks))
        self._error: Any = ctypes.create_string_buffer(b"")

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """A capsule with the stream, as Arrow's C stream interface requires."""
        stream = _Stream(
            get_schema=self._keep(_GET_SCHEMA(lambda _, out: self._fill(self._fill_schema, out))),
            get_next=self._keep(_GET_NEXT(lambda _, out: self._fill(self._fill_next, out))),
            get_last_error=self._keep(_GET_ERROR(lambda _: ctypes.addressof(self._error))),
            release=_release_stream,
        )
        self._keep(stream)
        return _new_capsule(ctypes.addressof(stream), b"arrow_array_stream", None)

    def close(self) -> None:
        """Release the memory, once the statement is over."""
        self._references.clear()

    def _keep(self, value: _Value) -> _Value:
        """Keep a reference: C holds only the address."""
        self._references.append(value)
        return value

    def _fill(self, fill: Callable[[Any], None], out: Any) -> int:
        """Fill a structure and return 0; if that fails return a number of errno, as the interface requires."""
        try:
            fill(out.contents)
        except Exception as error:
            self._error = ctypes.create_string_buffer(repr(error).encode())
            return errno.EIO
        return 0

    def _fill_schema(self, out: Any) -> None:
        children = [self._schema(name, column) for name, column in self.chunks[0].items()]
        out.format, out.name, out.release = b"+s", b"", _release_schema
        out.n_children, out.children = len(children), self._pointers(_Schema, children)

    def _schema(self, name: str, column: Column) -> Any:
        schema = _Schema(
            format=column.format.encode(),
            name=name.encode(),
            flags=NULLABLE_FLAG,
            release=_release_schema,
        )
        if column.items is not None:
            items = [self._schema("item", column.items)]
            schema.n_children, schema.children = 1, self._pointers(_Schema, items)
        if column.words is not None:
            schema.dictionary = ctypes.pointer(self._keep(self._schema("", column.words)))
        return schema

    def _fill_next(self, out: Any) -> None:
        if not self._left:
            out.release = _RELEASE_ARRAY()
            return
        columns = list(self._left.pop().values())
        layout = self._keep(ArrayLayout(columns))
        out.length, out.null_count, out.offset = columns[0].length, 0, 0
        out.release = _release_array
        out.n_buffers, out.buffers = 1, ctypes.cast(layout.null, _BUFFERS)
        out.n_children, out.children = len(columns), ctypes.cast(layout.children, _CHILDREN)

    def _pointers(self, structure: Any, children: list[Any]) -> Any:
        self._keep(children)
        pointer = ctypes.POINTER(structure)
        return self._keep((pointer * len(children))(*map(ctypes.pointer, children)))


class ArrayLayout:
    """Columns as Arrow arrays in one block of memory, with every pointer they need; the data lies elsewhere.

    The block holds the arrays (columns first, then their items or dictionaries), the pointers to the columns,
    one pointer per array to its inner array, the pointers to the data, and a null. One `struct.pack` writes
    it all: making `ctypes` structures takes longer than DuckDB takes to read them.
    """

    def __init__(self, columns: list[Column]) -> None:
        arrays, inner_numbers = list(columns), list[int]()
        for column in arrays:  # grows while it is read: inner arrays may have inner arrays
            inner = column.items or column.words
            inner_numbers.append(len(arrays) if inner else 0)
            arrays += [inner] if inner else []
        data = [buffer for column in arrays for buffer in (column.validity, *column.buffers)]
        word_counts = (_FIELDS * len(arrays), len(columns), len(arrays), len(data), 1)
        self._memory = (ctypes.c_int64 * sum(word_counts))()
        start = ctypes.addressof(self._memory)
        _, self.children, pointers, buffers, self.null = (
            start + _WORD * before for before in accumulate((0, *word_counts[:-1]))
        )
        addresses = range(start, self.children, _SIZE)
        inner_addresses = [addresses[number] if number else 0 for number in inner_numbers]
        values: list[int] = []
        for column, pointer, inner_address in zip(arrays, count(pointers, _WORD), inner_addresses):
            buffer_count = 1 + len(column.buffers)
            # The fields of ArrowArray in order; a null count of -1 leaves counting to the reader.
            values += (
                column.length, 0 if column.validity is None else -1, 0, buffer_count, column.items is not None,
                buffers, pointer, inner_address if column.words else 0, _RELEASE, 0,
            )  # fmt: skip
            buffers += _WORD * buffer_count
        values += [*addresses[: len(columns)], *inner_addresses, *_addresses(data), 0]
        struct.pack_into(f"{len(values)}q", self._memory, 0, *values)


def _addresses(data: list[bytes | None]) -> list[int]:
    """The addresses of bytes objects, 0 for None; they stay valid as long as their columns live."""
    pointers = (ctypes.c_char_p * len(data))(*data)
    return list((ctypes.c_int64 * len(data)).from_buffer(pointers))


# The tables of the loader.
#
# `ROW_TABLES` are filled row by row. `PACKED_TABLES` have many rows per deal: they are packed column by column, with
# names as numbers in the order of `SHEET_IDS`, `ROLES`, `POINT_SOURCES` and the like, and `NULL_NUMBER` for a missing
# value.

SHEET_IDS = tuple(sheet.id for sheet in ALL_SHEETS)
ROLES = ("dealer", "leader", "other")
POINT_SOURCES = (
    "meld", "dix", "turned_seven", "tenth_trick", "last_trick", "all_last_tricks", "brisques",
    "carte_blanche", "cut", "guess", "zetema", "ruling",
)  # fmt: skip
"""The sources of points, in the order of the columns of `seats`."""

MELD_NAMES_AND_NONE = (*MELD_NAMES, None)
"""The names of melds; the last place is for points that are not for a meld."""

CARDS_AND_NONE = (*FACES, *[None] * len(UNKNOWN_CARDS))
"""The cards as the tables name them; the last places are for those that are not known, the first of them for none."""
CARD_USES = ("draw", "meld", "dix", "discard")
"""What becomes of a card that is not played to a trick, in the order of their numbers."""

WORD, INTEGER_LIST, TEXT_LIST = "word", "numbers", "texts"
ColumnKind = str | tuple[str | None, ...]
"""A column type, or the names that the numbers of a column stand for."""

COLUMN_MAKERS: dict[str, Callable[[Sequence[Any]], Column]] = {
    WORD: word_column,
    TEXT: text_column,
    BLOB: blob_column,
    INTEGER_LIST: lambda values: list_column(values, INTEGER),
    TEXT_LIST: lambda values: list_column(values, TEXT),
}
"""How a column of each type is made; all other types are numbers."""

BOOL = UNSIGNED_TINY
NULL_NUMBER = 255
"""Stands for NULL in `NULLABLE_COLUMNS`: no seat, side or truth value has this number."""

ROW_TABLES = {
    "records": {
        "game": BIG, "digest": TEXT, "name": WORD, "line": INTEGER, "size": INTEGER, "data": BLOB,
    },
    "games": {
        "game": BIG, "digest": TEXT, "sheet": WORD, "edition": INTEGER, "options": WORD,
        "players": UNSIGNED_TINY, "names": TEXT_LIST, "written": TEXT_LIST, "persons": TEXT_LIST,
        "people": TEXT_LIST, "event": WORD, "site": WORD, "started": INSTANT, "utc_offset": SMALL,
        "started_at": INSTANT, "program": WORD, "program_version": WORD, "verdict": WORD, "status": WORD, "complete": BOOL,
        "winner": UNSIGNED_TINY, "scores": INTEGER_LIST, "settlement": INTEGER_LIST, "deals": INTEGER,
        "events": INTEGER, "findings": INTEGER, "clean": BOOL, "variant": BIG, "month": DAY,
    },
    "traces": {"game": BIG, "trace": BIG},
    "former_digests": {"game": BIG, "digest": TEXT},
    "deals": {
        "game": BIG, "deal": SMALL, "sheet": WORD, "clean": BOOL, "legal": BOOL, "tainted": BOOL,
        "complete": BOOL, "dealer": UNSIGNED_TINY, "leader": UNSIGNED_TINY, "trump": WORD,
        "turn_up": WORD, "tricks": SMALL, "events": SMALL, "findings": INTEGER, "scores": INTEGER_LIST,
        "winner": UNSIGNED_TINY, "margin": INTEGER, "match_scores": INTEGER_LIST,
    },
    "seats": {
        "game": BIG, "deal": SMALL, "sheet": WORD, "clean": BOOL, "seat": UNSIGNED_TINY,
        "side": UNSIGNED_TINY, "player": WORD, "player_id": WORD, "kind": WORD, "role": WORD,
        "strength": SMALL, "points": INTEGER, "outcome": DOUBLE,
        **{f"{source}_points": INTEGER for source in POINT_SOURCES},
        "melds": SMALL, "tricks": SMALL, "brisques": SMALL, "won_last_trick": BOOL, "opponent": WORD,
        "points_against": INTEGER, "deal_tricks": SMALL, "brisques_missed": SMALL,
        "match_score": INTEGER, "match_score_against": INTEGER, "match_outcome": DOUBLE,
        "variant": BIG, "month": DAY, "program": WORD,
        "players": UNSIGNED_TINY,
        **dict.fromkeys(("tricks_led", "led_tricks_won", "led_brisques"), SMALL),
        "let_go": SMALL, "let_go_known": SMALL, "points_ahead_led": BIG, "tricks_ahead_led": INTEGER,
        "leads": SMALL, "leads_held": SMALL, "own_leads": BIG,
        "scorings": SMALL, "royal_melds": SMALL, "timed_melds": SMALL, "meld_tricks": INTEGER,
        "points_of_partners": INTEGER,
        **dict.fromkeys(("trumps_led", "brisques_led", "brisques_played", "brisques_given", "closed_tricks"), SMALL),
        **dict.fromkeys(("forced_cards", "cards_thrown", "cards_drawn", "cards_melded"), SMALL),
    },
    "findings": {
        "game": BIG, "sheet": WORD, "code": WORD, "severity": WORD, "deal": SMALL, "event": SMALL,
        "trick": SMALL, "seat": UNSIGNED_TINY, "rule": WORD, "message": TEXT, "tainted": BOOL,
    },
    "rejected": {
        "content": TEXT, "name": WORD, "line": INTEGER, "size": INTEGER, "reason": TEXT, "findings": TEXT,
    },
    "waiting_records": {
        "content": TEXT, "rulebook": WORD, "name": WORD, "line": INTEGER, "size": INTEGER, "data": BLOB,
    },
    "rulebooks": {"rulebook": TEXT, "content": TEXT, "made_by": TEXT},
    "renames": {"person": TEXT, "same_as": TEXT, "name": TEXT},
    "corrections": {
        "game": BIG, "number": INTEGER, "subject": WORD, "place": SMALL, "value": TEXT, "reason": TEXT, "made_by": TEXT,
        "undone_by": TEXT, "undone_at": INSTANT,
    },
    "evening_steps": {"evening": BIG, "number": INTEGER, "content": TEXT, "made_by": TEXT},
    "studies": {"study": TEXT, "number": INTEGER, "content": TEXT, "visibility": WORD, "size": INTEGER, "made_by": TEXT},
    "work_requests": {"kind": WORD, "digest": TEXT, "terms": TEXT, "resumed": SMALL},
    "imports": {
        "import": BIG, "name": WORD, "path": TEXT, "size": BIG, "modified_ns": BIG, "job": WORD,
    },
    "import_batches": {
        "import": BIG, "start": BIG, "stop": BIG, "line": INTEGER, "lines": INTEGER, "final": BOOL,
        **dict.fromkeys(("records", "stored", "known", "rejected", "deals", "events", "findings"), INTEGER),
    },
}  # fmt: skip
"""The tables filled row by row, with the types of their columns."""

TRICK_COLUMNS: dict[str, ColumnKind] = {
    "game": BIG, "deal": SMALL, "sheet": SHEET_IDS, "clean": BOOL, "deal_winner": UNSIGNED_TINY, "trick": SMALL,
    "event": SMALL, "closed": BOOL, "leader": UNSIGNED_TINY, "winner": UNSIGNED_TINY, "brisques": UNSIGNED_TINY,
    "tricks_ahead": SMALL, "points_ahead": INTEGER, "missed": BOOL, "players": UNSIGNED_TINY, "lead_gap": SMALL,
    "trumps": UNSIGNED_TINY, "led": CARDS_AND_NONE, "second": CARDS_AND_NONE, "third": CARDS_AND_NONE,
    "fourth": CARDS_AND_NONE, "fifth": CARDS_AND_NONE, "sixth": CARDS_AND_NONE, "lead_forced": BOOL, "reply_forced": BOOL,
}  # fmt: skip
SCORE_COLUMNS: dict[str, ColumnKind] = {
    "game": BIG, "deal": SMALL, "sheet": SHEET_IDS, "clean": BOOL, "event": SMALL, "trick": SMALL,
    "seat": UNSIGNED_TINY, "source": POINT_SOURCES, "meld": MELD_NAMES_AND_NONE, "royal": BOOL, "points": INTEGER, "side": UNSIGNED_TINY,
    "role": ROLES,
}  # fmt: skip
CARD_COLUMNS: dict[str, ColumnKind] = {
    "game": BIG, "deal": SMALL, "sheet": SHEET_IDS, "clean": BOOL, "event": SMALL, "seat": UNSIGNED_TINY,
    "use": CARD_USES, "card": CARDS_AND_NONE,
}  # fmt: skip
PACKED_TABLES = {"tricks": TRICK_COLUMNS, "scores": SCORE_COLUMNS, "cards": CARD_COLUMNS}
"""The tables filled column by column, with the types of their columns."""

NULLABLE_COLUMNS = {
    "tricks": ("deal_winner", "missed", "lead_forced", "reply_forced"),
    "scores": ("royal",),
}
"""The columns of those tables in which `NULL_NUMBER` stands for NULL."""


def select_list(table: str, columns: Iterable[str]) -> str:
    """A SELECT list that turns the loader's columns into those of a table."""
    nulls = NULLABLE_COLUMNS.get(table, ())
    return ", ".join(f"nullif({c}, {NULL_NUMBER}) AS {c}" if c in nulls else c for c in columns)


def columns_of(table: str, rows: list[tuple[object, ...]]) -> Columns:
    """Rows as columns; raises struct.error and UnicodeEncodeError for values no column can hold."""
    kinds = ROW_TABLES[table]
    values = zip(*rows, strict=True) if rows else [()] * len(kinds)
    return {
        name: _column(kind, column)
        for (name, kind), column in zip(kinds.items(), values, strict=True)
    }


def columns_with_time(table: str, time: str, rows: Sequence[tuple[Any, ...]]) -> Columns:
    """Rows as columns, the last of which is their time, in microseconds since 1970."""
    times = number_column(INSTANT, [row[-1] for row in rows])
    return columns_of(table, [row[:-1] for row in rows]) | {time: times}


def _column(kind: str, values: Sequence[Any]) -> Column:
    return COLUMN_MAKERS[kind](values) if kind in COLUMN_MAKERS else number_column(kind, values)
