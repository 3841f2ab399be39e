"""The admin: logging in, backups, deleting games."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from flask import (
    Response,
    abort,
    current_app,
    flash,
    make_response,
    redirect,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue

from analyzer.store.games import passing_copy
from analyzer.store.store import StoreCounts, StoredGame
from analyzer.upkeep.trash import (
    TRASH_DAYS,
    DeletedGame,
    TrashSize,
    delete_for_good,
    empty_trash,
    find_in_trash,
    forget_deleted,
    list_trash,
    restore_games,
    trash_games,
    trash_size,
    upload_of_deleted,
)
from records.phrases import pluralize
from records.rules.vocabulary import RuleSheet
from webui.display.words import date_words
from webui.server.access import actor, admin_sessions, is_admin, may
from webui.server.actions import Action
from webui.server.error_pages import (
    ERROR_TEXTS,
    ERROR_TITLES,
    answer_error,
    is_interface_request,
)
from webui.server.game_cache import GameNotFound
from webui.server.logins import is_password, password_hash
from webui.server.page import Page, Views
from webui.server.private_links import own_uploads
from webui.server.private_uploads import DiskRoom
from webui.server.request_kinds import EXPORTS, LOGINS, PAGES
from webui.server.responses import attachment, keep_private, lead_to
from webui.views import game_cache, import_queue, look_queue, private_uploads, store

# Deleting a game, and a copy of the whole database.

BACKUP_PIECE_BYTES = 1024 * 1024
MOST_TRASH_SHOWN = 200
IN_TRASH_TITLE = "This game is in the trash"
blueprint = Views("admin", __name__)
blueprint.after_request(keep_private)


class DeletePage(Page):
    """The confirmation before a game is moved to the trash, or deleted `for_good`."""

    template = "admin/delete.html"
    game: StoredGame
    sides: list[str]
    sheet: RuleSheet
    for_good: bool

    @property
    def data(self) -> object:
        """The game that would be deleted, as JSON."""
        return self.game


@blueprint.page("/games/<digest>/delete", Action.DELETE, PAGES)
def confirm_deletion(digest: str) -> DeletePage:
    """Ask before deleting a game; with `?for_good=1` before deleting it for good."""
    game = game_cache().game(digest)
    return DeletePage(
        game=game.stored,
        sides=game.stored.side_names,
        sheet=game.resolved.sheet,
        for_good=bool(request.args.get("for_good")),
    )


@blueprint.form("/games/<digest>/delete", Action.DELETE, PAGES)
def delete(digest: str) -> ResponseReturnValue:
    """Move a game to the trash, or delete it for good."""
    game = game_cache().game(digest)
    sides = game.stored.side_names
    is_for_good = bool(request.form.get("for_good"))
    (delete_for_good if is_for_good else trash_games)(store(), [game.digest])
    game_cache().clear()
    words = f"Deleted {' – '.join(sides)}, {game.resolved.sheet.name}"
    if is_for_good:
        flash(f"{words}, for good.")
    else:
        flash(f"{words}: it is in the trash.", f"deleted {game.digest}")
    return lead_to("games.games")


@blueprint.app_errorhandler(GameNotFound)
def tell_what_became_of_it(error: GameNotFound) -> Response:
    """The answer for a game that is not there; only who may bring it back is told that it is in the trash, and until when."""
    if found := _restorable(str(error)):
        game, way = found
        text = f"It was deleted on {date_words(game.deleted_at)}. You can bring it back until {date_words(game.leaves_at)}."
        return answer_error(404, IN_TRASH_TITLE, text, ways=[way])
    ways = [(url_for("games.games"), "All games")] if may("read") else []
    return answer_error(404, ERROR_TITLES[404], ERROR_TEXTS[404], ways=ways)


def _restorable(digest: str) -> tuple[DeletedGame, tuple[str, str]] | None:
    """A game in the trash, and where who asks can bring it back: as the admin, or as its sender by the private link."""
    uploads = [] if may("delete") or is_interface_request() else own_uploads()
    game = find_in_trash(store(), digest) if may("delete") or uploads else None
    if game is None:
        return None
    if may("delete"):
        return game, (url_for("admin.trash"), "Go to the trash")
    upload = upload_of_deleted(store(), game, uploads)
    return (game, (url_for("sent.show", sent=upload), "Go to your upload")) if upload else None


class TrashPage(Page):
    """The games in the trash, those deleted last first; only the first `total` are shown."""

    template = "admin/trash.html"
    games: Sequence[DeletedGame]
    total: int
    days = TRASH_DAYS

    @property
    def data(self) -> object:
        """The digests of the games in the trash, with their files, players, and when they are deleted for good."""
        return [each.entry for each in self.games]


@blueprint.page("/trash", Action.DELETE, PAGES)
def trash() -> TrashPage:
    """The games in the trash."""
    games = list_trash(store())
    return TrashPage(games=games[:MOST_TRASH_SHOWN], total=len(games))


@blueprint.form("/trash/restore", Action.DELETE, PAGES)
def restore() -> ResponseReturnValue:
    """Bring games back from the trash: those that the form names, or all."""
    wanted = request.form.getlist("game") or [game.digest for game in list_trash(store())]
    number = restore_games(store(), wanted)
    game_cache().clear()
    flash(f"Brought back {pluralize(number, 'game')}." if number else _not_in_trash(wanted))
    return lead_to("admin.trash")


def _not_in_trash(wanted: Sequence[str]) -> str:
    """What became of games that are in the trash no more."""
    if not wanted:
        return "The trash was empty already."
    number = sum(store().game(digest) is not None for digest in wanted)
    it, was = ("The game", "was") if len(wanted) == 1 else ("The games", "were")
    if number == len(wanted):
        return f"{it} {was} brought back already."
    if not number:
        return f"{it} {was} deleted for good already."
    return f"{pluralize(number, 'game')} brought back already, the others deleted for good."


class EmptyTrashPage(Page):
    """The confirmation before games in the trash are deleted for good: `wanted` is one of them, None stands for all.

    The `problem` says what became of them if they are there no more.
    """

    template = "admin/empty_trash.html"
    wanted: DeletedGame | None
    total: int
    problem: str

    @property
    def data(self) -> object:
        """How many games would be deleted."""
        return {"games": 1 if self.wanted else self.total}


@blueprint.page("/trash/empty", Action.DELETE, PAGES)
def confirm_empty_trash() -> EmptyTrashPage:
    """Ask before the trash is emptied, or before the one of its games that `?game=` names is deleted for good."""
    games, digest = list_trash(store()), request.args.get("game", "")
    wanted = next((game for game in games if game.digest == digest), None)
    is_gone = not games or (digest and wanted is None)
    problem = _not_in_trash([digest] if digest else []) if is_gone else ""
    return EmptyTrashPage(wanted=wanted, total=len(games), problem=problem)


@blueprint.form("/trash/empty", Action.DELETE, PAGES)
def delete_trash() -> ResponseReturnValue:
    """Delete for good the games that the form names, or all that are in the trash."""
    wanted = request.form.getlist("game")
    folder = store().folder
    if wanted:
        number = forget_deleted(folder, wanted)
        flash(f"Deleted {pluralize(number, 'game')} for good." if number else _not_in_trash(wanted))
    else:
        flash("The trash was emptied." if empty_trash(folder) else _not_in_trash(wanted))
    return lead_to("admin.trash")


class BackupPage(Page):
    """The page that offers a copy of the database; `size` is in bytes.

    `rooms` says what uploads take of the disk beside the database, by what they are, and `trash` what deleted games take.
    """

    template = "admin/admin.html"
    counts: StoreCounts
    size: int
    rooms: Mapping[str, DiskRoom]
    trash: TrashSize

    @property
    def data(self) -> object:
        """The size of a copy in bytes, how much it holds, and what uploads take of the disk."""
        return {
            "counts": self.counts,
            "size": self.size,
            "room": self.rooms,
            "trash": self.trash,
        }


@blueprint.page("/backup", Action.COPY, PAGES)
def admin() -> BackupPage:
    """The page that offers a copy of the database, and says what uploads take of the disk."""
    return BackupPage(
        counts=store().counts(),
        size=store().path.stat().st_size,
        rooms={
            "looked_at": look_queue().room(),
            "waiting": import_queue().room(),
            "private": private_uploads().room(),
        },
        trash=trash_size(store()),
    )


@blueprint.form("/backup", Action.COPY, EXPORTS)
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


# Logging in and out as the admin of a public server.

login_blueprint = Views("login", __name__)
login_blueprint.after_request(keep_private)


class LoginPage(Page):
    """The form for the admin's password; `next_page` is the path to go on to, `problem` what was wrong."""

    template = "login/login.html"
    public: bool
    logged_in: bool
    next_page: str
    problem: str

    @property
    def data(self) -> object:
        """Who the server takes you for."""
        return {"role": actor().role, "name": actor().name}


