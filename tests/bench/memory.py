"""Peak memory of validating one file, in a process of its own: `python -m tests.bench.memory FILE`."""

import json
import re
import resource
import sys
from contextlib import suppress
from pathlib import Path

from records import validator


def peak_mib(process: str = "self") -> float:
    """A process's own high-water mark; a child's `ru_maxrss` would include its parent's."""
    status = Path(f"/proc/{process}/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        if found:
            return int(found[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def forget_peak() -> None:
    """Let this process's own high-water mark begin again, where the system can."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


if __name__ == "__main__":
    before = peak_mib()
    events = sum(report.events for report in validator.check_path(Path(sys.argv[1])))
    print(json.dumps({"events": events, "before": before, "peak": peak_mib()}))
