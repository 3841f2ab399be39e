"""A real server for the browser tests, on its own port."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from flask import Flask

from analyzer.ingest.loader import ingest_bytes
from tests.machine.waiting import PATIENCE_SECONDS
from tests.make.empty_store import with_empty_database
from webui import create_app
from webui.application import close_app
from webui.server.serving import serve_application


@contextmanager
def served(
    folder: Path, files: Mapping[str, bytes], **settings: object
) -> Iterator[tuple[str, Flask]]:
    """The address of a server that has the games of these files, and its application, with these settings."""
    app = create_app(data=with_empty_database(folder), ratelimit_enabled=False, **settings)
    for name, data in files.items():
        ingest_bytes(app.extensions["store"], name, data)
    server = serve_application(app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}", app
    server.close()
    thread.join(timeout=PATIENCE_SECONDS)
    close_app(app)
