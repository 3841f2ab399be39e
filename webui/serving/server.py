"""The server: waitress, with room for everybody."""

import errno
import time
from collections import deque
from collections.abc import Callable, Mapping
from socket import socket
from typing import Any, NamedTuple

from waitress.adjustments import Adjustments
from waitress.server import MultiSocketServer, TcpWSGIServer

from webui.http.client import client_network, forwarded_address
from webui.serving.answered_request import NoteAnswer, note_nothing
from webui.serving.connections import PunctualConnection
from webui.serving.open_connections import Connections
from webui.serving.settings import ServingSettings, allowed_connections
from webui.serving.turns import TurnDispatcher

MOST_ACCEPTED_AT_ONCE = 32
PAUSE_SECONDS = 0.2
"""How long no connection is accepted when the process has no file descriptor left."""
MEMORY_PER_BODY = 64 * 1024
MEMORY_PER_ANSWER = 256 * 1024
"""The bytes of a body and of an answer that are kept in memory; the rest waits in a file."""
AT_WORK = 2
"""The importance of connections whose request is waiting for us."""


class Address(NamedTuple):
    """What the server must know of the address that a request asks for: its kind, and its largest body in bytes."""

    kind: str
    largest_body: int


class FairServer(TcpWSGIServer):  # type: ignore[misc]
    """One listening socket. A client that has too many connections loses its idle or slow ones for the new."""

    channel_class = PunctualConnection

    def __init__(
        self,
        *arguments: Any,
        settings: ServingSettings,
        connections: Connections,
        note_answer: NoteAnswer,
        **more: Any,
    ) -> None:
        self.settings, self.connections, self.note_answer = settings, connections, note_answer
        self.closing: deque[socket] = deque()
        """The sockets of connections that have left the loop; their numbers are still taken."""
        self.paused_until = self.next_sweep = 0.0
        super().__init__(*arguments, **more)

    def peer_client(self, address: Any) -> str:
        """The client at the other end of a connection; behind a proxy that is the proxy."""
        return client_network(str(address[0]))

    def client_of(self, address: Any, headers: Mapping[str, str]) -> str:
        """The client of a request, as the application names it."""
        return client_network(self.address_of_client(address, headers))

    def address_of_client(self, address: Any, headers: Mapping[str, str]) -> str:
        """The address from which a request was sent; behind a proxy it is the proxy's word."""
        forwarded_for = headers.get("X_FORWARDED_FOR", "")
        return forwarded_address(str(address[0]), forwarded_for, self.settings.proxies)

    def add_task(self, task: PunctualConnection) -> None:
        """Let the next request of a connection wait for its turn."""
        request = task.requests[0]
        task.client = self.client_of(task.addr, request.headers)
        task.kind = "" if request.error else self.adj.address_of(request.command, request.path).kind
        super().add_task(task)

    def readable(self) -> bool:
        """Whether to accept connections; waitress asks every second at least, so deadlines are looked at here."""
        self._close_sockets()  # before the sweep: what it closes now is still among what is being asked
        now = time.monotonic()
        if now >= self.next_sweep:
            self.next_sweep = now + self.settings.sweep
            for connection in self.connections.all():
                if connection.server is self and connection.is_late(now):
                    # Marked connections would be closed when they can be written to; one that reads nothing never is.
                    connection.handle_close()
        return bool(self.accepting) and now >= self.paused_until

    def close(self) -> None:
        """Stop listening."""
        super().close()
        self._close_sockets()

    def _close_sockets(self) -> None:
        while self.closing:
            self.closing.popleft().close()

    def handle_accept(self) -> None:
        """Accept the connections that wait."""
        for _ in range(MOST_ACCEPTED_AT_ONCE):
            try:
                accepted = self.accept()
            except OSError as error:
                self._note_failure(error)
                return
            if accepted is None:
                return
            sock, address = accepted
            if not self._make_room(self.peer_client(address)):
                sock.close()
                continue
            try:
                self.set_socket_options(sock)
                self.channel_class(self, sock, self.fix_addr(address), self.adj, map=self._map)
            except OSError:  # the client has gone already
                sock.close()

    def _note_failure(self, error: OSError) -> None:
        if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
            self.logger.warning("cannot accept a connection: %s", error)
            self.paused_until = time.monotonic() + PAUSE_SECONDS
            self._drop_one_of(self.connections.all())

    def _make_room(self, client: str) -> bool:
        """Whether a client may have one more connection, after another is closed if there are too many."""
        mine = self.connections.of(client)
        if not self.settings.proxies and len(mine) >= self.settings.connections_per_client:
            return self._drop_one_of([each for each in mine if each.importance[0] < AT_WORK])
        if self.connections.total < self.adj.connection_limit:
            return True
        theirs = self.connections.of(self.connections.greediest())
        fair = len(theirs) > len(mine) + 1
        return self._drop_one_of(
            theirs if fair else [each for each in theirs if each.importance[0] < AT_WORK]
        )

    def _drop_one_of(self, connections: list[PunctualConnection]) -> bool:
        """Close the least important of these, if there is one."""
        least = min(connections, key=lambda each: each.importance, default=None)
        if least is None:
            return False
        least.lingers = False
        least.handle_close()
        return True


def create_fair_server(
    application: Callable[..., Any],
    *,
    host: str,
    port: int,
    address_of: Callable[[str, str], Address],
    threads_by_kind: Mapping[str, int],
    settings: ServingSettings | None = None,
    note_answer: NoteAnswer = note_nothing,
) -> Any:
    """A server that listens on every address of the host; `run` serves until SystemExit or Ctrl-C.

    `address_of` says what a method and a path ask for, and `note_answer` is told of every answer; they must not raise
    anything. Raises OSError if the server cannot listen, and ValueError if the host has no address.
    """
    settings = settings or ServingSettings()
    adj = _adjustments(host, port, settings)
    adj.address_of = address_of
    dispatcher = TurnDispatcher(settings, threads_by_kind)
    connections, sockets = Connections(), dict[int, Any]()
    more = {
        "dispatcher": dispatcher,
        "settings": settings,
        "connections": connections,
        "adj": adj,
        "note_answer": note_answer,
    }
    servers = [FairServer(application, sockets, sockinfo=where, **more) for where in adj.listen]
    dispatcher.set_thread_count(settings.threads)
    if len(servers) == 1:
        return servers[0]
    listening = [(each.effective_host, each.effective_port) for each in servers]
    several = MultiSocketServer(sockets, adj, listening, dispatcher, servers[0].log_info)
    several.effective_port = servers[0].effective_port
    return several


def _adjustments(host: str, port: int, settings: ServingSettings) -> Any:
    """The same settings in the words of waitress."""
    return Adjustments(
        host=host,
        port=port,
        url_prefix=settings.prefix,
        threads=settings.threads,
        ident="bezique",
        connection_limit=allowed_connections(settings.connections),
        asyncore_use_poll=True,  # select() fails at the 1024th file
        max_request_header_size=settings.largest_header,
        max_request_body_size=settings.bodies,
        inbuf_overflow=MEMORY_PER_BODY,
        outbuf_overflow=MEMORY_PER_ANSWER,
        outbuf_high_watermark=settings.answers_per_connection,
        log_socket_errors=False,
        clear_untrusted_proxy_headers=False,  # the application must see that there is a proxy
    )
