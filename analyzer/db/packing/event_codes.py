"""The events that packed records name by numbers. Stored records depend on them, so that they never change.

Nothing here follows the format: where the format gets a card or an event, this list does not. What is not in it is
stored as it stands. A longer list would be another version, beside this one, and with another mark before it.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product

_SEATS = range(6)
_SUITS = "SHDC"
_CARDS = (
    *(rank + suit for suit, rank in product(_SUITS, "AKQJT98765432")),
    *(f"{rank}{suit}.{copy}" for suit, rank, copy in product(_SUITS, "AKQJT987", range(1, 7))),
    "?",
)
_TURNS = (
    ("play", ""),
    ("play", ',"from":"hand"'),
    ("play", ',"from":"table"'),
    ("draw", ""),
    ("discard", ""),
)
"""Types of events with a card, and what stands after it."""


@cache
def codes_by_event() -> dict[bytes, bytes]:
    """The two bytes that stand for the text of an event, from 1 to 250 each: its type and seat, and its card.

    The card of a trick is 0.
    """
    return {text.encode(): bytes((kind, card)) for kind, card, text in _numbered_events()}


@cache
def events_by_number() -> dict[int, bytes]:
    """The text of an event by its two bytes as a number, of which the first is the smaller."""
    return {int.from_bytes(code, "little"): text for text, code in codes_by_event().items()}


def _numbered_events() -> Iterator[tuple[int, int, str]]:
    for kind, seat in enumerate(_SEATS, 1):
        yield kind, 0, f'"type":"trick","winner":{seat}'
    for kind, ((name, rest), seat) in enumerate(product(_TURNS, _SEATS), 1 + len(_SEATS)):
        for number, card in enumerate(_CARDS, 1):
            yield kind, number, f'"type":"{name}","seat":{seat},"card":"{card}"{rest}'
