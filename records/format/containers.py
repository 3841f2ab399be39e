"""Compressed files and archives, one inside another, as the plain files in them, in UTF-8 and within bounds.

The first bytes of a file tell what it is, whatever its name: gzip, zstd, bzip2, xz, tar, ZIP, and UTF-16 or UTF-32. What cannot be
read has one finding with its cure.
"""

import bz2
import codecs
import io
import lzma
import re
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import IO, BinaryIO, Protocol, cast

from records.format.text_places import make_finding
from records.record import FREE_EXPANDED_BYTES, MAX_EXPANDED_BYTES, MAX_EXPANSION
from records.validate.finding import Finding

MOST_LEVELS = 4
"""So many archives and compressed files may be one inside another."""
MOST_FILES = 100_000
"""So many files may be in one that is sent, all archives in it together."""
_PIECE_BYTES = 64 * 1024
_COMPRESSED_PIECE_BYTES = 256
"""Small, because four hostile bytes expand to 128 KiB before they can be refused."""
_LARGEST_WINDOW_BYTES = 128 * 1024 * 1024
_HEAD_BYTES = 512
"""So many first bytes tell what a file is: the sign of a tar archive stands at 257."""
_MOST_DIRECTORY_BYTES = 8 * 1024 * 1024
"""The list of files in a ZIP archive is read at once; each of them takes 46 bytes or more in it."""
_LONGEST_HEADER_BYTES = 64 * 1024
"""The longest name, or other header, of a file in a tar archive that is read."""

Pieces = Iterator[bytes]


class _Expander(Protocol):
    """What all expanders have in common; one expands one member of a file."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


class _Stopped(Exception):
    """Reading ends here; the finding says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


def _stop(clause: str, *, limit: object = None) -> _Stopped:
    return _Stopped(make_finding("damaged-compression", clause=clause, limit=limit))


@dataclass(slots=True)
class PlainFile:
    """A file that is neither compressed nor an archive, in pieces that are not empty; it can be read once.

    `trouble` says why it stopped before its end, and `notes` what was understood of it; both are complete when it has been
    read. `expanded` counts the bytes that have come out of it, if it was compressed or in an archive.
    """

    name: str | None
    pieces: Pieces
    compressed: bool = False
    trouble: Finding | None = None
    expanded: int = 0
    notes: list[Finding] = field(default_factory=list)

    def __iter__(self) -> Pieces:
        try:
            for piece in self.pieces:
                if self.compressed:
                    self.expanded += len(piece)
                if piece:
                    yield piece
        except _Stopped as stopped:
            self.trouble = stopped.finding


@dataclass(slots=True)
class _Budget:
    """How far one file that was sent may expand, all levels together, and how many files may be in it."""

    read: int = 0
    expanded: int = 0
    files: int = 0
    is_spent: bool = False

    def expand(self, size: int) -> None:
        """Count bytes that came out; raises _Stopped."""
        self.expanded += size
        limit = min(MAX_EXPANDED_BYTES, FREE_EXPANDED_BYTES + MAX_EXPANSION * self.read)
        if self.expanded > limit:
            self.is_spent = True
            raise _Stopped(make_finding("expands-too-far", limit=f"{limit:,}"))

    def open_file(self) -> None:
        """Count a file in an archive; raises _Stopped."""
        self.files += 1
        if self.files > MOST_FILES:
            self.is_spent = True
            raise _stop("too-many-files", limit=f"{MOST_FILES:,}")


def unpack(stream: BinaryIO, name: str | None) -> Iterator[PlainFile]:
    """The plain files in a stream, each to be read before the next; one without a name of its own has the one given.

    A file in an archive is named after both: `evening.zip/table-3.json`. Reading never fails but with OSError.
    """
    budget = _Budget()
    opened = _Level(_counted(stream, budget), name, budget, stream)
    yield from opened.files()


def _counted(stream: BinaryIO, budget: _Budget) -> Pieces:
    while piece := _read_piece(stream):
        budget.read += len(piece)
        yield piece


def _read_piece(stream: IO[bytes]) -> bytes:
    """The next piece, a shorter one only at the end: no limit may depend on how a stream delivers."""
    piece = bytearray()
    while len(piece) < _PIECE_BYTES and (more := stream.read(_PIECE_BYTES - len(piece))):
        piece += more
    return bytes(piece)


def _joined(pieces: Pieces) -> Pieces:
    """The same bytes in large pieces: thousands of blocks that hold nothing cost their readers nothing."""
    joined = bytearray()
    for piece in pieces:
        joined += piece
        if len(joined) >= _PIECE_BYTES:
            yield bytes(joined)
            joined.clear()
    if joined:
        yield bytes(joined)


