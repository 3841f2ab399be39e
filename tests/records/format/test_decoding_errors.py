"""Every decoding error is found, with its place and a sentence, and no text does harm."""

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from records.events import MAX_LIST_LENGTH
from records.format import codec
from records.format.diagnosis import MAX_ERRORS_LISTED, diagnose_text
from records.record import (
    MAX_DEALS,
    MAX_EVENTS_PER_DEAL,
    MAX_LINES,
    MAX_NESTING_DEPTH,
    MAX_NOTES,
    MAX_RECORD_BYTES,
    Record,
)
from records.validate.codes import DECODING_CODES, FINDING_CODES
from tests.records.strategies import JSON, records

BARE = msgspec.json.Decoder(Record)

PLAY = {"type": "play", "seat": 0, "card": "AS"}
GAME: dict[str, Any] = {
    "format": "bezique-record", "version": "1.0", "rules": {"id": "bezique"},
    "players": [{"name": "Ann"}, {"name": "Bob"}],
}  # fmt: skip


def game(**more: Any) -> bytes:
    """The smallest record, with these members."""
    return json.dumps(GAME | more).encode()


def deal(**more: Any) -> bytes:
    """The smallest record with one deal, with these members."""
    return game(deals=[{"dealer": 0} | more])


def event(**more: Any) -> bytes:
    """A record with one play, with these members."""
    return deal(events=[PLAY | more])


def nested(levels: int) -> Any:
    """Lists in lists."""
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


