"""A file in blocks of whole lines, for several processes to read: the same records as `read_entries` gives."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from records.codec.compression import ExpandedStream
from records.codec.files import (
    Entry,
    end_of_lines,
    is_blank,
    line_entry,
    lines_with_text,
    open_content,
    overlong_line_entry,
    read_last_entries,
    read_notation_entries,
    read_only_entry,
)
from records.record import MAX_RECORD_BYTES

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
