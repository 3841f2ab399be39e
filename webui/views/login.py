"""Logging in and out as the admin of a public server."""

from pathlib import Path
from urllib.parse import urlsplit

from flask import (
    Blueprint,
    abort,
    current_app,
    flash,
    make_response,
    redirect,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue

from webui.access.gate import actor, admin_sessions, is_admin
from webui.access.password import is_password, password_hash
from webui.http.headers import keep_private
from webui.http.responses import json_response
from webui.pages.login import LoginPage

blueprint = Blueprint("login", __name__)
blueprint.after_request(keep_private)


@blueprint.get("/login")
def log_in() -> ResponseReturnValue:
    """The page on which the admin logs in."""
    return _page().render()


@blueprint.get("/login.json")
def log_in_json() -> ResponseReturnValue:
    """Who the server takes you for."""
    return json_response({"role": actor().role, "name": actor().name})


@blueprint.post("/login")
def check_password() -> ResponseReturnValue:
    """Begin a session for whoever knows the password."""
    if not current_app.config["PUBLIC"]:
        abort(403, "Nobody needs to log in here: this server answers only to its own machine.")
    folder = Path(current_app.config["DATA"])
    if not is_password(folder, request.form.get("password", "")):
        return make_response(_page(problem="That is not the password.").render(), 403)
    session.clear()  # what a visitor's session held was not said by the admin
    session["admin"] = admin_sessions().begin(password_hash(folder))
    flash("You are logged in as the admin.")
    return redirect(_next_page(), 303)


@blueprint.post("/logout")
def log_out() -> ResponseReturnValue:
    """End the admin's session."""
    admin_sessions().end(session.get("admin", ""))
    session.clear()
    flash("You are logged out.")
    return redirect(url_for("home.home"), 303)


def _next_page() -> str:
    """The page that asked for the password, if it is one of this site."""
    wanted = request.form.get("next", "")
    return wanted if _is_own(wanted) else url_for("home.home")


def _is_own(address: str) -> bool:
    """Whether an address is a path of this site, however a browser reads it."""
    if not address.startswith("/") or address.startswith("//") or not address.isprintable():
        return False
    try:
        parts = urlsplit(address.replace("\\", "/"))
    except ValueError:
        return False
    return not (parts.scheme or parts.netloc)


def _page(problem: str = "") -> LoginPage:
    return LoginPage(
        public=current_app.config["PUBLIC"],
        logged_in=is_admin(),
        next_page=request.values.get("next", ""),
        problem=problem,
    )