# code, text, pointer, candidates
ERRORS: list[tuple[str, bytes, str, tuple[str, ...]]] = [
    ("empty-file", b"", "", ()),
    ("empty-file", b" \r\n\t", "", ()),
    ("not-utf8", b'{"format": "\xff"}', "", ()),
    ("not-utf8", b"\xff\xfe{\x00}\x00", "", ()),
    ("not-utf8", event(ext={"a.b": "\ud800"}), "/deals/0/events/0/ext/a.b", ()),
    ("not-utf8", game(meta={"\udfff": 1}), "/meta/\\udfff", ()),
    ("not-utf8", game(players=[{"name": "\ud83d"}, {"name": "b"}]), "/players/0/name", ()),
    ("not-json", b"{", "", ()),
    ("not-json", game() + b"{}", "", ()),
    ("not-json", game()[:-1] + b",}", "", ()),
    ("not-json", game().replace(b'"Ann"', b'"A\x00n"'), "", ()),
    ("not-json", event(ms=float("nan")), "/deals/0/events/0/ms", ()),
    ("not-json", game(ext={"a.b": [float("inf")]}), "/ext/a.b/0", ()),
    ("not-json", game(players=[{"name": float("-inf")}, {"name": "b"}]), "/players/0/name", ()),
    ("record-too-large", b" " * (MAX_RECORD_BYTES + 1), "", ()),
    ("too-deep", b"[" * 100_000, "", ()),
    ("too-deep", b'{"a":' * 100_000, "", ()),
    ("too-deep", game(meta={"a": nested(600)}), "/meta/a" + "/0" * (MAX_NESTING_DEPTH - 2), ()),
    ("too-deep", game(meta={"a": nested(MAX_NESTING_DEPTH - 1)}), "/meta/a" + "/0" * (MAX_NESTING_DEPTH - 2), ()),
    ("too-deep", event(ext={"a.b": nested(40)}), "/deals/0/events/0/ext/a.b" + "/0" * (MAX_NESTING_DEPTH - 6), ()),
    ("wrong-format", b"{}", "", ()),
    ("wrong-format", game(format="bezique"), "/format", ()),
    ("wrong-format", b'{"fromat": "bezique-record"}', "", ("fromat",)),
    ("unsupported-version", game(version="2.0"), "/version", ()),
    ("unsupported-version", game(version="1"), "/version", ()),
    ("unsupported-version", game(version="1.0\n"), "/version", ()),
    ("unsupported-version", game(version="01.0"), "/version", ()),
    ("unsupported-version", game(version="1.٣"), "/version", ()),
    ("missing-version", json.dumps({k: v for k, v in GAME.items() if k != "version"}).encode(), "", ()),
    ("wrong-type", game(version=1.0), "/version", ()),
    ("wrong-type", b"[]", "", ()),
    ("wrong-type", b"17", "", ()),
    ("wrong-type", game(players={"Ann": {}}), "/players", ()),
    ("wrong-type", event(seat="0"), "/deals/0/events/0/seat", ()),
    ("wrong-type", event(seat=True), "/deals/0/events/0/seat", ()),
    ("wrong-type", event(seat=None), "/deals/0/events/0/seat", ()),
    ("wrong-type", event(card=7), "/deals/0/events/0/card", ()),
    ("wrong-type", deal(events=[7]), "/deals/0/events/0", ()),
    ("wrong-type", deal(events=[{"type": 7}]), "/deals/0/events/0/type", ()),
    ("wrong-type", game(rules={"id": "bezique", "options": {"x": []}}), "/rules/options/x", ()),
    ("wrong-type", deal(events=[{"type": [{}]}]), "/deals/0/events/0/type", ()),
    ("missing-member", deal(events=[{"seat": 0}]), "/deals/0/events/0", ()),
    ("missing-member", deal(events=[{"type": "trick"}]), "/deals/0/events/0", ()),
    ("missing-member", deal(knowledge="seat"), "/deals/0", ()),
    ("unknown-member", game(player=[]), "/player", ("players",)),
    ("unknown-member", event(sorce="hand"), "/deals/0/events/0/sorce", ()),
    ("unknown-member", event(fron="hand"), "/deals/0/events/0/fron", ("from",)),
    ("unknown-member", event(source="hand"), "/deals/0/events/0/source", ()),
    ("unknown-member", deal(**{"a~b/c": 1}), "/deals/0/a~0b~1c", ()),
    ("not-an-integer", event(ms=1.5), "/deals/0/events/0/ms", ()),
    ("not-an-integer", event(seat=0.0), "/deals/0/events/0/seat", ()),
    ("not-an-integer", event(ms=7).replace(b"7", b"1e1"), "/deals/0/events/0/ms", ()),
    ("not-an-integer", game(rules={"id": "x", "options": {"target": 1e3}}), "/rules/options/target", ()),
    ("out-of-range", event(seat=2), "/deals/0/events/0/seat", ()),
    ("out-of-range", event(seat=-1), "/deals/0/events/0/seat", ()),
    ("out-of-range", event(seat=6), "/deals/0/events/0/seat", ()),
    ("out-of-range", event(ms=-1), "/deals/0/events/0/ms", ()),
    ("out-of-range", event(ms=2**63), "/deals/0/events/0/ms", ()),
    ("out-of-range", event(ms=1).replace(b"1}", b"9" * 9999 + b"}"), "/deals/0/events/0/ms", ()),
    ("out-of-range", game(rules={"id": "x", "options": {"t": 2**63}}), "/rules/options/t", ()),
    ("out-of-range", game(meta={"n": ["?"]}).replace(b'"?"', b"9" * 4301), "/meta/n/0", ()),
    ("out-of-range", game(meta={"n": 1}).replace(b" 1}", b" " + b"9" * 9999 + b"}"), "/meta/n", ()),
    ("out-of-range", game(meta={"n": 1}).replace(b" 1}", b" -1e999}"), "/meta/n", ()),
    ("out-of-range", deal(events=[{"type": "trick", "winner": 2}]), "/deals/0/events/0/winner", ()),
    ("out-of-range", deal(dealer=2), "/deals/0/dealer", ()),
    ("out-of-range", deal(knowledge="seat", seat=3), "/deals/0/seat", ()),
    ("out-of-range", deal(setup={"hands": [[], []], "seat": 2}), "/deals/0/setup/seat", ()),
    ("out-of-range", game(result={"winner": 2}), "/result/winner", ()),
    ("unknown-value", event(**{"from": "floor"}), "/deals/0/events/0/from", ()),
    ("unknown-value", deal(events=[{"type": "score", "seat": 0, "for": "last-trick"}]), "/deals/0/events/0/for", ("last_trick",)),
    ("unknown-value", deal(knowledge="ful"), "/deals/0/knowledge", ("full",)),
    ("unknown-value", game(result={"status": "finished"}), "/result/status", ("unfinished",)),
    ("wrong-count", deal(claims={"scores": [1]}), "/deals/0/claims/scores", ()),
    ("wrong-count", game(result={"scores": [1, 2, 3]}), "/result/scores", ()),
    ("wrong-count", game(result={"settlement": []}), "/result/settlement", ()),
    ("wrong-count", deal(setup={"hands": [[]], "seat": 0}), "/deals/0/setup/hands", ()),
    ("wrong-count", deal(setup={"hands": [[], []], "seat": 0, "scores": [1]}), "/deals/0/setup/scores", ()),
    ("two-starts", deal(hands=[[], []], setup={"hands": [[], []], "seat": 0}), "/deals/0/hands", ()),
    ("bad-card", event(card="QX"), "/deals/0/events/0/card", ("QS", "QH", "QD")),
    ("bad-card", event(card="qs"), "/deals/0/events/0/card", ("QS",)),
    ("bad-card", event(card="SQ"), "/deals/0/events/0/card", ("QS",)),
    ("bad-card", event(card="Q♠"), "/deals/0/events/0/card", ("QS",)),
    ("bad-card", event(card="QS.9"), "/deals/0/events/0/card", ("QS",)),
    ("bad-card", event(card="QS\n"), "/deals/0/events/0/card", ("QS",)),
    ("bad-card", deal(hands=[["AS", "1S"], []]), "/deals/0/hands/0/1", ("TS",)),
    ("unknown-event-type", event(type="plays"), "/deals/0/events/0/type", ("play",)),
    ("unknown-event-type", event(type="carte blanche"), "/deals/0/events/0/type", ("carte_blanche",)),
    ("unknown-meld", deal(events=[{"type": "meld", "seat": 0, "meld": "royal_marriage", "cards": []}]), "/deals/0/events/0/meld", ("marriage",)),
    ("bad-anchor", game(notes=[{"at": [0], "text": ""}]), "/notes/0/at", ()),
    ("bad-anchor", game(notes=[{"at": [], "text": ""}]), "/notes/0/at", ()),
    ("bad-anchor", game(notes=[{"at": [0, 0, 0], "text": ""}]), "/notes/0/at", ()),
    ("bad-anchor", game(deals=[{"dealer": 0, "events": [PLAY]}], notes=[{"at": [0, 1], "text": ""}]), "/notes/0/at", ()),
    ("bad-anchor", game(deals=[{"dealer": 0}], lines=[{"at": [0], "events": []}]), "/lines/0/at", ()),
    ("bad-anchor", game(deals=[{"dealer": 0}], lines=[{"at": [0, 1], "events": []}]), "/lines/0/at", ()),
    ("bad-sides", game(sides=[[1], [0]]), "/sides", ()),
    ("bad-sides", game(sides=[[0, 1]]), "/sides", ()),
    ("bad-sides", game(sides=[]), "/sides", ()),
    ("bad-sides", game(players=[{"name": "x"}] * 4, sides=[[0, 1], [2, 3]]), "/sides", ()),
    ("bad-sides", game(players=[{"name": "x"}] * 5, sides=[[0, 2, 4], [1, 3]]), "/sides", ()),
    ("bad-sides", game(players=[{"name": "x"}] * 3, sides=[[0, 2], [1]]), "/sides", ()),
    ("too-few-players", game(players=[{"name": "x"}]), "/players", ()),
    ("too-few-players", game(players=[]), "/players", ()),
    ("too-many-players", game(players=[{"name": "x"}] * 7), "/players", ()),
    ("name-too-long", game(players=[{"name": "x" * 201}, {"name": "y"}]), "/players/0/name", ()),
    ("too-many-deals", game(deals=[{"dealer": 0}] * (MAX_DEALS + 1)), "/deals", ()),
    ("too-many-events", deal(events=[PLAY] * (MAX_EVENTS_PER_DEAL + 1)), "/deals/0/events", ()),
    (
        "too-many-events",
        game(
            deals=[{"dealer": 0}], lines=[{"at": [0, 0], "events": [PLAY] * 4001}] * 5
        ),
        "/lines",
        (),
    ),
    ("list-too-long", deal(stock=["QS"] * (MAX_LIST_LENGTH + 1)), "/deals/0/stock", ()),
    ("list-too-long", game(sides=[[0] * 600, [1]]), "/sides/0", ()),
    ("list-too-long", game(notes=[{"at": [0], "text": ""}] * (MAX_NOTES + 1)), "/notes", ()),
    ("list-too-long", game(lines=[{"at": [0, 0], "events": []}] * (MAX_LINES + 1)), "/lines", ()),
    ("bad-time", game(meta={"started": "2026-11-20 at eight"}), "/meta/started", ()),
    ("bad-time", game(meta={"started": "2026-11-20T19:30:00"}), "/meta/started", ()),
    ("bad-time", game(meta={"started": "2026-02-30T19:30:00Z"}), "/meta/started", ()),
    ("bad-time", game(meta={"started": 1763667000}), "/meta/started", ()),
    ("bad-sheet", game(rules={"id": "ours", "sheet": {"id": "ours", "name": "Ours", "says": "Ours."}}), "/rules/sheet", ()),
    ("bad-extension-key", game(ext={"table": 1}), "/ext/table", ()),
    ("bad-extension-key", event(ext={"org.example\n": 1}), "/deals/0/events/0/ext/org.example\n", ()),
    ("mixed-labels", deal(hands=[["QS.1", "QH"], ["AS.1", "TH"]]), "/deals/0/hands/0/1", ()),
    ("mixed-labels", deal(hands=[["QS.1"], []], events=[PLAY]), "/deals/0/events/0/card", ()),
    ("mixed-labels", game(deals=[{"dealer": 0, "events": [PLAY | {"card": "AS.1"}]}], lines=[{"at": [0, 0], "events": [PLAY]}]), "/lines/0/events/0/card", ()),
    ("mixed-labels", deal(setup={"hands": [["QS.1"], []], "seat": 0, "tables": [[], [{"meld": "marriage", "cards": ["KH", "QH"]}]]}), "/deals/0/setup/tables/1/0/cards/0", ()),
    ("newer-minor", game(version="1.1"), "/version", ()),
    ("byte-order-mark", b"\xef\xbb\xbf" + game(), "", ()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "text", "pointer", "candidates"), ERRORS, ids=[row[0] for row in ERRORS]
)
def test_an_error_alone_is_found_alone(
    code: str, text: bytes, pointer: str, candidates: tuple[str, ...]
) -> None:
    decoded = codec.decode(text)
    (finding,) = decoded.findings
    assert (finding.code, finding.at.pointer) == (code, pointer)
    assert finding.candidates[: len(candidates)] == candidates
    assert finding.severity == FINDING_CODES[code].severity
    assert (decoded.record is None) == (finding.severity == "unreadable")
    assert finding.message.endswith(".")


