"""A rule sheet made ready to play by: ranks as numbers, melds by the cards that form them."""

from dataclasses import replace
from functools import lru_cache
from typing import assert_never

from records.cards import ALL_CARDS, FACE_OF, MAX_COPIES, SUITS, is_unknown, sorted_faces
from records.rules.patterns import card_sets_for, fits_shape, parse_pattern
from records.rules.tricks import CardSets, beaters_of, duties_of, rank_cards
from records.rules.vocabulary import (
    FirstMeld,
    Follow,
    MeldRule,
    MeldsFrom,
    Phase,
    PhaseStep,
    ReuseRule,
    RuleSheet,
    TrumpsBy,
)

FIRST_MELD_BIT = 6
"""The bits of a mark below this one say where a copy lies (see `records.engine.copies.marks`)."""


_COUNTING_SETS = (
    ReuseRule.ONCE_PER_SET,
    ReuseRule.REFORMED_AFTER_LEAVING,
    ReuseRule.AUGMENT_OR_RESTORE,
)


class CompiledPhase:
    """A phase, with the answers that the engine needs at every trick.

    `duties` says under each trump suit what a reply owes to each card led, `must_follow` whether it owes anything. `melds`
    is how many melds a won trick allows.
    """

    __slots__ = ("combines", "declares", "draws", "duties", "melds", "must_follow", "name")

    def __init__(self, phase: Phase, ranks: str) -> None:
        self.name = phase.name
        self.duties = duties_of(ranks, phase.follow)
        self.must_follow = phase.follow is not Follow.ANY
        self.melds = phase.melds
        self.combines = PhaseStep.COMBINE in phase.steps
        self.declares = PhaseStep.DECLARE in phase.steps
        self.draws = PhaseStep.DRAW in phase.steps


@lru_cache(maxsize=32)
def _brisques_as_numbers(ranks: str) -> dict[str, int]:
    """1 for a brisque, 0 for any other card: numbers, so that those of a trick are added up without a condition."""
    return {card: int(not is_unknown(card) and card[0] in ranks) for card in ALL_CARDS}


