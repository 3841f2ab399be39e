"""Texts of a record as they may be shown anywhere."""

import re

CONTROL_CHARACTERS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Characters that steer a terminal, break a line, or turn the direction of the words around them."""


def sanitize_text(text: str) -> str:
    """A text of a record on one line, each character that would steer what shows it made a space."""
    return text if text.isprintable() else CONTROL_CHARACTERS.sub(" ", text)
