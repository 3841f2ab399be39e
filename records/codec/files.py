"""A file, record by record: plain or compressed, with one record in all, one per line, or several in the notation."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

import msgspec

from records.codec.compression import ExpandedStream
from records.codec.location import make_finding
from records.record import MAX_RECORD_BYTES, NOTATION_START
from records.validate.finding import Finding

_BLANKS = b" \t\r\n"
_TEXT = re.compile(rb"[^ \t\r\n]")
_COMPRESSED_SUFFIXES = (".gz", ".gzip", ".zst", ".zstd")
_BY_LINE_SUFFIXES = (".jsonl", ".ndjson")
_NEXT_IN_NOTATION = re.compile(rb"\n(?=\[bezique[ \t\r\n\]])")
_TELLING_BYTES = 1024

FileLayout = Literal["one", "lines", "notation"]
"""Where the records of a file are: one in all, one per line, or one after the other in the notation."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One record of a file, as bytes; `line` is its line, or its first, where a file may have several records.

    Findings say why there is nothing to decode; `data` is then as much of the text as was kept.
    """

    name: str
    line: int | None
    data: bytes
    findings: list[Finding] = field(default_factory=list)


def read_entries(source: Path | BinaryIO, *, name: str | None = None) -> Iterator[Entry]:
    """The records of a file in order, never more than one of them in memory.

    The first bytes tell gzip and zstd, and the notation. The name (`.json`, `.jsonl`), or else the first lines,
    tell whether a file of JSON has one record or one per line. Raises OSError if reading fails.
    """
    if isinstance(source, Path):
        with source.open("rb") as stream:
            yield from read_entries(stream, name=name or str(source))
        return
    yield from _read_pieces(ExpandedStream(source), name)


def _read_pieces(pieces: ExpandedStream, name: str | None) -> Iterator[Entry]:
    content, layout = open_content(pieces, name)
    yield from _READERS[layout](pieces, content, name or "-")


class EntryTotals(NamedTuple):
    """How many entries a file has, and how many bytes they have together.

    `expanded` are the bytes that came out of a compressed file, with the blanks around the entries.
    """

    records: int
    size: int
    expanded: int


def count_entries(source: BinaryIO, *, name: str | None = None, most: int) -> EntryTotals | None:
    """How many entries a file has, counted up to one more than `most`, and their size; None if it expands too far."""
    count = size = 0
    pieces = ExpandedStream(source)
    for entry in _read_pieces(pieces, name):
        count, size = count + 1, size + len(entry.data)
        if any(finding.code == "expands-too-far" for finding in entry.findings):
            return None
        if count > most:
            break
    return EntryTotals(count, size, pieces.expanded)


def open_content(pieces: ExpandedStream, name: str | None) -> tuple[Iterator[bytes], FileLayout]:
    """The content of a file, and where its records are."""
    content = iter(pieces)
    start = _first_bytes(content)
    if NOTATION_START.match(start):
        return chain([start], content), "notation"
    by_line = _by_line_of_name(name or "")
    if by_line is None:
        start, by_line = _look_ahead(chain([start], content))
    return chain([start], content), "lines" if by_line else "one"


def _first_bytes(content: Iterator[bytes]) -> bytes:
    """As many bytes as tell whether a file is in the notation."""
    start = b""
    while len(start) < _TELLING_BYTES and (piece := next(content, b"")):
        start += piece
    return start


def _by_line_of_name(name: str) -> bool | None:
    """Whether a file name says one record per line; None if the name does not tell."""
    stem = name.lower()
    for ending in _COMPRESSED_SUFFIXES:
        stem = stem.removesuffix(ending)
    return True if stem.endswith(_BY_LINE_SUFFIXES) else False if stem.endswith(".json") else None


def _look_ahead(pieces: Iterable[bytes]) -> tuple[bytes, bool]:
    """The start of a file, and whether it looks like one record per line."""
    start, ends = bytearray(), _LineEnds()
    for piece in pieces:
        start += piece
        ends.find_in(start)
        if ends.first is not None and ends.has_second and ends.is_first_whole(start):
            return bytes(start), True
        if ends.second is not None:
            return bytes(start), ends.is_second_record(start)
        if len(start) > MAX_RECORD_BYTES:
            return bytes(start), ends.first is None
    return bytes(start), ends.has_second and ends.is_second_record(start)


class _LineEnds:
    """Where the first two lines with text end in the start of a file; nothing that has come is searched again."""

    def __init__(self) -> None:
        self.first: int | None = None
        self.second: int | None = None
        self.has_second = False
        self._line = self._from = 0
        self._in_text = False
        self._whole: bool | None = None

    def find_in(self, start: bytearray) -> None:
        """Search what has come since the last time."""
        while self.second is None:
            if not self._in_text:
                text = _TEXT.search(start, self._from)
                self._from = len(start) if text is None else text.start()
                if text is None:
                    return
                self._in_text, self._line = True, self._from
                self.has_second = self.first is not None
            end = start.find(b"\n", self._from)
            self._from = len(start) if end < 0 else end + 1
            if end < 0:
                return
            self._in_text = False
            if self.first is None:
                self.first, self._first_line = end, self._line
            else:
                self.second = end

    def is_first_whole(self, start: bytearray) -> bool:
        """Whether the first line is a whole JSON object."""
        if self._whole is None:
            self._whole = _members(bytes(start[self._first_line : self.first])) is not None
        return self._whole

    def is_second_record(self, start: bytearray) -> bool:
        """Whether the second line is a whole JSON object with a format."""
        return "format" in (_members(bytes(start[self._line : self.second])) or ())


def _members(line: bytes) -> dict[str, msgspec.Raw] | None:
    """The members of a line that is a whole JSON object, else None."""
    try:
        return msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def read_only_entry(pieces: ExpandedStream, content: Iterator[bytes], name: str) -> Iterator[Entry]:
    """The record of a file that has only one, or why there is none."""
    data = bytearray()
    for piece in content:
        data += piece
        if len(data) > MAX_RECORD_BYTES:
            yield Entry(name, None, b"", [_too_large(None)])
            return
    findings = [] if pieces.trouble is None else [pieces.trouble]
    if not findings and is_blank(data):
        findings = [make_finding("empty-file")]
    yield Entry(name, None, bytes(data), findings)


def read_notation_entries(
    pieces: ExpandedStream, content: Iterator[bytes], name: str
) -> Iterator[Entry]:
    """The records of a file in the notation; each begins with its first tag, at the start of a line.

    One record alone has no line, as one of JSON has none.
    """
    rest, line, count = _UnendedRecord(), 1, 0
    for piece in content:
        for ended in rest.add(piece):
            yield _notation_entry(name, line, ended)
            line, count = line + ended.lines, count + 1
    last = rest.end()
    if pieces.trouble is not None:
        yield Entry(name, line if count else None, last.text or b"", [pieces.trouble])
    else:
        yield _notation_entry(name, line if count else None, last)


class _EndedRecord(NamedTuple):
    """A record in the notation, None if it is larger than any may be, and how many lines it takes."""

    text: bytes | None
    lines: int


class _UnendedRecord:
    """A record in the notation as far as it has come; what is longer than any record is not kept."""

    def __init__(self) -> None:
        self._text = bytearray()
        self._dropped_lines = 0
        self._overlong = self._begun = False

    def add(self, piece: bytes) -> Iterator[_EndedRecord]:
        """Add what comes next, and give the records that have ended."""
        # A first tag may have begun in the last line that came before.
        start = max(0, self._text.rfind(b"\n"))
        self._text += piece
        if not self._begun and (first := NOTATION_START.match(self._text)) is not None:
            self._begun, start = True, first.end()
        begin = 0
        for end in [cut.end() for cut in _NEXT_IN_NOTATION.finditer(self._text, start)]:
            yield self._ended(begin, end)
            begin = end
        del self._text[:begin]
        if len(self._text) > MAX_RECORD_BYTES:
            self._overlong = True
            last = max(self._text.rfind(b"\n"), len(self._text) - _TELLING_BYTES)
            self._dropped_lines += self._text.count(b"\n", 0, last)
            del self._text[:last]

    def end(self) -> _EndedRecord:
        """The last record, which ends with the file."""
        return self._ended(0, len(self._text))

    def _ended(self, begin: int, end: int) -> _EndedRecord:
        """The record between two places of the text that is kept."""
        lines = self._dropped_lines + self._text.count(b"\n", begin, end)
        overlong = self._overlong or end - begin > MAX_RECORD_BYTES
        self._dropped_lines, self._overlong = 0, False
        return _EndedRecord(None if overlong else bytes(self._text[begin:end]), lines)


def _notation_entry(name: str, line: int | None, record: _EndedRecord) -> Entry:
    if record.text is None:
        return Entry(name, line, b"", [_too_large(line)])
    return Entry(name, line, record.text)


def _entries_by_line(
    pieces: ExpandedStream, content: Iterator[bytes], name: str
) -> Iterator[Entry]:
    empty, number, rest = True, 1, _UnendedLine()
    for piece in content:
        end = piece.find(b"\n") + 1
        rest.add(piece[:end] if end else piece)
        if not end:
            continue
        if not rest.blank:
            yield _entry_of_line(name, number, rest)
            empty = False
        number += 1
        last = piece.rfind(b"\n") + 1
        for number_of_line, text in lines_with_text(piece[end:last], number):
            yield line_entry(name, number_of_line, text)
            empty = False
        number += piece.count(b"\n", end)
        rest = _UnendedLine()
        rest.add(piece[last:])
    if rest.overlong and not rest.blank:
        yield overlong_line_entry(name, number)
        empty, number = False, number + 1
    yield from read_last_entries(pieces, bytes(rest.text), name, number, empty=empty)


class _UnendedLine:
    """A line as far as it has come; what is longer than any record is not kept."""

    def __init__(self) -> None:
        self.text = bytearray()
        self.blank = True
        self.overlong = False

    def add(self, part: bytes) -> None:
        """Add what comes next of it, perhaps with the line break that ends it."""
        self.blank = self.blank and is_blank(part)
        if not self.overlong:
            self.text += part
            self.overlong = len(self.text) - part.endswith(b"\n") > MAX_RECORD_BYTES
        if self.overlong:
            self.text.clear()


def _entry_of_line(name: str, number: int, line: _UnendedLine) -> Entry:
    if line.overlong:
        return overlong_line_entry(name, number)
    return Entry(name, number, bytes(line.text[:-1]))


def lines_with_text(data: bytes, number: int) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, each with its number, without the breaks that end them; `number` is that of the first line.

    Blank lines are passed over at once, however many they are.
    """
    at = 0
    while (text := _TEXT.search(data, at)) is not None:
        begin = data.rfind(b"\n", at, text.start()) + 1 or at
        number += data.count(b"\n", at, begin)
        end = data.find(b"\n", text.start())
        if end < 0:
            yield number, data[begin:]
            return
        yield number, data[begin:end]
        at, number = end + 1, number + 1


