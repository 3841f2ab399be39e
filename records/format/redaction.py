"""A record as one seat saw it: what that seat could know at a moment, and nothing else.

Two full records that no player in that seat could tell apart become the same bytes. So cards lose their labels and are
sorted where their order means nothing; times, notes, lines, extensions, the occasion and the program are left out, for
any of them may tell what lay hidden: a seed, a comment, how long a draw was looked at.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from records.cards import ALL_CARDS, FACE_OF
from records.engine.deal import are_draws_written
from records.engine.table import Table
from records.events import (
    AnyEvent,
    CarteBlanche,
    Declare,
    Discard,
    Dix,
    Draw,
    Irregular,
    Meld,
    Play,
)
from records.record import Deal, Knowledge, Record, Setup
from records.replay import replay

UNSEEN = "??"


class MatchMoment(NamedTuple):
    """A moment of a match: the deal, counted from 0, and how many of its events have happened."""

    deal: int
    events: int


def redact(record: Record, seat: int, until: MatchMoment | None = None) -> Record:
    """What a seat could know of a record at a moment; without one, when all that is written has happened.

    Carte blanche shows a whole hand, so a seat that has shown it hides nothing it had until then. Deals with a `stock`
    in place of draws get those of the seat. Raises ValueError for a seat or a moment that the record does not have,
    RulesError if its rules cannot be resolved.
    """
    if not 0 <= seat < len(record.players):
        raise ValueError(f"The record has no seat {seat}.")
    if until is not None and not 0 <= until.deal < len(record.deals):
        raise ValueError(f"The record has no deal {until.deal + 1}.")
    if until is not None and not 0 <= until.events <= len(record.deals[until.deal].events):
        raise ValueError(f"The record has no event {until.events} in deal {until.deal + 1}.")
    shown = _until(record, until)
    deals = [_redact_deal(deal, seat) for deal in _with_draws(shown).deals]
    return replace(
        shown, meta=None, deals=deals, notes=None, lines=None, provenance=None, ext=None
    )  # fmt: skip


def _until(record: Record, until: MatchMoment | None) -> Record:
    """The record as it was at a moment; what it says of a deal, or of the match, is known once that is over."""
    if until is None:
        return record
    last = record.deals[until.deal]
    if until.events < len(last.events):
        last = replace(last, events=last.events[: until.events], claims=None)
    elif until.deal == len(record.deals) - 1:
        return record
    return replace(record, deals=[*record.deals[: until.deal], last], result=None)


def _with_draws(record: Record) -> Record:
    """The record with the draws written in deals that have a `stock` in their place."""
    if not any(map(_leaves_draws_to_stock, record.deals)):
        return record
    draws: dict[tuple[int, int], list[Draw]] = {}
    due: list[Draw] = []
    before = 0
    for frame in replay(record):
        stock = frame.table.stock
        left = stock.with_turn_up
        if frame.index >= 0 and _leaves_draws_to_stock(record.deals[frame.deal]):
            draws[frame.deal, frame.index] = due[: before - left]
        due, before = [*_draws_due(frame.table)], left
    deals = []
    for number, deal in enumerate(record.deals):
        pairs = enumerate(deal.events)
        events = [each for at, event in pairs for each in (*draws.get((number, at), ()), event)]
        deals.append(replace(deal, events=events))
    return replace(record, deals=deals)


def _leaves_draws_to_stock(deal: Deal) -> bool:
    return deal.stock is not None and not are_draws_written(deal)


def _draws_due(table: Table) -> Iterator[Draw]:
    """The draws that come next, with their cards; they are made before the next card is played."""
    stock = table.stock.copy()
    for seat in table.draws_due:
        yield Draw(seat=seat, card=stock.next_card() or UNSEEN)
        stock.left -= 1


def _redact_deal(deal: Deal, seat: int) -> Deal:
    level = _level(deal, seat)
    seen = {seat: len(deal.events)}
    for index, event in enumerate(deal.events):
        if isinstance(event, CarteBlanche):
            seen[event.seat] = max(seen.get(event.seat, 0), index)
    return replace(
        deal,
        knowledge=level,
        seat=seat if level == "seat" else None,
        hands=_redact_hands(deal.hands, seen),
        turn_up=_face(deal.turn_up),
        stock=None,
        setup=_redact_setup(deal.setup, seen),
        events=[_redact_event(event, index, seen) for index, event in enumerate(deal.events)],
        ext=None,
    )


def _level(deal: Deal, seat: int) -> Knowledge:
    """The level of knowledge: that of a seat, unless the deal is told as everybody or another seat saw it."""
    if deal.knowledge in ("public", "plays", "scores"):
        return deal.knowledge
    return "seat" if deal.seat in (None, seat) else "public"


def _redact_hands(
    hands: Sequence[list[str]] | None, seen: Container[int]
) -> list[list[str]] | None:
    if hands is None:
        return None
    return [
        _sorted(hand) if seat in seen else [UNSEEN] * len(hand) for seat, hand in enumerate(hands)
    ]


def _redact_setup(setup: Setup | None, seen: Container[int]) -> Setup | None:
    if setup is None:
        return None
    tables = setup.tables and [
        [replace(laid, cards=_sorted(laid.cards)) for laid in own] for own in setup.tables
    ]
    captured = setup.captured and [[FACE_OF[card] for card in cards] for cards in setup.captured]
    return replace(
        setup,
        hands=_redact_hands(setup.hands, seen) or [],
        tables=tables,
        turn_up=_face(setup.turn_up),
        trick=_unlabelled(setup.trick),
        spent_dixes=_unlabelled(setup.spent_dixes),
        captured=captured,
        tableau=_unlabelled(setup.tableau),
    )


def _redact_event(event: AnyEvent, index: int, seen: Mapping[int, int]) -> AnyEvent:
    """An event without labels, time and extensions; the words on an irregularity may tell what nobody saw.

    The draws of a seat are seen up to the event that `seen` has for it.
    """
    told = replace(event, ms=None, ext=None)
    match told:
        case Draw(seat=seat, card=card):
            return replace(told, card=FACE_OF[card] if index <= seen.get(seat, -1) else UNSEEN)
        case Play(card=card) | Discard(card=card) | Dix(card=str(card)):
            return replace(told, card=FACE_OF[card])
        case Meld(cards=cards, from_tableau=lying):
            return replace(told, cards=_sorted(cards), from_tableau=lying and _sorted(lying))
        case Declare(cards=cards):
            return replace(told, cards=_sorted(cards))
        case Irregular(cards=cards):
            return replace(told, cards=cards and _sorted(cards), text="")
        case _:
            return told


def _face(card: str | None) -> str | None:
    return None if card is None else FACE_OF[card]


def _unlabelled(cards: Sequence[str] | None) -> list[str] | None:
    return None if cards is None else [FACE_OF[card] for card in cards]


def _sorted(cards: Iterable[str]) -> list[str]:
    """The faces of cards, by suit and rank."""
    return sorted((FACE_OF[card] for card in cards), key=ALL_CARDS.index)
