"""Which melds cards form by their faces, and in how many ways.

Nothing here asks whether a card has served before: `MeldTracker` does.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from math import comb, prod

from records.cards import FACE_OF
from records.rules.vocabulary import MeldRule

MeldFaces = tuple[str | None, tuple[tuple[str, int], ...], MeldRule]
"""A trump suit, the faces a meld needs under it with their numbers, and the meld."""


def formable_melds(
    rows: Iterable[MeldFaces], held: Mapping[str, int]
) -> Iterator[tuple[MeldFaces, tuple[str, ...]]]:
    """Those of these melds that the cards held form by their faces, with every set of names that forms one.

    Like cards without labels have one name, and make one set.
    """
    copies = _copies(held)
    for row in rows:
        needed = row[1]
        if all([len(copies.get(face, ())) >= count for face, count in needed]):
            choices = [
                sorted(set(combinations(copies[face], count))) if count else [()]
                for face, count in needed
            ]
            for cards in product(*choices):
                yield row, tuple(chain.from_iterable(cards))


def _copies(held: Mapping[str, int]) -> dict[str, list[str]]:
    """The names held of each face, each as often as it is held."""
    copies: dict[str, list[str]] = {}
    for card in sorted(held):
        copies.setdefault(FACE_OF[card], []).extend([card] * held[card])
    return copies


def count_card_sets(cards: Sequence[str], held: Mapping[str, int]) -> int:
    """How many sets of physical cards have these names."""
    return prod([comb(held[card], cards.count(card)) for card in set(cards)])
