"""Refusals: a sentence that says why a command cannot run, with exit status 2."""

import click

from records.safe_text import sanitize_text
from webui.display.words.verdict_words import sentence


class Refusal(click.ClickException):
    """A command cannot run: a missing file, a locked database, a port in use, options that contradict each other."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__("\n".join(map(sanitize_text, message.split("\n"))))


def error_sentence(error: Exception) -> str:
    """An error as a sentence. No error of the project begins with a name, which keeps the letters that it has."""
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}."
    return sentence(str(error))
