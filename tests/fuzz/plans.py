"""Plans: an input described so shortly that a costly one is small, can be changed, and can be shrunk.

A plan is JSON. What it says many times it says once: an object with the member `@` is not written as it is but as
its kind says.

| kind | is written as |
|---|---|
| `repeat` | `of`, `times` times: items of a list, or pieces of a text with `between` them |
| `text` | a JSON text of `times` times `of` |
| `nest` | `of` inside `times` lists, or inside objects with the one `member` |
| `members` | an object with these `of` (pairs of name and value), names as often as they come |
| `raw` | `of`, letter by letter |
| `notation` | the record `of` in the notation; JSON if it is none |
| `wrap` | `before`, then `of`, then `after`, `times` times around each other |
| `sql` | the text that `of` spells |
| `stream` | `parts`, each with its own `times` and `end`, packed as `pack` says; then `cut` bytes are cut off |
| `link` | an address of `view` with `record` packed inside, and the `query` |

In what is repeated, `#` is the number of the repetition, from 0.
"""

import json
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import msgspec
import zstandard

from records.format import codec
from records.format.notation_writer import write_notation

Plan = Any

LARGEST_JSON_CHARACTERS = 16 * 1024 * 1024
LARGEST_STREAM_BYTES = 128 * 1024 * 1024
STREAM_PIECE_BYTES = 1024 * 1024
MOST_NUMBERED_REPEATS = 200_000
LINK_ZSTD_LEVEL = 19
SINGLE_BYTES = {0xF700 + byte: chr(0xDC00 + byte) for byte in range(0x80, 0x100)}


class PlanTooLarge(ValueError):
    """The plan would write more than anybody sends."""


def copied(plan: Plan) -> Plan:
    """The same plan again, to be changed."""
    return msgspec.json.decode(msgspec.json.encode(plan))


def write(plan: Plan) -> bytes:
    """The bytes that a plan describes; raises PlanTooLarge."""
    match plan:
        case {"@": "stream"}:
            return _stream(plan)
        case {"@": "link"}:
            return _address(plan).encode()
        case {"@": "sql", "of": of}:
            return _encoded(spell(of))
    return _encoded(json_text(plan))


def expanded_size(plan: Plan) -> int:
    """How many bytes a plan says, before they are packed."""
    match plan:
        case {"@": "stream", "parts": parts}:
            return sum(len(text) * times for text, times in _pieces(parts))
        case {"@": "link", "record": record}:
            return len(json_text(record))
    return len(write(plan))


def _encoded(text: str) -> bytes:
    """The text in UTF-8; U+F780 to U+F7FF (which are nothing) stand for single bytes that are not UTF-8."""
    return text.translate(SINGLE_BYTES).encode("utf-8", "surrogateescape")


def _address(plan: Plan) -> str:
    record = _encoded(json_text(plan["record"]))
    packed = urlsafe_b64encode(zstandard.compress(record, LINK_ZSTD_LEVEL)).decode().rstrip("=")
    query = {name: spell(value) for name, value in plan["query"].items()}
    return f"{plan['view']}?{urlencode({'record': packed, **query})}"


def json_text(plan: Plan) -> str:
    """The JSON text of a plan."""
    match plan:
        case {"@": "raw", "of": str(of)}:
            return of
        case {"@": "notation", "of": of}:
            record = codec.decode(_encoded(json_text(of))).record
            return json_text(of) if record is None else write_notation(record)
        case {"@": "text", "times": int(times), "of": of}:
            return json.dumps(_times(str(of), times), ensure_ascii=False)
        case {"@": "members", "of": list(pairs)}:
            return "{" + ",".join(_pairs(pairs)) + "}"
        case {"@": "nest", "times": int(times), "of": of}:
            member = plan.get("member")
            before, after = ("[", "]") if member is None else (f"{{{json.dumps(member)}:", "}")
            return _times(before, times) + json_text(of) + _times(after, times)
        case {"@": "repeat", "of": of}:
            return json_text(of)
        case {"@": _}:
            return "null"
        case dict():
            members = (f"{json.dumps(name)}:{json_text(part)}" for name, part in plan.items())
            return _joined(members, "{", "}")
        case list():
            return _joined(_items(plan), "[", "]")
        case str():
            return json.dumps(plan, ensure_ascii=False)
    return json.dumps(plan)


