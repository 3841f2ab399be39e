"""Texts of a record, made safe to show anywhere."""

import re

CONTROL_CHARACTERS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Characters that control a terminal, break a line, or change the direction of the text around them."""


def sanitize_text(text: str) -> str:
    """A text of a record on one line, with a space in place of every control character."""
    return text if text.isprintable() else CONTROL_CHARACTERS.sub(" ", text)