# One level: a file as it is, compressed, or an archive.


@dataclass(slots=True)
class _Level:
    """A file at some depth; `stream` is the file itself, if it is not inside another one."""

    pieces: Pieces
    name: str | None
    budget: _Budget
    stream: BinaryIO | None = None
    depth: int = 0

    def files(self) -> Iterator[PlainFile]:
        """The plain files in it."""
        try:
            head = self._read_head()
        except _Stopped as stopped:
            yield self._end(stopped)
            return
        expand = _expander_of(head)
        is_archive = head.startswith(_ZIP) or head[257:262] == b"ustar"
        if (expand or is_archive) and self.depth == MOST_LEVELS:
            yield self._end(_stop("too-deep", limit=MOST_LEVELS))
        elif expand is not None:
            yield from self._inside(_joined(self._expand(*expand)), self.name)
        elif head.startswith(_ZIP):
            yield from self._listed(self._zip())
        elif head[257:262] == b"ustar":
            yield from self._listed(self._tar())
        else:
            yield from self._plain(head)

    def _read_head(self) -> bytes:
        """The first bytes, which stay in the pieces."""
        head = b""
        for piece in self.pieces:
            head += piece
            if len(head) >= _HEAD_BYTES:
                break
        self.pieces = chain([head] if head else [], self.pieces)
        return head

    def _inside(self, pieces: Pieces, name: str | None) -> Iterator[PlainFile]:
        return _Level(pieces, name, self.budget, None, self.depth + 1).files()

    def _plain(self, head: bytes) -> Iterator[PlainFile]:
        if (kind := _kind_without_text(head)) is not None:
            yield PlainFile(self.name, iter(()), trouble=make_finding("not-text", kind=kind))
            return
        file = PlainFile(self.name, self.pieces, compressed=self.depth > 0)
        if (encoding := _encoding_of(head)) is not None:
            file.pieces = _in_utf8(self.pieces, encoding, file)
        yield file

    def _end(self, stopped: _Stopped) -> PlainFile:
        """A file of which nothing can be read."""
        return PlainFile(self.name, iter(()), compressed=True, trouble=stopped.finding)

    def _listed(self, files: Iterator[PlainFile]) -> Iterator[PlainFile]:
        """The files of an archive, and what is wrong with it, or that it has none."""
        empty = True
        try:
            for file in files:
                empty = False
                yield file
        except _Stopped as stopped:
            yield self._end(stopped)
            return
        if empty:
            yield self._end(_stop("no-files"))

    # Compressed files.

    def _expand(
        self, opened: Callable[[], _Expander], damage: type[Exception] | tuple[type[Exception], ...]
    ) -> Pieces:
        member = opened()
        try:
            for rest in _slices(self.pieces):
                # Zeros may follow a compressed file; tapes and disks once filled it up so.
                while rest := rest.lstrip(b"\0") if member.eof else rest:
                    if member.eof:
                        member = opened()
                    expanded = member.decompress(rest)
                    rest = member.unused_data if member.eof else b""
                    self.budget.expand(len(expanded))
                    yield expanded
        except damage:
            raise _stop("damaged") from None
        if not member.eof:
            raise _stop("cut-off")

    # Archives.

    def _member(self, name: str, stream: IO[bytes]) -> Iterator[PlainFile]:
        """The plain files in a file of an archive."""
        self.budget.open_file()
        named = f"{self.name}/{name}" if self.name else name
        return self._inside(self._pieces_of(stream), named)

    def _pieces_of(self, stream: IO[bytes]) -> Pieces:
        try:
            while piece := stream.read(_PIECE_BYTES):
                self.budget.expand(len(piece))
                yield piece
        except _DAMAGE:
            raise _stop("damaged") from None

    def _tar(self) -> Iterator[PlainFile]:
        try:
            with tarfile.open(
                fileobj=cast(BinaryIO, _PieceStream(self.pieces)),
                mode="r|",
                tarinfo=_BoundedTarInfo,
            ) as archive:
                for member in archive:
                    stream = archive.extractfile(member) if member.isreg() else None
                    if stream is not None and _is_wanted(member.name):
                        yield from self._member(member.name, stream)
                    if self.budget.is_spent:
                        return
        except _DAMAGE:
            raise _stop("damaged") from None

    def _zip(self) -> Iterator[PlainFile]:
        with self._seekable() as stream:
            try:
                _check_directory(stream)
                archive = zipfile.ZipFile(stream)
            except _DAMAGE:
                raise _stop("damaged") from None
            infos = archive.infolist()
            if any(info.filename == "[Content_Types].xml" for info in infos):
                raise _Stopped(make_finding("not-text", kind=_OFFICE_DOCUMENT))
            for info in infos:
                if info.is_dir() or not _is_wanted(info.filename):
                    continue
                if info.flag_bits & 1:
                    raise _stop("locked")
                try:
                    stream_of_member = archive.open(info)
                except _DAMAGE:
                    raise _stop("damaged") from None
                with stream_of_member:
                    yield from self._member(info.filename, stream_of_member)
                if self.budget.is_spent:
                    return

    def _seekable(self) -> BinaryIO:
        """The archive as a file in which one can go back: the file itself, or a copy of it on disk."""
        if self.stream is not None and self.stream.seekable():
            self.budget.read = self.stream.seek(0, io.SEEK_END)
            return cast(BinaryIO, _UnclosedStream(self.stream))
        copy = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
        for piece in self.pieces:
            copy.write(piece)
        return cast(BinaryIO, copy)


