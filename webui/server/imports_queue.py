"""Background imports: large uploads are kept in the data folder and stored one after the other.

Each import has a folder with its files and its state, so that it can resume after the server was stopped in the
middle. The files are deleted once all of them are stored. Those of an import that was stopped or failed are kept for a
while, unless a new upload needs their room.
"""

import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import rmtree
from typing import BinaryIO, ClassVar, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec
from werkzeug.utils import secure_filename

from analyzer.ingest.importer import Importer, ImportSource
from analyzer.ingest.tasks import ALL_RECORDS, RecordChoice
from analyzer.store.durable_files import make_private_folder, remove_drafts, save_file
from analyzer.store.games import count_retellings
from analyzer.store.sealed_files import FileBroken, read_sealed_json, write_sealed
from analyzer.store.store import Store
from records.phrases import format_duration, pluralize
from webui.server.jobs import Job, JobQueue
from webui.server.private_uploads import DiskRoom, RoomFull

UPLOADS_FOLDER = "uploads"
LONGEST_FILE_NAME = 80
MOST_WAITING, MOST_WAITING_PER_CLIENT = 50, 5
"""How many imports may be arriving, waiting or running at a time."""
MOST_UNFINISHED_IMPORTS, IMPORT_ROOM = 100, 16 * 1024 * 1024 * 1024
"""How many uploads may be in the data folder that are not imported whole, and the bytes of their files together."""
STOPPED_IMPORT_DAYS = 30
"""How long the files of an import are kept that was stopped or failed, unless their room is needed."""
MOST_DONE_IMPORTS = 1000
"""The most imports that are remembered when they are done; their games stay whatever is forgotten."""
IMPORT_TASK_BYTES = 2 * 1024 * 1024
"""The bytes of records in one task; small, so that the progress page changes every few seconds."""

STATE_FILE_NAME = "import.json"
IMPORT_COUNTS_SQL = """
    SELECT sum(records), sum(stored), sum(known), sum(rejected), sum(deals), sum(findings)
    FROM import_batches JOIN imports USING (import)
    WHERE job = ?
"""
ImportStateName: TypeAlias = Literal[
    "waiting", "running", "done", "stopped", "interrupted", "failed"
]
RESUMABLE_STATES = ("stopped", "interrupted", "failed")
GIVING_WAY_STATES = ("stopped", "failed")
"""The states in which an import's files are not kept for ever: somebody ended it, or was told that it failed."""
IMPORT_STATE_WORDS = {
    "waiting": "Waiting",
    "running": "Importing",
    "done": "Done",
    "stopped": "Stopped",
    "interrupted": "Interrupted: the server was stopped",
    "failed": "Failed",
}
IMPORT_STATE_TONES = {"waiting": "plain", "running": "plain", "done": "good", "stopped": "fair",
         "interrupted": "fair", "failed": "bad"}  # fmt: skip
log = logging.getLogger(__name__)


def utc_now() -> datetime:
    """The time as the database stores it: UTC, without a zone."""
    return datetime.now(UTC).replace(tzinfo=None)


class UploadedFile(msgspec.Struct, frozen=True):
    """An uploaded file: its name, its name in the folder, its size in bytes."""

    name: str
    kept: str
    size: int


class ImportCounts(msgspec.Struct, frozen=True):
    """What an import has committed so far.

    `told_again` counts the records of matches of which another record was stored before; it is 0 until the run has ended.
    """

    records: int = 0
    stored: int = 0
    known: int = 0
    rejected: int = 0
    deals: int = 0
    findings: int = 0
    told_again: int = 0


