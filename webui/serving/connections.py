"""A connection that keeps to deadlines: its requests must arrive, and its answers be read, at some pace."""

import socket
import time
from typing import Any

from waitress.channel import HTTPChannel
from waitress.task import ErrorTask, Task, WSGITask
from waitress.utilities import Error

from webui.serving.answered_request import AnsweredRequest
from webui.serving.checked_parser import CheckedParser
from webui.serving.refusals import TooManyBodies, TooManyWaiting, too_large_body
from webui.serving.settings import ServingSettings

REFUSING_STATUSES = ("429", "503")
LINGER_SECONDS = 3.0
"""How long a connection whose request was refused early is still read, so that its client can read the answer."""
TOO_MANY_WAITING_TEXT = (
    "Too many of your requests wait for an answer. Send the next one when one is answered."
)


class WatchedTask(Task):  # type: ignore[misc]
    """Answers a request, and lets the server take note of it."""

    def service(self) -> None:
        """Answer it."""
        began = time.monotonic()
        try:
            super().service()
        finally:
            if self.complete:  # otherwise the answer is an error, which has a task of its own
                self.channel.note(self, time.monotonic() - began)


class AnswerTask(WatchedTask, WSGITask):  # type: ignore[misc]
    """Lets the application answer, and notes on its connection whether that was a refusal."""

    def finish(self) -> None:
        """End the answer."""
        super().finish()
        self.channel.was_refused = self.status[:3] in REFUSING_STATUSES


class RefusalTask(WatchedTask, ErrorTask):  # type: ignore[misc]
    """Answers what never reaches the application."""


class PunctualConnection(HTTPChannel):  # type: ignore[misc]
    """One connection: who is behind it, what its next request is, and since when it is late."""

    task_class = AnswerTask
    error_task_class = RefusalTask
    socket: Any
    """What is read and written; None when the connection has left the server's loop."""
    request: Any = None
    """What is arriving; None between two requests."""
    client = ""
    """Who sent the next request."""
    kind = ""
    """The kind of page that it asks for."""
    was_refused = False
    """Whether the last answer was that the client, or everybody, asks for too much."""
    announced = 0
    """The bytes of the body that is arriving, as the head of its request announces it."""
    sender = ""
    """Who sends that body."""
    lingers = False
    """Whether a request was refused before all of it came."""

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, **more: Any) -> None:
        self.settings: ServingSettings = server.settings
        self.peer: str = server.peer_client(addr)
        self.client = self.peer
        self.moved = 0  # bytes in either direction
        self.head_began: float | None = None
        self.window: tuple[float, int] | None = None  # when it began, and what had moved
        self.lingers_until = 0.0
        self.parser_class = lambda adj: CheckedParser(adj, self)
        super().__init__(server, sock, addr, adj, **more)

    def add_channel(self, *where: Any) -> None:
        """Enter the connection where the server looks for it."""
        super().add_channel(*where)
        self.server.connections.add(self)

    def del_channel(self, *where: Any) -> None:
        """Take it out again."""
        super().del_channel(*where)
        self.server.connections.remove(self)

    def received(self, data: bytes) -> bool:
        """Take what has arrived; a client that sends many requests without reading is cut off."""
        if self.lingers_until:
            return False
        self.moved += len(data)
        taken = bool(super().received(data))
        if self.request is None:
            self.head_began, self.announced = None, 0
        elif self.request.headers_finished:
            self.head_began = None
        elif self.head_began is None:
            self.head_began = time.monotonic()
        if len(self.requests) > self.settings.requests_ahead:
            self.handle_close()  # at once, so that nothing of it is answered
        return taken

    def begin_body(self, request: CheckedParser) -> Error | None:
        """Note the body that the head of a request announces, and the most it may have; the refusal if it is too large."""
        size = request.content_length
        if not size and not request.chunked:
            return None
        largest = self.server.adj.address_of(request.command, request.path).largest_body
        request.largest_body = largest
        self.announced = size or largest
        self.sender = self.server.client_of(self.addr, request.headers)
        if size > largest:
            return too_large_body(request)
        if not self.server.connections.has_room_for_bodies(self.sender, self.settings):
            return TooManyBodies("Too much is being uploaded at the moment. Try again later.")
        return None

    def send(self, data: bytes, **how: Any) -> int:
        """Send what the client takes of this; returns how many bytes."""
        sent = int(super().send(data, **how) or 0)
        self.moved += sent
        return sent

    def note(self, task: WatchedTask, seconds: float) -> None:
        """Let the server take note of an answer."""
        request, headers = task.request, task.request.headers
        self.server.note_answer(
            AnsweredRequest(
                client=self.server.address_of_client(self.addr, headers),
                kind=self.kind,
                method=getattr(request, "command", ""),  # what is no request has none
                path=getattr(request, "path", ""),
                version=request.version,
                status=str(task.status)[:3],
                sent=int(task.content_bytes_written),
                came_from=headers.get("REFERER", ""),
                browser=headers.get("USER_AGENT", ""),
                seconds=seconds,
            )
        )

    def refuse(self) -> None:
        """Answer the next request with a refusal."""
        self.requests[0].error = TooManyWaiting(TOO_MANY_WAITING_TEXT)

    def readable(self) -> bool:
        """Whether to look for more from the client."""
        return bool(self.lingers_until) or bool(super().readable())

    def writable(self) -> bool:
        """Whether there is something to send, or to end."""
        return not self.lingers_until and bool(super().writable())

    def handle_close(self) -> None:
        """Close the connection; if its request was refused before all of it came, read the rest for a while.

        Otherwise the system would tell the client that the connection broke, and the client might not read why.
        """
        if self.lingers and self.connected:
            self.lingers = False
            try:
                self.socket.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            else:
                self.lingers_until = time.monotonic() + LINGER_SECONDS
                self.will_close = self.close_when_flushed = False
                return
        self.lingers_until = 0.0
        self._leave_the_loop()

    def _leave_the_loop(self) -> None:
        """End the connection; its socket is closed when the loop comes round again.

        Were it closed now, a connection that is accepted in the same round could be given its number. What the loop
        has already seen on the old connection would then be taken for something that happened on the new one.
        """
        with self.outbuf_lock:
            closing, self.socket = self.socket, None
            super().handle_close()
        if self.request is not None:
            # Connection and parser know one another: their file would be there until Python looks for such cycles.
            self.request.close()
            self.request = None
        if closing is not None:
            self.server.closing.append(closing)

    def is_late(self, now: float) -> bool:
        """Whether a deadline has passed; asked again and again, since it follows the pace."""
        if self.lingers_until:
            return now > self.lingers_until
        if self.total_outbufs_len or (self.request is not None and self.head_began is None):
            return self._is_slow(now)
        self.window = None
        if self.requests:
            return False  # the work is ours
        if self.head_began is not None:
            return now - self.head_began > self.settings.header
        return time.time() - float(self.last_activity) > self.settings.idle

    def _is_slow(self, now: float) -> bool:
        """Whether too little has moved in the window that ends now."""
        if self.window is None:
            self.window = now, self.moved
        began, moved = self.window
        if now - began < self.settings.pace_window:
            return False
        self.window = now, self.moved
        return self.moved - moved < self.settings.least_pace * self.settings.pace_window

    @property
    def importance(self) -> tuple[int, float]:
        """Which connections are closed first if there are too many: idle ones, then those that are slow."""
        at_work = bool(self.requests) and not self.total_outbufs_len
        begun = self.request is not None or bool(self.total_outbufs_len)
        return (2 if at_work else 1 if begun else 0), self.last_activity
