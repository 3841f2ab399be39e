"""Where benchmarks live: the peers' own virtual environment, made once for a lock file, and generated inputs."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LOCK = Path(__file__).with_name("peers.lock")


NOT_MEASURED: list[str] = []
"""The modules that could not measure in this run."""


def folder() -> Path:
    """Where the peers and the inputs live: `$BEZIQUE_BENCH`, else `var/bench-venv`."""
    return Path(os.environ.get("BEZIQUE_BENCH", ROOT / "var" / "bench-venv")).resolve()


def ready(home: Path) -> Path:
    """The Python that has the peers of the lock file, installed now if need be."""
    python = home / "bin" / "python"
    stamp = home / "installed.lock"
    if python.exists() and stamp.exists() and stamp.read_bytes() == LOCK.read_bytes():
        return python
    print(f"installing the peers of {LOCK.name} in {home}", file=sys.stderr)
    venv.create(home, with_pip=True, clear=True)
    _install(python)
    shutil.copy(LOCK, stamp)
    return python


def _install(python: Path) -> None:
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*command, "--require-hashes", "-r", LOCK], check=True)


def apart(module: str, *arguments: str) -> Any:
    """What a module measures in a process of its own, which prints it last as JSON; None if it cannot."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE)
    if done.returncode:
        print(f"{module} could not measure", file=sys.stderr)
        NOT_MEASURED.append(module)
        return None
    return json.loads(done.stdout.splitlines()[-1])


def inputs(home: Path) -> Path:
    """The folder of the generated inputs."""
    path = home / "inputs"
    path.mkdir(parents=True, exist_ok=True)
    return path


def digest_of_sources() -> str:
    """A short digest of the code that writes and judges records: what it wrote before may be another now."""
    sources = hashlib.sha256()
    for source in sorted((ROOT / "records").rglob("*.py")):
        sources.update(source.read_bytes())
    return sources.hexdigest()[:12]
