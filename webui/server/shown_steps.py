"""Games looked at together: which step a reader shows to others, in memory alone, until that reader leaves."""

import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Condition
from typing import NamedTuple

MOST_SHOWN = 200
"""So many readers may show their steps at a time."""
SILENCE_SECONDS = 100.0
"""A reader of whom nothing was heard for so long has left. Browsers let a page in the background speak once a minute."""
LEAVING_SECONDS = 10.0
"""A page that says it is being left may only be loaded again: it is gone if nothing is heard of it for so long."""
BREATH_SECONDS = 15.0
"""So often whoever follows is told something: a proxy would close a stream that says nothing, and a stream without a
reader is noticed only when it is written to."""


class ShownStep(NamedTuple):
    """What a reader shows: a game, a deal (from 1) and a step of it."""

    digest: str
    deal: int
    step: int


class TooManyShown(RuntimeError):
    """As many readers show their steps as may."""


@dataclass
class _Reader:
    secret: str
    shown: ShownStep
    ends: float
    changes: int = 0


class ReadersTogether:
    """The readers who show their steps, each by the key of its link; only who has its secret may move or end it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._readers: dict[str, _Reader] = {}
        self._changed = Condition()

    def begin(self, shown: ShownStep) -> tuple[str, str]:
        """Show a step to others; returns the key of the link and the secret. Raises TooManyShown."""
        with self._changed:
            self._forget_the_silent()
            if len(self._readers) >= MOST_SHOWN:
                raise TooManyShown
            key, secret = secrets.token_urlsafe(12), secrets.token_urlsafe(24)
            self._readers[key] = _Reader(secret, shown, self._clock() + SILENCE_SECONDS)
        return key, secret

    def move(self, key: str, secret: str, shown: ShownStep) -> bool:
        """Show another step, or the same once more; False if nobody shows anything by this key and secret."""
        with self._changed:
            reader = self._own(key, secret)
            if reader is None:
                return False
            reader.ends = self._clock() + SILENCE_SECONDS
            if reader.shown != shown:
                reader.shown, reader.changes = shown, reader.changes + 1
                self._changed.notify_all()
            return True

    def leave(self, key: str, secret: str) -> None:
        """The page is being left, or loaded again: it ends soon, unless it is heard of."""
        with self._changed:
            if (reader := self._own(key, secret)) is not None:
                reader.ends = self._clock() + LEAVING_SECONDS
                self._changed.notify_all()

    def end(self, key: str, secret: str) -> None:
        """Show nothing any more."""
        with self._changed:
            if self._own(key, secret) is not None:
                del self._readers[key]
                self._changed.notify_all()

    def close(self) -> None:
        """End everything."""
        with self._changed:
            self._readers.clear()
            self._changed.notify_all()

    def shown(self, key: str) -> ShownStep | None:
        """What is shown by a key; None if nothing is, any more."""
        with self._changed:
            self._forget_the_silent()
            reader = self._readers.get(key)
            return reader.shown if reader else None

    def follow(self, key: str) -> Iterator[ShownStep | None]:
        """What is shown by a key, and then every change, None where there was none for a while; ends with the reader.

        Whoever is slow gets the latest step, not all that lie between.
        """
        seen = -1
        while True:
            with self._changed:
                self._wait_for_change(key, seen)
                self._forget_the_silent()
                reader = self._readers.get(key)
                if reader is None:
                    return
                is_new, seen = reader.changes != seen, reader.changes
                shown = reader.shown if is_new else None
            yield shown

    def _wait_for_change(self, key: str, seen: int) -> None:
        """Wait until a reader has changed or ended, or should be heard of."""
        if (reader := self._readers.get(key)) is None:
            return
        left = max(0.1, min(BREATH_SECONDS, reader.ends - self._clock()))
        self._changed.wait_for(
            lambda: reader.changes != seen or self._readers.get(key) is not reader, left
        )

    def _own(self, key: str, secret: str) -> _Reader | None:
        self._forget_the_silent()
        reader = self._readers.get(key)
        is_own = reader is not None and secrets.compare_digest(
            reader.secret.encode(), secret.encode()
        )
        return reader if is_own else None

    def _forget_the_silent(self) -> None:
        now = self._clock()
        for key in [key for key, reader in self._readers.items() if reader.ends <= now]:
            del self._readers[key]
