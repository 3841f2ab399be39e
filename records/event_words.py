"""An event as a sentence, said the same way in the terminal, on the page and in a list."""

from collections.abc import Callable, Sequence
from typing import Any

from records.cards import card_sign, describe_card
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
from records.safe_text import sanitize_text

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
"""What points are given for, as people say it."""


def describe_event(event: AnyEvent, names: Sequence[str]) -> str:
    """One event as a sentence: `Ann plays the queen of spades.`"""
    return _DESCRIBERS[type(event)](event, names)


def _name(names: Sequence[str], seat: int) -> str:
    return names[seat] if 0 <= seat < len(names) else f"Seat {seat}"


def _the(card: str) -> str:
    if card == "??":
        return "an unseen card"
    return f"{'a' if '?' in card else 'the'} {describe_card(card)}"


def _points(points: int | None) -> str:
    return "" if points is None else f" for {points}"


def _meld_name(meld: str) -> str:
    name = meld.replace("_", " ")
    return name if name.startswith("four") or name == "marriages" else f"a {name}"


def _cards(cards: Sequence[str]) -> str:
    return " ".join(card_sign(card) for card in cards)


def _play(event: Play, names: Sequence[str]) -> str:
    place = "" if event.source is None else f" from the {event.source}"
    return f"{_name(names, event.seat)} plays {_the(event.card)}{place}."


def _trick(event: Trick, names: Sequence[str]) -> str:
    return f"{_name(names, event.winner)} takes the trick."


def _draw(event: Draw, names: Sequence[str]) -> str:
    return f"{_name(names, event.seat)} draws {_the(event.card)}."


def _meld(event: Meld, names: Sequence[str]) -> str:
    name = _meld_name(event.meld)
    return f"{_name(names, event.seat)} melds {name}, {_cards(event.cards)}{_points(event.points)}."


def _declare(event: Declare, names: Sequence[str]) -> str:
    shown = _cards(event.cards)
    return f"{_name(names, event.seat)} shows {_meld_name(event.meld)}, {shown}, to score later."


def _dix(event: Dix, names: Sequence[str]) -> str:
    act = {
        "exchange": "exchanges the dix for the turn-up",
        "show": "shows the dix",
        "play": "scores the dix played",
    }[event.action]
    return f"{_name(names, event.seat)} {act}{_points(event.points)}."


def _carte_blanche(event: CarteBlanche, names: Sequence[str]) -> str:
    return f"{_name(names, event.seat)} shows carte blanche{_points(event.points)}."


def _discard(event: Discard, names: Sequence[str]) -> str:
    return f"{_name(names, event.seat)} discards {_the(event.card)}."


def _cut(event: Cut, names: Sequence[str]) -> str:
    guess = "" if event.guess is None else f"; the guess is {event.guess}"
    return f"{_name(names, event.seat)} cuts {event.packet} cards{guess}."


def _score(event: Score, names: Sequence[str]) -> str:
    points = "" if event.points is None else f" {event.points}"
    return f"{_name(names, event.seat)} scores{points} for {SCORE_WORDS[event.what]}."


def _irregular(event: Irregular, names: Sequence[str]) -> str:
    said = f": {sanitize_text(event.text)}" if event.text else ""
    return f"Irregular, {_name(names, event.seat)}: {event.what.replace('_', ' ')}{said}."


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
