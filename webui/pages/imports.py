"""The data of the pages of imports."""

from dataclasses import dataclass

from analyzer.db.import_summary import ImportSummary
from records.phrases import pluralize
from webui.jobs.import_job import ImportJob
from webui.jobs.progress import ImportProgress
from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPart(Page):
    """The part of the page that shows one import; it has a `summary` once the import has ended."""

    template = "imports/_import.html"
    job: ImportJob
    progress: ImportProgress
    summary: ImportSummary | None

    @property
    def took(self) -> str:
        """How long the last run took, in words."""
        return pluralize(max(1, round(self.job.seconds)), "second")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPage(Page):
    """One import."""

    template = "imports/import.html"
    part: ImportPart


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportsPage(Page):
    """All imports."""

    template = "imports/imports.html"
    imports: list[ImportProgress]
