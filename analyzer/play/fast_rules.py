"""Deals played on in thought, fast: a second writing of the rules of the games with tricks, for roll-outs.

The engine of `records.engine` reads records: it copes with cards that nobody can tell apart, with what is hidden and with
what breaks a rule. A roll-out has none of that: every card is known, every choice is lawful. Here a card is one bit of a
number, so a hand is a number, too, and a law is a mask. That is ten times as fast, and the only reason for it.

It stays pure Python. A compiler such as Numba would be faster still, but it knows neither these numbers, of up to 192
bits, nor these objects: the rules would have to be written a third time, for arrays, and be proven equal once more, for
an extra of 280 MB. What roll-outs are for does not need it: an expert's deal of two packs takes about a second.

It must agree with the engine. `tests/analyzer/play/test_fast_table.py` proves it by whole games, event by event, by
the melds allowed at every table, and by perft with points.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice
from typing import assert_never

from records.cards import FACE_OF, SUITS
from records.rules.compiled import CompiledSheet, any_of_rank, compile_sheet, meld_requirements
from records.rules.tricks import CardGroups
from records.rules.vocabulary import LeavesBy, MeldRule, ReuseRule, RuleSheet, Window
from records.selfplay import rank_for_throwing

# The cards of a pack as bits of a number, in the order in which simple players part with them.


class CardBits:
    """The physical cards of a sheet's pack under one trump suit (or none yet), each a bit.

    The lowest bit of a hand is the card that is worth least. Lists have a value for the place of every bit: `names` the
    labelled card, `alike` the mask of all copies of it, `beats` the replies that take it. `is_brisque` is 1 for a brisque.
    The other fields are masks of cards, `bits` has the bit of every name.
    """

    __slots__ = (
        "alike", "beats", "bits", "courts", "faces", "is_brisque", "names", "ranks", "sevens",
    )  # fmt: skip

    def __init__(self, sheet: RuleSheet, trump: str | None) -> None:
        rules = compile_sheet(sheet)
        copies, ranks = sheet.rules.pack.packs, sheet.rules.pack.ranks
        faces = sorted(
            rules.copies, key=lambda face: rank_for_throwing(rules.strength, trump, face)
        )
        order = [face for face in faces for _ in range(copies)]
        block = (1 << copies) - 1
        self.faces = {face: block << number * copies for number, face in enumerate(faces)}
        self.ranks = {rank: sum(self.faces[rank + suit] for suit in SUITS) for rank in ranks}
        self.names = [
            f"{face}.{place % copies + 1}" if copies > 1 else face
            for place, face in enumerate(order)
        ]
        self.bits = {name: 1 << place for place, name in enumerate(self.names)}
        self.alike = [self.faces[face] for face in order]
        beaters = rules.beaters(trump)
        beats = {face: self.mask(beaters[face]) for face in faces}
        self.beats = [beats[face] for face in order]
        self.is_brisque = [rules.is_brisque[face] for face in order]
        self.sevens = self.faces.get(f"7{trump}", 0) if trump else 0
        blanche = sheet.rules.carte_blanche
        self.courts = sum(self.ranks[rank] for rank in (blanche.courts if blanche else ()))

    def mask(self, cards: Collection[str]) -> int:
        """The cards of the pack that are among these."""
        return sum(mask for face, mask in self.faces.items() if face in cards)

    def names_of(self, cards: int) -> list[str]:
        """The labelled names of cards."""
        return [self.names[card.bit_length() - 1] for card in each_bit(cards)]


def each_bit(cards: int) -> Iterator[int]:
    """The bits of a number, from the lowest."""
    while cards:
        low = cards & -cards
        yield low
        cards ^= low


# A rule sheet made ready for fast play: its cards and melds as masks, under each trump suit.


@dataclass(slots=True, eq=False)
class FastMeld:
    """A meld of certain cards: so many out of each mask of `needs`, `size` in all; `full` are all the cards that serve.

    `kind` is the number of its kind; `higher` and `lower` are those of its family above and below it, as far as having
    scored in them matters. `makes_trump` is the suit that it makes trumps. `place` is its place among the melds of the
    same trump suit, and its bit in sets of melds.
    """

    rule: MeldRule
    needs: tuple[tuple[int, int], ...]
    full: int
    size: int
    kind: int
    higher: tuple[int, ...]
    lower: tuple[int, ...]
    goes_down: bool
    combines: bool
    makes_trump: str | None
    place: int

    @property
    def points(self) -> int:
        """What it scores."""
        return self.rule.points


class TrumpRules:
    """What holds under one trump suit, or none: the cards as bits, and the melds, those that score most first.

    Sets of melds are bits. `melds_with` has for the place of every card the melds that become possible when a hand gets it
    and then holds one, two ... of its face: the place in the list is their number. `melds_freed` has by number of kind the
    melds that may be formed again when a meld of it lets cards go; `all_melds` is the set of all. `duties` has by phase,
    for the place of every card led, the groups of cards that are owed to it.
    """

    __slots__ = ("all_melds", "cards", "duties", "melds", "melds_freed", "melds_with", "trump")

    def __init__(self, rules: "FastRules", trump: str | None) -> None:
        self.trump = trump
        self.cards = CardBits(rules.sheet, trump)
        self.duties = {
            phase.name: self._owed(phase.duties[trump]) for phase in rules.compiled.phases
        }
        self.melds = _melds(rules, self.cards, trump)
        self.all_melds = (1 << len(self.melds)) - 1
        of_face = {
            face: [self._melds_with(cards, held) for held in range(rules.written.pack.packs + 1)]
            for face, cards in self.cards.faces.items()
        }
        self.melds_with = [of_face[FACE_OF[name]] for name in self.cards.names]
        # Where melds that grow take cards out of those of their family, these may be formed again by that.
        by_family = bool(rules.compiled.traced_bits)
        families = rules.compiled.family
        self.melds_freed = [
            _bits_of(
                meld
                for meld in self.melds
                if meld.rule.kind == kind or (by_family and meld.rule.family == families[kind][0])
            )
            for kind in rules.kinds
        ]

    def melds_of(self, cards: int) -> int:
        """The melds to which any of these cards belongs."""
        found = 0
        for card in each_bit(cards):
            found |= self.melds_with[card.bit_length() - 1][-1]
        return found

    def _owed(self, duties: Mapping[str, CardGroups]) -> list[tuple[int, ...]]:
        mask = self.cards.mask
        owed = {face: tuple([mask(group) for group in duties[face]]) for face in self.cards.faces}
        return [owed[FACE_OF[name]] for name in self.cards.names]

    def _melds_with(self, face: int, held: int) -> int:
        """The melds that need a face, and no more of its cards than are held; of a rank any number may be of one suit."""
        return _bits_of(
            meld
            for meld in self.melds
            if any(mask & face and (mask != face or number <= held) for mask, number in meld.needs)
        )


class FastRules:
    """A sheet for fast play; `under` has what holds under each trump suit, and under none yet.

    `has_dixes` says whether sevens of trumps may be exchanged or shown.
    """

    __slots__ = ("compiled", "has_dixes", "kinds", "lasting", "sheet", "under", "written")

    def __init__(self, sheet: RuleSheet) -> None:
        if sheet.rules.tableau is not None or sheet.rules.pack.doubled_suits:
            raise ValueError(f"{sheet.id} has no tricks.")
        self.sheet, self.written = sheet, sheet.rules
        self.compiled: CompiledSheet = compile_sheet(sheet)
        self.kinds = {kind: number for number, kind in enumerate(self.compiled.kind_bit)}
        self.lasting = [self.compiled.lasting_bit[kind] != 0 for kind in self.kinds]
        self.under = {trump: TrumpRules(self, trump) for trump in (None, *SUITS)}
        dix = sheet.rules.dix
        self.has_dixes = dix is not None and {dix.exchange, dix.show} != {Window.NEVER}

    def numbers_of(self, kind_bits: int) -> tuple[int, ...]:
        """The numbers of these kinds, of which the engine has bits, as far as having scored in them matters."""
        bits = self.compiled.kind_bit
        return tuple(
            number
            for kind, number in self.kinds.items()
            if bits[kind] & kind_bits and self.lasting[number]
        )


@lru_cache(maxsize=64)
def fast_rules(sheet: RuleSheet) -> FastRules:
    """A resolved sheet for fast play, made once; raises ValueError for a game without tricks."""
    return FastRules(sheet)


def _bits_of(melds: Iterable[FastMeld]) -> int:
    return sum(1 << meld.place for meld in melds)


def _melds(rules: FastRules, cards: CardBits, trump: str | None) -> list[FastMeld]:
    """The melds under a trump suit; those that take any cards of one rank are one meld, not one for each set."""
    melds: list[FastMeld] = []
    of_rank: set[MeldRule] = set()
    for faces, rule in meld_requirements(rules.sheet, trump):
        needs = tuple((cards.faces[face], number) for face, number in faces)
        if rank := any_of_rank(rule.cards):
            if rule in of_rank:
                continue
            of_rank.add(rule)
            needs = ((cards.ranks[rank], rule.cards.size),)
        makes_trump = trump is None and rule.kind in rules.compiled.makes_trumps
        melds.append(_meld(rules, rule, needs, faces[0][0][1] if makes_trump else None, len(melds)))
    return melds


def _meld(
    rules: FastRules,
    rule: MeldRule,
    needs: tuple[tuple[int, int], ...],
    makes_trump: str | None,
    place: int,
) -> FastMeld:
    compiled, reuse = rules.compiled, rules.written.reuse
    in_sequence = rule.family == "sequence"
    full = 0
    for mask, _ in needs:
        full |= mask
    return FastMeld(
        rule=rule,
        needs=needs,
        full=full,
        size=sum(number for _, number in needs),
        kind=rules.kinds[rule.kind],
        higher=rules.numbers_of(compiled.higher_bits[rule.kind]),
        lower=rules.numbers_of(compiled.lower_bits[rule.kind]),
        goes_down=reuse.sequence_then_marriage if in_sequence else reuse.double_then_single,
        combines=reuse.singles_then_double,
        makes_trump=makes_trump,
        place=place,
    )


# What a seat's cards have scored, and which cards may score again: the rules of reuse on masks.
#
# Each function mirrors the one of its name in `records.engine.reuse`, which says where the law stands.


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

    def put(self, change: Callable[[int], int]) -> None:
        """Put for every set of cards what a change makes of it."""
        self.kinds = [*map(change, self.kinds)]
        self.ever, self.new, self.used = map(change, (self.ever, self.new, self.used))
        for each in self.sets:
            each.cards, each.moved = change(each.cards), change(each.moved)


ReuseLaw = Callable[[FastMeld, int, ScoredCards], bool]
"""Whether these cards may score this meld."""


def reuse_law(rules: FastRules) -> ReuseLaw:
    """The rule of reuse of a sheet."""
    reuse = rules.written.reuse
    law: ReuseLaw
    match reuse.rule:
        case ReuseRule.ONCE_PER_SET:
            law = once_per_set
        case ReuseRule.ONCE_PER_KIND | ReuseRule.UPWARD_IN_CLASS:
            law = upward_in_class
        case ReuseRule.REFORMED_AFTER_LEAVING if reuse.card_leaves_by is LeavesBy.PLAYED:
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


ALL_CARDS = -1
"""A mask of all cards, whatever the pack."""

BoundCards = Callable[[FastMeld, ScoredCards], int]
"""The cards that are in no lawful set of a meld: with any of them it is against the rule of reuse.

