"""The bytes of a stream, expanded if it is compressed."""

import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, Protocol

from records.codec.location import make_finding
from records.record import FREE_EXPANDED_BYTES, MAX_EXPANDED_BYTES, MAX_EXPANSION
from records.validate.finding import Finding

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
        while len(head) < len(_ZSTD) and (more := stream.read(_PIECE_BYTES)):
            head += more
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
            while piece := stream.read(_PIECE_BYTES):
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
            piece = stream.read(_PIECE_BYTES)


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
