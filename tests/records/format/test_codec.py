"""Bytes to records and back: the canonical form, the digest, and errors that must not be overlooked."""

import json
import random
import re
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.documents.schemas import SPEC_FOLDER
from records.events import EVENT_TYPES
from records.format import codec
from records.format.diagnosis import stand_in_for
from records.record import Record
from tests.records.strategies import records

BARE = msgspec.json.Decoder(Record)
GAME = b"""{"format": "bezique-record", "version": "1.0", "rules": {"id": "bezique"},
 "players": [{"name": "Ann"}, {"name": "Bob", "kind": "program"}],
 "deals": [{"dealer": 0, "hands": [["TS", "QS"], ["9D", "10H"]], "turn_up": "JD",
   "events": [{"type": "play", "seat": 1, "card": "10H"},
              {"type": "play", "card": "TS", "seat": 0, "from": "hand", "ms": 12},
              {"type": "trick", "winner": 0},
              {"type": "draw", "seat": 0, "card": "??"}],
   "claims": {"scores": [10, 0]}}],
 "result": {"status": "unfinished", "winner": null},
 "notes": [{"at": [0, 1], "text": "10S"}]}"""


def read(data: bytes, *, strict: bool = True) -> Record:
    """The record of a text that must be readable."""
    decoded = codec.decode(data, strict=strict)
    assert decoded.record is not None, decoded.findings
    return decoded.record


def codes(data: bytes) -> list[str]:
    """The codes of what a text is found to have wrong."""
    return [finding.code for finding in codec.decode(data).findings]


@pytest.mark.slow
@given(records())
def test_reading_and_writing_is_the_identity(record: Record) -> None:
    written = codec.encode(record)
    decoded = codec.decode(written)
    assert decoded.findings == []
    assert decoded.record is not None
    assert codec.encode(decoded.record) == written
    assert read(written) == decoded.record


STYLES: list[dict[str, Any]] = [{"indent": 1}, {"separators": (",", ":")}, {"ensure_ascii": False}]


@pytest.mark.slow
@given(records(), st.randoms(use_true_random=False), st.sampled_from(STYLES))
def test_the_same_record_otherwise_written_reads_the_same(
    record: Record, chance: random.Random, style: dict[str, Any]
) -> None:
    canonical = codec.encode(record)
    tree = shuffled(json.loads(canonical), chance)
    other = json.dumps(tree, **style).encode()
    decoded = codec.decode(other)
    assert decoded.findings == []
    assert decoded.record is not None
    assert codec.encode(decoded.record) == canonical
    assert decoded.digest() == codec.digest(record)


@pytest.mark.slow
@given(records())
def test_the_slow_path_reads_what_the_fast_one_reads(record: Record) -> None:
    data = codec.encode(record)
    slow = codec._decode_slowly(data, strict=True)
    assert slow.findings == []
    assert slow.record is not None
    assert codec.encode(slow.record) == data


def shuffled(value: Any, chance: random.Random) -> Any:
    """A JSON value with the members of its objects in another order."""
    if isinstance(value, dict):
        members = [(name, shuffled(item, chance)) for name, item in value.items()]
        chance.shuffle(members)
        return dict(members)
    return [shuffled(item, chance) for item in value] if isinstance(value, list) else value


def test_defaults_are_not_written_and_null_is_none() -> None:
    written = GAME.replace(b'"kind": "program"', b'"kind": null, "id": null')
    written = written.replace(
        b'"rules": {"id": "bezique"}', b'"rules": {"id": "bezique", "options": {}}'
    )
    record = read(written)
    assert codec.encode(record) == codec.encode(read(GAME.replace(b', "kind": "program"', b"")))
    assert b"null" in codec.encode(record), (
        "a winner of null is a drawn game, not a winner left out"
    )


def with_nulls(value: Any, kind: Any) -> Any:
    """A part of a record with null for every optional member that it does not have."""
    match kind:
        case msgspec.inspect.Metadata():
            return with_nulls(value, kind.type)
        case msgspec.inspect.ListType():
            return [with_nulls(item, kind.item_type) for item in value]
        case msgspec.inspect.UnionType():
            tag = value.get("type") if isinstance(value, dict) else None
            some = [one for one in kind.types if getattr(one, "tag", None) == tag]
            return with_nulls(value, some[0])
        case msgspec.inspect.StructType():
            members = {field.encode_name: field for field in kind.fields}
            absent = [name for name, field in members.items() if not field.required]
            nulls = {name: None for name in absent if name != "winner"}
            told = {
                name: with_nulls(item, members[name].type) if name in members else item
                for name, item in value.items()
            }
            return nulls | told
    return value


