"""Which pages of other sites may ask the interface: those whose origin the admin allows, and without cookies."""

from urllib.parse import urlsplit

from flask import Flask, Response, current_app, request

from webui.http.answers.problems import ProblemRaised, is_interface_request

ALLOWED_METHODS = "GET, HEAD, POST, DELETE"
ALLOWED_HEADERS = "Authorization, Content-Type, Content-Encoding, If-None-Match"
READABLE_HEADERS = "ETag, Location, RateLimit, RateLimit-Policy, Retry-After"
"""The headers of answers that scripts of other origins may read."""
PREFLIGHT_SECONDS = 3600
_READING_METHODS = ("GET", "HEAD", "OPTIONS")


def init_app(app: Flask) -> None:
    """Let pages of the origins in the setting `ALLOWED_ORIGINS` ask the interface."""
    app.config["ALLOWED_ORIGINS"] = frozenset(app.config["ALLOWED_ORIGINS"])
    app.after_request(_allow_origin)


def read_origin(text: str) -> str:
    """An origin as browsers write it, such as `https://club.example.org`; empty if it is none."""
    try:
        parts = urlsplit(text.strip())
        usual = {"http": 80, "https": 443}.get(parts.scheme)
        port = f":{parts.port}" if parts.port not in (None, usual) else ""
    except ValueError:
        return ""
    plain = parts.scheme in ("http", "https") and parts.hostname and not parts.username
    if not plain or parts.path.strip("/") or parts.query or parts.fragment:
        return ""
    host = f"[{parts.hostname}]" if ":" in str(parts.hostname) else parts.hostname
    return f"{parts.scheme}://{host}{port}"


def is_preflight() -> bool:
    """Whether a browser asks if a page of another origin may ask the interface."""
    return (
        is_interface_request()
        and request.method == "OPTIONS"
        and "Access-Control-Request-Method" in request.headers
    )


def check_origin() -> None:
    """Refuse a change that a page of a foreign origin asks for; raises ProblemRaised.

    On a server that is not public whoever sits at its machine may do everything, so that any page in their browser could.
    Browsers name the origin of every such request.
    """
    origin = request.headers.get("Origin", "")
    if request.method in _READING_METHODS or not origin or _is_allowed(origin):
        return
    if origin != request.host_url.rstrip("/"):
        detail = "Pages of this origin may not change anything here."
        raise ProblemRaised("foreign-origin", detail)


def _is_allowed(origin: str) -> bool:
    return origin in current_app.config["ALLOWED_ORIGINS"]


def _allow_origin(response: Response) -> Response:
    if not is_interface_request() or not current_app.config["ALLOWED_ORIGINS"]:
        return response
    response.vary.add("Origin")
    origin = request.headers.get("Origin", "")
    if not _is_allowed(origin):
        return response
    response.headers["Access-Control-Allow-Origin"] = origin
    response.headers["Access-Control-Expose-Headers"] = READABLE_HEADERS
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    if is_preflight():
        response.headers["Access-Control-Allow-Methods"] = ALLOWED_METHODS
        response.headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
        response.headers["Access-Control-Max-Age"] = str(PREFLIGHT_SECONDS)
    return response
