"""The gate that every request passes: who is asking, from which site, and whether they may."""

import logging
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from hmac import compare_digest
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, g, request, session
from flask_wtf.csrf import CSRFProtect  # type: ignore[import-untyped]
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Unauthorized

from analyzer.store.sealed_files import FileBroken
from webui.server.actions import CHANGING_ACTIONS, VISITOR_CHOICES, Action, Role, is_granted
from webui.server.client import client_address, is_loopback_address, was_forwarded
from webui.server.error_pages import READ_ONLY_TEXT, ProblemRaised, is_interface_request
from webui.server.local_server import KEY_HEADER, key_matches
from webui.server.logins import (
    AdminSessions,
    PasswordError,
    TokenError,
    find_token,
    password_hash,
)
from webui.server.page import declared_address, require_declarations

# Which pages of other sites may ask the interface: those whose origin the admin allows, and without cookies.

ALLOWED_METHODS = "GET, HEAD, POST, DELETE"
ALLOWED_HEADERS = "Authorization, Content-Type, Content-Encoding, If-None-Match"
READABLE_HEADERS = "ETag, Location, RateLimit, RateLimit-Policy, Retry-After"
"""The headers of answers that scripts of other origins may read."""
PREFLIGHT_SECONDS = 3600
_READING_METHODS = ("GET", "HEAD", "OPTIONS")


def init_cross_origin(app: Flask) -> None:
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


# The names under which, and the ways in which, a server lets itself be reached.

MISDIRECTED = 421
"""The status for a host that this server does not answer to."""
SERVE_PUBLICLY = "To show the site to others, start it with `bezique serve --public`."


def host_name(host: str) -> str:
    """The name in a `Host` header, without its port, in lower case; empty if it cannot be read."""
    try:
        return (urlsplit(f"//{host}").hostname or "").removesuffix(".")
    except ValueError:
        return ""


def is_loopback_host(name: str) -> bool:
    """Whether a name means the machine itself, on any machine."""
    return name == "localhost" or is_loopback_address(name)


def check_request() -> None:
    """Refuse a request that came a way on which this server does not want to be reached.

    A server that is not public answers only to its own machine, under its own names, and to no proxy: a proxy on
    the same machine would make every visitor look like the person who sits at it.
    """
    if current_app.config["PUBLIC"]:
        _check_public(current_app.config["SITE_HOSTS"])
    else:
        _check_local()


def _check_local() -> None:
    if was_forwarded():
        abort(403, f"This server answers to no proxy. {SERVE_PUBLICLY}")
    if not is_loopback_address(request.remote_addr or ""):
        abort(403, f"This server answers only to the machine that it runs on. {SERVE_PUBLICLY}")
    if not is_loopback_host(host_name(request.host)):
        abort(MISDIRECTED, f"This server answers only to localhost and 127.0.0.1. {SERVE_PUBLICLY}")


def _check_public(site_hosts: Collection[str]) -> None:
    name = host_name(request.host)
    # A proxy that hides the site's name would make every visitor look like this machine, and links lead nowhere.
    if (
        is_loopback_host(name)
        and is_loopback_address(request.remote_addr or "")
        and not was_forwarded()
    ):
        return
    if name not in site_hosts:
        abort(MISDIRECTED, "This server does not answer to the name in this address.")
    if not request.is_secure and not current_app.config["PLAIN_HTTP"]:
        abort(
            403,
            "Open this site with https. If you did, its proxy does not send X-Forwarded-Proto.",
        )


# The gate itself. No view decides by itself who may.

SECURE_COOKIE_NAME = "__Host-bezique"
"""The session's cookie on a public server: browsers take this name only over https, for this host alone."""
COOKIE_NAME = "bezique"

INTERFACE_BLUEPRINT = "interface"
"""Its views read no cookie, so that no form can be forged; pages of foreign origins are refused by their origin."""

PROGRAM_ROLES = frozenset((Role.READER, Role.UPLOADER, Role.STEWARD))
REFUSALS = {
    Action.UPLOAD: "This server takes no uploads from visitors.",
    Action.VALIDATE: "This server checks no records for visitors.",
    Action.READ: "This server shows its games only to its admin.",
    Action.ROLL_OUT: "This server runs no simulations and no deep reviews for visitors.",
    Action.COPY_BY_KEY: "Only commands on the server's own machine may use this address.",
}
ONLY_ADMIN_TEXT = "Only the admin of this server may do this."
SCOPE_TEXT = "The scope of this token does not include this."

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Actor:
    """Who sent a request; `name` is that of a program's token, or empty."""

    role: Role
    name: str = ""


class FormGuard(CSRFProtect):  # type: ignore[misc]
    """Asks for the token of a form, except of programs: no browser sends their tokens unasked."""

    def protect(self, apply_exemptions: bool = False) -> None:  # noqa: FBT001, FBT002
        """Refuse a request without the token of its form."""
        if actor().role not in PROGRAM_ROLES:
            super().protect(apply_exemptions=apply_exemptions)


def init_gate(app: Flask) -> None:
    """Put the gate before all views, which must be registered.

    Raises UndeclaredAddress for a view that nobody may ask, and PasswordError for a public server without one.
    """
    require_declarations(app)
    _set_up(app)
    app.extensions["admin_sessions"] = AdminSessions()
    app.before_request(_admit)
    app.context_processor(lambda: {"may": may, "is_admin": is_admin})


