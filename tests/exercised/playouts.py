"""Random games of a sheet: events of legal games, findings in damaged ones.

`WITNESSES` says of a law how one sees it at work: `event` words are things that happened in a legal game,
`code` words findings that a mutant raised. A law without a line is not seen in playouts by this measure; the
tests named by it must do.
"""

from collections.abc import Iterator
from random import Random

from records.events import CarteBlanche, Cut, Declare, Discard, Dix, Draw, Meld, Play, Trick
from records.record import Record
from records.replay import Frame, TableSnapshot, replay, snapshot_of
from records.validator import check_record
from tests.playouts.games import STANDARD, Way
from tests.playouts.mutants import KINDS

EACH = 1
"""Mutants of every kind of every game."""

WITNESSES = {
    "C1": "too-many-copies wrong-hand-size",
    "C2": "out-of-turn",
    "C3": "wrong-trick-winner",
    "C4": "renounced",
    "C5": "meld-by-loser draw-out-of-turn",
    "C6": "drew-last wrong-card-drawn",
    "C7": "played-from-table",
    "C8": "must-follow-suit",
    "C9": "brisques wrong-brisques",
    "C10": "suits-repeated",
    "C11": "melded-bezique",
    "C12": "melded-after-all meld-reuses-cards",
    "C13": "trumps-made",
    "C14": "carte-blanche carte-blanche-too-late",
    "C15": "wrong-settlement",
    "C16": "cut impossible-cut",
    "Z1": "wrong-hand-size too-many-copies",
    "Z2": "draw-missing too-many-melds",
    "Z3": "melded-marriages wrong-cards-for-meld",
    "Z4": "zetema score-not-earned",
    "Z5": "discarded-closed",
    "Z6": "deal-after-game-won",
    "R-SET": "melded-twice meld-reuses-cards",
    "R-KIND": "melded-twice meld-reuses-cards",
    "R-CLASS": "melded-twice meld-reuses-cards",
    "R-RUB": "melded-twice meld-reuses-cards",
    "R-PORT": "melded-twice meld-reuses-cards",
    "R-001": "melded-twice meld-reuses-cards",
    "R-PENDING": "shown",
    "A-01": "turned_seven",
    "A-02": "dix-spent",
    "A-03": "dix-closed",
    "A-04": "dix-exchange dix-play",
    "A-05": "dix-then-meld",
    "A-06": "drew-last",
    "A-08": "melded-closed",
    "A-09": "last_trick",
    "A-10": "last_tricks",
    "A-12": "melded-closed",
    "A-13": "closed-without-trumps",
    "A-30a": "carte-blanche",
    "A-30b": "not-blank",
    "A-30c": "cut",
    "A-31": "melded-marriages",
    "A-33": "draw-missing",
    "A-40": "discard-not-of-combination",
}


def witnessed(law: str, seen: set[str]) -> bool:
    """Whether everything that shows the law at work was seen."""
    return law in WITNESSES and set(WITNESSES[law].split()) <= seen


def seen_by_sheet() -> dict[str, set[str]]:
    """What a few playouts of every sheet and their mutants come to."""
    seen: dict[str, set[str]] = {way.sheet.id: set() for way in STANDARD}
    for way in STANDARD:
        for seed, style in enumerate(("greedy", "random")):
            record = way.play(seed, style, deals=2, where=True)
            seen[way.sheet.id] |= set(happened(record)) | set(found(way, seed, record))
    return seen


def found(way: Way, seed: int, record: Record) -> Iterator[str]:
    """The codes that mutants of a game raise."""
    for name, damage in KINDS.items():
        for attempt in range(EACH):
            mutant = damage(record, Random(f"{way} {seed} {name} {attempt}"))
            if mutant is not None:
                yield from (finding.code for finding in check_record(mutant.record).findings)


def happened(record: Record) -> Iterator[str]:
    """What happens in a legal game."""
    before = None
    for frame in replay(record):
        position = snapshot_of(frame.table)
        yield from (award.source for award in frame.awards)
        if frame.event is not None and before is not None:
            yield from at_event(frame, before)
        before = position


def at_event(frame: Frame, before: TableSnapshot) -> Iterator[str]:
    """What an event shows, from the position before it."""
    event, closed = frame.event, before.stock == 0 and before.turn_up is None
    match event:
        case Play():
            yield from at_play(event, before, closed=closed)
        case Draw():
            yield from ["drew-last"] if before.stock + (before.turn_up is not None) == 1 else []
        case Meld():
            yield from at_meld(event, before, closed=closed)
            if before.trump is None and snapshot_of(frame.table).trump is not None:
                yield "trumps-made"
        case Dix():
            yield f"dix-{event.action}"
            yield from ["dix-closed"] if closed else []
        case Discard():
            yield from ["discarded-closed"] if closed else []
        case Declare() | CarteBlanche() | Cut() | Trick():
            yield {"Declare": "shown", "CarteBlanche": "carte-blanche"}.get(
                type(event).__name__, type(event).__name__.lower()
            )


def at_play(event: Play, before: TableSnapshot, *, closed: bool) -> Iterator[str]:
    if event.source == "table":
        yield "played-from-table"
    if closed and before.trump is None:
        yield "closed-without-trumps"
    led = [card for card in before.trick if card]
    if led and not closed:
        card = getattr(led[0], "card", led[0])
        if card[1] != event.card[1]:
            yield "renounced"


def at_meld(event: Meld, before: TableSnapshot, *, closed: bool) -> Iterator[str]:
    yield f"melded-{event.meld}"
    if closed:
        yield "melded-closed"
        yield from [] if any(seat.hand for seat in before.seats) else ["melded-after-all"]
    suits = [card[1] for card in event.cards]
    if event.meld.startswith("four") and len(set(suits)) < 4:
        yield "suits-repeated"
    lying = {card.card[:2] for card in before.seats[event.seat].laid}
    if lying & {card[:2] for card in event.cards}:
        yield "melded-twice"
