"""Reads the requests of a connection, and refuses those that are too large or say in two ways where they end."""

from typing import Any, Protocol

from waitress.parser import HTTPRequestParser, ParsingError, get_header_lines
from waitress.utilities import BadRequest, Error, RequestEntityTooLarge

from webui.serving.refusals import too_large_body

LONGEST_SIZE_LINE = 1024
"""The bytes of the line before a chunk, which says how long it is."""
LONGEST_TRAILER = 64 * 1024
FREE_FRAMING, BYTES_PER_FRAMING = 64 * 1024, 8
"""What stands around the chunks may have so many bytes, and one more for so many of the body.

Tiny chunks cost the only thread that reads from the network a second for each MiB, and nobody else is read meanwhile.
"""
CODING_FIELD = b"transfer-encoding:"


class Receiver(Protocol):
    """The connection on which a request arrives."""

    lingers: bool
    """Whether a request was refused before all of it came."""

    def begin_body(self, request: Any) -> Error | None:
        """Note the body that the head of a request announces, and the most it may have; the refusal if it is too large."""


class CheckedParser(HTTPRequestParser):  # type: ignore[misc]
    """Reads a request of a connection, which may refuse its body after the head, and while it comes."""

    largest_body = 0
    """The most bytes that the body may have."""

    def __init__(self, adj: Any, connection: Receiver) -> None:
        super().__init__(adj)
        self.connection = connection

    def received(self, data: bytes) -> int:
        """Read some bytes; returns how many of them belong to this request."""
        in_head = not self.headers_finished
        used = int(super().received(data))
        # The library has refused what is larger than any address takes, in its own words.
        if not self.error or isinstance(self.error, RequestEntityTooLarge):
            self.error: Error | None = self._refusal(in_head=in_head) or self.error
        if self.error is None:
            return used
        self.completed, self.expect_continue, self.connection.lingers = True, False, True
        return len(data)  # all that follows counts as the rest of this request

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head; raises ParsingError if it does not say in one way where the body ends (RFC 9112, 6.1 and 6.3)."""
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # an address or a length that Python does not read
            raise ParsingError("The head is not HTTP") from error
        # Only HTTP/1.1 has this field, and there the library has taken it out.
        if "TRANSFER_ENCODING" in self.headers:
            raise ParsingError("Transfer-Encoding needs HTTP/1.1")
        if not self.chunked:
            return
        if "CONTENT_LENGTH" in self.headers:
            raise ParsingError("Content-Length and Transfer-Encoding exclude each other")
        lines = get_header_lines(header_plus.partition(b"\r\n")[2])
        fields = [line.lower() for line in lines if line.lower().startswith(CODING_FIELD)]
        if b",".join(fields).count(b"chunked") > 1:
            raise ParsingError("A body is chunked once")

    def _refusal(self, *, in_head: bool) -> Error | None:
        """Why no more of this request is read, if that is so."""
        if not self.headers_finished:
            return None
        if in_head:
            return self.connection.begin_body(self)
        return self._refused_chunks() if self.chunked else None

    def _refused_chunks(self) -> Error | None:
        """Why no more chunks are read. The library sets none of these limits."""
        chunks = self.body_rcv
        size = len(chunks)
        if size > self.largest_body:
            return too_large_body(self)
        if self.completed:
            return None
        if len(chunks.control_line) > LONGEST_SIZE_LINE or len(chunks.trailer) > LONGEST_TRAILER:
            return BadRequest("The line before a chunk, or what follows the last one, is too long")
        if self.body_bytes_received - size > FREE_FRAMING + size // BYTES_PER_FRAMING:
            return BadRequest("The chunks are too small: send fewer and larger ones")
        return None
