"""The first page and the drop zone."""

from os import SEEK_END

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    make_response,
    redirect,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import FileStorage

from analyzer.db.store import StoredGame
from analyzer.ingest.batch import RecordOutcome
from analyzer.ingest.loader import examine_bytes, ingest_bytes
from webui.access.gate import may
from webui.access.private_links import new_link_key, upload_id
from webui.http.responses import json_response
from webui.jobs.import_job import ImportJob
from webui.pages.home import HomePage, UploadVerdicts
from webui.views import game_cache, import_queue, store

RECENT_GAMES_SHOWN = 12
COMPRESSED_UPLOAD_ENDINGS, EXPANSION_FACTOR = (".gz", ".gzip", ".zst", ".zstd"), 10
"""Compressed records expand to about ten times their size."""
blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def home() -> ResponseReturnValue:
    """The first page."""
    return _page().render()


@blueprint.get("/index.json")
def home_json() -> ResponseReturnValue:
    """How much is stored, and the latest games."""
    return json_response({"counts": store().counts(), "games": _recent()})


@blueprint.post("/")
def upload() -> ResponseReturnValue:
    """Take files or a pasted record; answers with the verdicts, without the page around them for a script."""
    key = new_link_key()
    sent = [file for file in request.files.getlist("files") if file.filename]
    if _is_large(sent):
        job = import_queue().add(upload_id(key), [(str(file.filename), file.save) for file in sent])
        if may("control-imports"):
            return redirect(url_for("imports.show_import", upload=job.id), 303)
        return redirect(url_for("sent.show", key=key), 303)
    files = _read(sent)
    if not files:
        return _without_files()
    outcomes = [
        outcome
        for name, data in files
        for outcome in ingest_bytes(store(), name, data, upload_id(key))
    ]
    # Whoever may delete every game needs no link to the own ones.
    stored = any(outcome.state == "stored" for outcome in outcomes)
    return _answer(outcomes, key if stored and not may("delete") else "")


@blueprint.post("/check")
def check() -> ResponseReturnValue:
    """Check files or a pasted record, as an upload does, and store nothing."""
    sent = [file for file in request.files.getlist("files") if file.filename]
    if _is_large(sent):
        abort(413)
    files = _read(sent)
    if not files:
        return _without_files()
    outcomes = [outcome for name, data in files for outcome in examine_bytes(name, data)]
    for outcome in outcomes:
        outcome.state = "rejected"  # nothing is stored, whatever it is
    return _answer(outcomes)


def _answer(outcomes: list[RecordOutcome], link_key: str = "") -> ResponseReturnValue:
    """The verdicts, without the page around them for a script; with the key of a private link, that too."""
    most = current_app.config["MAX_SHOWN_RECORDS"]
    verdicts = UploadVerdicts.of(game_cache(), outcomes, most, link_key)
    if _is_scripted():
        return verdicts.render()
    return _page(verdicts=verdicts, text=request.form.get("record", "")).render()


def _is_large(files: list[FileStorage]) -> bool:
    """Whether checking these files would take long."""
    size = sum(_size(file) for file in files)
    return size >= int(current_app.config["LARGE_UPLOAD"])


def _size(file: FileStorage) -> int:
    """The size of a file in bytes; an estimate if it is compressed."""
    size = file.stream.seek(0, SEEK_END)
    file.stream.seek(0)
    packed = str(file.filename).lower().endswith(COMPRESSED_UPLOAD_ENDINGS)
    return size * EXPANSION_FACTOR if packed else size


def _read(sent: list[FileStorage]) -> list[tuple[str, bytes]]:
    files = [(str(file.filename), file.read()) for file in sent]
    text = request.form.get("record", "").strip()
    if text:
        files.append(("pasted", text.encode()))
    return files


def _without_files() -> Response:
    problem = "Choose a file first, or paste a record."
    if _is_scripted():
        abort(400, problem)
    return make_response(_page(problem=problem).render(), 400)


def _is_scripted() -> bool:
    return request.headers.get("X-Requested-With") == "fetch"


def _recent() -> list[StoredGame]:
    return store().games(limit=RECENT_GAMES_SHOWN).games


def _unfinished() -> list[ImportJob]:
    return [job for job in import_queue().jobs() if job.is_active or job.can_resume]


def _page(verdicts: UploadVerdicts | None = None, text: str = "", problem: str = "") -> HomePage:
    return HomePage(
        games=_recent() if may("read") else [],
        counts=store().counts() if may("read") else None,
        verdicts=verdicts,
        imports=_unfinished() if may("control-imports") else [],
        text=text,
        problem=problem,
        read_only=store().read_only,
    )
