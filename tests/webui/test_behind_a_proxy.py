"""The real server behind real proxies, as the examples set them up: paths, clients, secrets, forms, the log.

`make test` installs nginx; Caddy is tried where it is installed. What nginx limits is in `test_nginx.py`.
"""

import http.client
import re
import shutil
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from records.format import codec
from records.selfplay import play_game
from tests.machine.waiting import PATIENCE_SECONDS, wait_until
from tests.soak.crowd.running import (
    EXAMPLES,
    HOST,
    NGINX,
    PREFIX,
    free_port,
    make_certificate,
    running_nginx,
    running_proxy,
    trusting_context,
)
from tests.webui.public_site import PASSWORD, public_site
from webui.application import close_app
from webui.server.serving import AccessLog, serve_application

OWN_SITE = re.compile(rf"(?:https://{HOST}(?::\d+)?)?{PREFIX}/")
COMBINED = re.compile(
    r'(?P<client>\S+) - - \[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d \+0000\] '
    r'"(?P<method>\S+) (?P<path>\S+) HTTP/1\.[01]" (?P<status>\d{3}) (?P<sent>\d+) "(?P<came_from>[^"]*)" "(?P<browser>[^"]*)"'
)  # fmt: skip
KEY = "Abcdefghijklmnopqrstuvwxyz-_0123"
"""As long as the keys of private links are; it is none, and the log cannot know."""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("certificate"))


@contextmanager
def nginx(server: int, certificate: Path, folder: Path) -> Iterator[int]:
    """nginx with the example, but for the ports and the certificate."""
    with running_nginx(server, folder) as site:
        yield site.port


@contextmanager
def caddy(server: int, certificate: Path, folder: Path) -> Iterator[int]:
    """Caddy with the example, but for the port and a certificate of its own making."""
    port = free_port()
    site = (EXAMPLES / "Caddyfile").read_text()
    site = site.replace(f"\n{HOST} {{", f"\n{HOST}:{port} {{\n\ttls {certificate} {certificate}\n")
    site = site.replace("127.0.0.1:8000", f"127.0.0.1:{server}")
    config = folder / "Caddyfile"
    servers = "\tservers {"
    assert servers in site
    site = site.replace(servers, f"\tadmin off\n\tauto_https disable_redirects\n{servers}")
    config.write_text(site)
    command = [shutil.which("caddy"), "run", "--config", config, "--adapter", "caddyfile"]
    with running_proxy(command, port, folder / "output.log", HOME=str(folder)):
        yield port


PROXIES = {"nginx": nginx, "caddy": caddy}


class Visitor:
    """A browser beyond the proxy: it keeps cookies and follows nothing."""

    def __init__(self, port: int) -> None:
        self._context, self._port, self._cookie = trusting_context(), port, ""

    def ask(self, method: str, path: str, body: str = "", **said: str) -> tuple[int, str, str]:
        """The status of an answer, where it leads, and its text."""
        connection = NamedConnection("127.0.0.1", self._port, self._context)
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        headers = {
            "Host": f"{HOST}",
            "Cookie": self._cookie,
            "Referer": f"https://{HOST}{PREFIX}/",
            **kind,
        }
        connection.request(method, path, body or None, {**headers, **said})
        answer = connection.getresponse()
        if cookie := answer.headers.get("Set-Cookie"):
            assert "Secure" in cookie
            self._cookie = cookie.partition(";")[0]
        text = answer.read().decode("utf-8", "replace")
        connection.close()
        return answer.status, answer.headers.get("Location", ""), text


class NamedConnection(http.client.HTTPSConnection):
    """A connection that asks for the certificate of the site's name, as Caddy wants it."""

    def __init__(self, host: str, port: int, context: ssl.SSLContext) -> None:
        super().__init__(host, port, timeout=PATIENCE_SECONDS)
        self._named = context

    def connect(self) -> None:
        plain = socket.create_connection((self.host, self.port), self.timeout)
        self.sock = self._named.wrap_socket(plain, server_hostname=HOST)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """A public server behind one proxy, and its access log."""
    folder = tmp_path_factory.mktemp("site")
    app = public_site(folder / "data", behind_proxy=1, ratelimit_enabled=False)
    log = folder / "access.log"
    server = serve_application(app, "127.0.0.1", 0, prefix=PREFIX, access_log=AccessLog(str(log)))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield server.effective_port, log
    server.close()
    thread.join(PATIENCE_SECONDS)
    close_app(app)


