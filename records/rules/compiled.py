"""A rule sheet made ready to play by: ranks as numbers, melds by the cards that form them."""

from functools import lru_cache
from itertools import chain, combinations_with_replacement, product
from typing import assert_never

from msgspec.structs import replace

from records.cards import ALL_CARDS, FACE_OF, MAX_COPIES, SUITS, is_unknown, sorted_faces
from records.rules.tricks import CardSets, beaters_of, duties_of, rank_cards
from records.rules.vocabulary import (
    FirstMeld,
    Follow,
    ListedCards,
    MeldCards,
    MeldRule,
    MeldsFrom,
    Phase,
    PhaseStep,
    ReuseRule,
    RuleSheet,
    ShapedCards,
    SheetRules,
    TrumpsBy,
)

# The cards of melds: every set of cards that is one. What a list of cards and a shape mean stands beside their members in
# `records.rules.vocabulary`.

SortedFaces = tuple[str, ...]
"""Cards without labels, sorted as texts: this stands for a multiset of cards."""


def bezique_faces(trump: str | None, rules: SheetRules) -> tuple[str, ...]:
    """The queen and the jack of bezique (law C11), in games that have it."""
    cards = rules.bezique_cards
    return cards[trump or "none"] if cards else ()  # type: ignore[index]


def fits_shape(shape: ShapedCards, faces: SortedFaces, row: tuple[str, ...]) -> bool:
    """Whether these cards have the shape that is asked for, and no more; `row` are the ranks in the order of a row."""
    one_suit = len({face[1] for face in faces}) == 1
    found = (in_a_row(faces, row), one_suit)
    return len(faces) == shape.size and found == (shape.in_a_row, shape.one_suit)


def any_of_rank(cards: MeldCards) -> str | None:
    """The rank of a meld of any cards of one rank, such as four aces; None for any other."""
    if isinstance(cards, ListedCards) and len(cards.cards) == 1 and cards.speaks_of("any"):
        ranks = cards.cards[0].ranks
        return ranks[0] if len(ranks) == 1 else None
    return None


def in_a_row(faces: SortedFaces, row: tuple[str, ...]) -> bool:
    """Whether the ranks follow one another in the row, each once."""
    ranks = {face[0] for face in faces}
    starts = range(len(row) - len(faces) + 1)
    return any([ranks == set(row[start : start + len(faces)]) for start in starts])


def card_sets_for(
    meld: MeldRule, trump: str | None, rules: SheetRules, *, makes_trumps: bool = False
) -> tuple[SortedFaces, ...]:
    """Every set of cards of the pack that is this meld, each sorted, all in order.

    While there are no trumps (`trump` is None), every suit is plain and a list of trumps has no cards. This holds for cards
    that are only shown. Where the first marriage or sequence scored makes trumps, it counts as one in trumps itself:
    `makes_trumps` asks for this case, in which lists of trumps fit all four suits and plain ones fit none. Once there are
    trumps, it changes nothing. A shape has too many sets to list: see `fits_shape`.
    """
    cards = meld.cards
    if isinstance(cards, ShapedCards):
        return ()
    copies = tuple(rules.pack.copies.items())
    bezique = bezique_faces(trump, rules) if cards.speaks_of("bezique") else ()
    # Cards that do not go by trumps are listed once for all of them.
    if not (cards.speaks_of("trumps") or cards.speaks_of("plain")):
        trump, makes_trumps = None, False
    return _cards_for(cards, trump, bezique, rules.pack.ranks, copies, makes_trumps=makes_trumps)


@lru_cache(maxsize=4096)
def _cards_for(
    cards: ListedCards,
    trump: str | None,
    bezique: tuple[str, ...],
    ranks: tuple[str, ...],
    copies: tuple[tuple[str, int], ...],
    *,
    makes_trumps: bool,
) -> tuple[SortedFaces, ...]:
    most = dict(copies)
    found = {
        faces
        for suits in _bindings(cards, trump, makes_trumps=makes_trumps)
        for faces in _fill(cards, suits, bezique)
        if all([card[0] in ranks and faces.count(card) <= most.get(card[1], 0) for card in faces])
    }
    return tuple(sorted(found))


def _bindings(cards: ListedCards, trump: str | None, *, makes_trumps: bool) -> list[dict[str, str]]:
    """The suits that `trumps` and `plain` may stand for together: one mapping for each case."""
    if makes_trumps and trump is None:
        return [] if cards.speaks_of("plain") else [{"trumps": suit} for suit in SUITS]
    if trump is None and cards.speaks_of("trumps"):
        return []
    plain_suits = [suit for suit in SUITS if suit != trump] if cards.speaks_of("plain") else [""]
    return [{"trumps": trump or "", "plain": suit} for suit in plain_suits]


def _fill(cards: ListedCards, suits: dict[str, str], bezique: tuple[str, ...]) -> set[SortedFaces]:
    """The sets of cards of a list once trumps and the plain suit are chosen."""
    return {
        tuple(sorted(faces))
        for ranks in product(*[card.ranks for card in cards.cards])
        for repetition in [_fill_once(ranks, cards, suits, bezique)]
        for faces in _repeated(repetition, cards.repeat)
    }


