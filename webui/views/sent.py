"""What somebody uploaded, by the private link that they got: to watch, stop, continue, discard and delete it.

The key of a link stands behind its #, which browsers send to nobody: a script of the page posts it, or a person pastes the
link into a form, and the session of the browser keeps it. The addresses have the public id of the upload.
"""

from dataclasses import dataclass
from typing import NoReturn

from flask import abort, flash, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from analyzer.store.games import delete_upload, digests_of_upload, is_logged_upload
from analyzer.store.store import GameFilter, RejectedRecord, StoredGame
from records.phrases import pluralize
from webui.server.actions import Action
from webui.server.imports_queue import ImportJob, describe_import, import_counts
from webui.server.page import Page, Views
from webui.server.private_links import (
    key_in_link,
    link_key,
    own_uploads,
    private_link,
    remember_link,
    upload_id,
)
from webui.server.private_uploads import PrivateUpload
from webui.server.request_kinds import PAGES
from webui.server.responses import is_scripted, json_response, keep_private
from webui.views import game_cache, import_queue, private_uploads, store
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


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPage(Page):
    """Asks for a private link; `uploads` are the public ids of those whose links the browser has.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class SentPage(Page):
    """What an upload came to, for its sender: `games` are the first of `total` that it stored.

    `part` shows the import of a large upload, `private` has the records of a private one; `link` is the private link,
    `upload` the public id. `rejected` are the first of `rejected_count` records that were not stored.
    """

    template = "imports/sent.html"
    link: str
    upload: str
    part: ImportPart | None
    games: list[StoredGame]
    total: int
    private: PrivateUpload | None
    rejected: list[RejectedRecord]
    rejected_count: int


@blueprint.page("/sent", Action.USE_LINK, PAGES)
def ask() -> LinkPage:
    """The page on which a private link is opened."""
    return LinkPage(uploads=own_uploads())


@blueprint.address("/sent/open", Action.USE_LINK, PAGES, method="POST")
def open_link() -> ResponseReturnValue:
    """Open a private link in this browser, and lead to its upload."""
    key, wanted = key_in_link(request.form.get("link", "")), request.form.get("next", "")
    upload = upload_id(key)
    if not _is_known(upload):
        page = LinkPage(uploads=own_uploads(), wanted=wanted, problem=UNKNOWN_LINK)
        return make_response(page.render(), 404)
    remember_link(key)
    if wanted.startswith(f"/sent/{upload}/") and wanted.isprintable():
        return redirect(request.script_root + wanted, 303)
    return redirect(url_for("sent.show", sent=upload), 303)


@blueprint.address("/sent/<sent>", Action.USE_LINK, PAGES)
def show(sent: str) -> ResponseReturnValue:
    """An upload as its sender sees it; a script that follows its import gets that part of the page alone."""
    upload = opened_upload(sent)
    job = import_queue().job(upload)
    part = import_part(job, for_sender=True) if job else None
    if part and is_scripted():
        return part.render()
    games = store().games(GameFilter(upload=upload), limit=MOST_GAMES_SHOWN)
    return SentPage(
        link=private_link(key, whole=True) if (key := link_key(upload)) else "",
        upload=upload,
        part=part,
        games=games.games,
        total=games.total,
        private=private_uploads().load(upload),
        rejected=store().rejected(MOST_REJECTED_SHOWN, upload),
        rejected_count=import_counts(store(), upload).rejected,
    ).render()


@blueprint.address("/sent/<sent>.json", Action.USE_LINK, PAGES)
def show_json(sent: str) -> ResponseReturnValue:
    """The public id of an upload, the digests of the games that it stored, and how many private records it has."""
    upload = opened_upload(sent)
    private = private_uploads().load(upload)
    return json_response(
        {
            "id": upload,
            "games": digests_of_upload(store(), upload),
            "private": len(private.records) if private else 0,
        }
    )


@blueprint.address("/sent/<sent>/progress.json", Action.USE_LINK, PAGES)
def progress(sent: str) -> ResponseReturnValue:
    """The progress of the import of an upload."""
    job = _job(sent)
    return json_response(describe_import(job, import_queue().jobs_before(job)))


@blueprint.address("/sent/<sent>/resume", Action.USE_LINK, PAGES, method="POST")
def resume(sent: str) -> ResponseReturnValue:
    """Resume the import."""
    import_queue().resume(_job(sent))
    return _back_to(sent)


@blueprint.address("/sent/<sent>/stop", Action.USE_LINK, PAGES, method="POST")
def stop(sent: str) -> ResponseReturnValue:
    """Stop the import; what is stored stays."""
    import_queue().stop(_job(sent).key)
    return _back_to(sent)


@blueprint.address("/sent/<sent>/discard", Action.USE_LINK, PAGES, method="POST")
def discard(sent: str) -> ResponseReturnValue:
    """Delete the files of an import that has ended; what is stored stays."""
    import_queue().discard(_job(sent))
    return _back_to(sent)


@blueprint.address("/sent/<sent>/delete", Action.USE_LINK, PAGES, method="POST")
def delete(sent: str) -> ResponseReturnValue:
    """Delete everything that an upload stored, and its files; what was stored before it stays."""
    flash(f"Deleted {pluralize(delete_sent(opened_upload(sent)), 'game')}.")
    return _back_to(sent)


def delete_sent(upload: str) -> int:
    """Delete what the upload with this public id stored; returns how many games. Answers 409 while it is imported."""
    job = import_queue().job(upload)
    if job is not None and job.is_active:
        abort(409, "The import is still at work. Stop it first.")
    private = private_uploads().load(upload)
    private_uploads().delete(upload)
    number = (len(private.records) if private else 0) + delete_upload(store(), upload)
    game_cache().clear()
    if job is not None:
        import_queue().discard(job)
    return number


def _back_to(sent: str) -> ResponseReturnValue:
    upload = sent if link_key(sent) else upload_id(sent)
    known = _is_known(upload)
    return redirect(url_for("sent.show", sent=upload) if known else url_for("home.home"), 303)


def _is_known(upload: str) -> bool:
    return (
        import_queue().job(upload) is not None
        or is_logged_upload(store(), upload)
        or upload in private_uploads()
    )


def known_upload(key: str) -> str:
    """The public id of the upload with this key; answers 404 if there is none."""
    upload = upload_id(key)
    return upload if _is_known(upload) else abort(404)


def opened_upload(sent: str) -> str:
    """The upload with this public id, whose link the browser has opened; otherwise a page asks for the link, or 404.

    Links of earlier versions have the key in place of the id: pages lead on from there to the address without it.
    """
    if link_key(sent):
        return sent if _is_known(sent) else abort(404)
    upload = upload_id(sent)
    is_page = request.method == "GET" and "text/html" in request.headers.get("Accept", "")
    if not is_page:
        return known_upload(sent)
    return _lead_on(sent, upload)


def _lead_on(sent: str, upload: str) -> NoReturn:
    """Lead from a link of an earlier version to the same address without the key; where it is none, ask for the link."""
    if not _is_known(upload):
        wanted = request.full_path.removesuffix("?")
        abort(make_response(LinkPage(uploads=own_uploads(), wanted=wanted).render()))
    remember_link(sent)
    here = {**request.args.to_dict(flat=False), **(request.view_args or {}), "sent": upload}
    abort(redirect(url_for(str(request.endpoint), **here), 303))


def _job(sent: str) -> ImportJob:
    return import_queue().job(opened_upload(sent)) or abort(404)
