"""Background imports: the list, and one with its progress and summary."""

from flask import Blueprint, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from analyzer.db.game_filter import GameFilter
from analyzer.db.import_summary import import_summary
from webui.http.responses import json_response
from webui.jobs.import_job import ImportJob
from webui.jobs.progress import ImportProgress, describe_import
from webui.pages.imports import ImportPage, ImportPart, ImportsPage
from webui.views import import_queue, store

MOST_REJECTED_SHOWN = 20
MOST_IMPORTS_SHOWN = 100
blueprint = Blueprint("imports", __name__)


@blueprint.get("/imports")
def list_imports() -> ResponseReturnValue:
    """All imports, newest first."""
    return ImportsPage(imports=_all()).render()


@blueprint.get("/imports.json")
def list_imports_json() -> ResponseReturnValue:
    """All imports, newest first, as JSON."""
    return json_response(_all())


@blueprint.get("/imports/<key>")
def show_import(key: str) -> ResponseReturnValue:
    """One import; a script that follows its progress gets its part of the page alone."""
    part = _part(_job(key))
    scripted = request.headers.get("X-Requested-With") == "fetch"
    return part.render() if scripted else ImportPage(part=part).render()


@blueprint.get("/imports/<key>.json")
def progress(key: str) -> ResponseReturnValue:
    """The progress of an import, as JSON."""
    job = _job(key)
    return json_response(describe_import(job, import_queue().jobs_before(job)))


@blueprint.post("/imports/<key>/resume")
def resume(key: str) -> ResponseReturnValue:
    """Resume an import."""
    import_queue().resume(_job(key))
    return redirect(url_for("imports.show_import", key=key), 303)


@blueprint.post("/imports/<key>/stop")
def stop(key: str) -> ResponseReturnValue:
    """Stop an import; what is stored stays."""
    import_queue().stop(_job(key))
    return redirect(url_for("imports.show_import", key=key), 303)


@blueprint.post("/imports/<key>/discard")
def discard(key: str) -> ResponseReturnValue:
    """Delete an ended import and its files."""
    import_queue().discard(_job(key))
    return redirect(url_for("imports.list_imports"), 303)


def _all() -> list[ImportProgress]:
    jobs = import_queue().jobs()[:MOST_IMPORTS_SHOWN]
    return [describe_import(job, import_queue().jobs_before(job)) for job in jobs]


def _job(key: str) -> ImportJob:
    return import_queue().job(key) or abort(404)


def _part(job: ImportJob) -> ImportPart:
    games = GameFilter(files=job.names, since=job.created_at, until=job.ended_at)
    summary = None if job.is_active else import_summary(store(), games, MOST_REJECTED_SHOWN)
    return ImportPart(
        job=job, progress=describe_import(job, import_queue().jobs_before(job)), summary=summary
    )
