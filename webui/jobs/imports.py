"""Background imports: large uploads are kept in the data folder and stored one after the other.

Each import has a folder with its files and its state, so that it can resume after the server was stopped in the
middle. The files are deleted once all of them are stored. Those of an import that was stopped or failed are kept for a
while, unless a new upload needs their room.
"""

import logging
import os
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import timedelta
from pathlib import Path
from shutil import rmtree
from typing import BinaryIO, NamedTuple

from werkzeug.utils import secure_filename

from analyzer.db.store import Store
from analyzer.durable_files import make_private_folder, remove_drafts, save_file
from analyzer.ingest.importer import Importer, ImportSource
from analyzer.task_queue import TaskQueue
from webui.disk_room import DiskRoom, RoomFull
from webui.jobs.failure import failure_reason
from webui.jobs.import_job import (
    STATE_FILE_NAME,
    ImportJob,
    ImportStateName,
    UploadedFile,
    import_counts,
    utc_now,
)
from webui.jobs.queue_end import QueueEnd

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
FULL_TEXT = "There is no room left for uploads on this server until others are imported. Nothing was stored."
IMPORT_TASK_BYTES = 2 * 1024 * 1024
"""The bytes of records in one task; small, so that the progress page changes every few seconds."""

log = logging.getLogger(__name__)


class ImportStopped(Exception):
    """An import was stopped by somebody, or by the end of the server."""


class IncomingFile(NamedTuple):
    """A file of an upload: its name, its size in bytes, and a function that writes it to a path."""

    name: str
    size: int
    save: Callable[[Path], object]


