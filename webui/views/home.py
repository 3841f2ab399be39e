"""The first page and the drop zone."""

from flask import Blueprint, Response, abort, current_app, make_response, request
from flask.typing import ResponseReturnValue

from webui.judge import judge
from webui.pages import HomePage, Verdicts
from webui.views import shelf, store

RECENT = 12
blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def home() -> ResponseReturnValue:
    """The first page."""
    return _page().render()


@blueprint.post("/")
def upload() -> ResponseReturnValue:
    """Take files or a pasted record; answers with the verdicts, alone where a script asked."""
    files = _uploaded()
    if not files:
        return _without_files()
    verdicts = judge(shelf(), files, current_app.config["MAX_SHOWN_RECORDS"])
    if _is_scripted():
        return verdicts.render()
    return _page(verdicts=verdicts, text=request.form.get("record", "")).render()


def _uploaded() -> list[tuple[str, bytes]]:
    files = [
        (file.filename, file.read()) for file in request.files.getlist("files") if file.filename
    ]
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


def _page(verdicts: Verdicts | None = None, text: str = "", problem: str = "") -> HomePage:
    return HomePage(
        games=store().games(limit=RECENT).games,
        counts=store().counts(),
        verdicts=verdicts,
        text=text,
        problem=problem,
    )
