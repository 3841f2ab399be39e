"""`bezique rules`: a rule sheet in English, several side by side, or one's own checked."""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from itertools import zip_longest
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

import click
from click.core import ParameterSource

from records.phrases import pluralize, sanitize_lines, sanitize_text
from records.rules.compare import Comparison, ComparisonCell, ComparisonRow
from records.rules.english import NARROWEST_TEXT
from webui.cli.main import Refusal, complete_sheets, data_option, error_sentence, here_or_at_server
from webui.cli.own_sheets import read_sheet_file, sheet_id_of
from webui.cli.row_table import explained_names

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from analyzer.store.rulebooks import LocalRulebook
    from analyzer.store.store import Store
    from analyzer.upkeep.keeping import AddedRulebook
    from webui.server.local_server import LocalServer

# The command.

WIDEST_TEXT = 100


@click.command()
@click.argument("sheet_ids", nargs=-1, metavar="[ID|FILE]...", shell_complete=complete_sheets)
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE",
    help="Apply this option; may be repeated.",
)  # fmt: skip
@click.option("--compare", "beside", is_flag=True, help="Show rulebooks side by side.")
@click.option(
    "--against", metavar="ID|FILE", shell_complete=complete_sheets,
    help="Mark differences from this rulebook instead of from the majority.",
)  # fmt: skip
@click.option("--differing", is_flag=True, help="Hide what all agree on.")
@data_option
@click.pass_context
def rules(
    ctx: click.Context,
    sheet_ids: tuple[str, ...],
    *,
    options: tuple[str, ...],
    beside: bool,
    against: str | None,
    differing: bool,
    folder: Path,
) -> None:
    """List the rulebooks, explain one in English, compare several, or check one's own.

    A record names its rulebook in `rules.id`, and the options that differ from the defaults in
    `rules.options`. Each rulebook ends with the list of its options.

    --compare shows the named rulebooks, or all, side by side and marks differences with a star. If they are
    too many for the width of the terminal, it lists them line by line.

    `bezique rules check FILE` reads a sheet of your own, in JSON or TOML, and reports every mistake with its line
    and column; the page of the sheets as data says what stands in it. The exit status is 1 if there are mistakes.

    `bezique rules add FILE` lets a data folder keep it: records that only name it are judged by it, those that waited for it
    become games, and the site explains it and lets people choose it. `bezique rules list` lists those that the folder keeps,
    and `bezique rules remove ID` removes one that no game goes by. While `bezique serve` is running on the folder, the
    server does it. `stats`, `export` and `standings` take the ID with --rules: of several versions whose games are stored it
    means all, and where only one can be chosen, its key such as ours~0123456789ab names it.

    \b
      bezique rules
      bezique rules bezique --option hand_size=9
      bezique rules --compare
      bezique rules --compare bezique zique --against bezique --differing
      bezique rules check ours.toml
      bezique rules add ours.toml --data club
    """
    _do_task(ctx, sheet_ids, folder)
    # Only a comparison can have something to compare with or to hide, so these options imply it.
    if beside or against or differing:
        _compare(sheet_ids, options, against, differing=differing)
    elif not sheet_ids:
        if options:
            raise Refusal("--option needs the ID of a rulebook. `bezique rules` lists them.")
        click.echo("\n".join(_every_sheet()))
    else:
        _explain(sheet_ids, options)


def _do_task(ctx: click.Context, words: tuple[str, ...], folder: Path) -> None:
    """Do what the first word names, if it names a task and no rulebook, and end."""
    task, *names = words or ("",)
    if task == "check":
        ctx.exit(_check(tuple(names)))
    if task in TASKS_OF_FOLDER:
        _keep(task, *names, folder=folder)
        ctx.exit(0)
    near = get_close_matches(task, TASKS, n=1, cutoff=0.75)
    if near and Path(task).suffix == "" and not _is_rulebook(task):
        raise Refusal(f"There is no rulebook {task!r}. Did you mean `bezique rules {near[0]}`?")
    if ctx.get_parameter_source("folder") is ParameterSource.COMMANDLINE:
        raise Refusal("--data goes with `bezique rules add`, `list` and `remove`.")


def _is_rulebook(text: str) -> bool:
    """Whether a word names a rulebook that is known."""
    from records.rules.registry import named_sheet

    return named_sheet(text) is not None


