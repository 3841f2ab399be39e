"""What somebody uploaded, by the private link that they got: to watch, stop, continue, discard and delete it."""

from dataclasses import dataclass

from flask import abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from analyzer.db.deletion import delete_upload, digests_of_upload
from analyzer.db.game_filter import GameFilter
from analyzer.db.import_summary import is_logged_upload
from analyzer.db.store import RejectedRecord, StoredGame
from records.phrases import pluralize
from webui.access.actions import Action
from webui.access.own_uploads import remember_upload
from webui.access.private_links import upload_id
from webui.games.private_uploads import PrivateUpload
from webui.http.headers import keep_private
from webui.http.page import Page, Views
from webui.http.request_kinds import PAGES
from webui.http.responses import json_response
from webui.jobs.import_job import ImportJob, import_counts
from webui.jobs.progress import describe_import
from webui.views import game_cache, import_queue, private_uploads, store
from webui.views.imports import MOST_REJECTED_SHOWN, ImportPart, import_part

MOST_GAMES_SHOWN = 20
blueprint = Views("sent", __name__)
blueprint.after_request(keep_private)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentPage(Page):
    """What an upload came to, for its sender: `games` are the first of `total` that it stored.

    `part` shows the import of a large upload, `private` has the records of a private one; `key` is that of the private
    link, `upload` the public id. `rejected` are the first of `rejected_count` records that were not stored.
    """

    template = "imports/sent.html"
    key: str
    upload: str
    part: ImportPart | None
    games: list[StoredGame]
    total: int
    private: PrivateUpload | None
    rejected: list[RejectedRecord]
    rejected_count: int


@blueprint.address("/sent/<key>", Action.USE_LINK, PAGES)
def show(key: str) -> ResponseReturnValue:
    """An upload as its sender sees it; a script that follows its import gets that part of the page alone."""
    upload = known_upload(key)
    remember_upload(upload)
    job = import_queue().job(upload)
    part = import_part(job, key) if job else None
    if part and request.headers.get("X-Requested-With") == "fetch":
        return part.render()
    games = store().games(GameFilter(upload=upload), limit=MOST_GAMES_SHOWN)
    return SentPage(
        key=key,
        upload=upload,
        part=part,
        games=games.games,
        total=games.total,
        private=private_uploads().load(upload),
        rejected=store().rejected(MOST_REJECTED_SHOWN, upload),
        rejected_count=import_counts(store(), upload).rejected,
    ).render()


@blueprint.address("/sent/<key>.json", Action.USE_LINK, PAGES)
def show_json(key: str) -> ResponseReturnValue:
    """The public id of an upload, the digests of the games that it stored, and how many private records it has."""
    upload = known_upload(key)
    private = private_uploads().load(upload)
    return json_response(
        {
            "id": upload,
            "games": digests_of_upload(store(), upload),
            "private": len(private.records) if private else 0,
        }
    )


@blueprint.address("/sent/<key>/progress.json", Action.USE_LINK, PAGES)
def progress(key: str) -> ResponseReturnValue:
    """The progress of the import of an upload."""
    job = _job(key)
    return json_response(describe_import(job, import_queue().jobs_before(job)))


@blueprint.address("/sent/<key>/resume", Action.USE_LINK, PAGES, method="POST")
def resume(key: str) -> ResponseReturnValue:
    """Resume the import."""
    import_queue().resume(_job(key))
    return _back_to(key)


@blueprint.address("/sent/<key>/stop", Action.USE_LINK, PAGES, method="POST")
def stop(key: str) -> ResponseReturnValue:
    """Stop the import; what is stored stays."""
    import_queue().stop(_job(key))
    return _back_to(key)


@blueprint.address("/sent/<key>/discard", Action.USE_LINK, PAGES, method="POST")
def discard(key: str) -> ResponseReturnValue:
    """Delete the files of an import that has ended; what is stored stays."""
    import_queue().discard(_job(key))
    return _back_to(key)


@blueprint.address("/sent/<key>/delete", Action.USE_LINK, PAGES, method="POST")
def delete(key: str) -> ResponseReturnValue:
    """Delete everything that an upload stored, and its files; what was stored before it stays."""
    flash(f"Deleted {pluralize(delete_sent(known_upload(key)), 'game')}.")
    return _back_to(key)


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


def _back_to(key: str) -> ResponseReturnValue:
    known = _is_known(upload_id(key))
    return redirect(url_for("sent.show", key=key) if known else url_for("home.home"), 303)


def _is_known(upload: str) -> bool:
    return (
        import_queue().job(upload) is not None
        or is_logged_upload(store(), upload)
        or private_uploads().load(upload) is not None
    )


def known_upload(key: str) -> str:
    """The public id of the upload with this key; answers 404 if there is none."""
    upload = upload_id(key)
    return upload if _is_known(upload) else abort(404)


def _job(key: str) -> ImportJob:
    return import_queue().job(upload_id(key)) or abort(404)
