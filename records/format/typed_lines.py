"""A line as people type it, made plain and then written anew by the grammar: what is understood in it, and where it stood.

Every character keeps the column that it, or what it stands for, has in the line as typed.
"""

import json
import re
import unicodedata
from array import array
from collections.abc import Callable
from typing import NamedTuple

from records.format.notation import KNOWN_CARDS, quote
from records.format.typed_cards import SUIT_SIGN_CLASS, SUIT_WORD, card_at, suit_letter
from records.phrases import with_article


class Understanding(NamedTuple):
    """Something that was taken for something else: its line and column, counted from 1, and both texts.

    `kind` says what it is: `sign`, `card`, `seat`, `word`, `date`, `tag`, or `left_out`, which says that it was passed over.
    """

    kind: str
    line: int
    column: int
    written: str
    read: str


class LineNotes:
    """What is understood in a line while it is rewritten."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.understood: list[Understanding] = []

    def add(self, kind: str, at: int, written: str, read: str) -> None:
        """Note what was taken for what; its place in the line is counted from 0."""
        self.understood.append(Understanding(kind, self.line, at + 1, written, read))


# Characters that look like others, and texts in quotes.

_ALIKE = {
    **dict.fromkeys("\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "),
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufe0e\ufe0f\ufeff", ""),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
    **dict.fromkeys("\uff1a\u2236", ":"),
    "\uff08": "(", "\uff09": ")", "\uff3b": "[", "\uff3d": "]", "\uff0c": ",", "\uff0b": "+", "\uff1d": "=", "\uff1f": "?",
}  # fmt: skip
"""Blanks, marks without width, dashes and wide signs, and the characters that they stand for."""
_OTHER_LETTERS = re.compile(r"(?<![^\W_])[^\W_]{2}(?![^\W_])")
_LETTERS_ALIKE = str.maketrans("АКТСНЈΑΚΤΗ", "AKTCHJAKTH")
"""Letters of the Cyrillic and the Greek alphabet that look like those of cards."""
_OPENING_QUOTES = {
    "\u201c": "\u201d",
    "\u201e": "\u201c\u201d",
    "\u00ab": "\u00bb",
    "\u201d": "\u201d",
}
"""Quotes that open a text, and those that close it."""
JSON_TEXT = re.compile(r'"(?:[^"\\]++|\\.)*+"')
JSON_SIGNS = tuple('"[{')
"""How JSON values begin, other than words and numbers."""


def unquoted(text: str) -> str | None:
    """What a text says without its quotes; None for what begins like another JSON value."""
    if JSON_TEXT.fullmatch(text):
        try:
            return str(json.loads(text))
        except ValueError:
            return None
    return None if text.startswith(JSON_SIGNS) else text


# Cards without blanks, and what people write at a card.

_FACE = rf"(?:10|[akqjtx2-9])[shdc{SUIT_SIGN_CLASS}]"
_ONE_FACE = re.compile(_FACE, re.IGNORECASE)
_ADJACENT_CARDS = re.compile(
    rf"(?<![^\W_]){_FACE}(?:\s*x\s*{_FACE}|-?{_FACE})+(?![^\W_])", re.IGNORECASE
)
"""Cards without a blank between them, or with the sign of a capture."""
_PAIR = re.compile(
    rf"(?<![^\W_])(?<![{SUIT_SIGN_CLASS}])K(?:\s*+[-+&/]?\s*+Q\s*+(?:of\s+|in\s+)?(?P<suit>{SUIT_WORD}(?![^\W_])|[{SUIT_SIGN_CLASS}])"
    r"|[-+&/]?Q(?P<letter>[shdc])(?![^\W_]))",
    re.IGNORECASE,
)
"""King and queen of one suit."""
_MARKS = re.compile(
    rf"(?<=\s)[*!]+(?={_FACE})|(?<=[a-z2-90{SUIT_SIGN_CLASS}])(?:[*!]+\??|\?!)(?=[\s,;.)|/&>=\u2192-]|\Z)",
    re.IGNORECASE,
)
"""Marks by which people praise or blame a card, or say that it took the trick."""
_TRUMPS = re.compile(r"(?<=\bof )trumps?\b|(?<=\bin )trumps?\b", re.IGNORECASE)


def _spread(found: re.Match[str]) -> str:
    """Cards with blanks between them; a word of small letters stays a word."""
    if found[0].isalpha() and found[0].islower():
        return found[0]
    return " ".join(_ONE_FACE.findall(found[0]))


def _both(found: re.Match[str]) -> str:
    suit = suit_letter(found["suit"] or found["letter"])
    return f"K{suit} Q{suit}"


class CleanLine:
    """A line without look-alikes, and the column that each of its characters has in the line as written."""

    def __init__(self, line: str, notes: LineNotes) -> None:
        self.notes, self.columns = notes, array("L")
        parts, at = list[str](), 0
        while at < len(line):
            part, end = self._plain(line, at)
            parts.append(part)
            self.columns.extend(min(at + place, end - 1) for place in range(len(part)))
            at = end
        self.text = "".join(parts)

    def _plain(self, line: str, at: int) -> tuple[str, int]:
        """The character or the text in quotes that begins there, in plain signs, and where it ends."""
        sign = line[at]
        if sign == '"' and (text := JSON_TEXT.match(line, at)) is not None:
            return text[0], text.end()
        if sign in _OPENING_QUOTES and (end := _end_of_quoted(line, at)):
            text_in_quotes = quote(line[at + 1 : end - 1])
            self.notes.add("sign", at, line[at:end], text_in_quotes)
            return text_in_quotes, end
        plain = _ALIKE.get(sign, sign)
        if plain != sign:
            name = unicodedata.name(sign, f"U+{ord(sign):04X}").lower()
            read = f"“{plain}”" if plain.strip() else "a blank" if plain else "nothing"
            self.notes.add("sign", at, with_article(name), read)
        return plain, at + 1

    def read_cards(self, trump: str) -> None:
        """Write the cards of a line of events with plain letters, with blanks between them and without marks.

        `trump` is the suit of trumps in words, for cards that are called a card of trumps; empty if it is not known.
        """
        self._read_letters()
        if trump:
            self._spell(_TRUMPS, lambda _: trump)
        self._spell(_MARKS, lambda _: "")
        self._spell(_ADJACENT_CARDS, _spread)
        self._spell(_PAIR, _both)

    def _read_letters(self) -> None:
        """Take wide letters and those of other alphabets for those that they look like, where that makes a card."""
        for found in _OTHER_LETTERS.finditer(self.text):
            card = unicodedata.normalize("NFKC", found[0]).translate(_LETTERS_ALIKE)
            if not found[0].isascii() and card in KNOWN_CARDS:
                self.notes.add("card", self.columns[found.start()], found[0], card)
                self.text = self.text[: found.start()] + card + self.text[found.end() :]

    def _spell(self, pattern: re.Pattern[str], spelling: Callable[[re.Match[str]], str]) -> None:
        """Put another text wherever a pattern matches outside quotes."""
        quoted = [text.span() for text in JSON_TEXT.finditer(self.text)]
        for found in reversed([*pattern.finditer(self.text)]):
            start, end = found.span()
            written = spelling(found)
            if written == found[0] or any(first < end and start < last for first, last in quoted):
                continue
            kind = "card" if written else "left_out"
            self.notes.add(kind, self.columns[start], found[0].strip(), written)
            self.text = self.text[:start] + written + self.text[end:]
            self.columns[start:end] = array("L", [self.columns[start]] * len(written))


def _end_of_quoted(line: str, start: int) -> int:
    """Where a text ends that begins with a curly quote, behind the quote that closes it; 0 if none does."""
    closing = _OPENING_QUOTES[line[start]]
    ends = [at + 1 for sign in closing + '"' if (at := line.find(sign, start + 1)) > 0]
    return min(ends, default=0)


# The line that is written.

_BLANKS = re.compile(r"\s*")
_BETWEEN_CARDS = re.compile(r"\s*[,|/&+-]\s*|\s+(?:and|und|et)\s+", re.IGNORECASE)


class NotUnderstood(Exception):
    """A line has something that is no habit; the reader says what is wrong with it."""


def after_blanks(text: str, at: int) -> int:
    """The place of the next character that is not blank."""
    return found.end() if (found := _BLANKS.match(text, at)) else at


class LineWriter:
    """Writes a line anew: `source` is read up to `at`, and `parts` has what was written for it."""

    def __init__(self, line: CleanLine) -> None:
        self.source, self._columns, self._notes = line.text, line.columns, line.notes
        self.at = 0
        self.parts: list[str] = []
        self.columns = array("L")

    def place(self) -> tuple[int, int, int, int]:
        """How far the line is written."""
        return self.at, len(self.parts), len(self.columns), len(self._notes.understood)

    def return_to(self, place: tuple[int, int, int, int]) -> None:
        """Take back what was written since."""
        self.at, parts, columns, notes = place
        del self.parts[parts:], self.columns[columns:], self._notes.understood[notes:]

    def column(self, at: int) -> int:
        """The column as written of a place in the source."""
        return (
            self._columns[at]
            if at < len(self._columns)
            else (self._columns[-1] + 1 if self._columns else 0)
        )

    def write(self, text: str, end: int, kind: str = "") -> None:
        """Write a text for what stands from here to there; of another text it is noted that it was understood."""
        written = self.source[self.at : end]
        if kind and text.strip() != written.strip():
            self._notes.add(kind, self.column(self.at), written.strip(), text.strip())
        self.add(text)
        self.at = end

    def add(self, text: str) -> None:
        """Write a text that stands for nothing of its own."""
        column = self.column(self.at)
        same = self.source.startswith(text, self.at)
        self.columns.extend(
            self.column(self.at + place) if same else column for place in range(len(text))
        )
        self.parts.append(text)

    def tell(self, kind: str, start: int, read: str) -> None:
        """Note what the text from a place up to here was taken for."""
        self._notes.add(kind, self.column(start), self.source[start : self.at].strip(), read)

    def leave_out(self, end: int) -> None:
        """Pass over what stands from here to there."""
        written = self.source[self.at : end]
        start = self.at + len(written) - len(written.lstrip())
        self._notes.add("left_out", self.column(start), written.strip(), "")
        self.at = end

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What matches here, without going past it."""
        return pattern.match(self.source, self.at)

    def skip_blanks(self) -> None:
        """Go to the next character that is not blank, and write one blank for them."""
        end = after_blanks(self.source, self.at)
        if end > self.at and self.parts and not self.parts[-1].endswith((" ", "(")):
            self.add(" ")
        self.at = end

    def write_cards(self) -> int:
        """Write cards with one blank between them, up to what is none; returns how many there were."""
        count = 0
        while True:
            between = self.take(_BETWEEN_CARDS) or self.take(_BLANKS)
            end = between.end() if between else self.at
            if (card := card_at(self.source, end)) is None or card[0].endswith(("h", "t")):
                return count
            if count:
                self.add(" ")
            self.at = end
            self.write(*card, "card")
            count += 1