class UploadJob(Job, kw_only=True, eq=False):
    """Work on uploaded files, of which `done` of `size` bytes are read."""

    id: str
    files: list[UploadedFile]
    created_at: datetime
    done: int = 0

    CUT_OFF = "interrupted"

    @property
    def key(self) -> str:
        """The public id of the upload."""
        return self.id

    @property
    def size(self) -> int:
        """The bytes of all files."""
        return sum(file.size for file in self.files)

    @property
    def names(self) -> list[str]:
        """The names of the files as uploaded."""
        return [file.name for file in self.files]

    @property
    def title(self) -> str:
        """What was uploaded, in words: the name of the one file, or how many there are."""
        return self.names[0] if len(self.files) == 1 else pluralize(len(self.files), "file")

    def end_or_beginning(self) -> datetime:
        """When it ended, if that is noted, or else when it began."""
        return self.created_at


class ImportJob(UploadJob, kw_only=True, eq=False):
    """An import of uploaded files, of which the `wanted` records are stored.

    The last run started at `began` bytes and `began_deals` deals, and has taken `seconds` so far.
    """

    queued_at: datetime
    ended_at: datetime | None = None
    state: ImportStateName = "waiting"
    began: int = 0
    began_deals: int = 0
    seconds: float = 0.0
    counts: ImportCounts = ImportCounts()
    clock: float = 0.0
    wanted: RecordChoice = ALL_RECORDS

    @property
    def can_resume(self) -> bool:
        """Whether the import ended early and can be resumed."""
        return self.state in RESUMABLE_STATES

    @property
    def may_give_way(self) -> bool:
        """Whether its files may be deleted when their room is needed."""
        return self.state in GIVING_WAY_STATES

    def end_or_beginning(self) -> datetime:
        """When it ended, or if it has not, when it began."""
        return self.ended_at or self.created_at

    @property
    def share(self) -> float:
        """The share of bytes read, from 0 to 1."""
        return 1.0 if self.state == "done" else min(self.done / max(self.size, 1), 1.0)

    @property
    def pace(self) -> float:
        """Deals per second in this run."""
        return (self.counts.deals - self.began_deals) / max(self.seconds, 0.001)

    @property
    def seconds_left(self) -> float | None:
        """The estimated seconds left; None while there is nothing to estimate from."""
        if self.state != "running" or self.done <= self.began:
            return None
        return self.seconds * (self.size - self.done) / (self.done - self.began)

    def start(self) -> None:
        """Begin a run where the last one ended."""
        super().start()
        self.clock, self.seconds = time.monotonic(), 0.0
        self.began, self.began_deals = self.done, self.counts.deals

    def progress(self, done: int, counts: ImportCounts) -> None:
        """Note a committed batch."""
        self.done, self.counts = done, counts
        self.seconds = time.monotonic() - self.clock

    def end(self, state: str, reason: str) -> None:
        """Note the end of a run."""
        super().end(state, reason)
        self.ended_at = utc_now()

    def save(self, folder: Path) -> None:
        """Write the state beside the files, whole or not at all; raises OSError."""
        write_sealed(folder / self.id / STATE_FILE_NAME, msgspec.json.encode(self))

    @classmethod
    def load(cls, folder: Path) -> "ImportJob | None":
        """The import saved in a folder; None if there is none. Raises FileBroken."""
        return read_sealed_json(folder / STATE_FILE_NAME, cls)


def import_counts(store: Store, key: str) -> ImportCounts:
    """What an import has committed, from the import log."""
    (row,) = store.rows(IMPORT_COUNTS_SQL, [key]).rows
    return ImportCounts(*(int(number or 0) for number in row))


class IncomingFile(NamedTuple):
    """A file of an upload: its name, its size in bytes, and a function that writes it to a path."""

    name: str
    size: int
    save: Callable[[Path], object]


UploadJobKind = TypeVar("UploadJobKind", bound=UploadJob)


