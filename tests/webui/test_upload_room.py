"""Uploads beside the database take no more room than they are given, and whoever finds none is told."""

import io
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from records.format import codec
from records.selfplay import play_game
from tests.webui.public_site import Browser, key_of, old_link
from webui.cli.commands.doctor import room_lines, upload_rooms
from webui.server import imports_queue, private_uploads
from webui.server.imports_queue import ImportJob, ImportQueue, utc_now
from webui.server.limits import DEFAULT_SETTINGS
from webui.server.private_links import upload_id

SIZE = 40_000
"""The bytes of an upload that is imported in the background."""


@pytest.fixture
def site(open_site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """A site with room for three uploads, whose imports do not end by themselves."""
    gate = threading.Event()
    monkeypatch.setattr(ImportQueue, "work_on", lambda self, job: gate.wait())
    monkeypatch.setattr(imports_queue, "MOST_WAITING_PER_CLIENT", 100)
    yield open_site(
        large_upload=SIZE, import_room=3 * SIZE, ratelimit_enabled=False, wtf_csrf_enabled=False
    )  # fmt: skip
    gate.set()


def send(app: Flask, size: int = SIZE) -> TestResponse:
    return Browser(app).post("/", files=(io.BytesIO(b"x" * size), "games.jsonl"))


def imports_id(link: str) -> str:
    return upload_id(key_of(link))


def stop(app: Flask, link: str) -> None:
    assert Browser(app).post(f"{old_link(link)}/stop").status_code == 303


def kept(app: Flask) -> int:
    """The bytes of uploaded files on the disk."""
    return sum(path.stat().st_size for path in app.config["DATA"].glob("uploads/*/0-*"))


def test_uploads_that_wait_take_no_more_than_their_room(site):
    assert [send(site).status_code for _ in range(3)] == [303] * 3
    refused = send(site)
    assert refused.status_code == 507
    assert "There is no room left for uploads" in refused.text
    assert kept(site) == 3 * SIZE
    assert len(list((site.config["DATA"] / "uploads").iterdir())) == 3


@pytest.mark.long
def test_what_was_stopped_gives_way_the_oldest_first(site):
    links = [send(site).location for _ in range(3)]
    for link in (links[2], links[1]):
        stop(site, link)
    assert send(site).status_code == 303
    found = [Browser(site).get(old_link(link)).status_code for link in links]
    assert found == [200, 200, 404], "the one that was stopped first is gone"
    assert "kept for 30 days" in Browser(site).get(old_link(links[1])).text
    assert send(site).status_code == 303
    assert send(site).status_code == 507
    assert kept(site) == 3 * SIZE


def test_stopping_gives_no_room_for_ever_more(site, monkeypatch):
    monkeypatch.setattr(imports_queue.ImportQueue, "MOST_UPLOADS", 2)
    send(site)  # runs
    for _ in range(10):
        stop(site, send(site).location)
        assert site.extensions["imports"].room().number <= 2


def test_what_the_end_of_the_server_interrupted_stays(site, tmp_path):
    send(site)
    links = [send(site).location for _ in range(2)]
    queue = site.extensions["imports"]
    for link in links:
        job = queue.job(imports_id(link))
        queue.stop(job.key)
        job.end("interrupted", "")
    assert send(site).status_code == 507
    assert all(Browser(site).get(old_link(link)).status_code == 200 for link in links)


def test_what_was_stopped_long_ago_is_deleted(site, tmp_path):
    send(site)
    link = send(site).location
    stop(site, link)
    job = site.extensions["imports"].job(imports_id(link))
    job.ended_at = utc_now() - timedelta(days=imports_queue.STOPPED_IMPORT_DAYS, minutes=1)
    job.save(tmp_path / "uploads")
    assert len(ImportQueue(site.extensions["store"], tmp_path, 0).jobs()) == 1
    assert not (tmp_path / "uploads" / job.id).exists()


def test_of_many_that_are_done_the_oldest_are_forgotten(site, tmp_path, monkeypatch):
    monkeypatch.setattr(imports_queue, "MOST_DONE_IMPORTS", 2)
    folder = tmp_path / "uploads"
    for number in range(5):
        (folder / str(number)).mkdir(parents=True)
        begun = utc_now() + timedelta(seconds=number)
        ImportJob(id=str(number), files=[], created_at=begun, queued_at=begun, state="done").save(folder)  # fmt: skip
    jobs = ImportQueue(site.extensions["store"], tmp_path, 0).jobs()
    assert [job.id for job in jobs] == ["4", "3"]
    assert {path.name for path in folder.iterdir()} == {"3", "4"}


def test_whoever_finds_no_room_takes_no_files_of_the_import_of_the_same_upload(site):
    links = [send(site).location for _ in range(3)]
    queue, upload = site.extensions["imports"], imports_id(links[2])
    with pytest.raises(imports_queue.RoomFull):
        queue.add(upload, [imports_queue.IncomingFile("again.json", SIZE, pytest.fail)], "client")
    assert kept(site) == 3 * SIZE


def test_an_upload_that_fails_gives_its_room_back(site, monkeypatch):
    def fail(path: Path, save: object) -> None:
        raise OSError(28, "no space")

    with monkeypatch.context() as patch:
        patch.setattr(imports_queue, "save_file", fail)
        assert [send(site).status_code for _ in range(4)] == [507] * 4
    assert [send(site).status_code for _ in range(3)] == [303] * 3


def send_privately(app: Flask, seed: int = 1) -> TestResponse:
    record = codec.encode(play_game("zique", seed=seed)).decode()
    return Browser(app).post("/", private="1", record=record)


@pytest.mark.parametrize("limit", ["number", "size"])
def test_private_uploads_take_no_more_than_their_room(site, monkeypatch, limit):
    first = send_privately(site).location
    room = site.extensions["private_uploads"].room()
    if limit == "number":
        monkeypatch.setattr(private_uploads, "MOST_PRIVATE_UPLOADS", 2)
    else:
        site.extensions["private_uploads"].most_size = 2 * room.size + room.size // 2
    assert send_privately(site).status_code == 303
    refused = send_privately(site)
    assert refused.status_code == 507
    assert "no room left for private uploads" in refused.text
    assert "Try again later, or upload without “Keep it private”." in refused.text
    assert Browser(site).post(f"{old_link(first)}/delete").status_code == 303
    assert send_privately(site).status_code == 303


@pytest.mark.long
def test_many_at_once_take_no_more_than_their_room(site, monkeypatch):
    monkeypatch.setattr(private_uploads, "MOST_PRIVATE_UPLOADS", 3)
    answers: list[int] = []
    senders = [
        threading.Thread(target=lambda: answers.append(send_privately(site).status_code))
        for _ in range(8)
    ]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    assert sorted(answers) == [303] * 3 + [507] * 5


@pytest.mark.long
def test_one_client_does_not_take_all_private_room(open_site):
    app = open_site(ratelimit_private="3 per hour")
    record = codec.encode(play_game("zique", seed=1)).decode()
    sender = Browser(app)
    sent = [sender.post("/", form="/", private="1", record=record).status_code for _ in range(5)]
    assert sent == [303] * 3 + [429] * 2
    assert sender.post("/", form="/", record=record).status_code == 200, "public uploads go on"


@pytest.mark.long
def test_the_admin_and_the_doctor_see_the_room(site):
    send(site)
    send_privately(site)
    admin = Browser(site).log_in()
    told = admin.get("/backup.json").json["room"]
    assert (told["waiting"]["number"], told["waiting"]["size"]) == (1, SIZE)
    assert told["private"]["number"] == 1
    assert told["looked_at"]["number"] == 0
    assert admin.get("/backup.json").json["trash"] == {"number": 0, "size": 0}
    page = admin.get("/backup").text
    assert "Disk space for uploads" in page
    for cell in ("1 of 100", "1 of 10,000", "0.1 of 1,024 MiB"):
        assert f'<td class="number">{cell}</td>' in page
    rooms = upload_rooms(site.config["DATA"])
    assert (rooms["waiting"].number, rooms["waiting"].size) == (1, SIZE)
    private = site.extensions["private_uploads"].room()
    assert (rooms["private"].number, rooms["private"].size) == (private.number, private.size)
    assert "of at most" not in " ".join(room_lines(site.config["DATA"]))


def test_the_limits_are_published():
    page = (Path(__file__).parents[2] / "records" / "spec" / "format.md").read_text()
    for what, number in (
        ("records of a private upload", private_uploads.MOST_PRIVATE_RECORDS),
        ("bytes of a private upload", private_uploads.LARGEST_PRIVATE_UPLOAD),
        ("private uploads of one address in an hour", 20),
        ("private uploads on a server", private_uploads.MOST_PRIVATE_UPLOADS),
        ("bytes of all private uploads on a server, compressed", private_uploads.PRIVATE_ROOM),
        ("uploads on a server that are not imported", imports_queue.MOST_UNFINISHED_IMPORTS),
        ("bytes of all uploads on a server that are not imported", imports_queue.IMPORT_ROOM),
        ("days that the files of a stopped import are kept", imports_queue.STOPPED_IMPORT_DAYS),
    ):
        assert f"| {what} | {number:,} |" in page
    assert DEFAULT_SETTINGS["RATELIMIT_PRIVATE"] == "20 per hour"
