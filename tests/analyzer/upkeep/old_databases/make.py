"""Write the databases of earlier versions that the tests upgrade: `python -m tests.analyzer.upkeep.old_databases.make`.

Each is made by the program of a commit, with its own samples and players, in a folder of its own. It needs the whole
history and is run once: what is written is kept beside this file, packed.
"""

import hashlib
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import zstandard

HERE = Path(__file__).parent
COMMITS = ("6e4ec8a", "aebef60", "ec7910b")
"""The first with packed records that anybody used, one in the middle, and the last that migrated."""
SHEETS = ("bezique", "chinese-bezique", "marjolet", "polish-bezique", "zetema", "zique")
UNREADABLE = b'{"format": "bezique-record"'


def make(commit: str, work: Path) -> dict[str, str]:
    """Write the database of a commit; returns the SHA-256 of every record sent, by the name of its file and its line."""
    archive = subprocess.run(
        ["git", "archive", commit], check=True, capture_output=True, cwd=HERE.parents[2]
    )
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as tar:
        tar.extractall(work / "program", filter="data")
    sent = work / "sent"
    sent.mkdir()
    for path in sorted((work / "program" / "samples").rglob("*.json")):
        (sent / path.name).write_bytes(path.read_bytes())
    played = b"".join(run(work, "play", "--rules", sheet, "--games", "1") for sheet in SHEETS)
    (sent / "played.jsonl").write_bytes(played)
    (sent / "unreadable.json").write_bytes(UNREADABLE)
    run(work, "ingest", sent, "--data", work / "data")
    data = (work / "data" / "bezique.duckdb").read_bytes()
    packed = zstandard.ZstdCompressor(level=19).compress(data)
    (HERE / f"{commit}.duckdb.zst").write_bytes(packed)
    return dict(hashes(sent))


def hashes(sent: Path) -> Iterator[tuple[str, str]]:
    """The SHA-256 of every record that was sent, by the name of its file and its line."""
    for path in sorted(sent.iterdir()):
        if path.suffix == ".json":
            yield path.name, hashlib.sha256(path.read_bytes()).hexdigest()
        else:
            for line, data in enumerate(path.read_bytes().splitlines(), start=1):
                yield f"{path.name}:{line}", hashlib.sha256(data).hexdigest()


def run(work: Path, *words: object) -> bytes:
    """The output of a command of the program that was unpacked."""
    done = subprocess.run(
        [sys.executable, "-m", "webui.cli", *map(str, words)],
        stdout=subprocess.PIPE,
        cwd=work / "program",
        env={**os.environ, "PYTHONPATH": str(work / "program")},
    )
    return done.stdout


if __name__ == "__main__":
    found = {}
    for commit in COMMITS:
        with TemporaryDirectory() as name:
            found[commit] = make(commit, Path(name))
    (HERE / "records.json").write_text(json.dumps(found, indent=0) + "\n")
