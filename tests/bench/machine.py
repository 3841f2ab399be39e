"""The machine and the Python that measured, and how fast they were just then.

What a benchmark measures depends on both: on a machine shared with others times double, and the way in which Python was
built moves ratios between compiled code and pure Python by a fifth.
"""

import os
import platform
import time

from tests.bench.figures import Figure

ADDITIONS = 10_000_000


def seconds_of_additions() -> float:
    """How long ten million additions take in plain Python, by the clock."""
    start, total = time.monotonic(), 0
    for number in range(ADDITIONS):
        total += number
    return time.monotonic() - start


def figures(before: float, after: float) -> list[Figure]:
    """What the machine is, and how fast it was before and after the benchmarks."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    group = f"{python}, {platform.python_compiler()}, {os.cpu_count()} cores"
    return [
        Figure(group, "ten million additions in Python, before", before, "s"),
        Figure(group, "the same after all benchmarks", after, "s"),
    ]
