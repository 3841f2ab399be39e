"""Rulebooks of one's own on the command line: files that are named where the ID of a rulebook may stand."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from records.phrases import sanitize_text
from webui.cli.main import FilePath, Refusal, server_address

if TYPE_CHECKING:
    from records.rules.vocabulary import RuleSheet


FILES = "bezique.own_sheets"
"""Where a command keeps the files that its --rules named."""


def is_sheet_file(text: str) -> bool:
    """Whether `--rules` was given a file and not an ID."""
    return text.lower().endswith((".json", ".toml"))


def own_sheet(file: str) -> "RuleSheet":
    """The sheet of a file, which records of this process may name; raises Refusal with every mistake, and OSError."""
    from records.errors import SheetIdTaken
    from records.rules.registry import add_sheet

    sheet = read_sheet_file(file)
    try:
        add_sheet(sheet)
    except SheetIdTaken as error:
        raise Refusal(f"{file}: {error}") from error
    return sheet


def read_sheet_file(file: str) -> "RuleSheet":
    """The sheet of a file, whose id is no other's; raises Refusal with every mistake, and OSError."""
    from records.errors import SheetIdTaken
    from records.rules.own_sheet import read_sheet_at
    from records.rules.sheet_text import SheetError

    try:
        return read_sheet_at(Path(file))
    except SheetError as error:
        lines = [f"{file}:{line}:{column}: {says}" for line, column, says in error.mistakes]
        raise Refusal("\n".join(lines)) from error
    except SheetIdTaken as error:
        raise Refusal(f"{file}: {error}") from error


def sheet_id_of(text: str) -> str:
    """The ID of a rulebook that an ID or a file names."""
    return own_sheet(text).id if is_sheet_file(text) else text


def _know_sheets(ctx: click.Context, param: click.Parameter, files: tuple[str, ...]) -> None:
    """Let records name the sheets of these files."""
    if files and server_address():
        raise Refusal(
            "--rules cannot be combined with --server: a site goes by the rulebooks that it has."
        )
    for file in files:
        own_sheet(file)
    ctx.meta[FILES] = files


def named_files() -> str:
    """The options of a command that name the same files as this one's; empty if it has none."""
    context = click.get_current_context(silent=True)
    files = context.meta.get(FILES, ()) if context else ()
    return "".join(f" --rules {sanitize_text(quote(file))}" for file in files)


own_sheets_option = click.option(
    "--rules", multiple=True, metavar="FILE", type=FilePath(), callback=_know_sheets, expose_value=False,
    help="A rule sheet of your own that records may name, in JSON or TOML; may be repeated.",
)  # fmt: skip
"""The option of commands that read records."""


def refuse_sheet_file(ctx: click.Context, param: click.Parameter, text: str | None) -> str | None:
    """The ID of a rulebook, where a file cannot stand for one."""
    if text is not None and is_sheet_file(text):
        raise Refusal(
            "--rules chooses among stored games here and takes the ID of a rulebook, not a file."
        )
    return text
