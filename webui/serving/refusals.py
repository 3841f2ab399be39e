"""What the server itself answers to requests that never reach the application."""

from waitress.utilities import Error

RETRY_AFTER_SECONDS = 5


class _Refusal(Error):  # type: ignore[misc]
    """A refusal in plain words; the same request may succeed later."""

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """The status, the headers and the body of the answer."""
        headers = [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Retry-After", str(RETRY_AFTER_SECONDS)),
        ]
        return f"{self.code} {self.reason}", headers, f"{self.body}\n".encode()


class TooManyWaiting(_Refusal):
    """Too many requests of one client wait for an answer."""

    code = 429
    reason = "Too Many Requests"


class TooManyBodies(_Refusal):
    """Too much arrives at the same time."""

    code = 503
    reason = "Service Unavailable"


class BodyTooLarge(Error):  # type: ignore[misc]
    """The body is larger than its address takes; it is refused before it is sent."""

    code = 413
    reason = "Content Too Large"

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """The status, the headers and the body of the answer."""
        headers = [("Content-Type", "text/plain; charset=utf-8")]
        return f"{self.code} {self.reason}", headers, f"{self.body}\n".encode()
