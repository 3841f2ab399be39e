"""Responses that are not pages: JSON and downloads."""

from typing import Any

import msgspec
from flask import Response, current_app


def json_response(value: object) -> Response:
    """A value as JSON."""
    return current_app.response_class(msgspec.json.encode(value), mimetype="application/json")


def attachment(data: Any, name: str, mimetype: str = "application/json") -> Response:
    """Text, bytes or an iterator of either as a download with this file name."""
    response = current_app.response_class(data, mimetype=mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
