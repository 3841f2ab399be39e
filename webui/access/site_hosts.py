"""Under which names, and in which ways, a server lets itself be reached."""

from collections.abc import Collection
from urllib.parse import urlsplit

from flask import abort, current_app, request

from webui.http.client import is_loopback_address, was_forwarded

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
