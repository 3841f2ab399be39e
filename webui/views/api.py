"""The interface for programs: records in, reports out, nothing kept."""

from io import BytesIO

from flask import Blueprint, abort, current_app, request
from flask.typing import ResponseReturnValue

from records import codec
from records.check import check
from records.report import Report
from webui.pages import ApiPage
from webui.views.games import json_response

blueprint = Blueprint("api", __name__)


@blueprint.get("/api")
def api() -> ResponseReturnValue:
    """How to use it."""
    return ApiPage(
        host=request.host_url.rstrip("/"),
        largest=current_app.config["MAX_CONTENT_LENGTH"] // (1024 * 1024),
        rate=current_app.config["RATELIMIT_UPLOADS"],
    ).render()


@blueprint.post("/api/validate")
def validate() -> ResponseReturnValue:
    """The reports on the records in the body, in their order; `?strict=0` reads leniently."""
    data = request.get_data()
    if not data:
        abort(400, "Send a record as the body: JSON, JSON Lines, plain or compressed.")
    strict = request.args.get("strict", "1") != "0"
    reports = [_report(entry, strict=strict) for entry in codec.entries(BytesIO(data))]
    return json_response({"records": len(reports), "reports": reports})


def _report(entry: codec.Entry, *, strict: bool) -> Report:
    if entry.findings:
        return Report(verdict="unreadable", line=entry.line, findings=entry.findings)
    return check(entry.data, line=entry.line, strict=strict, identify=True)
