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
REFUSAL_SECONDS = 0.1
"""What a refusal counts, in seconds of use. It costs less, but whoever asks again at once would get it again at once."""
FORGOTTEN_USE = 0.001
"""Less use than this, in seconds, is forgotten."""


class Turn(Protocol):
    """A connection whose next request waits for a thread."""

    client: str
    """Who asks."""
    kind: str
    """The kind of page that is asked for; requests of some kinds have fewer threads."""
    was_refused: bool
    """Whether the answer was that the client, or everybody, asks for too much."""

    def service(self) -> None:
        """Answer the request."""

    def refuse(self) -> None:
        """Answer with a refusal instead when it is served: too many of the client's requests wait."""

    def cancel(self) -> None:
        """Drop the request."""


class SharedClock:
    """Counts the seconds that each running request has had of the server: with four at work, a quarter of those that pass.

    Threads share one interpreter, so the time on the wall would charge whoever asks while others keep the server busy.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._looked_at, self._shared = clock(), 0.0

    def read(self, running: int) -> float:
        """The seconds until now, while so many requests ran since it was last read; read it before that changes."""
        now = self.clock()
        self._shared += (now - self._looked_at) / max(1, running)
        self._looked_at = now
        return self._shared


class Usage:
    """What clients have used of the server: seconds that halve every `half_life` seconds."""

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
        """Note so many seconds; the memory is bounded whatever the number of clients."""
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
    """A request that has a thread, since the shared clock showed `began`."""

    client: str
    kind: str
    began: float


class TurnDispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]
    """The threads of the server, and the requests that wait for them.

    The next thread goes to the waiting client that has used least of late. No client has more than its share of the
    threads, and requests of a kind in `threads_by_kind` have no more than that many together. Clients that have used
    much have few threads among them all, and never the last of a kind: whoever comes new finds a thread, and shares the
    interpreter with few others.
    """

    def __init__(self, settings: ServingSettings, threads_by_kind: Mapping[str, int]) -> None:
        super().__init__()
        self.settings, self.threads_by_kind = settings, threads_by_kind
        self.usage = Usage(settings.use_half_life)
        self._shared_clock = SharedClock()
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
            self._end_turn(thread_no, REFUSAL_SECONDS if turn.was_refused else 0.0)

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
            began = self._shared_clock.read(len(self._running))
            self._running[thread_no] = Running(client, turn.kind, began)
            self._by_client[client] += 1
            self._by_kind[turn.kind] += 1
            return turn

    def _end_turn(self, thread_no: int, more_seconds: float) -> None:
        with self.lock:
            now = self._shared_clock.read(len(self._running))
            done = self._running.pop(thread_no)
            self.usage.add(done.client, now - done.began + more_seconds)
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
        if not self._waiting:
            return None
        use = self._use_so_far()
        little = self.settings.little_use
        greedy_threads = sum(use[each.client] > little for each in self._running.values())
        has_thread_for_greedy = greedy_threads < self.settings.threads_for_greedy
        for client in sorted(self._waiting, key=use.__getitem__):
            is_greedy = use[client] > little
            if is_greedy and not has_thread_for_greedy:
                return None
            line = self._waiting[client]
            for turn in line:
                if self._may_run(client, turn.kind, is_greedy=is_greedy):
                    line.remove(turn)
                    if not line:
                        del self._waiting[client]
                    return client, turn
        return None

    def _may_run(self, client: str, kind: str, *, is_greedy: bool) -> bool:
        """Whether a client may have one more thread for a request of this kind."""
        if self._by_client[client] >= self.settings.threads_per_client:
            return False
        of_kind = self.threads_by_kind.get(kind, self.settings.threads)
        return self._by_kind[kind] < of_kind - (1 if is_greedy and of_kind > 1 else 0)

    def _use_so_far(self) -> dict[str, float]:
        """What the clients that wait or run have used, with what their running requests have taken until now."""
        now = self._shared_clock.read(len(self._running))
        clients = {*self._waiting, *(each.client for each in self._running.values())}
        use = {client: self.usage.of(client) for client in clients}
        for each in self._running.values():
            use[each.client] += now - each.began
        return use
