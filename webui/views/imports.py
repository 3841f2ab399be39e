"""Background imports: the list, and one with its progress and summary.

Everybody who may read sees counts, times and states. Only the admin sees names of files here, and controls imports;
the sender does so by the private link of the upload.
"""

from flask import Blueprint, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from analyzer.db.import_summary import import_summary
from webui.access.gate import may
from webui.http.responses import json_response
from webui.jobs.imports_queue import ImportJob, ImportProgress, describe_import
from webui.pages.imports import ImportPage, ImportPart, ImportsPage
from webui.views import import_queue, store

MOST_REJECTED_SHOWN = 20
MOST_IMPORTS_SHOWN = 100
blueprint = Blueprint("imports", __name__)


@blueprint.get("/imports")
def list_imports() -> ResponseReturnValue:
    """All imports, newest first."""
    knows_all = may("control-imports")
    return ImportsPage(
        imports=_all(),
        rejected=store().rejected(MOST_REJECTED_SHOWN) if knows_all else [],
        rejected_count=store().counts().rejected if knows_all else 0,
    ).render()


@blueprint.get("/imports.json")
def list_imports_json() -> ResponseReturnValue:
    """All imports, newest first, as JSON."""
    return json_response(_all())


@blueprint.get("/imports/<upload>")
def show_import(upload: str) -> ResponseReturnValue:
    """One import; a script that follows its progress gets its part of the page alone."""
    return import_page(import_part(_job(upload)))


@blueprint.get("/imports/<upload>.json")
def progress(upload: str) -> ResponseReturnValue:
    """The progress of an import, as JSON."""
    return json_response(_describe(_job(upload)))


@blueprint.post("/imports/<upload>/resume")
def resume(upload: str) -> ResponseReturnValue:
    """Resume an import."""
    import_queue().resume(_job(upload))
    return redirect(url_for("imports.show_import", upload=upload), 303)


@blueprint.post("/imports/<upload>/stop")
def stop(upload: str) -> ResponseReturnValue:
    """Stop an import; what is stored stays."""
    import_queue().stop(_job(upload).key)
    return redirect(url_for("imports.show_import", upload=upload), 303)


@blueprint.post("/imports/<upload>/discard")
def discard(upload: str) -> ResponseReturnValue:
    """Delete an ended import and its files."""
    import_queue().discard(_job(upload))
    return redirect(url_for("imports.list_imports"), 303)


def import_part(job: ImportJob, *, for_sender: bool = False) -> ImportPart:
    """The part of a page that shows an import; its sender knows all of it."""
    knows_all = for_sender or may("control-imports")
    summary = None if job.is_active else import_summary(store(), job.id, MOST_REJECTED_SHOWN)
    return ImportPart(
        job=job,
        progress=describe_import(job, import_queue().jobs_before(job), with_names=knows_all),
        summary=summary,
        knows_all=knows_all,
        for_sender=for_sender,
    )


def import_page(part: ImportPart) -> ResponseReturnValue:
    """The page of an import, or for a script its part alone."""
    scripted = request.headers.get("X-Requested-With") == "fetch"
    return part.render() if scripted else ImportPage(part=part).render()


def _all() -> list[ImportProgress]:
    return [_describe(job) for job in import_queue().jobs()[:MOST_IMPORTS_SHOWN]]


def _describe(job: ImportJob) -> ImportProgress:
    before = import_queue().jobs_before(job)
    return describe_import(job, before, with_names=may("control-imports"))


def _job(upload: str) -> ImportJob:
    return import_queue().job(upload) or abort(404)
