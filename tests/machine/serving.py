"""A real server for the browser tests, on its own port."""

import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask

from analyzer.ingest.loader import ingest_bytes
from tests.machine.waiting import PATIENCE_SECONDS
from tests.make.empty_store import with_empty_database
from webui import create_app
from webui.application import close_app
from webui.server.serving import serve_application

LATE = float(os.environ.get("BEZIQUE_LATE", "0"))
"""By so many seconds every page, in two parts, and whatever a script asks for come late: what reads a page before it is
there fails then, and not once in a thousand runs; so does a script that acts before what it asked for is answered."""


@contextmanager
def served(
    folder: Path, files: Mapping[str, bytes], *, late: float = LATE, **settings: object
) -> Iterator[tuple[str, Flask]]:
    """The address of a server that has the games of these files, and its application, with these settings.

    What it answers comes `late` by so many seconds.
    """
    app = create_app(data=with_empty_database(folder), ratelimit_enabled=False, **settings)
    for name, data in files.items():
        ingest_bytes(app.extensions["store"], name, data)
    if late:
        app.wsgi_app = coming_late(app.wsgi_app, late)  # type: ignore[method-assign]
    server = serve_application(app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.effective_port}", app
    finally:  # processes of the application would outlive a test that fails, and nothing would end
        server.close()
        thread.join(timeout=PATIENCE_SECONDS)
        close_app(app)


def coming_late(app: WSGIApplication, late: float) -> WSGIApplication:
    """An application whose pages and data come late; styles, scripts, pictures and streams do not."""

    def in_two_parts(body: bytes) -> Iterator[bytes]:
        yield body[: len(body) // 2]
        time.sleep(late / 2)
        yield body[len(body) // 2 :]

    def answer(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        is_stream = environ.get("HTTP_ACCEPT") == "text/event-stream"
        if is_stream or environ.get("HTTP_SEC_FETCH_DEST") not in ("document", "empty"):
            return app(environ, start)
        time.sleep(late / 2)
        answered = app(environ, start)
        try:
            return in_two_parts(b"".join(answered))
        finally:  # as every server does: what the answer holds is given back
            getattr(answered, "close", lambda: None)()

    return answer
