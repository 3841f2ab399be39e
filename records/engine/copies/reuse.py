"""When a card that has scored may score again: one named function for each rule (section "reuse" of the rulings).

Each is asked about one set of cards in one reading: `chosen` pairs every card with what it has already
scored. `ReuseBits` are the bits that a meld and its relatives leave on a card. The rules are written out
separately and not composed of flags, so that each can be read beside its rulebook. `prohibitions` repeats them clause
by clause, to say why a meld was refused.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple, assert_never

from records.engine.copies.marks import (
    MOVED_BIT,
    NEW_BIT,
    TRACE_NAME,
    USED_BIT,
    BarringBits,
    BarringRule,
    MarkedCard,
    Reading,
    ReusePredicate,
)
from records.rules.compiled import FIRST_MELD_BIT, CompiledSheet
from records.rules.vocabulary import LeavesBy, MeldRule, ReuseRule

ScoredMelds = Sequence[tuple[str, int]]
"""The melds a seat has scored so far: kind and number of cards, in order."""


class ReuseBits(NamedTuple):
    """What a rule of reuse asks about a meld: the bits of its kind and of its family, and which options hold."""

    kind: int
    higher: int
    lower: int
    may_go_down: bool
    may_combine: bool
    rearranges: bool


@lru_cache(maxsize=4096)
def reuse_bits_of(meld: MeldRule, rules: CompiledSheet) -> ReuseBits:
    """The bits of one meld of a sheet, with the options of rulings A-15, A-17 and A-18."""
    reuse = rules.sheet.reuse
    down = reuse.sequence_then_marriage if meld.family == "sequence" else reuse.double_then_single
    return ReuseBits(
        kind=rules.kind_bit[meld.kind],
        higher=rules.higher_bits[meld.kind],
        lower=rules.lower_bits[meld.kind],
        may_go_down=down,
        may_combine=reuse.singles_then_double,
        rearranges=meld.kind == "marriage",
    )


class ScoredSets(NamedTuple):
    """The sets a seat has scored, as bits: of the same kind as a meld, of its family, and all.

    `members` lists those of the family: bit, level, number of cards.
    """

    same: int
    family: int
    every: int
    members: tuple[tuple[int, int, int], ...]


def scored_sets_of(meld: MeldRule, rules: CompiledSheet, scored: ScoredMelds) -> ScoredSets:
    """What a seat has scored, seen from one meld."""
    same = family = every = 0
    members = []
    bit, own_family, own_kind = 1 << rules.first_set_bit, meld.family, meld.kind
    for kind, size in scored:
        every |= bit
        of, level = rules.family[kind]
        if of == own_family:
            family |= bit
            members.append((bit, level, size))
            same |= bit if kind == own_kind else 0
        bit <<= 1
    return ScoredSets(same, family, every, tuple(members))


def once_per_set(past: ScoredSets, chosen: tuple[MarkedCard, ...], reading: Reading = ()) -> bool:
    """R-SET: that exact set of cards has not been scored as that meld before."""
    # Every scored set has a bit of its own; one that all cards share is this very set.
    shared = ~0
    for _, mark in chosen:
        shared &= mark
    return not shared & past.same


def once_per_kind(bits: ReuseBits, chosen: tuple[MarkedCard, ...], reading: Reading = ()) -> bool:
    """R-KIND: no card of the set was ever scored in a meld of that kind."""
    union = 0
    for _, mark in chosen:
        union |= mark
    return not union & bits.kind


def upward_in_class(bits: ReuseBits, chosen: tuple[MarkedCard, ...], reading: Reading = ()) -> bool:
    """R-CLASS: once per kind, never down from a higher meld of the class, and up only with a new card.

    The options of a sheet lift the last two clauses one by one.
    """
    union = 0
    for _, mark in chosen:
        union |= mark
    return not union & bits.kind and _climbs(bits, union, chosen)


def _climbs(bits: ReuseBits, union: int, chosen: tuple[MarkedCard, ...]) -> bool:
    """Rulings A-15, A-17, A-18: not down the class, and not up it with nothing new, unless an option allows it."""
    if union & bits.higher and not bits.may_go_down:
        return False
    if bits.may_combine or not union & bits.lower:
        return True
    return not all([mark & bits.lower for _, mark in chosen])


def reformed_after_leaving(
    bits: ReuseBits, past: ScoredSets, chosen: tuple[MarkedCard, ...], reading: Reading
) -> bool:
    """R-RUB: a meld is formed again once a card has left it, for a trick or a later meld.

    The same set never scores the same kind twice. Where the new set overlaps an earlier one of its
    kind, some card of the earlier one that is not in the new one has left it: played to a trick (then
    its bit is forgotten) or scored in a later meld. A king and a queen that have both married before
    need not do so: two marriages may be rearranged.
    """
    waiting = _sets_to_leave(bits, past, chosen)
    return waiting == 0 or (waiting > 0 and not waiting & ~sets_left(past.every, chosen, reading))


def reformed_after_play(
    bits: ReuseBits, past: ScoredSets, chosen: tuple[MarkedCard, ...], reading: Reading = ()
) -> bool:
    """R-PORT: as R-RUB, but a card leaves a meld only by being played to a trick."""
    return _sets_to_leave(bits, past, chosen) == 0


def _sets_to_leave(bits: ReuseBits, past: ScoredSets, chosen: tuple[MarkedCard, ...]) -> int:
    """The earlier sets of its kind that a set overlaps, and that a card must have left before it may score.

    -1 if the set can never score: it is not new, or goes down its class, or up with nothing new.
    """
    union, common, married = 0, ~0, bits.kind
    for _, mark in chosen:
        union |= mark
        common &= mark
        married &= mark
    if common & past.same or not _climbs(bits, union, chosen):
        return -1
    return 0 if married and bits.rearranges else union & past.same


def sets_left(sets: int, chosen: tuple[MarkedCard, ...], reading: Reading) -> int:
    """The sets that a card outside the chosen ones has left by scoring in a later set."""
    rest = list(reading)
    for pair in chosen:
        if pair[1]:
            rest.remove(pair)
    left = 0
    for _, mark in rest:
        # A card belongs to the newest set it scored in, which has the highest bit; it has left the others.
        own = mark & sets
        left |= own if mark & MOVED_BIT else own & ~(1 << own.bit_length() >> 1)
    return left


def augment_or_restore(
    bits: ReuseBits,
    meld: MeldRule,
    past: ScoredSets,
    chosen: tuple[MarkedCard, ...],
    reading: Reading,
) -> bool:
    """R-001: a class scores a card once, unless a bezique grows or a broken meld is restored.

    A bigger bezique contains every earlier one it touches, whole. A restored meld keeps all the cards
    that survive of the meld of its kind that lost one to a trick, and the new ones come fresh.
    """
    union = 0
    for _, mark in chosen:
        union |= mark
    if not union & past.family:
        return True
    if _grows(bits, past, meld, chosen):
        return True
    broken = broken_sets(reading) & union & past.same
    while broken:
        bit = broken & -broken
        if _restores(bit, past, chosen, reading):
            return True
        broken ^= bit
    return False


def broken_sets(reading: Reading) -> int:
    """The melds that have lost a card to a trick and may be restored: a reading keeps them last."""
    return reading[-1][1] if reading and reading[-1][0] == TRACE_NAME else 0


def _grows(
    bits: ReuseBits, past: ScoredSets, meld: MeldRule, chosen: tuple[MarkedCard, ...]
) -> bool:
    """Whether a bigger bezique contains those it touches, by the option (A-17) with a card new to the class."""
    return contains_whole(past, meld, chosen) and (
        bits.may_combine or not all(mark & past.family for _, mark in chosen)
    )


def contains_whole(past: ScoredSets, meld: MeldRule, chosen: tuple[MarkedCard, ...]) -> bool:
    """Whether every earlier meld of the class that a set touches is a lower one, and wholly contained in it."""
    union = 0
    for _, mark in chosen:
        union |= mark
    for bit, level, size in past.members:
        if union & bit and (
            level >= meld.level or len([mark for _, mark in chosen if mark & bit]) != size
        ):
            return False
    return True


def _restores(bit: int, past: ScoredSets, chosen: tuple[MarkedCard, ...], reading: Reading) -> bool:
    """Whether a set restores the broken meld of this bit: it has all its surviving cards, the others fresh."""
    kept = 0
    for _, mark in chosen:
        if mark & bit:
            kept += 1
        elif mark & past.family:
            return False
    # The trace of the broken meld has its bit, too.
    return kept == sum([1 for _, mark in reading if mark & bit]) - 1


def _bars_by_class(past: ScoredSets, meld: MeldRule, reading: Reading) -> BarringBits:
    """What R-001 bars: copies of the class, unless their meld is whole and may grow, or broken and may be restored."""
    lifted = broken_sets(reading) & past.same
    for bit, level, size in past.members:
        if level < meld.level and len([mark for _, mark in reading if mark & bit]) >= size:
            lifted |= bit
    return past.family, lifted


def bars_of(allows: ReusePredicate) -> BarringRule | None:
    """What a rule of reuse bars alone by the marks of a copy: fewer choices are left to ask it about."""
    if isinstance(allows, partial) and allows.func is augment_or_restore:
        _, meld, past = allows.args
        return partial(_bars_by_class, past, meld)
    return None


def of_the_trick_just_won(
    allows: ReusePredicate, chosen: tuple[MarkedCard, ...], reading: Reading
) -> bool:
    """C12: a captured meld has a card of the trick just won, and none that served since (Polish)."""
    union = 0
    for _, mark in chosen:
        union |= mark
    return bool(union & NEW_BIT) and not union & USED_BIT and allows(chosen, reading)


def once_ever(allows: ReusePredicate, chosen: tuple[MarkedCard, ...], reading: Reading) -> bool:
    """A-26, the option: a card serves in one meld of the deal only."""
    return not any([mark >> FIRST_MELD_BIT for _, mark in chosen]) and allows(chosen, reading)


def leaves_the_hand(chosen: tuple[MarkedCard, ...], reading: Reading) -> bool:
    """Zetema: whatever is combined leaves the hand, so nothing can come twice."""
    return True


def reuse_rule_of(meld: MeldRule, rules: CompiledSheet, scored: ScoredMelds) -> ReusePredicate:
    """The sheet's reuse rule, waiting to one meld and to what the seat has scored."""
    allows = _rule_of(meld, rules, scored)
    if rules.sheet.reuse.once_ever:
        allows = partial(once_ever, allows)
    return partial(of_the_trick_just_won, allows) if rules.melds_captured else allows


