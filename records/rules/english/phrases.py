"""Numbers, lists and ranks as people say them."""

from collections.abc import Iterable

from records.cards import RANK_NAMES
from records.rules.vocabulary import ANY_NUMBER_OF_MELDS

_NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip


def number_word(count: int) -> str:
    """A small number as a word."""
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def plural(count: int, noun: str) -> str:
    """`one meld`, `six cards`."""
    return f"{number_word(count)} {noun}{'' if count == 1 else 's'}"


def join_words(items: Iterable[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    *before, end = items
    return f"{', '.join(before)} {last} {end}" if before else end


def rank_name(rank: str, count: int = 1) -> str:
    """A rank as people say it, and several of it: `king`, `10s`."""
    return RANK_NAMES[rank] + ("" if count == 1 else "s")


def at_most(count: int, noun: str = "meld") -> str:
    """A limit: `one meld`, `any number of melds`."""
    if count == ANY_NUMBER_OF_MELDS:
        return f"any number of {noun}s"
    return f"one {noun}" if count == 1 else f"up to {plural(count, noun)}"
