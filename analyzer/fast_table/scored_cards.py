"""What a seat's cards have scored, and which cards may score again: the rules of reuse on masks.

Each function mirrors the one of its name in `records.engine.copies.reuse`, which says where the law stands.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import assert_never

from analyzer.fast_table.card_bits import each_bit
from analyzer.fast_table.fast_rules import FastMeld, FastRules
from records.rules.vocabulary import LeavesBy, ReuseRule


class ScoredSet:
    """The cards of a meld that scored, as far as they are still bound by it.

    Those that have `moved` on have scored in a later meld; the meld is `broken` once one of its cards has been played.
    """

    __slots__ = ("broken", "cards", "family", "kind", "level", "meld", "moved", "size")

    def __init__(self, meld: FastMeld, cards: int) -> None:
        # The rules of reuse ask for these again and again, so they are not looked up in the meld each time.
        self.meld, self.cards, self.moved, self.broken = meld, cards, 0, False
        self.kind, self.size = meld.kind, meld.size
        self.family, self.level = meld.rule.family, meld.rule.level

    def copy(self) -> "ScoredSet":
        """The same set, to go on from apart."""
        twin = ScoredSet(self.meld, self.cards)
        twin.moved, twin.broken, twin.size = self.moved, self.broken, self.size
        return twin


class ScoredCards:
    """What the cards of one seat have scored.

    `kinds` has by number of kind the cards that scored in it, where that matters later; `ever` those that scored in
    anything. `sets` are the melds themselves, where they matter. `new` and `used` are cards of the trick just won, where melds are made of
    captured cards: those that have not served in a meld, and those that have.
    """

    __slots__ = ("ever", "kinds", "new", "sets", "used")

    def __init__(self, kinds: int) -> None:
        self.kinds = [0] * kinds
        self.ever = self.new = self.used = 0
        self.sets: list[ScoredSet] = []

    def copy(self) -> "ScoredCards":
        """The same, to go on from apart."""
        twin = ScoredCards(0)
        twin.kinds = self.kinds[:]
        twin.ever, twin.new, twin.used = self.ever, self.new, self.used
        twin.sets = [each.copy() for each in self.sets]
        return twin


ReuseLaw = Callable[[FastMeld, int, ScoredCards], bool]
"""Whether these cards may score this meld."""


def reuse_law(rules: FastRules) -> ReuseLaw:
    """The rule of reuse of a sheet."""
    reuse = rules.sheet.reuse
    law: ReuseLaw
    match reuse.rule:
        case ReuseRule.ONCE_PER_SET:
            law = once_per_set
        case ReuseRule.ONCE_PER_KIND | ReuseRule.UPWARD_IN_CLASS:
            law = upward_in_class
        case ReuseRule.REFORMED_AFTER_LEAVING if reuse.leaves_by is LeavesBy.PLAYED:
            law = reformed_after_play
        case ReuseRule.REFORMED_AFTER_LEAVING:
            law = reformed_after_leaving
        case ReuseRule.AUGMENT_OR_RESTORE:
            law = augment_or_restore
        case ReuseRule.LEAVES_THE_HAND:
            raise ValueError(f"{rules.sheet.id} has no tricks.")
        case _:
            assert_never(reuse.rule)
    if reuse.once_ever:
        law = _once_ever(law)
    return _of_the_trick_just_won(law) if rules.compiled.melds_captured else law


def once_per_set(meld: FastMeld, cards: int, scored: ScoredCards) -> bool:
    """R-SET."""
    return not any(each.kind == meld.kind and not cards & ~each.cards for each in scored.sets)


def upward_in_class(meld: FastMeld, cards: int, scored: ScoredCards) -> bool:
    """R-KIND and R-CLASS: with both options of a sheet, a class does not bind."""
    return not cards & scored.kinds[meld.kind] and _climbs(meld, cards, scored)


def _climbs(meld: FastMeld, cards: int, scored: ScoredCards) -> bool:
    if not meld.goes_down:
        for kind in meld.higher:
            if cards & scored.kinds[kind]:
                return False
    if meld.combines:
        return True
    below = 0
    for kind in meld.lower:
        below |= scored.kinds[kind]
    return bool(cards & ~below)


def reformed_after_leaving(meld: FastMeld, cards: int, scored: ScoredCards) -> bool:
    """R-RUB."""
    waiting = _sets_to_leave(meld, cards, scored)
    if not waiting:
        return waiting is not None
    return all(each.moved & ~cards for each in waiting)


def reformed_after_play(meld: FastMeld, cards: int, scored: ScoredCards) -> bool:
    """R-PORT."""
    return _sets_to_leave(meld, cards, scored) == []


def _sets_to_leave(meld: FastMeld, cards: int, scored: ScoredCards) -> list[ScoredSet] | None:
    """The sets of its kind that a card must have left first; None if the cards can never score."""
    overlapping = [each for each in scored.sets if each.kind == meld.kind and each.cards & cards]
    if any(not cards & ~each.cards for each in overlapping) or not _climbs(meld, cards, scored):
        return None
    if meld.rule.kind == "marriage" and not cards & ~scored.kinds[meld.kind]:
        return []
    return overlapping


def augment_or_restore(meld: FastMeld, cards: int, scored: ScoredCards) -> bool:
    """R-001."""
    family = meld.rule.family
    touched = [each for each in scored.sets if each.family == family and each.cards & cards]
    if not touched:
        return True
    bound = 0
    for each in scored.sets:
        bound |= each.cards if each.family == family else 0
    if (meld.combines or cards & ~bound) and all(
        each.level < meld.rule.level and (each.cards & cards).bit_count() == each.size
        for each in touched
    ):
        return True
    return any(
        each.broken and each.kind == meld.kind and not each.cards & ~cards
        and not cards & ~each.cards & bound
        for each in touched
    )  # fmt: skip


def _of_the_trick_just_won(law: ReuseLaw) -> ReuseLaw:
    """C12."""
    return lambda meld, cards, scored: (
        bool(cards & scored.new) and not cards & scored.used and law(meld, cards, scored)
    )


def _once_ever(law: ReuseLaw) -> ReuseLaw:
    """A-26, the option."""
    return lambda meld, cards, scored: not cards & scored.ever and law(meld, cards, scored)


def score_cards(
    rules: FastRules, freed: Sequence[int], scored: ScoredCards, meld: FastMeld, cards: int
) -> int:
    """Note that these cards have scored a meld; returns the melds that may be formed again by that, as bits.

    `freed` are the `melds_freed` of the trump suit.
    """
    if rules.lasting[meld.kind]:
        scored.kinds[meld.kind] |= cards
    scored.ever |= cards
    scored.used |= cards & scored.new
    scored.new &= ~cards
    if not rules.compiled.counts_sets:
        return 0
    again = freed[meld.kind]
    if rules.compiled.traced_bits:
        # A meld that grows or is restored takes its cards out of the earlier ones of its class.
        for each in scored.sets:
            if each.family == meld.rule.family:
                each.cards &= ~cards
        scored.sets = [each for each in scored.sets if each.cards]
    for each in scored.sets:
        if moved := each.cards & cards:
            each.moved |= moved
            again |= freed[each.kind]
    scored.sets.append(ScoredSet(meld, cards))
    return again


def forget_card(rules: FastRules, freed: Sequence[int], scored: ScoredCards, card: int) -> int:
    """Note that a card that has scored was played; returns the melds that may be formed again by that, as bits."""
    scored.ever &= ~card
    if not rules.compiled.counts_sets:
        return 0
    again, kept = 0, []
    for each in scored.sets:
        if not each.cards & card:
            kept.append(each)
            continue
        again |= freed[each.kind]
        if not rules.compiled.forgotten_bits:
            each.cards &= ~card
            each.broken = True
            if each.cards:
                kept.append(each)
    scored.sets = kept
    return again


BoundCards = Callable[[FastMeld, ScoredCards], int]
"""The cards that are in no lawful set of a meld: with any of them it is against the rule of reuse.

