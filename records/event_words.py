"""An event as a sentence, the same in the terminal, on the pages and in every list."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from records.cards import FACE_OF
from records.events import (
    AnyEvent,
    CarteBlanche,
    Cut,
    Declare,
    Discard,
    Dix,
    Draw,
    Irregular,
    Meld,
    Play,
    Score,
    Trick,
)
from records.phrases import list_cards, name_card, name_meld, pluralize, sanitize_text

SCORE_WORDS = {
    "meld": "melds",
    "dix": "dix",
    "turned_seven": "the turned-up seven",
    "tenth_trick": "the tenth trick",
    "last_trick": "the last trick",
    "all_last_tricks": "all the last tricks",
    "brisques": "brisques",
    "carte_blanche": "carte blanche",
    "cut": "an exact cut",
    "guess": "an exact guess",
    "zetema": "a zetema",
    "ruling": "a ruling",
}
"""What points are for: scores of a record, and awards of a replay."""


def describe_event(event: AnyEvent, names: Sequence[str], *, labels: bool = True) -> str:
    """One event as a sentence: `Ann plays the queen of spades.`; labels tell which copy of a card it was."""
    return _DESCRIBERS[type(event)](event if labels else _without_labels(event), names)


def _without_labels(event: AnyEvent) -> AnyEvent:
    """The event with its cards as players see them, who cannot tell copies apart."""
    faces: dict[str, Any] = {}
    if isinstance(event, Play | Draw | Discard):
        faces["card"] = FACE_OF[event.card]
    elif isinstance(event, Meld | Declare):
        faces["cards"] = [FACE_OF[card] for card in event.cards]
    return replace(event, **faces)


def _name(names: Sequence[str], seat: int) -> str:
    return names[seat] if 0 <= seat < len(names) else f"Seat {seat}"


def _points(points: int | None) -> str:
    return "" if points is None else f" for {points}"


def _play(event: Play, names: Sequence[str]) -> str:
    place = "" if event.source is None else f" from the {event.source}"
    return f"{_name(names, event.seat)} plays {name_card(event.card)}{place}."


def _trick(event: Trick, names: Sequence[str]) -> str:
    return f"{_name(names, event.winner)} takes the trick."


def _draw(event: Draw, names: Sequence[str]) -> str:
    return f"{_name(names, event.seat)} draws {name_card(event.card)}."


def _meld(event: Meld, names: Sequence[str]) -> str:
    cards = list_cards(event.cards)
    return (
        f"{_name(names, event.seat)} melds {name_meld(event.meld)}, {cards}{_points(event.points)}."
    )


def _declare(event: Declare, names: Sequence[str]) -> str:
    cards = list_cards(event.cards)
    return f"{_name(names, event.seat)} shows {name_meld(event.meld)}, {cards}, to score later."


def _dix(event: Dix, names: Sequence[str]) -> str:
    act = {
        "exchange": "exchanges the dix for the turn-up",
        "show": "shows the dix",
        "play": "scores the dix just played",
    }[event.action]
    return f"{_name(names, event.seat)} {act}{_points(event.points)}."


def _carte_blanche(event: CarteBlanche, names: Sequence[str]) -> str:
    return f"{_name(names, event.seat)} shows carte blanche{_points(event.points)}."


def _discard(event: Discard, names: Sequence[str]) -> str:
    return f"{_name(names, event.seat)} discards {name_card(event.card)}."


def _cut(event: Cut, names: Sequence[str]) -> str:
    guess = "" if event.guess is None else f"; the guess is {event.guess}"
    return f"{_name(names, event.seat)} cuts {pluralize(event.packet, 'card')}{guess}."


def _score(event: Score, names: Sequence[str]) -> str:
    points = "" if event.points is None else f" {event.points}"
    return f"{_name(names, event.seat)} scores{points} for {SCORE_WORDS[event.what]}."


def _irregular(event: Irregular, names: Sequence[str]) -> str:
    return f"Irregularity, {_name(names, event.seat)}: {irregularity_words(event)}."


def irregularity_words(event: Irregular) -> str:
    """What went wrong, with the comment of the record, and without a full stop."""
    comment = f": {sanitize_text(event.text).rstrip('. ')}" if event.text else ""
    return event.what.replace("_", " ") + comment


_DESCRIBERS: dict[type, Callable[[Any, Sequence[str]], str]] = {
    Play: _play,
    Trick: _trick,
    Draw: _draw,
    Meld: _meld,
    Declare: _declare,
    Dix: _dix,
    CarteBlanche: _carte_blanche,
    Discard: _discard,
    Cut: _cut,
    Score: _score,
    Irregular: _irregular,
}
