"""Labels on cards of which the pack has one: `QS.1` is the queen of spades, and the table calls it `QS` (A-49)."""

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from records.cards import FACE_OF
from records.events import AnyEvent
from records.record import Deal
from records.rules.compiled import CompiledSheet

T = TypeVar("T")

CARD_MEMBERS = frozenset(
    ("captured", "card", "cards", "from_tableau", "hands", "spent_dixes", "stock", "tableau", "trick",
     "turn_up")
)  # fmt: skip
"""The members of a record that hold cards; `stock` of a setup is a number."""
_PARTS = frozenset(("setup", "tables", "events"))


def has_single_cards(rules: CompiledSheet) -> bool:
    """Whether the pack has cards of which there is only one."""
    return rules.sheet.pack.copies == 1


def is_beyond_pack(rules: CompiledSheet, card: str) -> bool:
    """Whether the pack has no such card, or no such copy of it."""
    copies = rules.copies.get(FACE_OF[card], 0)
    return "?" not in card and copies < (int(card[3:]) if len(card) > 2 else 1)


def without_single_labels(rules: CompiledSheet, deal: Deal) -> Deal:
    """The deal with every card of which there is one written without its label."""
    return _plain(deal, single_labels(rules))


def events_without_single_labels(rules: CompiledSheet, events: list[AnyEvent]) -> list[AnyEvent]:
    """The same for events."""
    return _plain(events, single_labels(rules))


def single_labels(rules: CompiledSheet) -> dict[str, str]:
    """Every labelled card of which there is no other, and its name without the label."""
    return {f"{face}.1": face for face, count in rules.copies.items() if count == 1}


def _plain(value: T, plain: Mapping[str, str]) -> T:
    """A part of a record with these cards written in another way."""
    if isinstance(value, list):
        return [_plain(part, plain) for part in value]  # type: ignore[return-value]
    if not isinstance(value, msgspec.Struct):
        return value
    changed = {
        name: _named(part, plain) if name in CARD_MEMBERS else _plain(part, plain)
        for name in value.__struct_fields__
        if name in CARD_MEMBERS or name in _PARTS
        for part in [getattr(value, name)]
    }
    return msgspec.structs.replace(value, **changed)


def _named(value: T, plain: Mapping[str, str]) -> T:
    if isinstance(value, list):
        return [_named(part, plain) for part in value]  # type: ignore[return-value]
    return plain.get(value, value) if isinstance(value, str) else value  # type: ignore[return-value]