It saves the roll-outs most of the sets that the rule would refuse one by one.
"""


def bound_cards(rules: FastRules) -> BoundCards:
    """What the rule of reuse of a sheet binds."""
    reuse = rules.sheet.reuse
    match reuse.rule:
        case ReuseRule.ONCE_PER_SET:
            return lambda meld, scored: 0
        case ReuseRule.AUGMENT_OR_RESTORE:
            return _bound_in_family
        case ReuseRule.REFORMED_AFTER_LEAVING if reuse.leaves_by is LeavesBy.PLAYED:
            return _bound_until_played
        case ReuseRule.REFORMED_AFTER_LEAVING:
            return _bound_until_moved
        case _:
            return lambda meld, scored: scored.kinds[meld.kind]


def _bound_until_played(meld: FastMeld, scored: ScoredCards) -> int:
    bound = 0
    for each in scored.sets:
        if each.kind == meld.kind:
            bound |= each.cards
    return bound & ~_married(meld, scored)


def _bound_until_moved(meld: FastMeld, scored: ScoredCards) -> int:
    bound = 0
    for each in scored.sets:
        if each.kind == meld.kind and not each.moved:
            bound |= each.cards
    return bound & ~_married(meld, scored)


def _married(meld: FastMeld, scored: ScoredCards) -> int:
    return scored.kinds[meld.kind] if meld.rule.kind == "marriage" else 0


def _bound_in_family(meld: FastMeld, scored: ScoredCards) -> int:
    bound, family, level = 0, meld.rule.family, meld.rule.level
    for each in scored.sets:
        if each.family == family:
            if each.level < level or (each.broken and each.kind == meld.kind):
                return 0
            bound |= each.cards
    return bound


def first_set_of(meld: FastMeld, cards: int, first: int) -> int:
    """The set of these cards that `sets_of` has first; 0 if there is none."""
    found = 0
    for mask, number in meld.needs:
        own = cards & mask
        for _ in range(number):
            if not own:
                return 0
            preferred = own & first or own
            card = preferred & -preferred
            found |= card
            own ^= card
    return found


def sets_of(meld: FastMeld, cards: int, first: int) -> Iterator[int]:
    """Every set of these cards that forms a meld, whatever it has scored; such as are of `first` come first."""
    return _products(meld.needs, 0, cards, first)


def _products(
    needs: tuple[tuple[int, int], ...], start: int, cards: int, first: int
) -> Iterator[int]:
    mask, number = needs[start]
    own = cards & mask
    ordered = [*each_bit(own & first), *each_bit(own & ~first)]
    for some in combinations(ordered, number):
        if start + 1 == len(needs):
            yield sum(some)
        else:
            for others in _products(needs, start + 1, cards, first):
                yield sum(some) | others
