"""Ways to write one match otherwise, and changes that make another match of it; all on plain JSON."""

import copy
import json
import unicodedata
from collections.abc import Callable
from random import Random
from typing import Any

from records.rules.registry import get_sheet
from records.rules.vocabulary import NumberOption

Raw = dict[str, Any]
Way = Callable[[Raw, Random], None]


def _events(record: Raw) -> list[list[Raw]]:
    return [deal.setdefault("events", []) for deal in record["deals"]]


def without_tricks(record: Raw, random: Random) -> None:
    for events in _events(record):
        events[:] = [event for event in events if event["type"] != "trick"]


def without_scores(record: Raw, random: Random) -> None:
    for events in _events(record):
        events[:] = [event for event in events if event["type"] != "score"]


def without_sevens_played(record: Raw, random: Random) -> None:
    for events in _events(record):
        events[:] = [event for event in events if event.get("action") != "play"]


def taken_cards_written(record: Raw, random: Random) -> None:
    """Zetema: write for some marriages which cards came from the tableau, as far as such a card lies there."""
    for events in _events(record):
        lying: list[str] = []
        for event in events:
            if event["type"] == "discard":
                lying.append(event["card"])
            elif event.get("meld") == "marriages":
                taken = [card for card in event["cards"][1:] if card in lying]
                lying = [card for card in lying if card not in taken]
                if random.random() < 0.5:
                    event["from_tableau"] = taken


def without_points(record: Raw, random: Random) -> None:
    for events in _events(record):
        for event in events:
            event.pop("points", None)


def without_sources(record: Raw, random: Random) -> None:
    for events in _events(record):
        for event in events:
            event.pop("from", None)


def without_claims(record: Raw, random: Random) -> None:
    record.pop("result", None)
    for deal in record["deals"]:
        deal.pop("claims", None)


def edition_written(record: Raw, random: Random) -> None:
    record["rules"]["edition"] = get_sheet(record["rules"]["id"]).edition


def defaults_written(record: Raw, random: Random) -> None:
    options = record["rules"].setdefault("options", {})
    chosen = bool(options)  # a number beside an option that sets it, too, would contradict it
    for option in get_sheet(record["rules"]["id"]).options:
        if random.random() < 0.5 and not (chosen and isinstance(option, NumberOption)):
            options.setdefault(option.name, option.default)


def seats_turned(record: Raw, random: Random) -> None:
    """Let another player sit in seat 0, all others after him in the same order."""
    seats = len(record["players"])
    turn = random.randrange(seats)

    def turned(values: list[Any]) -> list[Any]:
        return values[turn:] + values[:turn]

    record["players"] = turned(record["players"])
    sides = record.get("sides")
    for result in [record.get("result", {}), *(deal.get("claims", {}) for deal in record["deals"])]:
        if sides is None:
            for name in ("scores", "settlement"):
                if result.get(name):
                    result[name] = turned(result[name])
            if result.get("winner") is not None:
                result["winner"] = (result["winner"] - turn) % seats
        else:
            result.clear()
    if sides is not None:
        record["sides"] = sorted(sorted((seat - turn) % seats for seat in side) for side in sides)
    for deal in record["deals"]:
        deal["dealer"] = (deal["dealer"] - turn) % seats
        if "hands" in deal:
            deal["hands"] = turned(deal["hands"])
        for event in deal["events"]:
            name = "winner" if event["type"] == "trick" else "seat"
            event[name] = (event[name] - turn) % seats


def hands_sorted_otherwise(record: Raw, random: Random) -> None:
    for deal in record["deals"]:
        for hand in deal.get("hands", []):
            random.shuffle(hand)


def notes_added(record: Raw, random: Random) -> None:
    record.setdefault("notes", []).append({"at": [0], "text": "well played"})


def times_added(record: Raw, random: Random) -> None:
    for events in _events(record):
        for event in events:
            event["ms"] = random.randrange(5_000)


def other_program(record: Raw, random: Random) -> None:
    record["provenance"] = {"program": random.choice("abc"), "version": "2"}


def extended(record: Raw, random: Random) -> None:
    record["ext"] = {"org.example.table": random.randrange(9)}
    record["deals"][0]["ext"] = {"org.example.lamp": True}


def tens_spelt(record: Raw, random: Random) -> None:
    text = json.dumps(record)
    for suit in "SHDC":
        text = text.replace(f'"T{suit}"', f'"10{suit}"')
    record.clear()
    record.update(json.loads(text))