ALL_RIGHT = [
    event(seat=1),
    deal(events=[{"type": "trick", "winner": 1}]),
    game(meta={"started": "2026-11-20T19:30:00Z"}),
    game(meta={"started": "2024-02-29T23:59:59.5+01:00"}),
    game(sides=[[0], [1]]),
    game(players=[{"name": "x"}] * 3, sides=[[0], [1], [2]]),
    game(players=[{"name": "x"}] * 4, sides=[[0, 2], [1, 3]]),
    game(players=[{"name": "x"}] * 6, sides=[[0, 2, 4], [1, 3, 5]]),
    game(players=[{"name": "x"}] * 6, sides=[[0, 3], [1, 4], [2, 5]]),
]


@pytest.mark.parametrize("text", ALL_RIGHT)
def test_what_is_only_just_right_is_no_error(text: bytes) -> None:
    assert list(codec.decode(text).findings) == []


def test_only_the_seat_that_is_missing_is_an_error() -> None:
    text = deal(events=[PLAY | {"seat": seat} for seat in (0, 1, 2, 1)])
    assert [one.at.pointer for one in codec.decode(text).findings] == ["/deals/0/events/2/seat"]


def test_an_anchor_that_leads_nowhere_says_where_it_leads() -> None:
    (finding,) = codec.decode(
        game(deals=[{"dealer": 0}], notes=[{"at": [9, 4], "text": ""}])
    ).findings
    assert "deal 9" in finding.message.lower()


