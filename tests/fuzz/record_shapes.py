"""Shapes of records: positions set up, records of any kind, real games damaged, partial deals, lines and notes."""

from functools import cache
from random import Random
from typing import Any

import msgspec

from records.events import MELD_NAMES, SCORE_NAMES
from records.format import codec
from records.record import Record
from records.rules.inner_sheet import inner_data
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import RuleSheet
from tests.fuzz.draws import cards, many, maybe, number, palette, text, times
from tests.fuzz.plans import Plan, copied
from tests.playouts.games import OPTIONED, STANDARD
from tests.playouts.mutants import KINDS
from tests.playouts.views import full_game, views
from tests.records.rules.damaged_sheets import damage

NAMES = ["Ann", "Bob", "Cleo", "Dan", "Eve", "Fay"]
KNOWLEDGE = [None, "full", "seat", "public", "plays", "scores"]
GAMES_A_WAY = 4


def head(random: Random, players: int, sheet: str) -> dict[str, Plan]:
    return {
        "format": "bezique-record",
        "version": "1.0",
        "rules": {"id": sheet},
        "players": [{"name": name} for name in NAMES[:players]],
    }


def own_rules(random: Random) -> Plan:
    """A rulebook inside, a little damaged."""
    sheet: dict[str, Any] = inner_data(random.choice(own_sheets_to_damage()))
    for _ in range(random.randrange(3)):
        damage(sheet, random)
    return {"id": "ours", "sheet": sheet}


@cache
def own_sheets_to_damage() -> list[RuleSheet]:
    return [msgspec.structs.replace(sheet, id="ours") for sheet in ALL_SHEETS]


def without_none(members: dict[str, Plan]) -> dict[str, Plan]:
    return {name: value for name, value in members.items() if value is not None}


def setups(random: Random) -> Plan:
    """A position in which cards may be the cards of many melds."""
    sheet = random.choice(ALL_SHEETS)
    players = random.choice(sheet.rules.players)
    deal = without_none(
        {
            "dealer": random.randrange(players),
            "knowledge": maybe(random, 0.2, random.choice(KNOWLEDGE)),
            "setup": setup(random, players),
            "events": [event(random, players, palette(random)) for _ in range(many(random, 8) - 1)],
        }
    )
    return {**head(random, players, sheet.id), "deals": [times(random, 4, deal)]}


def setup(random: Random, players: int) -> dict[str, Plan]:
    faces = palette(random)

    def each(make: Any) -> list[Any]:
        return [make() for _ in range(players)]

    def laid() -> list[Plan]:
        own = cards(random, faces)
        melds = [meld(random, own if random.random() < 0.6 else cards(random, faces))]
        return [times(random, 60, each) for each in melds] if random.random() < 0.9 else []

    return without_none(
        {
            "hands": each(lambda: cards(random, faces) if random.random() < 0.8 else []),
            "seat": random.randrange(players),
            "trump": maybe(random, 0.7, random.choice("SHDC")),
            "turn_up": maybe(random, 0.2, random.choice(faces)),
            "stock": number(random),
            "tables": maybe(random, 0.9, each(laid)),
            "won": maybe(random, 0.3, True),
            "trick": maybe(random, 0.2, cards(random, faces, 3)),
            "scores": maybe(random, 0.2, each(lambda: number(random))),
            "brisques": maybe(random, 0.2, each(lambda: number(random))),
            "spent_dixes": maybe(random, 0.2, cards(random, faces)),
            "captured": maybe(random, 0.2, each(lambda: cards(random, faces))),
            "tableau": maybe(random, 0.1, cards(random, faces)),
        }
    )


def meld(random: Random, of: list[str]) -> dict[str, Plan]:
    return without_none(
        {
            "meld": random.choice(MELD_NAMES),
            "cards": of,
            "scored": maybe(random, 0.2, random.random() < 0.5),
        }
    )


def event(random: Random, players: int, faces: list[str]) -> dict[str, Plan]:
    """An event of any kind."""
    seat, card = random.randrange(players), random.choice(faces)
    points = maybe(random, 0.5, number(random))
    kinds: list[dict[str, Plan]] = [
        {"type": "play", "seat": seat, "card": card, "from": maybe(random, 0.3, "table")},
        {"type": "trick", "winner": seat},
        {"type": "draw", "seat": seat, "card": card},
        {"type": "meld", "seat": seat, "meld": random.choice(MELD_NAMES), "cards": cards(random, faces), "points": points},
        {"type": "declare", "seat": seat, "meld": random.choice(MELD_NAMES), "cards": cards(random, faces)},
        {"type": "dix", "seat": seat, "action": random.choice(["exchange", "show", "play"]), "card": maybe(random, 0.3, card), "points": points},
        {"type": "carte_blanche", "seat": seat, "points": points},
        {"type": "discard", "seat": seat, "card": card},
        {"type": "cut", "seat": seat, "packet": abs(number(random)), "guess": maybe(random, 0.5, 24)},
        {"type": "score", "seat": seat, "for": random.choice(SCORE_NAMES), "points": points},
        {"type": "irregular", "seat": seat, "what": random.choice(["revoke", "withdrawn_meld", "misdeal", "other"]), "text": text(random)},
    ]  # fmt: skip
    return without_none(random.choice(kinds))


