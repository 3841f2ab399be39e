"""What may be done next at a table, and what a record writes of itself after it."""

import zlib
from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias, cast, get_args, get_origin

import msgspec

from bezique.arguments import shown
from bezique.record_types import AnyEvent
from records import events as engine_events
from records.cards import FACE_OF
from records.engine.dix import dix_points
from records.engine.table import Table
from records.engine.zetema import combination_points
from records.errors import BeziqueError
from records.events import CarteBlanche, Cut, Discard, Dix, Draw, Meld, Play, Score, Trick
from records.phrases import join_words
from records.record import Record
from webui.replay.next_events import legal_choices, seat_to_draw

OPENING_BONUSES = ("cut", "guess", "turned_seven")
CLOSING_BONUSES = ("last_trick", "all_last_tricks", "brisques")


class EndDeal(msgspec.Struct, frozen=True, tag="end_deal"):
    """The deal is settled, and the next one is dealt if the match goes on; a record writes no event for it."""


Move: TypeAlias = AnyEvent | EndDeal
"""An event that may come next, or the end of the deal."""


class IllegalMove(BeziqueError):
    """The rules forbid a move, and nothing has changed; `code` is the finding it would be, `legal` what may be played instead."""

    def __init__(self, message: str, *, code: str = "", legal: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.legal = legal


def legal_moves(table: Table, *, is_fresh: bool) -> list[Move]:
    """Everything that may come next, melds before cards; of a cut, which comes first, only the one that is aimed at."""
    moves: list[Any] = [*legal_choices(table, is_fresh=is_fresh)]
    return [*moves, EndDeal()] if table.is_over else moves


def _with_points(table: Table, event: engine_events.AnyEvent) -> engine_events.AnyEvent:
    """An event with the points that it scores, if it says none."""
    match event:
        case Meld(points=None):
            rules = table.rules
            row = rules.meld_rule(table.trump, event.meld, tuple(event.cards))
            points = None if row is None else combination_points(table, row, event.cards)
        case Dix(points=None):
            points = dix_points(table, event)
        case CarteBlanche(points=None):
            rule = table.rules.written.carte_blanche
            points = None if rule is None else rule.points
        case _:
            return event
    return msgspec.structs.replace(event, points=points)


def claims_due(table: Table, event: engine_events.AnyEvent | None) -> list[Any]:
    """What follows from an event without a choice; None is the deal."""
    if type(event) is Play:
        return _sevens_scored(table, event)
    found: list[Any] = []
    if event is None or isinstance(event, Cut):
        found += bonuses_due(table, OPENING_BONUSES)
    if table.rules.has_tableau:
        found += bonuses_due(table, ("zetema",))
    return found


def _sevens_scored(table: Table, event: Play) -> list[Any]:
    """The dix of a seven that was just played, where it scores."""
    awards = table.awards
    if not awards or awards[-1].event != table.index:
        return []
    seven = event.card if len(event.card) > 2 else None
    return [
        Dix(seat=award.seat, action="play", card=seven, points=award.points)
        for award in awards
        if award.source == "dix" and award.event == table.index
    ]


def trick_claims(table: Table) -> list[Any]:
    """Who won the trick just completed, if nobody has said so."""
    trick = table.trick
    if table.melding.seat is not None and trick.completed and not trick.winner_claimed:
        return [Trick(winner=table.seat if trick.winner is None else trick.winner)]
    return []


def bonuses_due(table: Table, names: tuple[str, ...]) -> list[Score]:
    """The bonuses that were earned, and not claimed yet."""
    worth = table.rules.written.brisques.points
    return [
        Score(
            seat=seat,
            what=name,
            count=points // worth if name == "brisques" else None,
            points=points,
        )
        for name in names
        for (seat, what), points in table.earned.items()
        if what == name and (seat, what) not in table.claims.scores
    ]


# A move as a program hands it over, and the moves of a game as few bytes.

_KINDS = frozenset(engine_events.EVENT_TYPES)
_ONE_CARD = (Play, Draw, Discard)
_PLACES = (None, "hand", "table")
_DRAW, _END_DEAL = 0, 1


def read_move(move: Move, table: Table) -> engine_events.AnyEvent:
    """A move as an event of its own, with the types that a record demands, and its points.

    A draw of `??` becomes one of the card that comes next.
    """
    event = _read_one_card(move) or _with_points(table, _at_seat(_read_any(move), table))
    if type(event) is Draw and event.card == "??":
        event.card = table.stock.next_card() or "??"
    return event


def _read_one_card(move: Any) -> Any:
    """A copy of a move of one card without extras; None for any other, and for one that may be wrong."""
    kind = type(move)
    if kind not in _ONE_CARD or move.ms is not None or move.ext is not None:
        return None
    seat, card = move.seat, move.card
    if type(seat) is not int or seat not in (0, 1) or type(card) is not str or card not in FACE_OF:
        return None
    if kind is not Play:
        return kind(seat=seat, card=card)
    return Play(seat=seat, card=card, source=move.source) if move.source in _PLACES else None


def _at_seat(event: engine_events.AnyEvent, table: Table) -> engine_events.AnyEvent:
    """The event itself; raises IllegalMove for a seat that the table does not have."""
    seat = event.winner if isinstance(event, Trick) else event.seat
    if seat >= table.seats:
        raise IllegalMove(f"There is no seat {seat}: the seats are 0 to {table.seats - 1}.")
    return event


def _read_any(move: Move) -> engine_events.AnyEvent:
    if not isinstance(move, engine_events.Event):
        raise IllegalMove(
            f"`move` is one of those that `legal()` lists, such as bezique.Play(seat=0, card='QS'), not {shown(move)}."
        )
    try:
        # Of one kind: for a choice of many, msgspec would look at all of them every time.
        kind: Any = type(move) if type(move) in _KINDS else engine_events.AnyEvent
        return cast(engine_events.AnyEvent, msgspec.convert(msgspec.to_builtins(move), kind))
    except (msgspec.ValidationError, TypeError) as error:
        raise IllegalMove(_wrong_member(move)) from error


WORDS_OF_MEMBERS = {
    "seat": f"the number of a seat, from 0 to {engine_events.MAX_PLAYERS - 1}",
    "winner": f"the number of a seat, from 0 to {engine_events.MAX_PLAYERS - 1}",
    "card": 'a card such as "QS"',
    "cards": 'a list of cards such as ["QS", "JD"]',
    "from_tableau": 'a list of cards such as ["QS", "JD"]',
    "meld": 'the name of a meld such as "bezique"',
    "source": '"hand", "table" or None',
    "points": "a whole number",
    "text": "a text",
    "ext": 'a dictionary such as {"org.example.clock": 5}',
}
"""What a member of a move is; what is not here is a whole number from 0 on, or a choice of words."""


def _wrong_member(move: engine_events.Event) -> str:
    """A sentence about the first member of a move that is of a wrong type."""
    for field in msgspec.structs.fields(type(move)):
        value = getattr(move, field.name)
        try:
            msgspec.convert(msgspec.to_builtins(value), field.type)
        except (msgspec.ValidationError, TypeError):
            wanted = WORDS_OF_MEMBERS.get(field.name) or _choice(field.type)
            return f"`{field.name}` of a {type(move).__name__} is {wanted}, not {shown(value)}."
    return f"`move` is {shown(move)}, which no game can write down."


def _choice(kind: Any) -> str:
    """The words of a literal, as a choice; of anything else that it is a number."""
    words = [f'"{word}"' for word in get_args(kind)] if get_origin(kind) is Literal else []
    return join_words(words, "or") if words else "a whole number from 0 on"


def write_moves(origin: Sequence[Any], moves: Iterable[Move]) -> bytes:
    """What a game began with, and its moves, in few bytes."""
    return zlib.compress(msgspec.json.encode([*origin, list(map(_written, moves))]), 9)


def _written(move: Any) -> Any:
    """A move in short: a card that is played or discarded, a number for a draw and for the end of the deal."""
    if isinstance(move, EndDeal):
        return _END_DEAL
    if type(move) not in _ONE_CARD or move.ms is not None or move.ext is not None:
        return move
    if type(move) is Draw:
        return _DRAW
    return move if getattr(move, "source", None) else move.card


def read_moves(packed: bytes) -> tuple[list[Any], list[Any]]:
    """What `write_moves` has written: what the game began with, and the moves, still in short."""
    record, *origin, moves = msgspec.json.decode(zlib.decompress(packed))
    return [msgspec.convert(record, Record), *origin], moves


def move_written(written: Any, table: Table) -> Move:
    """The move that is written in short, at the table where it was made."""
    if written == _END_DEAL:
        return EndDeal()
    if written == _DRAW:
        return cast(Move, Draw(seat=seat_to_draw(table), card="??"))
    if isinstance(written, str):
        kind = Discard if table.rules.has_tableau else Play
        return cast(Move, kind(seat=table.seat, card=written))
    return cast(Move, msgspec.convert(written, cast(Any, engine_events.AnyEvent)))
