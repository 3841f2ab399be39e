"""What is kept: taking a game away, and a copy of the whole database."""

import tempfile
from pathlib import Path

from flask import Blueprint, Response, abort, current_app, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from analyzer.db.backup import backup_store as copied
from analyzer.db.deletion import delete_games as deleted
from webui.http.local_server import KEY_HEADER, key_matches
from webui.http.responses import attachment, json_response
from webui.pages.admin import BackupPage, DeletePage
from webui.views import game_cache, store
from webui.views.games import side_names

BACKUP_PIECE_BYTES = 1024 * 1024
blueprint = Blueprint("admin", __name__)


@blueprint.before_request
def _require_permission() -> None:
    """Everybody, if the server allows it; who has read the key in the data folder, at the address for that."""
    if request.endpoint == "admin.local_backup":
        if not key_matches(request.headers.get(KEY_HEADER, ""), current_app.config["LOCAL_KEY"]):
            abort(403, "This address is for commands on the machine of the server.")
    elif not current_app.config["KEEPING"]:
        abort(403, "This server takes nothing away and gives no copies: ask who runs it.")


@blueprint.get("/games/<digest>/delete")
def asking(digest: str) -> ResponseReturnValue:
    """Ask whether this game is meant."""
    game = game_cache().game(digest)
    sides = side_names(game.stored, game.record.sides)
    return DeletePage(game=game.stored, sides=sides, sheet=game.resolved.sheet).render()


@blueprint.get("/games/<digest>/delete.json")
def asking_json(digest: str) -> ResponseReturnValue:
    """The game that would go, as data."""
    return json_response(game_cache().game(digest).stored)


@blueprint.post("/games/<digest>/delete")
def delete(digest: str) -> ResponseReturnValue:
    """Take it away."""
    game = game_cache().game(digest)
    sides = side_names(game.stored, game.record.sides)
    deleted(store(), [digest])
    game_cache().clear()
    flash(f"Deleted: {' – '.join(sides)}, {game.resolved.sheet.name}.")
    return redirect(url_for("games.games"), 303)


@blueprint.get("/backup")
def admin() -> ResponseReturnValue:
    """What a copy is, and the way to one."""
    return BackupPage(counts=store().counts(), size=store().path.stat().st_size).render()


@blueprint.get("/backup.json")
def admin_json() -> ResponseReturnValue:
    """How much a copy holds, and its size in bytes."""
    return json_response({"counts": store().counts(), "size": store().path.stat().st_size})


@blueprint.post("/backup")
def backup() -> ResponseReturnValue:
    """A copy of the database as it is now."""
    return _copy()


@blueprint.post("/local/backup")
def local_backup() -> ResponseReturnValue:
    """The same for `bezique backup`."""
    return _copy()


def _copy() -> Response:
    """A copy as it is sent; the file is taken away from the server before."""
    with tempfile.TemporaryDirectory(prefix="backup-", dir=store().path.parent) as folder:
        path = copied(store(), Path(folder))
        size = path.stat().st_size
        stream = path.open("rb")
    pieces = iter(lambda: stream.read(BACKUP_PIECE_BYTES), b"")
    response = attachment(pieces, store().path.name, "application/octet-stream")
    response.call_on_close(stream.close)
    response.content_length = size
    return response
