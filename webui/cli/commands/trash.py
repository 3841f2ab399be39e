"""`bezique trash`: list deleted games, bring them back, and delete them for good."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from records.phrases import pluralize
from webui.cli.main import Refusal, data_option, here_or_at_server
from webui.cli.row_table import RowFormat, format_option, print_rows

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from analyzer.store.store import Store
    from analyzer.upkeep.trash import DeletedGame, TrashEntry
    from webui.server.local_server import LocalServer

TRASH_PATH = "/api/v1/trash"
SHORTEST_DIGEST = 6
COLUMNS = ("digest", "players", "sheet", "day", "name", "line", "deleted_at", "leaves_at")


@click.group()
def trash() -> None:
    """List deleted games, bring them back, and delete them for good.

    A deleted game is in the trash for 30 days. While `bezique serve` is running on the folder, the server does
    what these commands ask.

    \b
      bezique trash list --data club
      bezique trash restore 3f786850e387 --data club
    """


@trash.command("list")
@data_option
@format_option
def list_games(*, folder: Path, form: RowFormat) -> None:
    """List the games in the trash, those deleted last first.

    \b
      bezique trash list --data club
      bezique trash list --format csv > deleted.csv
    """
    with _opened(folder) as opened:
        games = opened.games()
    if not games and form == "table":
        click.echo("The trash is empty.")
        return
    print_rows(form, games, COLUMNS, [_row(game, short=form == "table") for game in games])


@trash.command()
@click.argument("digests", nargs=-1, metavar="[DIGEST...]")
@click.option("--all", "everything", is_flag=True, help="Bring back all games.")
@data_option
def restore(digests: tuple[str, ...], *, everything: bool, folder: Path) -> None:
    """Bring games back from the trash, with their corrections and reviews.

    DIGEST is the digest in the list, or its first six or more characters.

    \b
      bezique trash restore 3f786850e387 --data club
      bezique trash restore --all --data club
    """
    if everything == bool(digests):
        raise Refusal("Give digests, or --all.")
    with _opened(folder) as opened:
        games = opened.games()
        wanted = [find_deleted(games, start) for start in digests] or [
            game.digest for game in games
        ]
        number = opened.restore(list(dict.fromkeys(wanted))) if wanted else 0
    click.echo(f"Brought back {pluralize(number, 'game')}.")


@trash.command()
@click.option("--yes", is_flag=True, help="Delete without asking.")
@data_option
def empty(*, yes: bool, folder: Path) -> None:
    """Delete for good all games in the trash. Nobody can bring them back.

    \b
      bezique trash empty --data club
    """
    with _opened(folder) as opened:
        games = pluralize(len(opened.games()), "game")
        if not yes:
            click.confirm(f"Delete {games} for good?", abort=True)
        number = opened.empty()
    click.echo(f"Deleted {pluralize(number, 'game')} for good.")


class _Trash(NamedTuple):
    """What can be done in a folder, by this process or by the server that uses it."""

    games: "Callable[[], Sequence[TrashEntry]]"
    restore: Callable[[Sequence[str]], int]
    empty: Callable[[], int]


def _opened(folder: Path) -> AbstractContextManager[_Trash]:
    return here_or_at_server(folder, _in_store, _at_server)


def _in_store(store: "Store") -> _Trash:
    from analyzer.upkeep import trash as kept

    return _Trash(
        lambda: [game.entry for game in kept.list_trash(store)],
        partial(kept.restore_games, store),
        partial(kept.empty_whole_trash, store),
    )


def _at_server(server: "LocalServer") -> _Trash:
    from webui.api import game_changes

    def list_all() -> "list[TrashEntry]":
        found: list[TrashEntry] = []
        while True:
            path = f"{TRASH_PATH}?limit={game_changes.MOST_TRASH_LISTED}&offset={len(found)}"
            part = server.ask(path, game_changes.TrashList)
            found += part.games
            if not part.games or len(found) >= part.total:
                return found

    def restore_all(digests: Sequence[str]) -> int:
        number, most = 0, game_changes.MOST_RESTORED
        for at in range(0, len(digests), most):
            wanted = game_changes.RestoreRequest([*digests[at : at + most]])
            number += server.ask(
                f"{TRASH_PATH}/restore", game_changes.RestoredGames, wanted
            ).restored
        return number

    return _Trash(
        list_all,
        restore_all,
        lambda: server.ask(TRASH_PATH, game_changes.ForgottenGames, method="DELETE").deleted,
    )


def find_deleted(games: "Sequence[TrashEntry | DeletedGame]", start: str) -> str:
    """The digest of the one game in the trash that begins so."""
    found = [game.digest for game in games if game.digest.startswith(start)]
    if len(start) < SHORTEST_DIGEST or len(found) != 1:
        raise Refusal(
            f"{start}: give six or more characters with which one digest in the trash begins."
        )
    return found[0]


def _row(game: "TrashEntry", *, short: bool) -> list[object]:
    times = (game.deleted_at, game.leaves_at)
    return [
        game.digest[:12] if short else game.digest,
        " – ".join(game.names),
        game.sheet,
        game.day,
        game.name,
        game.line,
        *(f"{time:%Y-%m-%d}" if short else time.isoformat() for time in times),
    ]
