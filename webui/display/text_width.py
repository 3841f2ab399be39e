"""Columns of text in a terminal, where some signs take two places and others none."""

from unicodedata import category, east_asian_width

NO_WIDTH = ("Mn", "Me", "Cf")
"""Categories of signs that take no place: accents that combine with the letter before, and joiners."""


def text_width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if category(sign) in NO_WIDTH else 1 + (east_asian_width(sign) in "WF") for sign in text
    )


def pad_text(text: str, width: int, *, right: bool = False) -> str:
    """A text with blanks behind it, or before it to stand at the right, as far as it is narrower than so many columns."""
    blanks = " " * (width - text_width(text))
    return blanks + text if right else text + blanks
