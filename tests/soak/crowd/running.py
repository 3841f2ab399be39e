"""`bezique serve` as a process of its own, and nginx before it, with the file that the project ships."""

import grp
import os
import pwd
import re
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tests.machine.waiting import PATIENCE_SECONDS, wait_until
from tests.soak.crowd.visitors import Site
from tests.webui.public_site import CHEAP_HASH
from webui.server.logins import PASSWORD_FILE_NAME

EXAMPLES = Path(__file__).parents[3] / "webui/server/examples"
HOST, PREFIX = "club.example.org", "/bezique"
"""The name and the prefix in the examples."""
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
"""The nginx of this machine, if it has one; Debian puts it where only root looks."""
_COMMAND = "import sys; from webui.cli.main import main; sys.exit(main())"
_NGINX_FRAME = """user {user};
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
worker_processes 1;
events {{ worker_connections 4096; }}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    {more}
{site}
}}
"""
"""Debian's own nginx.conf, as far as it matters: what the example does not turn off is logged."""


@contextmanager
def running_server(folder: Path, *options: str) -> Iterator[int]:
    """The port of a server on a data folder; every address 127.x.y.z of this machine is a client of its own."""
    command = [sys.executable, "-u", "-c", _COMMAND, "serve", "--data", str(folder), "--port", "0"]
    with subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, text=True, env=os.environ
    ) as server:
        try:
            assert server.stdout
            line = server.stdout.readline()
            found = re.search(r":(\d+)/", line)
            assert found, f"the server does not start: {line}"
            yield int(found[1])
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()


@contextmanager
def running_site(folder: Path, proxy_folder: Path, *options: str) -> Iterator[Site]:
    """A public site behind nginx, as the examples set it up."""
    folder.mkdir(exist_ok=True)
    (folder / PASSWORD_FILE_NAME).write_text(CHEAP_HASH)
    public = ["--public", "--site-host", HOST, "--behind-proxy", "1", "--prefix", PREFIX]
    with (
        running_server(folder, *public, *options) as server,
        running_nginx(server, proxy_folder) as site,
    ):
        yield site


@contextmanager
def running_nginx(server: int, folder: Path, more: str = "") -> Iterator[Site]:
    """nginx before a server: the example, but for its ports and certificates; `more` stands before it.

    Its logs are `access.log` and `error.log` in the folder.
    """
    port, plain = free_port(), free_port()
    certificate = make_certificate(folder)
    example = (EXAMPLES / "nginx.conf").read_text()
    for old, new in (
        ("    listen [::]:80;\n", ""),
        ("    listen [::]:443 ssl http2;\n", ""),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{port} ssl http2;"),
        ("/etc/letsencrypt/live/club.example.org/fullchain.pem", str(certificate)),
        ("/etc/letsencrypt/live/club.example.org/privkey.pem", str(certificate)),
        ("127.0.0.1:8000", f"127.0.0.1:{server}"),
    ):
        assert old in example, old
        example = example.replace(old, new)
    user, group = pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(os.getgid()).gr_name
    config = folder / "nginx.conf"
    config.write_text(
        _NGINX_FRAME.format(user=f"{user} {group}", folder=folder, more=more, site=example)
    )
    with running_proxy([NGINX, "-c", config, "-p", folder], port, folder / "output.log"):
        yield Site(port, HOST, PREFIX, trusting_context(), plain)


@contextmanager
def running_proxy(
    command: list[object], port: int, log: Path, **environment: str
) -> Iterator[None]:
    """A proxy that listens on this port; what it says goes into `log`."""
    with log.open("wb") as said:
        process = subprocess.Popen(
            list(map(str, command)), stdout=subprocess.DEVNULL, stderr=said, env=environment
        )

    def answers() -> bool:
        assert process.poll() is None, "the proxy ended"
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        wait_until(answers)
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)


def make_certificate(folder: Path) -> Path:
    """A key and a certificate that nobody has signed, in one file."""
    path = folder / "both.pem"
    path.write_bytes(certificate())
    return path


@cache
def certificate() -> bytes:
    """They are made once a process."""
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
         "-subj", f"/CN={HOST}", "-days", "2", "-keyout", "-", "-out", "-"],
        check=True, capture_output=True,
    )  # fmt: skip
    return made.stdout


def trusting_context() -> ssl.SSLContext:
    """What a client needs to speak to a server with such a certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
