"""Hostile texts of any size, each of a kind that once was slow, large or deep, or might be."""

import gzip
import json
import random
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import zstandard

from records.format import codec
from records.selfplay import play_game

JsonObject = dict[str, Any]


class Payload(NamedTuple):
    """A kind of text: makes one of about so many bytes, as a file of this name."""

    make: Callable[[int], bytes]
    name: str = "game.json"


def _text(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _repeated(part: bytes, size: int) -> bytes:
    return part * max(1, size // len(part))


def _record(**members: Any) -> JsonObject:
    names = [{"name": "a"}, {"name": "b"}]
    start = {"format": "bezique-record", "version": "1.0", "rules": {"id": "zique"}}
    return {**start, "players": names, **members}


WHOLE = _text(_record())
"""The smallest record."""


def _listed(before: bytes, part: bytes, after: bytes) -> Callable[[int], bytes]:
    """Texts with one part again and again as a JSON list, as many as fit."""

    def make(size: int) -> bytes:
        count = max(1, (size - len(before) - len(after)) // (len(part) + 1))
        return before + b",".join([part] * count) + after

    return make


def _members(before: bytes, part: Callable[[int], bytes], after: bytes) -> Callable[[int], bytes]:
    """Texts with parts that differ by their number."""

    def make(size: int) -> bytes:
        parts, length, number = [], len(before) + len(after), 0
        while length < size:
            parts.append(part(number))
            length += len(parts[-1]) + 1
            number += 1
        return before + b",".join(parts) + after

    return make


def _in_record(member: str, brackets: bytes = b"[]") -> tuple[bytes, bytes]:
    start = WHOLE[:-1] + b',"' + member.encode() + b'":' + brackets[:1]
    return start, brackets[1:] + b"}"


def _list_of(member: str, part: object, **others: Any) -> Callable[[int], bytes]:
    """Records of which one list is as long as fits."""
    start = _text(_record(**others))[:-1] + f',"{member}":['.encode()
    return _listed(start, _text(part), b"]}")


def _with(members: JsonObject, name: str, part: object) -> Callable[[int], bytes]:
    """Records with one deal of which one list is as long as fits."""
    start = _text(_record(deals=[members]))[:-3] + f',"{name}":['.encode()
    return _listed(start, _text(part), b"]}]}")


@cache
def _played(sheet: str) -> JsonObject:
    """A game of one deal, as JSON."""
    game: JsonObject = json.loads(codec.encode(play_game(sheet, seed=3, deals=1)))
    return game


def played_text(sheet: str) -> bytes:
    """A game of one deal."""
    return _text(_played(sheet))


def begun_text(sheet: str, events: int) -> bytes:
    """The first events of a deal as the public saw it, without the turn-up: much must be searched."""
    game = dict(_played(sheet))
    (deal,) = game["deals"]
    told = [
        {**event, "card": "??"} if event["type"] == "draw" else event
        for event in deal["events"][:events]
    ]
    game["deals"] = [{"dealer": deal["dealer"], "knowledge": "public", "events": told}]
    game.pop("result", None)
    return _text(game)


def _begun(sheet: str, events: int) -> Callable[[int], bytes]:
    return lambda size: begun_text(sheet, events) + b"\n"


def _many_begun(sheet: str, events: int) -> Callable[[int], bytes]:
    return lambda size: _repeated(begun_text(sheet, events) + b"\n", size)


def _events(
    sheet: str, cycle: list[JsonObject], *, played: float = 1.0, **changed: Any
) -> Callable[[int], bytes]:
    """Games with some of their events played, and then these again and again, in deals of 5,000."""

    def make(size: int) -> bytes:
        game = dict(_played(sheet))
        (deal,) = game["deals"]
        before = deal["events"][: int(len(deal["events"]) * played)]
        length = len(_text(cycle)) - 2
        count = max(1, (size - len(_text(game))) // (length + 1))
        deals = []
        while count > 0:
            here = min(count, (5000 - len(before)) // len(cycle))
            deals.append({**deal, **changed, "events": [*before, *cycle * here]})
            count -= here + len(_text({**deal, "events": before})) // (length + 1)
        game["deals"] = deals
        game.pop("result", None)
        return _text(game)

    return make


def _lines_at(at: str, events: list[JsonObject], deal_events: int = 1000) -> Callable[[int], bytes]:
    deal = {"dealer": 0, "events": [{"type": "trick", "winner": 0}] * deal_events}
    place = [0, 0 if at == "start" else deal_events]
    return _list_of("lines", {"at": place, "events": events}, deals=[deal])


def _nested(depth: int) -> Callable[[int], bytes]:
    def make(size: int) -> bytes:
        unit = b'{"org.example.a":' * depth + b"0" + b"}" * depth
        start, end = _in_record("meta")
        return _listed(start + b'"a":[', unit, b"]" + end)(size)

    return make


def _deep_errors(size: int) -> bytes:
    """A thousand errors below long names: each pointer has them all."""
    name = b'"' + b"k" * min(300, size // 64) + b'":'
    start = WHOLE[:-1] + b',"meta":' + (b"{" + name) * 29
    many = b"[" + b",".join([b"9e999"] * (size // 8)) + b"]"
    return start + many + b"}" * 30


def _packed(compress: Callable[[bytes], bytes], unit: bytes) -> Callable[[int], bytes]:
    """A unit repeated, compressed to about the size."""

    def make(size: int) -> bytes:
        sample = 4_000_000
        ratio = sample / len(compress(_repeated(unit, sample)))
        return compress(_repeated(unit, min(int(size * ratio), 300_000_000)))

    return make


def _zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(level=3).compress(data)


def _flushed(prefix: bytes) -> Callable[[int], bytes]:
    """A gzip stream that begins with this, expanded, and goes on with blocks that hold nothing."""

    def make(size: int) -> bytes:
        packer = zlib.compressobj(wbits=31)
        start = packer.compress(prefix) + packer.flush(zlib.Z_FULL_FLUSH)
        return start + b"\0\0\0\xff\xff" * ((size - len(start)) // 5)

    return make


def _zstd_blocks(prefix: bytes) -> Callable[[int], bytes]:
    """The same for zstd: raw blocks without bytes."""

    def make(size: int) -> bytes:
        head = b"\x28\xb5\x2f\xfd\x00\x58"
        raw = (len(prefix) << 3).to_bytes(3, "little") + prefix
        return head + raw + b"\0\0\0" * ((size - len(raw)) // 3)

    return make


def _trickle(size: int) -> bytes:
    """A compressed line that does not end, of bytes that hardly shrink."""
    return gzip.compress(b'{"a":"' + random.Random(1).randbytes(size).hex().encode())


EXT = "org.example.a"
PLAY = {"type": "play", "seat": 0, "card": "AS"}
TRICK = {"type": "trick", "winner": 0}
LAID = {"meld": "marriage", "cards": ["KS", "QS"]}

FILES: dict[str, Payload] = {
    "marks": Payload(lambda n: _repeated(b"\xef\xbb\xbf", n)),
    "marks before a record": Payload(lambda n: _repeated(b"\xef\xbb\xbf", n) + WHOLE),
    "marks and blanks": Payload(lambda n: _repeated(b"\xef\xbb\xbf \n", n)),
    "marks a line": Payload(lambda n: _repeated(b"\xef\xbb\xbf\n", n), "x.jsonl"),
    "blank lines": Payload(lambda n: _repeated(b"\n", n), "x"),
    "blank lines of a stream": Payload(lambda n: _repeated(b" \r\n", n), "x.jsonl"),
    "blanks, then a record": Payload(lambda n: _repeated(b" \n", n) + WHOLE, "x"),
    "one line of blanks": Payload(lambda n: b" " * n, "x"),
    "commas": Payload(lambda n: b"," * n, "x"),
    "commas in lines": Payload(lambda n: _repeated(b"," * 3000 + b"\n", n), "x"),
    "objects": Payload(lambda n: _repeated(b"{}\n", n), "x.jsonl"),
    "ones": Payload(lambda n: _repeated(b"1\n", n), "x.jsonl"),
    "records": Payload(lambda n: _repeated(WHOLE + b"\n", n), "x.jsonl"),
    "brackets": Payload(lambda n: b"[" * n),
    "brackets a line": Payload(lambda n: _repeated(b"[" * 2000 + b"\n", n), "x.jsonl"),
    "quotes": Payload(lambda n: b'"' * n),
    "backslashes": Payload(lambda n: b'"' + b"\\" * n),
    "one text": Payload(lambda n: b'{"a":"' + b"x" * n + b'"}'),
    "one number": Payload(lambda n: b"1" * n),
    "half a line, then lines": Payload(lambda n: b'{"a":"' + b"x" * (n // 2) + b"\n" * (n // 2), "x"),
    "not utf-8": Payload(lambda n: b'{"' + b"\xff" * n),
    "utf-16": Payload(lambda n: WHOLE.decode().encode("utf-16") + b" \0" * (n // 2)),
    "pretty, broken": Payload(lambda n: b"{\n" + b"\n" * n + b"x"),
}  # fmt: skip

RECORDS: dict[str, Payload] = {
    "long format": Payload(lambda n: b'{"format":"' + b"x" * n + b'"}'),
    "many members before": Payload(_members(b"{", lambda i: b'"a%d":0' % i, b"}")),
    "same member": Payload(_listed(WHOLE[:-1] + b",", b'"a":0', b"}")),
    "same long member": Payload(lambda n: _listed(WHOLE[:-1] + b",", b'"' + b"a" * (n // 100) + b'":0', b"}")(n)),
    "unknown members": Payload(_members(WHOLE[:-1] + b",", lambda i: b'"a%d":0' % i, b"}")),
    "unknown near words": Payload(_members(WHOLE[:-1] + b",", lambda i: b'"dealsandprovenance%d":0' % i, b"}")),
    "long rules": Payload(lambda n: _text(_record(rules={"id": "z" * n}))),
    "long option": Payload(lambda n: _text(_record(rules={"id": "zique", "options": {"x" * n: 1}}))),
    "long option value": Payload(lambda n: _text(_record(rules={"id": "zique", "options": {"follow": "x" * n}}))),
    "many options": Payload(_members(_text(_record())[:-1].split(b'"zique"')[0] + b'"zique","options":{', lambda i: b'"o%d":0' % i, b'}},"players":[{"name":"a"},{"name":"b"}]}')),
    "long version": Payload(lambda n: _text(_record(version="1." + "9" * n))),
    "long name": Payload(lambda n: _text(_record(players=[{"name": "x" * n}, {"name": "b"}]))),
    "long id": Payload(lambda n: _text(_record(players=[{"name": "a", "id": "x" * n}, {"name": "b"}]))),
    "long start": Payload(lambda n: _text(_record(meta={"started": "2" * n}))),
    "sides": Payload(_list_of("sides", [0])),
    "one side": Payload(lambda n: _text(_record(sides=[[0] * (n // 2)]))),
    "scores": Payload(lambda n: _text(_record(result={"scores": [0] * (n // 2)}))),
    "settlement": Payload(lambda n: _text(_record(result={"settlement": [0] * (n // 2)}))),
    "notes": Payload(_list_of("notes", {"at": [0], "text": ""}, deals=[{"dealer": 0}])),
    "notes nowhere": Payload(_list_of("notes", {"at": [9], "text": ""})),
    "notes far away": Payload(_list_of("notes", {"at": [2**62, 2**62], "text": ""})),
    "lines, empty, at the end": Payload(_lines_at("end", [])),
    "lines at the end": Payload(_lines_at("end", [PLAY])),
    "lines at the start": Payload(_lines_at("start", [TRICK])),
    "lines nowhere": Payload(_list_of("lines", {"at": [9, 9], "events": []})),
    "deals": Payload(_list_of("deals", {"dealer": 0})),
    "deals by the wrong seat": Payload(_list_of("deals", {"dealer": 5})),
    "deals with setups": Payload(_list_of("deals", {"dealer": 0, "setup": {"hands": [["AS"], ["AS"]], "seat": 0}})),
    "deals of few cards": Payload(_list_of("deals", {"dealer": 0, "turn_up": "AS", "hands": [["AS"] * 8, ["??"] * 8]})),
    "meta, wide": Payload(_members(*[_in_record("meta", b"{}")[0], lambda i: b'"a%d":1e999' % i, b"}}"])),
    "meta, numbers": Payload(_listed(_in_record("meta", b"{}")[0] + b'"a":[', b"99999999999999999999999", b"]}}")),
    "meta, reals": Payload(_listed(_in_record("meta", b"{}")[0] + b'"a":[', b"1e5", b"]}}")),
    "meta, NaN": Payload(_listed(_in_record("meta", b"{}")[0] + b'"a":[', b"NaN", b"]}}")),
    "meta, halves": Payload(_listed(_in_record("meta", b"{}")[0] + b'"a":[', b'"\\ud800"', b"]}}")),
    "meta, nested": Payload(_nested(28)),
    "meta, too deep": Payload(_nested(40)),
    "meta, lists too deep": Payload(_listed(_in_record("meta", b"{}")[0] + b'"a":[', b"[" * 31 + b"]" * 31, b"]}}")),
    "deep errors": Payload(_deep_errors),
    "huge number": Payload(lambda n: WHOLE[:-1] + b',"result":{"scores":[' + b"9" * n + b"]}}"),
    "huge real": Payload(lambda n: WHOLE[:-1] + b',"result":{"scores":[0.' + b"9" * n + b"]}}"),
    "bad extension keys": Payload(_members(_in_record("ext", b"{}")[0], lambda i: b'"a%d":0' % i, b"}}")),
    "a long extension key": Payload(lambda n: _text(_record(ext={"a." * (n // 2): 0}))),
    "a long bad extension key": Payload(lambda n: _text(_record(ext={"a." * (n // 2) + "!": 0}))),
    "extensions of events": Payload(_events("zique", [{**TRICK, "ext": {EXT: 0}}])),
    "tens": Payload(_with({"dealer": 0}, "stock", "10S")),
    "tens, broken": Payload(_with({"dealer": 0, "x": 0}, "stock", "10S")),
    "tens in texts": Payload(lambda n: _text(_record(meta={"a": ["10S"] * (n // 6)}, deals=[{"dealer": 0, "turn_up": "10S"}]))),
    "bad cards": Payload(_with({"dealer": 0}, "stock", "SA")),
    "long bad cards": Payload(lambda n: _with({"dealer": 0}, "stock", "S" * (n // 50))(n)),
    "different bad cards": Payload(_members(_text(_record(deals=[{"dealer": 0}]))[:-3] + b',"stock":[', lambda i: b'"X%d"' % i, b"]}]}")),
    "unknown events": Payload(_with({"dealer": 0}, "events", {"type": "pass"})),
    "events without type": Payload(_with({"dealer": 0}, "events", {})),
    "events that are none": Payload(_with({"dealer": 0}, "events", 0)),
    "stock": Payload(_with({"dealer": 0}, "stock", "AS")),
    "stock, labelled": Payload(_with({"dealer": 0, "hands": [["AS.1"], []]}, "stock", "AS")),
    "stock, unknown": Payload(_with({"dealer": 0}, "stock", "??")),
    "hands": Payload(_with({"dealer": 0}, "hands", [])),
    "hands of cards": Payload(_with({"dealer": 0}, "hands", ["AS"] * 8)),
    "one hand": Payload(lambda n: _text(_record(deals=[{"dealer": 0, "hands": [["AS"] * (n // 5), []]}]))),
    "one unknown hand": Payload(lambda n: _text(_record(deals=[{"dealer": 0, "hands": [["?S"] * (n // 5), []]}]))),
    "setup, hands": Payload(lambda n: _text(_record(deals=[{"dealer": 0, "setup": {"seat": 0, "hands": [["AS"] * (n // 10), ["9H"] * (n // 10)]}}]))),
    "setup, unknown": Payload(lambda n: _text(_record(deals=[{"dealer": 0, "setup": {"seat": 0, "hands": [["?S"] * (n // 10), ["9?"] * (n // 10)]}}]))),
    "setup, trick": Payload(lambda n: _text(_record(deals=[{"dealer": 0, "setup": {"seat": 0, "hands": [["AS"], ["9H"]], "trick": ["KS"] * (n // 5)}}]))),
    "setup, captured": Payload(lambda n: _text(_record(rules={"id": "polish-bezique"}, deals=[{"dealer": 0, "setup": {"seat": 0, "hands": [["AS"], ["9H"]], "captured": [["KS", "QS"] * (n // 10), []]}}]))),
    "setup, tables": Payload(lambda n: _text(_record(deals=[{"dealer": 0, "setup": {"seat": 0, "hands": [["AS"], ["9H"]], "tables": [[LAID] * (n // 39), []]}}]))),
    "setup, spent": Payload(lambda n: _text(_record(deals=[{"dealer": 0, "setup": {"seat": 0, "trump": "S", "hands": [["7S"], ["9H"]], "spent_dixes": ["7S"] * (n // 5)}}]))),
    "setup, tableau": Payload(lambda n: _text(_record(rules={"id": "zetema"}, deals=[{"dealer": 0, "setup": {"seat": 0, "hands": [["AS"], ["9H"]], "tableau": ["7S"] * (n // 5)}}]))),
}  # fmt: skip


def _of_meld(name: str, cards: list[str]) -> JsonObject:
    return {"type": "meld", "seat": 0, "meld": name, "cards": cards}


EVENTS: dict[str, Payload] = {}
_CYCLES: dict[str, list[JsonObject]] = {
    "tricks": [TRICK],
    "plays": [PLAY],
    "unknown plays": [{"type": "play", "seat": 0, "card": "??"}, {"type": "play", "seat": 1, "card": "??"}],
    "half-known plays": [{"type": "play", "seat": 0, "card": "?S"}, {"type": "play", "seat": 1, "card": "9?"}],
    "draws": [{"type": "draw", "seat": 0, "card": "AS"}],
    "unknown draws": [{"type": "draw", "seat": 0, "card": "??"}],
    "half-known draws": [{"type": "draw", "seat": 0, "card": "?S"}, {"type": "draw", "seat": 1, "card": "Q?"}],
    "melds": [_of_meld("marriage", ["KS", "QS"])],
    "unknown melds": [_of_meld("four_aces", ["??"] * 4)],
    "empty melds": [_of_meld("bezique", [])],
    "wide melds": [_of_meld("sequence", ["AS", "TS", "KS", "QS", "JS"] * 20)],
    "marriages": [_of_meld("marriages", ["KS", "QS"])],
    "declares": [{"type": "declare", "seat": 0, "meld": "marriage", "cards": ["KS", "QS"]}],
    "dixes": [{"type": "dix", "seat": 0, "action": "show"}],
    "exchanges": [{"type": "dix", "seat": 0, "action": "exchange", "card": "7S"}],
    "blanches": [{"type": "carte_blanche", "seat": 0}],
    "discards": [{"type": "discard", "seat": 0, "card": "AS"}],
    "unknown discards": [{"type": "discard", "seat": 0, "card": "??"}],
    "cuts": [{"type": "cut", "seat": 0, "packet": 3}],
    "scores": [{"type": "score", "seat": 0, "for": "last_trick"}],
    "brisques": [{"type": "score", "seat": 0, "for": "brisques", "count": 3, "points": 30}],
    "irregularities": [{"type": "irregular", "seat": 0, "what": "other"}],
    "withdrawals": [{"type": "irregular", "seat": 0, "what": "withdrawn_meld"}],
    "misdeals": [{"type": "irregular", "seat": 0, "what": "misdeal"}],
    "melds withdrawn": [_of_meld("marriage", ["KS", "QS"]), {"type": "irregular", "seat": 0, "what": "withdrawn_meld"}],
}  # fmt: skip
for _sheet in ("zique", "zetema"):
    for _name, _cycle in _CYCLES.items():
        for _share in (0.0, 1.0):
            EVENTS[f"{_sheet}: {_name} after {_share:.0%}"] = Payload(
                _events(_sheet, _cycle, played=_share)
            )
        for _level in ("public",):
            EVENTS[f"{_sheet}, {_level}: {_name}"] = Payload(
                _events(_sheet, _cycle, played=0.5, knowledge=_level, hands=None, stock=None)
            )

PACKED: dict[str, Payload] = {
    "gzip: blank lines": Payload(_packed(gzip.compress, b"\n"), "x"),
    "gzip: blank lines of a stream": Payload(_packed(gzip.compress, b"\n"), "x.jsonl"),
    "gzip: blanks": Payload(_packed(gzip.compress, b" "), "x"),
    "gzip: blanks and breaks": Payload(_packed(gzip.compress, b" \n"), "x.jsonl"),
    "gzip: marks": Payload(_packed(gzip.compress, b"\xef\xbb\xbf"), "x"),
    "gzip: objects": Payload(_packed(gzip.compress, b"{}\n"), "x.jsonl"),
    "gzip: records": Payload(_packed(gzip.compress, WHOLE + b"\n"), "x.jsonl"),
    "gzip: one line": Payload(_packed(gzip.compress, b"x"), "x.jsonl"),
    "gzip: one text": Payload(_packed(gzip.compress, b'{"a":1,'), "x.json"),
    "gzip: empty blocks": Payload(_flushed(b'{"a":[' + b"1," * 4_000_000), "x"),
    "gzip: empty blocks in a line": Payload(_flushed(b'{"a":[' + b"1," * 4_000_000), "x.jsonl"),
    "gzip: empty blocks at first": Payload(_flushed(b"{}"), "x"),
    "gzip: empty members": Payload(lambda n: _repeated(gzip.compress(b"", mtime=0), n), "x"),
    "gzip: members of a line": Payload(lambda n: _repeated(gzip.compress(b"{}\n", mtime=0), n), "x.jsonl"),
    "gzip: members of a letter": Payload(lambda n: _repeated(gzip.compress(b"x", mtime=0), n), "x.jsonl"),
    "gzip: members of a letter, no name": Payload(lambda n: _repeated(gzip.compress(b"x", mtime=0), n), "x"),
    "gzip: zeros after": Payload(lambda n: gzip.compress(WHOLE) + bytes(n), "x"),
    "gzip: trickle": Payload(_trickle, "x"),
    "gzip: trickle in a line": Payload(_trickle, "x.jsonl"),
    "zstd: blank lines": Payload(_packed(_zstd, b"\n"), "x"),
    "zstd: blanks": Payload(_packed(_zstd, b" "), "x.jsonl"),
    "zstd: zeros": Payload(_packed(_zstd, b"\0"), "x.jsonl"),
    "zstd: objects": Payload(_packed(_zstd, b"{}\n"), "x.jsonl"),
    "zstd: empty frames": Payload(lambda n: _repeated(_zstd(b""), n), "x"),
    "zstd: skippable frames": Payload(lambda n: _repeated(b"\x50\x2a\x4d\x18\0\0\0\0", n), "x"),
    "zstd: frames of a letter": Payload(lambda n: _repeated(_zstd(b"x"), n), "x.jsonl"),
    "zstd: empty blocks": Payload(_zstd_blocks(b"{}\n{}"), "x"),
}  # fmt: skip

PARTIAL: dict[str, Payload] = {
    f"{sheet}: {events} events of a deal seen in part": Payload(_begun(sheet, events), "x.jsonl")
    for sheet, events in (
        ("bezique", 8),
        ("zique", 60),
        ("polish-bezique", 20),
        ("rubicon-bezique", 100),
        ("chinese-bezique", 30),
        ("zetema", 8),
        ("zetema", 100),
    )
}

REQUESTS: dict[str, Payload] = {
    f"{sheet}: many deals seen in part": Payload(_many_begun(sheet, events), "x.jsonl")
    for sheet, events in (("bezique", 8), ("chinese-bezique", 30))
}
"""Of these a request examines only some."""
