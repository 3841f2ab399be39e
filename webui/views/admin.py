"""Administration: deleting a game, and a copy of the whole database."""

from flask import Blueprint, Response, flash, redirect, url_for
from flask.typing import ResponseReturnValue

from analyzer.db.backup import passing_copy
from analyzer.db.deletion import delete_games
from webui.disk_room import DiskRoom
from webui.http.headers import keep_private
from webui.http.responses import attachment, json_response
from webui.pages.admin import BackupPage, DeletePage
from webui.views import game_cache, import_queue, private_uploads, store

BACKUP_PIECE_BYTES = 1024 * 1024
blueprint = Blueprint("admin", __name__)
blueprint.after_request(keep_private)


@blueprint.get("/games/<digest>/delete")
def confirm_deletion(digest: str) -> ResponseReturnValue:
    """Ask before deleting a game."""
    game = game_cache().game(digest)
    sides = game.stored.side_names
    return DeletePage(game=game.stored, sides=sides, sheet=game.resolved.sheet).render()


@blueprint.get("/games/<digest>/delete.json")
def confirm_deletion_json(digest: str) -> ResponseReturnValue:
    """The game that would be deleted, as JSON."""
    return json_response(game_cache().game(digest).stored)


@blueprint.post("/games/<digest>/delete")
def delete(digest: str) -> ResponseReturnValue:
    """Delete a game."""
    game = game_cache().game(digest)
    sides = game.stored.side_names
    delete_games(store(), [digest])
    game_cache().clear()
    flash(f"Deleted {' – '.join(sides)}, {game.resolved.sheet.name}.")
    return redirect(url_for("games.games"), 303)


@blueprint.get("/backup")
def admin() -> ResponseReturnValue:
    """The page that offers a copy of the database, and says what uploads take of the disk."""
    return BackupPage(
        counts=store().counts(), size=store().path.stat().st_size, rooms=_rooms()
    ).render()


@blueprint.get("/backup.json")
def admin_json() -> ResponseReturnValue:
    """The size of a copy in bytes, how much it holds, and what uploads take of the disk."""
    return json_response(
        {"counts": store().counts(), "size": store().path.stat().st_size, "room": _rooms()}
    )


def _rooms() -> dict[str, DiskRoom]:
    return {"waiting": import_queue().room(), "private": private_uploads().room()}


@blueprint.post("/backup")
def backup() -> ResponseReturnValue:
    """A copy of the database as it is now."""
    return _copy()


@blueprint.post("/local/backup")
def local_backup() -> ResponseReturnValue:
    """The same copy, for `bezique backup`."""
    return _copy()


def _copy() -> Response:
    """A copy as a download; its file is deleted before it is sent."""
    with passing_copy(store()) as path:
        size = path.stat().st_size
        stream = path.open("rb")
    pieces = iter(lambda: stream.read(BACKUP_PIECE_BYTES), b"")
    response = attachment(pieces, store().path.name, "application/octet-stream")
    response.call_on_close(stream.close)
    response.content_length = size
    return response
