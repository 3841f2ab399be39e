"""`bezique serve`: the web server."""

import logging
import signal
from contextlib import nullcontext
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import click
from flask import Flask
from waitress.server import create_server

from webui import create_app
from webui.application import close_app
from webui.cli.data_folder import data_option
from webui.cli.refusal import Refusal
from webui.http.local_server import announce_server, new_key

SERVER_THREADS = 8
LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
WILDCARD_HOSTS = ("0.0.0.0", "::")
"""Addresses that listen on every interface of this machine."""


@click.command()
@data_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
    help="The port to listen on; 0 chooses a free one.",
)  # fmt: skip
@click.option(
    "--keeping/--no-keeping", default=None,
    help="Whether every visitor may delete games and download the database.  [default: only if --host is this "
    "machine]",
)  # fmt: skip
def serve(*, folder: Path, host: str, port: int, keeping: bool | None) -> None:
    """Show the games in a browser.

    Serves upload, replay, review and statistics until Ctrl-C or SIGTERM stops it. Uploaded games are stored
    in the data folder. There are no accounts: everyone who can reach the address can read and upload, so
    be careful with a --host other than this machine. A folder written by `bezique export --parquet` is
    served read-only.

    \b
      bezique serve
      bezique serve --data var --port 8080
    """
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a waiting page is normal
    key = new_key()
    may = host in LOOPBACK_HOSTS if keeping is None else keeping
    app = create_app(data=folder, keeping=may, local_key=key)
    try:
        server = _listen(app, host, port)
        signal.signal(signal.SIGTERM, _stop)
        click.echo(f"Serving {folder} at http://{host}:{server.effective_port}/ (Ctrl-C stops it)")
        near = "127.0.0.1" if host in WILDCARD_HOSTS else host
        address = f"http://{near}:{server.effective_port}"
        reading = app.extensions["store"].read_only
        with nullcontext() if reading else announce_server(folder, address, key):
            server.run()
        server.close()
    finally:
        close_app(app)


def _listen(app: Flask, host: str, port: int) -> Any:
    try:
        return create_server(
            app,
            host=host,
            port=port,
            threads=SERVER_THREADS,
            ident="bezique",
            clear_untrusted_proxy_headers=False,  # the application must see that there is a proxy
        )
    except OSError as error:
        raise Refusal(
            f"Cannot listen on {host}, port {port}: {error.strerror}. Try another --port."
        ) from error


def _stop(signum: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)
