"""Waiting for what happens in another thread, process or browser.

A busy machine is slow: only what never happens is a fault. So whoever waits has much more patience than a quiet
machine needs, and asks for what happened, never how long it took.
"""

import time
from collections.abc import Callable

PATIENCE_SECONDS = 120.0
"""How long to wait for what comes within a second where nothing else runs."""
TIMES_AS_LONG = 10
"""How many times as long as something that is measured beside it a thing may take on a busy machine."""


def is_true_soon(condition: Callable[[], object], *, pause: float = 0.02) -> bool:
    """Whether a condition comes true; asked again after every `pause` in seconds."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(pause)
    return True


def wait_until(condition: Callable[[], object], *, pause: float = 0.02) -> None:
    """Wait until a condition is true; it fails if that never comes."""
    assert is_true_soon(condition, pause=pause)


def assert_prompt(seconds: float, most: float, beside: Callable[[], object]) -> None:
    """That something took at most so many seconds; on a busy machine, that it took few times as long as something else.

    `beside` is done, and measured, only if it took longer.
    """
    if seconds < most:
        return
    start = time.monotonic()
    beside()
    busy = time.monotonic() - start
    assert seconds < most + TIMES_AS_LONG * busy, f"{seconds:.1f} s, beside {busy:.1f} s"
