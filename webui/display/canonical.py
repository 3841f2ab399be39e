"""The address that stands for a page, whatever its query chooses of it."""

from flask import request, url_for

ENDPOINTS_OF_QUERIES = frozenset(
    (
        "drills.player",
        "events.standings",
        "explore.explore",
        "permalinks.replay",
        "permalinks.what_if",
        "players.compare",
        "players.player",
        "sql.sql",
        "verdicts.show",
    )
)
"""Pages that are about what their query names: the same address without it is another page."""


def canonical_address(*, whole: bool = False) -> str:
    """The address of the current page without its query, `whole` with the host; empty where none may stand for it.

    A page that answers a form, an error and a page behind a private link have none.
    """
    endpoint, values = request.endpoint, request.view_args or {}
    if endpoint is None or request.method != "GET" or "sent" in values:
        return ""
    if endpoint in ENDPOINTS_OF_QUERIES and request.query_string:
        return ""
    return url_for(endpoint, **values, _external=whole)
