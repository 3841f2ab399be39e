"""A server killed during an import: the next one resumes, and no game is lost or stored twice."""

import json
import os
import re
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.request import HTTPCookieProcessor, OpenerDirector, ProxyHandler, Request, build_opener

import pytest

from analyzer.store.store import Store
from records.format import codec
from records.selfplay import play_game
from tests.machine.waiting import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.long

GAMES, TIMES = 120, 6
"""So many games, each so often: enough for several transactions."""


@contextmanager
def served(data: Path, *launcher: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a server and its process, which a launcher may start."""
    command = [
        *launcher,
        sys.executable,
        "-m",
        "webui.cli",
        "serve",
        "--data",
        str(data),
        "--port",
        "0",
    ]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout is not None
        found = re.search(r"http://[\d.:]+", server.stdout.readline())
        try:
            assert found is not None
            yield found[0], server
        finally:
            server.terminate()
            server.wait(PATIENCE_SECONDS)


class Visitor:
    """Somebody with a browser: forms with their tokens."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.opener: OpenerDirector = build_opener(
            ProxyHandler({}), HTTPCookieProcessor(CookieJar())
        )

    def get(self, path: str) -> str:
        with self.opener.open(f"{self.site}{path}", timeout=PATIENCE_SECONDS) as answer:
            return str(answer.read().decode())

    def post(self, path: str, token_from: str, files: bytes = b"") -> str:
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.get(token_from))
        assert found is not None
        mark = uuid.uuid4().hex
        head = (
            f'--{mark}\r\nContent-Disposition: form-data; name="csrf_token"\r\n\r\n{found[1]}\r\n'
        )
        part = f'--{mark}\r\nContent-Disposition: form-data; name="files"; filename="all.jsonl"\r\n\r\n'
        body = (
            head.encode()
            + (part.encode() + files + b"\r\n" if files else b"")
            + f"--{mark}--\r\n".encode()
        )
        kind = {"Content-Type": f"multipart/form-data; boundary={mark}", "Referer": self.site}
        request = Request(f"{self.site}{path}", data=body, headers=kind)
        with self.opener.open(request, timeout=PATIENCE_SECONDS) as answer:
            return str(answer.url).removeprefix(self.site)

    def wait(self, path: str, *, until: str) -> dict[str, object]:
        """How far an import is once it is under way, or over."""
        told: dict[str, object] = {}

        def comes() -> bool:
            told.update(json.loads(self.get(f"{path}.json")))
            return told["state"] == until

        wait_until(comes)
        return told


@pytest.mark.slow
def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    lines = [codec.encode(play_game("polish-bezique", seed=seed)) for seed in range(GAMES)]
    with served(tmp_path / "data") as (site, server):
        visitor = Visitor(site)
        page = visitor.post("/", "/", b"\n".join(lines * TIMES) + b"\n")
        visitor.wait(page, until="running")
        server.kill()
        server.wait()
    with served(tmp_path / "data") as (site, _):
        visitor = Visitor(site)
        assert "the server was stopped" in visitor.get(page)
        visitor.post(f"{page}/resume", page)
        told = visitor.wait(page, until="done")
        assert told["games"] == f"{GAMES * TIMES:,}"
        known = GAMES * (TIMES - 1)
        assert f"{GAMES} games stored, {known:,} already stored." in visitor.get(page)
    with Store(tmp_path / "data") as store:
        assert store.counts().games == GAMES
        assert store.rows("SELECT count(DISTINCT digest) FROM records").rows == [(GAMES,)]
