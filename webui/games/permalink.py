"""Permalinks: a whole record inside an address, compressed, and expanded only up to a limit."""

from base64 import b64decode, urlsafe_b64encode
from functools import lru_cache

import zstandard

from records import codec
from records.validator import Validator
from webui.games.cache import GameSource, OpenedGame

LONGEST_PERMALINK = 6_000
"""The most characters of a permalink's record: browsers, chats and servers still pass on this many."""
LARGEST_RECORD_BYTES = 256 * 1024
"""The most bytes that a permalink may expand to."""
PERMALINK_ZSTD_LEVEL = 19
_LARGEST_WINDOW_BYTES = 1 << 20


class InvalidPermalink(ValueError):
    """A permalink that holds no record; the text says why."""


def encode_permalink(data: bytes) -> str:
    """The record as text for an address; empty if it is too long."""
    return _encode(data) if len(data) <= LARGEST_RECORD_BYTES else ""


@lru_cache(16)
def _encode(data: bytes) -> str:
    text = urlsafe_b64encode(zstandard.compress(data, PERMALINK_ZSTD_LEVEL)).decode().rstrip("=")
    return text if len(text) <= LONGEST_PERMALINK and decode_permalink(text) == data else ""


def decode_permalink(text: str) -> bytes:
    """The bytes that a permalink holds, at most `LARGEST_RECORD_BYTES`; raises InvalidPermalink."""
    if len(text) > LONGEST_PERMALINK:
        raise InvalidPermalink(
            f"A record in an address has at most {LONGEST_PERMALINK:,} characters."
        )
    try:
        packed = b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        reader = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW_BYTES).stream_reader(
            packed
        )
        data = reader.read(LARGEST_RECORD_BYTES + 1)
    except (ValueError, zstandard.ZstdError):
        raise InvalidPermalink("The record in this address is damaged or cut off.") from None
    if len(data) > LARGEST_RECORD_BYTES:
        raise InvalidPermalink(
            f"The record in this address expands to more than {LARGEST_RECORD_BYTES // 1024} KiB."
        )
    return data


def open_permalink(text: str) -> OpenedGame:
    """The game that a permalink holds; raises InvalidPermalink."""
    decoded = codec.decode(decode_permalink(text))
    if decoded.record is None:
        raise InvalidPermalink(decoded.findings[0].message)
    validator = Validator(decoded.record)
    if validator.resolved is None or validator.match is None:
        raise InvalidPermalink(validator.findings[0].message)
    source = GameSource("permalinks", {"record": text})
    return OpenedGame(record=decoded.record, resolved=validator.resolved, source=source)
