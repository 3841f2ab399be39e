"""Administration: deleting a game, and a copy of the whole database."""

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Response, flash, redirect, url_for
from flask.typing import ResponseReturnValue

from analyzer.db.backup import passing_copy
from analyzer.db.deletion import delete_games
from analyzer.db.store import StoreCounts, StoredGame
from records.rules.vocabulary import RuleSheet
from webui.access.actions import Action
from webui.disk_room import DiskRoom
from webui.http.headers import keep_private
from webui.http.page import Page, Views
from webui.http.request_kinds import EXPORTS, PAGES
from webui.http.responses import attachment
from webui.views import game_cache, import_queue, private_uploads, store

BACKUP_PIECE_BYTES = 1024 * 1024
blueprint = Views("admin", __name__)
blueprint.after_request(keep_private)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletePage(Page):
    """The confirmation before a game is deleted."""

    template = "admin/delete.html"
    game: StoredGame
    sides: list[str]
    sheet: RuleSheet

    @property
    def data(self) -> object:
        """The game that would be deleted, as JSON."""
        return self.game


@blueprint.page("/games/<digest>/delete", Action.DELETE, PAGES)
def confirm_deletion(digest: str) -> DeletePage:
    """Ask before deleting a game."""
    game = game_cache().game(digest)
    sides = game.stored.side_names
    return DeletePage(game=game.stored, sides=sides, sheet=game.resolved.sheet)


@blueprint.address("/games/<digest>/delete", Action.DELETE, PAGES, method="POST")
def delete(digest: str) -> ResponseReturnValue:
    """Delete a game."""
    game = game_cache().game(digest)
    sides = game.stored.side_names
    delete_games(store(), [digest])
    game_cache().clear()
    flash(f"Deleted {' – '.join(sides)}, {game.resolved.sheet.name}.")
    return redirect(url_for("games.games"), 303)


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupPage(Page):
    """The page that offers a copy of the database; `size` is in bytes.

    `rooms` says what uploads take of the disk beside the database, by what they are.
    """

    template = "admin/admin.html"
    counts: StoreCounts
    size: int
    rooms: Mapping[str, DiskRoom]

    @property
    def data(self) -> object:
        """The size of a copy in bytes, how much it holds, and what uploads take of the disk."""
        return {"counts": self.counts, "size": self.size, "room": self.rooms}


@blueprint.page("/backup", Action.COPY, PAGES)
def admin() -> BackupPage:
    """The page that offers a copy of the database, and says what uploads take of the disk."""
    return BackupPage(
        counts=store().counts(),
        size=store().path.stat().st_size,
        rooms={"waiting": import_queue().room(), "private": private_uploads().room()},
    )


@blueprint.address("/backup", Action.COPY, EXPORTS, method="POST")
def backup() -> ResponseReturnValue:
    """A copy of the database as it is now."""
    return _copy()


@blueprint.address(
    "/local/backup", Action.COPY_BY_KEY, EXPORTS, method="POST", needs_form_token=False
)
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
