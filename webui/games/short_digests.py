"""Short addresses of stored games: the first twelve characters of a digest stand for all of it."""

from flask import Flask, current_app, request

from analyzer.db.store import Store

SHORT_DIGEST_CHARACTERS = 12
"""How many characters of a digest short addresses have; an address may have more, and as few as this."""
DIGEST_CHARACTERS = 64


def init_app(app: Flask) -> None:
    """Complete the short digests in addresses, once it is settled that the request is answered at all."""
    app.before_request(_complete_digest)


def shorten_digest(digest: str) -> str:
    """The characters of a digest that an address needs."""
    return digest[:SHORT_DIGEST_CHARACTERS]


def _complete_digest() -> None:
    """Put the whole digest in the place of its beginning; one that fits no game, or several, stays as it is."""
    values = request.view_args or {}
    start = values.get("digest", "")
    if SHORT_DIGEST_CHARACTERS <= len(start) < DIGEST_CHARACTERS:
        store: Store = current_app.extensions["store"]
        found = store.digests_beginning(start)
        values["digest"] = found[0] if len(found) == 1 else start
