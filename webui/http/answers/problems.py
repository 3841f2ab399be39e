"""Problems: errors of the interface for programs, as `application/problem+json` (RFC 9457) with types that stay."""

from dataclasses import dataclass
from typing import Any

import msgspec
from flask import Response, current_app, request
from werkzeug.exceptions import HTTPException

from records.validate.finding import Finding
from webui.display.site_paths import site_path

INTERFACE_PATH = "/api/v1"
"""Every address of the interface begins so."""
PROBLEM_MEDIA_TYPE = "application/problem+json"
PROBLEM_PAGE = "/spec/interface"
"""The page that explains every type; the address of a type is an anchor on it."""


@dataclass(frozen=True, slots=True)
class ProblemType:
    """A kind of problem: its name, which never changes, its status and its title."""

    name: str
    status: int
    title: str

    @property
    def address(self) -> str:
        """The type as problems state it: where it is explained, as a path, since sites have different hosts."""
        return f"{PROBLEM_PAGE}#{self.name}"


PROBLEM_TYPES = (
    ProblemType("invalid-request", 400, "The request cannot be read"),
    ProblemType("unknown-parameter", 400, "There is no such parameter"),
    ProblemType("invalid-parameter", 400, "A parameter has a wrong value"),
    ProblemType("invalid-body", 400, "The body cannot be read"),
    ProblemType("invalid-cursor", 400, "The cursor is none of ours"),
    ProblemType("refused-statement", 400, "The statement is not allowed"),
    ProblemType("refused-question", 400, "The question has no answer"),
    ProblemType("unlawful-line", 400, "The line breaks a rule"),
    ProblemType("unknown-token", 401, "The token is not known"),
    ProblemType("not-allowed", 403, "Not allowed"),
    ProblemType("foreign-origin", 403, "Pages of this origin may not ask"),
    ProblemType("not-found", 404, "Not found"),
    ProblemType("not-annotated", 404, "There is no annotation yet"),
    ProblemType("not-weighed", 404, "The choices have not been weighed yet"),
    ProblemType("method-not-allowed", 405, "The address has no such method"),
    ProblemType("not-acceptable", 406, "There is no answer of such a type"),
    ProblemType("conflict", 409, "Not now"),
    ProblemType("gone", 410, "Deleted meanwhile"),
    ProblemType("too-large", 413, "Too large"),
    ProblemType("unsupported-media-type", 415, "The body has a type that is not understood"),
    ProblemType("no-such-range", 416, "There are no such bytes"),
    ProblemType("wrong-address", 421, "The server does not answer to this name"),
    ProblemType("unreadable-record", 422, "The record cannot be read"),
    ProblemType("not-reviewable", 422, "Such games are not annotated"),
    ProblemType("too-many-requests", 429, "Too many requests"),
    ProblemType("server-error", 500, "The server has an error"),
    ProblemType("busy", 503, "The server is busy"),
    ProblemType("no-room", 507, "There is no room left"),
)
"""Every type of problem. The first of a status stands for it where nothing more is known."""

TYPES_BY_NAME = {each.name: each for each in PROBLEM_TYPES}
TYPES_BY_STATUS = {each.status: each for each in reversed(PROBLEM_TYPES)}


class InterfaceProblem(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What went wrong: `type` and `status` say it to programs, `title` and `detail` to people.

    `parameter` names the parameter that is wrong; `findings` are those of a record that cannot be read.
    """

    type: str
    title: str
    status: int
    detail: str = ""
    instance: str = ""
    parameter: str = ""
    findings: list[Finding] = []


class ProblemRaised(HTTPException):
    """Ends a request with a problem of a named type."""

    def __init__(
        self, name: str, detail: str, *, parameter: str = "", findings: list[Finding] | None = None
    ) -> None:
        super().__init__(detail)
        self.problem_type = TYPES_BY_NAME[name]
        self.code = self.problem_type.status
        self.parameter, self.findings = parameter, findings or []


def is_interface_request() -> bool:
    """Whether the current request asks the interface, so that errors are problems and cookies say nothing."""
    return request.path == INTERFACE_PATH or request.path.startswith(f"{INTERFACE_PATH}/")


def interface_address(path: str) -> str:
    """The address of a path of the interface, such as `games/3f786850e387`, for the current request."""
    return site_path(f"{INTERFACE_PATH}/{path}")


def problem_response(status: int, detail: str, error: HTTPException | None = None) -> Response:
    """The answer to an error: the problem of its type, or of its status."""
    fallback = TYPES_BY_STATUS.get(status) or ProblemType("invalid-request", status, "Not possible")
    kind, more = fallback, dict[str, Any]()
    if isinstance(error, ProblemRaised):
        kind = error.problem_type
        more = {"parameter": error.parameter, "findings": error.findings}
    problem = InterfaceProblem(
        type=kind.address,
        title=kind.title,
        status=status,
        detail=detail,
        instance=site_path(request.path),
        **more,
    )
    return current_app.response_class(
        msgspec.json.encode(problem), status, mimetype=PROBLEM_MEDIA_TYPE
    )