class _UnclosedStream(io.BufferedIOBase):
    """A stream that its user does not close."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def read(self, size: int | None = -1, /) -> bytes:
        return self._stream.read(-1 if size is None else size)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True


class _PieceStream(io.RawIOBase):
    """Pieces as a file that is read from its beginning to its end."""

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces
        self._rest = b""

    def read(self, size: int = -1, /) -> bytes:
        while (size < 0 or len(self._rest) < size) and (piece := next(self._pieces, b"")):
            self._rest += piece
        size = len(self._rest) if size < 0 else size
        read, self._rest = self._rest[:size], self._rest[size:]
        return read

    def readable(self) -> bool:
        return True


class _BoundedTarInfo(tarfile.TarInfo):
    """A header of a tar archive; those that hold a name are read at once, and must not be long."""

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        if self.type not in tarfile.REGULAR_TYPES and self.size > _LONGEST_HEADER_BYTES:
            raise _stop("long-name", limit=f"{_LONGEST_HEADER_BYTES:,}")
        return super()._proc_member(archive)  # type: ignore[misc, no-any-return]


_DAMAGE = (
    tarfile.TarError, zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, lzma.LZMAError, EOFError,
    NotImplementedError, RuntimeError, ValueError, OverflowError, IndexError, UnicodeError, OSError,
)  # fmt: skip
"""What the readers of archives raise for one that is damaged."""


def _check_directory(stream: BinaryIO) -> None:
    """Raise _Stopped for an archive whose list of files would take too much memory."""
    size = stream.seek(0, io.SEEK_END)
    stream.seek(max(0, size - 65_557))
    tail = stream.read(65_557)
    at = tail.rfind(b"PK\x05\x06")
    if at >= 0 and (
        int.from_bytes(tail[at + 12 : at + 16], "little") > _MOST_DIRECTORY_BYTES
        or b"PK\x06\x07" in tail[max(0, at - 20) : at]
    ):
        raise _stop("too-many-files", limit=f"{MOST_FILES:,}")
    stream.seek(0)


def _is_wanted(name: str) -> bool:
    """Whether a file of an archive is one that a person put there; what systems add is passed over."""
    parts = name.replace("\\", "/").split("/")
    return (
        "__MACOSX" not in parts and not parts[-1].startswith(".") and parts[-1] not in _SYSTEM_FILES
    )


_SYSTEM_FILES = ("", "Thumbs.db", "desktop.ini")


# What a file is, by its first bytes.

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_ZSTD_SKIPPABLE = b"\x2a\x4d\x18"
_BZIP2 = b"BZh"
_XZ = b"\xfd7zXZ\0"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_OFFICE_DOCUMENT = "a document of an office program: copy its text, and paste that"
_KINDS_WITHOUT_TEXT = (
    (b"%PDF", "a PDF document: copy its text, and paste that"),
    (b"\x89PNG", "a picture (PNG): type the game, or tap it in the recorder"),
    (b"\xff\xd8\xff", "a picture (JPEG): type the game, or tap it in the recorder"),
    (b"GIF8", "a picture (GIF): type the game, or tap it in the recorder"),
    (b"RIFF", "a picture or a sound: type the game, or tap it in the recorder"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive, which is not read: pack the files as ZIP"),
    (b"Rar!", "a RAR archive, which is not read: pack the files as ZIP"),
    (b"SQLite format 3\0", "a database: write its records as JSON"),
    (b"\xd0\xcf\x11\xe0", _OFFICE_DOCUMENT),
)


def _expander_of(
    head: bytes,
) -> tuple[Callable[[], _Expander], type[Exception] | tuple[type[Exception], ...]] | None:
    """How a compressed file is expanded, and what is raised for a damaged one; None for any other file."""
    if head.startswith(_GZIP):
        return lambda: zlib.decompressobj(wbits=16 + zlib.MAX_WBITS), zlib.error
    if head.startswith(_ZSTD) or head[1:4] == _ZSTD_SKIPPABLE:
        import zstandard  # few files need it, and a command should start at once

        return (
            lambda: zstandard.ZstdDecompressor(
                max_window_size=_LARGEST_WINDOW_BYTES
            ).decompressobj(),
            zstandard.ZstdError,
        )
    if head.startswith(_BZIP2) and head[3:4].isdigit():
        return bz2.BZ2Decompressor, OSError
    if head.startswith(_XZ):
        return lambda: lzma.LZMADecompressor(memlimit=_LARGEST_WINDOW_BYTES), lzma.LZMAError
    return None


def _slices(pieces: Pieces) -> Pieces:
    for piece in pieces:
        for start in range(0, len(piece), _COMPRESSED_PIECE_BYTES):
            yield piece[start : start + _COMPRESSED_PIECE_BYTES]


def _kind_without_text(head: bytes) -> str | None:
    """What a file is that holds no text; None for one that may."""
    return next((kind for sign, kind in _KINDS_WITHOUT_TEXT if head.startswith(sign)), None)


_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks; the longer first, since one begins like another."""


