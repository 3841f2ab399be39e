"""One card: its two characters, its label, its words.

A card is written `QS` (rank, suit), `QS.1` where the record tells copies apart, `?S`, `Q?` or `??`
where something is unknown. Inside the program a card is that very text: two cards are the same
physical thing only if a record says so with labels.
"""

from collections.abc import Iterable, Mapping
from functools import cache

from records.errors import CardError

RANKS = "AKQJT98765432"
SUITS = "SHDC"
MAX_COPIES = 8
LABEL_PATTERN = rf"\.[1-{MAX_COPIES}]"
"""A label, as a regular expression."""

RANK_NAMES = {
    "A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10", "9": "9", "8": "8", "7": "7",
    "6": "6", "5": "5", "4": "4", "3": "3", "2": "2",
}  # fmt: skip
SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
SUITS_OF_SIGNS = {sign: suit for suit, sign in SUIT_SIGNS.items()} | dict(
    zip("♤♡♢♧", SUITS, strict=True)
)
"""The suits of the signs that people write, filled and hollow."""

FACES = tuple(rank + suit for suit in SUITS for rank in RANKS)
LABELLED_CARDS = tuple(f"{face}.{copy}" for face in FACES for copy in range(1, MAX_COPIES + 1))
UNKNOWN_CARDS = ("??", *(f"?{suit}" for suit in SUITS), *(f"{rank}?" for rank in RANKS))
ALL_CARDS = (*FACES, *LABELLED_CARDS, *UNKNOWN_CARDS)

_INTERNED_CARDS = {card: card for card in ALL_CARDS}
FACE_OF = {card: _INTERNED_CARDS[card[:2]] for card in ALL_CARDS}
"""Every card the format can write, and its face: `QS.1` -> `QS`."""


def parse_card(text: str) -> str:
    """The card that a text writes, in canonical form (`10S` -> `TS`); raises CardError."""
    card = "T" + text[2:] if text.startswith("10") else text
    if card not in FACE_OF:
        raise CardError(f"{text!r} is not a card")
    return card


def is_unknown(card: str) -> bool:
    """Whether rank or suit is hidden."""
    return "?" in card


def covers(token: str, card: str) -> bool:
    """Whether an unknown card (`??`, `?S`, `Q?`) may turn out to be this known one."""
    return token[0] in ("?", card[0]) and token[1] in ("?", card[1])


def may_be_same(card: str, other: str) -> bool:
    """Whether two cards, each known or not, may be like cards."""
    return (card[0] == other[0] or "?" in card[0] + other[0]) and (
        card[1] == other[1] or "?" in card[1] + other[1]
    )


def sorted_faces(cards: Iterable[str]) -> tuple[str, ...]:
    """The faces of cards, labels apart, in the order in which a sheet's melds are looked up."""
    return tuple(sorted([FACE_OF[card] for card in cards]))


def count_cards(cards: Iterable[str]) -> dict[str, int]:
    """How often each card occurs."""
    counts: dict[str, int] = {}
    for card in cards:
        counts[card] = counts.get(card, 0) + 1
    return counts


def cards_missing(wanted: Mapping[str, int], held: Mapping[str, int]) -> list[str]:
    """The cards wanted of which fewer are held, each as often as it is missing."""
    return [card for card, count in wanted.items() for _ in range(count - held.get(card, 0))]


@cache
def describe_card(card: str) -> str:
    """A card in words, without an article: `queen of spades`, `card of spades`, `unseen card`."""
    rank, suit = card[0], card[1]
    if card[:2] == "??":
        return "unseen card"
    if rank == "?":
        return f"card of {SUIT_NAMES[suit]}"
    if suit == "?":
        return f"{RANK_NAMES[rank]} of some suit"
    label = f" ({card[2:].lstrip('.')})" if len(card) > 2 else ""
    return f"{RANK_NAMES[rank]} of {SUIT_NAMES[suit]}{label}"


@cache
def card_sign(card: str) -> str:
    """A card as it is printed in a list: `Q♠`, `10♥`, `J♦(2)` for a copy, `??`."""
    rank = "10" if card[0] == "T" else card[0]
    label = f"({card[2:].lstrip('.')})" if len(card) > 2 else ""
    return rank + SUIT_SIGNS.get(card[1], card[1]) + label
