"""Looks at what was sent, before anything of it is stored: its files wait in the data folder, with a list of their records.

The list is written in pages as it grows. What somebody has chosen of it, whether to store or to leave out, is kept beside it.
Files that nobody stores or discards are deleted after a while, or sooner where a new upload needs their room.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import Any, Self

import msgspec

from analyzer.ingest.batch import content_digest
from analyzer.ingest.previews import (
    RecordPreview,
    StoredComparison,
    examine_previews,
    preview_tasks,
)
from analyzer.ingest.sent_matches import (
    AlikeBeginnings,
    AlikeRecords,
    SentMatch,
    relate_records,
)
from analyzer.ingest.tasks import RecordChoice
from analyzer.store.durable_files import remove_drafts
from analyzer.store.player_names import PeopleNames
from analyzer.store.processes import map_in_processes
from analyzer.store.sealed_files import FileBroken, read_sealed_json, write_sealed
from analyzer.store.store import Store
from records.format.files import Entry, read_entries
from records.study import LARGEST_STUDY_FILE, StudyFile, StudyUnreadable
from webui.server.imports_queue import (
    IMPORT_ROOM,
    IncomingFile,
    UploadJob,
    UploadQueue,
    utc_now,
)
from webui.server.sent_studies import find_studies

LOOKS_FOLDER = "looks"
LOOK_DAYS = 7
"""How long files wait to be stored or discarded, unless their room is needed."""
MOST_LOOKS = 1000
MOST_LISTED = 100_000
"""So many records of an upload are listed; the others are stored with those that are ticked, or left out with all."""
MOST_TICKS = 10_000
"""So many ticks may be other than all the rest."""
RECORDS_ON_PAGE = 100
SMALL_BYTES = 256 * 1024
"""Files of so many bytes together are looked at in the process that serves; to begin others takes longer."""
MOST_REPORTS = 12
"""Of the first records the whole report is kept."""
STATE_FILE_NAME, CHOICE_FILE_NAME, PAGE_FILES = "look.json", "choice.json", "page-*.json"


class TooManyChoices(Exception):
    """More records were ticked one by one than a choice holds."""


class FoundStudy(msgspec.Struct, frozen=True):
    """A study among the files, or why it cannot be taken."""

    title: str
    moments: int
    problem: str = ""

    @classmethod
    def of(cls, found: StudyFile | StudyUnreadable) -> Self:
        """What the list says of it."""
        if isinstance(found, StudyUnreadable):
            return cls("", 0, str(found))
        return cls(found.title, len(found.moments))


class LookJob(UploadJob, kw_only=True, eq=False):
    """A look at uploaded files: `listed` records are found, by their state in `counts`, and `studies`.

    `is_cut` says that there are more records than are listed. `read` counts the bytes of the records.
    """

    listed: int = 0
    read: int = 0
    counts: dict[str, int] = msgspec.field(default_factory=dict)
    is_cut: bool = False
    studies: list[FoundStudy] = msgspec.field(default_factory=list)

    @property
    def takes_study(self) -> bool:
        """Whether there is a study that can be kept."""
        return any(not each.problem for each in self.studies)

    @property
    def share(self) -> float:
        """The share of bytes read, from 0 to 1."""
        return min(self.done / max(self.size, 1), 1.0) if self.is_active else 1.0

    @property
    def pages(self) -> int:
        """How many pages the list has."""
        return max(1, -(-self.listed // RECORDS_ON_PAGE))

    def start(self) -> None:
        """Begin at the beginning: what was listed by a run that was cut off is listed again."""
        super().start()
        self.done = self.listed = self.read = 0
        self.counts, self.is_cut, self.studies = {}, False, []


KINDS_OF_FILES: Mapping[str, Any] = {
    STATE_FILE_NAME: LookJob,
    CHOICE_FILE_NAME: RecordChoice,
    PAGE_FILES: list[RecordPreview],
}
"""What the files of a look hold, apart from those that were sent."""


class LookQueue(UploadQueue[LookJob]):
    """The looks of a data folder.

    With `asks`, whoever uploads may read what is stored, and is asked about cards that are stored under other names.
    """

    FULL_TEXT = (
        "There is no room left for uploads on this server at the moment. Nothing was stored."
    )
    MOST_UPLOADS = MOST_LOOKS

    def __init__(
        self,
        store: Store,
        folder: Path,
        processes: int | None,
        most_size: int = IMPORT_ROOM,
        *,
        asks: bool = True,
    ) -> None:
        files = Path(folder) / LOOKS_FOLDER
        super().__init__("looks", "upload", store, files, processes, most_size)
        self.asks = asks
        self._taken: set[str] = set()
        if not store.read_only:
            self._load()

    def _load(self) -> None:
        """Take up the looks that earlier servers left; of what was never complete nobody was told."""
        for path in self.folder.glob("*"):
            job = _load_job(path)
            if job is None:
                rmtree(path, ignore_errors=True)
                continue
            remove_drafts(path)
            self._jobs[job.id] = job
            if job.is_active or job.state == "interrupted":
                self._begin(job)
        self._forget_outdated()

    def add(self, upload: str, files: Sequence[IncomingFile], client: str = "") -> LookJob:
        """Look at files, as `_receive` takes them; `upload` is the public id of the upload."""
        return self._receive(
            upload,
            files,
            client,
            lambda taken: LookJob(id=upload, files=taken, created_at=utc_now()),
        )

    def _may_give_way(self, job: LookJob) -> bool:
        return not job.is_active and job.id not in self._taken

    def _forget_outdated(self) -> None:
        oldest = utc_now() - timedelta(days=LOOK_DAYS)
        with self._lock:
            for job in [*self._jobs.values()]:
                if self._may_give_way(job) and job.created_at < oldest:
                    with suppress(OSError):  # the next time, then
                        self.discard(job)

    def _begin(self, job: LookJob) -> None:
        job.state, job.reason, job.stopping = "waiting", "", False
        _save_job(self.folder / job.id, job)
        self._put(job)

    def take(self, upload: str) -> LookJob | None:
        """A look that has ended, to be stored; nobody else gets it until `give_back`. None if there is none to take."""
        with self._lock:
            job = self._jobs.get(upload)
            if job is None or not self._may_give_way(job):
                return None
            self._taken.add(upload)
            return job

    def give_back(self, upload: str) -> None:
        """Let a look be taken again, or be forgotten."""
        with self._lock:
            self._taken.discard(upload)

    def discard(self, job: LookJob) -> None:
        """Delete a look that has ended, and its files."""
        with self._lock:
            if not job.is_active and self._jobs.get(job.id) is job:
                self._forget(job.id)
                self._taken.discard(job.id)
                (self.folder / job.id / STATE_FILE_NAME).unlink(missing_ok=True)
                rmtree(self.folder / job.id, ignore_errors=True)

    def work_on(self, job: LookJob) -> None:
        """List the records of the files."""
        comparison, pages = StoredComparison(self.store), _PageWriter(self.folder / job.id)
        beginnings, doubted = AlikeBeginnings(), set[str]()
        processes = 0 if job.size < SMALL_BYTES else self.processes
        tasks = preview_tasks(self._entries(job), MOST_REPORTS)
        for task, examined in map_in_processes(examine_previews, tasks, processes):
            comparison.compare(task, examined)
            for each in examined:
                state = each.preview.state
                if state == "new":
                    preview = each.preview
                    beginnings.add(pages.number, each.traces, preview.size, preview.content)
                if self._is_doubted(each.preview):
                    doubted.add(each.preview.content)
                pages.add(each.preview)
                job.counts[state] = job.counts.get(state, 0) + 1
                job.read += each.preview.size
            pages.save()
            job.listed, job.done = pages.number, task.done
            self.go_on(job)
        self._relate(job, beginnings, comparison.names(), processes)
        self._leave_out(job, doubted)
        if job.size <= LARGEST_STUDY_FILE:
            job.studies = [FoundStudy.of(each) for each in find_studies(self.contents(job))]

    def _is_doubted(self, row: RecordPreview) -> bool:
        """Whether a new record has the cards of a stored game under other names: one of them may be misspelt."""
        if not self.asks or row.state != "new" or not row.same_cards or row.match:
            return False
        stored = self.store.game(row.same_cards)
        return stored is not None and stored.names != row.players

    def _leave_out(self, job: LookJob, doubted: set[str]) -> None:
        """Let these records start without a tick, unless somebody has chosen already."""
        with self._lock:
            is_chosen = (self.folder / job.id / CHOICE_FILE_NAME).exists()
            if doubted and not is_chosen and len(doubted) <= MOST_TICKS:
                self._save_choice(job, RecordChoice(but=frozenset(doubted)))

    def _relate(
        self, job: LookJob, beginnings: AlikeBeginnings, names: PeopleNames, processes: int
    ) -> None:
        """Note of the records of one match which of them is the fullest: that is known once all are listed."""
        for groups in beginnings.passes():
            wanted = {number for group in groups for number in group}
            read = {
                number: entry
                for number, (entry, _) in enumerate(self._entries(job))
                if number in wanted
            }
            alike = (
                AlikeRecords(names, [(each, read[each]) for each in group]) for group in groups
            )
            found: dict[int, SentMatch] = {}
            for _, related in map_in_processes(relate_records, alike, processes):
                found |= related
                self.go_on(job)
            self._note_matches(job, found)

    def _note_matches(self, job: LookJob, found: Mapping[int, SentMatch]) -> None:
        """Write again the pages of the list that have these records, by their numbers."""
        for page in sorted({number // RECORDS_ON_PAGE for number in found}):
            rows = self.page(job, page + 1)
            for place, row in enumerate(rows):
                row.within = found.get(page * RECORDS_ON_PAGE + place, row.within)
            _write_page(self.folder / job.id, page + 1, rows)

    def _entries(self, job: LookJob) -> Iterator[tuple[Entry, int]]:
        """The records of the files, as many as are listed, each with the bytes read up to the end of its file's part."""
        number = before = 0
        for file in job.files:
            with (self.folder / job.id / file.kept).open("rb") as stream:
                for entry in read_entries(stream, name=file.name):
                    if number == MOST_LISTED:
                        job.is_cut = True
                        return
                    number += 1
                    yield entry, before + min(stream.tell(), file.size)
            before += file.size

    def _end(self, job: LookJob, state: str, reason: str = "") -> None:
        super()._end(job, state, reason)
        with suppress(OSError):
            _save_job(self.folder / job.id, job)

    # What is in the folder of a look.

    def page(self, job: LookJob, number: int) -> list[RecordPreview]:
        """A page of the list, counted from 1; empty if it is not written yet. Raises FileBroken."""
        path = _page_path(self.folder / job.id, number)
        return read_sealed_json(path, list[RecordPreview]) or []

    def choice(self, job: LookJob) -> RecordChoice:
        """What has been chosen to be stored: everything that is not asked about, until somebody says otherwise.

        If the file that says so is damaged it is nothing: what had been left out must not be stored.
        """
        try:
            path = self.folder / job.id / CHOICE_FILE_NAME
            return read_sealed_json(path, RecordChoice) or RecordChoice()
        except FileBroken:
            return RecordChoice(none=True)

    def choose_all(self, job: LookJob, *, none: bool) -> None:
        """Choose all records, or none; raises OSError."""
        self._save_choice(job, RecordChoice(none=none))

    def choose(self, job: LookJob, shown: set[str], ticked: set[str]) -> None:
        """Choose those of the records shown that are ticked, and leave the others out; raises OSError, TooManyChoices."""
        with self._lock:
            choice = self.choice(job)
            others = ticked if choice.none else shown - ticked
            but = (choice.but - shown) | (others & shown)
            if len(but) > MOST_TICKS:
                raise TooManyChoices
            if but != choice.but:
                self._save_choice(job, RecordChoice(choice.none, frozenset(but)))

    def _save_choice(self, job: LookJob, choice: RecordChoice) -> None:
        write_sealed(self.folder / job.id / CHOICE_FILE_NAME, msgspec.json.encode(choice))

    def count_ticked(self, job: LookJob) -> int:
        """How many new records are chosen."""
        choice = self.choice(job)
        new = job.counts.get("new", 0)
        return len(choice.but) if choice.none else new - len(choice.but)

    def files(self, job: LookJob) -> list[IncomingFile]:
        """The files, to be imported: they get a second name, and their bytes are not copied."""
        folder = self.folder / job.id
        return [
            IncomingFile(file.name, file.size, partial(os.link, folder / file.kept))
            for file in job.files
        ]

    def record_bytes(self, job: LookJob, content: str) -> bytes | None:
        """The bytes of a listed record, by their digest; None if the files do not have it. Raises OSError."""
        entries = (entry.data for entry, _ in self._entries(job))
        return next((data for data in entries if content_digest(data) == content), None)

    def contents(self, job: LookJob) -> list[tuple[str, bytes]]:
        """The name and the bytes of each file; raises OSError."""
        folder = self.folder / job.id
        return [(file.name, (folder / file.kept).read_bytes()) for file in job.files]


