"""The machine and the Python that measured, and how slow they were just then.

What a benchmark measures depends on both: on a machine shared with others times double, and another build of the same
Python moves the ratio of compiled code to pure Python by a fifth.
"""

import os
import platform

from tests.bench.figures import Figure


def figures(before: float, after: float) -> list[Figure]:
    """What the machine is, and its slowness (see `tests.machine.cpu_cost`) before and after the benchmarks."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    group = f"{python}, {platform.python_compiler()}, {os.cpu_count()} cores"
    return [
        Figure(group, "slowness before the benchmarks", before, "x"),
        Figure(group, "slowness after them", after, "x"),
    ]