def _rule_of(meld: MeldRule, rules: CompiledSheet, scored: ScoredMelds) -> ReusePredicate:
    rule = _rule_for(meld, rules)
    return partial(rule, scored_sets_of(meld, rules, scored)) if rules.counts_sets else rule


# Remembered: it takes longer to name a rule than to ask it.
@lru_cache(maxsize=4096)
def _rule_for(meld: MeldRule, rules: CompiledSheet) -> Callable[..., bool]:
    """The rule for a meld; where sets count (`rules.counts_sets`), what the seat has scored is still to be given."""
    reuse, bits = rules.sheet.reuse, reuse_bits_of(meld, rules)
    match reuse.rule:
        case ReuseRule.ONCE_PER_SET:
            return once_per_set
        case ReuseRule.ONCE_PER_KIND if bits.may_go_down and bits.may_combine:
            return partial(once_per_kind, bits)
        case ReuseRule.ONCE_PER_KIND | ReuseRule.UPWARD_IN_CLASS:
            return partial(upward_in_class, bits)
        case ReuseRule.REFORMED_AFTER_LEAVING if reuse.leaves_by is LeavesBy.PLAYED:
            return partial(reformed_after_play, bits)
        case ReuseRule.REFORMED_AFTER_LEAVING:
            return partial(reformed_after_leaving, bits)
        case ReuseRule.AUGMENT_OR_RESTORE:
            return partial(augment_or_restore, bits, meld)
        case ReuseRule.LEAVES_THE_HAND:
            return leaves_the_hand
        case _:
            assert_never(reuse.rule)


def mark_bits_of(meld: MeldRule, rules: CompiledSheet, scored: ScoredMelds) -> int:
    """The bits that mark the cards of a meld now scored: its kind's if that can still matter, its own where sets count."""
    bit = rules.lasting_bit[meld.kind]
    return bit | 1 << (rules.first_set_bit + len(scored)) if rules.counts_sets else bit


def superseded_bits(meld: MeldRule, rules: CompiledSheet, scored: ScoredMelds) -> int:
    """The bits of earlier melds that a new one replaces, where melds grow and are restored (R-001)."""
    if not rules.traced_bits:
        return 0
    family, superseded, bit = meld.family, 0, 1 << rules.first_set_bit
    for kind, _ in scored:
        if rules.family[kind][0] == family:
            superseded |= bit
        bit <<= 1
    return superseded
