"""`bezique ratings`: how strong the players are, by the matches stored."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webui.cli.main import data_option, open_filled
from webui.cli.row_table import RowFormat, format_option, print_rows, row_table

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from analyzer.players.ratings import Standing

COLUMNS = ("name", "rating", "deviation", "at_least", "matches")


@click.command()
@data_option
@format_option
def ratings(folder: Path, form: RowFormat) -> None:
    """Show the ratings of the players.

    Every finished match that is fully known and without an error is rated, by the method of Weng and Lin, in
    the order of play.
    Players are sorted by what they are almost certainly worth at least: the rating minus three deviations.
    The site shows the same at /players.

    \b
      bezique ratings --data club
      bezique ratings --data club --format csv > ratings.csv
    """
    from analyzer.players.ratings import Ratings

    with open_filled(folder) as store:
        rated = Ratings(store)
        ladder = rated.complete_ladder()
        rated.close()
    players = sorted(ladder.standings.items(), key=lambda player: (-player[1].surely, player[0]))
    if form == "table":
        click.echo("\n".join(_rating_table(players)))
        return
    rows = [
        (name, each.rating, each.deviation, each.surely, each.matches) for name, each in players
    ]
    print_rows(form, [dict(zip(COLUMNS, row, strict=True)) for row in rows], COLUMNS, rows)


def _rating_table(players: "Sequence[tuple[str, Standing]]") -> Iterable[str]:
    """The players with their places, and numbers to one decimal."""
    if not players:
        return [
            "No stored match is rated: a match must be finished, fully known and without an error."
        ]
    rows = [
        (
            place,
            name,
            round(each.rating, 1),
            round(each.deviation, 1),
            round(each.surely, 1),
            each.matches,
        )
        for place, (name, each) in enumerate(players, start=1)
    ]
    return row_table(["", *COLUMNS], rows)
