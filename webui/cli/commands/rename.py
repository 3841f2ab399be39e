"""`bezique rename`: another name for a player of the stored games."""

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from records.phrases import pluralize, sanitize_text
from webui.cli.main import Refusal, data_option, open_filled

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from analyzer.store.store import Store

LONGEST_NAME = 200


@click.command()
@click.argument("old")
@click.argument("new")
@click.option("--yes", is_flag=True, help="Rename without asking.")
@data_option
def rename(old: str, new: str, *, yes: bool, folder: Path) -> None:
    """Give a player of the stored games another name.

    If NEW is already a player, the two spellings become one: that cannot be taken back, so `bezique backup`
    first. Lists, standings, ratings and statistics then have the new name. The records stay as they were,
    byte for byte: a replay, a download and a rescued database have the name that the record has. A game
    that is stored later comes with the name in its own record: rename again.

    Only one process at a time can use a database: stop `bezique serve` first.

    \b
      bezique rename "Ann" "Anne" --data club
    """
    from analyzer.players.directory import count_names, rename_player

    old, new = old.strip(), new.strip()
    if not new or len(new) > LONGEST_NAME:
        raise Refusal(f"A name has 1 to {LONGEST_NAME} characters.")
    if old == new:
        raise Refusal("Both names are the same.")
    with open_filled(folder) as store:
        counts = count_names(store, old, new)
        if not counts.old:
            raise Refusal(f"No stored game has a player {old!r}.{_suggestion(store, old)}")
        if counts.both:
            raise Refusal(
                f"{old!r} and {new!r} sit at the same table in {pluralize(counts.both, 'game')}, so they are two players."
            )
        games = pluralize(counts.old, "game")
        if not yes:
            if counts.new:
                click.echo(
                    f"{new} is a player of {pluralize(counts.new, 'game')}: both become one."
                )
            click.confirm(f"Rename {old} to {new} in {games}?", abort=True)
        rename_player(store, old, new)
    click.echo(sanitize_text(f"Renamed {old} to {new} in {games}. The records are as they were."))


def _suggestion(store: "Store", name: str) -> str:
    """The name that was perhaps meant."""
    rows = store.rows("SELECT DISTINCT unnest(names) FROM games").rows
    near = get_close_matches(name, [known for (known,) in rows], n=1)
    return f" Did you mean {near[0]!r}?" if near else ""