@login_blueprint.page("/login", Action.LOG_IN, PAGES)
def log_in() -> LoginPage:
    """The page on which the admin logs in."""
    return _page()


@login_blueprint.form("/login", Action.LOG_IN, LOGINS)
def check_password() -> ResponseReturnValue:
    """Begin a session for whoever knows the password."""
    if not current_app.config["PUBLIC"]:
        abort(403, "Nobody needs to log in here: this server answers only to its own machine.")
    folder = Path(current_app.config["DATA"])
    if not is_password(folder, request.form.get("password", "")):
        return make_response(_page(problem="That is not the password.").render(), 403)
    session.clear()  # what a visitor's session held was not said by the admin
    session["admin"] = admin_sessions().begin(password_hash(folder))
    flash("You are logged in as the admin.")
    return redirect(_next_page(), 303)


@login_blueprint.form("/logout", Action.LOG_OUT, PAGES)
def log_out() -> ResponseReturnValue:
    """End the admin's session."""
    admin_sessions().end(session.get("admin", ""))
    session.clear()
    flash("You are logged out.")
    return lead_to("home.home")


def _next_page() -> str:
    """The page that asked for the password, if it is one of this site."""
    wanted = request.form.get("next", "")
    return wanted if _is_own(wanted) else url_for("home.home")


def _is_own(address: str) -> bool:
    """Whether an address is a path of this site, however a browser reads it."""
    if not address.startswith("/") or address.startswith("//") or not address.isprintable():
        return False
    try:
        parts = urlsplit(address.replace("\\", "/"))
    except ValueError:
        return False
    return not (parts.scheme or parts.netloc)


def _page(problem: str = "") -> LoginPage:
    return LoginPage(
        public=current_app.config["PUBLIC"],
        logged_in=is_admin(),
        next_page=request.values.get("next", ""),
        problem=problem,
    )