class _PageWriter:
    """Writes the pages of a list as it grows; the last one is written anew with what comes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.number = 0
        self._rows: list[RecordPreview] = []

    def add(self, preview: RecordPreview) -> None:
        """Add a row; a page that is full is written."""
        if len(self._rows) == RECORDS_ON_PAGE:
            self._rows = []
        self._rows.append(preview)
        self.number += 1
        if len(self._rows) == RECORDS_ON_PAGE:
            self.save()

    def save(self) -> None:
        """Write the page that is not full yet."""
        _write_page(self.folder, -(-self.number // RECORDS_ON_PAGE), self._rows)


def _page_path(folder: Path, number: int) -> Path:
    return folder / PAGE_FILES.replace("*", str(number))


def _write_page(folder: Path, number: int, rows: Sequence[RecordPreview]) -> None:
    write_sealed(_page_path(folder, number), msgspec.json.encode(rows))


def _save_job(folder: Path, job: LookJob) -> None:
    write_sealed(folder / STATE_FILE_NAME, msgspec.json.encode(job))


def _load_job(folder: Path) -> LookJob | None:
    """The look in a folder; None if its state was never written, or cannot be read: the sender still has the files.

    If what it found cannot be read, it is made again.
    """
    try:
        job = read_sealed_json(folder / STATE_FILE_NAME, LookJob)
    except FileBroken:
        return None
    if job is not None and any(broken_files(folder, PAGE_FILES)):
        job.state = "interrupted"
    return job


def broken_files(folder: Path, name: str) -> Iterator[FileBroken]:
    """What is wrong with a look's files of this name, below a folder; nothing is changed."""
    for path in sorted(folder.rglob(name)):
        try:
            read_sealed_json(path, KINDS_OF_FILES[name])
        except FileBroken as error:
            yield error
