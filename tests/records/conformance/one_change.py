"""Two records that differ in one place, and records that differ from another in one place."""

from collections.abc import Iterator
from typing import Any

import msgspec

from records.format import codec
from records.record import Record
from records.rules.registry import get_sheet
from tests.playouts.games import values

Json = Any
FACES = [rank + suit for rank in "789JQKTA" for suit in "SHDC"]


def as_json(record: Record) -> Json:
    """A record as the objects of its text."""
    return msgspec.json.decode(codec.encode(record))


def the_change(old: Json, new: Json, pointer: str = "") -> str | None:
    """The one place in which two texts differ, in words; None if they differ nowhere or in several."""
    if isinstance(old, dict) and isinstance(new, dict):
        names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
        if len(names) != 1:
            return None
        (name,) = names
        return the_change(old.get(name), new.get(name), f"{pointer}/{name}")
    if isinstance(old, list) and isinstance(new, list):
        return _change_of_lists(old, new, pointer)
    if old == new or isinstance(old, dict | list) or isinstance(new, dict | list):
        return None if old == new else _told(pointer, old, new)
    return _told(pointer, old, new)


def _change_of_lists(old: list[Json], new: list[Json], pointer: str) -> str | None:
    begin = 0
    while begin < min(len(old), len(new)) and old[begin] == new[begin]:
        begin += 1
    end = 0
    while end < min(len(old), len(new)) - begin and old[-1 - end] == new[-1 - end]:
        end += 1
    gone, come = old[begin : len(old) - end], new[begin : len(new) - end]
    at = f"{pointer}/{begin}"
    if len(gone) == len(come) == 1:
        whole = pointer.endswith("/events") or not isinstance(gone[0], dict | list)
        return the_change(gone[0], come[0], at) or (_told(at, gone[0], come[0]) if whole else None)
    if len(gone) + len(come) == 1:
        return _told(at, *gone, None) if gone else _told(at, None, *come)
    if len(gone) == 2 and gone == come[::-1]:
        return f"{at} and the one after it change places"
    return None


def _told(pointer: str, old: Json, new: Json) -> str:
    def text(value: Json) -> str:
        return msgspec.json.encode(value).decode()

    if old is None:
        return f"{pointer} is put in: {text(new)}"
    if new is None:
        return f"{pointer} is left out: {text(old)}"
    return f"{pointer} is {text(new)} instead of {text(old)}"


def neighbours(record: Record) -> Iterator[Record]:
    """Records that differ from this one in one place, those first that a player would tell apart."""
    for text in _changed_texts(as_json(record), record.rules.id):
        found = codec.decode(msgspec.json.encode(text)).record
        if found is not None:
            yield found


def _changed_texts(text: Json, sheet: str) -> Iterator[Json]:
    for number, deal in reversed([*enumerate(text.get("deals", []))]):
        for changed in _changed_deals(deal):
            deals = [*text["deals"][:number], changed, *text["deals"][number + 1 :]]
            yield {**text, "deals": deals}
    result = text.get("result") or {}
    for name, value in result.items():
        for other in _other_numbers(name, value):
            yield {**text, "result": {**result, name: other}}
    told = text["rules"].get("options", {})
    for option in get_sheet(sheet).options:
        for value in values(option):
            if told.get(option.name) != value:
                yield {**text, "rules": {**text["rules"], "options": {**told, option.name: value}}}
        if option.name in told:
            less = {name: value for name, value in told.items() if name != option.name}
            yield {**text, "rules": {**text["rules"], "options": less}}


def _changed_deals(deal: Json) -> Iterator[Json]:
    events, setup = deal.get("events", []), deal.get("setup") or {}
    hands = setup.get("hands") or deal.get("hands") or []
    for at in reversed(range(len(events))):
        for changed in _changed_events(events[at], hands):
            yield {**deal, "events": [*events[:at], changed, *events[at + 1 :]]}
    for at in reversed(range(len(events))):
        yield {**deal, "events": [*events[:at], *events[at + 1 :]]}
        if at + 1 < len(events):
            swapped = [*events[:at], events[at + 1], events[at], *events[at + 2 :]]
            yield {**deal, "events": swapped}
    for seat, hand in enumerate(hands):
        for at, card in enumerate(hand):
            for other in (face for face in FACES if face[0] == card[0] or face[1] == card[1]):
                if other != card:
                    less = [*hand[:at], other, *hand[at + 1 :]]
                    new = [*hands[:seat], less, *hands[seat + 1 :]]
                    yield (
                        {**deal, "setup": {**setup, "hands": new}}
                        if setup
                        else {**deal, "hands": new}
                    )
    for changed in _changed_setups(setup):
        yield {**deal, "setup": changed}
    if "dealer" in deal:
        yield {**deal, "dealer": 1 - deal["dealer"] if deal["dealer"] < 2 else 0}
    for scores in _other_numbers("scores", (deal.get("claims") or {}).get("scores")):
        yield {**deal, "claims": {"scores": scores}}


def _changed_events(event: Json, hands: list[list[str]]) -> Iterator[Json]:
    own = hands[event["seat"]] if event.get("seat", 99) < len(hands) else []
    if "card" in event:
        yield from ({**event, "card": card} for card in dict.fromkeys(own) if card != event["card"])
    for at, card in enumerate(event.get("cards") or []):
        for other in dict.fromkeys([*own, *(f for f in FACES if f[1] == card[1])]):
            if other != card:
                cards = [*event["cards"][:at], other, *event["cards"][at + 1 :]]
                yield {**event, "cards": cards}
    for name, others in (
        ("points", [10, 20, 40, 50, 100, 0]),
        ("seat", [0, 1]),
        ("winner", [0, 1]),
        ("from", ["hand", "table"]),
        ("action", ["exchange", "show", "play"]),
        ("count", [0, 1, 2, 3]),
        ("packet", [23, 24]),
        ("guess", [23, 24]),
    ):
        if name in event:
            yield from ({**event, name: other} for other in others if other != event[name])


def _changed_setups(setup: Json) -> Iterator[Json]:
    for name, others in (
        ("trump", "SHDC"),
        ("won", [True, False]),
        ("stock", [0, 1, 2, 4, 6, 8]),
        ("seat", [0, 1]),
        ("turn_up", ["7S", "8S", "7H", "8H", "9H", "8C", "7C", "8D", "7D"]),
    ):
        if name in setup:
            yield from ({**setup, name: other} for other in others if other != setup[name])
    for name in ("spent_dixes", "tables", "brisques", "scores"):
        if name in setup:
            yield {other: value for other, value in setup.items() if other != name}


def _other_numbers(name: str, value: Json) -> Iterator[Json]:
    if isinstance(value, list):
        for at, number in enumerate(value):
            for more in (10, -10, 100):
                yield [*value[:at], number + more, *value[at + 1 :]]
    elif name == "winner":
        yield from (other for other in (0, 1, None) if other != value)
    elif name == "status":
        yield "unfinished" if value == "complete" else "complete"
