"""`bezique serve`: the pages, for a browser on this machine."""

import signal
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import click
from flask import Flask
from waitress.server import create_server

from webui import create_app
from webui.application import close
from webui.commands.folder import data_option
from webui.commands.refusal import Refusal

THREADS = 8


@click.command()
@data_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
    help="The port to listen on; 0 takes any that is free.",
)  # fmt: skip
def serve(*, folder: Path, host: str, port: int) -> None:
    """Show the games in a browser.

    Upload, replay, statistics.
    Ctrl-C or SIGTERM stops it; what was uploaded is kept. There are no accounts: whoever reaches the
    address may read and upload, so think before you give a --host other than this machine.

    \b
      bezique serve
      bezique serve --data var --port 8080
    """
    app = create_app(data=folder)
    try:
        server = _listen(app, host, port)
        signal.signal(signal.SIGTERM, _stop)
        click.echo(f"Serving {folder} at http://{host}:{server.effective_port}/ (Ctrl-C stops it)")
        server.run()
        server.close()
    finally:
        close(app)


def _listen(app: Flask, host: str, port: int) -> Any:
    try:
        return create_server(app, host=host, port=port, threads=THREADS, ident="bezique")
    except OSError as error:
        raise Refusal(
            f"Cannot listen on {host}, port {port}: {error.strerror}. Another --port may be free."
        ) from error


def _stop(signum: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)
