"""Standard streams that are closed, and standard output that is full."""

import errno
import json
import os
import stat
import subprocess
from pathlib import Path

import pytest

from analyzer.store.durable_files import NO_ROOM_ERRORS
from tests.webui.cli.test_cli import BEZIQUE, ROOT
from webui.cli.main import NO_MORE_OUTPUT

READERS = ["validate", "show", "convert", "ingest", "annotate", "identify", "redact --seat 0"]


def in_shell(words: str, cwd: Path, streams: str) -> "subprocess.CompletedProcess[str]":
    """Runs a command line as a shell does, with these streams."""
    bezique = " ".join(BEZIQUE)
    return subprocess.run(
        ["bash", "-c", f"{bezique} {words} {streams}"],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'webui/public'}"},
        text=True,
        capture_output=True,
    )


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A device that takes nothing, as a full disk does."""
    device = tmp_path / "full"
    try:
        os.mknod(device, stat.S_IFCHR | 0o600, os.makedev(1, 7))
        device.open("wb").close()
    except PermissionError:
        pytest.skip("this user can make no devices")
    return device


@pytest.mark.long
@pytest.mark.parametrize("words", READERS)
def test_standard_input_that_is_closed_is_a_sentence(words, tmp_path):
    done = in_shell(f"{words} -", tmp_path, "<&-")
    assert done.returncode == 2
    assert done.stderr == "Error: <stdin>: Bad file descriptor.\n"


@pytest.mark.parametrize("words", ["validate game.json", "play --rules zique", "--help"])
def test_standard_output_that_is_closed_is_a_sentence(words, tmp_path, game):
    done = in_shell(words, tmp_path, ">&-")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: Standard output: Bad file descriptor.\n"


def test_who_prints_nothing_needs_no_standard_output(tmp_path, game):
    assert in_shell("validate --quiet game.json", tmp_path, "<&- >&-").returncode == 0


@pytest.mark.long
def test_errors_that_nobody_hears_keep_their_status(tmp_path, game):
    assert in_shell("validate nothing", tmp_path, "2>&-").returncode == 2
    assert in_shell("frobnicate", tmp_path, "2>&-").returncode == 2
    done = in_shell("validate game.json", tmp_path, "2>&-")
    assert (done.returncode, done.stdout) == (0, "1 record: 1 legal\n")


@pytest.mark.slow
def test_no_database_becomes_a_standard_stream(tmp_path, game):
    done = in_shell("ingest game.json --data data --workers 1", tmp_path, "<&- >&- 2>&-")
    assert done.returncode == 2  # it cannot say what it stored
    asked = in_shell("validate --format json game.json", tmp_path, "")
    assert json.loads(asked.stdout)["verdict"] == "legal"
    known = in_shell("ingest game.json --data data", tmp_path, "")
    assert "1 already stored" in known.stdout


@pytest.mark.parametrize(
    "words", ["--help", "--version", "validate --help", "validate game.json", "play --rules zique --games 3",
              "convert game.json", "convert game.json --to json", "redact game.json --seat 0"],
)  # fmt: skip
def test_standard_output_that_is_full_is_a_sentence(words, tmp_path, game, full):
    done = in_shell(words, tmp_path, f"> {full}")
    assert done.returncode == 2
    assert done.stderr == "Error: Standard output: No space left on device.\n"


def test_the_errors_of_a_full_output_are_those_of_a_full_disk():
    assert {*NO_ROOM_ERRORS, errno.EBADF} == NO_MORE_OUTPUT


def test_errors_that_have_no_room_keep_their_status(tmp_path, full):
    assert in_shell("validate nothing", tmp_path, f"2> {full}").returncode == 2
