"""Texts of a record and names of files, made safe to show and store anywhere."""

import os
import re

CONTROL_CHARACTERS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Characters that control a terminal, break a line, or change the direction of the text around them."""


def sanitize_text(text: str) -> str:
    """A text of a record on one line, with a space in place of every control character."""
    return text if text.isprintable() else CONTROL_CHARACTERS.sub(" ", text)


def sanitize_lines(text: str) -> str:
    """The same for a text of several lines, which stay lines."""
    return "\n".join(map(sanitize_text, text.split("\n")))


def path_text(path: str | os.PathLike[str]) -> str:
    """A path as a text that has an encoding: names of files are any bytes, and those that are no UTF-8 become U+FFFD."""
    return os.fsencode(path).decode(errors="replace")