class UploadQueue(JobQueue[UploadJobKind]):
    """Work on uploads whose files wait in a folder; all of them have `most_size` bytes together.

    Records are examined in separate `processes`, so that the server can answer meanwhile.
    """

    FULL_TEXT: ClassVar[str]
    MOST_UPLOADS: ClassVar[int]

    def __init__(
        self,
        name: str,
        noun: str,
        store: Store,
        folder: Path,
        processes: int | None,
        most_size: int,
    ) -> None:
        super().__init__(name, noun, MOST_WAITING, MOST_WAITING_PER_CLIENT)
        self.store, self.folder, self.most_size = store, folder, most_size
        self.processes = max(1, (os.cpu_count() or 1) - 1) if processes is None else processes
        self._arriving: dict[str, int] = {}

    def discard(self, job: UploadJobKind) -> None:
        """Delete what has ended, and its files; what was stored stays."""
        raise NotImplementedError

    def room(self) -> DiskRoom:
        """The room that the files take which wait."""
        with self._lock:
            sizes = [job.size for job in self._jobs.values() if self._takes_room(job)]
            sizes += [size for key, size in self._arriving.items() if key not in self._jobs]
        return DiskRoom(len(sizes), self.MOST_UPLOADS, sum(sizes), self.most_size)

    def _takes_room(self, job: UploadJobKind) -> bool:
        """Whether its files are there."""
        return True

    def _may_give_way(self, job: UploadJobKind) -> bool:
        """Whether its files may be deleted when their room is needed."""
        raise NotImplementedError

    def _forget_outdated(self) -> None:
        """Forget what ended long ago."""
        raise NotImplementedError

    def _begin(self, job: UploadJobKind) -> None:
        """Queue a job from its start, and save it."""
        raise NotImplementedError

    def _receive(
        self,
        upload: str,
        files: Sequence[IncomingFile],
        client: str,
        make_job: Callable[[list[UploadedFile]], UploadJobKind],
    ) -> UploadJobKind:
        """Write files, and queue the job on them.

        Raises QueueFull if too many jobs of the client, or of all, are unfinished, RoomFull if there is no room for the
        files, and OSError, and then leaves nothing. When this returns the files survive a power loss.
        """
        self._reserve(upload, client)
        folder = self.folder / upload
        try:
            # Before the folder is there: if another job has this upload, its files stay.
            self._take_room(upload, sum(file.size for file in files))
            try:
                make_private_folder(folder)
                kept = [keep_file(folder, number, file) for number, file in enumerate(files)]
                job = make_job(kept)
                self._begin(job)
            except BaseException:
                rmtree(folder, ignore_errors=True)
                raise
        except BaseException:
            self._forget(upload)
            raise
        finally:
            self._arriving.pop(upload, None)
        return job

    def _take_room(self, upload: str, size: int) -> None:
        """Reserve room for an upload; what ended or came longest ago gives way. Raises RoomFull."""
        self._forget_outdated()
        with self._lock:
            while not self.room().has_room(size):
                ended = [job for job in self._jobs.values() if self._may_give_way(job)]
                if not ended or size > self.most_size:
                    raise RoomFull(self.FULL_TEXT)
                self.discard(min(ended, key=lambda job: job.end_or_beginning()))
            self._arriving[upload] = size