def test_null_in_an_optional_member_says_what_leaving_it_out_says() -> None:
    """To the reader and to the schema, in a record with everything that has members, every kind of event among it."""
    events = [stand_in_for(msgspec.inspect.type_info(kind)) for kind in EVENT_TYPES]
    lies = {"meld": "marriage", "cards": ["KS", "QS"]}
    setup = {"hands": [["AS"], ["TS"]], "seat": 0, "tables": [[lies], []]}
    deals = [{"dealer": 0, "setup": setup}, {"dealer": 1, "events": events, "claims": {}}]
    told = json.loads(GAME.replace(b"10H", b"TH"))
    told["deals"] += deals
    told |= {"lines": [{"at": [0, 1], "events": []}], "provenance": {}}
    full = with_nulls(told, msgspec.inspect.type_info(Record))
    assert None in full["deals"][1]["setup"].values()
    assert read(json.dumps(full).encode()) == read(json.dumps(told).encode())
    schema = json.loads((SPEC_FOLDER / "record.schema.json").read_bytes())
    assert list(jsonschema.Draft202012Validator(schema).iter_errors(full)) == []
    few = dict.fromkeys(("sides", "meta", "deals", "result", "notes", "lines", "ext"))
    small = json.loads(GAME) | few
    assert codec.encode(read(json.dumps(small).encode())).count(b"null") == 0


@pytest.mark.parametrize("member", ["format", "rules", "players", "dealer", "seat", "card", "name"])
def test_null_in_a_required_member_is_an_error(member: str) -> None:
    text = re.sub(rb'("%s": )("[^"]*"|\d|\[.*?\]|\{.*?\})' % member.encode(), rb"\1null", GAME)
    assert text != GAME
    assert codes(text)[0] in ("wrong-type", "wrong-format")


def test_open_members_are_sorted_at_every_level() -> None:
    record = read(GAME[:-1] + b', "meta": {"b": {"d": 1, "c": 2.50}, "a": [{"z": 1, "y": null}]}}')
    assert b'"meta":{"a":[{"y":null,"z":1}],"b":{"c":2.5,"d":1}}' in codec.encode(record)


def test_a_ten_may_be_written_with_two_digits() -> None:
    record = read(GAME)
    assert record.deals[0].hands == [["TS", "QS"], ["9D", "TH"]]
    assert record.notes is not None
    assert record.notes[0].text == "10S", "a text is not a card"
    assert read(GAME.replace(b"10H", b"TH").replace(b'"10S"', b'"x"')).deals == record.deals


TENS = (
    b'"name": "10S"', b'"meta": {"10S": "10D"}', b'"id": "10S"', b'"ext": {"a.b": ["10S", {"card": "10S"}]}',
)  # fmt: skip


@pytest.mark.parametrize("text", TENS, ids=lambda text: text.decode())
def test_only_cards_are_tens(text: bytes) -> None:
    named = GAME.replace(b'"name": "Ann"', text) if text.startswith(b'"name"') else GAME
    if text.startswith(b'"id"'):
        named = GAME.replace(b'"id": "bezique"', text)
    elif not text.startswith(b'"name"'):
        named = GAME[:-1] + b", " + text + b"}"
    assert (
        json.loads(codec.encode(read(named)))["deals"]
        == json.loads(codec.encode(read(GAME)))["deals"]
    )
    assert re.sub(rb"\s", b"", text) in codec.encode(read(named))


@pytest.mark.slow
@given(records(), st.randoms(use_true_random=False))
def test_tens_of_any_record(record: Record, chance: random.Random) -> None:
    tree = json.loads(codec.encode(record))
    for deal in tree.get("deals", []):
        for event in deal.get("events", []):
            for name in ("card", "cards", "from_tableau"):
                if name in event and chance.random() < 0.8:
                    event[name] = with_tens(event[name])
    assert codec.encode(read(json.dumps(tree).encode())) == codec.encode(record)


def with_tens(value: Any) -> Any:
    """Cards with their tens in two digits."""
    if isinstance(value, str):
        return "10" + value[1:] if value.startswith("T") else value
    return [with_tens(item) for item in value]


@pytest.mark.slow
@given(records(), st.data())
def test_no_like_named_member_passes(record: Record, data: st.DataObject) -> None:
    tree = json.loads(codec.encode(record))
    objects = [
        (path, value) for path, value in values_in(tree) if isinstance(value, dict) and value
    ]
    path, members = data.draw(st.sampled_from(objects))
    names = [name for name in members if path or name not in ("format", "version")]
    name = data.draw(st.sampled_from(sorted(names)))
    style = data.draw(
        st.sampled_from([{"indent": 1}, {"separators": (",", ":")}, {"ensure_ascii": False}])
    )
    other = data.draw(st.just(members[name]) | st.integers(0, 1) | st.just("A"))
    text = json.dumps(with_duplicate(tree, path, name, other, data), **style)
    twice = text.replace(_MARK, "")
    decoded = codec.decode(twice.encode())
    assert decoded.record is None
    assert "duplicate-member" in {finding.code for finding in decoded.findings}


