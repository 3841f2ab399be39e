"""`bezique upgrade`, and a server that upgrades when it starts: what they say, and their exit statuses."""

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.store.packing import record_packer
from analyzer.store.store import DATABASE_FILE_NAME, Store
from records.validator import JUDGEMENT_VERSION
from tests.webui.cli.conftest import Run

JUDGED_BEFORE = "UPDATE schema_version SET judgement = judgement - 1"
KEPT = "bezique.before-upgrade.duckdb"


@pytest.fixture
def older(tmp_path: Path, legal: bytes, illegal: bytes) -> Path:
    """A folder whose database an older program has judged, with a verdict that is not that of today."""
    with Store(tmp_path / "data") as store:
        ingest_bytes(store, "two.jsonl", legal + b"\n" + illegal)
        with store.writing() as cursor:
            cursor.execute(JUDGED_BEFORE)
            cursor.execute("UPDATE games SET verdict = 'undetermined' WHERE verdict = 'illegal'")
    return tmp_path / "data"


@pytest.mark.slow
def test_it_says_what_was_done_and_that_nothing_is_to_be_done(run: Run, older: Path) -> None:
    result = run("upgrade", "--data", older)
    assert result.exit_code == 0, result.output
    assert "2 games, 1 verdict changed." in result.output
    assert f"The old database is {older / KEPT}: delete it" in result.output
    again = run("upgrade", "--data", older)
    assert (again.exit_code, again.output) == (0, f"The database in {older} is of this version. There is nothing to do.\n")  # fmt: skip
    assert run("upgrade", "--data", older.parent / "none").exit_code == 2


@pytest.mark.long
def test_records_that_are_left_out_are_said(run: Run, older: Path) -> None:
    with duckdb.connect(older / DATABASE_FILE_NAME) as connection:
        row = [7, "c" * 64, "old.json", 5, record_packer()(b"{bad}")]
        connection.execute("INSERT INTO records (game, digest, name, size, data) VALUES (?, ?, ?, ?, ?)", row)  # fmt: skip
    result = run("upgrade", "--data", older)
    assert result.exit_code == 1, result.output
    assert "1 record is not in the new database" in result.output
    assert (older / "not-upgraded" / f"{'c' * 64}.json").read_bytes() == b"{bad}"


@pytest.mark.slow
def test_the_doctor_says_who_judged(run: Run, older: Path) -> None:
    before = run("doctor", older).output
    assert "verdicts may differ from today's: `bezique upgrade` judges them again" in before
    assert f"judgement {JUDGEMENT_VERSION - 1}." in before
    run("upgrade", "--data", older)
    after = run("doctor", older).output
    assert "`bezique upgrade`" not in after
    assert f"note: {KEPT}" in after
    assert f"judgement {JUDGEMENT_VERSION}." in after


@pytest.mark.slow
def test_a_server_upgrades_before_it_starts(older: Path) -> None:
    command = [sys.executable, "-m", "webui.cli", "serve", "--data", str(older), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        said = ""
        for line in server.stdout:
            said += line
            if "Serving" in line:
                break
        server.terminate()
    assert "That is done now, before the server starts." in said
    assert "1 verdict changed." in said
    assert (older / KEPT).exists()
