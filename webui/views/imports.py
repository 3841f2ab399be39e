"""Background imports: the list, and one with its progress and summary.

Everybody who may read sees counts, times and states. Only the admin sees names of files here, and controls imports;
the sender does so by the private link of the upload.
"""

from flask import abort, url_for
from flask.typing import ResponseReturnValue

from analyzer.store.games import ImportSummary, import_summary
from analyzer.store.store import RejectedRecord
from records.phrases import pluralize
from webui.server.access import may
from webui.server.actions import Action
from webui.server.imports_queue import (
    STOPPED_IMPORT_DAYS,
    ImportJob,
    ImportProgress,
    describe_import,
)
from webui.server.page import Page, Views
from webui.server.request_kinds import PAGES
from webui.server.responses import is_scripted, json_response, lead_to
from webui.views import import_queue, store

MOST_REJECTED_SHOWN = 20
MOST_IMPORTS_SHOWN = 100
blueprint = Views("imports", __name__)


class ImportsPage(Page):
    """All imports; for the admin also the latest `rejected` records of `rejected_count` that were not stored."""

    template = "imports/imports.html"
    imports: list[ImportProgress]
    rejected: list[RejectedRecord]
    rejected_count: int

    @property
    def data(self) -> object:
        """All imports, newest first, as JSON."""
        return self.imports


@blueprint.page("/imports", Action.READ, PAGES)
def list_imports() -> ImportsPage:
    """All imports, newest first."""
    knows_all = may("control-imports")
    return ImportsPage(
        imports=[_describe(job) for job in import_queue().jobs()[:MOST_IMPORTS_SHOWN]],
        rejected=store().rejected(MOST_REJECTED_SHOWN) if knows_all else [],
        rejected_count=store().counts().rejected if knows_all else 0,
    )


@blueprint.address("/imports/<upload>", Action.READ, PAGES)
def show_import(upload: str) -> ResponseReturnValue:
    """One import; a script that follows its progress gets its part of the page alone."""
    part = import_part(_job(upload))
    return part.render() if is_scripted() else ImportPage(part=part).render()


@blueprint.address("/imports/<upload>.json", Action.READ, PAGES)
def progress(upload: str) -> ResponseReturnValue:
    """The progress of an import, as JSON."""
    return json_response(_describe(_job(upload)))


@blueprint.form("/imports/<upload>/resume", Action.CONTROL_IMPORTS, PAGES)
def resume(upload: str) -> ResponseReturnValue:
    """Resume an import."""
    import_queue().resume(_job(upload))
    return lead_to("imports.show_import", upload=upload)


@blueprint.form("/imports/<upload>/stop", Action.CONTROL_IMPORTS, PAGES)
def stop(upload: str) -> ResponseReturnValue:
    """Stop an import; what is stored stays."""
    import_queue().stop(_job(upload).key)
    return lead_to("imports.show_import", upload=upload)


@blueprint.form("/imports/<upload>/discard", Action.CONTROL_IMPORTS, PAGES)
def discard(upload: str) -> ResponseReturnValue:
    """Delete an ended import and its files."""
    import_queue().discard(_job(upload))
    return lead_to("imports.list_imports")


class ImportPart(Page):
    """The part of the page that shows one import; it has a `summary` once the import has ended.

    The admin and the sender know all of it and control it; `for_sender` says that the sender sees it, by the private link.
    """

    template = "imports/_import.html"
    job: ImportJob
    progress: ImportProgress
    summary: ImportSummary | None
    knows_all: bool
    for_sender: bool

    def address(self, view: str) -> str:
        """The address of one of the views of an import, for whoever sees the page."""
        if self.for_sender:
            return url_for(f"sent.{view}", sent=self.job.id)
        return url_for(f"imports.{view}", upload=self.job.id)

    @property
    def storage_days(self) -> int:
        """How many days the files of a stopped import are kept."""
        return STOPPED_IMPORT_DAYS

    @property
    def took(self) -> str:
        """How long the last run took, in words."""
        return pluralize(max(1, round(self.job.seconds)), "second")


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


class ImportPage(Page):
    """One import."""

    template = "imports/import.html"
    part: ImportPart


def _describe(job: ImportJob) -> ImportProgress:
    before = import_queue().jobs_before(job)
    return describe_import(job, before, with_names=may("control-imports"))


def _job(upload: str) -> ImportJob:
    return import_queue().job(upload) or abort(404)
