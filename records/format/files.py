"""Files of records: plain or compressed, one record in all, one per line, several in the notation, or in blocks."""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple, Protocol

import msgspec

from records.format.text_places import make_finding
from records.record import (
    FREE_EXPANDED_BYTES,
    MAX_EXPANDED_BYTES,
    MAX_EXPANSION,
    MAX_RECORD_BYTES,
    NOTATION_START,
    TYPED_START,
)
from records.validate.finding import Finding

# The bytes of a stream, expanded if it is compressed.

_PIECE_BYTES = 64 * 1024
_COMPRESSED_PIECE_BYTES = 256
"""Small, because four hostile bytes expand to 128 KiB before they can be refused."""

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_ZIP = b"PK\x03\x04"
_ZSTD_SKIPPABLE = b"\x2a\x4d\x18"
_LARGEST_WINDOW_BYTES = 128 * 1024 * 1024


class _Expander(Protocol):
    """What zlib and zstandard have in common; one expands one member of a file."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


def _gzip() -> _Expander:
    return zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)


def _zstd() -> _Expander:
    import zstandard

    return zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW_BYTES).decompressobj()


class ExpandedStream:
    """The content of a stream, in pieces that are not empty; `trouble` says why it stopped before its end.

    `expanded` counts the bytes that have come out of it so far, if it is compressed.

    A compressed stream is expanded only so far as its own size allows: see `MAX_EXPANSION`.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self.trouble: Finding | None = None
        self.compressed = False
        self.expanded = 0
        self._read = 0
        self._pieces = self._start(stream)

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces

    def _start(self, stream: BinaryIO) -> Iterator[bytes]:
        head = b""
        while len(head) < len(_ZSTD) and (piece := _read_piece(stream)):
            head += piece
        self.compressed = head.startswith((_GZIP, _ZSTD)) or head[1:4] == _ZSTD_SKIPPABLE
        if head.startswith(_GZIP):
            yield from _joined(self._expand(_gzip, zlib.error, self._slices(head, stream)))
        elif self.compressed:
            from zstandard import ZstdError  # few files need it, and a command should start at once

            yield from _joined(self._expand(_zstd, ZstdError, self._slices(head, stream)))
        elif head.startswith(_ZIP):
            self.compressed = True
            self.trouble = make_finding("damaged-compression", clause="zip")
        elif head:
            yield head
            while piece := _read_piece(stream):
                yield piece

    def _expand(
        self,
        opened: Callable[[], _Expander],
        damage: type[Exception],
        slices: Iterator[bytes],
    ) -> Iterator[bytes]:
        member = opened()
        try:
            for rest in slices:
                # Zeros may follow a compressed file; tapes and disks once filled it up so.
                while rest := rest.lstrip(b"\0") if member.eof else rest:
                    if member.eof:
                        member = opened()
                    expanded = member.decompress(rest)
                    rest = member.unused_data if member.eof else b""
                    self.expanded += len(expanded)
                    limit = self._most_expanded()
                    if self.expanded > limit:
                        self.trouble = make_finding("expands-too-far", limit=f"{limit:,}")
                        return
                    yield expanded
        except damage as error:
            self.trouble = make_finding("damaged-compression", clause="damaged", error=error)
            return
        if not member.eof:
            self.trouble = make_finding("damaged-compression", clause="cut-off")

    def _most_expanded(self) -> int:
        """How many bytes may come out of what has been read so far."""
        return min(MAX_EXPANDED_BYTES, FREE_EXPANDED_BYTES + MAX_EXPANSION * self._read)

    def _slices(self, head: bytes, stream: BinaryIO) -> Iterator[bytes]:
        piece = head
        while piece:
            self._read += len(piece)
            for start in range(0, len(piece), _COMPRESSED_PIECE_BYTES):
                yield piece[start : start + _COMPRESSED_PIECE_BYTES]
            piece = _read_piece(stream)


def _read_piece(stream: BinaryIO) -> bytes:
    """The next piece, a shorter one only at the end: no limit may depend on how a stream delivers."""
    piece = bytearray()
    while len(piece) < _PIECE_BYTES and (more := stream.read(_PIECE_BYTES - len(piece))):
        piece += more
    return bytes(piece)


def _joined(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes in large pieces: thousands of blocks that hold nothing cost their readers nothing."""
    joined = bytearray()
    for piece in pieces:
        joined += piece
        if len(joined) >= _PIECE_BYTES:
            yield bytes(joined)
            joined.clear()
    if joined:
        yield bytes(joined)


# A file, record by record.

_BLANKS = b" \t\r\n"
_TEXT = re.compile(rb"[^ \t\r\n]")
_COMPRESSED_SUFFIXES = (".gz", ".gzip", ".zst", ".zstd")
_BY_LINE_SUFFIXES = (".jsonl", ".ndjson")
_NEXT_IN_NOTATION = re.compile(rb"\n(?=(?:\xef\xbb\xbf)*+\[bezique[ \t\r\n\]])")
_ABOVE_FIRST_TAG = re.compile(
    rb"(?:\xef\xbb\xbf)*+(?:[ \t\r\n]++|#[^\n]*+)*+(?:\xef\xbb?|\[[a-z]{0,7})?\Z"
)
"""What may stand above the first tag of a record in the notation, and that tag as far as it has come."""
_NEXT_TAG = b"[bezique"
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
    if by_line is None and TYPED_START.match(start):
        return chain([start], content), "notation"
    if by_line is None:
        start, by_line = _look_ahead(chain([start], content))
    return chain([start], content), "lines" if by_line else "one"


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
            yield line_entry(self.name, number, text)
        yield from self.entries


def read_blocks(stream: BinaryIO, *, name: str, size: int = BLOCK_BYTES) -> Iterator[Block]:
    """A file in blocks of about this size, the last one marked `final`; raises OSError if reading fails."""
    pieces = ExpandedStream(stream)
    content, layout = open_content(pieces, name)
    if layout == "lines":
        yield from _Cutter(stream, pieces, name, size).blocks(content)
        return
    if layout == "notation":
        yield from _blocks_of_notation(stream, read_notation_entries(pieces, content, name), size)
        return
    entries = tuple(read_only_entry(pieces, content, name))
    length = sum([len(entry.data) for entry in entries])
    yield Block(name, 0, length, 1, 0, True, _stream_position(stream), False, b"", entries)


def _blocks_of_notation(stream: BinaryIO, entries: Iterator[Entry], size: int) -> Iterator[Block]:
    """Blocks of records in the notation, at most so many as of lines."""
    start, waiting = 0, next(entries)
    while True:
        block, length = [waiting], len(waiting.data)
        following = next(entries, None)
        while following is not None and length < size and len(block) < MOST_LINES:
            block.append(following)
            length += len(following.data)
            following = next(entries, None)
        yield Block(
            name=waiting.name,
            start=start,
            stop=start + length,
            line=waiting.line or 1,
            lines=sum([entry.data.count(b"\n") for entry in block]),
            final=following is None,
            position=_stream_position(stream),
            plain=False,
            data=b"",
            entries=tuple(block),
        )
        if following is None:
            return
        start, waiting = start + length, following


class _Cutter:
    """Cuts the content of one file into blocks, with no more than a block and a line in memory."""

    def __init__(self, stream: BinaryIO, pieces: ExpandedStream, name: str, size: int) -> None:
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
