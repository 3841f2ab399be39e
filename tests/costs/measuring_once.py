"""What payloads cost, measured once in a run, whichever workers ask."""

import fcntl
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, Protocol

ROOT = Path(__file__).parents[2]

Costs = dict[str, dict[str, Any]]


class Measure(Protocol):
    """What payloads of a group cost at a size: all, or only some, who must then be the same whoever asks."""

    def __call__(self, group: str, size: int, *keys: str) -> Costs: ...


def measured(group: str, size: int, *keys: str) -> Costs:
    """What payloads of a group cost at this size, or only some of them; one that is missing killed its process."""
    command = [sys.executable, "-m", "tests.costs.measuring", str(size), group, *keys]
    done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=True)
    return {row["key"]: row for row in map(json.loads, done.stdout.splitlines())}


def measuring_once(folder: Path) -> Measure:
    """What payloads cost, kept in a folder; who needs the same waits for the first."""

    @cache
    def measure(group: str, size: int, *keys: str) -> Costs:
        path = folder / f"costs-{group}-{size}.json"
        with path.open("a+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            if text := file.read():
                return dict(json.loads(text))
            rows = measured(group, size, *keys)
            file.write(json.dumps(rows))
            return rows

    return measure
