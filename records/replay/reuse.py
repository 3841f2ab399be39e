"""When a card that has scored may score again: one named function a rule (laws of section "reuse").

Each is asked of one set of cards in one reading: `chosen` pairs every card with what it has already
scored. `Terms` are the bits that a meld and its relatives leave on a card.
"""

from collections.abc import Sequence
from functools import cache, partial
from typing import NamedTuple, assert_never

from records.replay.book import FIRST_MELD_BIT, Book
from records.replay.readings import Allows, Marked
from records.rules.vocabulary import Meld, ReuseRule

Scored = Sequence[tuple[str, int]]
"""The melds a seat has scored so far: kind and number of cards, in order."""


class Terms(NamedTuple):
    """What a rule of reuse asks about a meld: its own bit, those of its family, the readings allowed."""

    kind: int
    higher: int
    lower: int
    may_go_down: bool
    may_combine: bool


@cache
def terms_of(meld: Meld, book: Book) -> Terms:
    """The terms of one meld of a sheet (rulings A-15, A-17, A-18)."""
    reuse = book.sheet.reuse
    down = reuse.sequence_then_marriage if meld.family == "sequence" else reuse.double_then_single
    return Terms(
        kind=book.kind_bit[meld.kind],
        higher=book.higher[meld.kind],
        lower=book.lower[meld.kind],
        may_go_down=down,
        may_combine=reuse.singles_then_double,
    )


def once_per_set(kind: str, scored: Scored, chosen: tuple[Marked, ...]) -> bool:
    """R-SET: that exact set of cards has not been scored as that meld before."""
    shared = ~0
    for _, mark in chosen:
        shared &= mark >> FIRST_MELD_BIT
    return not any(
        shared >> index & 1 and earlier == kind and size == len(chosen)
        for index, (earlier, size) in enumerate(scored)
    )


def once_per_kind(terms: Terms, chosen: tuple[Marked, ...]) -> bool:
    """R-KIND: no card of the set was ever scored in a meld of that kind."""
    union = 0
    for _, mark in chosen:
        union |= mark
    return not union & terms.kind


def upward_in_class(terms: Terms, chosen: tuple[Marked, ...]) -> bool:
    """R-CLASS: once per kind, never down from a higher meld of the class, and up only with a new card.

    The options of a sheet lift the last two clauses one by one.
    """
    union, common = 0, ~0
    for _, mark in chosen:
        union |= mark
        common &= mark if mark & terms.lower else 0
    if union & terms.kind or (union & terms.higher and not terms.may_go_down):
        return False
    return terms.may_combine or not common


def rule_of(meld: Meld, book: Book, scored: Scored) -> Allows:
    """The sheet's reuse rule, bound to one meld and to what the seat has scored."""
    rule = book.sheet.reuse.rule
    match rule:
        case ReuseRule.ONCE_PER_SET:
            return partial(once_per_set, meld.kind, scored)
        case ReuseRule.ONCE_PER_KIND | ReuseRule.UPWARD_IN_CLASS:
            return partial(upward_in_class, terms_of(meld, book))
        case ReuseRule.REFORMED_AFTER_LEAVING | ReuseRule.AUGMENT_OR_RESTORE:
            raise NotImplementedError(rule)
        case ReuseRule.LEAVES_THE_HAND:
            return lambda chosen: True
        case _:
            assert_never(rule)


def bit_of(meld: Meld, book: Book, scored: Scored) -> int:
    """The bit that marks the cards of a meld now scored: its kind, or its number where sets count."""
    if book.counts_sets:
        return 1 << (FIRST_MELD_BIT + len(scored))
    return book.kind_bit[meld.kind]