def acts_in_other_order(record: Raw, random: Random) -> None:
    """Let what happens between two plays be written in another order; draws tell the order of the stock by theirs."""
    for events in _events(record):
        start = 0
        for index, event in enumerate([*events, {"type": "play"}]):
            if event["type"] in ("play", "discard", "irregular", "cut"):
                between = events[start:index]
                draws = [event for event in between if event["type"] == "draw"]
                random.shuffle(between)
                drawn = iter(draws)
                events[start:index] = [
                    next(drawn) if event["type"] == "draw" else event for event in between
                ]
                start = index + 1


def stock_for_draws(record: Raw, random: Random) -> None:
    """Let the draws follow from the stock, where all of it was drawn."""
    for deal in record["deals"]:
        drawn = [event["card"] for event in deal["events"] if event["type"] == "draw"]
        complete = not any(event["type"] == "irregular" for event in deal["events"])
        if "stock" not in deal and drawn and complete and "turn_up" not in deal:
            deal["stock"] = drawn
            if random.random() < 0.5:
                deal["events"] = [event for event in deal["events"] if event["type"] != "draw"]


def level_written(record: Raw, random: Random) -> None:
    for deal in record["deals"]:
        deal["knowledge"] = "full"


def names_written_otherwise(record: Raw, random: Random) -> None:
    for player in record["players"]:
        spelling = unicodedata.normalize(random.choice(["NFC", "NFD"]), player["name"])
        space = random.choice([" ", "\u00a0", "  "])
        edges = random.choice(["", " ", "\u200b", "\u2060"])
        player["name"] = edges + spelling.replace(" ", space) + edges


def other_time_of_the_day(record: Raw, random: Random) -> None:
    day = record["meta"]["started"][:10]
    hour, zone = random.randrange(24), random.choice(["Z", "+02:00", "-05:00"])
    record["meta"]["started"] = f"{day}T{hour:02}:{random.randrange(60):02}:00{zone}"


def sides_written(record: Raw, random: Random) -> None:
    record.setdefault("sides", [[seat] for seat in range(len(record["players"]))])


WAYS: tuple[Way, ...] = (
    without_tricks, without_scores, without_sevens_played, taken_cards_written, without_points, without_sources, without_claims, edition_written, defaults_written,
    seats_turned, hands_sorted_otherwise, notes_added, times_added, other_program, extended, tens_spelt,
    acts_in_other_order, stock_for_draws, level_written, names_written_otherwise, other_time_of_the_day, sides_written,
)  # fmt: skip


def rewritten(record: Raw, random: Random) -> Raw:
    """The record written otherwise, in several ways at once."""
    other: Raw = copy.deepcopy(record)
    for way in random.sample(WAYS, random.randint(1, len(WAYS))):
        way(other, random)
    return other


# Changes: each makes another match of a record.


def other_card(record: Raw, random: Random) -> None:
    """Let one card be another one: dealt, turned up, played, drawn, melded or discarded."""
    deal = random.choice(record["deals"])
    places: list[tuple[Any, Any]] = [
        (hand, at) for hand in deal["hands"] for at in range(len(hand))
    ]
    if "turn_up" in deal:
        places.append((deal, "turn_up"))
    for event in deal["events"]:
        if event["type"] in ("play", "draw", "discard"):
            places.append((event, "card"))
        elif event["type"] == "meld":
            places += [(event["cards"], at) for at in range(len(event["cards"]))]
    holder, at = random.choice(places)
    pack = [rank + suit for rank in "AKQJT987" for suit in "SHDC" if rank + suit != holder[at]]
    holder[at] = random.choice(pack)


def other_person(record: Raw, random: Random) -> None:
    player = random.choice(record["players"])
    if random.random() < 0.5:
        player["name"] += random.choice(["a", " II", "."])
    else:
        player["id"] = f"{player['name']}@elsewhere"


def other_option(record: Raw, random: Random) -> None:
    options = record["rules"].setdefault("options", {})
    choice = random.choice(
        [o for o in get_sheet(record["rules"]["id"]).options if hasattr(o, "values")]
    )
    written = options.get(choice.name, choice.default)
    options[choice.name] = random.choice([value for value in choice.permitted if value != written])


def other_day(record: Raw, random: Random) -> None:
    record["meta"]["started"] = f"2027-{random.randint(1, 12):02}-15T20:00:00Z"


CHANGES: tuple[Way, ...] = (other_card, other_person, other_option, other_day)


def changed(record: Raw, random: Random) -> Raw:
    """Another match: the record with one change."""
    other: Raw = copy.deepcopy(record)
    random.choice(CHANGES)(other, random)
    return other