class CompiledSheet:
    """A sheet's lookups, computed once for each sheet and set of options.

    Cards: `pack_size` is their number, `copies` counts each face, `labelled_copies` each card where like ones have labels.
    `strength` orders cards within a suit; a card that is not in the pack is below all others. `is_brisque` is 1 for a brisque, 0 for any other
    card; `sevens` are the sevens of each suit.

    Games: `has_tableau` is Zetema, without tricks; `full_hands` says up to how many cards a turn draws there, by the
    number of players, and a pile of `full_pile` cards is complete. `melds_captured` is Polish Bezique, where melds are
    made of captured cards. While there are no trumps, a meld of a kind in `makes_trumps` makes its suit trumps when it
    scores, one in `laid_makes_trumps` when it is only shown, too.

    Marks on copies (see `records.engine.copies`): every kind of meld has a bit, `kind_bit`; `lasting_bit` is 0
    where having scored in a kind cannot matter later. `counts_sets` says that every meld scored has a bit of
    its own, from `first_set_bit` up. A card played takes the `forgotten_bits` along, so that its melds bind
    nothing any more, and leaves the `traced_bits`, so that its melds may be restored. `keeps_history` says
    that the readings of a seat may be too many to list: melds are formed again, and no dix tells sevens apart.
    """

    __slots__ = (
        "brisques",
        "copies",
        "counts_sets",
        "family",
        "first_set_bit",
        "forgotten_bits",
        "full_hands",
        "full_pile",
        "has_tableau",
        "higher_bits",
        "is_brisque",
        "keeps_history",
        "kind_bit",
        "labelled_copies",
        "laid_makes_trumps",
        "lasting_bit",
        "lower_bits",
        "makes_trumps",
        "meld_bits",
        "meld_names",
        "melds_captured",
        "pack_size",
        "phases",
        "sevens",
        "sheet",
        "strength",
        "traced_bits",
    )  # fmt: skip

    def __init__(self, sheet: RuleSheet) -> None:
        ranks = sheet.pack.ranks
        ranked = rank_cards(ranks)
        self.sheet = sheet
        self.strength, self.sevens = ranked.strength, ranked.sevens
        self.copies = {
            FACE_OF[rank + suit]: sheet.pack.copies + (suit in sheet.pack.doubled_suits)
            for suit in SUITS
            for rank in ranks
        }
        self.pack_size = sum(self.copies.values())
        self.labelled_copies = {
            f"{face}.{copy}" if count > 1 else face: 1
            for face, count in self.copies.items()
            for copy in range(1, min(count, MAX_COPIES) + 1)
        }
        self.is_brisque = _brisques_as_numbers(sheet.brisques.ranks)
        self.brisques = frozenset(card for card in self.strength if self.is_brisque[card])
        self.counts_sets = sheet.reuse.rule in _COUNTING_SETS
        self.melds_captured = sheet.melds_from is MeldsFrom.CAPTURED
        tableau = sheet.tableau
        self.has_tableau = tableau is not None
        self.full_hands = tableau.draw_up_to if tableau else {}
        self.full_pile = tableau.full if tableau else 0
        self.makes_trumps = _trump_makers(sheet, TrumpsBy.LAID, TrumpsBy.SCORED)
        self.laid_makes_trumps = _trump_makers(sheet, TrumpsBy.LAID)
        self.phases = tuple(CompiledPhase(phase, ranks) for phase in sheet.phases)
        self.meld_names = frozenset(meld.name for meld in sheet.melds)
        self.family = {meld.kind: (meld.family, meld.level) for meld in sheet.melds}
        self._number_kinds()
        self.keeps_history = (
            bool(self.forgotten_bits) and not self.melds_captured and sheet.dix is None
        )

    def _number_kinds(self) -> None:
        """Give every kind of meld its bit, and say which bits the reuse rule asks about."""
        sheet = self.sheet
        kinds = sorted({meld.kind for meld in sheet.melds})
        self.first_set_bit = FIRST_MELD_BIT + len(kinds)
        sets = -1 << self.first_set_bit
        self.forgotten_bits = sets if sheet.reuse.rule is ReuseRule.REFORMED_AFTER_LEAVING else 0
        self.traced_bits = sets if sheet.reuse.rule is ReuseRule.AUGMENT_OR_RESTORE else 0
        self.kind_bit = {kind: 1 << (FIRST_MELD_BIT + i) for i, kind in enumerate(kinds)}
        self.lasting_bit = {
            kind: bit if self._lasts(kind) else 0 for kind, bit in self.kind_bit.items()
        }
        self.meld_bits = dict.fromkeys(self.meld_names, 0)
        for meld in sheet.melds:
            self.meld_bits[meld.name] |= self.lasting_bit[meld.kind]
        self.higher_bits = {meld.kind: self._family_bits(meld, above=True) for meld in sheet.melds}
        self.lower_bits = {meld.kind: self._family_bits(meld, above=False) for meld in sheet.melds}

    def _lasts(self, kind: str) -> bool:
        """Whether a card's having scored in a kind can still matter when the very set is gone."""
        reuse = self.sheet.reuse
        match reuse.rule:
            case ReuseRule.ONCE_PER_KIND | ReuseRule.UPWARD_IN_CLASS:
                return True
            case ReuseRule.REFORMED_AFTER_LEAVING:
                family = self.family[kind][0]
                climbs = reuse.singles_then_double and reuse.double_then_single
                if family == "sequence":
                    return kind == "marriage" or not reuse.sequence_then_marriage
                return family == "bezique" and not climbs
            case ReuseRule.ONCE_PER_SET | ReuseRule.AUGMENT_OR_RESTORE | ReuseRule.LEAVES_THE_HAND:
                return False
            case _:
                assert_never(reuse.rule)

    def _family_bits(self, meld: MeldRule, *, above: bool) -> int:
        bits = 0
        for other in self.sheet.melds:
            related = other.family == meld.family and other.level != meld.level
            if related and (other.level > meld.level) == above:
                bits |= self.kind_bit[other.kind]
        return bits

    def beaters(self, trump: str | None) -> CardSets:
        """For every card led, the replies that take the trick; of like cards the first wins (C3)."""
        return beaters_of(self.sheet.pack.ranks, trump)

    def melds(self, trump: str | None) -> dict[tuple[str, ...], tuple[MeldRule, ...]]:
        """Every set of cards that forms a meld under these trumps, and the melds it forms."""
        return _melds(self.sheet, trump)

    def meld_rule(self, trump: str | None, name: str, cards: tuple[str, ...]) -> MeldRule | None:
        """The meld that these cards form under this name, labels apart, if they do."""
        return _meld_rule(self.sheet, trump, name, cards) if len(cards) <= MOST_MELDED else None

    def any_meld_named(self, name: str) -> MeldRule | None:
        """A meld of this name, whatever its suit."""
        return next((meld for meld in self.sheet.melds if meld.name == name), None)

    def combinations(self, full: int, cards: tuple[str, ...]) -> tuple[MeldRule, ...]:
        """Everything that these cards combine to where a full hand has so many cards (Zetema)."""
        return _combinations(self.sheet, full, cards) if len(cards) <= MOST_COMBINED else ()

    def combination(self, full: int, name: str, cards: tuple[str, ...]) -> MeldRule | None:
        """The combination that these cards form under this name, if they do (Zetema)."""
        return next((meld for meld in self.combinations(full, cards) if meld.name == name), None)