OF_FILES = {"damaged-compression", "expands-too-far", "not-text", "other-encoding"}
ELSEWHERE = {
    "duplicate-member",
    "too-many-errors",
    "not-notation",
    "several-readings",
    "unknown-lead",
    "read-as",
}


def test_every_code_of_reading_is_tried() -> None:
    assert {row[0] for row in ERRORS} | OF_FILES | ELSEWHERE == set(DECODING_CODES)


@pytest.mark.parametrize("suit", "SHDC")
@pytest.mark.parametrize("before", [0, 300])
def test_a_card_without_a_label_is_found_among_others_in_every_suit(suit: str, before: int) -> None:
    labelled = [PLAY | {"card": f"A{other}.1"} for other in "SHDC"]
    events = [*labelled * before, PLAY | {"card": f"7{suit}"}, *labelled]
    findings = codec.decode(game(deals=[{"dealer": 0, "events": events}])).findings
    at = f"/deals/0/events/{4 * before}/card"
    assert [(finding.code, finding.at.pointer) for finding in findings] == [("mixed-labels", at)]


def test_the_labels_of_one_pack_are_no_mixture() -> None:
    """Only what has a duplicate needs a label: with one pack nothing does, in Zetema the spades do."""
    one_pack = game(rules={"id": "marjolet"}, deals=[{"dealer": 0, "hands": [["QS.1", "QH"], []]}])
    unknown = game(
        rules={"id": "zetema"}, deals=[{"dealer": 0, "hands": [["QS.1", "QH", "??"], []]}]
    )
    assert codec.decode(one_pack).findings == []
    assert codec.decode(unknown).findings == []