def guard_forms(app: Flask) -> None:
    """Ask every form for its token; comes after the gate, and after whatever limits the size of a form."""
    guard = FormGuard(app)
    guard.exempt(app.blueprints[INTERFACE_BLUEPRINT])
    for endpoint, view in app.view_functions.items():
        declared = declared_address(endpoint, app)
        if declared and not declared.needs_form_token:
            guard.exempt(view)


def _set_up(app: Flask) -> None:
    config = app.config
    config["SITE_HOSTS"] = frozenset(host_name(name) for name in config["SITE_HOSTS"]) - {""}
    config["VISITORS_MAY"] = frozenset(Action(name) for name in config["VISITORS_MAY"])
    if not config["VISITORS_MAY"] <= set(VISITOR_CHOICES):
        raise ValueError(f"visitors may be allowed {', '.join(VISITOR_CHOICES)}")
    secure = config["PUBLIC"] and not config["PLAIN_HTTP"]
    config["SESSION_COOKIE_SECURE"] = secure
    config["SESSION_COOKIE_NAME"] = SECURE_COOKIE_NAME if secure else COOKIE_NAME
    if config["PUBLIC"] and not password_hash(Path(config["DATA"])):
        raise PasswordError(
            "a public server needs a password for its admin; set one with `bezique admin password`"
        )


def actor() -> Actor:
    """Who sent the current request; a visitor until the gate knows better."""
    return cast(Actor, g.get("actor") or Actor(Role.VISITOR))


def name_of_actor() -> str:
    """Who asks, as what is kept of it notes it: the role, or the name of a token."""
    asking = actor()
    return f"token {asking.name}" if asking.name else str(asking.role)


def may(name: str) -> bool:
    """Whether whoever sent the current request may do this `Action`, on this server."""
    action = Action(name)
    if action in CHANGING_ACTIONS and current_app.extensions["store"].read_only:
        return False
    allowed = g.get("actor") is not None or action is Action.LOOK
    return allowed and is_granted(actor().role, action, current_app.config["VISITORS_MAY"])


def is_admin() -> bool:
    """Whether the current request comes from the admin, logged in."""
    return actor().role is Role.ADMIN


def requester() -> str:
    """Who sent the current request, as a word to remember what they started by; a browser is known by its session.

    The interface sets no cookie: there who has no token is known by the address.
    """
    if not (known := _known_requester()):
        session["requester"] = secrets.token_urlsafe(12)
        known = _known_requester()
    return known


def is_requester(word: str) -> bool:
    """Whether the sender of the current request is known by this word."""
    return bool(word) and compare_digest(word.encode(), _known_requester().encode())


def _known_requester() -> str:
    if actor().role in PROGRAM_ROLES:
        return f"token {actor().name}"
    if is_interface_request():
        return f"client {client_address()}"
    return f"browser {session['requester']}" if "requester" in session else ""


def _admit() -> None:
    """Answer 401, 403 or 421 to a request that may not be."""
    command = _identify_command()
    if command is None:
        check_request()  # a command asks by the address that the server listens on, whatever the site's name is
    g.actor = command or _identify()
    if request.endpoint is None or is_preflight():
        return  # there is no such address, or only the browser asks whether a page may
    if is_interface_request():
        check_origin()
    declared = declared_address(request.endpoint)
    if declared is None:
        log.error("nothing says who may ask for %s", request.endpoint)
        abort(403, ONLY_ADMIN_TEXT)
    if not may(declared.action):
        abort(403, _refusal(declared.action))


def _refusal(action: Action) -> str:
    role = actor().role
    if action in CHANGING_ACTIONS and current_app.extensions["store"].read_only:
        return READ_ONLY_TEXT
    if role in PROGRAM_ROLES and action is not Action.COPY_BY_KEY:
        return SCOPE_TEXT
    return REFUSALS.get(action, ONLY_ADMIN_TEXT)


def _identify_command() -> Actor | None:
    """A command, if the request shows the key of the data folder; answers 403 if it shows another."""
    key = request.headers.get(KEY_HEADER)
    if key is None:
        return None
    if not key_matches(key, current_app.config["LOCAL_KEY"]):
        abort(403, REFUSALS[Action.COPY_BY_KEY])
    return Actor(Role.COMMAND)


def _identify() -> Actor:
    """Who asks: a program with its token, or a person with a browser."""
    given = request.authorization
    if given is not None and given.type == "bearer":
        return _identify_program(given.token or "")
    if not current_app.config["PUBLIC"]:
        return Actor(Role.PERSON)
    if is_interface_request():
        return Actor(Role.VISITOR)  # whatever cookies the request has
    try:
        stored = password_hash(Path(current_app.config["DATA"])) if "admin" in session else ""
    except FileBroken as error:
        log.error("%s", error)
        stored = ""
    if stored and admin_sessions().is_open(session["admin"], stored):
        return Actor(Role.ADMIN)
    return Actor(Role.VISITOR)


def _identify_program(secret: str) -> Actor:
    try:
        token = find_token(Path(current_app.config["DATA"]), secret)
    except TokenError as error:
        log.error("%s", error)
        token, why = None, "No token can be checked at the moment. The server's log says why."
    else:
        why = "This token is not known here. It may have been revoked."
    if token is None:
        raise Unauthorized(
            why,
            www_authenticate=WWWAuthenticate("bearer", {"error": "invalid_token"}),
        )
    return Actor(token.role, token.name)


def admin_sessions() -> AdminSessions:
    """The admin's sessions of the current application."""
    return cast(AdminSessions, current_app.extensions["admin_sessions"])
