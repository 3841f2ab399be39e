"""`bezique export`, `delete` and `backup`."""

import re
from pathlib import Path

import pytest

from analyzer.store.store import DATABASE_FILE_NAME, Store
from records.format import codec
from tests.soak.crowd.running import running_server
from webui.server.local_server import find_server


@pytest.fixture
def filled(run, tmp_path, legal, illegal) -> Path:
    (tmp_path / "two.jsonl").write_bytes(legal + b"\n" + illegal + b"\n")
    run("ingest", tmp_path / "two.jsonl", "--data", tmp_path / "data")
    return tmp_path / "data"


@pytest.mark.long
def test_what_is_exported_is_what_was_given(run, filled, tmp_path, legal, illegal):
    result = run("export", tmp_path / "out.jsonl", "--data", filled)
    assert "Wrote 2 records" in result.stderr
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    run("export", tmp_path / "folder", "--verdict", "legal", "--data", filled)
    assert [path.read_bytes() for path in (tmp_path / "folder").iterdir()] == [legal]
    shown = run("export", "-", "--verdict", "illegal", "--data", filled)
    assert shown.stdout_bytes == illegal + b"\n"


@pytest.mark.long
def test_what_cannot_be_exported_is_said(run, filled, tmp_path):
    result = run("export", tmp_path / "out.json", "--data", filled)
    assert (result.exit_code, "can hold one game, not 2" in result.output) == (2, True)
    result = run("export", tmp_path / "out.jsonl", "--player", "nobody", "--data", filled)
    assert (result.exit_code, "No stored games match" in result.output) == (2, True)
    assert not list(tmp_path.glob("out*"))


@pytest.mark.long
def test_a_game_is_deleted_by_the_beginning_of_its_digest(run, filled, tmp_path, legal):
    digest = str(codec.decode(legal).digest())
    asked = run("delete", digest[:8], "--data", filled, stdin=b"n\n")
    assert asked.exit_code == 1
    assert f"{digest[:12]}  Ann – Bob" in asked.output
    done = run("delete", digest[:8], "--yes", "--data", filled)
    assert "Deleted 1 game." in done.output
    again = run("delete", digest[:8], "--yes", "--data", filled)
    assert (again.exit_code, "No stored digest begins with" in again.output) == (2, True)
    back = run("ingest", tmp_path / "two.jsonl", "--data", filled)
    assert "1 stored, 1 already stored" in back.output


@pytest.mark.long
def test_a_digest_that_is_too_short_deletes_nothing(run, filled):
    result = run("delete", "a", "--yes", "--data", filled)
    assert (result.exit_code, "give at least" in result.output) == (2, True)


@pytest.mark.long
def test_a_backup_is_a_data_folder(run, filled, tmp_path):
    result = run("backup", tmp_path / "copy", "--data", filled)
    assert result.exit_code == 0
    assert "2 games" not in result.output
    with Store(tmp_path / "copy") as copy:
        assert copy.counts().games == 2
    again = run("backup", tmp_path / "copy", "--data", filled)
    assert (again.exit_code, "already has a database" in again.output) == (2, True)


@pytest.mark.slow
def test_a_server_at_work_is_asked_for_the_copy(run, filled, tmp_path):
    with running_server(filled):
        locked = run("stats", "--data", filled, "deal_scores")
        assert (locked.exit_code, "in use by the server at" in locked.output) == (2, True)
        advised = re.search(
            r"`bezique (--server \S+)` with validate, ingest, stats or export", locked.output
        )
        assert advised is not None
        asked = run(*advised[1].split(), "stats", "deal_scores")
        assert (asked.exit_code, "Based on" in asked.output) == (0, True), asked.output
        result = run("backup", tmp_path / "copy", "--data", filled)
        assert (result.exit_code, result.output[:6]) == (0, "Copied"), result.output
        assert (filled / "serving.json").stat().st_mode & 0o077 == 0
    assert find_server(filled) is None
    with Store(tmp_path / "copy") as copy:
        assert copy.counts().games == 2
    assert not (tmp_path / "copy" / f"{DATABASE_FILE_NAME}.part").exists()
