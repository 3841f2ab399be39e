"""Refusals: a sentence that says why a command cannot run, with exit status 2."""

import re
from pathlib import Path

import click

from records.safe_text import sanitize_text
from webui.display.words.verdict_words import sentence

_FIRST_WORD = re.compile(r"([A-Za-z][a-z'-]*)[ ,]")


class Refusal(click.ClickException):
    """A command cannot run: a missing file, a locked database, a port in use, options that contradict each other."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__("\n".join(map(sanitize_text, message.split("\n"))))


def error_sentence(error: Exception) -> str:
    """An error as a sentence."""
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}."
    text = str(error)
    word = _FIRST_WORD.match(text)
    # The name of a file or folder keeps the letters that it has.
    if word is None or Path(word[1]).exists():
        return f"{text.rstrip('.!')}."
    return sentence(text)
