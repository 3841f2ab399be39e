"""How a log writes cards, found from the texts in it: letters, signs, words of several languages, numbers."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from records.cards import SUITS_OF_SIGNS
from records.format.log_layout import (
    QUESTION,
    objects_in,
    paths_in,
    texts_in,
    whole_numbers_in,
)
from records.format.log_mapping import CardForm, toml_value
from records.format.typed_cards import RANK_WORDS, WORDS_OF_SUITS

_LETTERS = {"A": "A", "10": "T", "9": "9", "8": "8", "7": "7"}
RANK_TABLES: Sequence[Mapping[str, str]] = (
    {},  # the letters of the format need no table
    {**_LETTERS, "R": "K", "D": "Q", "V": "J"},
    {**_LETTERS, "K": "K", "D": "Q", "B": "J"},
    {**_LETTERS, "K": "K", "D": "Q", "W": "J"},
    {**_LETTERS, "K": "K", "Q": "Q", "J": "J", "1": "A"},
    {"1": "A", "14": "A", "13": "K", "12": "Q", "11": "J", **_LETTERS},
    {word: rank for word, rank in RANK_WORDS.items() if len(word) > 1 and word[0].isalpha()}
    | {"10": "T"},
)
"""The ranks of English, French, German and Polish letters, of numbers, and of words."""
SUIT_TABLES: Sequence[Mapping[str, str]] = (
    {},
    SUITS_OF_SIGNS,
    {"P": "S", "C": "H", "K": "D", "T": "C"},
    {"P": "S", "H": "H", "K": "D", "T": "C"},
    {"P": "S", "H": "H", "K": "D", "KR": "C"},
    {"P": "S", "CO": "H", "CA": "D", "T": "C"},
    WORDS_OF_SUITS,
)
"""The suits of English letters, signs, French and German letters, and words."""
_JOINTS = ("", " ", "-", "_", ".", ":", "/", " of ", " de ")
SEPARATORS = (" ", ",", "|", ";", "+", "/", "-", "")
"""What may stand between several cards; the empty one only where nothing else does."""
FEWEST_CARDS = 4
"""So many different cards tell how a log writes them."""
MOST_TEXTS = 5_000


class FoundForm(NamedTuple):
    """How a log writes cards, the cards that it wrote so, and whether another way reads as many of them otherwise."""

    form: CardForm
    cards: Mapping[str, str]
    is_ambiguous: bool = False

    def is_card(self, value: Any) -> bool:
        """Whether a value is a card or one that was not seen."""
        return str(value).strip().lower() in self.cards


def find_card_form(texts: Iterable[str]) -> FoundForm | None:
    """The way of writing cards that reads most of these texts; None if none reads enough."""
    known = {text.strip().lower() for text in texts if 1 < len(text.strip()) <= 24}
    known = set(sorted(known)[:MOST_TEXTS])
    found: list[tuple[int, int, FoundForm]] = []
    for ranks in RANK_TABLES:
        for suits in SUIT_TABLES:
            for form in _forms():
                cards = CardForm(form=form, ranks=dict(ranks), suits=dict(suits))
                spellings = cards.spellings()
                count = len({spellings[text] for text in known & spellings.keys()} - {"??"})
                if count >= FEWEST_CARDS:
                    found.append((count, -len(ranks) - len(suits), FoundForm(cards, spellings)))
    if not found:
        return None
    found.sort(key=lambda each: each[:2], reverse=True)
    most, _, best = found[0]
    others = [each for count, _, each in found[1:] if count == most]
    read = {text: best.cards[text] for text in known & best.cards.keys()}
    differs = any(
        any(other.cards.get(text) != card for text, card in read.items()) for other in others
    )
    return FoundForm(_used_words(best.form, read), best.cards, differs)


def _forms() -> Iterable[str]:
    for joint in _JOINTS:
        yield f"{{rank}}{joint}{{suit}}"
        yield f"{{suit}}{joint}{{rank}}"


def _used_words(form: CardForm, read: Mapping[str, str]) -> CardForm:
    """The form with those words for ranks and suits alone that the log uses and the format does not know."""

    def is_used(word: str, place: str, letter: str) -> bool:
        other = "{suit}" if place == "{rank}" else "{rank}"
        before, after = form.form.replace(place, word.lower()).split(other)
        return word != letter and any(
            text.startswith(before) and text.endswith(after) and letter in card
            for text, card in read.items()
        )

    ranks = {word: rank for word, rank in form.ranks.items() if is_used(word, "{rank}", rank)}
    suits = {word: suit for word, suit in form.suits.items() if is_used(word, "{suit}", suit)}
    ranks.pop("10", None)
    return CardForm(form=form.form, ranks=ranks, suits=suits)


def cards_in(found: FoundForm, value: Any) -> tuple[list[str], str] | None:
    """The cards that a value is made of, and what stands between them; None if it has something else in it."""
    if isinstance(value, list):
        if value and all(isinstance(part, (str, int)) and found.is_card(part) for part in value):
            return [str(part) for part in value], " "
        return None
    text = str(value).strip()
    if found.is_card(text):
        return [text], " "
    for separator in SEPARATORS[:-1]:
        parts = [part for part in text.split(separator) if part.strip()]
        if len(parts) > 1 and all(found.is_card(part) for part in parts):
            return parts, separator
    return None


# The cards of a log.


class LogCards:
    """How the log writes cards, and the questions that are open about it."""

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        found = find_card_form(text for row in rows for text in texts_in(row))
        self.names = [] if found else _numbered_cards(rows)
        numbers = {str(number): card for number, card in enumerate(self.names)}
        self.found = found or FoundForm(CardForm(), numbers)
        self.members = self._find_members(rows)
        self.separators: Counter[str] = Counter()

    def count(self, value: Any) -> int | None:
        """How many cards a value is made of; None if it has something else in it."""
        if isinstance(value, Mapping):
            return 1 if self.members and set(value) == set(self.members) else None
        if isinstance(value, list) and value and isinstance(value[0], Mapping):
            counts = [self.count(each) for each in value]
            return None if None in counts else len(counts)
        found = cards_in(self.found, value)
        if found is None:
            return None
        if len(found[0]) > 1 and isinstance(value, str):
            self.separators[found[1]] += 1
        return len(found[0])

    def _find_members(self, rows: Sequence[Mapping[str, Any]]) -> list[str]:
        """The members of an object that is a card, in the order in which the form has them."""
        for value in (each for row in rows for each in objects_in(row) if len(each) == 2):
            names = [name for name, member in value.items() if isinstance(member, (str, int))]
            for order in (names, names[::-1]):
                if len(order) == 2 and self.found.is_card("".join(str(value[n]) for n in order)):
                    return order
        return []

    def lines(self) -> Iterator[str]:
        """The table `cards`."""
        form = self.found.form
        yield "[cards]"
        if self.names:
            yield f"{QUESTION} The log numbers its cards from 0: which card is which?"
            yield f"names = {toml_value(self.names)}"
            return
        if not self.found.cards:
            yield f"{QUESTION} No column was understood as cards: how does the log write them?"
        if self.found.is_ambiguous:
            yield f"{QUESTION} Some cards could be read in two ways: are these words for ranks and suits right?"
        yield f"form = {toml_value(form.form)}"
        for name, words in (("ranks", form.ranks), ("suits", form.suits)):
            if words:
                yield f"{name} = {toml_value(words)}"
        if self.members:
            yield f"members = {toml_value(self.members)}"
        separator = self.separators.most_common(1)
        if separator and separator[0][0] != " ":
            yield f"separator = {toml_value(separator[0][0])}"


def _numbered_cards(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The cards of a log that numbers them, in an order that is asked for: suit after suit from the seven up."""
    numbers = {
        value
        for row in rows
        for path, values in paths_in(row, ())
        if re.search(r"card|kart|cart|^c$|hand|talon|stock|up$|lead|reply", path.lower())
        for value in whole_numbers_in(values)
    }
    if len(numbers) < 12 or max(numbers) >= 200:
        return []
    one = [f"{rank}{suit}" for suit in "SHDC" for rank in "789TJQKA"]
    return one * (max(numbers) // len(one) + 1)
