"""What every answer carries: a strict security policy, and compression where it pays."""

import gzip

from flask import Flask, Response, request

POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' blob: data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""Nothing from another host, no inline script, no inline style. `blob:` and `data:` images let a
chart be saved as a picture."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
SMALLEST = 8 * 1024
"""Answers below this many bytes are sent as they are."""
COMPRESSIBLE = ("text/html", "application/json", "text/csv", "text/css", "text/javascript")


def init_app(app: Flask) -> None:
    """Dress every answer of an application."""
    app.after_request(_secure)
    app.after_request(_compress)


def framed(response: Response) -> Response:
    """An answer that pages of other hosts may show in a frame; nothing else of the policy is loosened."""
    response.headers["Content-Security-Policy"] = POLICY.replace(
        "frame-ancestors 'none'", "frame-ancestors *"
    )
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def _secure(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def _compress(response: Response) -> Response:
    """Compress a long text. Pages with a form's token keep their length: it must not be guessable."""
    if not _is_worth_compressing(response):
        return response
    data = response.get_data()
    if b"csrf_token" in data:
        return response
    response.set_data(gzip.compress(data, 4, mtime=0))
    response.headers["Content-Encoding"] = "gzip"
    response.vary.add("Accept-Encoding")
    return response


def _is_worth_compressing(response: Response) -> bool:
    return (
        response.status_code == 200
        and not response.is_streamed
        and not response.direct_passthrough
        and "Content-Encoding" not in response.headers
        and response.mimetype in COMPRESSIBLE
        and (response.content_length or 0) >= SMALLEST
        and bool(request.accept_encodings["gzip"])
    )