def _check(files: tuple[str, ...]) -> int:
    """Tell the mistakes of files; returns the exit status."""
    if not files:
        raise Refusal("Name the file to check: `bezique rules check FILE`.")
    status = 0
    for file in files:
        try:
            sheet = read_sheet_file(file)
        except Refusal as mistakes:
            status = max(status, 1)
            click.echo(mistakes.message)
        except OSError as error:
            status = 2
            click.echo(sanitize_lines(error_sentence(error)))
        else:
            click.echo(sanitize_lines(f"{file}: {sheet.name} ({sheet.id}) has no mistakes."))
    return status


# Rulebooks that a data folder keeps.

TASKS_OF_FOLDER = ("add", "list", "remove")
TASKS = ("check", *TASKS_OF_FOLDER)
RULEBOOKS_PATH = "/api/v1/rulebooks"


class _Keeping(NamedTuple):
    """What can be done in a folder, by this process or by the server that uses it."""

    add: "Callable[[str], AddedRulebook]"
    list: "Callable[[], list[LocalRulebook]]"
    remove: "Callable[[str], LocalRulebook]"


def _keep(task: str, *names: str, folder: Path) -> None:
    from analyzer.upkeep.keeping import RulebookRefused

    if (task == "list") == bool(names):
        raise Refusal(
            "Name the file to add, or the ID to remove; `bezique rules list` needs neither."
        )
    for name in names if task == "add" else ():
        read_sheet_file(name)  # nothing is made for a file with mistakes
    with here_or_at_server(
        folder, _in_store, _at_server, RulebookRefused, makes=task == "add"
    ) as keeping:
        if task == "list":
            click.echo("\n".join(_listed_sheets(keeping.list(), folder)))
        for name in names:
            click.echo(
                sanitize_lines(_add(keeping, name) if task == "add" else _remove(keeping, name))
            )


def _add(keeping: _Keeping, file: str) -> str:
    added = keeping.add(file)
    waited = (
        f" {pluralize(added.stored, 'record that waited for it is', 'records that waited for it are')} stored."
        if added.stored
        else ""
    )
    return f"Keeping {added.name} ({added.id}).{waited}"


def _remove(keeping: _Keeping, name: str) -> str:
    removed = keeping.remove(name)
    return f"Removed {removed.name} ({removed.id})."


def _listed_sheets(kept: "list[LocalRulebook]", folder: Path) -> Iterator[str]:
    from analyzer.store.lake_place import lake_address

    if not kept:
        yield f"{lake_address(folder) or folder} keeps no rulebooks. `bezique rules add FILE` adds one."
    for each in kept:
        games = pluralize(each.games, "game")
        yield sanitize_text(f"{each.id}  {each.name}: {games}, added on {each.made_at:%Y-%m-%d}")


def _in_store(store: "Store") -> _Keeping:
    from analyzer.store.rulebooks import list_local_rulebooks
    from analyzer.upkeep import keeping

    return _Keeping(
        lambda file: keeping.add_rulebook(store, read_sheet_file(file), "command"),
        lambda: list_local_rulebooks(store),
        lambda name: keeping.remove_rulebook(store, name),
    )


def _at_server(server: "LocalServer") -> _Keeping:
    from analyzer.store.rulebooks import LocalRulebook
    from analyzer.upkeep.keeping import AddedRulebook
    from records.rules.own_sheet import is_toml_file
    from webui.api.rulebooks import RulebookList, RulebookRequest

    def add(file: str) -> AddedRulebook:
        path = Path(file)
        sent = RulebookRequest(path.read_bytes().decode(), is_toml_file(path))
        return server.ask(RULEBOOKS_PATH, AddedRulebook, sent)

    return _Keeping(
        add,
        lambda: server.ask(RULEBOOKS_PATH, RulebookList).rulebooks,
        lambda name: server.ask(
            f"{RULEBOOKS_PATH}?{urlencode({'rulebook': name})}", LocalRulebook, method="DELETE"
        ),
    )


def _explain(sheet_ids: tuple[str, ...], options: tuple[str, ...]) -> None:
    from records.rules.english import explain_sheet, explanation_text
    from records.rules.registry import get_sheet, read_options, resolve_sheet

    sheet_id, *others = map(sheet_id_of, sheet_ids)
    if others:
        raise Refusal(
            "Only one rulebook can be printed at a time. --compare shows several side by side."
        )
    resolved = resolve_sheet(sheet_id, None, read_options(get_sheet(sheet_id), options))
    width = min(get_terminal_size().columns, WIDEST_TEXT)
    told = explain_sheet(resolved.sheet, resolved.options)
    click.echo(explanation_text(told, width), nl=False)


