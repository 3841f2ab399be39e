"""The addresses of the interface: a view for every operation of the table, and what all their answers have."""

import re
from math import ceil
from time import time
from typing import Any

from flask import Flask, Response, current_app, request
from flask.sansio.blueprints import BlueprintSetupState
from flask.typing import ResponseReturnValue
from flask_limiter import Limiter
from werkzeug.routing import Map, UnicodeConverter

from webui.http.answers.content_encodings import accepted_encoding, compress_pieces
from webui.http.answers.problems import INTERFACE_PATH, is_interface_request
from webui.http.page import DeclaredAddress, Views, cost_of
from webui.http.responses import json_response
from webui.interface.operation import BLUEPRINT_NAME, LINES_MEDIA_TYPE, Operation, SentFile
from webui.interface.operations import OPERATIONS
from webui.interface.request_reading import read_body, read_parameters

REVALIDATED = "private, no-cache"
"""Answers may be kept by who got them, and are asked for again with their ETag."""


class OtherWord(UnicodeConverter):
    """A part of an address that may be any word but some, which stand for addresses of their own."""

    def __init__(self, rules: Map, *words: str) -> None:
        super().__init__(rules)
        self.regex = rf"(?!(?:{'|'.join(map(re.escape, words))})\Z){self.regex}"


def make_blueprint() -> Views:
    """The views of all operations."""
    blueprint = Views(BLUEPRINT_NAME, __name__, url_prefix=INTERFACE_PATH)
    blueprint.record_once(_add_converter)
    for operation in OPERATIONS:
        declared = DeclaredAddress(
            operation.action, operation.cost, takes_files=operation.body is SentFile
        )
        blueprint.declare(
            _rule(operation), operation.name, _view(operation), declared, method=operation.method
        )
    return blueprint


def _add_converter(state: BlueprintSetupState) -> None:
    state.app.url_map.converters["other"] = OtherWord


def _rule(operation: Operation) -> str:
    """The path of an operation as Flask writes it.

    No part of it stands for a word that is there already: `DELETE games/records` deletes no game of that name.
    """
    folder, _, last = operation.path.rpartition("/")
    if not last.startswith("{"):
        return operation.rule
    paths = (each.path.rpartition("/") for each in OPERATIONS)
    words = sorted(
        {word for above, _, word in paths if above == folder and not word.startswith("{")}
    )
    name = last.strip("{}")
    quoted = ", ".join(f"'{word}'" for word in words)
    return (
        operation.rule.replace(f"<{name}>", f"<other({quoted}):{name}>")
        if words
        else operation.rule
    )


def init_app(app: Flask) -> None:
    """Add to every answer of the interface how it may be kept, and how much more may be asked for."""
    app.after_request(_complete)


def _view(operation: Operation) -> Any:
    def view(**_: Any) -> ResponseReturnValue:
        arguments = [read_parameters(operation), read_body(operation)]
        result = operation.call(*arguments[: 1 if operation.body is None else 2])
        return result if isinstance(result, Response) else json_response(result)

    # The rates of a view are kept by these names.
    view.__name__ = view.__qualname__ = operation.name
    view.__doc__ = operation.summary
    return view


def _complete(response: Response) -> Response:
    if not is_interface_request():
        return response
    is_reading = request.method in ("GET", "HEAD")
    if response.status_code == 200 and is_reading and not response.is_streamed:
        response.headers.setdefault("Cache-Control", REVALIDATED)
        response.vary.add("Authorization")
        if response.get_etag()[0] is None:
            response.add_etag()
    else:
        response.headers.setdefault("Cache-Control", "no-store")
    if response.is_streamed and response.mimetype == LINES_MEDIA_TYPE:
        _compress_lines(response)
    _tell_rates(response)
    return response


def _compress_lines(response: Response) -> None:
    """Compress lines that are made while they are sent, each so that it can be read at once."""
    response.vary.add("Accept-Encoding")
    encoding = accepted_encoding()
    if encoding:
        response.response = compress_pieces(response.iter_encoded(), encoding)
        response.headers["Content-Encoding"] = encoding


def _tell_rates(response: Response) -> None:
    """The rates that were counted, as RFC drafts name them: what is allowed, and what is left."""
    limiter: Limiter = current_app.extensions["limiter_of_kinds"]
    counted = limiter.current_limits if request.endpoint else []
    if not counted:
        return
    name = cost_of(request.endpoint).counted_as
    now = time()
    policies, left = [], []
    for each in counted:
        seconds = each.limit.get_expiry()
        policies.append(f'"{name}";q={each.limit.amount};w={seconds}')
        left.append(
            f'"{name}";r={each.remaining};t={min(seconds, max(0, ceil(each.reset_at - now)))}'
        )
    response.headers["RateLimit-Policy"] = ", ".join(policies)
    response.headers["RateLimit"] = ", ".join(left)
    if response.status_code < 400:  # the library says even then when the rate begins anew
        response.headers.pop("Retry-After", None)
