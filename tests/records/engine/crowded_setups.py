"""Positions with too many cards that look alike, and what it costs to check them.

`python -m tests.records.engine.crowded_setups FIRST NUMBER` checks so many of them in a process that may not take much
memory, and prints for each its seed, its size in bytes, the CPU seconds, the megabytes beyond those at rest, and the
verdict.
"""

import json
import resource
import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from records.events import MELD_NAMES
from records.rules.compiled import CompiledSheet, compile_sheet
from records.rules.registry import ALL_SHEETS
from records.validator import check
from tests.bench.memory import forget_peak, peak_mib
from tests.machine.cpu_cost import CpuCost

MOST_BYTES = 64 * 1024
MOST_ADDRESS_SPACE = 2 * 1024**3
SIZES = ((1, 20), (10, 60), (30, 192), (192, 512))
GROUPS = (0, 1, 2, 2, 3, 10, 50, 300)
EVENTS = (0, 0, 5, 50, 400)
MEMBERS = {
    "won": True,
    "spent_dixes": ["7S", "7H", "7D", "7C"],
    "scores": [100, 100],
    "brisques": [1, 1],
}


def all_alike(random: Random, rules: CompiledSheet, size: int) -> list[str]:
    """One card so many times."""
    return [random.choice(list(rules.copies))] * size


def of_few_faces(random: Random, rules: CompiledSheet, size: int) -> list[str]:
    """A handful of faces, many times each."""
    faces = random.sample(list(rules.copies), 5)
    return [random.choice(faces) for _ in range(size)]


def of_every_face(random: Random, rules: CompiledSheet, size: int) -> list[str]:
    """As many faces as there are."""
    faces = list(rules.copies)
    return [faces[number % len(faces)] for number in range(size)]


def of_the_pack(random: Random, rules: CompiledSheet, size: int) -> list[str]:
    """Cards dealt from the pack, and from another one when it ends."""
    pack = [card for card, count in rules.copies.items() for _ in range(count)]
    random.shuffle(pack)
    return [pack[number % len(pack)] for number in range(size)]


def partly_unknown(random: Random, rules: CompiledSheet, size: int) -> list[str]:
    """Some of the cards known in part only."""
    known = of_few_faces(random, rules, size)
    return [random.choice([card, card, "??", "?" + card[1], card[0] + "?"]) for card in known]


def labelled(random: Random, rules: CompiledSheet, size: int) -> list[str]:
    """Copies told apart, and again the same ones."""
    return [f"{card}.{random.randint(1, 6)}" for card in of_every_face(random, rules, size)]


HANDS: tuple[Callable[[Random, CompiledSheet, int], list[str]], ...] = (
    all_alike, of_few_faces, of_every_face, of_the_pack, partly_unknown, labelled,
)  # fmt: skip


def crowded_setup(seed: int) -> bytes:
    """A record of at most `MOST_BYTES` whose setup, laid melds and events share as many like cards as they can."""
    random = Random(seed)
    sheet = random.choice(ALL_SHEETS)
    rules = compile_sheet(sheet)
    make_hand, (least, most) = random.choice(HANDS), random.choice(SIZES)
    hand = make_hand(random, rules, random.randint(least, most))
    setup: dict[str, Any] = {"seat": 0, "stock": random.choice([0, 2, 10, 40])}
    setup["hands"] = [random.choice([hand, []]), random.choice([[], [], hand])]
    if random.random() < 0.7:
        setup["trump"] = random.choice("SHDC")
    if sheet.rules.tableau:
        setup["tableau"] = hand
    else:
        setup["tables"] = [_laid(random, hand), []]
        setup |= {name: value for name, value in MEMBERS.items() if random.random() < 0.2}
        setup |= {"captured": [hand, []]} if random.random() < 0.3 else {}
    deal: dict[str, Any] = {"dealer": 1, "setup": setup, "events": _events(random, hand)}
    if random.random() < 0.3:
        deal |= {"knowledge": random.choice(["full", "seat", "public", "plays"]), "seat": 0}
    record = {
        "format": "bezique-record",
        "version": "1.0",
        "rules": {"id": sheet.id},
        "players": [{"name": "Ann"}, {"name": "Bob"}],
        "deals": [deal],
    }
    while len(data := json.dumps(record).encode()) > MOST_BYTES:
        deal["events"] = deal["events"][: len(deal["events"]) // 2]
        if "tables" in setup:
            setup["tables"][0] = setup["tables"][0][: len(setup["tables"][0]) // 2]
    return data


def _laid(random: Random, hand: list[str]) -> list[dict[str, Any]]:
    return [
        {
            "meld": random.choice(MELD_NAMES),
            "cards": random.choice([hand[:size], [random.choice(hand) for _ in range(size)]]),
            **random.choice([{}, {}, {}, {"scored": False}]),
        }
        for _ in range(random.choice(GROUPS))
        for size in [random.choice([2, 4, 8, len(hand) // 2, len(hand)])]
    ]


def _events(random: Random, hand: list[str]) -> list[dict[str, Any]]:
    """Events with cards of the hand; most are illegal, and the replay goes on from what was done."""
    events: list[dict[str, Any]] = []
    for _ in range(random.choice(EVENTS)):
        card, size = random.choice(hand), random.choice([2, 4, 8, len(hand)])
        seat, cards = random.randint(0, 1), random.sample(hand, min(size, len(hand)))
        meld = {"seat": 0, "meld": random.choice([*MELD_NAMES, "marriages"]), "cards": cards}
        event = random.choice(
            [
                {"type": "play", "seat": seat, "card": card},
                {"type": "play", "seat": 0, "card": card, "from": random.choice(["hand", "table"])},
                {"type": "meld", **meld},
                {"type": "declare", **meld},
                {"type": "draw", "seat": seat, "card": random.choice([card, "??"])},
                {"type": "dix", "seat": 0, "action": random.choice(["exchange", "show", "play"])},
                {"type": "discard", "seat": seat, "card": card},
                {"type": "irregular", "seat": 0, "what": "withdrawn_meld"},
            ]
        )
        events.append(event)
    return events


def costs(seeds: range) -> Iterator[tuple[int, int, float, float, str]]:
    """What each of these records costs: seed, bytes, CPU seconds, megabytes, and its verdict."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESS_SPACE, MOST_ADDRESS_SPACE))
    for sheet in ALL_SHEETS:
        compile_sheet(sheet)
    for seed in seeds:
        data = crowded_setup(seed)
        forget_peak()
        before = peak_mib()
        with CpuCost() as cost:
            verdict = check(data).verdict
        yield seed, len(data), round(cost.seconds, 3), round(peak_mib() - before, 1), verdict


if __name__ == "__main__":
    start, number = map(int, sys.argv[1:])
    for cost in costs(range(start, start + number)):
        print(json.dumps(cost), flush=True)