class ImportQueue(UploadQueue[ImportJob]):
    """The imports of a data folder; one runs at a time, the others wait."""

    FULL_TEXT = "There is no room left for uploads on this server until others are imported. Nothing was stored."
    MOST_UPLOADS = MOST_UNFINISHED_IMPORTS

    def __init__(
        self,
        store: Store,
        folder: Path,
        processes: int | None = None,
        most_size: int = IMPORT_ROOM,
    ) -> None:
        files = Path(folder) / UPLOADS_FOLDER
        super().__init__("imports", "import", store, files, processes, most_size)
        self._jobs = {job.id: job for job in _load_jobs(self.folder)}
        self._forget_outdated()

    def jobs(self) -> list[ImportJob]:
        """All imports, newest first."""
        return sorted(self._jobs.values(), key=lambda job: job.created_at, reverse=True)

    def add(
        self,
        upload: str,
        files: Sequence[IncomingFile],
        client: str = "",
        wanted: RecordChoice = ALL_RECORDS,
    ) -> ImportJob:
        """Queue files, of which the `wanted` records are stored, as `_receive` does.

        `upload` is the public id of the upload, and becomes that of the import.
        """

        def make_job(taken: list[UploadedFile]) -> ImportJob:
            now = utc_now()
            return ImportJob(id=upload, files=taken, created_at=now, queued_at=now, wanted=wanted)

        return self._receive(upload, files, client, make_job)

    def _takes_room(self, job: ImportJob) -> bool:
        return job.state != "done"

    def _may_give_way(self, job: ImportJob) -> bool:
        return job.may_give_way

    def _forget_outdated(self) -> None:
        """Forget imports that were stopped or failed long ago, and the oldest of many that are done."""
        with self._lock:
            oldest = utc_now() - timedelta(days=STOPPED_IMPORT_DAYS)
            done = [job for job in self.jobs() if job.state == "done"]
            outdated = [
                job for job in self.jobs() if job.may_give_way and job.end_or_beginning() < oldest
            ]
            for job in [*outdated, *done[MOST_DONE_IMPORTS:]]:
                with suppress(OSError):  # the next time, then
                    self.discard(job)

    def resume(self, job: ImportJob) -> None:
        """Resume an import that ended early."""
        with self._lock:
            if job.can_resume and self._jobs.get(job.id) is job:
                self._begin(job)

    def discard(self, job: ImportJob) -> None:
        """Delete an ended import and its files; what it stored stays."""
        with self._lock:
            if not job.is_active and self._jobs.get(job.id, job) is job:
                self._forget(job.id)
                rmtree(self.folder / job.id)

    def _begin(self, job: ImportJob) -> None:
        job.state, job.reason, job.stopping, job.queued_at = "waiting", "", False, utc_now()
        job.save(self.folder)
        self._put(job)

    def work_on(self, job: ImportJob) -> None:
        """Store the files of an import, from where its last run ended."""
        importer = Importer(
            self.store, self.processes, job.id, task_bytes=IMPORT_TASK_BYTES, wanted=job.wanted
        )
        importer.progress = lambda done: self._progress(job, done)
        try:
            importer.run([_source(self.folder / job.id, file) for file in job.files])
        finally:
            counts = import_counts(self.store, job.id)
            again = count_retellings(self.store, job.id)
            job.counts = msgspec.structs.replace(counts, told_again=again)

    def _progress(self, job: ImportJob, done: int) -> None:
        job.progress(done, import_counts(self.store, job.id))
        job.save(self.folder)
        self.go_on(job)

    def _end(self, job: ImportJob, state: str, reason: str = "") -> None:
        super()._end(job, state, reason)
        with suppress(OSError):
            job.save(self.folder)
            if state == "done":
                _remove_files(self.folder / job.id, job)


def keep_file(folder: Path, number: int, file: IncomingFile) -> UploadedFile:
    """Write an incoming file into the folder of its upload, where its name begins with its number; raises OSError."""
    path = folder / f"{number}-{secure_filename(file.name)[-LONGEST_FILE_NAME:]}"
    save_file(path, file.save)
    return UploadedFile(file.name, path.name, path.stat().st_size)


def _source(folder: Path, file: UploadedFile) -> ImportSource:
    path = folder / file.kept

    def opened() -> AbstractContextManager[BinaryIO]:
        return path.open("rb")

    return ImportSource(file.name, path, file.size, opened)


def unfinished_uploads(folder: Path) -> tuple[int, int]:
    """How many imports in a folder of uploads are not done, and the bytes of their files; nothing is changed."""
    kept = [job.size for job in _jobs_in(folder) if job.state != "done"]
    return len(kept), sum(kept)


