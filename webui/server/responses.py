"""Responses: JSON, downloads, headers and compression."""

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import msgspec
import zstandard
from flask import Flask, Response, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

# Compressed answers: gzip or zstd, whichever the client takes.

ANSWER_ENCODINGS = ("zstd", "gzip")
"""The encodings of answers; of two that a client likes as much, the first."""
GZIP_LEVEL, ZSTD_LEVEL = 4, 3


def accepted_encoding() -> str:
    """The encoding in which to answer the current request; empty for none."""
    return request.accept_encodings.best_match(ANSWER_ENCODINGS) or ""


def compress_answer(data: bytes, encoding: str) -> bytes:
    """The bytes of an answer in one of `ANSWER_ENCODINGS`."""
    if encoding == "zstd":
        return zstandard.compress(data, ZSTD_LEVEL)
    return gzip.compress(data, GZIP_LEVEL, mtime=0)


def compress_pieces(pieces: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """The same for an answer that is made while it is sent: whoever has a piece can read it, before the next is made."""
    compressor: Any
    if encoding == "zstd":
        compressor = zstandard.ZstdCompressor(ZSTD_LEVEL).compressobj()
        flush = zstandard.COMPRESSOBJ_FLUSH_BLOCK
    else:
        compressor = zlib.compressobj(GZIP_LEVEL, wbits=16 + zlib.MAX_WBITS)
        flush = zlib.Z_SYNC_FLUSH
    for piece in pieces:
        yield compressor.compress(piece) + compressor.flush(flush)
    yield compressor.flush()


# Headers of every response: a strict Content Security Policy, compression of long texts, answers to conditions.

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' blob: data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""Nothing from another host, no inline script, no inline style. Charts are saved as pictures through `blob:` and
`data:` images."""

SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
CACHE_FOR_A_YEAR = "public, max-age=31536000, immutable"
"""Of files whose name changes with what is in them."""
TYPEFACE_TYPE = "font/woff2"
SMALLEST_COMPRESSED_BYTES = 8 * 1024
"""Shorter responses are sent uncompressed."""
ONE_RANGE = re.compile(r"bytes=(?:[0-9]{1,15}-[0-9]{0,15}|-[0-9]{1,15})")
"""The one form of `Range` that is answered with a part. Others get the whole, as HTTP allows: many ranges would only
make an answer longer."""
COMPRESSIBLE_TYPES = ("text/html", "application/json", "text/csv", "text/css", "text/javascript")


def init_headers(app: Flask) -> None:
    """Add the headers to every response of an application."""
    app.before_request(_ignore_other_ranges)
    app.after_request(_answer_condition)  # they run in the reverse order
    app.after_request(_add_security_headers)
    app.after_request(_compress)


def allow_framing(response: Response) -> Response:
    """Let pages of other hosts show this response in a frame; the rest of the policy stays."""
    response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY.replace(
        "frame-ancestors 'none'", "frame-ancestors *"
    )
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def keep_private(response: Response) -> Response:
    """Leave no copy of a private page in caches and search engines."""
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _ignore_other_ranges() -> None:
    if not ONE_RANGE.fullmatch(request.headers.get("Range", "")):
        request.environ.pop("HTTP_RANGE", None)


def _answer_condition(response: Response) -> Response:
    """Answer 304 if the client has this version already."""
    if response.status_code == 200 and response.headers.get("ETag") and not response.is_streamed:
        response.make_conditional(request)
    return response


def _add_security_headers(response: Response) -> Response:
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    if response.mimetype == TYPEFACE_TYPE and response.status_code == 200:
        response.headers["Cache-Control"] = CACHE_FOR_A_YEAR
    return response


def _compress(response: Response) -> Response:
    """Compress a long text. Pages with a form's token are left as they are: their length must not help to guess it."""
    if not _is_worth_compressing(response):
        return response
    response.vary.add("Accept-Encoding")
    encoding = accepted_encoding()
    if not encoding:
        return response
    data = response.get_data()
    if b"csrf_token" in data:
        return response
    response.set_data(compress_answer(data, encoding))
    response.headers["Content-Encoding"] = encoding
    version, _ = response.get_etag()
    if version is not None:
        response.set_etag(version, weak=True)  # other bytes, and the same data
    return response


def _is_worth_compressing(response: Response) -> bool:
    return (
        response.status_code == 200
        and not response.is_streamed
        and not response.direct_passthrough
        and "Content-Encoding" not in response.headers
        and response.mimetype in COMPRESSIBLE_TYPES
        and (response.content_length or 0) >= SMALLEST_COMPRESSED_BYTES
    )


# Responses that are not pages: JSON and downloads.


def is_scripted() -> bool:
    """Whether a script of ours asked, which wants a part of the page, or JSON where there is an error."""
    return request.headers.get("X-Requested-With") == "fetch"


def lead_to(endpoint: str, **values: Any) -> ResponseReturnValue:
    """Lead on from what was sent to a page, so that whoever loads it again sends nothing again."""
    return redirect(url_for(endpoint, **values), 303)


def text_response(text: str) -> Response:
    """A text as it is."""
    return current_app.response_class(text, mimetype="text/plain")


def json_response(value: object) -> Response:
    """A value as JSON."""
    return current_app.response_class(msgspec.json.encode(value), mimetype="application/json")


NOTE_HEADER = "X-Note"
"""The header with what a CSV file has no place for: a sentence about its rows."""
_PLAIN_QUOTES = str.maketrans("“”", '""')


def attachment(
    data: Any, name: str, mimetype: str = "application/json", *, note: str = ""
) -> Response:
    """Text, bytes or an iterator of either as a download with this file name; a note about it goes into a header."""
    response = current_app.response_class(data, mimetype=mimetype)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    if note:
        response.headers[NOTE_HEADER] = note.translate(_PLAIN_QUOTES)
    return response


CSV_MARK = "\ufeff"
"""What tells a spreadsheet that a file is UTF-8: without it, many read ♠ and é as other letters."""


def csv_attachment(pieces: Iterable[str], name: str, *, note: str = "") -> Response:
    """Rows as CSV, piece by piece, as a download that spreadsheets open rightly; a note goes into a header."""
    return attachment(chain([CSV_MARK], pieces), name, "text/csv", note=note)


_OWN_LINK = re.compile(r'(?:(?<=\shref=")|(?<=\ssrc=")|(?<=\ssrcset="))(?=/)')


def site_path(path: str) -> str:
    """The address of a path of this site, for the current request."""
    return f"{request.script_root}{path}"


def with_query(address: str) -> str:
    """An address with the query of the current request as it came: to `url_for`, names in it may mean something else."""
    query = request.query_string.decode("ascii")
    return f"{address}?{query}" if query else address


def site_links(html: Markup) -> Markup:
    """HTML whose links to this site, and pictures from it, lead there."""
    return Markup(_OWN_LINK.sub(request.script_root, html)) if request.script_root else html
