"""Why a command cannot do what it was asked: one sentence, exit status 2."""

import click

from records.safe_text import sanitize_text
from webui.display.wording import sentence as as_sentence


class Refusal(click.ClickException):
    """Something outside the program is in the way: a missing file, a locked database, a busy port."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__("\n".join(map(sanitize_text, message.split("\n"))))


def error_sentence(error: Exception) -> str:
    """What went wrong, as a sentence."""
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}."
    return as_sentence(str(error))
