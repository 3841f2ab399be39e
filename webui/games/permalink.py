"""A record inside an address: compressed, in letters that need no escape, expanded with a limit, and read."""

from base64 import b64decode, urlsafe_b64encode
from functools import lru_cache

import zstandard

from records import codec
from records.errors import RulesError
from records.rules.registry import resolve
from webui.games.cache import Reading

LONGEST = 6_000
"""Characters of a record in an address: what browsers, chats and servers still pass on."""
LARGEST = 256 * 1024
"""Bytes of a record that came in an address, expanded."""
LEVEL = 19
_WINDOW = 1 << 20


class NotCarried(ValueError):
    """The text in the address holds no record; says why."""


@lru_cache(16)
def pack(data: bytes) -> str:
    """A record as an address holds it; empty where it is too long, or would not come out as it went in."""
    if len(data) > LARGEST:
        return ""
    text = urlsafe_b64encode(zstandard.compress(data, LEVEL)).decode().rstrip("=")
    return text if len(text) <= LONGEST and unpack(text) == data else ""


def unpack(text: str) -> bytes:
    """The bytes that an address holds; raises NotCarried, and never expands more than `LARGEST` bytes."""
    if len(text) > LONGEST:
        raise NotCarried(f"A record in an address has {LONGEST:,} characters at most.")
    try:
        packed = b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        reader = zstandard.ZstdDecompressor(max_window_size=_WINDOW).stream_reader(packed)
        data = reader.read(LARGEST + 1)
    except (ValueError, zstandard.ZstdError):
        raise NotCarried("The record in this address is damaged or cut off.") from None
    if len(data) > LARGEST:
        raise NotCarried(f"The record in this address expands to more than {LARGEST // 1024} KiB.")
    return data


def opened(text: str) -> Reading:
    """The game that an address holds; raises NotCarried."""
    decoded = codec.decode(unpack(text))
    record = decoded.record
    if record is None:
        raise NotCarried(decoded.findings[0].message)
    rules = record.rules
    try:
        resolved = resolve(rules.id, rules.edition, rules.options)
    except RulesError as wrong:
        raise NotCarried(str(wrong)) from None
    return Reading(record=record, resolved=resolved, carried=text)
