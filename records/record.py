"""What a game record is: the structs of format version 1, in the canonical order of their members."""

from typing import Any, Literal

import msgspec

from records.events import AnyEvent, Card, MeldName

FORMAT = "bezique-record"
VERSION = "1.0"

MAX_RECORD_BYTES = 8 * 1024 * 1024
MAX_DEALS = 1_000
MAX_EVENTS = 5_000
MAX_PLAYERS = 6
MAX_NAME = 200
MAX_DEPTH = 32
MAX_EXPANDED_BYTES = 2 * 1024 * 1024 * 1024

OptionValue = bool | int | str
Knowledge = Literal["full", "seat", "public", "plays", "scores"]


class Struct(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A member of a record."""


class Rules(Struct):
    """Which rule sheet, which edition of it, and which of its options differ from the default."""

    id: str
    edition: int | None = None
    options: dict[str, OptionValue] = {}


class Player(Struct):
    """Who sat there."""

    name: str
    id: str | None = None
    kind: Literal["person", "program"] | None = None


class Laid(Struct):
    """Cards that lie melded in a `setup`, and whether they were scored there."""

    meld: MeldName
    cards: list[Card]
    scored: bool = True


class Setup(Struct):
    """A position in mid-deal: where a problem or a published fragment starts.

    `hands` are the cards in hand, `tables` what lies melded before each seat and is still held;
    `stock` counts the face-down cards; `seat` is to act and `won` is whether that seat has just won
    a trick and may still meld; `trick` holds the cards already played to the trick.
    """

    hands: list[list[Card]]
    seat: int
    tables: list[list[Laid]] | None = None
    stock: int = 0
    trump: Literal["S", "H", "D", "C"] | None = None
    turn_up: Card | None = None
    scores: list[int] | None = None
    brisques: list[int] | None = None
    won: bool = False
    trick: list[Card] | None = None
    spent_dixes: list[Card] | None = None


class Claims(Struct):
    """What the record says a deal came to: this deal's points, one number a side."""

    scores: list[int] | None = None


class Deal(Struct):
    """One deal: who dealt, what was dealt, what happened."""

    dealer: int
    knowledge: Knowledge | None = None
    seat: int | None = None
    hands: list[list[Card]] | None = None
    turn_up: Card | None = None
    stock: list[Card] | None = None
    setup: Setup | None = None
    events: list[AnyEvent] = []
    claims: Claims | None = None
    ext: dict[str, Any] | None = None


class Result(Struct):
    """What the record says the game came to."""

    status: Literal["complete", "unfinished", "abandoned"] | None = None
    scores: list[int] | None = None
    settlement: list[int] | None = None
    winner: int | None | msgspec.UnsetType = msgspec.UNSET


class Note(Struct):
    """A comment at a deal (`[deal]`) or an event (`[deal, event]`)."""

    at: list[int]
    text: str
    by: str | None = None


class Line(Struct):
    """What might have been played instead, from the event at `at` on."""

    at: list[int]
    events: list[AnyEvent]
    text: str | None = None
    by: str | None = None


class Provenance(Struct):
    """Which program made the record, and how."""

    made: str | None = None
    program: str | None = None
    version: str | None = None


class Record(Struct):
    """One game: players, rules, and the deals until it was decided."""

    format: Literal["bezique-record"]
    version: str
    rules: Rules
    players: list[Player]
    sides: list[list[int]] | None = None
    meta: dict[str, Any] | None = None
    deals: list[Deal] = []
    result: Result | None = None
    notes: list[Note] | None = None
    lines: list[Line] | None = None
    provenance: Provenance | None = None
    ext: dict[str, Any] | None = None
