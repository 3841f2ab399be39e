"""For programs that watch a server: whether it lives, whether it can do its work, its version, and how busy it is."""

from pathlib import Path
from shutil import disk_usage

from flask import Response, current_app, make_response
from flask.typing import ResponseReturnValue

from analyzer.store.schema import SCHEMA_VERSION, own_version
from records.errors import StoreError
from records.record import RECORD_VERSION
from webui.server.actions import Action
from webui.server.page import Views
from webui.server.request_kinds import FILES
from webui.server.responses import json_response
from webui.server.serving import PROMETHEUS_TYPE, metric_lines
from webui.views import import_queue, store

LEAST_FREE_BYTES = 64 * 1024 * 1024
"""With less room on its disk than this, a server that stores games is not ready: uploads would soon be refused."""

blueprint = Views("health", __name__)


@blueprint.after_request
def _keep_no_copy(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.address("/health/live", Action.LOOK, FILES)
def live() -> ResponseReturnValue:
    """Whether the server answers: if this fails, start it again."""
    return json_response({"status": "ok"})


@blueprint.address("/health/ready", Action.LOOK, FILES)
def ready() -> ResponseReturnValue:
    """Whether the database can be read and the disk has room; status 503 if not. The log says more."""
    checks = {"database": _database_state(), "disk": _disk_state()}
    is_ready = set(checks.values()) == {"ok"}
    answer = json_response({"status": "ok" if is_ready else "failing", "checks": checks})
    return make_response(answer, 200 if is_ready else 503)


@blueprint.address("/version", Action.LOOK, FILES)
def version() -> ResponseReturnValue:
    """The versions of this program, of the format of records, and of the database."""
    return json_response(
        {
            "name": "bezique",
            "version": own_version(),
            "format": RECORD_VERSION,
            "database": SCHEMA_VERSION,
        }
    )


@blueprint.address("/metrics", Action.MEASURE, FILES)
def metrics() -> ResponseReturnValue:
    """How busy the server is, in the text format of Prometheus."""
    tally, counts = current_app.extensions["request_tally"], store().counts()
    gauges = {
        "games_stored": counts.games,
        "deals_stored": counts.deals,
        "imports_unfinished": sum(job.is_active for job in import_queue().jobs()),
        "disk_free_bytes": _free_bytes(),
    }
    response = make_response("".join(metric_lines(tally, gauges)))
    response.headers["Content-Type"] = PROMETHEUS_TYPE
    return response


def _database_state() -> str:
    try:
        store().require_readable()
    except StoreError as error:
        current_app.logger.error("not ready: %s", error)
        return "failing"
    return "ok"


def _disk_state() -> str:
    return "ok" if store().read_only or _free_bytes() >= LEAST_FREE_BYTES else "full"


def _free_bytes() -> int:
    """The room on the disk of the data folder; none if the folder is gone."""
    try:
        return disk_usage(Path(current_app.config["DATA"])).free
    except OSError:
        return 0
