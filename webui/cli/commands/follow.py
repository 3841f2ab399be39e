"""`bezique follow`: judge a game event by event while a program plays it, over standard input or a socket."""

import socketserver
import sys
from collections.abc import Iterator
from io import BufferedIOBase
from threading import BoundedSemaphore
from typing import Any, BinaryIO

import click

from webui.cli.main import Refusal, error_sentence
from webui.cli.own_sheets import own_sheets_option

MOST_CONNECTIONS, SILENT_SECONDS = 64, 3_600
"""So many programs are followed at a time, and none that says nothing for so long."""


@click.command()
@click.option(
    "--keep", is_flag=True, help="Take what is illegal as it happened, instead of refusing it."
)
@click.option(
    "--no-choices", is_flag=True, help="Leave the choices of the next seat out of the answers."
)
@click.option(
    "--listen", type=click.IntRange(0, 65_535), metavar="PORT",
    help="Serve programs on this machine at this port, each connection a game; 0 takes a free one.",
)  # fmt: skip
@own_sheets_option
def follow(*, keep: bool, no_choices: bool, listen: int | None) -> None:
    """Judge a game while a program plays it.

    Reads one JSON object a line and answers each with one: whether it was taken, its findings, the score, the seat that
    acts next and everything that it may do. What breaks a rule is refused, and the game goes on as it was.

    \b
    The lines, in their order:
      a record without deals        the rules and the players
      a deal without events         {"dealer": 0, "hands": [...], "turn_up": "9H"}
      its events                    {"type": "play", "seat": 1, "card": "KH"}
      {"end": "deal"}               with "claims", if the program counts
      {"end": "match"}              with the "result"; the answer is the report
    Between events, {"back": 2} takes back two of them.

    \b
      bezique follow < lines.jsonl
      bezique follow --listen 7777
    """
    if listen is not None:
        _serve(listen, keep=keep, tells_choices=not no_choices)
        return
    for answer in _answers(sys.stdin.buffer, keep=keep, tells_choices=not no_choices):
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()


def _answers(
    stream: BufferedIOBase | BinaryIO, *, keep: bool, tells_choices: bool
) -> Iterator[bytes]:
    from webui.replay.followed_game import LONGEST_LINE, FollowedGame

    game = FollowedGame(keep=keep, tells_choices=tells_choices)
    while line := stream.readline(LONGEST_LINE + 1):
        rest = line
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = stream.readline(
                LONGEST_LINE + 1
            )  # what is too long is passed over, and refused as one line
        if line.strip():
            yield game.answer(line)


def _serve(port: int, *, keep: bool, tells_choices: bool) -> None:
    class Handler(socketserver.StreamRequestHandler):
        timeout = SILENT_SECONDS

        def handle(self) -> None:
            for answer in _answers(self.rfile, keep=keep, tells_choices=tells_choices):
                self.wfile.write(answer)

    try:
        server = _Server(("127.0.0.1", port), Handler)
    except OSError as error:
        raise Refusal(f"Port {port} cannot be used: {error_sentence(error)}") from error
    with server:
        click.echo(f"Following programs at 127.0.0.1:{server.server_address[1]}.", err=True)
        server.serve_forever()


class _Server(socketserver.ThreadingTCPServer):
    """Follows each program in a thread of its own; who comes while there are too many is sent away."""

    daemon_threads = allow_reuse_address = True

    def __init__(self, *given: Any) -> None:
        self._free = BoundedSemaphore(MOST_CONNECTIONS)
        super().__init__(*given)

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Whether there is room for one more."""
        return self._free.acquire(blocking=False)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Follow a program to its end."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A program that goes away, or is silent for too long, is no error."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)
