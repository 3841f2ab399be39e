"""The processes that a process has started, as Linux tells of them."""

import os
import time
from contextlib import suppress
from pathlib import Path

LOOK_SECONDS = 0.5
"""Whoever uses no processor for so long waits for something, unless the machine is very busy."""


def processes_of(parent: int, function: str) -> set[int]:
    """The processes for a function, `serve_calls` or `serve_statements`, that a process has started."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            child = f"\nPPid:\t{parent}\n" in (folder / "status").read_text()
            if child and function.encode() in (folder / "cmdline").read_bytes():
                found.add(int(folder.name))
    return found


def own_processes(function: str) -> set[int]:
    """The processes for a function that this one has started."""
    return processes_of(os.getpid(), function)


def is_running(process: int) -> bool:
    """Whether a process has not ended."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def at_work(processes: set[int]) -> set[int]:
    """Those of some processes that use a processor; looks for half a second."""
    before = {process: _ticks_used(process) for process in processes}
    time.sleep(LOOK_SECONDS)
    return {each for each in processes if _ticks_used(each) > before[each]}


def _ticks_used(process: int) -> int:
    try:
        status = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(status[11]) + int(status[12])