def _fill_once(
    ranks: tuple[str, ...], cards: ListedCards, suits: dict[str, str], bezique: tuple[str, ...]
) -> set[SortedFaces]:
    """The sets of cards of one repetition of the list, for the ranks chosen."""
    words = [card.suit for card in cards.cards]
    return {
        tuple(sorted(faces))
        for suit in (SUITS if "same" in words else "-")
        for faces in product(
            *[
                _faces_of(rank, word, suits | {"same": suit}, bezique)
                for rank, word in zip(ranks, words, strict=True)
            ]
        )
    }


def _repeated(repetition: set[SortedFaces], times: int) -> set[SortedFaces]:
    return {
        tuple(sorted(chain.from_iterable(lists)))
        for lists in combinations_with_replacement(sorted(repetition), times)
    }


def _faces_of(rank: str, suit: str, suits: dict[str, str], bezique: tuple[str, ...]) -> list[str]:
    if suit == "any":
        return [rank + each for each in SUITS]
    if suit == "bezique":
        return [face for face in bezique if face[0] == rank]
    return [rank + suits.get(suit, suit)]


# The sheet made ready.

FIRST_MELD_BIT = 6
"""The bits of a mark below this one say where a copy lies (see `records.engine.copies`)."""


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

    def __init__(self, phase: Phase, ranks: tuple[str, ...]) -> None:
        self.name = phase.name
        self.duties = duties_of(ranks, phase.follow)
        self.must_follow = phase.follow is not Follow.ANY
        self.melds = phase.meld_limit
        self.combines = PhaseStep.COMBINE in phase.steps
        self.declares = PhaseStep.DECLARE in phase.steps
        self.draws = PhaseStep.DRAW in phase.steps


@lru_cache(maxsize=32)
def _brisques_as_numbers(ranks: tuple[str, ...]) -> dict[str, int]:
    """1 for a brisque, 0 for any other card: numbers, so that those of a trick are added up without a condition."""
    return {card: int(not is_unknown(card) and card[0] in ranks) for card in ALL_CARDS}


