"""Drawing what inputs are made of: numbers over all magnitudes, cards of a few faces, texts that hurt."""

from collections.abc import Sequence
from math import exp, log
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")

RANKS, SUITS = "ATKQJ9876", "SHDC"
FACES = [rank + suit for rank in RANKS for suit in SUITS]
TEXTS = [
    "", "a", " ", "\t\r\n", "\x00", "\u202e", "\ufeff", "é" * 3, "👑", "10S", "T", "??", "QS", "\\", '"', "\\u0041",
    "<script>", "{{7*7}}", "=1+1", "%s", "../..", "\uf780",
]  # fmt: skip
NUMBERS = [0, 1, -1, 2, 7, 2**31, 2**53, 2**63 - 1, -(2**63), 2**64, 10**30]


def many(random: Random, most: int, least: int = 1) -> int:
    """A number between the two, every magnitude as often as any other."""
    return round(exp(random.uniform(log(least), log(most))))


def times(random: Random, most: int, of: Any) -> dict[str, Any]:
    """Something repeated."""
    return {"@": "repeat", "times": many(random, most), "of": of}


def maybe(random: Random, chance: float, value: T) -> T | None:
    return value if random.random() < chance else None


def palette(random: Random) -> list[str]:
    """The cards of one input: few faces or many, and perhaps labels or unknown ones."""
    faces = random.sample(FACES[:32], many(random, 32))
    if random.random() < 0.2:
        faces += [face[0] + "?" for face in faces[:3]] + ["??"]
    if random.random() < 0.15:
        faces = [f"{face}.{copy}" for face in faces for copy in range(1, many(random, 6) + 1)]
    return faces


def cards(random: Random, faces: Sequence[str], most: int = 40) -> list[str]:
    """Some of these cards, with or without their like."""
    count = many(random, most)
    if random.random() < 0.5:
        return random.sample(faces, min(count, len(faces)))
    return random.choices(faces, k=count)


def text(random: Random) -> Any:
    """A text, short and strange or long."""
    if random.random() < 0.2:
        return {"@": "text", "times": many(random, 60_000), "of": random.choice(TEXTS) or "x"}
    return random.choice(TEXTS)


def number(random: Random) -> int:
    return random.choice(NUMBERS) if random.random() < 0.3 else many(random, 2_000) - 1
