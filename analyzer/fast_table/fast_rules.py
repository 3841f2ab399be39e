"""A rule sheet made ready for fast play: its cards and melds as masks, under each trump suit."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from analyzer.fast_table.card_bits import CardBits
from records.cards import FACE_OF, SUITS
from records.rules.compiled import CompiledSheet, compile_sheet, meld_requirements
from records.rules.patterns import parse_pattern
from records.rules.tricks import CardGroups
from records.rules.vocabulary import MeldRule, RuleSheet


@dataclass(slots=True, eq=False)
class FastMeld:
    """A meld of certain cards: so many out of each mask of `needs`, `size` in all.

    `kind` is the number of its kind; `higher` and `lower` are those of its family above and below it, as far as having
    scored in them matters. `makes_trump` is the suit that it makes trumps. `place` is its place among the melds of the
    same trump suit, and its bit in sets of melds.
    """

    rule: MeldRule
    needs: tuple[tuple[int, int], ...]
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
        self.duties = {phase: self._owed(phase.duties[trump]) for phase in rules.compiled.phases}
        self.melds = _melds(rules, self.cards, trump)
        self.all_melds = (1 << len(self.melds)) - 1
        of_face = {
            face: [self._melds_with(cards, held) for held in range(rules.sheet.pack.copies + 1)]
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
    """A sheet for fast play; `under` has what holds under each trump suit, and under none yet."""

    __slots__ = ("compiled", "kinds", "lasting", "sheet", "under")

    def __init__(self, sheet: RuleSheet) -> None:
        if sheet.tableau is not None or sheet.pack.doubled_suits:
            raise ValueError(f"{sheet.id} has no tricks.")
        self.sheet = sheet
        self.compiled: CompiledSheet = compile_sheet(sheet)
        self.kinds = {kind: number for number, kind in enumerate(self.compiled.kind_bit)}
        self.lasting = [self.compiled.lasting_bit[kind] != 0 for kind in self.kinds]
        self.under = {trump: TrumpRules(self, trump) for trump in (None, *SUITS)}

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
        pattern = parse_pattern(rule.cards)
        needs = tuple((cards.faces[face], number) for face, number in faces)
        if len(pattern.cards) == 1 and pattern.cards[0][-1] == "x":
            if rule in of_rank:
                continue
            of_rank.add(rule)
            needs = ((cards.ranks[pattern.cards[0][0]], pattern.times),)
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
    compiled, reuse = rules.compiled, rules.sheet.reuse
    in_sequence = rule.family == "sequence"
    return FastMeld(
        rule=rule,
        needs=needs,
        size=sum(number for _, number in needs),
        kind=rules.kinds[rule.kind],
        higher=rules.numbers_of(compiled.higher_bits[rule.kind]),
        lower=rules.numbers_of(compiled.lower_bits[rule.kind]),
        goes_down=reuse.sequence_then_marriage if in_sequence else reuse.double_then_single,
        combines=reuse.singles_then_double,
        makes_trump=makes_trump,
        place=place,
    )