def end_of_lines(data: bytes, count: int) -> int:
    """Where the first so many lines with text end, with their breaks; at the end of the data if there are fewer."""
    at = 0
    for _ in range(count):
        text = _TEXT.search(data, at)
        end = -1 if text is None else data.find(b"\n", text.start())
        if end < 0:
            return len(data)
        at = end + 1
    return at


def line_entry(name: str, number: int, text: bytes) -> Entry:
    """The entry of a whole line."""
    if len(text) > MAX_RECORD_BYTES:
        return overlong_line_entry(name, number)
    return Entry(name, number, text)


def read_last_entries(
    pieces: ExpandedStream, rest: bytes, name: str, line: int, *, empty: bool
) -> Iterator[Entry]:
    """The last line of a file, which no line break ends, and a finding if the file ends too early.

    A line at a damaged end counts only if it is a whole object; `empty` says that no record came before it.
    """
    is_whole = not is_blank(rest) and (pieces.trouble is None or _members(rest) is not None)
    if is_whole:
        yield Entry(name, line, rest)
    if pieces.trouble is not None:
        line += is_whole
        yield Entry(name, line, b"", [pieces.trouble.on_line(line)])
    elif empty and not is_whole:
        yield Entry(name, None, b"", [make_finding("empty-file")])


def overlong_line_entry(name: str, line: int) -> Entry:
    """The entry of a line that is larger than any record may be."""
    return Entry(name, line, b"", [_too_large(line)])


def is_blank(data: bytes | bytearray) -> bool:
    """Whether bytes are nothing but blanks."""
    return not data.strip(_BLANKS)


def _too_large(line: int | None) -> Finding:
    finding = make_finding("record-too-large", limit=f"{MAX_RECORD_BYTES:,}")
    return finding if line is None else finding.on_line(line)


_READERS: dict[FileLayout, Callable[[ExpandedStream, Iterator[bytes], str], Iterator[Entry]]] = {
    "one": read_only_entry,
    "lines": _entries_by_line,
    "notation": read_notation_entries,
}
