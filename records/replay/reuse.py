"""When a card that has scored may score again: one named function a rule (laws of section "reuse").

Each is asked of one set of cards in one reading: `chosen` pairs every card with what it has already
scored.
"""

from collections.abc import Sequence
from typing import assert_never

from records.replay.book import FIRST_MELD_BIT, Book
from records.replay.readings import Allows, Marked
from records.rules.vocabulary import Meld, Reuse, ReuseRule

Scored = Sequence[tuple[str, int]]
"""The melds a seat has scored so far: kind and number of cards, in order."""


def once_per_set(meld: Meld, chosen: tuple[Marked, ...], scored: Scored) -> bool:
    """R-SET: that exact set of cards has not been scored as that meld before."""
    shared = ~0
    for _, mark in chosen:
        shared &= mark >> FIRST_MELD_BIT
    return not any(
        shared >> index & 1 and kind == meld.kind and size == len(chosen)
        for index, (kind, size) in enumerate(scored)
    )


def once_per_kind(meld: Meld, chosen: tuple[Marked, ...], book: Book) -> bool:
    """R-KIND: no card of the set was ever scored in a meld of that kind."""
    bit = book.kind_bit[meld.kind]
    return not any(mark & bit for _, mark in chosen)


def upward_in_class(meld: Meld, chosen: tuple[Marked, ...], book: Book) -> bool:
    """R-CLASS: once per kind; and the readings of `_upward` say how a class may be climbed."""
    return once_per_kind(meld, chosen, book) and _upward(meld, chosen, book)


def _upward(meld: Meld, chosen: tuple[Marked, ...], book: Book) -> bool:
    """Rulings A-15, A-17, A-18: sequence then marriage, two singles then double, double then single."""
    reuse = book.sheet.reuse
    scored_higher = any(mark & book.higher[meld.kind] for _, mark in chosen)
    if scored_higher and not _downward(meld, reuse):
        return False
    lower = book.lower[meld.kind]
    nothing_new = bool(lower) and all(mark & lower for _, mark in chosen)
    return reuse.singles_then_double or not nothing_new


def _downward(meld: Meld, reuse: Reuse) -> bool:
    if meld.family == "sequence":
        return reuse.sequence_then_marriage
    return reuse.double_then_single


def rule_of(meld: Meld, book: Book, scored: Scored) -> Allows:
    """The sheet's reuse rule, bound to one meld and to what the seat has scored."""
    rule = book.sheet.reuse.rule
    match rule:
        case ReuseRule.ONCE_PER_SET:
            return lambda chosen: once_per_set(meld, chosen, scored)
        case ReuseRule.ONCE_PER_KIND | ReuseRule.UPWARD_IN_CLASS:
            return lambda chosen: upward_in_class(meld, chosen, book)
        case ReuseRule.REFORMED_AFTER_LEAVING | ReuseRule.AUGMENT_OR_RESTORE:
            raise NotImplementedError(rule)
        case ReuseRule.LEAVES_THE_HAND:
            return lambda chosen: True
        case _:
            assert_never(rule)


def bit_of(meld: Meld, book: Book, scored: Scored) -> int:
    """The bit that marks the cards of a meld now scored: its kind, or its number where sets count."""
    if book.sheet.reuse.rule is ReuseRule.ONCE_PER_SET:
        return 1 << (FIRST_MELD_BIT + len(scored))
    return book.kind_bit[meld.kind]
