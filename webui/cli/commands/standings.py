"""`bezique standings`: who stands where in an event, a season, or among all stored matches."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from records.phrases import pluralize, sanitize_text
from webui.cli.main import Refusal, WholeNumber, complete_sheets, data_option, open_filled
from webui.cli.own_sheets import refuse_sheet_file
from webui.cli.row_table import RowFormat, format_option, print_rows, row_table

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from analyzer.players.standings import CountedMatches, MatchChoice, StandingLine
    from analyzer.store.store import Store

MOST_EVENTS_NAMED = 20


@click.command()
@data_option
@click.option("--event", help="Only the matches of this event, as their records name it.")
@click.option(
    "--season", type=WholeNumber(1, 9999), metavar="YEAR", help="Only matches of this year."
)
@click.option(
    "--rules",
    "sheet_id",
    metavar="ID",
    shell_complete=complete_sheets,
    callback=refuse_sheet_file,
    help="Only matches by this rulebook.",
)
@format_option
def standings(
    folder: Path, event: str | None, season: int | None, sheet_id: str | None, form: RowFormat
) -> None:
    """Show who stands where.

    A match won is a point, a draw half a point; equal points are decided by wins, then by the points scored.
    Finished matches count: those that keep the rules, and those of which the record has only the scores;
    with --event and without --rules, also results typed at its evenings, which have no record.
    Without --event, every stored match counts, and the events are named below. The site shows the same at
    /events, with the crosstable and the results by round.

    \b
      bezique standings --data club
      bezique standings --event "Thursday club" --season 2026 --data club
      bezique standings --event "Spring tournament" --format csv > standing.csv
    """
    from analyzer.players.evening_results import event_matches
    from analyzer.players.standings import MatchChoice, standing
    from analyzer.store.rulebooks import key_named

    with open_filled(folder) as store:
        sheet = key_named(store, sheet_id) if sheet_id else None
        choice = MatchChoice(event=event, season=season, sheet=sheet)
        if event is not None:
            _require_event(store, event)
        chosen = event_matches(store, choice)
        lines = standing(store, chosen)
        if form == "table":
            click.echo("\n".join(_standing_table(choice, chosen, lines)))
            if event is None and (words := _events(store)):
                click.echo(words)
        else:
            columns = _columns(lines, every=True)
            print_rows(form, {"choice": choice, "standing": lines}, columns, _rows(lines, columns))


def _standing_table(
    choice: "MatchChoice", chosen: "CountedMatches", lines: "Sequence[StandingLine]"
) -> "list[str]":
    from analyzer.players.standings import list_places

    named = [choice.event, choice.season, choice.sheet]
    title = ", ".join(str(part) for part in named if part is not None) or "All stored matches"
    if not lines:
        return [f"{sanitize_text(title)}: no finished match counts here."]
    columns = _columns(lines, every=False)
    rows = [
        [place, *row] for place, row in zip(list_places(lines), _rows(lines, columns), strict=True)
    ]
    table = [click.style(sanitize_text(title), bold=True), *row_table(["", *columns], rows)]
    if stated := len(chosen.stated):
        table.append(
            click.style(
                f"Of {pluralize(stated, 'match', 'matches')} only the scores are known.", dim=True
            )
        )
    return table


def _columns(lines: "Sequence[StandingLine]", *, every: bool) -> list[str]:
    """The columns of a standing; for people only those that somebody has."""
    from analyzer.players.standings import StandingLine

    columns = list(StandingLine.__slots__)
    shown = {
        "received": any(line.received is not None for line in lines),
        "typed": any(line.typed for line in lines),
    }
    return [column for column in columns if every or shown.get(column, True)]


def _rows(lines: "Sequence[StandingLine]", columns: list[str]) -> list[list[object]]:
    return [[getattr(line, column) for column in columns] for line in lines]


def _require_event(store: "Store", event: str) -> None:
    """Refuse an event that no game names."""
    from analyzer.players.standings import list_events

    names = list(dict.fromkeys(found.event for found in list_events(store)))
    if event in names:
        return
    from difflib import get_close_matches

    near = get_close_matches(event, names, n=1)
    hint = f"Did you mean {near[0]!r}?" if near else _events(store) or "No game names its event."
    raise Refusal(f"No stored game is of the event {event!r}. {hint}")


def _events(store: "Store") -> str:
    """The events of the stored games in a sentence; empty if no game names one."""
    from analyzer.players.standings import list_events

    names = list(dict.fromkeys(sanitize_text(found.event) for found in list_events(store)))
    more = f" and {len(names) - MOST_EVENTS_NAMED:,} more" if len(names) > MOST_EVENTS_NAMED else ""
    listed = ", ".join(names[:MOST_EVENTS_NAMED])
    return f"Events: {listed}{more}." if names else ""
