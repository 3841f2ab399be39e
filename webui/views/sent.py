"""What somebody uploaded, by the private link that they got: to watch, stop, continue, discard and delete it.

The key of a link stands behind its #, which browsers send to nobody: a script of the page posts it, or a person pastes the
link into a form, and the session of the browser keeps it. The addresses have the public id of the upload.
"""

from collections.abc import Mapping
from typing import NoReturn

from flask import abort, flash, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from analyzer.ingest.deletion import delete_upload
from analyzer.store.games import digests_of_upload, is_logged_upload
from analyzer.store.store import GameFilter, RejectedRecord, StoredGame
from analyzer.store.studies import read_stored_study
from analyzer.upkeep.trash import (
    TRASH_DAYS,
    DeletedGame,
    forget_deleted,
    list_trash_of_upload,
    restore_games,
    trash_games,
)
from records.phrases import pluralize
from webui.replay.match_curve import Spark
from webui.server.actions import Action
from webui.server.imports_queue import ImportJob, describe_import, import_counts
from webui.server.page import Page, Views, requested_page
from webui.server.private_links import (
    key_in_link,
    link_key,
    own_uploads,
    private_link,
    remember_link,
    remember_study,
    upload_id,
)
from webui.server.private_uploads import PrivateUpload
from webui.server.request_kinds import PAGES
from webui.server.responses import (
    is_scripted,
    json_response,
    keep_private,
    lead_to,
    site_path,
    with_query,
)
from webui.views import game_cache, import_queue, look_queue, private_uploads, store
from webui.views.games import draw_sparks
from webui.views.imports import MOST_REJECTED_SHOWN, ImportPart, import_part

MOST_GAMES_SHOWN = 20
blueprint = Views("sent", __name__)
blueprint.after_request(keep_private)
UNKNOWN_LINK = (
    "No upload has this link. It may have been deleted, or a part of the link is missing."
)


@blueprint.app_context_processor
def link_words() -> dict[str, object]:
    """What templates say private links with."""
    return {"private_link": private_link, "link_key": link_key}


class LinkPage(Page):
    """Asks for a private link; `uploads` are the public ids of those whose links the browser has, and that are there.

    `wanted` is the address that was asked for without the link, if there was one.
    """

    template = "imports/link.html"
    uploads: list[str]
    wanted: str = ""
    problem: str = ""

    @property
    def data(self) -> object:
        """The public ids of the uploads whose private links this browser has."""
        return {"uploads": self.uploads}


