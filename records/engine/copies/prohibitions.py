"""Why a rule of reuse forbids a meld: its clauses, asked one by one, for the sentence of a finding.

The same laws as the rules in `reuse`, which answer yes or no and quickly. Here every clause answers for itself, with
the cards and the earlier melds that forbid the meld by it. The two must agree: a choice of copies is allowed exactly
if no clause forbids it (`tests/engine/test_prohibitions.py`). Nothing here is asked before a meld has been refused.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from records.engine.copies import reuse
from records.engine.copies.history import are_all_readings
from records.engine.copies.marks import (
    NEW_BIT,
    USED_BIT,
    MarkedCard,
    Reading,
    Readings,
    ReusePredicate,
    choices_by_reading,
)
from records.engine.copies.reuse import ReuseBits, ScoredSets
from records.rules.compiled import FIRST_MELD_BIT
from records.rules.vocabulary import MeldRule

CopiesTaken = tuple[MarkedCard, ...]
Forbidding = Mapping[int, frozenset[str]]
"""By the bit of an earlier meld, or of its kind: the cards of the new one that carry it."""
Prohibitions = Mapping[str, Forbidding]
"""Every clause that forbids a choice of copies, with what it forbids it by."""

MOST_CHOICES_EXPLAINED = 512
"""So many choices of copies are looked at. Where there are more, no single clause can be named."""
CLAUSES_IN_ORDER = (
    "no-card-won", "served", "once-ever", "same-set", "kind", "down", "nothing-new", "not-left", "not-played",
    "not-whole", "not-restored", "class",
)  # fmt: skip
"""All clauses: of several that hold, the first tells most."""


class Prohibition(NamedTuple):
    """What forbids a meld in every choice of copies: a clause, the bits of the earlier melds, and cards of the new one.

    The bits are those of one meld (or kind) each. If every choice shares some, those are given; otherwise each
    choice has one of them. `cards` are forbidden in every choice; there may be no such card.
    """

    clause: str
    bits: int
    cards: frozenset[str]


def find_prohibition(
    readings: Readings, wanted: dict[str, int], held: dict[str, int], allows: ReusePredicate
) -> Prohibition | None:
    """The clause that forbids a meld whichever copies it takes; None if there is no such clause, or too much to search."""
    if not are_all_readings(readings):
        return _where_readings_are_sought(allows)
    by_choice: list[Prohibitions] = []
    clauses = set(CLAUSES_IN_ORDER)
    for reading, chosen in choices_by_reading(readings, wanted, held):
        by_choice.append(prohibitions_of(allows, chosen, reading))
        clauses.intersection_update(by_choice[-1])
        if not clauses or len(by_choice) > MOST_CHOICES_EXPLAINED:
            return None
    clause = next((clause for clause in CLAUSES_IN_ORDER if clause in clauses and by_choice), None)
    return None if clause is None else _in_every(clause, [of[clause] for of in by_choice])


def _where_readings_are_sought(allows: ReusePredicate) -> Prohibition | None:
    """What holds in every reading where they are too many to list, and a search has found none that allows the meld.

    A set of cards that is not new has lost no card either, so it is enough that no card has left. That is not so for
    marriages, which may be rearranged, nor where a class must be climbed.
    """
    if not isinstance(allows, partial):
        return None
    bits, past = allows.args
    if bits.rearranges or not (bits.may_go_down and bits.may_combine):
        return None
    by_play = allows.func is reuse.reformed_after_play
    return Prohibition("not-played" if by_play else "not-left", past.same, frozenset())


def _in_every(clause: str, by_choice: list[Forbidding]) -> Prohibition:
    shared = set(by_choice[0]).intersection(*by_choice[1:])
    bits = shared or {bit for forbidding in by_choice for bit in forbidding}
    cards = [
        frozenset(card for bit, cards in forbidding.items() if bit in bits for card in cards)
        for forbidding in by_choice
    ]
    return Prohibition(clause, sum(bits), cards[0].intersection(*cards[1:]))


def prohibitions_of(allows: ReusePredicate, chosen: CopiesTaken, reading: Reading) -> Prohibitions:
    """Every clause of a rule of reuse that forbids these copies; empty if the rule allows them."""
    if not isinstance(allows, partial):
        return {}
    explain = _EXPLAINED[allows.func]
    return {
        clause: forbidding
        for clause, forbidding in explain(*allows.args, chosen=chosen, reading=reading)
        if forbidding
    }


ForbiddingClauses = Iterator[tuple[str, Forbidding]]


def _same_set(past: ScoredSets, chosen: CopiesTaken) -> tuple[str, Forbidding]:
    shared = ~0
    for _, mark in chosen:
        shared &= mark
    return "same-set", _cards_with(shared & past.same, chosen)


def _climbing(bits: ReuseBits, chosen: CopiesTaken) -> ForbiddingClauses:
    if not bits.may_go_down:
        yield "down", _cards_with(bits.higher, chosen)
    if not bits.may_combine and all(mark & bits.lower for _, mark in chosen):
        yield "nothing-new", _cards_with(bits.lower, chosen)


def _once_per_set(past: ScoredSets, chosen: CopiesTaken, reading: Reading) -> ForbiddingClauses:
    yield _same_set(past, chosen)


def _once_per_kind(bits: ReuseBits, chosen: CopiesTaken, reading: Reading) -> ForbiddingClauses:
    yield "kind", _cards_with(bits.kind, chosen)


def _upward_in_class(bits: ReuseBits, chosen: CopiesTaken, reading: Reading) -> ForbiddingClauses:
    yield "kind", _cards_with(bits.kind, chosen)
    yield from _climbing(bits, chosen)


def _reformed_after_leaving(
    bits: ReuseBits, past: ScoredSets, chosen: CopiesTaken, reading: Reading
) -> ForbiddingClauses:
    yield _same_set(past, chosen)
    yield from _climbing(bits, chosen)
    left = reuse.sets_left(past.every, chosen, reading)
    yield "not-left", _cards_with(_overlapping(bits, past, chosen) & ~left, chosen)


def _reformed_after_play(
    bits: ReuseBits, past: ScoredSets, chosen: CopiesTaken, reading: Reading
) -> ForbiddingClauses:
    yield _same_set(past, chosen)
    yield from _climbing(bits, chosen)
    yield "not-played", _cards_with(_overlapping(bits, past, chosen), chosen)


def _overlapping(bits: ReuseBits, past: ScoredSets, chosen: CopiesTaken) -> int:
    """The earlier sets of its kind that a set overlaps; of two cards that have married, only the same marriage."""
    union, common, married = 0, ~0, bits.kind
    for _, mark in chosen:
        union |= mark
        common &= mark
        married &= mark
    return (common if married and bits.rearranges else union) & past.same


def _augment_or_restore(
    bits: ReuseBits, meld: MeldRule, past: ScoredSets, chosen: CopiesTaken, reading: Reading
) -> ForbiddingClauses:
    if reuse.augment_or_restore(bits, meld, past, chosen, reading):
        return
    touched = _cards_with(past.family, chosen)
    lower = {bit for bit, level, _ in past.members if level < meld.level} & touched.keys()
    broken = reuse.broken_sets(reading) & past.same
    may_be_restored = {bit: cards for bit, cards in touched.items() if bit & broken}
    if may_be_restored:
        yield "not-restored", may_be_restored
    elif lower != touched.keys():
        yield "class", {bit: cards for bit, cards in touched.items() if bit not in lower}
    elif reuse.contains_whole(past, meld, chosen):
        yield "nothing-new", touched
    else:
        yield "not-whole", touched


def _of_the_trick_just_won(
    allows: ReusePredicate, chosen: CopiesTaken, reading: Reading
) -> ForbiddingClauses:
    if not any(mark & (NEW_BIT | USED_BIT) for _, mark in chosen):
        yield "no-card-won", {0: frozenset()}
    yield "served", _cards_with(USED_BIT, chosen)
    yield from prohibitions_of(allows, chosen, reading).items()


def _once_ever(allows: ReusePredicate, chosen: CopiesTaken, reading: Reading) -> ForbiddingClauses:
    yield "once-ever", _cards_with(-1 << FIRST_MELD_BIT, chosen)
    yield from prohibitions_of(allows, chosen, reading).items()


_EXPLAINED: Mapping[Callable[..., bool], Callable[..., ForbiddingClauses]] = {
    reuse.once_per_set: _once_per_set,
    reuse.once_per_kind: _once_per_kind,
    reuse.upward_in_class: _upward_in_class,
    reuse.reformed_after_leaving: _reformed_after_leaving,
    reuse.reformed_after_play: _reformed_after_play,
    reuse.augment_or_restore: _augment_or_restore,
    reuse.of_the_trick_just_won: _of_the_trick_just_won,
    reuse.once_ever: _once_ever,
}


def _cards_with(bits: int, chosen: CopiesTaken) -> Forbidding:
    """Each of these bits that some card carries, with the cards that do."""
    found: dict[int, set[str]] = {}
    for card, mark in chosen:
        for bit in single_bits(mark & bits):
            found.setdefault(bit, set()).add(card)
    return {bit: frozenset(cards) for bit, cards in found.items()}


def single_bits(mask: int) -> Iterable[int]:
    """The bits of a mask, one by one, from the lowest."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit
