"""The meld notation: read a pattern, list every set of cards that satisfies it.

A pattern is a list of cards, or a number times a list: `Kt Qt`, `4 * Ax`, `2 * Qb Jb`. A card is
its rank and where its suit comes from:

    S H D C  that suit
    t        trumps
    p        a plain suit (not trumps), the same for every `p` of the pattern
    x        any suit, card by card
    b        the suit of the bezique cards
    m        one suit each time the list is repeated: `3 * Km Qm`

Of ranks in brackets one is chosen: `5 * [KQ]x` is five kings or five queens. A pattern without cards is a shape: `6 run`
(six ranks in a row), `6 suit` (six cards of one suit), `6 run suit` (both). Cards that have both do
not fit the shape of one: six in a row of one suit are not `6 run` (ruling A-39).
"""

import re
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations_with_replacement, product

from records.cards import RANKS, SUITS
from records.rules.vocabulary import BeziqueCards, MeldRule, Pack

_CARD = rf"(?:[{RANKS}]|\[[{RANKS}]+\])[{SUITS}tpxbm]"
_SHAPE = re.compile("([1-9]) (run suit|run|suit)")
_PATTERN = re.compile(rf"(?:([1-9]) \* )?({_CARD}(?: {_CARD})*)")

SortedFaces = tuple[str, ...]
"""Cards without labels, sorted as texts: this stands for a multiset of cards."""


@dataclass(frozen=True, slots=True)
class MeldPattern:
    """A pattern as read: its cards, and how many times the list is needed."""

    times: int
    cards: tuple[str, ...]
    run: bool = False
    suit: bool = False

    @property
    def size(self) -> int:
        """How many cards the meld has."""
        return self.times * max(1, len(self.cards))

    @property
    def shape(self) -> bool:
        """Whether it asks for a run or a suit instead of cards."""
        return self.run or self.suit

    def speaks_of(self, letter: str) -> bool:
        """Whether some card of the pattern takes its suit from this letter."""
        return any(card[-1] == letter for card in self.cards)


@cache
def parse_pattern(text: str) -> MeldPattern:
    """The pattern of a text; raises ValueError if it is not one."""
    if shape := _SHAPE.fullmatch(text):
        return MeldPattern(int(shape[1]), (), run="run" in shape[2], suit="suit" in shape[2])
    match = _PATTERN.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a pattern of cards")
    return MeldPattern(int(match[1] or 1), tuple(match[2].split()))


def bezique_faces(trump: str | None, bezique_cards: BeziqueCards) -> tuple[str, str]:
    """The queen and the jack of bezique (law C11)."""
    if bezique_cards is BeziqueCards.BY_TRUMP and trump in ("S", "D"):
        return "QC", "JH"
    return "QS", "JD"


def fits_shape(meld: MeldRule, faces: SortedFaces, pack: Pack) -> bool:
    """Whether these cards have the shape that the meld's pattern asks for, and no more."""
    pattern = parse_pattern(meld.cards)
    run = in_a_row(faces, pack.runs)
    suit = len({face[1] for face in faces}) == 1
    return len(faces) == pattern.size and (run, suit) == (pattern.run, pattern.suit)


def in_a_row(faces: SortedFaces, runs: str) -> bool:
    """Whether the ranks follow one another, each once."""
    ranks = {face[0] for face in faces}
    rows = (runs[start : start + len(faces)] for start in range(len(runs) - len(faces) + 1))
    return any(ranks == set(row) for row in rows)


def card_sets_for(
    meld: MeldRule,
    trump: str | None,
    bezique_cards: BeziqueCards,
    pack: Pack,
    *,
    makes_trumps: bool = False,
) -> tuple[SortedFaces, ...]:
    """Every set of cards of the pack that is this meld, each sorted, all in order.

    While there are no trumps (`trump` is None), every suit is plain and a pattern of trumps has no
    cards. This holds for cards that are only shown. Where the first marriage or sequence scored makes
    trumps, it counts as one in trumps itself: `makes_trumps` asks for this case, in which patterns of
    trumps fit all four suits and plain ones fit none. Once there are trumps, it changes nothing. A shape
    has too many sets to list: see `fits_shape`.
    """
    return _cards_for(
        meld.cards,
        trump,
        bezique_cards,
        pack.ranks,
        pack.copies,
        pack.doubled_suits,
        makes_trumps=makes_trumps,
    )


@cache
def _cards_for(
    text: str,
    trump: str | None,
    bezique_cards: BeziqueCards,
    ranks: str,
    copies: int,
    doubled_suits: str,
    *,
    makes_trumps: bool,
) -> tuple[SortedFaces, ...]:
    pattern = parse_pattern(text)
    if pattern.shape:
        return ()
    found = {
        faces
        for suits in _bindings(pattern, trump, makes_trumps=makes_trumps)
        for faces in _fill(pattern, suits, bezique_faces(trump, bezique_cards))
        if all(card[0] in ranks for card in faces)
        and all(faces.count(card) <= copies + (card[1] in doubled_suits) for card in faces)
    }
    return tuple(sorted(found))


def _bindings(
    pattern: MeldPattern, trump: str | None, *, makes_trumps: bool
) -> list[dict[str, str]]:
    """The suits that `t` and `p` may stand for together: one mapping for each case."""
    if makes_trumps and trump is None:
        return [] if pattern.speaks_of("p") else [{"t": suit} for suit in SUITS]
    if trump is None and pattern.speaks_of("t"):
        return []
    plain_suits = [suit for suit in SUITS if suit != trump] if pattern.speaks_of("p") else [""]
    return [{"t": trump or "", "p": suit} for suit in plain_suits]


def _fill(
    pattern: MeldPattern, suits: dict[str, str], bezique: tuple[str, str]
) -> set[SortedFaces]:
    """The sets of cards of a pattern once trumps and the plain suit are chosen."""
    return {
        tuple(sorted(cards))
        for ranks in product(*(card[:-1].strip("[]") for card in pattern.cards))
        for repetition in [_fill_once(ranks, pattern, suits, bezique)]
        for cards in _repeated(repetition, pattern.times)
    }


def _fill_once(
    ranks: tuple[str, ...], pattern: MeldPattern, suits: dict[str, str], bezique: tuple[str, str]
) -> set[SortedFaces]:
    """The sets of cards of one repetition of the list, for the ranks chosen."""
    letters = [card[-1] for card in pattern.cards]
    own_suits = SUITS if "m" in letters else "-"
    return {
        tuple(sorted(cards))
        for suit in own_suits
        for cards in product(
            *(
                _faces_of(rank, letter, suits | {"m": suit}, bezique)
                for rank, letter in zip(ranks, letters, strict=True)
            )
        )
    }


def _repeated(repetition: set[SortedFaces], times: int) -> set[SortedFaces]:
    return {
        tuple(sorted(chain.from_iterable(lists)))
        for lists in combinations_with_replacement(sorted(repetition), times)
    }


def _faces_of(rank: str, letter: str, suits: dict[str, str], bezique: tuple[str, str]) -> list[str]:
    if letter == "x":
        return [rank + suit for suit in SUITS]
    if letter == "b":
        return [face for face in bezique if face[0] == rank]
    return [rank + suits.get(letter, letter)]
