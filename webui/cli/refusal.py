"""Refusals: a sentence that says why a command cannot run, with exit status 2."""

import os
from typing import Any

import click

from records.safe_text import sanitize_lines
from webui.display.words.verdict_words import sentence


class Refusal(click.ClickException):
    """A command cannot run: a missing file, a locked database, a port in use, options that contradict each other."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(sanitize_lines(message))


def error_sentence(error: Exception) -> str:
    """An error as a sentence. No error of the project begins with a name, which keeps the letters that it has."""
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}."
    return sentence(str(error))


class PlainText(click.types.StringParamType):
    """A text of a command line that is no name of a file: the database and other programs take UTF-8 alone."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text; a usage error if the terminal sent bytes that are no UTF-8, which Python keeps as surrogates."""
        text = str(super().convert(value, param, ctx))
        try:
            text.encode()
        except UnicodeEncodeError:
            self.fail(f"{text!r} is not valid UTF-8.", param, ctx)
        return text


PLAIN_TEXT = PlainText()


class FilePath(click.Path):
    """The name of a file or folder; an empty one would be taken for the folder that the user is in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name; a usage error if it is empty, as that of a variable that was never set."""
        if not os.fspath(value):
            self.fail("A name is empty; . stands for this folder.", param, ctx)
        return super().convert(value, param, ctx)


def demand_plain_text(command: click.Command) -> None:
    """Let a command and all below it refuse texts that are no UTF-8; names of files may be any bytes."""
    for param in command.params:
        if param.type is click.STRING:
            param.type = PLAIN_TEXT
    if isinstance(command, click.Group):
        for below in command.commands.values():
            demand_plain_text(below)
