"""Choices of copies: every one once, in a fixed order, made only as they are asked for."""

import gc
import tracemalloc
from itertools import chain, combinations, islice, product
from random import Random

import pytest

from records.engine.copies import MarkedCard, copy_choices

FACES = ["AS", "KS", "QS", "JD"]


def every_choice(
    marked: list[MarkedCard], wanted: dict[str, int], held: dict[str, int]
) -> list[tuple[MarkedCard, ...]]:
    """All choices, found by taking every combination of physical copies."""
    by_card = []
    for card, count in wanted.items():
        copies = [pair for pair in marked if pair[0] == card]
        copies += [(card, 0)] * (held[card] - len(copies))
        by_card.append(sorted(set(combinations(sorted(copies), count))))
    return [tuple(chain.from_iterable(taken)) for taken in product(*by_card)]


def test_the_choices_are_those_of_physical_copies() -> None:
    random = Random(15)
    for _ in range(1000):
        cards = random.sample(FACES, random.randint(0, len(FACES)))
        marked = [(c, random.choice([1, 2, 5])) for c in cards for _ in range(random.randint(0, 4))]
        wanted = {card: random.randint(0, 3) for card in cards}
        held = {card: random.randint(0, 6) for card in cards}
        expected = every_choice(marked, wanted, held)
        assert list(copy_choices(marked, wanted, held)) == expected


def test_very_many_choices_of_several_cards_are_those_of_physical_copies() -> None:
    """126 ways to take four of nine unlike queens, each with one of two kings and one of three aces."""
    marked = [("QS", mark) for mark in range(1, 10)] + [("KS", 1), ("AS", 1), ("AS", 2)]
    wanted, held = {"QS": 4, "KS": 1, "AS": 1}, {"QS": 9, "KS": 2, "AS": 3}
    expected = every_choice(marked, wanted, held)
    assert list(copy_choices(marked, wanted, held)) == expected
    assert len(expected) == 126 * 2 * 3


def test_the_first_of_very_many_choices_cost_nothing() -> None:
    """30 cards with two unlike copies each: a thousand million choices; 60 copies of one card: even more."""
    many = [f"{rank}{suit}" for rank in "AKQJT987" for suit in "SHDC"][:30]
    one_of_two = [(card, 1) for card in many], dict.fromkeys(many, 1), dict.fromkeys(many, 2)
    half_of_60 = [("QS", mark) for mark in range(1, 61)], {"QS": 30}, {"QS": 60}
    tracemalloc.start()
    try:
        for marked, wanted, held in (one_of_two, half_of_60):
            first = list(islice(copy_choices(marked, wanted, held), 200))
            assert len(set(first)) == 200
            assert first == sorted(first)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10 * 1024 * 1024


@pytest.mark.slow
def test_what_is_remembered_of_choices_does_not_grow_with_them() -> None:
    """However large the choices are that a record asks for; their number is limited, too."""
    random, asked = Random(15), 120
    cards = [f"{rank}{suit}" for rank in "AKQJT987" for suit in "SHDC"]
    gc.collect()
    tracemalloc.start()
    try:
        for number in range(asked):
            held = dict.fromkeys(random.sample(cards, 1 + number % 30), 4)
            marked = [(card, random.randint(1, 1 << 60)) for card in held]
            list(islice(copy_choices(marked, dict.fromkeys(held, 2), held), 40))
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < asked * 8 * 1024
