"""How much of the server one client may use, and how long it may take."""

import resource
from dataclasses import dataclass

DESCRIPTORS_WANTED = 8192
DESCRIPTORS_PER_CONNECTION = 4
"""A connection has its socket, and files for a long request and a long answer; the rest is for the application."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingSettings:
    """The limits of the server. Times are in seconds, rates in bytes per second.

    A client is an address, or the /64 network of an IPv6 address; behind `proxies` it is who the proxies name.
    """

    threads: int = 8
    threads_per_client: int = 4
    """How many of the threads one client may have at a time."""
    threads_for_greedy: int = 2
    """How many of the threads the clients that have used much of late may have at a time, all together."""
    little_use: float = 1.0
    """Who used more is greedy: in seconds, halved every `use_half_life`; requests that run at the same time share them."""
    use_half_life: float = 10.0

    connections: int = 1000
    connections_per_client: int = 64
    waiting_per_client: int = 64
    """How many requests of one client may wait for a thread; more are answered with 429."""
    requests_ahead: int = 8
    """How many requests may arrive on one connection before the first is answered."""

    idle: float = 60.0
    """How long a connection without a request stays open."""
    header: float = 10.0
    """How long the head of a request may take to arrive."""
    pace_window: float = 20.0
    least_pace: int = 1024
    """A body must arrive, and an answer must be read, at this pace in every window."""

    largest_header: int = 64 * 1024
    bodies_per_client: int = 1536 * 1024 * 1024
    bodies: int = 8 * 1024 * 1024 * 1024
    """The bytes of bodies that may arrive at the same time, as their heads announce them."""
    answers_per_connection: int = 8 * 1024 * 1024
    """The bytes of an answer that may wait to be read before the thread that makes it has to wait."""
    sweep: float = 1.0
    """How often the deadlines are looked at."""
    proxies: int = 0
    prefix: str = ""
    """What stands before every path of the site, as in `/bezique`; a path without it is taken as one with it."""


def allowed_connections(wanted: int) -> int:
    """Raise the process's own limit of open files if it may; returns how many connections fit into it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = DESCRIPTORS_WANTED if hard == resource.RLIM_INFINITY else min(hard, DESCRIPTORS_WANTED)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = most
    if soft == resource.RLIM_INFINITY:
        return wanted
    return max(16, min(wanted, soft // DESCRIPTORS_PER_CONNECTION))
