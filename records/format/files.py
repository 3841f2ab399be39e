"""Files of records: one record in all, one per line, several one after the other, in JSON or the notation, or in a study; in blocks, too."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

import msgspec

from records.format.containers import PlainFile, from_windows_1252, unpack
from records.format.text_places import make_finding
from records.record import (
    MAX_NESTING_DEPTH,
    MAX_RECORD_BYTES,
    NOTATION_START,
    RECORD_FORMAT,
    TYPED_START,
)
from records.study import StudyUnreadable, is_study, is_study_alone, records_in_study
from records.validate.finding import Finding

# A file, record by record.

_BLANKS = b" \t\r\n"
_TEXT = re.compile(rb"[^ \t\r\n]")
_COMPRESSED_SUFFIXES = (".gz", ".gzip", ".zst", ".zstd", ".bz2", ".xz")
_BY_LINE_SUFFIXES = (".jsonl", ".ndjson")
_NEXT_IN_NOTATION = re.compile(rb"\n(?=(?:\xef\xbb\xbf)*+\[bezique[ \t\r\n\]])")
_ABOVE_FIRST_TAG = re.compile(
    rb"(?:\xef\xbb\xbf)*+(?:[ \t\r\n]++|#[^\n]*+)*+(?:\xef\xbb?|\[[a-z]{0,7})?\Z"
)
"""What may stand above the first tag of a record in the notation, and that tag as far as it has come."""
_NEXT_TAG = b"[bezique"
_TELLING_BYTES = 1024
_COMMA_BYTES = 8
"""A comma may stand so far from the end of a line, with blanks behind it."""

FileLayout = Literal["one", "lines", "values", "notation", "study"]
"""Where the records of a file are: one in all, one per line, one after the other as JSON in any layout, in the notation, or in
a study."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One record of a file, as bytes; `line` is its line, or its first, where a file may have several records.

    Findings say why there is nothing to decode; `data` is then as much of the text as was kept. `notes` are remarks on how
    the file was read, with its first record.
    """

    name: str
    line: int | None
    data: bytes
    findings: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)


def read_entries(source: Path | BinaryIO, *, name: str | None = None) -> Iterator[Entry]:
    """The records of a file in order, never more than one of them in memory.

    The first bytes tell compressed files, archives and encodings (`records.format.containers`), and the notation. The name
    (`.json`, `.jsonl`), or else the first lines, tell whether a file of JSON has one record or one per line. Raises OSError
    if reading fails.
    """
    if isinstance(source, Path):
        with source.open("rb") as stream:
            yield from read_entries(stream, name=name or str(source))
        return
    for file in unpack(source, name):
        yield from _read_file(file)


def _read_file(file: PlainFile) -> Iterator[Entry]:
    yield from _read_opened(file, *open_content(file, file.name))


def _read_opened(
    file: PlainFile, content: Iterator[bytes], layout: "FileLayout"
) -> Iterator[Entry]:
    """The records of a file, the first with the remarks on how it was read."""
    for entry in _READERS[layout](file, content, file.name or "-"):
        yield replace(entry, notes=file.notes + entry.notes) if file.notes else entry
        file.notes = []


class EntryTotals(NamedTuple):
    """How many entries a file has, and how many bytes they have together.

    `expanded` are the bytes that came out of a compressed file, with the blanks around the entries.
    """

    records: int
    size: int
    expanded: int


def count_entries(source: BinaryIO, *, name: str | None = None, most: int) -> EntryTotals | None:
    """How many entries a file has, counted up to one more than `most`, and their size; None if it expands too far."""
    count = size = expanded = 0
    for file in unpack(source, name):
        for entry in _read_file(file):
            count, size = count + 1, size + len(entry.data)
            if any(finding.code == "expands-too-far" for finding in entry.findings):
                return None
            if count > most:
                return EntryTotals(count, size, expanded + file.expanded)
        expanded += file.expanded
    return EntryTotals(count, size, expanded)


def open_content(pieces: PlainFile, name: str | None) -> tuple[Iterator[bytes], FileLayout]:
    """The content of a file, and where its records are."""
    content = iter(pieces)
    start = _first_bytes(content)
    if is_study(start):
        return chain([start], content), "study"
    if NOTATION_START.match(start):
        return chain([start], content), "notation"
    by_line = _by_line_of_name(name or "")
    if by_line is None and TYPED_START.match(start):
        return chain([start], content), "notation"
    if _is_of_values(start, by_line=by_line):
        return chain([start], content), "values"
    if by_line is None:
        start, by_line = _look_ahead(chain([start], content))
    return chain([start], content), "lines" if by_line else "one"


def _is_of_values(start: bytes, *, by_line: bool | None) -> bool:
    """Whether records follow one another as JSON, and not one a line: in a list, indented, with commas between them."""
    # Only so much is looked at, wherever the pieces of the file end.
    text = start[:_TELLING_BYTES].lstrip(_BLANKS + b"\xef\xbb\xbf")
    if text.startswith((b"\x1e", b"{\n", b"{\r\n")):
        return text.startswith(b"\x1e") or by_line is True
    if text.startswith(b"["):
        return text[1:].lstrip(_BLANKS)[:1] in (b"{", b"]")
    first, _, rest = text.partition(b"\n")
    indented = first.startswith(b"{") and rest.startswith((b" ", b"\t"))
    return by_line is True and indented and _members(first) is None


def _first_bytes(content: Iterator[bytes]) -> bytes:
    """As many bytes as tell whether a file is in the notation: comments may stand above its first tag."""
    start = b""
    while (
        len(start) < _TELLING_BYTES
        or (len(start) <= MAX_RECORD_BYTES and _ABOVE_FIRST_TAG.match(start))
    ) and (piece := next(content, b"")):
        start += piece
    return start


def _by_line_of_name(name: str) -> bool | None:
    """Whether a file name says one record per line; None if the name does not tell."""
    stem = name.lower()
    for ending in _COMPRESSED_SUFFIXES:
        stem = stem.removesuffix(ending)
    return True if stem.endswith(_BY_LINE_SUFFIXES) else False if stem.endswith(".json") else None


def _look_ahead(pieces: Iterable[bytes]) -> tuple[bytes, bool]:
    """The start of a file, and whether it looks like one record per line.

    Only so much of the start is looked at, wherever its pieces end: what it looks like must not depend on them.
    """
    start, seen, ends = bytearray(), bytearray(), _LineEnds()
    for piece in pieces:
        start += piece
        seen += piece[: MAX_RECORD_BYTES + _TELLING_BYTES - len(seen)]
        ends.find_in(seen)
        if (len(seen) if ends.first is None else ends.first) > MAX_RECORD_BYTES:
            return bytes(start), True
        if ends.first is not None and ends.has_second and ends.is_first_whole(seen):
            return bytes(start), True
        if ends.second is not None:
            return bytes(start), ends.is_second_record(seen)
        if len(seen) < len(start):
            return bytes(start), False
    return bytes(start), ends.has_second and ends.is_second_record(seen)


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


def read_only_entry(pieces: PlainFile, content: Iterator[bytes], name: str) -> Iterator[Entry]:
    """The record of a file that has only one, or why there is none; if it has several after all, these."""
    data = bytearray()
    for piece in content:
        data += piece
        if len(data) > MAX_RECORD_BYTES:
            yield from read_value_entries(pieces, chain([bytes(data)], content), name)
            return
    findings = [] if pieces.trouble is None else [pieces.trouble]
    if not findings and is_blank(data):
        findings = [make_finding("empty-file")]
    if findings:
        yield Entry(name, None, bytes(data), findings)
    elif _may_have_values(data) and len(several := _split_values(bytes(data), name)) > 1:
        yield from several
    else:
        yield line_entry(name, None, bytes(data))


def _may_have_values(data: bytes | bytearray) -> bool:
    """Whether a text may be several records: not one object, and no prose, page or table that only has brackets in it."""
    text = data.lstrip(_BLANKS + b"\xef\xbb\xbf\x1e")
    return _members(bytes(data)) is None and (
        text.startswith((b"{", b"[")) or RECORD_FORMAT.encode() in data
    )


def read_study_entries(pieces: PlainFile, content: Iterator[bytes], name: str) -> Iterator[Entry]:
    """The records in a study, each as it stands there; none in a study without games.

    A study whose records cannot be told apart is read as one record.
    """
    data = bytearray()
    for piece in content:
        data += piece
        if len(data) > MAX_RECORD_BYTES:
            yield Entry(name, None, b"", [_too_large(None)])
            return
    try:
        records = records_in_study(bytes(data)) if pieces.trouble is None else []
    except StudyUnreadable:
        records = []
    if not records and not (pieces.trouble is None and is_study_alone(data)):
        yield from read_only_entry(pieces, iter([bytes(data)]), name)
    at, line = 0, 1
    for record in records:
        start = data.index(record, at)
        line += data.count(b"\n", at, start)
        yield line_entry(name, line if len(records) > 1 else None, record)
        line += record.count(b"\n")
        at = start + len(record)


def _split_values(data: bytes, name: str) -> list[Entry]:
    splitter = _ValueSplitter(name)
    return [*splitter.add(data), *splitter.end()]


_JSON_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:(")|\\?\Z)|[{}]', re.DOTALL)
_REST_OF_STRING = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_BETWEEN_VALUES = b" \t\r\n,[]\x1e\xef\xbb\xbf"


def read_value_entries(pieces: PlainFile, content: Iterator[bytes], name: str) -> Iterator[Entry]:
    """Records as JSON one after the other, in any layout: in a list, indented, with commas or separators between them.

    A file of which no object ends has one entry with all of it, and one of a single object has no line.
    """
    splitter = _ValueSplitter(name)
    waiting: Entry | None = None
    for piece in content:
        for entry in splitter.add(piece):
            if waiting is not None:
                yield waiting
            waiting = entry
    for entry in splitter.end():
        if waiting is not None:
            yield waiting
        waiting = entry
    if waiting is not None:
        yield waiting if splitter.count > 1 else _without_line(waiting)
    if pieces.trouble is not None:
        yield Entry(name, splitter.line, b"", [pieces.trouble])
    elif waiting is None:
        yield Entry(name, None, b"", [make_finding("empty-file")])


def _without_line(entry: Entry) -> Entry:
    """The entry of a file that has no other."""
    return replace(entry, line=None, findings=[_too_large(None)] if entry.findings else [])


class _ValueSplitter:
    """Cuts a text into its outermost JSON objects; what stands between them and is more than a separator is an entry, too."""

    def __init__(self, name: str) -> None:
        self.name, self.line, self.count = name, 1, 0
        self._text = bytearray()
        self._at = self._depth = self._start = 0
        self._string_to = (
            0  # how far an unended string, which begins at `_at`, has been read; 0 outside of one
        )
        self._overlong_from: int | None = None

    def add(self, piece: bytes) -> Iterator[Entry]:
        """The entries that end in what comes next."""
        self._text += piece
        if self._string_to and not self._ends_string():
            self._cut()
            return
        if self._depth > MAX_NESTING_DEPTH:
            # No record is as deep, so where this one ends does not matter.
            self._at = len(self._text)
            self._cut()
            return
        for token in _JSON_TOKEN.finditer(self._text, self._at):
            sign = token[0][:1]
            if sign == b'"' and token[1] is None:
                self._at, self._string_to = token.start(), token.start() + 1
                self._ends_string()
                break
            self._at = token.end()
            if sign == b"{":
                if not self._depth:
                    yield from self._between(token.start())
                self._depth += 1
                if self._depth > MAX_NESTING_DEPTH:
                    self._at = len(self._text)
                    break
            elif sign == b"}" and self._depth:
                self._depth -= 1
                if not self._depth:
                    yield self._value(token.end())
        else:
            self._at = len(self._text)
        self._cut()

    def end(self) -> Iterator[Entry]:
        """What is left at the end of the file."""
        if self._depth:
            yield self._value(len(self._text))
        else:
            yield from self._between(len(self._text))

    def _between(self, end: int) -> Iterator[Entry]:
        """What stands between two objects, up to here."""
        text = bytes(self._text[self._start : end])
        if text.strip(_BETWEEN_VALUES) or self._overlong_from is not None:
            lead = text[: len(text) - len(text.lstrip(_BLANKS))]
            yield self._entry(text[len(lead) :], self.line + lead.count(b"\n"))
        self._go_to(end)

    def _value(self, end: int) -> Entry:
        data, line = bytes(self._text[self._start : end]), self.line
        self._go_to(end)
        return self._entry(data, line)

    def _entry(self, data: bytes, line: int) -> Entry:
        self.count += 1
        if self._overlong_from is not None or len(data) > MAX_RECORD_BYTES:
            line, self._overlong_from = self._overlong_from or line, None
            return overlong_line_entry(self.name, line)
        return line_entry(self.name, line, data)

    def _go_to(self, place: int) -> None:
        self.line += self._text.count(b"\n", self._start, place)
        self._start = place

    def _ends_string(self) -> bool:
        """Whether an unended string ends in what has come since it was read last; then its end has been read, too."""
        end = _REST_OF_STRING.match(self._text, self._string_to).end()  # type: ignore[union-attr]  # matches anything
        if self._text[end : end + 1] == b'"':
            self._at, self._string_to = end + 1, 0
            return True
        self._string_to = end
        return False

    def _cut(self) -> None:
        """Forget what has ended, and what is longer than any record: also of a string that does not end."""
        if len(self._text) - self._start > MAX_RECORD_BYTES:
            self._overlong_from = self._overlong_from or self.line
            self._go_to(self._at)
            if self._string_to:
                self.line += self._text.count(b"\n", self._at, self._string_to)
                del self._text[self._at + 1 : self._string_to]
                self._string_to = self._at + 1
        removed = self._start
        del self._text[:removed]
        self._at, self._start = self._at - removed, 0
        self._string_to = max(0, self._string_to - removed)


def read_notation_entries(
    pieces: PlainFile, content: Iterator[bytes], name: str
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
        self._overlong = False
        self._first_tag: int | None = None

    def add(self, piece: bytes) -> Iterator[_EndedRecord]:
        """Add what comes next, and give the records that have ended."""
        # The next tag may have begun in the last line that came before. The first one is no next one.
        start = max(0, self._text.rfind(b"\n"))
        self._text += piece
        if self._first_tag is None and (first := NOTATION_START.match(self._text)) is not None:
            self._first_tag = first.end()
        start = max(start, self._first_tag or 0)
        begin = 0
        for end in [cut.end() for cut in _NEXT_IN_NOTATION.finditer(self._text, start)]:
            yield self._ended(begin, end)
            begin = end
        self._drop(begin)
        # The tag of the next record may have begun in the last line.
        line = self._text.rfind(b"\n") + 1
        size = line if _NEXT_TAG.startswith(self._text[line:]) else len(self._text)
        if size > MAX_RECORD_BYTES:
            self._overlong = True
            last = max(self._text.rfind(b"\n"), len(self._text) - _TELLING_BYTES)
            self._dropped_lines += self._text.count(b"\n", 0, last)
            self._drop(last)

    def _drop(self, length: int) -> None:
        """Keep no more of what has come than what stands behind so many bytes."""
        del self._text[:length]
        if self._first_tag is not None:
            self._first_tag = max(0, self._first_tag - length)

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
    return line_entry(name, line, record.text)


def _entries_by_line(pieces: PlainFile, content: Iterator[bytes], name: str) -> Iterator[Entry]:
    empty, number, rest = True, 1, _UnendedLine()
    for piece in content:
        end = piece.find(b"\n") + 1
        rest.add(piece[:end] if end else piece)
        if not end:
            continue
        if not rest.blank:
            yield from _entries_of_line(name, number, rest)
            empty = False
        number += 1
        last = piece.rfind(b"\n") + 1
        for number_of_line, text in lines_with_text(piece[end:last], number):
            yield from line_entries(name, number_of_line, text)
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


def _entries_of_line(name: str, number: int, line: _UnendedLine) -> Iterable[Entry]:
    if line.overlong:
        return [overlong_line_entry(name, number)]
    return line_entries(name, number, bytes(line.text[:-1]))


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


def line_entries(name: str, number: int, text: bytes) -> Iterable[Entry]:
    """The entry of a whole line; several, if there are records on it one right behind the other."""
    if b"}{" in text and _members(text) is None:
        several = _split_values(text, name)
        if _members(several[0].data) is not None:
            return [replace(entry, line=number) for entry in several]
    return [line_entry(name, number, text)]


def line_entry(name: str, number: int | None, text: bytes) -> Entry:
    """The entry of a whole line, or of a whole record that has none; in UTF-8, where it is certain what it was in."""
    if len(text) > MAX_RECORD_BYTES:
        return Entry(name, number, b"", [_too_large(number)])
    if text[-_COMMA_BYTES:].rstrip(_BLANKS).endswith(b","):
        # Lines of a list, without its brackets.
        text = text.rstrip(_BLANKS)[:-1]
    if (in_utf8 := from_windows_1252(text)) is None:
        return Entry(name, number, text)
    return Entry(
        name, number, in_utf8, notes=[make_finding("other-encoding", encoding="Windows-1252")]
    )


def read_last_entries(
    pieces: PlainFile, rest: bytes, name: str, line: int, *, empty: bool
) -> Iterator[Entry]:
    """The last line of a file, which no line break ends, and a finding if the file ends too early.

    A line at a damaged end counts only if it is a whole object; `empty` says that no record came before it.
    """
    is_whole = not is_blank(rest) and (pieces.trouble is None or _members(rest) is not None)
    if is_whole:
        yield from line_entries(name, line, rest)
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


_READERS: dict[FileLayout, Callable[[PlainFile, Iterator[bytes], str], Iterator[Entry]]] = {
    "one": read_only_entry,
    "lines": _entries_by_line,
    "values": read_value_entries,
    "notation": read_notation_entries,
    "study": read_study_entries,
}


# A file in blocks of whole lines, for several processes to read: the same records as `read_entries` gives.

BLOCK_BYTES = 1024 * 1024
MOST_LINES = 16_384
"""So many lines with text are in a block at most: far more than games of any size fill."""


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines of a file as `data`, then `entries` for what cannot be such a line.

    `start` and `stop` are offsets in the file, expanded where it is compressed; `line` is the number of the first
    line. `position` is the number of bytes read of the file itself. The lines of a `plain` block are the
    bytes of the file at these offsets.
    """

    name: str
    start: int
    stop: int
    line: int
    lines: int
    final: bool
    position: int
    plain: bool
    data: bytes
    entries: tuple[Entry, ...] = ()

    def __iter__(self) -> Iterator[Entry]:
        """The records of the block, in order."""
        for number, text in lines_with_text(self.data, self.line):
            yield from line_entries(self.name, number, text)
        yield from self.entries