def missing_uploads(folder: Path) -> list[str]:
    """The names of files that were uploaded, are not imported yet, and are not there; nothing is changed."""
    return [
        file.name
        for job in _jobs_in(folder)
        for file in job.files
        if job.state != "done" and not (folder / job.id / file.kept).exists()
    ]


def _jobs_in(folder: Path) -> Iterator[ImportJob]:
    """The imports in a folder of uploads; what is known of one whose state is broken."""
    for path in folder.glob("*"):
        try:
            job = ImportJob.load(path)
        except FileBroken:
            job = _rebuilt_job(path)
        if job is not None:
            yield job


def _load_jobs(folder: Path) -> list[ImportJob]:
    """The imports that earlier servers left; unfinished ones are marked as interrupted.

    What nobody was told of is deleted: uploads that were never complete, and files of imports that are done.
    """
    jobs = []
    for path in folder.glob("*"):
        if not (path / STATE_FILE_NAME).exists():
            rmtree(path, ignore_errors=True)
            continue
        remove_drafts(path)
        try:
            job = ImportJob.load(path)
        except FileBroken as error:
            log.warning("%s is broken and is made anew from the files beside it", error.path)
            job = _rebuilt_job(path)
        if job is None:
            continue
        jobs.append(job)
        if job.is_active:
            job.end("interrupted", "")
        with suppress(OSError):
            job.save(folder)
            if job.state == "done":
                _remove_files(path, job)
    return jobs


def _rebuilt_job(folder: Path) -> ImportJob:
    """The import whose files are in a folder and whose state cannot be read."""
    files = [
        UploadedFile(path.name.partition("-")[2], path.name, path.stat().st_size)
        for path in sorted(folder.iterdir())
        if path.name != STATE_FILE_NAME
    ]
    now = utc_now()
    return ImportJob(
        id=folder.name, files=files, created_at=now, queued_at=now, state="interrupted"
    )


def _remove_files(folder: Path, job: ImportJob) -> None:
    for file in job.files:
        (folder / file.kept).unlink(missing_ok=True)


class ImportProgress(msgspec.Struct, frozen=True, kw_only=True):
    """An import in numbers and words; `share` is from 0 to 1, `say` is for screen readers.

    `id` is public: nobody controls an import by it. `title` names the files, or for strangers the time in UTC.
    """

    id: str
    title: str
    began: datetime
    state: str
    words: str
    tone: str
    goes_on: bool
    share: float
    percent: str
    games: str
    deals: str
    pace: str
    findings: str
    rejected: str
    left: str
    say: str


def describe_import(job: ImportJob, before: int = 0, *, with_names: bool = True) -> ImportProgress:
    """Describe an import; `before` counts the imports that run before it. Strangers get no names of files."""
    counts = job.counts
    return ImportProgress(
        id=job.id,
        title=job.title if with_names else f"{job.created_at:%d %b %Y, %H:%M} UTC",
        began=job.created_at.replace(tzinfo=UTC),
        state=job.state,
        words=_words(job, before),
        tone=IMPORT_STATE_TONES[job.state],
        goes_on=job.is_active,
        share=round(job.share, 4),
        percent=job.percent,
        games=f"{counts.records - counts.rejected:,}",
        deals=f"{counts.deals:,}",
        pace=f"{job.pace:,.0f}" if job.seconds else "–",
        findings=f"{counts.findings:,}",
        rejected=f"{counts.rejected:,}",
        left=_left(job),
        say=job.spoken_progress(IMPORT_STATE_WORDS[job.state]),
    )


def _words(job: ImportJob, before: int) -> str:
    if job.stopping:
        return "Stopping"
    if job.state == "waiting" and before:
        return f"Waiting for {pluralize(before, 'other import')}"
    return IMPORT_STATE_WORDS[job.state]


def _left(job: ImportJob) -> str:
    if job.state == "waiting":
        return "not started"
    if not job.is_active:
        return "–"
    return "–" if job.seconds_left is None else f"about {format_duration(job.seconds_left)}"
