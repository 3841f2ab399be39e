"""Imports in the background: all of them, one with how far it is, what it came to."""

from flask import Blueprint, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from analyzer.db.game_filter import Chosen
from analyzer.db.import_summary import came_of
from webui.http.responses import json_response
from webui.jobs.import_job import Job
from webui.jobs.progress import Progress, told
from webui.pages import ImportPage, ImportPart, ImportsPage
from webui.views import background, store

MOST_REJECTED = 20
MOST_SHOWN = 100
blueprint = Blueprint("imports", __name__)


@blueprint.get("/imports")
def listing() -> ResponseReturnValue:
    """All imports, the newest first."""
    return ImportsPage(imports=_all()).render()


@blueprint.get("/imports.json")
def listing_json() -> ResponseReturnValue:
    """The same as data."""
    return json_response(_all())


@blueprint.get("/imports/<key>")
def shown(key: str) -> ResponseReturnValue:
    """One import; a script that watches it gets its part of the page alone."""
    part = _part(_job(key))
    scripted = request.headers.get("X-Requested-With") == "fetch"
    return part.render() if scripted else ImportPage(part=part).render()


@blueprint.get("/imports/<key>.json")
def progress(key: str) -> ResponseReturnValue:
    """How far it is, as data."""
    job = _job(key)
    return json_response(told(job, background().before(job)))


@blueprint.post("/imports/<key>/resume")
def resume(key: str) -> ResponseReturnValue:
    """Let it go on."""
    background().resume(_job(key))
    return redirect(url_for("imports.shown", key=key), 303)


@blueprint.post("/imports/<key>/stop")
def stop(key: str) -> ResponseReturnValue:
    """Stop it; what is stored stays."""
    background().stop(_job(key))
    return redirect(url_for("imports.shown", key=key), 303)


@blueprint.post("/imports/<key>/discard")
def discard(key: str) -> ResponseReturnValue:
    """Forget it, and its files."""
    background().discard(_job(key))
    return redirect(url_for("imports.listing"), 303)


def _all() -> list[Progress]:
    jobs = background().jobs()[:MOST_SHOWN]
    return [told(job, background().before(job)) for job in jobs]


def _job(key: str) -> Job:
    return background().job(key) or abort(404)


def _part(job: Job) -> ImportPart:
    meant = Chosen(files=job.names, since=job.created_at, until=job.ended_at)
    came = None if job.goes_on else came_of(store(), meant, MOST_REJECTED)
    return ImportPart(job=job, told=told(job, background().before(job)), came=came)
