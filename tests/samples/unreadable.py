"""The smallest texts that cannot be read as a record, or only with a finding."""

import json
from typing import Any, NamedTuple

from records.events import MAX_LIST_LENGTH, MAX_PLAYERS
from records.format.diagnosis import MAX_ERRORS_LISTED
from records.record import MAX_DEALS, MAX_NESTING_DEPTH, MAX_EVENTS_PER_DEAL, MAX_NAME_LENGTH, MAX_RECORD_BYTES
from records.rules.inner_sheet import inner_data
from records.rules.own_sheet import read_own_sheet

PLAY = {"type": "play", "seat": 0, "card": "AS"}
HEAD: dict[str, Any] = {
    "format": "bezique-record", "version": "1.0", "rules": {"id": "bezique"},
    "players": [{"name": "North"}, {"name": "South"}],
}  # fmt: skip
MELD = {"type": "meld", "seat": 0, "meld": "royal_marriage", "cards": ["KS", "QS"]}


NOTATION = b"""[bezique 1.0]
[rules bezique]
[player a "North"]
[player b "South"]

[deal a]
b:7S wins
"""


class Text(NamedTuple):
    """A text as it lies in its file, and the JSON pointer of what is found in it."""

    data: bytes
    pointer: str = ""


def text(value: Any) -> bytes:
    """JSON without a blank."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def game(**more: Any) -> bytes:
    """The smallest record, with these members."""
    return text(HEAD | more)


def rules(**more: Any) -> bytes:
    """The smallest record, with these rules."""
    return game(rules={"id": "zique"} | more)


def deal(**more: Any) -> bytes:
    """The smallest record with one deal, with these members."""
    return game(deals=[{"dealer": 0} | more])


def event(**more: Any) -> bytes:
    """The smallest record with one play, with these members."""
    return deal(events=[PLAY | more])


def players(count: int) -> list[dict[str, str]]:
    """So many players."""
    return [{"name": f"P{number}"} for number in range(1, count + 1)]


def rules_of_more(number: int, *sides: int) -> dict[str, Any]:
    """Rules for so many at the tricks, with their rulebook inside, by which they may form sides of these sizes."""
    changes: dict[str, Any] = {
        "players": [number],
        "partners": [{"players": number, "side": size} for size in sides],
        "hand": {number: 8},
        "pack/copies": dict.fromkeys("SHDC", number),
        "play/draws": "round_the_table",
        "match/target": {number: 1000},
    }
    told = [{"path": f"/rules/{path}", "value": value} for path, value in changes.items()]
    file = {"base": "bezique", "id": "ours", "name": f"Bezique for {number}", "changes": told}
    return {"id": "ours", "sheet": inner_data(read_own_sheet(text(file)))}


def nested(levels: int) -> Any:
    """Lists in lists."""
    return [nested(levels - 1)] if levels else 1


def without(member: str) -> bytes:
    """The smallest record without this member."""
    return text({name: value for name, value in HEAD.items() if name != member})


def cut_off() -> bytes:
    """The smallest record in a gzip stream that ends half-way: a header, then one block as it is."""
    data = game()
    header = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
    length = len(data).to_bytes(2, "little")
    complement = (len(data) ^ 0xFFFF).to_bytes(2, "little")
    return header + b"\x01" + length + complement + data[: len(data) // 2]


FILES = {
    "damaged-compression.json.gz": cut_off(),
    "not-text.json": b"%PDF-1.7\n",
    "other-encoding.json": game().decode().encode("utf-16"),
}
"""Files in which the finding is not of a text."""

OF_THE_FILE = {
    "empty-file": Text(b""),
    "not-utf8": Text(game().replace(b"North", b"\xcd\xee\xf0\xe4")),
    "not-json": Text(game()[:-1]),
    "not-notation": Text(NOTATION),
    "several-readings": Text(NOTATION.replace(b"[deal a]\nb:7S wins", b"[date 5/3/2026]")),
    "unknown-lead": Text(
        NOTATION.replace(b"b:7S wins", b"[knowledge public]\n[turn_up 8H]\n1. 9H ??\n2. TD 8D"),
        "/deals/0/events/2",
    ),
    "read-as": Text(NOTATION.replace(b"[player b \"South\"]\n\n[deal a]\nb:7S wins", b"[player b South]")),
    "too-deep": Text(
        game(ext={"org.example": nested(MAX_NESTING_DEPTH - 1)}),
        "/ext/org.example" + "/0" * (MAX_NESTING_DEPTH - 2),
    ),
    "too-many-errors": Text(deal(events=[0] * (MAX_ERRORS_LISTED + 1))),
    "byte-order-mark": Text(b"\xef\xbb\xbf" + game()),
}

OF_THE_HEADER = {
    "wrong-format": Text(game(format="bezique"), "/format"),
    "missing-version": Text(without("version")),
    "unsupported-version": Text(game(version="2.0"), "/version"),
    "newer-minor": Text(game(version="1.1"), "/version"),
    "too-few-players": Text(game(players=players(1)), "/players"),
    "too-many-players": Text(game(players=players(MAX_PLAYERS + 1)), "/players"),
    "name-too-long": Text(
        game(players=[{"name": "x" * (MAX_NAME_LENGTH + 1)}, {"name": "South"}]), "/players/0/name"
    ),
    "bad-sides": Text(game(sides=[[0, 1]]), "/sides"),
    "bad-time": Text(game(meta={"started": "2026-11-20 at eight"}), "/meta/started"),
    "bad-sheet": Text(game(rules={"id": "ours", "sheet": {"id": "ours", "name": "Ours", "says": "Ours."}}), "/rules/sheet"),
}

OF_A_MEMBER = {
    "duplicate-member": Text(
        game().replace(b'"version"', b'"format":"bezique-record","version"'), "/format"
    ),
    "missing-member": Text(without("players")),
    "unknown-member": Text(game(player=[]), "/player"),
    "wrong-type": Text(game(deals=0), "/deals"),
    "not-an-integer": Text(game(result={"scores": [10.0, 0]}), "/result/scores/0"),
    "out-of-range": Text(game(deals=[{"dealer": 2}]), "/deals/0/dealer"),
    "unknown-value": Text(game(result={"status": "finished"}), "/result/status"),
    "wrong-count": Text(game(result={"scores": [10]}), "/result/scores"),
    "list-too-long": Text(deal(stock=["QS"] * (MAX_LIST_LENGTH + 1)), "/deals/0/stock"),
    "bad-extension-key": Text(game(ext={"table": 3}), "/ext/table"),
}

OF_A_DEAL = {
    "too-many-deals": Text(game(deals=[{"dealer": 0}] * (MAX_DEALS + 1)), "/deals"),
    "two-starts": Text(
        deal(turn_up="AS", setup={"hands": [["9S"], ["8S"]], "seat": 0}), "/deals/0/turn_up"
    ),
    "bad-card": Text(event(card="SA"), "/deals/0/events/0/card"),
    "mixed-labels": Text(
        deal(hands=[["QS.1"], ["QS"]]), "/deals/0/hands/1/0"
    ),
    "unknown-event-type": Text(deal(events=[{"type": "pass"}]), "/deals/0/events/0/type"),
    "unknown-meld": Text(deal(events=[MELD]), "/deals/0/events/0/meld"),
    "bad-anchor": Text(game(notes=[{"at": [0], "text": "Which queen?"}]), "/notes/0/at"),
}  # fmt: skip

OF_THE_RULES = {
    "unknown-sheet": Text(game(rules={"id": "bezik"}), "/rules/id"),
    "unknown-edition": Text(rules(edition=2), "/rules/edition"),
    "unknown-option": Text(rules(options={"dixes": True}), "/rules/options/dixes"),
    "bad-option-value": Text(rules(options={"dix": 1}), "/rules/options/dix"),
    "contradictory-options": Text(
        rules(options={"long_game": True, "target": 1000}), "/rules/options/target"
    ),
    "wrong-number-of-players": Text(game(players=players(3)), "/players"),
    "sides-not-in-rules": Text(
        game(rules=rules_of_more(4), players=players(4), sides=[[0, 2], [1, 3]]), "/sides"
    ),
}

TEXTS: dict[str, Text] = {
    **OF_THE_FILE, **OF_THE_HEADER, **OF_A_MEMBER, **OF_A_DEAL, **OF_THE_RULES,
}  # fmt: skip


def too_large() -> Text:
    """A record of one byte too many."""
    return Text(game() + b" " * (MAX_RECORD_BYTES + 1 - len(game())))


def too_many_events() -> Text:
    """A deal of one event too many."""
    return Text(deal(events=[{"type": "trick", "winner": 0}] * (MAX_EVENTS_PER_DEAL + 1)), "/deals/0/events")
