"""`bezique delete`: delete stored games."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from records.phrases import pluralize, sanitize_text
from webui.cli.main import Refusal, data_option, open_filled

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from analyzer.store.store import Store, StoredGame

SHORTEST_DIGEST = 6


@click.command()
@click.argument("digests", nargs=-1, required=True, metavar="DIGEST...")
@click.option("--yes", is_flag=True, help="Delete without asking.")
@data_option
def delete(digests: tuple[str, ...], *, yes: bool, folder: Path) -> None:
    """Delete stored games.

    Deletes their records and findings, and removes them from the statistics. DIGEST is the digest on a
    game's page, or its first six or more characters. `bezique export game.json --digest DIGEST` saves a
    record first; storing it again restores everything.

    Only one process at a time can use a database: while `bezique serve` is running, delete on the game's
    page.

    \b
      bezique delete 3f786850e387
    """
    from analyzer.ingest.deletion import delete_games

    with open_filled(folder) as store:
        games = list(
            {
                game.digest: game for game in (_find_game(store, digest) for digest in digests)
            }.values()
        )
        for game in games:
            click.echo(_describe(game))
        if not yes:
            click.confirm(f"Delete {pluralize(len(games), 'game')}?", abort=True)
        number = delete_games(store, [game.digest for game in games])
    click.echo(f"Deleted {pluralize(number, 'game')}.")


def _find_game(store: "Store", start: str) -> "StoredGame":
    """The one game whose digest begins with this."""
    if len(start) < SHORTEST_DIGEST:
        raise Refusal(f"{start}: give at least {SHORTEST_DIGEST} characters of the digest.")
    found = store.digests_beginning(start)
    if len(found) != 1:
        raise Refusal(
            f"{'Several stored digests begin' if found else 'No stored digest begins'} with {start}."
        )
    game = store.game(found[0])
    assert game is not None
    return game


def _describe(game: "StoredGame") -> str:
    """A game in one line."""
    from webui.display.words import sheet_name, value_words

    score = f" {value_words(game.scores)}" if game.scores else ""
    place = game.name if game.line is None else f"{game.name}, line {game.line}"
    names = " – ".join(game.names)
    return sanitize_text(
        f"{game.digest[:12]}  {names}{score}, {sheet_name(game.sheet)}, {pluralize(game.deals, 'deal')}, from {place}"
    )
