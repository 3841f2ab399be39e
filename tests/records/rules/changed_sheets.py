"""Sheets with members changed, and the cards of melds as the short patterns in which the referees read them."""

from typing import Any

import msgspec
from msgspec.structs import replace

from records.rules import registry
from records.rules.vocabulary import (
    FieldChange,
    ListedCards,
    MeldCards,
    PatternCard,
    RuleSheet,
    ShapedCards,
)

LETTERS = {"trumps": "t", "plain": "p", "any": "x", "bezique": "b", "same": "m"}
NAMED_PARTS = ("phases", "bonuses", "melds")


def with_rules(sheet: RuleSheet, **members: Any) -> RuleSheet:
    """A sheet with other members of its rules."""
    return replace(sheet, rules=replace(sheet.rules, **members))


def with_member(sheet: RuleSheet, path: str, value: Any) -> RuleSheet:
    """A sheet with another value at a path: `dix.points`, `close.melds`; every part that has the name has the value."""
    data = msgspec.to_builtins(value, str_keys=True)
    pointers = _pointers(sheet, path)
    assert pointers, path
    return registry._with(sheet, [FieldChange("replace", pointer, data) for pointer in pointers])


def _pointers(sheet: RuleSheet, path: str) -> list[str]:
    head, _, rest = path.partition(".")
    way = "".join(f"/{step}" for step in rest.split(".") if step)
    if head in registry._MEMBERS:
        return [f"/rules/{head}{way}"]
    return [
        f"/rules/{part}/{number}{way}"
        for part in NAMED_PARTS
        for number, each in enumerate(getattr(sheet.rules, part))
        if each.name == head
    ]


def member_at(sheet: RuleSheet, path: str) -> Any:
    """The value at a path; None where the sheet has no such part."""
    head, *rest = path.split(".")
    named = [each for part in NAMED_PARTS for each in getattr(sheet.rules, part)]
    member = registry._MEMBERS.get(head)
    found = getattr(sheet.rules, member.name) if member else None
    if found is None:
        found = next((each for each in named if each.name == head), None)
    for step in rest:
        found = found.get(step) if isinstance(found, dict) else getattr(found, step, None)
    return found


def pattern_text(cards: MeldCards) -> str:
    """The cards of a meld as a pattern: `4 * Ax`, `Kt Qt`, `6 run suit`."""
    if isinstance(cards, ShapedCards):
        words = ["run"] * cards.in_a_row + ["suit"] * cards.one_suit
        return " ".join([str(cards.size), *words])
    slots = []
    for card in cards.cards:
        ranks = "".join(card.ranks)
        slots.append(
            (f"[{ranks}]" if len(ranks) > 1 else ranks) + LETTERS.get(card.suit, card.suit)
        )
    numbered = cards.repeat > 1 or cards.speaks_of("same")
    return f"{cards.repeat} * {' '.join(slots)}" if numbered else " ".join(slots)


def read_pattern(text: str) -> MeldCards:
    """The cards that a pattern stands for."""
    if "run" in text or "suit" in text:
        size, *words = text.split()
        return ShapedCards(int(size), "run" in words, "suit" in words)
    times, _, slots = text.rpartition(" * ")
    words_of = {letter: word for word, letter in LETTERS.items()}
    cards = [
        PatternCard(tuple(slot[:-1].strip("[]")), words_of.get(slot[-1], slot[-1]))  # type: ignore[arg-type]
        for slot in slots.split()
    ]
    return ListedCards(int(times or 1), tuple(cards))
