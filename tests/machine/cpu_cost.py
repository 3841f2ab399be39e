"""What work costs in CPU seconds of the machine on which the promises were measured, when nothing else runs there.

On a slower machine, or beside other processes that share the caches and the units of a core, the same work takes more
CPU time. So some work that never changes is measured right after it, and tells how slow the machine is at that moment.
"""

import json
import time
from types import TracebackType

REFERENCE_SECONDS = 0.009
"""What `_fixed_work` takes on the machine of the promises when nothing else runs."""
FEWEST_SECONDS = 0.04
"""Whoever takes less has kept every promise, however slow the machine is."""
TRIES = 3


def _fixed_work() -> int:
    """What a validator does all day, without the validator: objects, counting, sorting, text."""
    total = 0
    for number in range(24):
        cards = {f"{rank}{suit}": rank * suit % 97 for rank in range(40) for suit in range(10)}
        order = sorted(cards, key=lambda card: (cards[card], card))
        text = json.dumps([{"card": card, "points": cards[card]} for card in order])
        total += sum(entry["points"] for entry in json.loads(text)) + number
    return total


def slowness() -> float:
    """How many times as long as on the machine of the promises work takes here and now; at least 1."""
    taken = []
    for _ in range(TRIES):
        start = time.thread_time()
        _fixed_work()
        taken.append(time.thread_time() - start)
    return max(1.0, min(taken) / REFERENCE_SECONDS)


class CpuCost:
    """Measures what is done within `with`: all threads of this process, in CPU seconds of the machine of the promises."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __enter__(self) -> "CpuCost":
        self._start = time.process_time()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        measured = time.process_time() - self._start
        self.seconds = measured if measured < FEWEST_SECONDS else measured / slowness()
