"""`bezique doctor`: what it says, and its exit status."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.store.store import DATABASE_FILE_NAME, Store

HOLDER = """
import sys
from pathlib import Path
from analyzer.store.store import Store
with Store(Path(sys.argv[1])):
    print("open", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def data(tmp_path: Path, legal: bytes, illegal: bytes) -> Path:
    with Store(tmp_path / "data") as store:
        ingest_bytes(store, "two.jsonl", legal + b"\n" + illegal)
    return tmp_path / "data"


@pytest.mark.long
def test_a_whole_folder(run, data):
    result = run("doctor", data)
    assert result.exit_code == 0
    assert "2 records read whole, with the right digest; nothing is wrong." in result.output
    result = run("doctor", "--data", data, "--format", "json")
    told = json.loads(result.output)
    assert (told["report"]["records"], told["report"]["problems"], told["rescue"]) == (2, [], None)


@pytest.mark.slow
def test_a_damaged_folder_is_rescued(run, data, tmp_path):
    path = data / DATABASE_FILE_NAME
    content = bytearray(path.read_bytes())
    content[content.rfind(b"\x28\xb5\x2f\xfd") + 50] ^= 1
    path.write_bytes(content)
    result = run("doctor", data)
    assert result.exit_code == 2
    assert "lost: " in result.output
    result = run("doctor", data, "--rescue", tmp_path / "new")
    assert result.exit_code == 2
    assert "1 game rescued into" in result.output
    assert "1 game lost: " in result.output
    assert run("doctor", tmp_path / "new").exit_code == 0
    assert path.read_bytes() == content
    again = run("doctor", data, "--rescue", tmp_path / "new")
    assert (again.exit_code, "is not empty" in again.output) == (2, True)


@pytest.mark.long
def test_something_wrong_and_nothing_lost(run, data):
    with Store(data) as store, store.writing() as cursor:
        cursor.execute("DELETE FROM seats")
    result = run("doctor", data)
    assert (result.exit_code, "wrong: There are 2 games" in result.output) == (1, True)


@pytest.mark.long
def test_a_folder_without_data_and_one_in_use(run, data, tmp_path):
    (tmp_path / "empty").mkdir()
    result = run("doctor", tmp_path / "empty")
    assert (result.exit_code, "neither a database nor Parquet" in result.output) == (2, True)
    # The name of a folder keeps its small letters, wherever it stands in the sentence.
    assert " nowhere." in run("doctor", "nowhere").output
    command = [sys.executable, "-c", HOLDER, str(data)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        holder.stdout.readline()
        result = run("doctor", data)
        assert (result.exit_code, "in use by another process" in result.output) == (2, True)
        assert holder.stdin
        holder.stdin.close()


@pytest.mark.long
def test_a_broken_key_and_a_missing_upload(run, data):
    (data / "session-key").write_bytes(b"")
    folder = data / "uploads" / "abc"
    folder.mkdir(parents=True)
    state = {"id": "abc", "files": [{"name": "big.jsonl", "kept": "0-big.jsonl", "size": 9}], "created_at": "2025-01-01T00:00:00", "queued_at": "2025-01-01T00:00:00", "state": "stopped"}  # fmt: skip
    (folder / "import.json").write_text(json.dumps(state))
    result = run("doctor", data)
    assert result.exit_code == 2
    assert "note: session-key is broken" in result.output
    assert "lost: The upload big.jsonl was not imported yet, and its file is missing." in result.output  # fmt: skip