_MARK = "#twice"


def with_duplicate(
    tree: Any, path: tuple[Any, ...], name: str, value: Any, data: st.DataObject
) -> Any:
    """The tree with a second member marked so that taking the mark away makes it like-named."""
    if path:
        head, *rest = path
        inner = with_duplicate(tree[head], tuple(rest), name, value, data)
        if isinstance(tree, dict):
            return {key: inner if key == head else item for key, item in tree.items()}
        return [*tree[:head], inner, *tree[head + 1 :]]
    members = list(tree.items())
    members.insert(data.draw(st.integers(0, len(members))), (name + _MARK, value))
    return dict(members)


def values_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    """Every value of a JSON tree with its path."""
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [
        (path, value),
        *(found for key, item in inner for found in values_in(item, (*path, key))),
    ]


DUPLICATES = (
    b'{"format":"bezique-record","format":"bezique-record"',
    b'{"format":"bezique-record","meta":{"a":1,"\\u0061":2}',
    b'{"format":"bezique-record","meta":{"a\\"":1,"a\\"":2}',
    b'{"format":"bezique-record","meta":{"x":[{"":{"":1,"":2}}]}',
    b'{"format":"bezique-record","ext":{"a.b":1,"a.b":2}',
    b'{"format":"bezique-record","deals":[],"deals":[]',
    b'{"format":"bezique-record","meta":{"deals":[],"deals":[]}',
    b'{"format":"bezique-record","meta":{"x\\"deals":[],"x\\"deals":[]}',
    b'{"format":"bezique-record","deals":[{"dealer":0,"events":[{"type":"trick","winner":0,"winner":0}]}]',
    b'{"format":"bezique-record","deals":[{"dealer":0,"events":[{"type":"trick","type":"trick","winner":0}]}]',
    b'{"format":"bezique-record","deals":[{"dealer":0,"dealer":1}]',
    b'{"format":"bezique-record", "deals":[ {"dealer":0,"turn_up":"AS","turn_up":"AS"}]',
)  # fmt: skip
REST = (
    b',"version":"1.0","rules":{"id":"bezique","options":{}},"players":[{"name":"a"},{"name":"b"}]}'
)


@pytest.mark.parametrize("start", DUPLICATES, ids=lambda start: start[25:].decode())
def test_duplicates_that_are_easily_missed(start: bytes) -> None:
    BARE.decode(start + REST)
    assert codes(start + REST) == ["duplicate-member"]


def test_the_digest_is_of_the_play_alone() -> None:
    tree = json.loads(GAME)
    digest = codec.digest(read(GAME))
    assert re.fullmatch("[0-9a-f]{64}", digest)
    tree["players"][0]["name"] = "Somebody else"
    tree["meta"] = {"site": "Leeds"}
    tree["notes"] = None
    tree["sides"] = [[0], [1]]
    tree["result"] = {"status": "complete", "scores": [1, 2]}
    tree["provenance"] = {"program": "example"}
    tree["ext"] = {"org.example": 1}
    tree["deals"][0]["ext"] = {"org.example": {"ms": 3}}
    tree["deals"][0]["events"][0] |= {"ms": 5, "ext": {"org.example": None}}
    tree["rules"]["options"] = {}
    assert codec.digest(read(json.dumps(tree).encode())) == digest
    tree["deals"][0]["events"][0]["card"] = "9D"
    assert codec.digest(read(json.dumps(tree).encode())) != digest


def test_the_digest_can_be_computed_by_anyone() -> None:
    """The specification's recipe, with the standard library alone."""
    import hashlib

    text = (
        '{"format":"bezique-record","version":"1.0","rules":{"id":"bezique"},"players":2,'
        '"sides":[[0],[1]],"deals":[{"dealer":0,"hands":[["TS","QS"],["9D","TH"]],"turn_up":"JD",'
        '"events":[{"type":"play","seat":1,"card":"TH"},{"type":"play","seat":0,"card":"TS","from":"hand"},'
        '{"type":"trick","winner":0},{"type":"draw","seat":0,"card":"??"}],"claims":{"scores":[10,0]}}]}'
    )
    assert codec.decode(GAME).digest() == hashlib.sha256(text.encode()).hexdigest()


