"""`bezique serve`: the web server."""

import signal
from contextlib import nullcontext
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import click
from flask import Flask

from webui import create_app
from webui.access.actions import VISITOR_CHOICES
from webui.access.site_hosts import host_name, is_loopback_host
from webui.application import close_app
from webui.cli.data_folder import data_option
from webui.cli.refusal import Refusal
from webui.http.local_server import announce_server, new_key
from webui.serving.application_server import serve_application

WILDCARD_HOSTS = ("0.0.0.0", "::")
"""Addresses that listen on every interface of this machine."""
PAGE_PROCESSES = 3
"""The processes for reviews: no more than two are made for pages at a time (`REQUEST_KINDS`), and one before roll-outs."""


@click.command()
@data_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
    help="The port to listen on; 0 chooses a free one.",
)  # fmt: skip
@click.option(
    "--public", is_flag=True,
    help="Let others reach the site. It then needs --site-host, and --behind-proxy or --plain-http, and an admin "
    "with a password.",
)  # fmt: skip
@click.option(
    "--site-host", "site_hosts", multiple=True, metavar="NAME",
    help="With --public: the name in the site's address, as in club.example.org; may be repeated. Requests for other "
    "names are refused.",
)  # fmt: skip
@click.option(
    "--behind-proxy", "proxies", type=click.IntRange(1, 10), metavar="NUMBER",
    help="With --public: how many proxies every request passes, usually 1. They must set X-Forwarded-For and "
    "X-Forwarded-Proto, and nobody may reach the server past them.",
)  # fmt: skip
@click.option(
    "--plain-http", is_flag=True,
    help="With --public: serve over http, without encryption. Passwords and private links can be overheard: for "
    "networks that you trust.",
)  # fmt: skip
@click.option(
    "--allow", default="read,validate,upload", show_default=True, metavar="LIST",
    help="With --public: what visitors may do, of read, validate, upload and rollouts.",
)  # fmt: skip
def serve(
    *,
    folder: Path,
    host: str,
    port: int,
    public: bool,
    site_hosts: tuple[str, ...],
    proxies: int | None,
    plain_http: bool,
    allow: str,
) -> None:
    """Show the games in a browser.

    Serves upload, replay, review and statistics until Ctrl-C or SIGTERM stops it. Uploaded games are stored
    in the data folder. A folder written by `bezique export --parquet` is served read-only.

    Only this machine can reach the server, under names such as localhost, and whoever sits at it may do
    everything. With --public others can reach it: visitors may do what --allow says, whoever uploads gets a
    private link to their upload, and only the admin deletes games, controls imports and copies the database,
    after logging in with the password of `bezique admin password`.

    \b
      bezique serve
      bezique serve --data var --port 8080
      bezique serve --public --site-host club.example.org --behind-proxy 1
      bezique serve --public --site-host 192.168.1.5 --host 192.168.1.5 --plain-http --allow read,validate
    """
    key = new_key()
    access = _public_settings(site_hosts, proxies, allow, plain_http=plain_http) if public else {}
    if not public:
        _refuse_publicity(host, any_given=bool(site_hosts or proxies or plain_http))
    app = create_app(data=folder, local_key=key, page_processes=PAGE_PROCESSES, **access)
    try:
        server = _listen(app, host, port)
        signal.signal(signal.SIGTERM, _stop)
        address = _address_from_here(host, server.effective_port)
        reading = app.extensions["store"].read_only
        app.extensions["statements"].prepare()
        with nullcontext() if reading else announce_server(folder, address, key):
            port = server.effective_port
            click.echo(f"Serving {folder} at http://{host}:{port}/ (Ctrl-C stops it)")
            server.run()
        server.close()
    finally:
        close_app(app)


def _address_from_here(host: str, port: int) -> str:
    """The address under which commands on this machine reach the server."""
    return f"http://{'127.0.0.1' if host in WILDCARD_HOSTS else host}:{port}"


def _refuse_publicity(host: str, *, any_given: bool) -> None:
    """Refuse what would let others reach a server that everybody on it may change."""
    if not is_loopback_host(host_name(host)):
        raise Refusal(
            f"Others could reach {host}, and whoever reaches this server may delete games. Add --public, which "
            "asks for an admin with a password, or leave out --host."
        )
    if any_given:
        raise Refusal("--site-host, --behind-proxy and --plain-http need --public.")


def _public_settings(
    site_hosts: tuple[str, ...], proxies: int | None, allow: str, *, plain_http: bool
) -> dict[str, Any]:
    """The settings of a public server."""
    if not site_hosts or not all(map(host_name, site_hosts)):
        raise Refusal(
            "--public needs the name in the site's address: add --site-host, as in --site-host club.example.org."
        )
    if not proxies and not plain_http:
        raise Refusal(
            "--public needs https, which a proxy adds: run one in front, such as Caddy or nginx, and add "
            "--behind-proxy 1. In a network that you trust, add --plain-http instead."
        )
    allowed = [name.strip() for name in allow.split(",") if name.strip()]
    unknown = [name for name in allowed if name not in VISITOR_CHOICES]
    if unknown or not allowed:
        raise Refusal(f"--allow is a list of {', '.join(VISITOR_CHOICES)}, with commas.")
    return {
        "public": True,
        "site_hosts": site_hosts,
        "behind_proxy": proxies or 0,
        "plain_http": plain_http,
        "visitors_may": allowed,
    }


def _listen(app: Flask, host: str, port: int) -> Any:
    try:
        return serve_application(app, host, port)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Refusal(
            f"Cannot listen on {host}, port {port}: {reason}. Try another --port."
        ) from error


def _stop(signum: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)
