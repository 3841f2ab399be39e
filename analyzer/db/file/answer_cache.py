"""Answers of statements, kept in memory while nothing is written."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Generic, TypeVar

from analyzer.weighed_cache import WeighedAnswers

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