def test_the_digest_of_scores_alone_tells_who_played_and_when() -> None:
    """By the specification's recipe, with the standard library alone: scores come again, and no card tells them apart."""
    import hashlib

    head = '"format":"bezique-record","version":"1.0","rules":{"id":"bezique"}'
    deals = '"deals":[{"dealer":0,"knowledge":"scores","claims":{"scores":[100,170]}}]'
    meta = '{"date":"2026-11-05","round":null}'
    for who in ("Bob", "Dan"):
        record = f'{{{head},"players":[{{"name":"Ann"}},{{"name":"{who}"}}],"meta":{meta},{deals}}}'
        text = f'{{{head},"players":2,"sides":[[0],[1]],"names":["Ann","{who}"],"meta":{meta},{deals}}}'
        assert codec.decode(record.encode()).digest() == hashlib.sha256(text.encode()).hexdigest()
        undated = record.replace(f'"meta":{meta},', "")
        text = text.replace(meta, "null")
        assert codec.decode(undated.encode()).digest() == hashlib.sha256(text.encode()).hexdigest()


def test_names_count_only_where_no_deal_tells_its_play() -> None:
    tree = json.loads(GAME)
    tree["deals"] += [{"dealer": 0, "knowledge": "scores", "claims": {"scores": [100, 170]}}]
    digest = codec.digest(read(json.dumps(tree).encode()))
    tree["players"][0]["name"] = "Somebody else"
    assert codec.digest(read(json.dumps(tree).encode())) == digest


@pytest.mark.slow
@given(records())
def test_the_two_ways_to_the_digest_agree(record: Record) -> None:
    assert codec.decode(codec.encode(record)).digest() == codec.digest(record)


def test_lenient_reading_leaves_unknown_members_out() -> None:
    data = GAME.replace(b'"dealer": 0', b'"dealer": 0, "deeler": {"x": 1}').replace(
        b'"winner": 0}', b'"winner": 0, "by": "Ann"}'
    )
    strict = codec.decode(data)
    assert strict.record is None
    assert {finding.severity for finding in strict.findings} == {"unreadable"}
    lenient = codec.decode(data, strict=False)
    assert lenient.record == read(GAME)
    assert [(f.code, f.severity, f.at.pointer) for f in lenient.findings] == [
        ("unknown-member", "warning", "/deals/0/deeler"),
        ("unknown-member", "warning", "/deals/0/events/2/by"),
    ]


def test_a_newer_minor_version_may_say_more() -> None:
    decoded = codec.decode(GAME.replace(b'"1.0"', b'"1.7", "mood": "good"'))
    assert decoded.record is not None
    assert [(f.code, f.severity) for f in decoded.findings] == [
        ("unknown-member", "warning"), ("newer-minor", "note"),
    ]  # fmt: skip


def test_a_byte_order_mark_is_skipped_with_a_note() -> None:
    decoded = codec.decode(b"\xef\xbb\xbf" + GAME)
    assert decoded.record == read(GAME)
    assert [finding.code for finding in decoded.findings] == ["byte-order-mark"]


def test_thousands_of_byte_order_marks_are_skipped_with_one_note() -> None:
    decoded = codec.decode(b"\xef\xbb\xbf" * 5_000 + GAME)
    assert decoded.record == read(GAME)
    assert [finding.code for finding in decoded.findings] == ["byte-order-mark"]
    empty = codec.decode(b"\xef\xbb\xbf" * 5_000)
    assert [finding.code for finding in empty.findings] == ["byte-order-mark", "empty-file"]


def test_the_line_is_on_every_finding() -> None:
    decoded = codec.decode(GAME.replace(b'"JD"', b'"JX"'), line=7)
    assert [finding.at.line for finding in decoded.findings] == [7]


DIGITS = [str(n) for n in (2**63, 2**64, -(2**63) - 1, 10**30, -(10**300))] + ["9" * 4300]


@pytest.mark.parametrize("number", DIGITS, ids=len)
def test_an_open_value_keeps_every_digit_of_an_integer(number):
    """Wherever `ext` and `meta` may stand: read, and written again as it was."""
    play = '{"type":"play","seat":0,"card":"AS","ext":{"org.example":[NUMBER]}}'
    text = (
        '{"format":"bezique-record","version":"1.0","rules":{"id":"bezique"},"players":[{"name":"A"},{"name":"B"}],'
        '"meta":{"table":NUMBER},"deals":[{"dealer":0,"events":[PLAY],"ext":{"org.example":NUMBER}}],'
        '"ext":{"org.example":{"a":NUMBER}}}'
    ).replace("PLAY", play).replace("NUMBER", number)  # fmt: skip
    for data in (text, text.replace('"AS"', '"10S"')):
        decoded = codec.decode(data.encode())
        assert decoded.findings == []
        assert codec.encode(decoded.record) == data.replace("10S", "TS").encode()
