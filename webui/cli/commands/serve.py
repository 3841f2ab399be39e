"""`bezique serve`: the web server."""

import re
import signal
from contextlib import nullcontext
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

import click
from click.core import ParameterSource

from webui import DATA_FOLDER_VARIABLE, DEFAULT_DATA_FOLDER
from webui.cli.commands.upgrade import summary_lines, upgrade_with_bar
from webui.cli.main import DATA_PATH, Refusal, WholeNumber, error_sentence
from webui.cli.settings import config_option, setting, settings_listing
from webui.server.actions import VISITOR_CHOICES

if TYPE_CHECKING:
    from flask import Flask

WILDCARD_HOSTS = ("0.0.0.0", "::")
"""Addresses that listen on every interface of this machine."""
PAGE_PROCESSES = 3
"""The processes for reviews: no more than two are made for pages at a time (`REQUEST_KINDS`), and one before roll-outs."""
BYTES_PER_MIB = 1024 * 1024
EXAMPLE_FILES = {
    "systemd": "bezique.service",
    "container": "Containerfile",
    "nginx": "nginx.conf",
    "caddy": "Caddyfile",
}
ALLOWED_BY_DEFAULT = "read,validate,upload"
PREFIX_PATTERN = re.compile(r"[\w-]+(?:/[\w-]+)*|", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """What `bezique serve` is told; each is a setting of the command."""

    folder: Path
    host: str
    port: int
    prefix: str
    public: bool
    site_hosts: tuple[str, ...]
    proxies: int | None
    no_proxy: bool
    plain_http: bool
    allow: str
    allow_is_given: bool
    origins: tuple[str, ...]
    read_only: bool
    largest_upload: int
    import_processes: int | None
    access_log: str | None


@click.command()
@setting(
    "--data", "folder", type=DATA_PATH, default=DEFAULT_DATA_FOLDER,
    envvar=DATA_FOLDER_VARIABLE, show_default=True, metavar="FOLDER",
    help="The data folder, with the database; or Parquet files or a lake, read-only.",
)  # fmt: skip
@setting("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@setting(
    "--port", type=WholeNumber(0, 65535), default=8000, show_default=True,
    help="The port to listen on; 0 chooses a free one.",
)  # fmt: skip
@setting(
    "--prefix", default="", metavar="PATH",
    help="The path under which a proxy shows the site, as in /bezique. The proxy passes requests on with it.",
)  # fmt: skip
@setting(
    "--public", is_flag=True,
    help="Let others reach the site. It then needs --site-host, and --behind-proxy or --no-proxy, and an admin with "
    "a password.",
)  # fmt: skip
@setting(
    "--site-host", "site_hosts", multiple=True, metavar="NAME",
    help="With --public: the name in the site's address, as in club.example.org; may be repeated. Requests for other "
    "names are refused.",
)  # fmt: skip
@setting(
    "--behind-proxy", "proxies", type=WholeNumber(1, 10), metavar="NUMBER",
    help="With --public: how many proxies every request passes, usually 1. They must set X-Forwarded-For and "
    "X-Forwarded-Proto, and nobody may reach the server past them.",
)  # fmt: skip
@setting(
    "--no-proxy", is_flag=True,
    help="With --public: let visitors reach the server itself, over http. Then nothing keeps one of them from taking all "
    "of its connections and threads, and passwords and private links can be overheard: for networks that you trust.",
)  # fmt: skip
@setting(
    "--plain-http", is_flag=True,
    help="With --behind-proxy: the proxy, too, speaks http, without encryption. Passwords and private links can be "
    "overheard: for networks that you trust.",
)  # fmt: skip
@setting(
    "--allow", default=ALLOWED_BY_DEFAULT, show_default=True, metavar="LIST",
    help="With --public: what visitors may do, of read, validate, upload and rollouts.",
)  # fmt: skip
@setting(
    "--allow-origin", "origins", multiple=True, metavar="ORIGIN",
    help="With --public: let scripts on pages of this origin, as in https://viewer.example.org, ask the interface for "
    "programs; may be repeated.",
)  # fmt: skip
@setting(
    "--read-only", is_flag=True,
    help="Write nothing into the data folder. A folder that cannot be written to is always shown read-only.",
)  # fmt: skip
@setting(
    "--largest-upload", type=WholeNumber(1, 1024 * 1024), default=1024, show_default=True, metavar="MIB",
    help="What may be uploaded at a time, in MiB. A proxy in front must let as much pass.",
)  # fmt: skip
@setting(
    "--import-processes", type=WholeNumber(1, 1000), metavar="NUMBER",
    help="How many processes check the records of large uploads; by itself, one fewer than there are processors.",
)  # fmt: skip
@setting(
    "--access-log", metavar="FILE",
    help="Write a line for every answer, in the combined format; - is the standard output. It says who looked at what.",
)  # fmt: skip
@config_option
@click.option(
    "--settings",
    "lists",
    is_flag=True,
    help="Print all settings as a TOML file, and do nothing else.",
)
@click.option(
    "--example",
    type=click.Choice(list(EXAMPLE_FILES)),
    help="Print an example of a service, an image or a proxy's settings, and do nothing else.",
)
@click.pass_context
def serve(context: click.Context, /, *, lists: bool, example: str | None, **given: Any) -> None:
    """Show the games in a browser.

    Serves upload, replay, review and statistics until Ctrl-C or SIGTERM stops it. Uploaded games are stored
    in the data folder. A folder written by `bezique export --parquet` is served read-only. A database of an
    older version is first upgraded, as by `bezique upgrade`; with --read-only it is refused instead.

    Only this machine can reach the server, under names such as localhost, and whoever sits at it may do
    everything. With --public others can reach it: visitors may do what --allow says, whoever uploads gets a
    private link to their upload, and only the admin deletes games, controls imports and copies the database,
    after logging in with the password of `bezique admin password`.

    Every setting can also come from the environment, as BEZIQUE_PORT=8080, or from a TOML file named with
    --config; --settings lists them all.

    \b
      bezique serve
      bezique serve --data var --port 8080
      bezique serve --public --site-host club.example.org --behind-proxy 1
      bezique serve --public --site-host 192.168.1.5 --host 192.168.1.5 --no-proxy --allow read,validate
      bezique serve --settings > serve.toml && bezique serve --config serve.toml
      bezique serve --example systemd
    """
    if example is not None:
        click.echo(
            (files("webui.server") / "examples" / EXAMPLE_FILES[example]).read_text("utf-8"),
            nl=False,
        )
        return
    if lists:
        click.echo("\n".join(settings_listing(context)))
        return
    # A settings file may hold all settings, with --allow as it is by itself.
    typed = context.get_parameter_source("allow") is ParameterSource.COMMANDLINE
    allow_is_given = typed or given["allow"] != ALLOWED_BY_DEFAULT
    run_server(ServeOptions(**given, allow_is_given=allow_is_given))


def run_server(options: ServeOptions) -> None:
    """Serve until SIGTERM or Ctrl-C; raises Refusal."""
    from webui.application import close_app
    from webui.server.local_server import announce_server, new_key

    key = new_key()
    settings = {
        "local_key": key,
        "page_processes": PAGE_PROCESSES,
        **_application_settings(options),
    }
    is_new = not options.folder.exists()
    app = _application(options, settings)
    try:
        if is_new:
            click.echo(f"{options.folder} is a new data folder, without games.", err=True)
        server = _listen(app, options)
        _stop_at_signals(app)
        address = _address_from_here(options, server.effective_port)
        reading = app.extensions["store"].read_only
        app.extensions["statements"].prepare()
        with nullcontext() if reading else announce_server(options.folder, address, key):
            where = f"http://{options.host}:{server.effective_port}{_prefix(options)}/"
            how = ", read-only," if reading else ""
            whence = app.extensions["store"].whence
            click.echo(f"Serving {whence}{how} at {where} (Ctrl-C stops it)")
            server.run()
        server.close()
    finally:
        close_app(app)


def _application(options: ServeOptions, settings: dict[str, Any]) -> "Flask":
    """The application; the database of an older version is upgraded first, unless it may only be read."""
    from analyzer.store.schema import SchemaTooOld
    from webui import create_app

    try:
        return create_app(**settings)
    except SchemaTooOld as error:
        if options.read_only:
            raise
        click.echo(f"{error_sentence(error)} That is done now, before the server starts.")
    summary = upgrade_with_bar(options.folder)
    if summary is not None:
        click.echo("\n".join(summary_lines(summary, options.folder)))
    return create_app(**settings)


def _address_from_here(options: ServeOptions, port: int) -> str:
    """The address under which commands on this machine reach the server."""
    host = "127.0.0.1" if options.host in WILDCARD_HOSTS else options.host
    return f"http://{host}:{port}{_prefix(options)}"


def _prefix(options: ServeOptions) -> str:
    """What stands before every path: empty, or with a slash before it and none behind."""
    inner = options.prefix.strip("/")
    if not PREFIX_PATTERN.fullmatch(inner):
        raise Refusal("--prefix is a path of letters, digits, - and _, as in --prefix /bezique.")
    return f"/{inner}" if inner else ""


def _application_settings(options: ServeOptions) -> dict[str, Any]:
    """The settings of the application; raises Refusal where options contradict one another."""
    from webui.server.access import host_name, is_loopback_host

    settings: dict[str, Any] = {
        "data": options.folder,
        "read_only": options.read_only,
        "max_upload_length": options.largest_upload * BYTES_PER_MIB,
        "import_processes": options.import_processes,
    }
    if options.public:
        return settings | _public_settings(options)
    if not is_loopback_host(host_name(options.host)):
        raise Refusal(
            f"Others could reach {options.host}, and whoever reaches this server may delete games. Add --public, which "
            "asks for an admin with a password, or leave out --host."
        )
    for_the_public = {
        "--site-host": options.site_hosts,
        "--behind-proxy": options.proxies,
        "--no-proxy": options.no_proxy,
        "--plain-http": options.plain_http,
        "--allow": options.allow_is_given,
        "--allow-origin": options.origins,
    }
    if any(for_the_public.values()):
        names = list(for_the_public)
        raise Refusal(f"{', '.join(names[:-1])} and {names[-1]} need --public.")
    return settings


def _public_settings(options: ServeOptions) -> dict[str, Any]:
    """The settings of a public server."""
    from webui.server.access import host_name

    if not options.site_hosts or not all(map(host_name, options.site_hosts)):
        raise Refusal(
            "--public needs the name in the site's address: add --site-host, as in --site-host club.example.org."
        )
    if options.proxies and options.no_proxy:
        raise Refusal("--behind-proxy and --no-proxy contradict each other.")
    if not options.proxies and not options.no_proxy:
        raise Refusal(
            "--public needs a proxy, which adds https and keeps slow and greedy visitors from the server: run one in "
            "front, such as nginx or Caddy, and add --behind-proxy 1. In a network that you trust, add --no-proxy instead: "
            "visitors then reach the server itself, over http."
        )
    allowed = [name.strip() for name in options.allow.split(",") if name.strip()]
    unknown = [name for name in allowed if name not in VISITOR_CHOICES]
    if unknown or not allowed:
        raise Refusal(f"--allow is a list of {', '.join(VISITOR_CHOICES)}, with commas.")
    return {
        "public": True,
        "site_hosts": options.site_hosts,
        "behind_proxy": options.proxies or 0,
        "plain_http": options.plain_http or options.no_proxy,
        "visitors_may": allowed,
        "allowed_origins": _origins(options),
    }


def _origins(options: ServeOptions) -> list[str]:
    """The origins as browsers write them."""
    from webui.server.access import read_origin

    for text in options.origins:
        if not read_origin(text):
            raise Refusal(f"--allow-origin is like https://viewer.example.org, not {text!r}.")
    return [read_origin(text) for text in options.origins]


def _listen(app: "Flask", options: ServeOptions) -> Any:
    from webui.server.serving import AccessLog, serve_application

    access_log = AccessLog(options.access_log) if options.access_log else None
    prefix = _prefix(options)
    try:
        return serve_application(
            app, options.host, options.port, prefix=prefix, access_log=access_log
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Refusal(
            f"Cannot listen on {options.host}, port {options.port}: {reason}. Try another --port."
        ) from error


def _stop_at_signals(app: "Flask") -> None:
    """Let SIGTERM and Ctrl-C end the server."""

    def stop(signum: int, frame: FrameType | None) -> NoReturn:
        # Whoever follows the steps of another holds a thread, and the server would wait for it.
        app.extensions["together"].close()
        raise SystemExit(0)

    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, stop)
