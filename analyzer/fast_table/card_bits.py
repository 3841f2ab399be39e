"""The cards of a pack as bits of a number, in the order in which simple players part with them."""

from collections.abc import Collection, Iterator

from records.cards import SUITS
from records.rules.compiled import compile_sheet
from records.rules.vocabulary import RuleSheet
from records.selfplay import rank_for_throwing


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
        copies, ranks = sheet.pack.copies, sheet.pack.ranks
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
        blanche = sheet.carte_blanche
        self.courts = sum(self.ranks[rank] for rank in (blanche.courts if blanche else ""))

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