@pytest.fixture(scope="module", params=PROXIES)
def proxied(
    request: pytest.FixtureRequest,
    server: tuple[int, Path],
    certificate: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[int]:
    """The port of a proxy in front of it."""
    installed = {"nginx": NGINX, "caddy": shutil.which("caddy")}
    if not installed[request.param]:
        pytest.skip(f"{request.param} is not installed")
    folder = tmp_path_factory.mktemp(request.param)
    with PROXIES[request.param](server[0], certificate, folder) as port:
        yield port


@pytest.mark.skipif(not shutil.which("caddy"), reason="caddy is not installed")
def test_caddy_tells_that_a_request_failed_and_not_its_address(
    certificate: Path, tmp_path: Path
) -> None:
    with caddy(free_port(), certificate, tmp_path) as port:
        visitor = Visitor(port)
        came_from = f"https://{HOST}{PREFIX}/sent/{KEY}"
        assert visitor.ask("GET", f"{PREFIX}/sent/{KEY}", Referer=came_from)[0] == 502
    said = (tmp_path / "output.log").read_text()
    assert "connection refused" in said
    assert KEY not in said


def form_token(page: str) -> str:
    found = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert found is not None
    return found[1]


@pytest.mark.long
def test_pages_forms_and_redirects_stay_below_the_prefix(proxied: int) -> None:
    visitor = Visitor(proxied)
    status, _, page = visitor.ask("GET", f"{PREFIX}/")
    assert status == 200
    addresses = re.findall(r'(?:href|src|action)="(/[^"]*)"', page)
    assert addresses
    assert all(address.startswith(f"{PREFIX}/") for address in addresses)
    assert visitor.ask("GET", addresses[0].partition("#")[0])[0] == 200
    status, where, _ = visitor.ask("GET", PREFIX)
    assert status == 308
    assert OWN_SITE.fullmatch(where)
    record = codec.encode(play_game("zique", seed=1)).hex()
    body = f"csrf_token={form_token(page)}&record=%{'%'.join(re.findall('..', record))}"
    status, where, _ = visitor.ask("POST", f"{PREFIX}/", body)
    assert status in (200, 303)
    assert not where or where.startswith(f"{PREFIX}/")
    status, where, page = visitor.ask("GET", f"{PREFIX}/backup")
    assert status == 403
    assert f'href="{PREFIX}/login?next={PREFIX}/backup"' in page


@pytest.mark.long
def test_the_admin_logs_in_through_the_proxy(proxied: int) -> None:
    visitor = Visitor(proxied)
    _, _, page = visitor.ask("GET", f"{PREFIX}/login?next={PREFIX}/backup")
    body = f"csrf_token={form_token(page)}&password={PASSWORD}&next={PREFIX}/backup".replace(
        " ", "+"
    )
    status, where, _ = visitor.ask("POST", f"{PREFIX}/login", body)
    assert (status, where) == (303, f"{PREFIX}/backup")
    assert visitor.ask("GET", where)[0] == 200


@pytest.mark.long
def test_the_log_names_the_client_and_no_secret(proxied: int, server: tuple[int, Path]) -> None:
    log, visitor = server[1], Visitor(proxied)
    forged = {"X-Forwarded-For": "203.0.113.99", "User-Agent": f'a "quoted" \\ name of {proxied}'}
    paths = ["/games?player=Ann", f"/sent/{KEY}", f"/sent/%41{KEY[1:]}", f"/%73ent/{KEY}", f"/sent//{KEY}",
             f"/login?next=/sent/{KEY}", f"/login?next=%2Fsent%2F{KEY}", f"//sent/{KEY}.json"]  # fmt: skip
    came_from = f"https://{HOST}/sent/{KEY}?q={KEY}"
    for path in paths:
        visitor.ask("GET", f"{PREFIX}{path}", **forged, Referer=came_from)

    def own_lines() -> list[str]:
        return [line for line in log.read_text("ascii").splitlines() if f"of {proxied}" in line]

    wait_until(lambda: len(own_lines()) == len(paths))  # a line follows its answer
    found = [COMBINED.fullmatch(line) for line in own_lines()]
    assert all(found)
    assert KEY[1:] not in log.read_text()
    assert {line["client"] for line in found} == {"127.0.0.1"}
    first = found[0]
    assert (first["method"], first["path"], first["status"]) == ("GET", f"{PREFIX}/games", "200")
    assert first["came_from"] == f"https://{HOST}/sent/..."
    assert first["browser"] == f"a \\x22quoted\\x22 \\x5c name of {proxied}"
    assert log.stat().st_mode & 0o077 == 0


@pytest.mark.long
def test_a_private_link_opens_through_the_proxy_and_no_log_holds_its_key(
    proxied: int, server: tuple[int, Path]
) -> None:
    sender, other, log = Visitor(proxied), Visitor(proxied), server[1]
    _, _, page = sender.ask("GET", f"{PREFIX}/")
    record = codec.encode(play_game("zique", seed=2)).hex()
    body = f"csrf_token={form_token(page)}&private=1&record=%{'%'.join(re.findall('..', record))}"
    status, link, _ = sender.ask("POST", f"{PREFIX}/", body)
    address, _, key = link.partition("#")
    assert (status, len(key)) == (303, 32)
    assert sender.ask("GET", address)[0] == 200
    assert other.ask("GET", address)[0] == 404
    _, _, page = other.ask("GET", address, Accept="text/html")
    body = f"csrf_token={form_token(page)}&link={key}"
    assert other.ask("POST", f"{PREFIX}/sent/open", body)[:2] == (303, address)
    assert other.ask("GET", f"{address}/records/1/deals/1")[0] == 200
    wait_until(lambda: f"GET {PREFIX}/sent/.../records/1/deals/1 " in log.read_text("ascii"))
    assert key not in log.read_text("ascii")


@pytest.mark.slow
def test_a_log_that_was_moved_away_is_begun_anew(server: tuple[int, Path]) -> None:
    port, log = server
    moved = log.with_name("access.log.1")
    log.rename(moved)
    size = moved.stat().st_size
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    link.request("GET", "/health/live", headers={"User-Agent": "probe"})
    assert link.getresponse().read() == b'{"status":"ok"}'
    wait_until(lambda: log.exists() and "/health/live" in log.read_text())
    link.close()
    assert moved.stat().st_size == size
    assert log.stat().st_mode & 0o077 == 0
