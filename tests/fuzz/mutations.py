"""Changing a plan that was costly, so that it may cost more: its numbers, its lists, its members, its kin's parts."""

from collections.abc import Callable
from random import Random

from tests.fuzz.draws import FACES, NUMBERS, TEXTS, many
from tests.fuzz.plans import Plan, copied
from tests.fuzz.tree import Spot, spots

MOST_TIMES = 100_000_000
FIXED = ("@", "format", "pack", "view")
"""Members of a plan that stay: without them it is no plan, or at once refused."""


def changed(plan: Plan, kin: Plan, random: Random) -> Plan:
    """The plan with a few changes; `kin` is another one of its shape, parts of which may come in."""
    plan = copied(plan)
    for _ in range(many(random, 5)):
        free = [spot for spot in spots(plan) if spot.key not in FIXED]
        if not free:
            break
        # Cards are most of a game, and repetitions little: all kinds come as often.
        kind = random.choice(["times", "times", "number", "text", "list", "list", "object", "any"])
        of_kind = [spot for spot in free if KINDS[kind][0](spot)]
        if of_kind:
            KINDS[kind][1](random.choice(of_kind), kin, random)
    return plan


def scale(spot: Spot, kin: Plan, random: Random) -> None:
    """More or fewer of it: mostly more."""
    factor = random.choice([0.5, 0.9, 1.1, 2, 2, 4, 16])
    spot.put(min(MOST_TIMES, max(0, round(spot.value * factor + random.choice([-1, 0, 1])))))


def other_number(spot: Spot, kin: Plan, random: Random) -> None:
    spot.put(random.choice([spot.value + 1, spot.value - 1, 0, many(random, 5_000), *NUMBERS[-4:]]))


def other_text(spot: Spot, kin: Plan, random: Random) -> None:
    own = [other.value for other in spots(kin) if other.key == spot.key]
    texts = [value for value in own if isinstance(value, str)]
    if len(spot.value) == 2 and random.random() < 0.7:
        texts = FACES
    spot.put(random.choice(texts or TEXTS) if random.random() < 0.9 else random.choice(TEXTS))


def other_list(spot: Spot, kin: Plan, random: Random) -> None:
    """Items doubled, dropped, moved, repeated, or taken from kin."""
    items = spot.value
    start = random.randrange(len(items)) if items else 0
    stop = min(len(items), start + many(random, 40))
    part = items[start:stop]
    match random.randrange(6):
        case 0:
            items[stop:stop] = copied(part)
        case 1:
            del items[start:stop]
        case 2:
            random.shuffle(part)
            items[start:stop] = part
        case 3 if part:
            items[start] = {"@": "repeat", "times": many(random, 300), "of": items[start]}
        case 4 if len(items) > 1:
            other = random.randrange(len(items))
            items[start], items[other] = items[other], items[start]
        case _:
            lists = [other.value for other in spots(kin) if other.key == spot.key]
            found = [value for value in lists if isinstance(value, list) and value]
            if found:
                items[start:start] = copied(random.choice(found)[: many(random, 40)])


def other_object(spot: Spot, kin: Plan, random: Random) -> None:
    """A member dropped, or one more from kin."""
    names = [name for name in spot.value if name not in (*FIXED, "of", "times")]
    objects = [other.value for other in spots(kin) if other.key == spot.key]
    like = [value for value in objects if isinstance(value, dict) and "@" not in value]
    if like and "@" not in spot.value and random.random() < 0.6:
        spot.value.update(copied(random.choice(like)))
    elif names:
        del spot.value[random.choice(names)]


def other_part(spot: Spot, kin: Plan, random: Random) -> None:
    """The same part of kin, nothing, or the part once more around itself."""
    same = [other.value for other in spots(kin) if other.key == spot.key]
    if same and random.random() < 0.7:
        spot.put(copied(random.choice(same)))
    elif random.random() < 0.5:
        spot.put({"@": "nest", "times": many(random, 40), "of": spot.value})
    else:
        spot.put(None)


def is_times(spot: Spot) -> bool:
    return spot.key == "times" and isinstance(spot.value, int)


def is_number(spot: Spot) -> bool:
    return isinstance(spot.value, int) and not isinstance(spot.value, bool) and not is_times(spot)


KINDS: dict[str, tuple[Callable[[Spot], bool], Callable[[Spot, Plan, Random], None]]] = {
    "times": (is_times, scale),
    "number": (is_number, other_number),
    "text": (lambda spot: isinstance(spot.value, str), other_text),
    "list": (lambda spot: isinstance(spot.value, list), other_list),
    "object": (lambda spot: isinstance(spot.value, dict), other_object),
    "any": (lambda spot: spot.key != "times", other_part),
}
"""What may be changed, and how."""