def _trump_makers(sheet: RuleSheet, *by: TrumpsBy) -> frozenset[str]:
    """The kinds of meld of which the first makes trumps, where it does so in one of these ways."""
    trumps = sheet.trumps
    return frozenset(trumps.kinds if isinstance(trumps, FirstMeld) and trumps.by in by else ())


MOST_MELDED = MOST_COMBINED = 10
"""No meld and no combination has more cards; others form none, and would be remembered at any length."""


@lru_cache(maxsize=65_536)
def _combinations(sheet: RuleSheet, full: int, cards: tuple[str, ...]) -> tuple[MeldRule, ...]:
    faces = sorted_faces(cards)
    shaped = [meld for meld in sheet.melds if parse_pattern(meld.cards).shape]
    return (
        *_melds(sheet, None).get(faces, ()),
        *(meld for meld in shaped if fits_shape(_sized(meld, full), faces, sheet.pack)),
    )


def _sized(meld: MeldRule, full: int) -> MeldRule:
    """A shape as large as a full hand (A-33: five cards where five are held)."""
    size = parse_pattern(meld.cards).size
    return replace(meld, cards=meld.cards.replace(str(size), str(full))) if full < size else meld


@lru_cache(maxsize=256)
def compile_sheet(sheet: RuleSheet) -> CompiledSheet:
    """The lookups of a resolved sheet, computed once."""
    return CompiledSheet(sheet)


@lru_cache(maxsize=256)
def _melds(sheet: RuleSheet, trump: str | None) -> dict[tuple[str, ...], tuple[MeldRule, ...]]:
    found: dict[tuple[str, ...], tuple[MeldRule, ...]] = {}
    makes_trumps = compile_sheet(sheet).makes_trumps
    for meld in sheet.melds:
        for cards in card_sets_for(
            meld,
            trump=trump,
            bezique_cards=sheet.bezique_cards,
            pack=sheet.pack,
            makes_trumps=meld.kind in makes_trumps,
        ):
            found[cards] = (*found.get(cards, ()), meld)
    return found


@lru_cache(maxsize=65_536)
def _meld_rule(
    sheet: RuleSheet, trump: str | None, name: str, cards: tuple[str, ...]
) -> MeldRule | None:
    faces = sorted_faces(cards)
    for meld in _melds(sheet, trump).get(faces, ()):
        if meld.name == name:
            return meld
    return None


@lru_cache(maxsize=256)
def meld_requirements(
    sheet: RuleSheet, trump: str | None
) -> tuple[tuple[tuple[tuple[str, int], ...], MeldRule], ...]:
    """Every meld as the cards it needs with their numbers, highest points first."""
    rows = [
        (tuple((face, cards.count(face)) for face in dict.fromkeys(cards)), meld)
        for cards, melds in _melds(sheet, trump).items()
        for meld in melds
    ]
    return tuple(sorted(rows, key=lambda row: -row[1].points))
