"""A file, record by record: plain or compressed, with one record in all or one per line."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import msgspec

from records.codec.compression import ExpandedStream
from records.codec.location import make_finding
from records.record import MAX_RECORD_BYTES
from records.validate.finding import Finding

_BLANKS = b" \t\r\n"
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
    start, by_line = bytearray(), False
    for piece in pieces:
        start += piece
        first, newline, rest = bytes(start).lstrip(_BLANKS).partition(b"\n")
        second, second_newline, _ = rest.lstrip(_BLANKS).partition(b"\n")
        by_line = bool(second) and (
            _members(first) is not None or "format" in (_members(second) or ())
        )
        if second_newline or by_line or len(start) > MAX_RECORD_BYTES:
            by_line = by_line or not newline
            break
    return bytes(start), by_line


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
    empty, number, rest = True, 1, b""
    for number, data, ended in _lines(content):
        if not ended and data is not None:
            rest = data
        elif data is None:
            yield overlong_line_entry(name, number)
            empty, number = False, number + (not ended)
        elif not is_blank(data):
            yield Entry(name, number, data)
            empty = False
    yield from read_last_entries(pieces, rest, name, number, empty=empty)


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


def _lines(content: Iterator[bytes]) -> Iterator[tuple[int, bytes | None, bool]]:
    """Number, text, and whether a line break ends it; None for the text of a line that is too long."""
    number, unended, size = 1, bytearray(), 0
    for piece in content:
        *ended, rest = piece.split(b"\n")
        for part in ended:
            size += len(part)
            yield number, bytes(unended + part) if size <= MAX_RECORD_BYTES else None, True
            number, unended, size = number + 1, bytearray(), 0
        size += len(rest)
        unended = unended + rest if size <= MAX_RECORD_BYTES else bytearray()
    yield number, bytes(unended) if size <= MAX_RECORD_BYTES else None, False


def _too_large(line: int | None) -> Finding:
    finding = make_finding("record-too-large", limit=f"{MAX_RECORD_BYTES:,}")
    return finding if line is None else _on_line(finding, line)


def _on_line(finding: Finding, line: int) -> Finding:
    return msgspec.structs.replace(finding, at=msgspec.structs.replace(finding.at, line=line))
