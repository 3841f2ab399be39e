"""The server of the application: it knows what its addresses cost, and counts and logs what it answers."""

from dataclasses import replace
from functools import partial
from typing import Any

from flask import Flask

from webui.http.limits import request_costs
from webui.http.metrics.request_tally import RequestTally
from webui.http.request_kinds import THREADS_BY_KIND
from webui.serving.access_log import AccessLog
from webui.serving.answered_request import AnsweredRequest
from webui.serving.server import Address, create_fair_server
from webui.serving.settings import ServingSettings


def serve_application(
    app: Flask,
    host: str,
    port: int,
    settings: ServingSettings | None = None,
    *,
    access_log: AccessLog | None = None,
) -> Any:
    """The server of an application; raises OSError if it cannot listen, and ValueError if the host has no address."""
    settings = replace(settings or ServingSettings(), proxies=app.config["BEHIND_PROXY"])
    return create_fair_server(
        app,
        host=host,
        port=port,
        address_of=partial(_address, app, settings.prefix),
        threads_by_kind=THREADS_BY_KIND,
        settings=settings,
        note_answer=partial(_note_answer, app.extensions["request_tally"], access_log),
    )


def _address(app: Flask, prefix: str, method: str, path: str) -> Address:
    own = path.removeprefix(prefix) if path.startswith(f"{prefix}/") else path
    return Address(*request_costs(app, method, own))


def _note_answer(
    tally: RequestTally, access_log: AccessLog | None, answered: AnsweredRequest
) -> None:
    tally.add(answered.kind, int(answered.status), answered.seconds)
    if access_log is not None:
        access_log.note(answered)
