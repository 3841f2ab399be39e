"""Rates, turns and ends for every kind of request, and where requests are counted."""

import threading
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from threading import RLock
from typing import Any

from flask import Flask, Response, current_app, g, request
from flask_limiter import Limiter
from limits import parse_many
from limits.storage import MemoryStorage
from werkzeug.exceptions import HTTPException, TooManyRequests

from webui.server.client import client_address, client_presence
from webui.server.page import cost_of, declared_address
from webui.server.request_kinds import (
    DEFAULT_RATES,
    MOST_WAITING,
    REQUEST_KINDS,
    TURNS,
    RequestKind,
)

# Where requests are counted: in memory, for a bounded number of clients.

MOST_COUNTERS = 20_000
"""The most counters that are kept; beyond it the oldest begins again."""


class BoundedMemoryStorage(MemoryStorage):
    """Counters in memory. A flood of addresses makes the oldest counters go, and the memory stays what it is.

    The library starts a thread after a request to drop what has expired, and two requests may start the same one, which
    raises RuntimeError. Here a counter that has expired begins again when it is asked for, or goes with the oldest.
    """

    STORAGE_SCHEME = ["bounded-memory"]  # noqa: RUF012 (the library reads it as a list)

    def __init__(self, uri: str | None = None, **options: Any) -> None:
        self._lock = RLock()
        super().__init__(uri, **options)

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count a request; returns how many there were in its time."""
        with self._lock:
            self.get(key)  # forgets it if it has expired
            if key not in self.expirations:
                # They stand in the order in which their time began.
                while len(self.expirations) >= MOST_COUNTERS:
                    self.clear(next(iter(self.expirations)))
                self.expirations[key] = time.time() + expiry
            self.storage[key] += amount
            return self.storage[key]

    def get(self, key: str) -> int:
        """How many requests there were in the time of a counter; one that has expired is forgotten."""
        with self._lock:
            return super().get(key)


# The limits of every kind of request.

DEFAULT_SETTINGS = {
    **DEFAULT_RATES,
    "RATELIMIT_PRIVATE": "20 per hour",
    "RATELIMIT_STORAGE_URI": f"{BoundedMemoryStorage.STORAGE_SCHEME[0]}://",
    "RATELIMIT_HEADERS_ENABLED": True,
}
"""The settings of this module, and their defaults."""
KIND_IN_ENVIRONMENT = "bezique.kind"
"""Where the environment of a request holds its kind, for whoever counts answers."""
LONGEST_WAIT_SECONDS = 60.0
RETRY_AFTER_SECONDS = 5
OWN_LIMIT_TEXT = (
    "You may do {limit} of these at a time on this server. Wait until one has ended, and try again."
)
BUSY_TEXT = "The server does as many of these as it can at a time. Try again in a few seconds."


class Busy(HTTPException):
    """A request that is refused since too many of its kind are at work; `code` says whose they are."""

    title = "Busy"

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code

    def get_headers(self, *arguments: Any, **more: Any) -> list[tuple[str, str]]:
        """The headers of the answer: when to try again."""
        return [*super().get_headers(*arguments, **more), ("Retry-After", str(RETRY_AFTER_SECONDS))]


class TooManyPrivateUploads(TooManyRequests):
    """A client has sent as many private uploads as the server takes of one client for now."""

    title = "Too many private uploads"
    description = (
        "Your address sent as many private uploads as this server keeps of one address for now. Nothing was stored. Try "
        "again in an hour, or upload without “Keep it private”."
    )


class Turns:
    """So many requests run at a time; at most `MOST_WAITING` others wait, and the first that came is the next.

    A semaphore would let a request that comes just then pass those that wait.
    """

    def __init__(self, number: int) -> None:
        self._free = number
        self._waiting: deque[threading.Lock] = deque()
        self._lock = threading.Lock()

    def take(self, seconds: float) -> None:
        """Wait for a turn; raises Busy after so many seconds, and at once where as many wait as may."""
        with self._lock:
            if self._free:
                self._free -= 1
                return
            if len(self._waiting) >= MOST_WAITING:
                raise Busy(503, BUSY_TEXT)
            gate = threading.Lock()
            gate.acquire()
            self._waiting.append(gate)
        if not gate.acquire(timeout=seconds):
            with self._lock:
                # Otherwise the turn was handed over just as the time ran out, and is taken.
                if gate in self._waiting:
                    self._waiting.remove(gate)
                    raise Busy(503, BUSY_TEXT)

    def give_back(self) -> None:
        """End a turn, and begin that of the next."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1


