"""`bezique evening`: the evenings of a club, their rounds and their standings."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from records.phrases import sanitize_text
from webui.cli.main import FROM_ONE, Refusal, data_option, here_or_at_server
from webui.cli.row_table import RowFormat, format_option, print_rows

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from analyzer.players.evening_report import EveningEntry, EveningReport, TableReport
    from analyzer.store.store import Store
    from webui.server.local_server import LocalServer

EVENINGS_PATH = "/api/v1/evenings"
LIST_COLUMNS = ("evening", "event", "day")
TABLE_COLUMNS = ("round", "table", "first", "second", "source", "outcome", "first_points", "second_points")  # fmt: skip
WINNERS, NO_POINTS = ("first", "second"), (None, None)
number_argument = click.argument("number", required=False, type=FROM_ONE)


@click.group()
def evening() -> None:
    """Show the evenings of a club, their rounds and their standings.

    They are run on the site, at /events. NUMBER is that of an evening in the list; without it, the latest is
    shown. While `bezique serve` is running on the folder, the server is asked.

    \b
      bezique evening list --data club
      bezique evening show --data club
      bezique evening standings 3 --format csv --data club
    """


@evening.command("list")
@data_option
@format_option
def list_evenings(*, folder: Path, form: RowFormat) -> None:
    """List the evenings, the latest first.

    \b
      bezique evening list --data club
    """
    with _opened(folder) as opened:
        found = opened.list()
    if not found and form == "table":
        click.echo("There are no evenings. They begin on the site, at /events.")
        return
    rows = [[each.evening, each.event, each.day] for each in found]
    print_rows(form, found, LIST_COLUMNS, rows)


@evening.command()
@number_argument
@data_option
@format_option
def show(number: int | None, *, folder: Path, form: RowFormat) -> None:
    """Show the rounds of an evening: who met at which table, and what came of it.

    As JSON it has everything: players, rounds, standing, and records that fit no table.

    \b
      bezique evening show 3 --data club
      bezique evening show 3 --format json > evening.json
    """
    found = _read_evening(folder, number)
    rows = [
        [played.round, each.table, *each.players, each.source, _outcome(each), *(each.points or NO_POINTS)]
        for played in found.rounds
        for each in played.tables
    ]  # fmt: skip
    if form == "table":
        _print_title(found)
    print_rows(form, found, TABLE_COLUMNS, rows)
    for each in found.records_without_a_table if form == "table" else ():
        words = f"Without a table: {' – '.join(each.names)}, {each.digest[:12]}: {each.why}"
        click.echo(sanitize_text(words))


@evening.command()
@number_argument
@data_option
@format_option
def standings(number: int | None, *, folder: Path, form: RowFormat) -> None:
    """Show who stands where at an evening, with results that were typed.

    \b
      bezique evening standings 3 --data club
      bezique evening standings 3 --format csv > standing.csv
    """
    from analyzer.players.evening_results import EveningLine

    found = _read_evening(folder, number)
    columns = list(EveningLine.__slots__)
    if form == "table":
        _print_title(found)
    rows = [[getattr(line, column) for column in columns] for line in found.standing]
    print_rows(form, found.standing, columns, rows)


def _print_title(found: "EveningReport") -> None:
    click.echo(click.style(sanitize_text(f"{found.event}, {found.day}"), bold=True))
    if found.says:
        click.echo(sanitize_text(found.says))


def _outcome(table: "TableReport") -> str | None:
    """Which of the two won, or that it was a draw; None while the result is open."""
    if table.source is None:
        return None
    return "draw" if table.winner is None else WINNERS[table.players.index(table.winner)]


class _Evenings(NamedTuple):
    """What can be asked of a folder, by this process or of the server that uses it."""

    list: "Callable[[], list[EveningEntry]]"
    show: "Callable[[int], EveningReport]"


def _read_evening(folder: Path, number: int | None) -> "EveningReport":
    """The evening with this number, or the latest."""
    with _opened(folder) as opened:
        if number is None:
            number = next((each.evening for each in opened.list()), None)
        if number is None:
            raise Refusal("There are no evenings. They begin on the site, at /events.")
        return opened.show(number)


def _opened(folder: Path) -> AbstractContextManager[_Evenings]:
    return here_or_at_server(folder, _in_store, _at_server)


def _in_store(store: "Store") -> _Evenings:
    from analyzer.players import evenings
    from analyzer.players.evening_report import EveningEntry, report_evening

    def show_one(number: int) -> "EveningReport":
        found = evenings.read_evening(store, number)
        if found is None:
            raise Refusal("There is no such evening.")
        return report_evening(store, found)

    return _Evenings(
        lambda: [EveningEntry.of(each) for each in evenings.list_evenings(store)], show_one
    )


def _at_server(server: "LocalServer") -> _Evenings:
    from analyzer.players.evening_report import EveningReport
    from webui.api.players import EveningList

    return _Evenings(
        lambda: server.ask(EVENINGS_PATH, EveningList).evenings,
        lambda number: server.ask(f"{EVENINGS_PATH}/{number}", EveningReport),
    )