def _joined(parts: Iterator[str], before: str, after: str) -> str:
    text = before + ",".join(parts) + after
    if len(text) > LARGEST_JSON_CHARACTERS:
        raise PlanTooLarge
    return text


def _items(plans: list[Plan]) -> Iterator[str]:
    for plan in plans:
        match plan:
            case {"@": "repeat", "times": int(times), "of": of}:
                if times > 0:
                    yield _repeated(json_text(of), times, ",")
            case _:
                yield json_text(plan)


def _pairs(pairs: list[Plan]) -> Iterator[str]:
    for pair in pairs:
        match pair:
            case {"@": "repeat", "times": int(times), "of": [name, value]}:
                if times > 0:
                    yield _repeated(f"{json_text(name)}:{json_text(value)}", times, ",")
            case [name, value]:
                yield f"{json_text(name if isinstance(name, str) else 'a')}:{json_text(value)}"


def _times(text: str, times: int) -> str:
    if len(text) * times > LARGEST_JSON_CHARACTERS:
        raise PlanTooLarge
    return text * times


def _repeated(text: str, times: int, between: str) -> str:
    """The text so often, numbered where it has a `#`."""
    if "#" not in text:
        return _times(text + between, times).removesuffix(between)
    if times > MOST_NUMBERED_REPEATS or len(text) * times > LARGEST_JSON_CHARACTERS:
        raise PlanTooLarge
    return between.join(text.replace("#", str(number)) for number in range(times))


def spell(plan: Plan) -> str:
    """The text that a plan spells: its parts one after the other."""
    match plan:
        case {"@": "repeat", "times": int(times), "of": of}:
            return _repeated(spell(of), max(times, 0), str(plan.get("between", "")))
        case {"@": "wrap", "times": int(times), "of": of}:
            before, after = str(plan.get("before", "")), str(plan.get("after", ""))
            return _repeated(before, max(times, 0), "") + spell(of) + _times(after, max(times, 0))
        case dict():
            return spell(plan.get("of", ""))
        case list():
            return "".join(map(spell, plan))
        case None:
            return ""
    return str(plan)


def _stream(plan: Plan) -> bytes:
    """Its parts, packed, without the bytes cut off at the end."""
    pieces = _pieces(plan["parts"])
    if sum(len(text) * times for text, times in pieces) > LARGEST_STREAM_BYTES:
        raise PlanTooLarge
    if plan["pack"] in ("gzip", "zstd") and plan.get("apart"):
        packed = b"".join(
            _packed(plan["pack"], [(text, 1)]) * min(times, 100_000) for text, times in pieces
        )
    else:
        packed = _packed(plan["pack"], pieces)
    cut = int(plan.get("cut") or 0)
    return packed[:-cut] if cut > 0 else packed


def _pieces(parts: list[Plan]) -> list[tuple[bytes, int]]:
    """The bytes of each part, and how many times they come."""
    return [
        (_part(part), max(0, int(part.get("times") or 0)))
        for part in parts
        if isinstance(part, dict)
    ]


def _part(part: Plan) -> bytes:
    end = part.get("end")
    return _encoded(json_text(part.get("of")) + (end if isinstance(end, str) else ""))


def _packed(pack: str, pieces: list[tuple[bytes, int]]) -> bytes:
    if pack == "gzip":
        packer: Any = zlib.compressobj(6, wbits=31)
    elif pack == "zstd":
        packer = zstandard.ZstdCompressor(level=1).compressobj()
    else:
        return b"".join(text * times for text, times in pieces)
    packed = bytearray()
    for text, times in pieces:
        at_once = max(1, min(times, STREAM_PIECE_BYTES // max(1, len(text))))
        chunk = text * at_once
        for _ in range(times // at_once):
            packed += packer.compress(chunk)
        packed += packer.compress(text * (times % at_once))
    return bytes(packed + packer.flush())