@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("digits_before", [0, 300])
@pytest.mark.parametrize("card", ["AS", "AS.1"])
def test_a_seat_without_a_player_is_found_in_every_event(
    players: int, digits_before: int, card: str
) -> None:
    """Also after many digits that are no seats, and among labels, where it is looked for in another way."""
    names = [{"name": f"P{number}"} for number in range(players)]
    before = [PLAY | {"ms": 2345}] * digits_before
    for seat in range(6):
        others = [{"type": "draw", "card": card}, {"type": "meld", "meld": "marriage", "cards": []}]
        events = [{"type": "trick", "winner": seat}, *[each | {"seat": seat} for each in others]]
        text = game(players=names, deals=[{"dealer": 0, "events": before + events}])
        findings = codec.decode(text).findings
        found = [finding.at.pointer for finding in findings if finding.code == "out-of-range"]
        at = f"/deals/0/events/{digits_before}/winner"
        assert len(found) == (0 if seat < players else len(events))
        assert (at in found) == (seat >= players)


def test_all_errors_are_found_not_only_the_first() -> None:
    text = json.dumps(
        GAME
        | {
            "players": [{"name": "x" * 201}, {"nam": "Bob"}],
            "sides": [[1], [0]],
            "meta": {"started": "now"},
            "deals": [
                {
                    "dealer": 5,
                    "hands": [["QX"], "AS"],
                    "events": [PLAY, {"type": "plai"}, PLAY | {"seat": 3}],
                },
                {"events": [PLAY | {"card": "A"}, 5, PLAY | {"ms": -1, "card": "ZZ"}]},
            ],
            "result": {"winner": 4, "scores": [1.5, 2, "x"]},
            "notes": [{"at": [9], "text": ""}, {"at": [0, 1]}],
        }
    ).encode()
    found = {(finding.at.pointer, finding.code) for finding in codec.decode(text).findings}
    assert found == {
        ("/players/0/name", "name-too-long"),
        ("/players/1/nam", "unknown-member"),
        ("/sides", "bad-sides"),
        ("/meta/started", "bad-time"),
        ("/deals/0/dealer", "out-of-range"),
        ("/deals/0/hands/0/0", "bad-card"),
        ("/deals/0/hands/1", "wrong-type"),
        ("/deals/0/events/1/type", "unknown-event-type"),
        ("/deals/0/events/2/seat", "out-of-range"),
        ("/deals/1", "missing-member"),
        ("/deals/1/events/0/card", "bad-card"),
        ("/deals/1/events/1", "wrong-type"),
        ("/deals/1/events/2/ms", "out-of-range"),
        ("/deals/1/events/2/card", "bad-card"),
        ("/result/winner", "out-of-range"),
        ("/result/scores/0", "not-an-integer"),
        ("/result/scores/2", "wrong-type"),
        ("/result/scores", "wrong-count"),
        ("/notes/0/at", "bad-anchor"),
        ("/notes/1", "missing-member"),
    }


