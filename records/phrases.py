"""Numbers, plurals, lists and cards in English, and texts made safe to show: what every sentence shares."""

import os
import re
from collections.abc import Iterable, Sequence

from records.cards import card_sign, describe_card

NUMBER_WORDS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
_VOWEL_SOUNDS = ("a", "e", "i", "o", "u", "8", "11", "18")


def number_word(count: int) -> str:
    """A small number as a word, a larger one in digits: `six`, `1,000`."""
    return NUMBER_WORDS[count] if count < len(NUMBER_WORDS) else f"{count:,}"


def plural(noun: str) -> str:
    """The plural of a noun: `cards`, `matches`, `entries`."""
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("ch", "s", "sh", "x")) else f"{noun}s"


def pluralize(number: int, noun: str, nouns: str = "") -> str:
    """A number of things in digits: `1 trick`, `2,000 tricks`, `3 scores follow`."""
    return f"{number:,} {noun if number == 1 else nouns or plural(noun)}"


def count_in_words(number: int, noun: str) -> str:
    """A number of things in words: `one meld`, `six cards`."""
    return f"{number_word(number)} {noun if number == 1 else plural(noun)}"


def size_in_units(size: int) -> str:
    """A size in bytes in whole units, rounded down: `64 MiB`, or `64 KiB` where it is less than one of them."""
    return f"{size // 1024**2:,} MiB" if size >= 1024**2 else f"{size // 1024:,} KiB"


def join_words(items: Iterable[str], last: str = "and") -> str:
    """A list as people say it: `a`, `a and b`, `a, b and c`; at least one item."""
    *before, end = items
    return f"{', '.join(before)} {last} {end}" if before else end


def join_some(items: Sequence[str], most: int) -> str:
    """A choice as people say it; of more than `most` the last are counted: `a, b or one of 2 others`."""
    if len(items) <= most:
        return join_words(items, "or")
    left = len(items) - (most - 1)
    return join_words([*items[: most - 1], f"one of {left} others"], "or")


def capitalize_first(text: str) -> str:
    """A text that begins with a capital; all other letters stay as they are."""
    return text[:1].upper() + text[1:]


def with_article(noun: str) -> str:
    """A noun with `a` or `an`; none before several things: `an assembly`, `four aces`, `marriages`."""
    first = noun.split()[0]
    if first in NUMBER_WORDS or first.endswith("s"):
        return noun
    return f"{'an' if noun.startswith(_VOWEL_SOUNDS) else 'a'} {noun}"


def name_meld(meld: str) -> str:
    """A meld by its name in a record, with its article: `a royal marriage`, `four aces`."""
    return with_article(meld.replace("_", " "))


def name_card(card: str) -> str:
    """A card with its article: `the queen of spades`, `an ace of some suit`, `an unseen card`."""
    words = describe_card(card)
    return with_article(words) if "?" in card else f"the {words}"


def name_copies(card: str, count: int) -> str:
    """Several copies of a card: `two kings of hearts`, `three unseen cards`."""
    kind, of, suit = describe_card(card).partition(" of ")
    return f"{number_word(count)} {plural(kind)}{of}{suit}"


def name_cards(cards: Iterable[str], last: str = "and") -> str:
    """Cards as people list them: `the king of hearts and the queen of hearts`."""
    return join_words(map(name_card, cards), last)


def list_cards(cards: Sequence[str]) -> str:
    """Cards as a list of signs: `K♥ Q♥`."""
    return " ".join(map(card_sign, cards))


def list_scores(scores: Iterable[int]) -> str:
    """Scores by side: `120 : 90`."""
    return " : ".join(map(str, scores))


# Texts of a record and names of files, made safe to show and store anywhere.

CONTROL_CHARACTERS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Characters that control a terminal, break a line, or change the direction of the text around them."""


def sanitize_text(text: str) -> str:
    """A text of a record on one line, with a space in place of every control character."""
    return text if text.isprintable() else CONTROL_CHARACTERS.sub(" ", text)


def sanitize_lines(text: str) -> str:
    """The same for a text of several lines, which stay lines."""
    return "\n".join(map(sanitize_text, text.split("\n")))


def path_text(path: str | os.PathLike[str]) -> str:
    """A path as a text that has an encoding: names of files are any bytes, and those that are no UTF-8 become U+FFFD."""
    return os.fsencode(path).decode(errors="replace")


ADDRESS_START = re.compile("[A-Za-z][A-Za-z0-9+.-]+:/")


def is_address(path: str | os.PathLike[str]) -> bool:
    """Whether a path reads as an address, such as `s3://bucket/games`; `Path` leaves one of its strokes out."""
    return ADDRESS_START.match(os.fspath(path)) is not None


def address_refusal(path: str | os.PathLike[str]) -> str:
    """Why an address is not taken where a file or folder is wanted, as a sentence."""
    return (
        f"{path_text(path)} is an address, and only files and folders of this machine can be used. "
        "Copy or mount what it holds, and name that."
    )


# Points as text with their sign; minus is the typographic `−`.


def signed_points(points: float) -> str:
    """Points with their sign: `+40`, `−10`, `−2.5`, `0`."""
    return f"{points:+g}".replace("-", "−") if points else "0"


def signed_tenths(points: float) -> str:
    """Points to one decimal with their sign: `+12.5`, `−3.0`."""
    return f"{points:+.1f}".replace("-", "−")


def format_duration(seconds: float) -> str:
    """A duration as minutes and seconds: `1:05`."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


def system_reason(error: OSError) -> str:
    """Why the system refused, in its words; they name no file. An error may have none."""
    return error.strerror or "unknown error"


def sentence(text: str) -> str:
    """A message as a complete sentence: `Options a and b contradict each other.`"""
    return f"{text[:1].upper()}{text[1:].rstrip('.!')}."