def read_blocks(stream: BinaryIO, *, name: str, size: int = BLOCK_BYTES) -> Iterator[Block]:
    """A file in blocks of about this size, the last one marked `final`; raises OSError if reading fails."""
    files = unpack(stream, name)
    first = next(files)
    content, layout = open_content(first, first.name)
    if layout == "lines" and first.name == name and not first.notes:
        yield from _Cutter(stream, first, name, size).blocks(content)
        return
    entries = chain(
        _read_opened(first, content, layout), chain.from_iterable(map(_read_file, files))
    )
    yield from _blocks_of_entries(stream, name, entries, size)


def _blocks_of_entries(
    stream: BinaryIO, name: str, entries: Iterator[Entry], size: int
) -> Iterator[Block]:
    """Blocks of records that are not one a line, or not of one file; at most so many as of lines."""
    start, waiting = 0, next(entries)
    while True:
        block, length = [waiting], len(waiting.data)
        following = next(entries, None)
        while following is not None and length < size and len(block) < MOST_LINES:
            block.append(following)
            length += len(following.data)
            following = next(entries, None)
        yield Block(
            name=name,
            start=start,
            stop=start + length,
            line=waiting.line or 1,
            lines=_lines_between(block, following),
            final=following is None,
            position=_stream_position(stream),
            plain=False,
            data=b"",
            entries=tuple(block),
        )
        if following is None:
            return
        start, waiting = start + length, following