def _compare(
    sheet_ids: tuple[str, ...], options: tuple[str, ...], against: str | None, *, differing: bool
) -> None:
    from records.rules.compare import compare_rule_sheets
    from records.rules.registry import ALL_SHEETS, get_sheet

    if options:
        raise Refusal("--compare uses the default options and cannot be combined with --option.")
    names = dict.fromkeys(map(sheet_id_of, sheet_ids))
    sheets = [get_sheet(sheet_id) for sheet_id in names] or list(ALL_SHEETS)
    against = against if against is None else sheet_id_of(against)
    if against is not None and get_sheet(against) not in sheets:
        sheets.append(get_sheet(against))
    if len(sheets) == 1:
        raise Refusal("A comparison needs at least two rulebooks.")
    found = compare_rule_sheets(sheets, against=against, only_differing=differing)
    click.echo("\n".join(comparison_lines(found, get_terminal_size().columns)))


def _every_sheet() -> Iterator[str]:
    from records.rules.registry import ALL_SHEETS

    width = max(len(sheet.id) for sheet in ALL_SHEETS)
    names = ((sheet.id, f"{sheet.name}: {sheet.says}") for sheet in ALL_SHEETS)
    return explained_names(names, width=width, indent="", bold=True)


# Rule sheets side by side in the terminal: in columns if they fit, otherwise line by line.

NARROWEST_COLUMN = 16
"""The smallest width of a column, in characters."""
COLUMN_GAP = 2
_MARK = "*"
_MOST_NAMED = 3
"""More sheets than this with the same text are called "the others", if they are the only such group."""


def comparison_lines(comparison: Comparison, width: int) -> Iterator[str]:
    """The comparison as lines of at most `width` characters, or `NARROWEST_TEXT`; a star marks differences."""
    width = max(width, NARROWEST_TEXT)
    rows = [row for group in comparison.groups for row in group.rows]
    names = max((len(row.name) for row in rows), default=0)
    column = (width - names - 2 * COLUMN_GAP) // len(comparison.sheets) - COLUMN_GAP
    if column < NARROWEST_COLUMN:
        yield from _by_lines(comparison, width)
    else:
        yield from _in_columns(comparison, names, min(column, 40))


def _in_columns(comparison: Comparison, names: int, column: int) -> Iterator[str]:
    heads = [ComparisonCell(sheet.id, differs=False) for sheet in comparison.sheets]
    yield from _line(ComparisonRow("", "", tuple(heads)), names, column)
    for group in comparison.groups:
        yield ""
        yield click.style(group.heading, bold=True)
        for row in group.rows:
            yield from _line(row, names, column)


def _line(row: ComparisonRow, names: int, column: int) -> Iterator[str]:
    """A row of cells, each wrapped in its column."""
    wrapped = [_wrapped(cell, column) for cell in row.cells]
    for number, parts in enumerate(zip_longest(*wrapped, fillvalue="")):
        cells = "".join(f"{part:<{column + COLUMN_GAP}}" for part in parts)
        yield f"  {'' if number else row.name:<{names + COLUMN_GAP}}{cells}".rstrip()


def _wrapped(cell: ComparisonCell, column: int) -> list[str]:
    mark = _MARK if cell.differs else " "
    return wrap(
        cell.text, column, initial_indent=mark, subsequent_indent=" ", break_on_hyphens=False
    )


def _by_lines(comparison: Comparison, width: int) -> Iterator[str]:
    ids = [sheet.id for sheet in comparison.sheets]
    for number, group in enumerate(comparison.groups):
        if number:
            yield ""
        yield click.style(group.heading, bold=True)
        for row in group.rows:
            yield f"  {row.name}"
            yield from _group_by_text(row, ids, width)


def _group_by_text(row: ComparisonRow, ids: list[str], width: int) -> Iterator[str]:
    """One line per text, with the sheets that say it; those without a mark first."""
    sheets_by_text: dict[tuple[bool, str], list[str]] = {}
    for sheet_id, cell in zip(ids, row.cells, strict=True):
        sheets_by_text.setdefault((cell.differs, cell.text), []).append(sheet_id)
    many = [sheets for sheets in sheets_by_text.values() if len(sheets) > _MOST_NAMED]
    for (differs, text), sheets in sorted(sheets_by_text.items(), key=lambda item: item[0][0]):
        names = ", ".join(sheets)
        if len(sheets_by_text) == 1:
            names = "all"
        elif many == [sheets]:
            names = "the others"
        yield from wrap(
            f"{_MARK if differs else ' '} {text}: {names}",
            width,
            initial_indent="    ",
            subsequent_indent=" " * 8,
            break_on_hyphens=False,
        )