def any_record(random: Random) -> Plan:
    """Whatever the format allows, and as many of it."""
    sheet = random.choice(ALL_SHEETS)
    players = random.choice(sheet.rules.players)
    faces = palette(random)
    size = max(sheet.rules.hand.values())
    hands = [random.choices(faces, k=size) for _ in range(players)]
    some = [
        times(random, 3_000, event(random, players, faces)) for _ in range(many(random, 12) - 1)
    ]
    deal = without_none(
        {
            "dealer": random.randrange(players),
            "knowledge": random.choice(KNOWLEDGE),
            "seat": maybe(random, 0.3, random.randrange(players)),
            "hands": maybe(random, 0.8, hands),
            "turn_up": maybe(random, 0.5, random.choice(faces)),
            "stock": maybe(random, 0.4, [times(random, 2_000, random.choice(faces))]),
            "events": some,
            "claims": maybe(random, 0.3, {"scores": [number(random) for _ in range(players)]}),
            "ext": maybe(random, 0.1, extension(random)),
        }
    )
    extra = {
        "meta": maybe(random, 0.2, {"event": text(random), "deep": deep(random)}),
        "result": maybe(random, 0.3, {"scores": [number(random) for _ in range(players)]}),
        "notes": maybe(random, 0.2, [times(random, 3_000, {"at": [0], "text": text(random)})]),
        "ext": maybe(random, 0.1, extension(random)),
        "strange": maybe(random, 0.1, deep(random)),
    }
    deals = [times(random, 1_000, deal)]
    rules = maybe(random, 0.1, own_rules(random))
    return {
        **head(random, players, sheet.id),
        **without_none({"rules": rules}),
        "deals": deals,
        **without_none(extra),
    }


def extension(random: Random) -> Plan:
    pair = times(random, 4_000, ["org.example.n#", text(random)])
    return {"@": "members", "of": [pair]}


def deep(random: Random) -> Plan:
    """Lists or objects inside each other."""
    nest = {"@": "nest", "times": many(random, 20_000), "of": [times(random, 5_000, 1)]}
    return {**nest, "member": "a"} if random.random() < 0.5 else nest


@cache
def played(way: int, seed: int) -> Record:
    """A short real game, of every sheet at every table and with every option."""
    ways = [*STANDARD, *OPTIONED]
    style = ("greedy", "random")[seed % 2]
    labels = seed % 4 == 3 and ways[way].sheet.rules.pack.packs > 1
    return ways[way].play(seed, style, deals=1 + seed % 2, labels=labels, where=seed % 3 == 0)


def real_game(random: Random) -> Record:
    # The standard tables are as likely as all options together.
    count = len(STANDARD) if random.random() < 0.5 else len(STANDARD) + len(OPTIONED)
    return played(random.randrange(count), random.randrange(GAMES_A_WAY))


def plan_of(record: Record) -> dict[str, Plan]:
    plan: dict[str, Plan] = msgspec.json.decode(codec.encode(record))
    return plan


def games(random: Random) -> Plan:
    """A real game, damaged in ways that a program's error or a pen's slip would."""
    record = real_game(random)
    for name in random.choices(sorted(KINDS), k=random.randrange(4)):
        try:
            mutant = KINDS[name](record, random)
        except (IndexError, ValueError):  # nothing left to damage in this way
            continue
        record = mutant.record if mutant is not None else record
    return plan_of(record)


@cache
def looked_at(way: int, seed: int) -> list[dict[str, Plan]]:
    game = full_game(STANDARD[way], seed)
    return [plan_of(view.record) for view in views(game, Random(seed))]


def partial(random: Random) -> Plan:
    """A view of a real game, and some more of it hidden."""
    seen = looked_at(random.randrange(len(STANDARD)), random.randrange(GAMES_A_WAY))
    plan = copied(random.choice(seen))
    share = random.choice([0.0, 0.02, 0.2, 0.8])
    for deal in plan.get("deals", []):
        deal["events"] = [
            {**event, "card": blotted(random, event["card"])}
            if "card" in event and random.random() < share
            else event
            for event in deal.get("events", [])
            if random.random() >= share / 8
        ]
    return plan


def drafts(random: Random) -> Plan:
    """A record as far as it is written: a view of a game, or anything else, cut off somewhere in its last deal."""
    plan = (partial if random.random() < 0.6 else some_record)(random)
    deals = plan.get("deals")
    if isinstance(deals, list) and deals and isinstance(deals[-1], dict):
        events = deals[-1].get("events")
        if isinstance(events, list):
            deals[-1]["events"] = events[: random.randrange(len(events) + 1)]
    return plan


def blotted(random: Random, card: str) -> str:
    return random.choice(["??", "?" + card[1], card[0] + "?"])


def lines(random: Random) -> Plan:
    """A real game with lines and notes, many of them and late."""
    plan = plan_of(real_game(random))
    if not plan.get("deals"):
        return plan
    number = random.randrange(len(plan["deals"]))
    events = plan["deals"][number].get("events", [])

    def anchor() -> list[int]:
        late = random.random() < 0.7
        at = len(events) - many(random, 12) + 1 if late else random.randrange(len(events) + 1)
        return [number, max(0, at)] if random.random() < 0.95 else [number]

    def tried() -> list[Plan]:
        start = random.randrange(len(events) + 1)
        follows = events[start : start + many(random, 60)]
        return follows if random.random() < 0.6 else [times(random, 400, random.choice(events))]

    plan["lines"] = [
        times(random, 3_000, {"at": anchor(), "events": tried(), "text": text(random)})
        for _ in range(many(random, 6))
    ]
    if random.random() < 0.3:
        plan["notes"] = [times(random, 3_000, {"at": anchor(), "text": text(random)})]
    return plan


RECORD_SHAPES = (setups, any_record, games, partial, lines)


def some_record(random: Random) -> Plan:
    """A record of any shape."""
    return random.choice(RECORD_SHAPES)(random)
