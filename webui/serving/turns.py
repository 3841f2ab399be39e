"""Whose request is next: threads are shared among clients by what they have used, not in the order of arrival."""

import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from waitress.task import ThreadedTaskDispatcher

from webui.serving.settings import ServingSettings

MOST_REMEMBERED = 10_000
"""The most clients whose use is remembered."""
LOOK_AGAIN_SECONDS = 0.25
FORGOTTEN_USE = 0.001
"""Less use than this, in thread-seconds, is forgotten."""


class Turn(Protocol):
    """A connection whose next request waits for a thread."""

    client: str
    """Who asks."""
    kind: str
    """The kind of page that is asked for; requests of some kinds have fewer threads."""

    def service(self) -> None:
        """Answer the request."""

    def refuse(self) -> None:
        """Answer with a refusal instead when it is served: too many of the client's requests wait."""

    def cancel(self) -> None:
        """Drop the request."""


class Usage:
    """What clients have used of the threads: seconds that halve every `half_life` seconds."""

    def __init__(self, half_life: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.half_life, self.clock = half_life, clock
        self._used: dict[str, tuple[float, float]] = {}

    def __len__(self) -> int:
        return len(self._used)

    def of(self, client: str) -> float:
        """What a client has used."""
        used, at = self._used.get(client, (0.0, 0.0))
        return used * 0.5 ** ((self.clock() - at) / self.half_life) if used else 0.0

    def add(self, client: str, seconds: float) -> None:
        """Note so many seconds of a thread; the memory is bounded whatever the number of clients."""
        self._used[client] = self.of(client) + seconds, self.clock()
        if len(self._used) > MOST_REMEMBERED:
            self._forget()

    def _forget(self) -> None:
        """Forget those who used next to nothing, and if these are few the half that used least."""
        use = {client: self.of(client) for client in self._used}
        kept = [client for client in use if use[client] > FORGOTTEN_USE]
        kept = sorted(kept, key=use.__getitem__, reverse=True)[: MOST_REMEMBERED // 2]
        self._used = {client: self._used[client] for client in kept}


@dataclass(slots=True)
class Running:
    """A request that has a thread, since `began`."""

    client: str
    kind: str
    began: float


class TurnDispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]
    """The threads of the server, and the requests that wait for them.

    The next thread goes to the waiting client that has used least of late. No client has more than its share of
    the threads, requests of a kind in `threads_by_kind` have no more than that many together, and the last of both are
    only for clients that have used little: whoever comes new finds a thread, whatever the others do.
    """

    def __init__(self, settings: ServingSettings, threads_by_kind: Mapping[str, int]) -> None:
        super().__init__()
        self.settings, self.threads_by_kind = settings, threads_by_kind
        self.usage = Usage(settings.use_half_life)
        self._refused: deque[Turn] = deque()
        self._waiting: dict[str, deque[Turn]] = {}
        self._running: dict[int, Running] = {}
        self._by_client: Counter[str] = Counter()
        self._by_kind: Counter[str] = Counter()

    def add_task(self, task: Turn) -> None:
        """Let a request wait for its turn; one too many of its client is refused before others are served."""
        with self.lock:
            line = self._waiting.setdefault(task.client, deque())
            if len(line) >= self.settings.waiting_per_client:
                task.refuse()
                self._refused.append(task)
            else:
                line.append(task)
            self.queue_cv.notify()

    def handler_thread(self, thread_no: int) -> None:
        """The life of a thread: take the next request, answer it, note what it took."""
        while (turn := self._wait_for_turn(thread_no)) is not None:
            try:
                turn.service()
            except BaseException:
                self.logger.exception("Exception when servicing %r", turn)
            self._end_turn(thread_no)

    def shutdown(self, **how: Any) -> bool:
        """Stop the threads, as waitress does; what waits is dropped."""
        with self.lock:
            left = [*self._refused, *(turn for line in self._waiting.values() for turn in line)]
            self._refused.clear()
            self._waiting.clear()
        for turn in left:
            turn.cancel()
        return bool(super().shutdown(**how))

    def _wait_for_turn(self, thread_no: int) -> Turn | None:
        """The next request, as soon as there is one for this thread; None when the thread must end."""
        with self.lock:
            while True:
                if self.stop_count > 0:
                    self.active_count -= 1
                    self.stop_count -= 1
                    self.threads.discard(thread_no)
                    self.thread_exit_cv.notify()
                    return None
                found = self._next_turn()
                if found is not None:
                    break
                self.active_count -= 1
                # What clients have used fades with time, so whoever waits may run although nothing happened.
                self.queue_cv.wait(LOOK_AGAIN_SECONDS if self._waiting else None)
                self.active_count += 1
            client, turn = found
            self._running[thread_no] = Running(client, turn.kind, time.monotonic())
            self._by_client[client] += 1
            self._by_kind[turn.kind] += 1
            return turn

    def _end_turn(self, thread_no: int) -> None:
        with self.lock:
            done = self._running.pop(thread_no)
            self.usage.add(done.client, time.monotonic() - done.began)
            for counts, name in ((self._by_client, done.client), (self._by_kind, done.kind)):
                counts[name] -= 1
                if not counts[name]:
                    del counts[name]
            self.queue_cv.notify()

    def _next_turn(self) -> tuple[str, Turn] | None:
        """The request that is next, taken out of its line, and its client; the lock is held."""
        if self._refused:
            turn = self._refused.popleft()
            return turn.client, turn
        use = self._use_so_far() if self._waiting else {}
        for client in sorted(self._waiting, key=use.__getitem__):
            line, is_newcomer = self._waiting[client], use[client] <= self.settings.little_use
            for turn in line:
                if self._may_run(client, turn.kind, is_newcomer=is_newcomer):
                    line.remove(turn)
                    if not line:
                        del self._waiting[client]
                    return client, turn
        return None

    def _may_run(self, client: str, kind: str, *, is_newcomer: bool) -> bool:
        """Whether a client may have one more thread for a request of this kind."""
        if self._by_client[client] >= self.settings.threads_per_client:
            return False
        reserved = 0 if is_newcomer else self.settings.threads_for_newcomers
        if len(self._running) >= self.settings.threads - reserved:
            return False
        of_kind = self.threads_by_kind.get(kind, self.settings.threads)
        return self._by_kind[kind] < of_kind - (0 if is_newcomer or of_kind < 2 else 1)

    def _use_so_far(self) -> dict[str, float]:
        """What every waiting client has used, with what its running requests have taken until now."""
        now, use = time.monotonic(), {client: self.usage.of(client) for client in self._waiting}
        for each in self._running.values():
            if each.client in use:
                use[each.client] += now - each.began
        return use