class Places:
    """The places of one kind of request: so many at a time, and so many for one client."""

    def __init__(self, kind: RequestKind) -> None:
        self.kind = kind
        self._taken: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def taken(self) -> int:
        """How many places are taken."""
        return self._taken.total()

    def take(self, client: str) -> "TakenPlace":
        """A place for a client; raises Busy if there is none."""
        with self._lock:
            if self._taken[client] >= self.kind.at_once_per_client:
                limit = {1: "one", 2: "two"}.get(self.kind.at_once_per_client, "few")
                raise Busy(429, OWN_LIMIT_TEXT.format(limit=limit))
            if self._taken.total() >= (self.kind.at_once or 0):
                raise Busy(503, BUSY_TEXT)
            self._taken[client] += 1
        return TakenPlace(self, client)

    def give_back(self, client: str) -> None:
        """Make a place of a client free."""
        with self._lock:
            self._taken[client] -= 1
            if not self._taken[client]:
                del self._taken[client]


class TakenPlace:
    """A place that a request has taken."""

    def __init__(self, places: Places, client: str) -> None:
        self.places, self.client = places, client
        self._lock = threading.Lock()
        self._taken = True

    def give_back(self) -> None:
        """Give it back, unless that has been done."""
        with self._lock:
            taken, self._taken = self._taken, False
        if taken:
            self.places.give_back(self.client)

    def during(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """The pieces of an answer; the place is given back after the last."""
        try:
            yield from pieces
        finally:
            self.give_back()


def init_app(app: Flask) -> None:
    """Guard an application; all its views must be registered."""
    app.after_request(_note_kind)
    app.before_request(_admit_large_uploads)
    limiter = Limiter(client_address, app=app)
    app.extensions["limiter_of_kinds"] = limiter  # the views hold it weakly
    limits = {kind.name: _rate_limit(app, limiter, kind) for kind in REQUEST_KINDS}
    for endpoint in app.view_functions:
        limit = limits[cost_of(endpoint, app).name]
        app.view_functions[endpoint] = limit(app.view_functions[endpoint])
    app.extensions["places"] = {
        kind.name: Places(kind) for kind in REQUEST_KINDS if kind.at_once is not None
    }
    app.extensions["turns"] = {queue: Turns(number) for queue, number in TURNS.items()}
    app.before_request(_take_place)
    app.before_request(_wait_for_turn)
    app.after_request(_hold_while_sending)
    app.teardown_request(_give_place_back)
    app.teardown_request(end_turn)


def count_private_upload() -> None:
    """Count a private upload of the client of this request; raises TooManyPrivateUploads."""
    limiter: Limiter = current_app.extensions["limiter_of_kinds"]
    rates = parse_many(current_app.config["RATELIMIT_PRIVATE"]) if limiter.enabled else []
    if not all(limiter.limiter.hit(rate, "private", client_address()) for rate in rates):
        raise TooManyPrivateUploads


def _rate_limit(app: Flask, limiter: Limiter, kind: RequestKind) -> Any:
    return limiter.shared_limit(lambda: str(app.config[kind.setting]), scope=kind.counted_as)


def _note_kind(response: Response) -> Response:
    """Tell the server the kind of a request, whoever answered it."""
    request.environ[KIND_IN_ENVIRONMENT] = cost_of(request.endpoint).name
    return response


def _take_place() -> None:
    places = current_app.extensions["places"].get(cost_of(request.endpoint).name)
    if places is not None:
        g.place = places.take(client_address())


def _wait_for_turn() -> None:
    """Wait until this request may run; raises Busy if that takes too long, or too many wait."""
    queue = cost_of(request.endpoint).queue
    if queue:
        turns: Turns = current_app.extensions["turns"][queue]
        turns.take(LONGEST_WAIT_SECONDS)
        g.turns = turns
        if not client_presence()():  # who has gone meanwhile needs no answer
            raise Busy(503, BUSY_TEXT)


def end_turn(error: BaseException | None = None) -> None:
    """Let the next request of the queue run: this one has ended, or is an upload that only waits to be stored."""
    if "turns" in g:
        g.pop("turns").give_back()


def _hold_while_sending(response: Response) -> Response:
    """Keep the place of an answer that is made while it is sent."""
    if "place" in g and response.is_streamed and request.method != "HEAD":
        place: TakenPlace = g.pop("place")
        response.response = place.during(response.iter_encoded())
        response.call_on_close(place.give_back)  # also if nothing of it is ever sent
    return response


def _give_place_back(error: BaseException | None) -> None:
    """Give back the place of a request whose answer is complete, or failed."""
    if "place" in g:
        g.pop("place").give_back()


def _admit_large_uploads() -> None:
    """Let uploads be larger than other bodies; must run before anything reads the body."""
    declared = declared_address(request.endpoint)
    if declared and declared.takes_files:
        request.max_content_length = current_app.config["MAX_UPLOAD_LENGTH"]