class ImportQueue:
    """The imports of a data folder; one runs at a time, the others wait.

    Records are examined in separate `processes`, so that the server can answer meanwhile. The files of imports that
    are not done have `most_size` bytes together.
    """

    def __init__(
        self,
        store: Store,
        folder: Path,
        processes: int | None = None,
        most_size: int = IMPORT_ROOM,
    ) -> None:
        self.store = store
        self.most_size = most_size
        self.folder = Path(folder) / UPLOADS_FOLDER
        self.processes = max(1, (os.cpu_count() or 1) - 1) if processes is None else processes
        self._jobs = {job.id: job for job in _load_jobs(self.folder)}
        self._queue = TaskQueue("imports", self._run)
        self._queue_end = QueueEnd(
            "import", MOST_WAITING, MOST_WAITING_PER_CLIENT, self._is_unfinished
        )
        self._lock = threading.RLock()
        self._arriving: dict[str, int] = {}
        self._forget_outdated()

    def job(self, upload: str) -> ImportJob | None:
        """The import of the upload with this public id."""
        return self._jobs.get(upload)

    def jobs(self) -> list[ImportJob]:
        """All imports, newest first."""
        return sorted(self._jobs.values(), key=lambda job: job.created_at, reverse=True)

    def jobs_before(self, job: ImportJob) -> int:
        """How many imports run before a waiting one."""
        return sum(other.is_active and other.queued_at < job.queued_at for other in self.jobs())

    def add(self, upload: str, files: Sequence[IncomingFile], client: str = "") -> ImportJob:
        """Queue files.

        `upload` is the public id of the upload, and becomes that of the import. Raises QueueFull if too many imports of
        the client, or of all, are unfinished, RoomFull if there is no room for the files, and OSError, and then leaves
        nothing. When this returns the files survive a power loss.
        """
        self._queue_end.enter(upload, client)
        try:
            self._take_room(upload, sum(file.size for file in files))
            return self._add(upload, files)
        except BaseException:
            self._queue_end.leave(upload)
            raise
        finally:
            self._arriving.pop(upload, None)

    def _add(self, upload: str, files: Sequence[IncomingFile]) -> ImportJob:
        folder = self.folder / upload
        make_private_folder(folder)
        try:
            taken = [_keep_file(folder, number, file) for number, file in enumerate(files)]
            job = ImportJob(id=upload, files=taken, created_at=utc_now(), queued_at=utc_now())
            self._begin(job)
        except BaseException:
            rmtree(folder, ignore_errors=True)
            raise
        self._jobs[upload] = job
        return job

    def room(self) -> DiskRoom:
        """The room that the files of imports take which are not done."""
        with self._lock:
            sizes = [job.size for job in self.jobs() if job.state != "done"]
            sizes += [size for key, size in self._arriving.items() if key not in self._jobs]
        return DiskRoom(len(sizes), MOST_UNFINISHED_IMPORTS, sum(sizes), self.most_size)

    def _take_room(self, upload: str, size: int) -> None:
        """Reserve room for an upload; what was stopped or failed longest ago gives way. Raises RoomFull."""
        self._forget_outdated()
        with self._lock:
            while not self.room().has_room(size):
                ended = [job for job in self.jobs() if job.may_give_way]
                if not ended or size > self.most_size:
                    raise RoomFull(FULL_TEXT)
                self.discard(min(ended, key=ImportJob.end_or_beginning))
            self._arriving[upload] = size

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

    def stop(self, job: ImportJob) -> None:
        """Stop an import after the current batch; what is stored stays."""
        job.stopping = job.is_active
        if self._queue.withdraw(job):
            self._end(job, "stopped")

    def discard(self, job: ImportJob) -> None:
        """Delete an ended import and its files; what it stored stays."""
        with self._lock:
            if not job.is_active and self._jobs.pop(job.id, job) is job:
                self._queue_end.leave(job.id)
                rmtree(self.folder / job.id)

    def close(self) -> None:
        """Stop working, so that the store can be closed; waiting imports can be resumed later."""
        self._queue.close()

    def _is_unfinished(self, key: str) -> bool:
        """Whether an import is not over; one that is not known yet is arriving."""
        job = self._jobs.get(key)
        return job is None or job.is_active

    def _begin(self, job: ImportJob) -> None:
        job.state, job.reason, job.stopping, job.queued_at = "waiting", "", False, utc_now()
        job.save(self.folder)
        self._queue.put(job)

    def _run(self, job: ImportJob) -> None:
        try:
            self._import(job)
            self._end(job, "done")
        except ImportStopped:
            self._end(job, "interrupted" if self._queue.closing else "stopped")
        except Exception as error:
            self._end(job, "failed", failure_reason(error, f"import {job.id}"))

    def _import(self, job: ImportJob) -> None:
        job.start()
        importer = Importer(self.store, self.processes, job.id, task_bytes=IMPORT_TASK_BYTES)
        importer.progress = lambda done: self._progress(job, done)
        try:
            importer.run([_source(self.folder / job.id, file) for file in job.files])
        finally:
            job.counts = import_counts(self.store, job.id)

    def _progress(self, job: ImportJob, done: int) -> None:
        job.progress(done, import_counts(self.store, job.id))
        job.save(self.folder)
        if job.stopping or self._queue.closing:
            raise ImportStopped

    def _end(self, job: ImportJob, state: ImportStateName, reason: str = "") -> None:
        job.end(state, reason)
        with suppress(OSError):
            job.save(self.folder)
            if state == "done":
                _remove_files(self.folder / job.id, job)


def _keep_file(folder: Path, number: int, file: IncomingFile) -> UploadedFile:
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
    kept = [
        job.size
        for path in folder.glob("*")
        if (job := ImportJob.load(path)) and job.state != "done"
    ]
    return len(kept), sum(kept)


def missing_uploads(folder: Path) -> list[str]:
    """The names of files that were uploaded, are not imported yet, and are not there; nothing is changed."""
    jobs = [job for path in folder.glob("*") if (job := ImportJob.load(path))]
    return [
        file.name
        for job in jobs
        for file in job.files
        if job.state != "done" and not (folder / job.id / file.kept).exists()
    ]


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
        job = ImportJob.load(path) or _rebuilt_job(path)
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
    log.warning("%s is broken and is made anew from the files beside it", folder / STATE_FILE_NAME)
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
