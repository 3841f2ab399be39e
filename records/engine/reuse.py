"""Rules of reuse: whether a meld may score again with cards that have scored, and which rule forbids it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple, assert_never

from records.engine.copies import (
    MOVED_BIT,
    NEW_BIT,
    TRACE_NAME,
    USED_BIT,
    BarringBits,
    BarringRule,
    MarkedCard,
    Reading,
    Readings,
    ReusePredicate,
    choices_by_reading,
)
from records.engine.copy_history import are_all_readings
from records.rules.compiled import FIRST_MELD_BIT, CompiledSheet
from records.rules.vocabulary import LeavesBy, MeldRule, ReuseRule

# One named function for each rule (section "reuse" of the rulings).
#
# Each is asked about one set of cards in one reading: `chosen` pairs every card with what it has already
# scored. `ReuseBits` are the bits that a meld and its relatives leave on a card. The rules are written out
# separately and not composed of flags, so that each can be read beside its rulebook. `prohibitions_of` below repeats them
# clause by clause, to say why a meld was refused.

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
    reuse = rules.written.reuse
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
    if rules.written.reuse.once_ever:
        allows = partial(once_ever, allows)
    return partial(of_the_trick_just_won, allows) if rules.melds_captured else allows


def _rule_of(meld: MeldRule, rules: CompiledSheet, scored: ScoredMelds) -> ReusePredicate:
    rule = _rule_for(meld, rules)
    return partial(rule, scored_sets_of(meld, rules, scored)) if rules.counts_sets else rule


# Remembered: it takes longer to name a rule than to ask it.
@lru_cache(maxsize=4096)
def _rule_for(meld: MeldRule, rules: CompiledSheet) -> Callable[..., bool]:
    """The rule for a meld; where sets count (`rules.counts_sets`), what the seat has scored is still to be given."""
    reuse, bits = rules.written.reuse, reuse_bits_of(meld, rules)
    match reuse.rule:
        case ReuseRule.ONCE_PER_SET:
            return once_per_set
        case ReuseRule.ONCE_PER_KIND if bits.may_go_down and bits.may_combine:
            return partial(once_per_kind, bits)
        case ReuseRule.ONCE_PER_KIND | ReuseRule.UPWARD_IN_CLASS:
            return partial(upward_in_class, bits)
        case ReuseRule.REFORMED_AFTER_LEAVING if reuse.card_leaves_by is LeavesBy.PLAYED:
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


# Why a rule of reuse forbids a meld: its clauses, asked one by one, for the sentence of a finding.
#
# The same laws as the rules above, which answer yes or no and quickly. Here every clause answers for itself, with
# the cards and the earlier melds that forbid the meld by it. The two must agree: a choice of copies is allowed exactly
# if no clause forbids it (`tests/records/engine/test_prohibitions.py`). Nothing here is asked before a meld has been
# refused.

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
    by_play = allows.func is reformed_after_play
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
    left = sets_left(past.every, chosen, reading)
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
    if augment_or_restore(bits, meld, past, chosen, reading):
        return
    touched = _cards_with(past.family, chosen)
    lower = {bit for bit, level, _ in past.members if level < meld.level} & touched.keys()
    broken = broken_sets(reading) & past.same
    may_be_restored = {bit: cards for bit, cards in touched.items() if bit & broken}
    if may_be_restored:
        yield "not-restored", may_be_restored
    elif lower != touched.keys():
        yield "class", {bit: cards for bit, cards in touched.items() if bit not in lower}
    elif contains_whole(past, meld, chosen):
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
    once_per_set: _once_per_set,
    once_per_kind: _once_per_kind,
    upward_in_class: _upward_in_class,
    reformed_after_leaving: _reformed_after_leaving,
    reformed_after_play: _reformed_after_play,
    augment_or_restore: _augment_or_restore,
    of_the_trick_just_won: _of_the_trick_just_won,
    once_ever: _once_ever,
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
