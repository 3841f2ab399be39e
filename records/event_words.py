"""An event as a sentence, the same in the terminal, on the pages and in every list."""

from collections.abc import Sequence
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
    actor_of,
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
DIX_WORDS = {
    "exchange": "exchanges the dix for the turn-up",
    "show": "shows the dix",
    "play": "scores the dix just played",
}


def describe_event(event: AnyEvent, names: Sequence[str], *, labels: bool = True) -> str:
    """One event as a sentence: `Ann plays the queen of spades.`; labels tell which copy of a card it was."""
    seat, deed = actor_of(event), _deed(event if labels else _without_labels(event))
    who = names[seat] if 0 <= seat < len(names) else f"Seat {seat}"
    return f"Irregularity, {who}: {deed}." if isinstance(event, Irregular) else f"{who} {deed}."


def _without_labels(event: AnyEvent) -> AnyEvent:
    """The event with its cards as players see them, who cannot tell copies apart."""
    faces: dict[str, Any] = {}
    if isinstance(event, Play | Draw | Discard):
        faces["card"] = FACE_OF[event.card]
    elif isinstance(event, Meld | Declare):
        faces["cards"] = [FACE_OF[card] for card in event.cards]
    return replace(event, **faces)


def _deed(event: AnyEvent) -> str:
    """What is done at an event: `plays the queen of spades`."""
    match event:
        case Play():
            place = "" if event.source is None else f" from the {event.source}"
            return f"plays {name_card(event.card)}{place}"
        case Trick():
            return "takes the trick"
        case Draw():
            return f"draws {name_card(event.card)}"
        case Meld():
            cards, points = list_cards(event.cards), _points(event.points)
            return f"melds {name_meld(event.meld)}, {cards}{points}"
        case Declare():
            return f"shows {name_meld(event.meld)}, {list_cards(event.cards)}, to score later"
        case Dix():
            return f"{DIX_WORDS[event.action]}{_points(event.points)}"
        case CarteBlanche():
            return f"shows carte blanche{_points(event.points)}"
        case Discard():
            return f"discards {name_card(event.card)}"
        case Cut():
            guess = "" if event.guess is None else f"; the guess is {event.guess}"
            return f"cuts {pluralize(event.packet, 'card')}{guess}"
        case Score():
            points = "" if event.points is None else f" {event.points}"
            return f"scores{points} for {SCORE_WORDS[event.what]}"
        case Irregular():
            return irregularity_words(event)


def _points(points: int | None) -> str:
    return "" if points is None else f" for {points}"


def irregularity_words(event: Irregular) -> str:
    """What went wrong, with the comment of the record, and without a full stop."""
    comment = f": {sanitize_text(event.text).rstrip('. ')}" if event.text else ""
    return event.what.replace("_", " ") + comment
