"""The gate that every request passes: who is asking, and whether they may. No view decides this by itself."""

import logging
import secrets
from dataclasses import dataclass
from hmac import compare_digest
from pathlib import Path
from typing import cast

from flask import Flask, abort, current_app, g, request, session
from flask_wtf.csrf import CSRFProtect  # type: ignore[import-untyped]
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Unauthorized

from webui.access.actions import (
    CHANGING_ACTIONS,
    VISITOR_CHOICES,
    Action,
    Role,
    is_granted,
)
from webui.access.admin_sessions import AdminSessions
from webui.access.cross_origin import check_origin, is_preflight
from webui.access.password import PasswordError, password_hash
from webui.access.site_hosts import check_request, host_name
from webui.access.tokens import TokenError, find_token
from webui.http.answers.problems import is_interface_request
from webui.http.client import client_address
from webui.http.error_pages import READ_ONLY_TEXT
from webui.http.page import declared_address, require_declarations
from webui.local_server import KEY_HEADER, key_matches

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
    Action.ROLL_OUT: "This server runs no roll-outs and no deep reviews for visitors.",
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


def init_app(app: Flask) -> None:
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
    stored = password_hash(Path(current_app.config["DATA"])) if "admin" in session else ""
    if stored and admin_sessions().is_open(session["admin"], stored):
        return Actor(Role.ADMIN)
    return Actor(Role.VISITOR)


def _identify_program(secret: str) -> Actor:
    try:
        token = find_token(Path(current_app.config["DATA"]), secret)
    except TokenError as error:
        log.error("%s", error)
        token = None
    if token is None:
        raise Unauthorized(
            "This token is not known here. It may have been revoked.",
            www_authenticate=WWWAuthenticate("bearer", {"error": "invalid_token"}),
        )
    return Actor(token.role, token.name)


def admin_sessions() -> AdminSessions:
    """The admin's sessions of the current application."""
    return cast(AdminSessions, current_app.extensions["admin_sessions"])
