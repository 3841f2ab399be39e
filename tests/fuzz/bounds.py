"""What an input may cost, by the door through which it goes."""

from typing import NamedTuple

from analyzer.sql.guard import (
    KILL_SECONDS,
    PROCESS_BYTES,
    STATEMENT_SECONDS,
    STATEMENT_THREADS,
)
from webui.server.game_cache import SEARCH_SECONDS

LARGEST_INPUT_BYTES = 64 * 1024
"""An input of up to so many bytes may cost what `BOUNDS` says."""
SECONDS_A_MIB = 10.0
"""CPU seconds for every MiB more."""
ANSWER_FACTOR, ANSWER_REST_BYTES = 256, 8 * 1024 * 1024
"""How many bytes an answer may have for each byte of the input, and how many more."""
START_CPU_SECONDS = 2.0
"""What it costs to start a process in the place of one that was ended."""
EXPANDED_DOORS = ("stream", "blocks")
"""Doors whose inputs are measured by what they expand to.

Files are read on the machine of whoever has them, or in the background. A request that is answered at once costs by
what was sent: else a compressed one would cost as much as hundreds of others.
"""


class Bound(NamedTuple):
    """CPU seconds of the process and those it started, memory over the resting size in MiB, bytes of the answer."""

    cpu: float
    mib: float = 200.0
    answer: int = ANSWER_REST_BYTES


BOUNDS = {
    "sql": Bound(
        STATEMENT_THREADS * (STATEMENT_SECONDS + KILL_SECONDS) + START_CPU_SECONDS,
        PROCESS_BYTES / 1024 / 1024,
    ),
    "identify": Bound(2.0 * SEARCH_SECONDS + 1.0),
    "review": Bound(10.0),
    "narrative": Bound(10.0),
}
"""The doors that may cost more: a statement has a process of its own, and a review and a search compute something long on request."""


def bound_of(door: str, size: int, share: float = 1.0) -> Bound:
    """What an input of so many bytes may cost; of its time only a `share`, if the search is to be a quick one."""
    bound = BOUNDS.get(door, Bound(1.0))
    more = max(0, size - LARGEST_INPUT_BYTES) / 1024 / 1024
    return Bound(
        share * (bound.cpu + SECONDS_A_MIB * more), bound.mib, bound.answer + ANSWER_FACTOR * size
    )
