"""`bezique correct`: correct what a stored record tells of its occasion."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from records.phrases import sanitize_text
from webui.cli.main import FROM_ONE, Refusal, data_option, here_or_at_server

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from analyzer.store.made_corrections import MadeCorrection
    from analyzer.store.store import Store
    from webui.api.game_changes import CorrectionList, CorrectionRequest
    from webui.server.local_server import LocalServer

WHO = "command"


@click.command()
@click.argument("digest", metavar="DIGEST")
@click.argument("fact", required=False, metavar="[FACT VALUE]")
@click.argument("value", required=False, metavar="")
@click.option("--why", default="", metavar="TEXT", help="Note why it is corrected.")
@click.option("--undo", type=FROM_ONE, metavar="N", help="Undo the correction number N.")
@data_option
def correct(
    digest: str, fact: str | None, value: str | None, *, why: str, undo: int | None, folder: Path
) -> None:
    """Correct what a stored record tells of its occasion.

    FACT is name1, name2 and so on for the player in that seat, id1 likewise, date, event, round, table, site,
    comment, or note1 and so on for the text of a note. VALUE is told since; an empty one, "", takes away what
    the record tells. Lists, standings and statistics follow at once. The record stays as it was uploaded, byte
    for byte, and so does what it says of the play.

    DIGEST is the digest on a game's page, or its first twelve or more characters. Alone, it lists what was
    corrected, by whom, when and why. With --undo, everything is as it was before that correction.

    While `bezique serve` is running on the folder, the server does it.

    \b
      bezique correct 3f786850e387 name2 "Anne" --why "a slip of the pen"
      bezique correct 3f786850e387 date 2026-03-05 --data club
      bezique correct 3f786850e387 --undo 1
      bezique correct 3f786850e387
    """
    with _correcting(folder) as correcting:
        match fact, value:
            case None, None if undo is not None:
                _say("Undid", correcting.undo(digest, undo))
            case None, None:
                _list(correcting.list(digest))
            case str(), str() if undo is None:
                _say("Corrected", correcting.make(digest, _wanted(fact, value, why)))
            case _:
                raise Refusal("Give FACT and VALUE, or --undo N, or neither.")


class _Correcting(NamedTuple):
    """What can be done in a folder, by this process or by the server that uses it."""

    make: "Callable[[str, CorrectionRequest], MadeCorrection]"
    undo: "Callable[[str, int], MadeCorrection]"
    list: "Callable[[str], CorrectionList]"


def _correcting(folder: Path) -> AbstractContextManager[_Correcting]:
    from records.corrected import CorrectionRefused

    return here_or_at_server(folder, _in_store, _at_server, CorrectionRefused)


def _in_store(store: "Store") -> _Correcting:
    from analyzer.ingest.correcting import make_correction, undo_correction
    from analyzer.store.made_corrections import list_corrections
    from webui.api.game_changes import CorrectionList
    from webui.cli.commands.delete import find_game

    return _Correcting(
        lambda digest, wanted: make_correction(
            store, find_game(store, digest).digest, wanted.fact, wanted.value,
            reason=wanted.reason, made_by=WHO,
        ),
        lambda digest, number: undo_correction(
            store, find_game(store, digest).digest, number, undone_by=WHO
        ),
        lambda digest: CorrectionList(list_corrections(store, find_game(store, digest).digest)),
    )  # fmt: skip


def _at_server(server: "LocalServer") -> _Correcting:
    from analyzer.store.made_corrections import MadeCorrection
    from webui.api.game_changes import CorrectionList

    return _Correcting(
        lambda digest, wanted: server.ask(_path(digest), MadeCorrection, wanted),
        lambda digest, number: server.ask(f"{_path(digest)}/{number}", MadeCorrection, method="DELETE"),
        lambda digest: server.ask(_path(digest), CorrectionList),
    )  # fmt: skip


def _path(digest: str) -> str:
    if not digest.isalnum():
        raise Refusal(f"{digest} is no digest.")
    return f"/api/v1/games/{digest}/corrections"


def _wanted(fact: str, value: str, why: str) -> "CorrectionRequest":
    from records.corrected import read_fact
    from webui.api.game_changes import CorrectionRequest

    subject, place = read_fact(fact)
    return CorrectionRequest(subject=subject, place=place, value=value, reason=why)


def _say(done: str, made: "MadeCorrection") -> None:
    click.echo(sanitize_text(f"{done} {_describe(made)}. The record is as it was."))


def _list(found: "CorrectionList") -> None:
    for made in found.corrections:
        why = f", {made.reason}" if made.reason else ""
        undone = f"; undone by {made.undone_by}, {made.undone_at:%Y-%m-%d %H:%M} UTC" if made.undone_at else ""  # fmt: skip
        when = f"{made.made_at:%Y-%m-%d %H:%M} UTC"
        click.echo(sanitize_text(f"{made.number}: {_describe(made)} (by {made.made_by}, {when}{why}{undone})"))  # fmt: skip
    if not found.corrections:
        click.echo("Nothing was corrected.")


def _describe(made: "MadeCorrection") -> str:
    told, value = (repr(text) if text else "nothing" for text in (made.uploaded, made.value))
    return f"{made.fact.word}: {value}, where the record tells {told}"