class CompiledSheet:
    """A sheet's lookups, computed once for each sheet and set of options.

    Cards: `pack_size` is their number, `copies` counts each face, `labelled_copies` each card where like ones have
    labels, `packs` are how many are shuffled together, and of `doubled_suits` there is one card more. `strength` orders cards within a suit; a card that is not in the pack is below all others. `is_brisque` is 1
    for a brisque, 0 for any other card, and `brisque_rule` says what it counts; `sevens` are the sevens of each suit.

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
        "brisque_rule",
        "brisques",
        "copies",
        "counts_sets",
        "doubled_suits",
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
        "packs",
        "phases",
        "sevens",
        "sheet",
        "strength",
        "traced_bits",
        "written",
    )  # fmt: skip

    def __init__(self, sheet: RuleSheet) -> None:
        self.sheet = sheet
        self.written = rules = sheet.rules
        ranks = rules.pack.ranks
        ranked = rank_cards(ranks)
        self.strength, self.sevens = ranked.strength, ranked.sevens
        self.packs, self.doubled_suits = rules.pack.packs, rules.pack.doubled_suits
        self.copies = {
            FACE_OF[rank + suit]: copies
            for suit, copies in rules.pack.copies.items()
            for rank in ranks
        }
        self.pack_size = sum(self.copies.values())
        self.labelled_copies = {
            f"{face}.{copy}" if count > 1 else face: 1
            for face, count in self.copies.items()
            for copy in range(1, min(count, MAX_COPIES) + 1)
        }
        self.brisque_rule = rules.brisques
        self.is_brisque = _brisques_as_numbers(self.brisque_rule.ranks)
        self.brisques = frozenset(card for card in self.strength if self.is_brisque[card])
        self.counts_sets = rules.reuse.rule in _COUNTING_SETS
        self.melds_captured = rules.melds_from is MeldsFrom.CAPTURED
        tableau = rules.tableau
        self.has_tableau = tableau is not None
        self.full_hands = tableau.draw_up_to if tableau else {}
        self.full_pile = tableau.full if tableau else 0
        self.makes_trumps = _trump_makers(rules, TrumpsBy.LAID, TrumpsBy.SCORED)
        self.laid_makes_trumps = _trump_makers(rules, TrumpsBy.LAID)
        self.phases = tuple(CompiledPhase(phase, ranks) for phase in rules.phases)
        self.meld_names = frozenset(meld.name for meld in rules.melds)
        self.family = {meld.kind: (meld.family, meld.level) for meld in rules.melds}
        self._number_kinds()
        self.keeps_history = (
            bool(self.forgotten_bits) and not self.melds_captured and rules.dix is None
        )

    @property
    def brisques_in_pack(self) -> int:
        """How many brisques all tricks of a deal have together."""
        return sum([count for face, count in self.copies.items() if self.is_brisque[face]])

    def _number_kinds(self) -> None:
        """Give every kind of meld its bit, and say which bits the reuse rule asks about."""
        rules = self.written
        kinds = sorted({meld.kind for meld in rules.melds})
        self.first_set_bit = FIRST_MELD_BIT + len(kinds)
        sets = -1 << self.first_set_bit
        self.forgotten_bits = sets if rules.reuse.rule is ReuseRule.REFORMED_AFTER_LEAVING else 0
        self.traced_bits = sets if rules.reuse.rule is ReuseRule.AUGMENT_OR_RESTORE else 0
        self.kind_bit = {kind: 1 << (FIRST_MELD_BIT + i) for i, kind in enumerate(kinds)}
        self.lasting_bit = {
            kind: bit if self._lasts(kind) else 0 for kind, bit in self.kind_bit.items()
        }
        self.meld_bits = dict.fromkeys(self.meld_names, 0)
        for meld in rules.melds:
            self.meld_bits[meld.name] |= self.lasting_bit[meld.kind]
        self.higher_bits = {meld.kind: self._family_bits(meld, above=True) for meld in rules.melds}
        self.lower_bits = {meld.kind: self._family_bits(meld, above=False) for meld in rules.melds}

    def _lasts(self, kind: str) -> bool:
        """Whether a card's having scored in a kind can still matter when the very set is gone."""
        reuse = self.written.reuse
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
        for other in self.written.melds:
            related = other.family == meld.family and other.level != meld.level
            if related and (other.level > meld.level) == above:
                bits |= self.kind_bit[other.kind]
        return bits

    def beaters(self, trump: str | None) -> CardSets:
        """For every card led, the replies that take the trick; of like cards the first wins (C3)."""
        return beaters_of(self.written.pack.ranks, trump)

    def melds(self, trump: str | None) -> dict[tuple[str, ...], tuple[MeldRule, ...]]:
        """Every set of cards that forms a meld under these trumps, and the melds it forms."""
        return _melds(self.sheet, trump)

    def meld_rule(self, trump: str | None, name: str, cards: tuple[str, ...]) -> MeldRule | None:
        """The meld that these cards form under this name, labels apart, if they do."""
        return _meld_rule(self.sheet, trump, name, cards) if len(cards) <= MOST_MELDED else None

    def any_meld_named(self, name: str) -> MeldRule | None:
        """A meld of this name, whatever its suit."""
        return next((meld for meld in self.written.melds if meld.name == name), None)

    def combinations(self, full: int, cards: tuple[str, ...]) -> tuple[MeldRule, ...]:
        """Everything that these cards combine to where a full hand has so many cards (Zetema)."""
        return _combinations(self.sheet, full, cards) if len(cards) <= MOST_COMBINED else ()

    def combination(self, full: int, name: str, cards: tuple[str, ...]) -> MeldRule | None:
        """The combination that these cards form under this name, if they do (Zetema)."""
        return next((meld for meld in self.combinations(full, cards) if meld.name == name), None)


def _trump_makers(rules: SheetRules, *by: TrumpsBy) -> frozenset[str]:
    """The kinds of meld of which the first makes trumps, where it does so in one of these ways."""
    trumps = rules.trumps
    return frozenset(trumps.melds if isinstance(trumps, FirstMeld) and trumps.when in by else ())


MOST_MELDED = MOST_COMBINED = 10
"""No meld and no combination has more cards; others form none, and would be remembered at any length."""


@lru_cache(maxsize=65_536)
def _combinations(sheet: RuleSheet, full: int, cards: tuple[str, ...]) -> tuple[MeldRule, ...]:
    faces, row = sorted_faces(cards), sheet.rules.pack.row or ()
    return (
        *_melds(sheet, None).get(faces, ()),
        *[
            meld
            for meld in sheet.rules.melds
            if isinstance(meld.cards, ShapedCards)
            and fits_shape(_sized(meld.cards, full), faces, row)
        ],
    )


def _sized(shape: ShapedCards, full: int) -> ShapedCards:
    """A shape as large as a full hand (A-33: five cards where five are held)."""
    return replace(shape, size=full) if full < shape.size else shape


@lru_cache(maxsize=256)
def compile_sheet(sheet: RuleSheet) -> CompiledSheet:
    """The lookups of a resolved sheet, computed once."""
    return CompiledSheet(sheet)


@lru_cache(maxsize=256)
def _melds(sheet: RuleSheet, trump: str | None) -> dict[tuple[str, ...], tuple[MeldRule, ...]]:
    found: dict[tuple[str, ...], tuple[MeldRule, ...]] = {}
    makes_trumps = compile_sheet(sheet).makes_trumps
    for meld in sheet.rules.melds:
        for cards in card_sets_for(
            meld, trump, sheet.rules, makes_trumps=meld.kind in makes_trumps
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


def forget_cards() -> None:
    """Let go of all cards of melds that have been listed; they are listed again when they are asked for."""
    for each in (_cards_for, _melds, _combinations, _meld_rule, meld_requirements):
        each.cache_clear()
