"""What an input may cost, by the door through which it goes."""

from typing import NamedTuple

from analyzer.sql.statement_limits import STATEMENT_SECONDS
from webui.views.identify import SEARCH_SECONDS

LARGEST_INPUT_BYTES = 64 * 1024
ANSWER_FACTOR, ANSWER_REST_BYTES = 256, 512 * 1024
"""How many bytes an answer may have for each byte sent, and how many more."""
DATABASE_THREADS = 2


class Bound(NamedTuple):
    """CPU seconds of the process and those it started, and memory over the resting size in MiB."""

    cpu: float
    mib: float = 200.0


PLAIN = Bound(1.0)
BOUNDS = {
    "sql": Bound(DATABASE_THREADS * (STATEMENT_SECONDS + 0.5) + 1.0, 600.0),
    "identify": Bound(2.0 * SEARCH_SECONDS + 1.0),
    "review": Bound(10.0),
    "narrative": Bound(10.0),
}
"""The doors that may cost more: a statement has its own time, and a review and a search compute something long on request."""


def bound_of(door: str, share: float = 1.0) -> Bound:
    """What an input may cost; of its time only a `share`, if the search is to be a quick one."""
    bound = BOUNDS.get(door, PLAIN)
    return bound._replace(cpu=share * bound.cpu)
