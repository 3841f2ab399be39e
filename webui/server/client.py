"""What a request says of itself: the address of its client, which behind a proxy is the proxy's word, and its query."""

import re
from collections.abc import Callable, Iterable
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_from_bytes

from flask import Flask, Request, has_request_context, request
from werkzeug.middleware.proxy_fix import ProxyFix

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

FORWARDING_HEADERS = (
    "Forwarded",
    "Via",
    "X-Forwarded-By",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Port",
    "X-Forwarded-Prefix",
    "X-Forwarded-Proto",
    "X-Forwarded-Server",
    "X-Real-IP",
)
"""The headers by which a proxy shows itself."""

DISCONNECTED_IN_ENVIRONMENT = "waitress.client_disconnected"
"""Where the server puts the function that tells whether a client has closed its connection."""

CLIENT_IPV6_BITS = 64
"""The part of an IPv6 address that one client cannot choose: providers give each of them a whole network."""

ADDRESS_WITH_PORT = re.compile(r"\[(?P<bracketed>[^\[\]]*)\](?::\d*)?|(?P<plain>[\d.]+):\d*")
"""An address as some proxies write it: `203.0.113.7:4711` or `[2001:db8::1]:4711`."""
LONGEST_CLIENT = 64
"""The most characters of a client that is no address: a proxy may name anything."""
PRINTABLE_ASCII = bytes(range(0x21, 0x7F)).decode()


def init_app(app: Flask) -> None:
    """Believe the number of proxies in the setting `BEHIND_PROXY`, and no others, about client, scheme and host.

    Requests are read as `AsciiQueryRequest` says.
    """
    app.request_class = AsciiQueryRequest
    proxies = app.config["BEHIND_PROXY"]
    if proxies:
        named = _NamedClient(app.wsgi_app, proxies)
        fixed = ProxyFix(named, x_for=0, x_proto=proxies, x_host=proxies)
        app.wsgi_app = fixed  # type: ignore[method-assign]


class AsciiQueryRequest(Request):
    """A request whose query is ASCII: bytes that should have been percent-encoded are, so that any of them can be read.

    Werkzeug fails on a query that is not UTF-8.
    """

    def __init__(self, environ: "WSGIEnvironment", *rest: Any, **how: Any) -> None:
        super().__init__(environ, *rest, **how)
        self.query_string = quote_from_bytes(self.query_string, safe=PRINTABLE_ASCII).encode()


class _NamedClient:
    """Takes the client from `X-Forwarded-For`.

    ProxyFix would read quotation marks in the header, so that a client that sends one could hide the address that a
    proxy adds behind it.
    """

    def __init__(self, application: "WSGIApplication", proxies: int) -> None:
        self.application, self.proxies = application, proxies

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        peer, named = environ.get("REMOTE_ADDR", ""), environ.get("HTTP_X_FORWARDED_FOR", "")
        environ["REMOTE_ADDR"] = forwarded_address(peer, named, self.proxies)
        return self.application(environ, start_response)


def client_address() -> str:
    """The client of the current request, for limits: its IPv4 address, or the /64 network of its IPv6 address.

    Empty if the server does not know it. Behind a proxy it is the client that the proxy names, if the server was
    told of the proxy; otherwise it is the proxy.
    """
    return client_network(request.remote_addr or "")


def client_presence() -> Callable[[], bool]:
    """What tells, in any thread, whether the client of the current request still waits for the answer.

    Without a request, or where the server does not know, it does. A client that has closed its side of the connection for
    writing counts as gone.
    """
    is_gone = request.environ.get(DISCONNECTED_IN_ENVIRONMENT) if has_request_context() else None
    return (lambda: True) if is_gone is None else lambda: not is_gone()


def forwarded_address(peer: str, forwarded_for: str, proxies: int) -> str:
    """The address that so many proxies name in `X-Forwarded-For` for a connection from `peer`, as `init_app` reads it."""
    named = [part.strip() for part in forwarded_for.split(",")] if proxies else []
    return (named[-proxies] if len(named) >= proxies > 0 else "") or peer


def client_network(given: str) -> str:
    """The client behind an address: an IPv4 address itself, or the /64 network of an IPv6 address.

    A port that a proxy puts behind the address is left out: each connection has another. What is no address is a
    client of its own, cut to a length that does no harm in memory.
    """
    found = ADDRESS_WITH_PORT.fullmatch(given)
    plain = (found["bracketed"] or found["plain"]) if found else given
    try:
        address = ip_address(plain.partition("%")[0])
    except ValueError:
        return given[:LONGEST_CLIENT]
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        if not address.is_loopback:
            return str(ip_network((address, CLIENT_IPV6_BITS), strict=False))
    return str(address)


def is_loopback_address(address: str) -> bool:
    """Whether this is an address of the machine itself."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return (mapped or found).is_loopback


def was_forwarded() -> bool:
    """Whether the current request says that it came through a proxy."""
    return any(name in request.headers for name in FORWARDING_HEADERS)
