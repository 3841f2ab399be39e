"""Record to bytes, in the canonical form, and the digest that names a game."""

import hashlib
from typing import Any

import msgspec
from msgspec.structs import replace

from records.codec.semantics import has_extension, sides_of
from records.record import Deal, Record, Rules

ENCODER = msgspec.json.Encoder(order="deterministic")
DEALS_MEMBER = b'"deals":'


def encode(record: Record) -> bytes:
    """The canonical form: members in the order of the structs, defaults left out, no blanks.

    The members of `options`, `meta` and `ext` are sorted. Read and written again it stays the same, byte
    for byte.
    """
    return ENCODER.encode(record)


class _PlayedGame(msgspec.Struct):
    """What identifies a game; the deals follow as its last member.

    Names and `meta` are left out unless the record tells nothing but scores.
    """

    format: str
    version: str
    rules: Rules
    players: int
    sides: list[list[int]]
    names: list[str] | msgspec.UnsetType = msgspec.UNSET
    meta: dict[str, Any] | msgspec.UnsetType | None = msgspec.UNSET


def digest(record: Record) -> str:
    """The SHA-256, in hex, of what was played, without comments, times and extensions.

    Names and `meta` count only where every deal is known by its scores alone: such scores come again and again, and
    matches of other players on other days would be one game.
    """
    return digest_from(record, ENCODER.encode(record.deals))


def digest_from(record: Record, deals: bytes) -> str:
    """The digest of a record whose deals have been encoded already."""
    if b'"ms":' in deals or has_extension(deals):
        deals = ENCODER.encode([_bare(deal) for deal in record.deals])
    play = _PlayedGame(
        record.format, record.version, record.rules, len(record.players), sides_of(record)
    )
    if record.deals and all(deal.knowledge == "scores" for deal in record.deals):
        play.names, play.meta = [player.name for player in record.players], record.meta
    head = ENCODER.encode(play)[:-1]
    return hashlib.sha256(head + b"," + DEALS_MEMBER + deals + b"}").hexdigest()


def _bare(deal: Deal) -> Deal:
    """A deal without times and extensions."""
    events = [
        event if event.ms is None and event.ext is None else replace(event, ms=None, ext=None)
        for event in deal.events
    ]
    return replace(deal, ext=None, events=events)
