"""What the server itself answers to requests that never reach the application."""

from html import escape
from typing import Any

from waitress.utilities import Error

from records.phrases import size_in_units

RETRY_AFTER_SECONDS = 5
PAGE_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"
TOO_LARGE_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Too large</title>
<link rel="stylesheet" href="{root}static/css/tokens.css">
<link rel="stylesheet" href="{root}static/css/elements.css">
<link rel="stylesheet" href="{root}static/css/components.css">
</head>
<body class="page">
<main id="main">
<h1>Too large</h1>
<p class="lead">{text} Compress the file, or send it in parts.</p>
<p class="muted">Error 413. <a href="{root}">Go to the home page</a></p>
</main>
</body>
</html>
"""
"""The page of an error in plain form: it needs neither templates nor the application."""


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
    """The body is larger than its address takes; no more of it is read."""

    code = 413
    reason = "Content Too Large"

    def __init__(self, body: str, path: str, *, as_page: bool) -> None:
        super().__init__(body)
        self.path = path
        self.as_page = as_page

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """The status, the headers and the body of the answer: a page where a browser sent a form without a script."""
        kind, text = "plain", f"{self.body}\n"
        if self.as_page:
            # The server does not know below which path the site is: links begin where the form was sent to.
            root = "../" * (self.path.count("/") - 1) or "./"
            kind, text = "html", TOO_LARGE_PAGE.format(root=root, text=escape(str(self.body)))
        headers = [("Content-Type", f"text/{kind}; charset=utf-8")]
        if self.as_page:
            headers.append(("Content-Security-Policy", PAGE_POLICY))
        return f"{self.code} {self.reason}", headers, text.encode()


def too_large_body(request: Any) -> BodyTooLarge:
    """The refusal of a body that is larger than its address takes."""
    return BodyTooLarge(
        f"This address takes up to {size_in_units(request.largest_body)} at a time.",
        request.path,
        as_page="text/html" in request.headers.get("ACCEPT", ""),
    )
