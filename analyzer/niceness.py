"""Let a process come after others: somebody waits for a page of the process that started it."""

import os
from contextlib import suppress
from pathlib import Path

NICENESS = 5
"""What is added to the niceness of a process."""


def yield_to_others() -> None:
    """Let this process, which must lead its session, yield to every other."""
    os.nice(NICENESS)
    # Where Linux groups processes by session, niceness counts only within a session: the session must be nice, too.
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(NICENESS), encoding="ascii")
