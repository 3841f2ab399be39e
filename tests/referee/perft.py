"""Counts of legal continuations, after the manner of chess's perft: `python -m tests.referee.perft` writes them.

Each sheet has a few small positions, `samples/perft/<sheet>.json`: records that stop in mid-deal with
the rest of the stock written. For each the file gives how many different ways to go on there are, of
one choice, of two, of three. A choice is a card played or discarded, a meld scored, or a dix exchanged
or shown. Cards are told apart by their faces alone. What nobody chooses is no choice: draws (made, in the
order of the stock, before the next card), tricks taken, points. Showing a meld unscored and carte
blanche are left out.
"""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from records.conformance.answers import Perft
from records.format.codec import encode
from records.record import Record
from records.rules.registry import ALL_SHEETS
from tests.make import tables, turns

SAMPLES = Path(__file__).parents[2] / "samples" / "perft"


@dataclass(frozen=True)
class Position:
    """A position as text, the stock in the order of drawing, and how many choices deep it is counted."""

    name: str
    says: str
    text: str
    depth: int
    stock: str = ""

    def record(self, sheet: str) -> Record:
        """The record that stops in this position."""
        cards = self.stock.split()
        text = (
            f"{self.text} | stock {len(cards) - ('turn-up' in self.text)}" if cards else self.text
        )
        zetema = sheet == "zetema"
        deal = turns.deal_of(text) if zetema else tables.deal_of(text)
        deal.stock = cards[: deal.setup.stock]
        deal.knowledge = None
        return turns.record_of(deal) if zetema else tables.record_of([deal], sheet=sheet)


CLOSE = "N: AS 9S KH QH 8D | S: TS 8S 7H JH 9D | trump H | N leads"
QUEENS_SAYS = (
    "Two queens of spades, one king, one jack of diamonds: which queen served where stays open."
)

CLOSED = Position("close", "Five cards each after the close, hearts trumps.", CLOSE, 6)
LAST_DRAW = Position(
    "last-draw",
    "North has won the last trick before the close and may exchange the dix and meld.",
    "N: KS QS 7H 8C | S: 7S JD 9C 8D | turn-up AH | N won", 5, "9S AH",
)  # fmt: skip
LAST_DRAW_PLAIN = Position(
    "last-draw", "North has won the last trick before the close and may meld.",
    "N: KS QS 7H 8C | S: 7S JD 9C 8D | trump H | N won", 5, "9S AH",
)  # fmt: skip
QUEENS = Position(
    "two-queens", QUEENS_SAYS, "N: KS QS QS JD | S: 7D 7D 8S 8S | turn-up 9H | N won", 6,
    "8C 7C 8C 7C 8D 9H",
)  # fmt: skip
QUEENS_PLAIN = Position(
    "two-queens", QUEENS_SAYS, "N: KS QS QS JD | S: 7D 7D 7D 7D | trump H | N won", 6,
    "8C 7C 8C 7C 8D 7C",
)  # fmt: skip
DOUBLE = Position(
    "double", "A bezique lies scored, the cards of another are in the hand.",
    "N: QS JD 8S | S: 7C 7C 7S 7S 8S | turn-up 9H | N lays bezique QS JD | N won", 5,
    "8C 7D 8C 7D 8D 9H",
)  # fmt: skip
DOUBLE_PLAIN = Position(
    "double", "A bezique lies scored, the cards of two others are in the hand.",
    "N: QS QS JD JD | S: 7C 7C 7C 7C 7S 7S | trump H | N lays bezique QS JD | N won", 5,
    "8C 7D 8C 7D 8D 7D",
)  # fmt: skip
NO_TRUMPS = Position(
    "no-trumps", "No trumps yet: the first marriage makes them.",
    "N: KS QS KD QD | S: 9S 9D TS 7H | N won", 5, "7C 8C 7C 8C",
)  # fmt: skip
REFORMED = Position(
    "formed-again", "Four kings lie scored; a fifth is in the hand, and a queen that may marry.",
    "N: KS QS | S: 7C 7C 7C 7C 7S 7S | trump H | N lays four_kings KS KH KD KC | N won", 5,
    "8C 7D 8C 7D 8D 7D",
)  # fmt: skip
ACES = Position(
    "trump-aces", "Four aces of trumps lie scored, a fifth and the aces of spades are in the hand.",
    "N: AH AS | S: 7C 7C 7C 7C 7C 7C | trump H | N lays four_trump_aces AH AH AH AH | N won", 6,
    "8C 7D 8C 7D 8D 7D",
)  # fmt: skip
CAPTURED = Position(
    "captured", "North has just won the king and queen of spades; the rest was won before.",
    "N: AH AD 9C | S: AC AS 8C | turn-up 9H | N captured JD QH AS 8D KS QS | N won", 6, "7C 7C 8S 9H",
)  # fmt: skip
LAST_TRICK = Position(
    "last-trick", "The last trick of all, and the melds after it.",
    "N: KS | S: QS | trump H | N captured KH KD KC JD | N leads", 4,
)  # fmt: skip
RED_QUEENS = Position(
    "jack-and-queens", "The jack of trumps with one queen after another.",
    "N: JH QS QD KS | S: 7S 8S 9S 7D | turn-up 9H | N won", 5, "7C 8C 9C 9H",
)  # fmt: skip
CHAIN = Position(
    "chain", "Two players, no stock: after a zetema comes another discard.",
    "A: 7C 8C 2H 3H | B: 9C 4H 5H | tableau 7S 7S 7H 7D 8S 8S 8H 8D 9S 9S 9H 9D", 7,
)  # fmt: skip
MARRIAGES = Position(
    "marriages", "Kings and queens in the hand and on the piles, three players.",
    "A: KH QD 2C 3C 4C 5C | B: 6D 7D 8D | C: KC 9D TD | tableau QH KD QC", 3, "6H 7H 8H 9H TH JH",
)  # fmt: skip
COMBINATIONS = Position(
    "combinations", "A flush and then a flush sequence, a discard bound to each.",
    "A: 2S 2S 4S 5S 6S 7S | B: 9D 9H 9C 9S 9S", 5, "JD 3S JH JC QD",
)  # fmt: skip

