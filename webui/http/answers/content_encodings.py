"""Compressed answers: gzip or zstd, whichever the client takes."""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import zstandard
from flask import request

ANSWER_ENCODINGS = ("zstd", "gzip")
"""The encodings of answers; of two that a client likes as much, the first."""
GZIP_LEVEL, ZSTD_LEVEL = 4, 3


def accepted_encoding() -> str:
    """The encoding in which to answer the current request; empty for none."""
    return request.accept_encodings.best_match(ANSWER_ENCODINGS) or ""


def compress_answer(data: bytes, encoding: str) -> bytes:
    """The bytes of an answer in one of `ANSWER_ENCODINGS`."""
    if encoding == "zstd":
        return zstandard.compress(data, ZSTD_LEVEL)
    return gzip.compress(data, GZIP_LEVEL, mtime=0)


def compress_pieces(pieces: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """The same for an answer that is made while it is sent: whoever has a piece can read it, before the next is made."""
    compressor: Any
    if encoding == "zstd":
        compressor = zstandard.ZstdCompressor(ZSTD_LEVEL).compressobj()
        flush = zstandard.COMPRESSOBJ_FLUSH_BLOCK
    else:
        compressor = zlib.compressobj(GZIP_LEVEL, wbits=16 + zlib.MAX_WBITS)
        flush = zlib.Z_SYNC_FLUSH
    for piece in pieces:
        yield compressor.compress(piece) + compressor.flush(flush)
    yield compressor.flush()