It saves the roll-outs most of the sets that the rule would refuse one by one.
"""


def bound_cards(rules: FastRules) -> BoundCards:
    """What the rule of reuse of a sheet binds."""
    reuse = rules.written.reuse
    match reuse.rule:
        case ReuseRule.ONCE_PER_SET:
            return lambda meld, scored: 0
        case ReuseRule.AUGMENT_OR_RESTORE:
            return _bound_in_family
        case ReuseRule.REFORMED_AFTER_LEAVING if reuse.card_leaves_by is LeavesBy.PLAYED:
            return _bound_until_played
        case ReuseRule.REFORMED_AFTER_LEAVING:
            return _bound_until_moved
        case _:
            return lambda meld, scored: scored.kinds[meld.kind] | _above(meld, scored)


def _above(meld: FastMeld, scored: ScoredCards) -> int:
    """The cards that have scored in higher melds of the family, where they cannot go down."""
    above = 0
    if not meld.goes_down:
        for kind in meld.higher:
            above |= scored.kinds[kind]
    return above


def _bound_until_played(meld: FastMeld, scored: ScoredCards) -> int:
    bound = 0
    for each in scored.sets:
        if each.kind == meld.kind:
            bound |= each.cards
    return bound & ~_married(meld, scored) | _above(meld, scored)


def _bound_until_moved(meld: FastMeld, scored: ScoredCards) -> int:
    bound = 0
    for each in scored.sets:
        if each.kind == meld.kind and not each.moved:
            bound |= each.cards
    return bound & ~_married(meld, scored) | _above(meld, scored)


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


def lawful_set(law: ReuseLaw, meld: FastMeld, cards: int, scored: ScoredCards, first: int) -> int:
    """The first set of these cards, as `sets_of` has them, that may score a meld; 0 if there is none."""
    found = _first_set(meld, cards, first)
    # Mostly the first set will do; to list them all takes longer.
    if found and not law(meld, found, scored):
        sets = islice(sets_of(meld, cards, first), 1, None)
        return next((some for some in sets if law(meld, some, scored)), 0)
    return found


def _first_set(meld: FastMeld, cards: int, first: int) -> int:
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