TURNED_UP = (CLOSED, LAST_DRAW, QUEENS, DOUBLE)
RUBICON = (CLOSED, LAST_DRAW_PLAIN, QUEENS_PLAIN, DOUBLE_PLAIN, NO_TRUMPS, REFORMED)
POSITIONS: dict[str, tuple[Position, ...]] = {
    "bezique": TURNED_UP,
    "bezique-enhanced": TURNED_UP,
    "marjolet": (CLOSED, LAST_DRAW, RED_QUEENS),
    "marjolet-oxford": (CLOSED, LAST_DRAW, RED_QUEENS),
    "zique": TURNED_UP,
    "polish-bezique": (CLOSED, LAST_DRAW, CAPTURED, LAST_TRICK),
    "rubicon-bezique": RUBICON,
    "rubicon-bezique-recommended": RUBICON,
    "rubicon-bezique-club": RUBICON,
    "chinese-bezique": (*RUBICON, ACES),
    "six-pack-bezique": (*RUBICON, ACES),
    "zetema": (CHAIN, MARRIAGES, COMBINATIONS),
}


def sample(sheet: str) -> dict[str, object]:
    """What the file of a sheet holds."""
    return {
        "sheet": sheet,
        "positions": [
            {
                "name": position.name,
                "says": position.says,
                "record": msgspec.Raw(encode(position.record(sheet))),
                "nodes": Perft(position.record(sheet)).nodes(position.depth),
            }
            for position in POSITIONS[sheet]
        ],
    }


def main() -> None:
    """Write the samples."""
    SAMPLES.mkdir(exist_ok=True)
    for sheet in ALL_SHEETS:
        text = msgspec.json.format(msgspec.json.encode(sample(sheet.id)), indent=1)
        (SAMPLES / f"{sheet.id}.json").write_bytes(text + b"\n")


if __name__ == "__main__":
    main()
