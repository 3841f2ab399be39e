"""Hand columns to DuckDB without copying them, through the Arrow C stream interface.

The structures are those of the Arrow C data interface (https://arrow.apache.org/docs/format/CDataInterface.html);
a producer as small as this needs no Arrow library.
"""

import ctypes
import errno
import signal
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate, count
from typing import Any, TypeVar

import duckdb

from analyzer.db.columns import Column, Columns

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
