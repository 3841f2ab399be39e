"""Cards as people write them."""

from __future__ import annotations

import re
from typing import cast

from bezique.record_types import Card
from records.cards import SUITS_OF_SIGNS, parse_card
from records.errors import CardError

_SIGNS = str.maketrans(SUITS_OF_SIGNS)
_VARIATION_SELECTOR = "\ufe0f"
_BETWEEN = re.compile(r"[\s,]+")


def card(text: str) -> Card:
    """The card that a text writes as people do: `card("10♥")` and `card("th")` are `TH`; a label stays. Raises CardError."""
    if not isinstance(text, str):
        raise CardError(f'A card is a text such as "QS", not {text!r}.')
    plain = text.strip().replace(_VARIATION_SELECTOR, "").translate(_SIGNS).upper()
    try:
        return cast(Card, parse_card(plain))
    except CardError:
        raise CardError(f"{text!r} is not a card.") from None


def cards(text: str) -> list[Card]:
    """The cards that a text lists with blanks or commas between them: `cards("AH TH")`; raises CardError."""
    if not isinstance(text, str):
        raise CardError(f'Cards are a text such as "QS JD", not {text!r}.')
    return [card(word) for word in _BETWEEN.split(text) if word]
