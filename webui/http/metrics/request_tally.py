"""What the server has answered so far: how many requests, of which kind, with which status, in which time."""

import threading
import time
from collections import Counter, defaultdict
from typing import NamedTuple

REFUSED_KIND = "refused"
"""The kind of what the server answered itself, before it was known which page was asked for."""


class AnswerKind(NamedTuple):
    """What answers are counted by: the kind of the request, as in `REQUEST_KINDS`, and the status of the answer."""

    kind: str
    status: int


class RequestTally:
    """Counts of answers, and the seconds that they took; `began` is when counting began, in seconds since 1970."""

    def __init__(self) -> None:
        self.began = time.time()
        self._lock = threading.Lock()
        self._answers: Counter[AnswerKind] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def add(self, kind: str, status: int, seconds: float) -> None:
        """Count an answer."""
        kind = kind or REFUSED_KIND
        with self._lock:
            self._answers[AnswerKind(kind, status)] += 1
            self._seconds[kind] += seconds

    def answers(self) -> dict[AnswerKind, int]:
        """How many answers there were, by kind and status."""
        with self._lock:
            return dict(self._answers)

    def seconds(self) -> dict[str, float]:
        """How many seconds the answers of each kind took."""
        with self._lock:
            return dict(self._seconds)
