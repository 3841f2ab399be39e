"""The process that runs inputs, seen from outside: it is asked, watched, and started again when it has ended."""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.fuzz.bounds import Bound, bound_of

ROOT = Path(__file__).resolve().parents[2]
WORKER = Path(__file__).with_name("worker.py")
LONGEST_WAIT_SECONDS = 90
INTERRUPTED_AFTER = 2.0
"""An input is interrupted when it has cost so many times what it may."""
MOST_GROWTH_MIB = 150.0
"""How much more memory the process may keep after many inputs."""


class Cost(NamedTuple):
    """What an input cost: CPU and wall seconds, memory over what was in use before, bytes of the answer; the error raised,
    what the process rests on, and where it was when it was interrupted."""

    cpu: float
    wall: float
    mib: float
    answer: int
    raised: str | None = None
    rest: float = 0.0
    where: str = ""

    def breach(self, bound: Bound) -> str | None:
        """The kind of what is wrong with the cost; None if nothing is."""
        if self.raised is not None:
            return self.raised.partition(":")[0]
        if self.cpu > bound.cpu:
            return "time"
        if self.mib > bound.mib:
            return "memory"
        return "answer" if self.answer > bound.answer else None


class Runner:
    """One worker process after the other, all on the code in `folder`."""

    def __init__(self, folder: Path = ROOT, share: float = 1.0) -> None:
        self.folder, self.share = folder, share
        self.process: subprocess.Popen[bytes] | None = None
        self.first_rest = 0.0
        self.data: tempfile.TemporaryDirectory[str] | None = None

    def run(
        self, door: str, data: bytes, *, size: int | None = None, times: float = INTERRUPTED_AFTER
    ) -> Cost:
        """The cost of an input, which is interrupted after so many times the CPU seconds that it may cost.

        `size` is what the input is measured by, where that is not its length.
        """
        process = self.process or self._start()
        assert process.stdin is not None
        limit = times * bound_of(door, size or len(data), self.share).cpu
        request = {"door": door, "length": len(data), "kill_after": limit}
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n" + data)
            process.stdin.flush()
        except BrokenPipeError:
            self.close()
            return Cost(0, 0, 0, 0, "the process ended")
        answer = self._answer(process)
        if answer is None:
            ended = self.close()
            if ended in (-signal.SIGXCPU, None):
                return Cost(limit, LONGEST_WAIT_SECONDS, 0, 0)
            return Cost(0, 0, 0, 0, f"the process ended with {ended}")
        cost = Cost(**answer)
        if cost.cpu > limit:  # it was interrupted, perhaps in the midst of something
            self.close()
        return cost

    def breach(self, door: str, size: int, cost: Cost) -> str | None:
        """What is wrong with the cost of so many bytes through a door; None if nothing is."""
        return cost.breach(bound_of(door, size, self.share))

    def grown(self, cost: Cost) -> float:
        """By how many MiB the process rests on more than at first."""
        self.first_rest = self.first_rest or cost.rest
        return cost.rest - self.first_rest if cost.rest else 0.0

    def _answer(self, process: "subprocess.Popen[bytes]") -> dict[str, object] | None:
        assert process.stdout is not None
        if not select.select([process.stdout], [], [], LONGEST_WAIT_SECONDS)[0]:
            return None
        line = process.stdout.readline()
        return json.loads(line) if line else None

    def _start(self) -> "subprocess.Popen[bytes]":
        # Arenas of its own for every thread would take address space that nobody uses.
        environment = {**os.environ, "MALLOC_ARENA_MAX": "2", "PYTHONHASHSEED": "0"}
        self.data = tempfile.TemporaryDirectory(prefix="fuzz-", ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [sys.executable, WORKER, self.folder, self.data.name],
            cwd=self.folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.first_rest = 0.0
        return self.process

    def close(self) -> int | None:
        """End the process and those it started; how it ended, None if it had not."""
        process, self.process = self.process, None
        if process is None:
            return None
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        try:
            ended = process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            ended = None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        if self.data is not None:
            self.data.cleanup()
        return ended
