"""What a check returns: a finding without its place, which the replay adds."""

from collections.abc import Iterable
from typing import Any

import msgspec

from records.engine.copies.labels import is_beyond_pack
from records.engine.table import Table
from records.phrases import name_card
from records.validate.codes.all_codes import FINDING_CODES


class Breach(msgspec.Struct, frozen=True, kw_only=True):
    """One broken rule or wrong claim.

    `clause` says which of the code's ways it is. `since` is the earliest event that may be the cause; `pointer` leads from the event, or the deal, to the
    wrong value.
    """

    code: str
    message: str
    clause: str | None = None
    seat: int | None = None
    expected: str | None = None
    found: str | None = None
    legal: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    since: int | None = None
    pointer: str = ""


Breaches = tuple[Breach, ...]


def make_breach(
    code: str,
    *,
    clause: str = "",
    seat: int | None = None,
    expected: str | None = None,
    found: str | None = None,
    legal: tuple[str, ...] = (),
    candidates: tuple[str, ...] = (),
    since: int | None = None,
    pointer: str = "",
    **facts: object,
) -> Breach:
    """A breach with the code's message; the facts, `expected` and `found` fill its places."""
    return Breach(
        code=code,
        message=FINDING_CODES[code].sentence(clause, expected=expected, found=found, **facts),
        clause=clause or None,
        seat=seat,
        expected=expected,
        found=found,
        legal=legal,
        candidates=candidates,
        since=since,
        pointer=pointer,
    )


def breach_by(table: Table, seat: int, code: str, **details: Any) -> Breach:
    """A breach of one seat, whose name is the `player` of the message."""
    return make_breach(code, seat=seat, player=seat_name(table, seat), **details)


def not_in_pack(table: Table, seat: int, cards: Iterable[str], clause: str) -> list[Breach]:
    """A breach for each of these cards that the pack does not have, by what the seat does with it."""
    return [
        breach_by(table, seat, "card-not-in-pack", clause=clause, card=name_card(card), found=card)
        for card in dict.fromkeys(cards)
        if is_beyond_pack(table.rules, card)
    ]


def seat_name(table: Table, seat: int | None) -> str:
    """What sentences call the player of a seat."""
    if seat is not None and 0 <= seat < len(table.names):
        return table.names[seat]
    return f"seat {seat}"
