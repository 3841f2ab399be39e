"""Absent, empty and broken are three things: every file of a data folder is damaged at its first, middle and last byte."""

import logging
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import msgspec
import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.ingest.tasks import RecordChoice
from analyzer.store.acknowledged import ACKNOWLEDGED_FILE_NAME
from analyzer.store.instance import StoreDamaged, log_of
from analyzer.store.reserve import RESERVE_FILE_NAME
from analyzer.store.sealed_files import write_sealed
from analyzer.store.store import DATABASE_FILE_NAME, Store
from analyzer.upkeep.doctor import check_folder
from analyzer.upkeep.trash import trash_games
from analyzer.upkeep.upgrade import BUILDING_FOLDER, WHOLE_FILE
from records.format import codec
from tests.make.zique_games import zique_game
from tests.webui.public_site import Browser, public_site
from webui import create_app
from webui.application import close_app
from webui.server.data_files import DATA_FILES, DataFile, problems_of_files
from webui.server.imports_queue import UPLOADS_FOLDER, ImportJob, UploadedFile, utc_now
from webui.server.local_server import announce_server
from webui.server.logins import PASSWORD_FILE_NAME, add_token, session_secret, set_password
from webui.server.looks_queue import CHOICE_FILE_NAME, LOOKS_FOLDER, LookJob
from webui.server.looks_queue import STATE_FILE_NAME as LOOK_FILE_NAME
from webui.server.private_uploads import PrivateRecord, PrivateUpload, PrivateUploads

DOCUMENT = Path(__file__).parents[2] / "webui" / "documents" / "running.md"
OF_DATABASE = (DATABASE_FILE_NAME, f"{DATABASE_FILE_NAME}.wal", ACKNOWLEDGED_FILE_NAME)
NO_LOSS = (f"{BUILDING_FOLDER}/{WHOLE_FILE}", RESERVE_FILE_NAME)
"""Files that are the same to the program whether they are broken or absent."""
BESIDE = [file for file in DATA_FILES if file.name not in (*OF_DATABASE, *NO_LOSS)]
Damage = Callable[[bytes], bytes]


def flip(share: float) -> Damage:
    """Change one byte: the first (0), the middle (0.5) or the last (1)."""

    def changed(data: bytes) -> bytes:
        at = round(share * (len(data) - 1))
        return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]

    return changed


