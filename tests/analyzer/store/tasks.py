"""Tasks for worker processes; some of them fail or die."""

import os
import signal
import time
from pathlib import Path


def kill_once(marker: str) -> int:
    """Ends its process the first time."""
    path = Path(marker)
    if not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return len(marker)


def kill_always(task: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def wait_and_double(task: tuple[int, float]) -> int:
    time.sleep(task[1])
    return 2 * task[0]


def compute(seconds: float) -> str:
    """Use a processor for so many seconds."""
    while time.process_time() < seconds:
        pass
    return "computed"


class _Unsendable(Exception):
    """An error that cannot be sent to another process."""

    def __init__(self) -> None:
        super().__init__("of a kind of its own")
        self.held = lambda: None


def fail_unsendably(task: int) -> None:
    raise _Unsendable


def fail(task: int) -> None:
    raise ValueError(f"no {task}")
