"""`bezique rename`: another name for a player of the stored games."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

import click

from records.phrases import pluralize, sanitize_text
from webui.cli.main import Refusal, data_option, here_or_at_server

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from analyzer.store.player_names import MadeRename, PlannedRename
    from analyzer.store.store import Store
    from webui.api.players import RenameList
    from webui.server.local_server import LocalServer

RENAMES_PATH = "/api/v1/players/renames"


@click.command()
@click.argument("names", nargs=-1, metavar="[OLD NEW]")
@click.option("--undo", is_flag=True, help="Take back the last rename of the player NAME.")
@click.option("--yes", is_flag=True, help="Rename without asking.")
@data_option
def rename(names: tuple[str, ...], *, undo: bool, yes: bool, folder: Path) -> None:
    """Give a player of the stored games another name.

    If NEW is already a player, the two become one. Lists, standings, ratings and statistics then have the new
    name, also for games that are stored later. The records stay as they were, byte for byte. Players who sit at
    one table are never made one.

    OLD is a name in any spelling that people read alike, or an id. Without names, the command lists who was
    renamed, and players whose names differ only in case, accents or signs: perhaps they are one. With --undo,
    everything is as it was before the last rename of NAME.

    While `bezique serve` is running on the folder, the server does it.

    \b
      bezique rename "Ann" "Anne" --data club
      bezique rename --undo "Anne" --data club
      bezique rename --data club
    """
    with _renaming(folder) as renaming:
        match names:
            case (name,) if undo:
                taken = renaming.take_back(name)
                _say(f"The rename to {taken.name} was taken back.")
            case () if not undo:
                _list(renaming.list())
            case (old, new) if not undo:
                _rename(renaming, old, new, yes=yes)
            case _:
                raise Refusal("Give two names, OLD and NEW; with --undo one, without it also none.")


class _Renaming(NamedTuple):
    """What can be done in a folder, by this process or by the server that uses it."""

    plan: "Callable[[str, str], PlannedRename]"
    rename: "Callable[[str, str], PlannedRename]"
    take_back: "Callable[[str], MadeRename]"
    list: "Callable[[], RenameList]"


def _renaming(folder: Path) -> AbstractContextManager[_Renaming]:
    from analyzer.store.player_names import RenameRefused

    return here_or_at_server(folder, _in_store, _at_server, RenameRefused)


def _in_store(store: "Store") -> _Renaming:
    from analyzer.ingest import renaming
    from analyzer.store import player_names
    from webui.api.players import RenameList

    return _Renaming(
        partial(player_names.plan_rename, store),
        partial(renaming.rename_player, store),
        partial(renaming.take_back_rename, store),
        lambda: RenameList(
            player_names.list_renames(store), player_names.list_similar_people(store)
        ),
    )


def _at_server(server: "LocalServer") -> _Renaming:
    from analyzer.store.player_names import MadeRename, PlannedRename
    from webui.api.players import RenameList, RenameRequest

    def change(old: str, new: str, *, plan: bool = False) -> PlannedRename:
        return server.ask(RENAMES_PATH, PlannedRename, RenameRequest(old, new, plan))

    return _Renaming(
        partial(change, plan=True),
        change,
        lambda name: server.ask(f"{RENAMES_PATH}?{urlencode({'name': name})}", MadeRename, method="DELETE"),
        lambda: server.ask(RENAMES_PATH, RenameList),
    )  # fmt: skip


def _rename(renaming: _Renaming, old: str, new: str, *, yes: bool) -> None:
    plan = renaming.plan(old, new)
    games = pluralize(plan.games, "game")
    if not yes:
        if plan.new:
            of_new = pluralize(plan.games_of_new, "game")
            _say(f"{plan.new} is a player of {of_new}: both become one.")
        click.confirm(_shown(f"Rename {plan.old} to {plan.name} in {games}?"), abort=True)
    renaming.rename(old, new)
    _say(f"Renamed {plan.old} to {plan.name} in {games}. The records are as they were.")


def _list(found: "RenameList") -> None:
    for made in found.renames:
        _say(f"{made.old} is {made.now} (since {made.made_at:%Y-%m-%d %H:%M} UTC)")
    for first, *others in found.similar:
        _say(f"Perhaps one player: {', '.join([first, *others])}")
    if not (found.renames or found.similar):
        _say("Nobody was renamed, and no two names are similar.")


def _say(text: str) -> None:
    click.echo(_shown(text))


def _shown(text: str) -> str:
    from records.people import APART

    return sanitize_text(text.replace(APART, " "))
