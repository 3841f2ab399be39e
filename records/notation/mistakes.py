"""What is wrong with a text in the notation."""

from collections.abc import Sequence
from typing import NamedTuple

from records.errors import BeziqueError


class NotationMistake(NamedTuple):
    """Where a text leaves the grammar: the line and the column in characters, both from 1, and what stands there.

    `expected` and `found` are words for a sentence: `a card`, `"XX"`, `the end of the line`.
    """

    line: int
    column: int
    expected: str
    found: str


class NotationError(BeziqueError):
    """A text is not in the notation; there is at least one mistake, and no two are in one line."""

    def __init__(self, mistakes: Sequence[NotationMistake]) -> None:
        self.mistakes = mistakes
        first = mistakes[0]
        super().__init__(
            f"Line {first.line}, column {first.column}: expected {first.expected}, found {first.found}."
        )


class NotationTooLarge(BeziqueError):
    """A text denotes a record that has more bytes as JSON than a record may have."""
