"""The data of the pages of imports."""

from dataclasses import dataclass

from flask import url_for

from analyzer.db.import_summary import ImportSummary
from analyzer.db.store import RejectedRecord, StoredGame
from records.phrases import pluralize
from webui.games.private_uploads import PrivateUpload
from webui.jobs.imports_queue import STOPPED_IMPORT_DAYS, ImportJob, ImportProgress
from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPage(Page):
    """One import."""

    template = "imports/import.html"
    part: ImportPart


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportsPage(Page):
    """All imports; for the admin also the latest `rejected` records of `rejected_count` that were not stored."""

    template = "imports/imports.html"
    imports: list[ImportProgress]
    rejected: list[RejectedRecord]
    rejected_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPage(Page):
    """Asks for a private link; `uploads` are the public ids of those whose links the browser has.

    `wanted` is the address that was asked for without the link, if there was one.
    """

    template = "imports/link.html"
    uploads: list[str]
    wanted: str = ""
    problem: str = ""


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
