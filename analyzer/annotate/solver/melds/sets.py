"""Which melds cards form by their faces, and in how many ways."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from math import comb, prod

from records.cards import FACE_OF
from records.rules.vocabulary import MeldRule

MeldFaces = tuple[str | None, tuple[tuple[str, int], ...], MeldRule]
"""A meld as the cards it needs with their numbers, under one trump suit."""


def formable_melds(
    rows: Iterable[MeldFaces], held: Mapping[str, int]
) -> Iterator[tuple[MeldFaces, tuple[str, ...]]]:
    """Those of these melds that the cards form by their faces, with every set of names that forms them.

    Like cards without labels have one name, and make one set.
    """
    copies = _copies(held)
    for each in rows:
        needed = each[1]
        if all([len(copies.get(face, ())) >= count for face, count in needed]):
            choices = [
                sorted(set(combinations(copies[face], count))) if count else [()]
                for face, count in needed
            ]
            for chosen in product(*choices):
                yield each, tuple(chain.from_iterable(chosen))


def _copies(held: Mapping[str, int]) -> dict[str, list[str]]:
    """The cards held by face, each as often as it is held."""
    copies: dict[str, list[str]] = {}
    for card in sorted(held):
        copies.setdefault(FACE_OF[card], []).extend([card] * held[card])
    return copies


def count_card_sets(cards: Sequence[str], held: Mapping[str, int]) -> int:
    """How many sets of physical cards have these names."""
    return prod([comb(held[card], cards.count(card)) for card in set(cards)])
