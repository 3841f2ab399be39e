"""Suggestions: the known words nearest to an unknown one."""

from difflib import get_close_matches
from functools import lru_cache

from records.cards import FACES, RANKS, SUIT_SIGNS, SUITS, parse_card
from records.errors import CardError

_LONGEST_WORD = 40
"""Longer texts are not misspelt words; comparing them would take long, and remembering them much memory."""

_SIGNS = str.maketrans(
    {sign: suit for suit, sign in SUIT_SIGNS.items()} | dict(zip("♡♢♤♧", "HDSC", strict=True))
)


def suggest_words(word: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Up to three known words that look like this one, the most likely first."""
    return _similar_words(word, known) if len(word) <= _LONGEST_WORD else ()


@lru_cache(maxsize=4096)
def _similar_words(word: str, known: tuple[str, ...]) -> tuple[str, ...]:
    normalized = word.lower().replace("-", "_").replace(" ", "_")
    return tuple(get_close_matches(normalized, known, n=3, cutoff=0.6))


def suggest_cards(word: str) -> tuple[str, ...]:
    """Cards that a text may mean: in small letters, with suit signs, or with the suit first."""
    return _similar_cards(word) if len(word) <= _LONGEST_WORD else ()


@lru_cache(maxsize=4096)
def _similar_cards(word: str) -> tuple[str, ...]:
    normalized = word.strip().upper().translate(_SIGNS)
    for guess in (normalized, normalized[1:] + normalized[:1]):
        try:
            return (parse_card(guess),)
        except CardError:
            continue
    if len(normalized) == 1 and normalized in RANKS:
        return tuple(normalized + suit for suit in SUITS)
    return tuple(get_close_matches(normalized, FACES, n=3, cutoff=0.5))
