"""A file, record by record: plain or compressed, with one record in all or one per line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from records.codec.compression import ExpandedStream
from records.codec.location import make_finding
from records.record import MAX_RECORD_BYTES
from records.validate.finding import Finding

_BLANKS = b" \t\r\n"
_TEXT = re.compile(rb"[^ \t\r\n]")
_COMPRESSED_SUFFIXES = (".gz", ".gzip", ".zst", ".zstd")
_BY_LINE_SUFFIXES = (".jsonl", ".ndjson")


@dataclass(frozen=True, slots=True)
class Entry:
    """One record of a file, as bytes; `line` is its line where a file has one record per line.

    Findings say why there is nothing to decode; `data` is then as much of the text as was kept.
    """

    name: str
    line: int | None
    data: bytes
    findings: list[Finding] = field(default_factory=list)


def read_entries(source: Path | BinaryIO, *, name: str | None = None) -> Iterator[Entry]:
    """The records of a file in order, never more than one of them in memory.

    The first bytes tell gzip and zstd. The name (`.json`, `.jsonl`), or else the first lines, tell
    whether the file has one record or one per line. Raises OSError if reading fails.
    """
    if isinstance(source, Path):
        with source.open("rb") as stream:
            yield from read_entries(stream, name=name or str(source))
        return
    pieces = ExpandedStream(source)
    content, by_line = open_content(pieces, name)
    read = _entries_by_line if by_line else read_only_entry
    yield from read(pieces, content, name or "-")


class EntryTotals(NamedTuple):
    """How many entries a file has, and how many bytes they have together."""

    records: int
    size: int


def count_entries(source: BinaryIO, *, name: str | None = None, most: int) -> EntryTotals | None:
    """How many entries a file has, counted up to one more than `most`, and their size; None if it expands too far."""
    count = size = 0
    for entry in read_entries(source, name=name):
        count, size = count + 1, size + len(entry.data)
        if any(finding.code == "expands-too-far" for finding in entry.findings):
            return None
        if count > most:
            break
    return EntryTotals(count, size)


def open_content(pieces: ExpandedStream, name: str | None) -> tuple[Iterator[bytes], bool]:
    """The content of a file, and whether it has one record per line."""
    start, by_line = b"", _by_line_of_name(name or "")
    if by_line is None:
        start, by_line = _look_ahead(pieces)
    return chain([start], pieces), by_line


def _by_line_of_name(name: str) -> bool | None:
    """Whether a file name says one record per line; None if the name does not tell."""
    stem = name.lower()
    for ending in _COMPRESSED_SUFFIXES:
        stem = stem.removesuffix(ending)
    return True if stem.endswith(_BY_LINE_SUFFIXES) else False if stem.endswith(".json") else None


def _look_ahead(pieces: ExpandedStream) -> tuple[bytes, bool]:
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
        yield Entry(name, line, b"", [_on_line(pieces.trouble, line)])
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
    return finding if line is None else _on_line(finding, line)


def _on_line(finding: Finding, line: int) -> Finding:
    return msgspec.structs.replace(finding, at=msgspec.structs.replace(finding.at, line=line))