DAMAGES: dict[str, Damage] = {
    "first byte": flip(0),
    "middle byte": flip(0.5),
    "last byte": flip(1),
    "cut": lambda data: data[: len(data) // 2],
    "empty": lambda _: b"",
    "blank": lambda _: b" \n",
    "zeros": lambda data: bytes(len(data)),
}


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder after `kill -9` that has every file."""
    work = tmp_path_factory.mktemp("full")
    folder = work / "data"
    with Store(folder) as store:
        ingest_bytes(store, "one.json", zique_game(0))
    with Store(folder) as store:
        ingest_bytes(store, "gone.json", zique_game(3))
        trash_games(store, [str(codec.decode(zique_game(3)).digest())])
        ingest_bytes(store, "two.json", zique_game(1))
        copytree(folder, work / "killed")
    folder = work / "killed"
    set_password(folder, "correct horse battery")
    add_token(folder, "league", "upload")
    session_secret(folder)
    job = ImportJob(
        id="one",
        files=[UploadedFile("games.jsonl", "0-games.jsonl", 3)],
        created_at=utc_now(),
        queued_at=utc_now(),
    )
    (folder / UPLOADS_FOLDER / "one").mkdir(parents=True)
    (folder / UPLOADS_FOLDER / "one" / "0-games.jsonl").write_bytes(b"{}\n")
    job.save(folder / UPLOADS_FOLDER)
    sent = PrivateRecord(zique_game(2), "two.json", None, "legal", "zique", ["A", "B"], 1)
    PrivateUploads(folder).save("sent", PrivateUpload(utc_now(), [sent]))
    look = folder / LOOKS_FOLDER / "two"
    look.mkdir(parents=True)
    (look / "0-games.jsonl").write_bytes(zique_game(2))
    seen = LookJob(id="two", files=[], created_at=utc_now(), state="done", listed=1)
    write_sealed(look / LOOK_FILE_NAME, msgspec.json.encode(seen))
    write_sealed(look / CHOICE_FILE_NAME, msgspec.json.encode(RecordChoice()))
    write_sealed(look / "page-1.json", b"[]")
    with announce_server(folder, "http://127.0.0.1:1", "key"):
        copytree(folder, work / "whole")
    return work / "whole"


@pytest.fixture
def folder(full: Path, tmp_path: Path) -> Path:
    return copytree(full, tmp_path / "data")


def found(folder: Path, file: DataFile) -> list[str]:
    """What the program says of one kind of file."""
    assert file.problems is not None
    return [message for _, message in file.problems(folder)]


@pytest.mark.long
@pytest.mark.parametrize("file", BESIDE, ids=lambda file: file.name)
def test_whole_and_absent_files_are_no_problem(folder: Path, file: DataFile) -> None:
    (path,) = folder.glob(file.name)
    assert found(folder, file) == []
    path.unlink()
    assert found(folder, file) == []


@pytest.mark.long
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("file", BESIDE, ids=lambda file: file.name)
def test_every_damage_is_said(folder: Path, file: DataFile, damage: str) -> None:
    (path,) = folder.glob(file.name)
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    (message,) = found(folder, file)
    assert str(path.relative_to(folder)) in message
    assert [message] == [words for _, words in problems_of_files(folder)]


@pytest.mark.long
@pytest.mark.parametrize("file", BESIDE, ids=lambda file: file.name)
def test_what_cannot_be_read_at_all_is_said(folder: Path, file: DataFile) -> None:
    (path,) = folder.glob(file.name)
    path.unlink()
    path.mkdir()
    assert len(found(folder, file)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_log_is_never_taken_for_an_empty_one(folder: Path, damage: str) -> None:
    log = log_of(folder / DATABASE_FILE_NAME)
    log.write_bytes(DAMAGES[damage](log.read_bytes()))
    before = log.read_bytes()
    with pytest.raises(StoreDamaged):
        Store(folder)
    assert not before or log.read_bytes() == before
    assert check_folder(folder, lambda *_: None).is_lossy


@pytest.mark.slow
def test_a_site_starts_with_broken_files_and_its_log_names_each(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    paths = [next(folder.glob(file.name)) for file in BESIDE]
    for path in paths:
        path.write_bytes(flip(0.5)(path.read_bytes()))
    with caplog.at_level(logging.WARNING):
        app = create_app(data=folder, ratelimit_enabled=False, import_processes=0)
    try:
        assert [path for path in paths if str(path.relative_to(folder)) not in caplog.text] == []
        client = app.test_client()
        assert client.get("/").status_code == 200
        denied = client.get("/api/v1/games", headers={"Authorization": "Bearer bezique_x"})
        assert (denied.status_code, str(folder) in denied.text) == (401, False)
        assert "No token can be checked" in denied.text
        (job,) = app.extensions["imports"].jobs()
        assert job.state == "interrupted"
    finally:
        close_app(app)


def test_the_table_in_the_documents_is_that_of_the_program() -> None:
    rows = [
        f"| `{file.name}` | {file.holds} | {file.absent} | {file.broken} |" for file in DATA_FILES
    ]
    text = DOCUMENT.read_text(encoding="utf-8")
    assert [row for row in rows if row not in text] == []


@pytest.mark.long
def test_a_broken_password_is_told_without_a_word_about_games(tmp_path: Path) -> None:
    app = public_site(tmp_path, ratelimit_enabled=False)
    try:
        (tmp_path / PASSWORD_FILE_NAME).write_bytes(b"no hash")
        answer = Browser(app).post("/login", password="a password of somebody")
        assert answer.status_code == 500
        assert "The server cannot read a file that this needs." in answer.text
        assert PASSWORD_FILE_NAME not in answer.text
    finally:
        close_app(app)
