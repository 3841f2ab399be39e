"""Rulebooks of one's own on the command line: files that are named where the ID of a rulebook may stand."""

import os
from difflib import get_close_matches
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from records.phrases import path_text, sanitize_text
from webui.cli.main import FilePath, Refusal, server_address

if TYPE_CHECKING:
    from records.errors import RulesError
    from records.rules.vocabulary import RuleSheet


SHEET_ENDINGS = (".json", ".toml")
FILES = "bezique.own_sheets"
"""Where a command keeps the files that its --rules named."""


def is_sheet_file(text: str) -> bool:
    """Whether `--rules` was given a file and not an ID."""
    return text.lower().endswith(SHEET_ENDINGS)


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
    """The ID of a rulebook that an ID or a file names; raises Refusal for a file that is none, and OSError."""
    if is_sheet_file(text):
        return own_sheet(text).id
    if "." in text or os.sep in text:
        raise Refusal(_no_sheet_file(Path(text)))
    return text


def _no_sheet_file(path: Path) -> str:
    """Why a file cannot be a rulebook whose name does not end as those do."""
    name = path_text(path)
    if path.exists():
        return f"{name}: a rulebook is a file whose name ends in .json or .toml."
    beside = path.parent.iterdir() if path.parent.is_dir() else ()
    files = [file.name for file in beside if is_sheet_file(file.name)]
    near = get_close_matches(path.name, files, n=1)
    hint = f" Did you mean {path_text(path.with_name(near[0]))}?" if near else ""
    return f"{name}: there is no such file.{hint}"


def unknown_rulebook_words(error: "RulesError", *, takes_option: bool) -> str:
    """What to name in place of a rulebook that does not exist; `takes_option` tells whether the command has --rules FILE."""
    from records.rules.registry import unknown_rulebook

    way = "--rules " if takes_option else ""
    advice = f"`bezique rules` lists all; for one of your own, name its file: {way}FILE."
    for ending in SHEET_ENDINGS:
        if Path(file := f"{error.found}{ending}").is_file():
            advice = f"There is a file of that name: {way}{quote(file)}."
    return str(unknown_rulebook(error.found, advice))


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
