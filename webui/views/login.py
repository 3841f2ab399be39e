"""Logging in and out as the admin of a public server."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from flask import (
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

from webui.access.actions import Action
from webui.access.gate import actor, admin_sessions, is_admin
from webui.access.password import is_password, password_hash
from webui.http.headers import keep_private
from webui.http.page import Page, Views
from webui.http.request_kinds import LOGINS, PAGES

blueprint = Views("login", __name__)
blueprint.after_request(keep_private)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginPage(Page):
    """The form for the admin's password; `next_page` is the path to go on to, `problem` what was wrong."""

    template = "login/login.html"
    public: bool
    logged_in: bool
    next_page: str
    problem: str

    @property
    def data(self) -> object:
        """Who the server takes you for."""
        return {"role": actor().role, "name": actor().name}


@blueprint.page("/login", Action.LOG_IN, PAGES)
def log_in() -> LoginPage:
    """The page on which the admin logs in."""
    return _page()


@blueprint.address("/login", Action.LOG_IN, LOGINS, method="POST")
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


@blueprint.address("/logout", Action.LOG_OUT, PAGES, method="POST")
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
