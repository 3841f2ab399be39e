"""The private link of an upload: its sender watches, stops, discards and deletes it, and nobody else does."""

import io
import re
import threading
from collections.abc import Iterator

import pytest
from flask import Flask

from analyzer.ingest import importer
from records import codec
from records.selfplay import play_game
from tests.waiting import PATIENCE_SECONDS, wait_until
from tests.webui.public_site import SITE, Browser, Program, public_site
from webui.access import tokens
from webui.access.private_links import upload_id
from webui.application import close_app
from webui.jobs import imports_queue
from webui.jobs.imports_queue import ImportQueue

GAMES = 20


@pytest.fixture
def site(tmp_path) -> Iterator[Flask]:
    app = public_site(
        tmp_path, large_upload=30_000, import_processes=0, ratelimit_logins="1000 per minute"
    )
    yield app
    close_app(app)


@pytest.fixture(scope="module")
def lines() -> bytes:
    games = [codec.encode(play_game("marjolet", seed=seed)) for seed in range(GAMES)]
    return b"\n".join([*games, b"{}"]) + b"\n"


@pytest.fixture
def gate(monkeypatch) -> Iterator[threading.Event]:
    """Imports wait behind their first batch until it is opened."""
    gate = threading.Event()
    progress = ImportQueue._progress

    def held(importer, job, done):
        progress(importer, job, done)
        gate.wait(PATIENCE_SECONDS)

    monkeypatch.setattr(ImportQueue, "_progress", held)
    monkeypatch.setattr(imports_queue, "IMPORT_TASK_BYTES", 2_000)
    monkeypatch.setattr(importer, "TASKS_PER_COMMIT", 1)
    yield gate
    gate.set()


def upload(browser: Browser | Program, data: bytes, name: str = "season.jsonl") -> str:
    """The path of the private link of a large upload."""
    answer = browser.post("/", form="/", files=(io.BytesIO(data), name))
    assert answer.status_code == 303, answer.text
    assert answer.location.startswith("/sent/")
    return answer.location


def upload_small(browser: Browser, *games: bytes) -> str:
    """The path of the private link of a small upload; empty if it stored nothing."""
    page = browser.post("/", form="/", record=b"\n".join(games).decode()).text
    found = re.search(rf'href="(/sent/[^"]+)">{SITE}/sent/', page)
    return found[1] if found else ""


def wait(browser: Browser | Program, link: str, state: str) -> None:
    wait_until(lambda: browser.get(f"{link}/progress.json").json["state"] == state, pause=0.05)


def test_only_the_sender_and_the_admin_stop_an_import(site, lines, gate):
    sender, stranger, admin = Browser(site), Browser(site), Browser(site).log_in()
    link = upload(sender, lines)
    (listed,) = stranger.get("/imports.json").json
    public = f"/imports/{listed['id']}"
    for act in ("stop", "resume", "discard"):
        assert stranger.post(f"{public}/{act}").status_code == 403
        assert sender.post(f"{public}/{act}").status_code == 403, (
            "the public id gives nobody a right"
        )
        assert stranger.post(f"/sent/{listed['id']}/{act}").status_code == 404
    assert sender.post(f"{link}/delete").status_code == 409
    assert sender.post(f"{link}/stop").status_code == 303
    gate.set()
    wait(sender, link, "stopped")
    assert "Continue" in sender.get(link).text
    assert "Continue" not in stranger.get(public).text
    assert admin.post(f"{public}/resume", form=public).status_code == 303
    wait(sender, link, "done")


def test_nothing_that_strangers_see_has_the_key_or_the_names(site, lines):
    sender, stranger = Browser(site), Browser(site)
    link = upload(sender, lines, "Annas-secret.jsonl")
    wait(sender, link, "done")
    key = link.rpartition("/")[2]
    (listed,) = stranger.get("/imports.json").json
    assert listed["id"] == upload_id(key)
    for path in (
        "/",
        "/imports",
        "/imports.json",
        f"/imports/{listed['id']}",
        f"/imports/{listed['id']}.json",
    ):
        page = stranger.get(path).text
        assert key not in page, path
        assert "Annas-secret" not in page, path
        assert "line 21" not in page, path
    assert "Annas-secret.jsonl" in sender.get(link).text
    assert "Annas-secret.jsonl, line 21" in sender.get(link).text
    for path in (site.config["DATA"] / "uploads").rglob("*"):
        assert key not in str(path)
        assert path.is_dir() or key.encode() not in path.read_bytes()
    assert site.extensions["store"].rows("SELECT DISTINCT job FROM imports").rows == [
        (listed["id"],)
    ]


def test_the_sender_deletes_what_the_upload_stored_and_nothing_else(site, lines):
    first, second = Browser(site), Browser(site)
    games = lines.splitlines()[:GAMES]
    small = upload_small(first, *games[:3])
    link = upload(second, lines)
    wait(second, link, "done")
    store = site.extensions["store"]
    assert store.counts().games == GAMES
    assert len(second.get(f"{link}.json").json["games"]) == GAMES - 3
    assert f"Delete {GAMES - 3} games" in second.get(link).text
    assert second.post(f"{link}/delete").status_code == 303
    assert store.counts().games == 3
    assert store.counts().rejected == 0
    assert len(first.get(f"{small}.json").json["games"]) == 3
    assert "Nothing that this upload stored is left" in second.get(link).text
    assert first.post(f"{small}/delete").status_code == 303
    assert store.counts().games == 0


def test_a_small_upload_has_a_link_if_it_stored_something(site, lines):
    sender = Browser(site)
    game = lines.splitlines()[0]
    link = upload_small(sender, game)
    assert sender.get(link).status_code == 200
    assert "Whoever has it can delete this upload" in sender.get(link).text, "nothing goes on"
    assert sender.get(link).headers["Cache-Control"] == "no-store"
    assert upload_small(Browser(site), game) == "", "it was stored already, by somebody else"
    admin = Browser(site).log_in()
    assert upload_small(admin, lines.splitlines()[1]) == "", "the admin needs no link"
    assert Browser(site).get("/sent/guess").status_code == 404
    assert sender.get("/sent/guess.json").status_code == 404


def test_a_program_controls_the_uploads_whose_link_it_has(site, lines, tmp_path):
    first = Program(site, token=tokens.add_token(tmp_path, "first", "upload"))
    second = Program(site, token=tokens.add_token(tmp_path, "second", "upload"))
    link = upload(first, lines)
    wait(first, link, "done")
    (listed,) = second.get("/imports.json").json
    assert second.post(f"/imports/{listed['id']}/discard").status_code == 403
    assert second.post(f"/sent/{listed['id']}/delete").status_code == 404
    assert first.post(f"{link}/delete").status_code == 303
    assert site.extensions["store"].counts().games == 0


def test_every_action_of_a_sender_needs_the_token_of_its_form(site, lines):
    sender = Browser(site)
    link = upload_small(sender, lines.splitlines()[0])
    answer = sender.client.post(f"{link}/delete", base_url=SITE, headers={"Referer": f"{SITE}/"})
    assert answer.status_code == 400
    assert site.extensions["store"].counts().games == 1
