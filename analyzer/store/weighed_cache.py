"""Caches that count what their entries weigh, and the answers of statements while nothing is written."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from itertools import count
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

# What was asked for last, kept in memory up to a weight in all: what a stranger sent may be of any size.

CachedValue = TypeVar("CachedValue")


class CacheInfo(NamedTuple):
    """How often a cache had an answer and how often not, how many it keeps, and what these weigh in bytes."""

    hits: int
    misses: int
    currsize: int
    weight: int


class WeighedAnswers(Generic[CachedValue]):
    """Keeps answers by what was asked, the least recently used going first, as far as they weigh little.

    `weigh` gives the bytes of memory that an answer takes, about. All together weigh at most `most_bytes`, and there
    are at most `most_answers`. Of those that would take half of it alone, the last one is kept beside the others, so that a
    page that reads it again and again makes it once.
    """

    def __init__(
        self, weigh: Callable[[CachedValue], int], *, most_answers: int, most_bytes: int
    ) -> None:
        self._weigh = weigh
        self.most_answers, self.most_bytes = most_answers, most_bytes
        self._answers: OrderedDict[Hashable, tuple[CachedValue, int]] = OrderedDict()
        self._heavy: tuple[tuple[Hashable, ...], CachedValue] | None = None
        self._lock = Lock()
        self._hits = self._misses = self._weight = self._times_cleared = 0

    def known(self, *asked: Hashable) -> CachedValue | None:
        """The answer, if it is in memory."""
        with self._lock:
            if self._heavy is not None and self._heavy[0] == asked:
                self._hits += 1
                return self._heavy[1]
            known = self._answers.get(asked)
            if known is None:
                self._misses += 1
                return None
            self._hits += 1
            self._answers.move_to_end(asked)
            return known[0]

    @property
    def times_cleared(self) -> int:
        """How often every answer was forgotten."""
        with self._lock:
            return self._times_cleared

    def keep(
        self, made: CachedValue, *asked: Hashable, times_cleared: int | None = None
    ) -> CachedValue:
        """Keep an answer, as far as there is room; returns it.

        With `times_cleared` as it was when its making began, it is not kept if it may be older than what was forgotten.
        """
        weight = self._weigh(made)
        with self._lock:
            if times_cleared not in (None, self._times_cleared):
                return made
            if 2 * weight > self.most_bytes:
                self._heavy = asked, made
            elif asked not in self._answers:
                self._answers[asked] = made, weight
                self._weight += weight
            while len(self._answers) > self.most_answers or self._weight > self.most_bytes:
                _, (_, gone) = self._answers.popitem(last=False)
                self._weight -= gone
        return made

    def cache_clear(self) -> None:
        """Forget every answer."""
        with self._lock:
            self._answers.clear()
            self._heavy, self._weight = None, 0
            self._times_cleared += 1

    def cache_info(self) -> CacheInfo:
        """What the cache has done since it was made, and what it keeps."""
        with self._lock:
            return CacheInfo(self._hits, self._misses, len(self._answers), self._weight)


class WeighedCache(WeighedAnswers[CachedValue]):
    """Keeps the answers of a function; what the function raises is passed on."""

    def __init__(
        self,
        make: Callable[..., CachedValue],
        weigh: Callable[[CachedValue], int],
        *,
        most_answers: int,
        most_bytes: int,
    ) -> None:
        super().__init__(weigh, most_answers=most_answers, most_bytes=most_bytes)
        self._make = make

    def __call__(self, *asked: Hashable) -> CachedValue:
        """The answer, from memory or made now; two who ask at once may both make it."""
        times_cleared = self.times_cleared
        known = self.known(*asked)
        if known is not None:
            return known
        return self.keep(self._make(*asked), *asked, times_cleared=times_cleared)


# Answers of statements, kept in memory while nothing is written.

CachedAnswer = TypeVar("CachedAnswer")
MOST_ANSWERS_CACHED, MOST_BYTES_OF_ANSWERS = 1_000, 32 * 1024 * 1024


class AnswerCache(Generic[CachedAnswer]):
    """Answers by what was asked; `weigh` gives the bytes of memory that one takes, about.

    Nobody gets an answer that is older than a commit which ended before the question, or than an answer that the
    same asker got before.
    """

    def __init__(self, weigh: Callable[[CachedAnswer], int]) -> None:
        self._answers = WeighedAnswers(
            weigh, most_answers=MOST_ANSWERS_CACHED, most_bytes=MOST_BYTES_OF_ANSWERS
        )
        self._moments = count(1)
        self._moment: int | None = 0

    def answer(self, ask: Callable[[], CachedAnswer], *asked: Hashable) -> CachedAnswer:
        """The answer that is kept, or what `ask` returns."""
        moment = self._moment
        if moment is None:
            return ask()
        known = self._answers.known(moment, *asked)
        return self._answers.keep(ask(), moment, *asked) if known is None else known

    @contextmanager
    def committing(self) -> Iterator[None]:
        """A commit, which makes every answer old; only one at a time.

        Until it is over, some readers see its rows and some do not: no answer is kept or taken.
        """
        self._moment = None
        try:
            yield
        finally:
            self._moment = next(self._moments)
            self._answers.cache_clear()
