"""The bytes of a stream, expanded if it is compressed."""

import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, Protocol

import zstandard

from records.codec.location import make_finding
from records.record import MAX_EXPANDED_BYTES
from records.validate.finding import Finding

_PIECE_BYTES = 64 * 1024
_COMPRESSED_PIECE_BYTES = 256
"""Small, because four hostile bytes expand to 128 KiB before they can be refused."""

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
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
    return zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW_BYTES).decompressobj()


class ExpandedStream:
    """The content of a stream, piece by piece; `trouble` says why it stopped before its end."""

    def __init__(self, stream: BinaryIO) -> None:
        self.trouble: Finding | None = None
        self.compressed = False
        self._pieces = self._start(stream)

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces

    def _start(self, stream: BinaryIO) -> Iterator[bytes]:
        head = b""
        while len(head) < len(_ZSTD) and (more := stream.read(_PIECE_BYTES)):
            head += more
        self.compressed = head.startswith((_GZIP, _ZSTD)) or head[1:4] == _ZSTD_SKIPPABLE
        if head.startswith(_GZIP):
            yield from self._expand(_gzip, _slices(head, stream))
        elif self.compressed:
            yield from self._expand(_zstd, _slices(head, stream))
        else:
            yield head
            while piece := stream.read(_PIECE_BYTES):
                yield piece

    def _expand(self, opened: Callable[[], _Expander], slices: Iterator[bytes]) -> Iterator[bytes]:
        total, member = 0, opened()
        try:
            for rest in slices:
                # Zeros may follow a compressed file; tapes and disks once filled it up so.
                while rest := rest.lstrip(b"\0") if member.eof else rest:
                    if member.eof:
                        member = opened()
                    expanded = member.decompress(rest)
                    rest = member.unused_data if member.eof else b""
                    total += len(expanded)
                    if total > MAX_EXPANDED_BYTES:
                        limit = f"{MAX_EXPANDED_BYTES:,}"
                        self.trouble = make_finding("expands-too-far", limit=limit)
                        return
                    yield expanded
        except (zlib.error, zstandard.ZstdError) as error:
            self.trouble = make_finding("damaged-compression", clause="damaged", error=error)
            return
        if not member.eof:
            self.trouble = make_finding("damaged-compression", clause="cut-off")


def _slices(head: bytes, stream: BinaryIO) -> Iterator[bytes]:
    piece = head
    while piece:
        for start in range(0, len(piece), _COMPRESSED_PIECE_BYTES):
            yield piece[start : start + _COMPRESSED_PIECE_BYTES]
        piece = stream.read(_PIECE_BYTES)
