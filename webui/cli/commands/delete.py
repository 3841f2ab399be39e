"""`bezique delete`: delete stored games, and bring them back."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from records.phrases import pluralize, sanitize_text
from webui.cli.commands.trash import SHORTEST_DIGEST, find_deleted
from webui.cli.main import Refusal, data_option, open_filled

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from analyzer.store.store import Store, StoredGame


@click.command()
@click.argument("digests", nargs=-1, required=True, metavar="DIGEST...")
@click.option("--yes", is_flag=True, help="Delete without asking.")
@click.option(
    "--for-good",
    is_flag=True,
    help="Keep nothing: neither in the database nor in the trash.",
)
@click.option("--restore", is_flag=True, help="Bring deleted games back from the trash.")
@data_option
def delete(
    digests: tuple[str, ...], *, yes: bool, for_good: bool, restore: bool, folder: Path
) -> None:
    """Move stored games to the trash, or delete them for good.

    Removes their records and findings from the database and the statistics. For 30 days they can be brought back
    from the trash. DIGEST is the digest on a game's page, or its first six or more characters.

    Only one process at a time can use a database: while `bezique serve` is running, delete on the game's
    page. `bezique trash` lists what was deleted.

    \b
      bezique delete 3f786850e387
      bezique delete --restore 3f786850e387
    """
    from analyzer.store.store_folders import refuse_lake
    from analyzer.upkeep import trash

    refuse_lake(folder, "which has no trash: `bezique lake delete` deletes games of it")
    with open_filled(folder) as store:
        if restore:
            games = trash.list_trash(store)
            number = trash.restore_games(store, [find_deleted(games, start) for start in digests])
            click.echo(f"Brought back {pluralize(number, 'game')}.")
            return
        chosen = {game.digest: game for game in (find_game(store, start) for start in digests)}
        for game in chosen.values():
            click.echo(describe_game(game))
        if not yes:
            click.confirm(f"Delete {pluralize(len(chosen), 'game')}?", abort=True)
        number = (trash.delete_for_good if for_good else trash.trash_games)(store, [*chosen])
    back = f"For {trash.TRASH_DAYS} days, --restore brings them back."
    click.echo(f"Deleted {pluralize(number, 'game')}. {'Nothing is kept.' if for_good else back}")


def find_game(store: "Store", start: str) -> "StoredGame":
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


def describe_game(game: "StoredGame") -> str:
    """A game in one line."""
    from webui.display.words import sheet_name, value_words

    score = f" {value_words(game.scores)}" if game.scores else ""
    place = game.name if game.line is None else f"{game.name}, line {game.line}"
    names = " – ".join(game.names)
    return sanitize_text(
        f"{game.digest[:12]}  {names}{score}, {sheet_name(game.sheet)}, {pluralize(game.deals, 'deal')}, from {place}"
    )
