"""Words, signs and mistakes that the reader and the writer of the notation share.

Its grammar is in `records/spec/notation.md`.
"""

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from records.cards import ALL_CARDS
from records.errors import BeziqueError
from records.events import MAX_PLAYERS, MELD_NAMES
from records.phrases import CONTROL_CHARACTERS

# What is wrong with a text in the notation.


class NotationMistake(NamedTuple):
    """Where a text leaves the grammar: the line and the column in characters, both from 1, and what stands there.

    `expected` and `found` are words for a sentence: `a card`, `"XX"`, `the end of the line`.
    """

    line: int
    column: int
    expected: str
    found: str


class SeveralReadings(NamedTuple):
    """Something that has several readings: where it stands, what is written, and what may be written in its place.

    `column` is that of its first character and `end` that behind its last, both counted from 1 in the text as typed.
    """

    line: int
    column: int
    end: int
    written: str
    readings: tuple[str, ...]


class NotationError(BeziqueError):
    """A text is not in the notation; there is at least one mistake or question, and no two are in one line."""

    def __init__(
        self, mistakes: Sequence[NotationMistake], questions: Sequence[SeveralReadings] = ()
    ) -> None:
        self.mistakes, self.questions = mistakes, questions
        told: list[NotationMistake | SeveralReadings] = [*mistakes, *questions]
        self.told = sorted(told, key=lambda each: (each.line, each.column))
        """The mistakes and the questions in the order of the text."""
        first = [
            *(f"Line {each.line}, column {each.column}: expected {each.expected}, found {each.found}." for each in mistakes[:1]),
            *(f"Line {each.line}, column {each.column}: {each.written} has several readings." for each in questions[:1]),
        ]  # fmt: skip
        super().__init__(" ".join(first))


class NotationTooLarge(BeziqueError):
    """A text denotes a record that has more bytes as JSON than a record may have."""


# Words and signs that the reader and the writer of the notation share.

SEAT_LETTERS = "abcdef"[:MAX_PLAYERS]
"""The first seat, which is 0 in JSON, is `a`."""
PLACE_LETTERS = {"hand": "h", "table": "t"}
"""What follows a card played where the record says from where: `QSt`."""
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*+")
JSON_WORDS = frozenset({"true", "false", "null"})

ACTIONS = ("takes", "declare", "dix", "carte_blanche", "cut", "score", "irregular", *MELD_NAMES)
"""What a seat does, other than play, draw and discard a card."""

KNOWN_CARDS = {card: card for card in ALL_CARDS} | {
    f"10{card[1:]}": card for card in ALL_CARDS if card[0] == "T"
}
"""Every way to write a card, and the card: `10S` is `TS`."""


def escape_controls(json_text: str) -> str:
    """A JSON text in which what breaks lines or turns writing around is escaped; it means the same."""
    return CONTROL_CHARACTERS.sub(lambda match: f"\\u{ord(match[0]):04x}", json_text)


def quote(text: str) -> str:
    """A text in quotes, as JSON writes it."""
    return escape_controls(json.dumps(text, ensure_ascii=False))


def word_or_quote(text: str) -> str:
    """A word as it is, and any other text in quotes."""
    if WORD.fullmatch(text) and text not in JSON_WORDS:
        return text
    return quote(text)
