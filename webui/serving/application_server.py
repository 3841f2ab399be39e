"""The server of the application: it knows what its addresses cost."""

from dataclasses import replace
from functools import partial
from typing import Any

from flask import Flask

from webui.http.limits import request_costs
from webui.http.request_kinds import THREADS_BY_KIND
from webui.serving.server import Address, create_fair_server
from webui.serving.settings import ServingSettings


def serve_application(
    app: Flask, host: str, port: int, settings: ServingSettings | None = None
) -> Any:
    """The server of an application; raises OSError if it cannot listen, and ValueError if the host has no address."""
    return create_fair_server(
        app,
        host=host,
        port=port,
        address_of=partial(_address, app),
        threads_by_kind=THREADS_BY_KIND,
        settings=replace(settings or ServingSettings(), proxies=app.config["BEHIND_PROXY"]),
    )


def _address(app: Flask, method: str, path: str) -> Address:
    return Address(*request_costs(app, method, path))
