"""The mark that a comment begins with: what its author thinks of the choice, as chess writers put it."""

from types import MappingProxyType
from typing import NamedTuple

NOTE_MARKS = MappingProxyType(
    {
        "!!": "brilliant",
        "!": "good",
        "!?": "interesting",
        "?!": "doubtful",
        "?": "a mistake",
        "??": "a blunder",
        "(forced)": "the only choice",
        "(luck)": "a matter of luck",
    }
)
"""Every mark with its meaning."""


class MarkedText(NamedTuple):
    """A comment as its mark, empty if it has none, and its words."""

    mark: str
    words: str

    @property
    def meaning(self) -> str:
        """What the mark says; empty without one."""
        return NOTE_MARKS.get(self.mark, "")


def split_mark(text: str) -> MarkedText:
    """Part a comment from its mark: the first word of the text, if it is one ("Notes and lines" in the specification)."""
    first = (text.split(maxsplit=1) or [""])[0]
    if first not in NOTE_MARKS or not text.startswith(first):
        return MarkedText("", text)
    return MarkedText(first, text[len(first) :].lstrip())
