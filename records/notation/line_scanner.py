"""One line of the notation, read from left to right."""

import json
import re
from typing import NoReturn

from records.notation.spelling import JSON_WORDS, KNOWN_CARDS, SEAT_LETTERS, WORD
from records.record import MAX_NESTING_DEPTH

_BLANKS = re.compile(r"[ \t\r]*+")
_CARD = re.compile(r"(?:10|[AKQJT2-9?])[SHDC?](?:\.[1-6])?")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)")
_COUNT = re.compile(r"0|[1-9][0-9]*+")
_SEAT = re.compile(f"[{SEAT_LETTERS}]")
_BRACKETS = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[{\]}]')
_END_OF_WORD = re.compile(r"(?=[ \t\r)\]]|\Z)")
_FOUND = re.compile(r"[^ \t\r()\[\]\"]{1,30}|[^ \t\r]")


class LineMistake(Exception):
    """A line leaves the grammar at a column, counted from 0."""

    def __init__(self, column: int, expected: str, found: str) -> None:
        super().__init__(expected)
        self.column, self.expected, self.found = column, expected, found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


# Numbers stay texts: they are only looked at to find their end, and huge ones take long to convert.
_JSON = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=_refuse)


def _depth(text: str) -> int:
    """How many levels of lists and objects a JSON text has."""
    depth = deepest = 0
    for match in _BRACKETS.finditer(text):
        depth += (match[0] in "[{") - (match[0] in "]}")
        deepest = max(deepest, depth)
    return deepest


class LineScanner:
    """A line, and how far it has been read; what does not fit raises LineMistake."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.skip_blanks()

    def skip_blanks(self) -> None:
        """Go to the next character that is not blank."""
        self.at = _BLANKS.match(self.text, self.at).end()  # type: ignore[union-attr]

    def next(self) -> str:
        """The next character, empty at the end of the line."""
        return self.text[self.at : self.at + 1]

    def fail(self, expected: str, at: int | None = None) -> NoReturn:
        """Say that something else was expected here, or at another column."""
        at = self.at if at is None else at
        if (found := _FOUND.match(self.text, at)) is not None:
            said = f"“{found[0]}”"
        else:
            said = "a blank" if at < len(self.text.rstrip(" \t\r")) else "the end of the line"
        raise LineMistake(at, expected, said)

    def take(self, pattern: re.Pattern[str]) -> str | None:
        """What matches here, and go past it; None if nothing does."""
        match = pattern.match(self.text, self.at)
        if match is None:
            return None
        self.at = match.end()
        return match[0]

    def take_sign(self, sign: str) -> bool:
        """Go past a sign, if it is what comes next."""
        if not self.text.startswith(sign, self.at):
            return False
        self.at += len(sign)
        return True

    def need_sign(self, sign: str) -> None:
        """Go past a sign that must come next."""
        if not self.take_sign(sign):
            self.fail(f"“{sign}”")

    def end_word(self) -> None:
        """Go past the blanks after a word, or stay at the bracket that closes here, or at the end of the line."""
        if _END_OF_WORD.match(self.text, self.at) is None:
            self.fail("a blank or a closing bracket")
        self.skip_blanks()

    def take_word(self, word: str) -> bool:
        """Go past a word and the blanks after it, if it is what comes next."""
        if self._peek_word() != word:
            return False
        self.at += len(word)
        self.end_word()
        return True

    def _peek_word(self) -> str:
        match = WORD.match(self.text, self.at)
        return "" if match is None else match[0]

    def word_of(self, words: tuple[str, ...], expected: str) -> str:
        """One of these words, and the blanks after it."""
        word = self._peek_word()
        if word not in words:
            self.fail(expected)
        self.at += len(word)
        self.end_word()
        return word

    def _whole(self, pattern: re.Pattern[str], expected: str) -> str:
        """What matches here and ends where a word may end, and the blanks after it."""
        start = self.at
        found = self.take(pattern)
        if found is None or _END_OF_WORD.match(self.text, self.at) is None:
            self.fail(expected, start)
        self.skip_blanks()
        return found

    def number(self) -> str:
        """An integer, as it is written."""
        return self._whole(_NUMBER, "a number")

    def count(self) -> str:
        """An integer that is not negative, as it is written."""
        return self._whole(_COUNT, "a number that is not negative")

    def numbers(self) -> list[str]:
        """Integers up to what is none."""
        found = []
        while self.next() and self.next() in "-0123456789":
            found.append(self.number())
        return found

    def seat(self) -> int:
        """The index of a seat, written as its letter."""
        return SEAT_LETTERS.index(
            self._whole(_SEAT, f"a seat ({SEAT_LETTERS[0]} to {SEAT_LETTERS[-1]})")
        )

    def card_here(self) -> str | None:
        """A card, if one comes next; what follows it is not looked at."""
        start = self.at
        card = KNOWN_CARDS.get(self.take(_CARD) or "")
        if card is None:
            self.at = start
        return card

    def card(self) -> str:
        """A card that stands by itself, and the blanks after it."""
        start = self.at
        card = self.card_here()
        if card is None or _END_OF_WORD.match(self.text, self.at) is None:
            self.fail("a card", start)
        self.skip_blanks()
        return card

    def cards(self) -> list[str]:
        """Cards, up to a bracket, a small letter, a quote or the end."""
        found = []
        while self.next() and (self.next().isupper() or self.next() in "0123456789?"):
            found.append(self.card())
        return found

    def json_value(self, expected: str = "a JSON value", *, above: int = 0) -> str:
        """A JSON value as it is written, and the blanks after it; so many levels of the record are above it."""
        start = self.at
        try:
            _, self.at = _JSON.raw_decode(self.text, start)
        except (ValueError, RecursionError):
            self.fail(expected, start)
        text = self.text[start : self.at]
        if text[0] in "[{" and _depth(text) > MAX_NESTING_DEPTH - above:
            self.fail(f"at most {MAX_NESTING_DEPTH - above} levels of lists and objects", start)
        self.end_word()
        return text

    def string(self, expected: str = "a text in quotes") -> str:
        """A text in quotes as JSON writes it, and the blanks after it."""
        if self.next() != '"':
            self.fail(expected)
        return self.json_value(f"{expected}, written as in JSON")

    def name(self, expected: str) -> str:
        """A word or a text in quotes, as JSON writes it, and the blanks after it."""
        word = self._peek_word()
        if not word:
            return self.string(expected)
        self.at += len(word)
        self.end_word()
        return f'"{word}"'

    def plain_value(self) -> str:
        """True, false, a number, a text or a word, as JSON writes it, and the blanks after it."""
        expected = "true, false, a number or a word"
        if self._peek_word() and self._peek_word() not in JSON_WORDS:
            return self.name(expected)
        if self.next() in ("{", "["):
            self.fail(expected)
        return self.json_value(expected)


def pointer_step(name: str) -> str:
    """A member name, given as JSON, as a JSON pointer writes it."""
    return str(json.loads(name)).replace("~", "~0").replace("/", "~1")