class SentPage(Page):
    """What an upload came to, for its sender.

    Of the `total` that it stored, `games` are those of the page with this `number`, from 1, in the order of the files. `part`
    shows the import of a large upload, `private` has the records of one that `is_private`, None if they cannot be read;
    `link` is the private link, `upload` the public id. `rejected` are the first of `rejected_count` records that were not
    stored, `trash` the games in the trash.
    """

    template = "imports/sent.html"
    link: str
    upload: str
    part: ImportPart | None
    games: list[StoredGame]
    sparks: Mapping[str, Spark]
    total: int
    number: int
    private: PrivateUpload | None
    is_private: bool
    rejected: list[RejectedRecord]
    rejected_count: int
    trash: list[DeletedGame]
    trash_days = TRASH_DAYS

    @property
    def last(self) -> int:
        """The number of the last page."""
        return max(1, -(-self.total // MOST_GAMES_SHOWN))


@blueprint.page("/sent", Action.USE_LINK, PAGES)
def ask() -> LinkPage:
    """The page on which a private link is opened."""
    return _link_page()


@blueprint.form("/sent/open", Action.USE_LINK, PAGES)
def open_link() -> ResponseReturnValue:
    """Open a private link in this browser, and lead to its upload."""
    key, wanted = key_in_link(request.form.get("link", "")), request.form.get("next", "")
    upload = upload_id(key)
    if key and read_stored_study(store(), upload) is not None:
        remember_study(key)
        is_of_study = wanted.startswith(f"/study/{upload}/") and wanted.isprintable()
        return (
            redirect(site_path(wanted), 303)
            if is_of_study
            else lead_to("studies.show", study=upload)
        )
    if not _is_known(upload):
        return make_response(_link_page(wanted, UNKNOWN_LINK).render(), 404)
    remember_link(key)
    if wanted.startswith(f"/sent/{upload}/") and wanted.isprintable():
        return redirect(site_path(wanted), 303)
    return lead_to("sent.show", sent=upload)


def _sent_data(sent: str) -> object:
    """The public id of an upload, the digests of the games that it stored, and how many private records it has.

    That number is null where they cannot be read.
    """
    upload = opened_upload(sent)
    private = private_uploads().load_whole(upload)
    number = len(private.records) if private else None if upload in private_uploads() else 0
    return {"id": upload, "games": digests_of_upload(store(), upload), "private": number}


@blueprint.page("/sent/<sent>", Action.USE_LINK, PAGES, data=_sent_data)
def show(sent: str) -> SentPage | ResponseReturnValue:
    """An upload as its sender sees it; a script that follows its import gets that part of the page alone."""
    upload = opened_upload(sent)
    if look_queue().job(upload) is not None and link_key(upload):
        return lead_to("looks.show", sent=upload)
    job = import_queue().job(upload)
    part = import_part(job, for_sender=True) if job else None
    if part and is_scripted():
        return part.render()
    number = requested_page()
    games = store().games(
        GameFilter(upload=upload),
        limit=MOST_GAMES_SHOWN,
        offset=MOST_GAMES_SHOWN * (number - 1),
        order="files",
    )
    return SentPage(
        link=private_link(key, whole=True) if (key := link_key(upload)) else "",
        upload=upload,
        part=part,
        games=games.games,
        sparks=draw_sparks(games.games),
        total=games.total,
        number=number,
        private=private_uploads().load_whole(upload),
        is_private=upload in private_uploads(),
        rejected=store().rejected(MOST_REJECTED_SHOWN, upload),
        rejected_count=import_counts(store(), upload).rejected,
        trash=list_trash_of_upload(store(), upload),
    )


@blueprint.address("/sent/<sent>/progress.json", Action.USE_LINK, PAGES)
def progress(sent: str) -> ResponseReturnValue:
    """The progress of the import of an upload."""
    job = _job(opened_upload(sent))
    return json_response(describe_import(job, import_queue().jobs_before(job)))


@blueprint.form("/sent/<sent>/resume", Action.USE_LINK, PAGES)
def resume(sent: str) -> ResponseReturnValue:
    """Resume the import."""
    upload = opened_upload(sent)
    import_queue().resume(_job(upload))
    return _back_to(upload)


@blueprint.form("/sent/<sent>/stop", Action.USE_LINK, PAGES)
def stop(sent: str) -> ResponseReturnValue:
    """Stop the import; what is stored stays."""
    upload = opened_upload(sent)
    import_queue().stop(_job(upload).key)
    return _back_to(upload)


@blueprint.form("/sent/<sent>/discard", Action.USE_LINK, PAGES)
def discard(sent: str) -> ResponseReturnValue:
    """Delete the files of an import that has ended; what is stored stays."""
    upload = opened_upload(sent)
    import_queue().discard(_job(upload))
    return _back_to(upload)


@blueprint.form("/sent/<sent>/undo", Action.USE_LINK, PAGES)
def undo(sent: str) -> ResponseReturnValue:
    """Move what an upload stored to the trash, or one game of it, for which the sender need not be the admin."""
    upload = opened_upload(sent)
    _ended_import(upload)
    number = trash_games(store(), _own(digests_of_upload(store(), upload)))
    game_cache().clear()
    flash(f"Moved {pluralize(number, 'game')} to the trash.")
    return _back_to(upload)


@blueprint.form("/sent/<sent>/restore", Action.USE_LINK, PAGES)
def restore(sent: str) -> ResponseReturnValue:
    """Bring back from the trash what an upload had stored, or one game of it."""
    upload = opened_upload(sent)
    games = list_trash_of_upload(store(), upload)
    number = restore_games(store(), _own([game.digest for game in games]))
    game_cache().clear()
    flash(f"Brought back {pluralize(number, 'game')}.")
    return _back_to(upload)


def _own(digests: list[str]) -> list[str]:
    """Those of an upload's games that the form names; all of them where it names none. Answers 404 if it has no such game."""
    wanted = request.form.getlist("game")
    if not set(wanted) <= set(digests):
        abort(404)
    return wanted or digests


@blueprint.form("/sent/<sent>/delete", Action.USE_LINK, PAGES)
def delete(sent: str) -> ResponseReturnValue:
    """Delete everything that an upload stored for good, and its files; what was stored before it stays."""
    upload = opened_upload(sent)
    number = delete_sent(upload)
    flash(f"Deleted {pluralize(number, 'game')}." if number else "Deleted the upload.")
    return _back_to(upload)


def delete_sent(upload: str) -> int:
    """Delete what the upload with this public id stored; returns how many games. Answers 409 while it is imported."""
    job = _ended_import(upload)
    private = private_uploads().load_whole(upload)
    if (look := look_queue().job(upload)) is not None:
        look_queue().stop(upload)
        look_queue().discard(look)
    private_uploads().delete(upload)
    trashed = [game.digest for game in list_trash_of_upload(store(), upload)]
    number = (len(private.records) if private else 0) + delete_upload(store(), upload)
    forget_deleted(store().folder, trashed)
    game_cache().clear()
    if job is not None:
        import_queue().discard(job)
    return number


def _ended_import(upload: str) -> ImportJob | None:
    """The import of an upload, if it has one; answers 409 while that is at work."""
    job = import_queue().job(upload)
    if job is not None and job.is_active:
        abort(409, "The import is still at work. Stop it first.")
    return job


def _back_to(upload: str) -> ResponseReturnValue:
    known = _is_known(upload)
    return lead_to("sent.show", sent=upload) if known else lead_to("home.home")


def _is_known(upload: str) -> bool:
    return (
        import_queue().job(upload) is not None
        or look_queue().job(upload) is not None
        or is_logged_upload(store(), upload)
        or upload in private_uploads()
    )


def known_upload(key: str) -> str:
    """The public id of the upload with this key; answers 404 if there is none."""
    upload = upload_id(key)
    return upload if _is_known(upload) else abort(404)


def opened_upload(sent: str) -> str:
    """The public id of an upload whose link the browser has opened; otherwise a page asks for the link, or 404.

    Links of earlier versions have the key in place of the id: pages lead on from there to the address without it. For
    programs the answer is made there, and names the id alone.
    """
    if link_key(sent):
        return sent if _is_known(sent) else abort(404)
    if request.method == "GET" and "text/html" in request.headers.get("Accept", ""):
        return _lead_on(sent, upload_id(sent))
    upload = known_upload(sent)
    request.view_args = {**(request.view_args or {}), "sent": upload}
    return upload


def _lead_on(sent: str, upload: str) -> NoReturn:
    """Lead from a link of an earlier version to the same address without the key; where it is none, ask for the link."""
    if not _is_known(upload):
        abort(make_response(_link_page(with_query(request.path)).render()))
    remember_link(sent)
    parts = {**(request.view_args or {}), "sent": upload}
    abort(redirect(with_query(url_for(str(request.endpoint), **parts)), 303))


def ask_for_link(wanted: str) -> str:
    """The page that asks for the private link by which a page is seen."""
    return _link_page(wanted).render()


def _link_page(wanted: str = "", problem: str = "") -> LinkPage:
    """The page that asks for a link, with the uploads of this browser that are still there."""
    uploads = [upload for upload in own_uploads() if _is_known(upload)]
    return LinkPage(uploads=uploads, wanted=wanted, problem=problem)


def _job(upload: str) -> ImportJob:
    return import_queue().job(upload) or abort(404)
