"""Imports in the background that stop behind their first batch."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from analyzer.ingest import importer
from tests.machine.waiting import PATIENCE_SECONDS
from webui.server import imports_queue
from webui.server.imports_queue import ImportJob, ImportQueue


@contextmanager
def held_imports(task_bytes: int) -> Iterator[threading.Event]:
    """The gate behind the first batch, of about so many bytes; it is opened at the end."""
    gate, progress = threading.Event(), ImportQueue._progress

    def held(imports: ImportQueue, job: ImportJob, done: int) -> None:
        progress(imports, job, done)
        gate.wait(PATIENCE_SECONDS)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ImportQueue, "_progress", held)
        patch.setattr(imports_queue, "IMPORT_TASK_BYTES", task_bytes)
        patch.setattr(importer, "TASKS_PER_COMMIT", 1)
        yield gate
        gate.set()