def _lines_between(block: list[Entry], following: Entry | None) -> int:
    """How many lines of a file its first records take, up to the one that follows."""
    if following is not None and following.name == block[0].name:
        return (following.line or 1) - (block[0].line or 1)
    return sum([entry.data.count(b"\n") for entry in block])


class _Cutter:
    """Cuts the content of one file into blocks, with no more than a block and a line in memory."""

    def __init__(self, stream: BinaryIO, pieces: PlainFile, name: str, size: int) -> None:
        self.stream, self.pieces, self.name, self.size = stream, pieces, name, size
        self.start, self.line, self.empty = 0, 1, True

    def blocks(self, content: Iterator[bytes]) -> Iterator[Block]:
        """Blocks of whole lines, and the rest of the file as the last one."""
        buffer, end, skipped, blank = bytearray(), 0, 0, True
        for piece in content:
            # Of a line that goes on for many pieces only the new one is searched for its end.
            end = (piece.rfind(b"\n") + 1 + len(buffer)) if b"\n" in piece else end
            buffer += piece
            if skipped:
                stop = buffer.find(b"\n") + 1 or len(buffer)
                blank, skipped = blank and is_blank(buffer[:stop]), skipped + stop
                ended = buffer[stop - 1 : stop] == b"\n"
                del buffer[:stop]
                end = max(0, end - stop)
                if ended:
                    yield self._long_line(skipped, blank=blank)
                    skipped = 0
            if len(buffer) >= self.size:
                if end:
                    yield from self._lines(_start_of(buffer, end))
                    del buffer[:end]
                    end = 0
                elif len(buffer) > MAX_RECORD_BYTES:
                    skipped, blank = len(buffer), is_blank(buffer)
                    buffer.clear()
        if len(buffer) - end > MAX_RECORD_BYTES:
            yield from self._lines(_start_of(buffer, end))
            skipped, blank = len(buffer) - end, is_blank(buffer[end:])
            buffer.clear()
            end = 0
        if skipped:
            yield self._long_line(skipped, blank=blank)
        *blocks, last = self._cut(_start_of(buffer, end))
        for data in blocks:
            yield self._plain_lines(data)
        yield self._last(last, bytes(buffer[end:]))

    def _lines(self, data: bytes) -> Iterator[Block]:
        for part in self._cut(data) if data else ():
            yield self._plain_lines(part)

    def _plain_lines(self, data: bytes) -> Block:
        self.empty = self.empty and is_blank(data)
        return self._block(data, len(data), _count_line_breaks(data))

    def _cut(self, data: bytes) -> list[bytes]:
        """Whole lines in parts of at most so many with text: a block of tiny lines would hold a million records."""
        parts: list[bytes] = []
        while len(data) > MOST_LINES and _count_line_breaks(data) > MOST_LINES:
            end = end_of_lines(data, MOST_LINES)
            if end == len(data):
                break
            parts.append(data[:end])
            data = data[end:]
        return [*parts, data]

    def _long_line(self, length: int, *, blank: bool) -> Block:
        self.empty = self.empty and blank
        found = () if blank else (overlong_line_entry(self.name, self.line),)
        return self._block(b"", length, 1, found)

    def _last(self, data: bytes, rest: bytes) -> Block:
        self.empty = self.empty and is_blank(data)
        lines = _count_line_breaks(data)
        line = self.line + lines
        last = tuple(read_last_entries(self.pieces, rest, self.name, line, empty=self.empty))
        return self._block(data, len(data) + len(rest), lines, last, final=True)

    def _block(
        self,
        data: bytes,
        length: int,
        lines: int,
        entries: tuple[Entry, ...] = (),
        *,
        final: bool = False,
    ) -> Block:
        start, line = self.start, self.line
        self.start, self.line = start + length, line + lines
        return Block(
            name=self.name,
            start=start,
            stop=self.start,
            line=line,
            lines=lines,
            final=final,
            position=_stream_position(self.stream),
            plain=not self.pieces.compressed,
            data=data,
            entries=entries,
        )


def _start_of(buffer: bytearray, end: int) -> bytes:
    """The first bytes of a buffer, copied once: a slice of it would be a copy, too."""
    with memoryview(buffer)[:end] as start:
        return bytes(start)


def _count_line_breaks(data: bytes) -> int:
    """How many line breaks there are; `find` skips the long lines of records, where `count` looks at every byte."""
    breaks, at = 0, data.find(b"\n")
    while at >= 0:
        breaks, at = breaks + 1, data.find(b"\n", at + 1)
    return breaks


def _stream_position(stream: BinaryIO) -> int:
    """The number of bytes read of a stream; 0 if it cannot tell."""
    try:
        return stream.tell()
    except OSError:
        return 0
