"""The cards of a pack as bits of a number, in the order in which simple players part with them."""

from collections.abc import Iterator

from records.cards import SUITS
from records.rules.compiled import compile_sheet
from records.rules.vocabulary import RuleSheet
from records.selfplay import rank_for_throwing


class CardBits:
    """The physical cards of a sheet's pack under one trump suit (or none yet), each a bit.

    The lowest bit of a hand is the card that is worth least. Lists have a value for the place of every bit: `names` the
    labelled card, `alike` the mask of all copies of it, `beats` the replies that take it, `same_suit` and `higher` those
    of its suit, and of them those above it. `is_brisque` is 1 for a brisque. The other fields are masks of cards, `bits`
    has the bit of every name.
    """

    __slots__ = (
        "alike", "beats", "bits", "brisques", "courts", "faces", "higher", "is_brisque", "names", "ranks",
        "same_suit", "sevens", "trumps",
    )  # fmt: skip

    def __init__(self, sheet: RuleSheet, trump: str | None) -> None:
        rules = compile_sheet(sheet)
        copies, ranks = sheet.pack.copies, sheet.pack.ranks
        faces = sorted(
            rules.copies, key=lambda face: rank_for_throwing(rules.strength, trump, face)
        )
        order = [face for face in faces for _ in range(copies)]
        block = (1 << copies) - 1
        self.faces = {face: block << number * copies for number, face in enumerate(faces)}
        self.ranks = {rank: sum(self.faces[rank + suit] for suit in SUITS) for rank in ranks}
        suits = {suit: sum(self.faces[rank + suit] for rank in ranks) for suit in SUITS}
        self.names = [
            f"{face}.{place % copies + 1}" if copies > 1 else face
            for place, face in enumerate(order)
        ]
        self.bits = {name: 1 << place for place, name in enumerate(self.names)}
        self.alike = [self.faces[face] for face in order]
        self.same_suit = [suits[face[1]] for face in order]
        self.trumps = suits[trump] if trump else 0
        above = {
            face: sum(self.faces[rank + face[1]] for rank in ranks[: ranks.index(face[0])])
            for face in faces
        }
        self.higher = [above[face] for face in order]
        self.beats = [
            above[face] | (0 if face[1] == trump else self.trumps) for face in order
        ]  # fmt: skip
        self.brisques = sum(self.ranks[rank] for rank in sheet.brisques.ranks if rank in ranks)
        self.is_brisque = [self.brisques >> place & 1 for place in range(len(order))]
        self.sevens = self.faces.get(f"7{trump}", 0) if trump else 0
        blanche = sheet.carte_blanche
        self.courts = sum(self.ranks[rank] for rank in (blanche.courts if blanche else ""))

    def names_of(self, cards: int) -> list[str]:
        """The labelled names of cards."""
        return [self.names[card.bit_length() - 1] for card in each_bit(cards)]


def each_bit(cards: int) -> Iterator[int]:
    """The bits of a number, from the lowest."""
    while cards:
        low = cards & -cards
        yield low
        cards ^= low
