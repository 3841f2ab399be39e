"""Games put into a collection without a file and without a server."""

from flask import Flask

from analyzer.ingest.loader import ingest_bytes
from analyzer.store.store import Store
from records.format import codec
from records.record import Record


def store_game(where: Flask | Store, record: Record) -> str:
    """Store a game in a database or in that of an application; its digest."""
    store = where.extensions["store"] if isinstance(where, Flask) else where
    (outcome,) = ingest_bytes(store, "game.json", codec.encode(record))
    assert outcome.digest is not None
    return outcome.digest