_UNMARKED = (
    (re.compile(rb"[\s\x1e{\[]\0\0\0"), "utf-32-le"),
    (re.compile(rb"\0\0\0[\s\x1e{\[]"), "utf-32-be"),
    (re.compile(rb"[\s\x1e{\[]\0[\x09-\x7e]\0"), "utf-16-le"),
    (re.compile(rb"\0[\s\x1e{\[]\0[\x09-\x7e]"), "utf-16-be"),
)
"""How a record begins in an encoding without its mark: no text in UTF-8 has zero bytes there."""


def _encoding_of(head: bytes) -> str | None:
    """The encoding of a text that its mark or its zero bytes tell, None if neither does; that of UTF-8 stays where it is."""
    marked = next((encoding for mark, encoding in _MARKS if head.startswith(mark)), None)
    return marked or next((name for begins, name in _UNMARKED if begins.match(head)), None)


def _in_utf8(pieces: Iterable[bytes], encoding: str, file: PlainFile) -> Pieces:
    """A text of another encoding in UTF-8; raises _Stopped where it breaks its own rules."""
    file.notes.append(make_finding("other-encoding", encoding=encoding.upper()))
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for piece in pieces:
            yield decoder.decode(piece).encode()
        yield decoder.decode(b"", final=True).encode()
    except UnicodeError:
        raise _Stopped(
            make_finding("not-utf8", clause="other", encoding=encoding.upper())
        ) from None


# Windows-1252, which has no mark.

_RELATED = ("cp1250", "cp1252", "cp1254", "iso8859-1", "iso8859-15")
"""Encodings of Europe that share their common letters; Windows-1252 is one of them."""
_LETTERS = bytes(
    code
    for code in range(0xA0, 0x100)
    if len({bytes([code]).decode(encoding, "replace") for encoding in _RELATED}) == 1
    and bytes([code]).decode("cp1252").isalpha()
)
_QUOTES = b"\x85\x91\x92\x93\x94\x96\x97"
"""Quotes, dashes and dots, which are the same in all encodings of Windows."""
_DOUBTFUL = re.compile(
    rb"(?![%b]|(?<![\x80-\xff])(?:(?<=[A-Za-z])[%b]|[%b](?=[A-Za-z]))(?![\x80-\xff]))[\x80-\xff]"
    % (re.escape(_QUOTES), re.escape(_LETTERS), re.escape(_LETTERS))
)
"""A sign that other encodings may mean otherwise. To match the whole text by a possessive group goes wrong before Python 3.11.5."""


def from_windows_1252(data: bytes) -> bytes | None:
    """A text in UTF-8 that is not UTF-8 as it stands, and is certainly Windows-1252; None for any other.

    That is certain if each of its signs beyond ASCII is a letter that all encodings of western and central Europe write alike,
    beside a letter of ASCII, or a quote or dash of Windows: in other scripts several of them stand in a row.
    """
    if data.isascii():
        return None
    try:
        data.decode()
    except UnicodeDecodeError:
        return None if _DOUBTFUL.search(data) else data.decode("cp1252").encode()
    return None