def test_what_depends_on_a_broken_value_is_not_blamed() -> None:
    text = game(
        players=7,
        deals=5,
        sides="x",
        notes=[{"at": [3, 4], "text": ""}],
        result={"scores": [1, 2, 3]},
    )
    found = [(finding.at.pointer, finding.code) for finding in codec.decode(text).findings]
    assert found == [("/players", "wrong-type"), ("/deals", "wrong-type"), ("/sides", "wrong-type")]


def test_a_misspelt_member_is_one_error() -> None:
    decoded = codec.decode(deal(events=[{"type": "play", "seet": 0, "card": "AS"}]))
    assert [(f.code, f.candidates) for f in decoded.findings] == [("unknown-member", ("seat",))]


def test_place_and_words_of_an_error() -> None:
    (finding,) = codec.decode(event(card="11S"), line=3).findings
    assert (finding.at.deal, finding.at.event, finding.at.line) == (0, 0, 3)
    assert finding.message == '"11S" is not a card.'
    assert finding.expected == "a card such as QS, TH or ??"
    assert finding.found == '"11S"'


def test_a_thousand_errors_are_enough() -> None:
    findings = codec.decode(deal(events=[0] * 4000)).findings
    assert len(findings) == MAX_ERRORS_LISTED + 1
    assert findings[-1].code == "too-many-errors"


@pytest.mark.slow
@given(records(), st.data())
def test_errors_in_several_places_are_all_located(record: Record, data: st.DataObject) -> None:
    tree = json.loads(codec.encode(record))
    places = [
        path
        for path in leaves(tree)
        if path[0] not in ("format", "version", "meta") and "ext" not in path
    ]
    chosen = data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=4, unique=True))
    broken = [path for path in chosen if path[-1] != "type"]
    for path in broken:
        put(tree, path, {})
    findings = codec.decode(json.dumps(tree).encode()).findings
    pointers = {finding.at.pointer for finding in findings}
    assert {"".join(f"/{escaped(step)}" for step in path) for path in broken} <= pointers
    assert len(findings) == len(broken)


def escaped(step: Any) -> str:
    return str(step).replace("~", "~0").replace("/", "~1")


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values that are neither list nor object."""
    if not isinstance(value, (dict, list)):
        return [path]
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    return [found for key, item in inner for found in leaves(item, (*path, key))]


def put(tree: Any, path: tuple[Any, ...], value: Any) -> None:
    *above, last = path
    for step in above:
        tree = tree[step]
    tree[last] = value


@pytest.mark.slow
@given(records(), st.randoms(use_true_random=False), JSON, st.integers(1, 3))
def test_the_walk_and_the_types_agree(
    record: Record, chance: random.Random, junk: Any, times: int
) -> None:
    """What the fast decoder refuses, the walk explains; what it accepts, the walk does not blame."""
    tree = json.loads(codec.encode(record))
    for _ in range(times):
        spoil(tree, chance, junk)
    data = json.dumps(tree).encode()
    try:
        BARE.decode(data)
    except msgspec.DecodeError:
        assert codec.decode(data).findings
    else:
        if not codec.decode(data).findings:
            assert diagnose_text(data, strict=True).findings == []


def spoil(tree: Any, chance: random.Random, junk: Any) -> None:
    """Take something away, put something in, or change something, anywhere."""
    node = tree
    while isinstance(node, (dict, list)) and node:
        key = chance.choice(sorted(node) if isinstance(node, dict) else range(len(node)))
        inner = node[key]
        if not isinstance(inner, (dict, list)) or not inner or chance.random() < 0.2:
            if chance.random() < 0.3:
                del node[key]
            elif isinstance(node, dict) and chance.random() < 0.3:
                node[chance.choice(["seat", "card", "type", "at", "zz"])] = inner
            else:
                node[key] = chance.choice(
                    [junk, None, -1, 1.5, "AS", "play", [], {}, [inner], True]
                )
            return
        node = inner


def harmless(data: bytes) -> None:
    """Decoding does not raise, and what it says can be written into a report."""
    for strict in (True, False):
        decoded = codec.decode(data, strict=strict, line=1)
        assert decoded.record is not None or decoded.findings
        msgspec.json.encode(decoded.findings)
        if decoded.record is not None:
            again = codec.decode(codec.encode(decoded.record))
            assert again.record is not None
            assert codec.encode(again.record) == codec.encode(decoded.record)


@given(st.binary(max_size=200))
@example(b"\x00")
@example(b"\xef\xbb\xbf\xef\xbb\xbf")
@example(b'{"format":"bezique-record","version":"1.0","\\ud800":1}')
@example(
    b'{"format":"bezique-record","version":"1.0","rules":{"id":"x","options":{"\\ud800":NaN}}}'
)
@example(b"1" * 5000)
@example(b'"' + b'\\"' * 5000)
@example(b"[{" * 3000)
def test_no_bytes_do_harm(data: bytes) -> None:
    harmless(data)


@pytest.mark.slow
@given(
    records(),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 20), st.binary(max_size=4)), max_size=4),
)
def test_no_damage_does_harm(record: Record, cuts: list[tuple[float, int, bytes]]) -> None:
    data = codec.encode(record)
    for where, length, new in cuts:
        start = int(where * len(data))
        data = data[:start] + new + data[start + length :]
    harmless(data)


@pytest.mark.long
@given(JSON)
def test_no_json_does_harm(value: Any) -> None:
    harmless(json.dumps(value).encode())
    harmless(game(deals=value))
    harmless(game(ext=value, meta=value))
    harmless(deal(events=value))


REAL = sorted((Path(__file__).parents[4] / "shared" / "real").glob("*.json"))


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_real_records_are_read_without_a_finding(path: Path) -> None:
    decoded = codec.decode(path.read_bytes())
    assert decoded.findings == []
    assert decoded.record is not None
    assert codec.decode(codec.encode(decoded.record)).digest() == decoded.digest()


@pytest.mark.parametrize(
    "text",
    [
        b'{"base": "zique", "id": "ours", "name": "Ours", "changes": []}',
        b'{"format": "bezique-sheet", "version": "1.0"}',
        b'# Ours\nbase = "zique"\nid = "ours"\nname = "Ours"\n\n[[changes]]\npath = "/rules/hand/2"\nvalue = 9\n',
    ],
)
def test_a_rulebook_among_records_is_called_one(text: bytes) -> None:
    (finding,) = codec.decode(text).findings
    assert finding.code == "wrong-format"
    assert "it is a rulebook. Name it with --rules" in finding.message


@pytest.mark.parametrize(
    ("members", "codes"),
    [
        ('"foo": 1, "deals": [{"dealer": 9}]', ["unknown-member", "out-of-range"]),
        ('"deals": [{"dealer": 9}], "foo": 1', ["out-of-range", "unknown-member"]),
        ('"deals": [{"events": [{"type": "trick", "winner": 9}]}]', ["out-of-range", "missing-member"]),
        ('"sides": [[1], [0]], "deals": [{"dealer": 9}]', ["out-of-range", "bad-sides"]),
        ('"notes": [{"at": [9], "text": "x"}], "deals": [{"dealer": 9}]', ["out-of-range", "bad-anchor"]),
        ('"meta": {"started": "noon"}, "deals": [{"dealer": 9}]', ["out-of-range", "bad-time"]),
        ('"result": {"scores": [1]}, "deals": [{"dealer": 9}]', ["out-of-range", "wrong-count"]),
    ],
)  # fmt: skip
def test_of_several_faults_the_one_written_first_is_told_first(members, codes):
    """As the page of the kit says: what is missing after what is there, and what only contradicts other members last."""
    head = '{"format": "bezique-record", "version": "1.0", "rules": {"id": "zique"}, "players": [{"name": "A"}, {"name": "B"}], '
    findings = codec.decode(f"{head}{members}}}".encode()).findings
    assert [finding.code for finding in findings] == codes
