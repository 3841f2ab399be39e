"""What people type in place of the notation, understood: small letters, suit signs, words, blanks, curly quotes.

`understand` turns such a text into one that the grammar takes, line by line, and says what it took for what. It leaves a
line alone that it does not understand: the reader then says what is wrong there. Where a place has several readings it says
so, and takes none. `records/spec/notation.md` lists what is understood.
"""

import json
import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Callable, Sequence, Set
from typing import NamedTuple

from records.events import MELD_NAMES
from records.format.notation import KNOWN_CARDS, SEAT_LETTERS, NotationError, SeveralReadings, quote
from records.format.notation_reader import MOST_MISTAKES, DenotedRecord, read_notation
from records.format.semantics import read_time
from records.format.typed_actions import (
    ARTICLES,
    BULLETS,
    DISCARDS,
    DIX,
    DIX_ACTIONS,
    DIX_IN_WORDS,
    DRAWS,
    LINE_END,
    MARRIAGES,
    MARRIAGES_OF_A_KIND,
    MELDS,
    PLAYS,
    POINTS,
    SCORES,
    TRICK_NUMBERS,
    WINS_WITH,
    action_at,
)
from records.format.typed_cards import (
    RANK_WORDS,
    SUIT_SIGN_CLASS,
    SUIT_WORD,
    SeveralMeanings,
    card_at,
    need_one_card,
    suit_at,
    suit_letter,
)
from records.format.written_dates import WrittenDate, read_date
from records.phrases import with_article
from records.rules.compiled import meld_requirements
from records.rules.registry import SHEETS_BY_ID, named_sheet
from records.rules.vocabulary import RuleSheet

# What was understood.


class Understanding(NamedTuple):
    """Something that was taken for something else: its line and column, counted from 1, and both texts.

    `kind` says what it is: `sign`, `card`, `seat`, `word`, `date`, `tag`, or `left_out`, which says that it was passed over.
    """

    kind: str
    line: int
    column: int
    written: str
    read: str


class UnderstoodText:
    """A text in the notation, what was understood on the way to it, and what stays open; `origins` has each of its lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.origins: list[LineOrigin] = []
        self.understood: list[Understanding] = []
        self.questions: list[SeveralReadings] = []

    @property
    def text(self) -> str:
        """The text in the notation."""
        return "\n".join(self.lines)

    def add(self, text: str, number: int, columns: Sequence[int] = ()) -> None:
        """Add what is written for a line of the first text: one line or more."""
        at = 0
        for line in text.split("\n"):
            self.lines.append(line)
            self.origins.append(LineOrigin(number, columns[at : at + len(line)]))
            at += len(line) + 1

    def first_of_each_kind(self) -> list[tuple[Understanding, int]]:
        """The first of each kind that was understood, and how many others there are of it."""
        kinds = Counter(each.kind for each in self.understood)
        firsts = {each.kind: each for each in reversed(self.understood)}
        return [(each, kinds[each.kind] - 1) for each in sorted(firsts.values(), key=_place)]

    def origin(self, line: int, column: int) -> tuple[int, int]:
        """Where in the first text a place of this one comes from, both counted from 1."""
        if line > len(self.origins):
            return line, column
        origin = self.origins[line - 1]
        return origin.line, origin.column(column)


def _place(understanding: Understanding) -> tuple[int, int]:
    return understanding.line, understanding.column


class LineOrigin(NamedTuple):
    """Where a line comes from: its line, counted from 1, and for each of its characters the column, counted from 0."""

    line: int
    columns: Sequence[int]

    def column(self, column: int) -> int:
        """The column in the first text of a column in this line, both counted from 1."""
        if not self.columns:
            return column
        at = min(column - 1, len(self.columns) - 1)
        return self.columns[at] + column - at


MOST_UNDERSTOOD = 1_000
"""So many are kept of a text; it may have more."""

# Characters that look like others, outside quotes.

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
_JSON_TEXT = re.compile(r'"(?:[^"\\]++|\\.)*+"')


class _CleanLine:
    """A line without look-alikes, and the column that each of its characters has in the line as written."""

    def __init__(self, line: str, note: Callable[[str, int, str, str], None]) -> None:
        self.columns = array("L")
        parts: list[str] = []
        at = 0
        while at < len(line):
            sign = line[at]
            if sign == '"' and (text := _JSON_TEXT.match(line, at)) is not None:
                part, end = text[0], text.end()
            elif sign in _OPENING_QUOTES and (end := _end_of_quoted(line, at)):
                part = quote(line[at + 1 : end - 1])
                note("sign", at, line[at:end], part)
            else:
                part, end = _ALIKE.get(sign, sign), at + 1
                if part != sign:
                    name = unicodedata.name(sign, f"U+{ord(sign):04X}").lower()
                    note(
                        "sign",
                        at,
                        with_article(name),
                        f"“{part}”" if part.strip() else "a blank" if part else "nothing",
                    )
            parts.append(part)
            self.columns.extend(min(at + place, end - 1) for place in range(len(part)))
            at = end
        self.text = "".join(parts)

    def read_letters(self, note: Callable[[str, int, str, str], None]) -> None:
        """Take wide letters and those of other alphabets for those that they look like, where that makes a card."""
        for found in _OTHER_LETTERS.finditer(self.text):
            card = unicodedata.normalize("NFKC", found[0]).translate(_LETTERS_ALIKE)
            if not found[0].isascii() and card in KNOWN_CARDS:
                note("card", self.columns[found.start()], found[0], card)
                self.text = self.text[: found.start()] + card + self.text[found.end() :]

    def spell(
        self,
        pattern: re.Pattern[str],
        spelling: Callable[[re.Match[str]], str],
        note: Callable[[str, int, str, str], None],
    ) -> None:
        """Put another text wherever a pattern matches outside quotes."""
        quoted = [text.span() for text in _JSON_TEXT.finditer(self.text)]
        for found in reversed([*pattern.finditer(self.text)]):
            start, end = found.span()
            written = spelling(found)
            if written == found[0] or any(first < end and start < last for first, last in quoted):
                continue
            note("card" if written else "left_out", self.columns[start], found[0].strip(), written)
            self.text = self.text[:start] + written + self.text[end:]
            self.columns[start:end] = array("L", [self.columns[start]] * len(written))


def _end_of_quoted(line: str, start: int) -> int:
    """Where a text ends that begins with a curly quote, behind the quote that closes it; 0 if none does."""
    closing = _OPENING_QUOTES[line[start]]
    ends = [at + 1 for sign in closing + '"' if (at := line.find(sign, start + 1)) > 0]
    return min(ends, default=0)


# What stands between the events of a line.

_TIME = re.compile(r"\d+ms(?=[\s)]|\Z)")
_COMMENT = re.compile(r"\s*(?:;|//|(?<=\s)#|(?<=\s)--(?=\s))")
_SEPARATOR = re.compile(
    r"\s*(?:[,|/&\u2192>]|[-=]>)\s*(?:and\s+|then\s+)*|\s+[-x]\s+|\s*\.(?=\s|\Z)\s*|\s+(?:and|then|und|et)\s+(?:then\s+)?",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"\s*")
_BETWEEN_CARDS = re.compile(r"\s*[,|/&+-]\s*|\s+(?:and|und|et)\s+", re.IGNORECASE)
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


def _spread(found: re.Match[str]) -> str:
    """Cards with blanks between them; a word of small letters stays a word."""
    if found[0].isalpha() and found[0].islower():
        return found[0]
    return " ".join(_ONE_FACE.findall(found[0]))


def _both(found: re.Match[str]) -> str:
    suit = suit_letter(found["suit"] or found["letter"])
    return f"K{suit} Q{suit}"


_OPENED = re.compile(r"\s*\(\s*")
_TRUMPS = re.compile(r"(?<=\bof )trumps?\b|(?<=\bin )trumps?\b", re.IGNORECASE)


class _LineWriter:
    """A line as it is rewritten: what it says by the grammar, and where each character comes from."""

    def __init__(
        self,
        line: _CleanLine,
        notes: list[Understanding],
        note: Callable[[str, int, str, str], None],
    ) -> None:
        self.source, self._columns, self._note = line.text, line.columns, note
        self.at = 0
        self.parts: list[str] = []
        self.columns = array("L")
        self._notes = notes

    def place(self) -> tuple[int, int, int, int]:
        """How far the line is written."""
        return self.at, len(self.parts), len(self.columns), len(self._notes)

    def return_to(self, place: tuple[int, int, int, int]) -> None:
        """Take back what was written since."""
        self.at, parts, columns, notes = place
        del self.parts[parts:], self.columns[columns:], self._notes[notes:]

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
            self._note(kind, self.column(self.at), written.strip(), text.strip())
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
        self._note(kind, self.column(start), self.source[start : self.at].strip(), read)

    def leave_out(self, end: int) -> None:
        """Pass over what stands from here to there."""
        written = self.source[self.at : end]
        start = self.at + len(written) - len(written.lstrip())
        self._note("left_out", self.column(start), written.strip(), "")
        self.at = end

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What matches here, without going past it."""
        return pattern.match(self.source, self.at)

    def skip_blanks(self) -> None:
        """Go to the next character that is not blank, and write one blank for them."""
        end = _BLANKS.match(self.source, self.at).end()  # type: ignore[union-attr]
        if end > self.at and self.parts and not self.parts[-1].endswith((" ", "(")):
            self.add(" ")
        self.at = end


class _NotUnderstood(Exception):
    """A line has something that is no habit; the reader says what is wrong with it."""


MOST_READINGS_OF_A_MELD = 6
"""A meld that is named without its cards is asked about if the rules leave so many."""


class _EventLine:
    """Rewrites a line of events."""

    def __init__(self, writer: _LineWriter, seats: "_Seats", game: "_Game") -> None:
        self.out, self.seats, self.game = writer, seats, game
        self.plays = 0
        self.kind = ""

    def rewrite(self) -> None:
        """Rewrite the line; raises _NotUnderstood and SeveralMeanings."""
        out = self.out
        out.skip_blanks()
        if (bullet := out.take(BULLETS)) is not None:
            out.leave_out(bullet.end())
        self._number()
        self._items()
        if "".join(out.parts).rstrip(" .").isdigit():
            # A number alone is nothing.
            out.parts, out.columns = [], array("L")

    def _items(self) -> None:
        """Everything up to the end, or to a comment: what stands behind a semicolon is one if it is not understood."""
        out = self.out
        start, semicolon = out.at, None
        while out.at < len(out.source):
            comment = out.take(_COMMENT)
            if comment is not None and comment[0].strip() == ";":
                semicolon = out.place()
                out.write(" ", comment.end())
            elif comment is not None:
                out.leave_out(len(out.source))
                return
            try:
                self._part(start)
            except (_NotUnderstood, SeveralMeanings) as error:
                doubted = isinstance(error, SeveralMeanings) and out.source[error.end - 1] != "?"
                if semicolon is None or doubted:
                    raise
                out.return_to(semicolon)
                out.leave_out(len(out.source))

    def _part(self, start: int) -> None:
        """The next score, taker or item, with what stands before it."""
        out = self.out
        if (scores := out.take(SCORES)) is not None:
            out.leave_out(scores.end())
            return
        if self.plays and (taker := self.seats.taker_at(out.source, out.at)) is not None:
            out.write(f" {taker[0]}:takes", taker[1], "word")
            return
        if (between := out.take(_SEPARATOR)) is not None and out.at > start:
            out.write(" " if out.parts else "", between.end())
        out.skip_blanks()
        if out.at < len(out.source) and out.take(_COMMENT) is None:
            self._item()

    def _number(self) -> None:
        out = self.out
        if (number := out.take(TRICK_NUMBERS)) is None:
            return
        rest, sign = number.end(), number["word"] or number["th"] or number[4]
        if not sign and card_at(out.source, out.at) and not self._acts_at(rest):
            return  # the ten of a suit
        if (
            sign
            or out.source[rest : rest + 1] in ("", "(", "{", '"')
            or self.seats.actor_at(out.source, rest)
            or card_at(out.source, rest)
        ):
            out.write(f"{number[2]}. ", rest, "word" if sign != "." else "")

    def _acts_at(self, at: int) -> bool:
        """Whether somebody does something there."""
        actor, source = self.seats.actor_at(self.out.source, at), self.out.source
        return actor is not None and bool(card_at(source, actor[1]) or action_at(source, actor[1]))

    def _item(self) -> None:
        out = self.out
        sign = out.source[out.at]
        if sign == '"' and (text := out.take(_JSON_TEXT)) is not None:
            out.write(text[0], text.end())
        elif sign in "([" and self._acts_at(out.at):
            self._act(*self.seats.actor_at(out.source, out.at))  # type: ignore[misc]
        elif sign in "()":
            out.write(sign, out.at + 1)
        elif sign == "{":
            self._braces()
        elif (time := out.take(_TIME)) is not None:
            out.write(time[0], time.end())
        elif (by := out.take(re.compile(r"by\s+(?=\")"))) is not None:
            out.write("by ", by.end())
        elif (actor := self.seats.actor_at(out.source, out.at)) is not None:
            self._act(*actor)
        elif (card := card_at(out.source, out.at)) is not None:
            out.write(card[0], card[1], "card")
            self.plays += 1
        else:
            need_one_card(out.source, out.at)
            raise _NotUnderstood

    def _braces(self) -> None:
        """An extension, which names its domain, or a comment, as chess writes it."""
        out = self.out
        try:
            value, end = json.JSONDecoder().raw_decode(out.source, out.at)
            is_extension = bool(value) and all("." in name for name in value)
        except (ValueError, RecursionError):
            is_extension, end = False, out.at
        if is_extension:
            out.write(out.source[out.at : end], end)
            return
        end = out.source.find("}", out.at) + 1
        if not end:
            raise _NotUnderstood
        out.leave_out(end)

    def _act(self, seat: str, end: int) -> None:
        """What a seat does: a play, a draw, a discard, or something that has a name."""
        sign, end = self._sign_at(end)
        source = self.out.source
        if (article := ARTICLES.match(source, end)) is not None:
            end = article.end()
        if sign == ":" and self._act_in_words(seat, end):
            return
        card = card_at(source, end)
        if sign == ":" and card is None:
            end = self._meld_at(end)
            card = card_at(source, end)
        action = action_at(source, end) if sign == ":" and card is None else None
        if action is None and card is None:
            need_one_card(source, end)
            raise _NotUnderstood
        if action is None and ":" not in source[self.out.at : end]:
            self._need_one_deed(seat, end)
        self.out.write(f"{seat}{sign}", end, "seat")
        if action is not None:
            self._write_action(*action)
        elif card is not None:
            self.out.write(*card, "card")
            self.plays += sign == ":"

    def _sign_at(self, end: int) -> tuple[str, int]:
        """The sign of what a seat does, behind what names the seat, and where the sign or a verb ends."""
        source = self.out.source
        sign = source[end : end + 1]
        if sign in ("+", "-"):
            end += 1
        else:
            sign, end = self._verb_at(end)
        end = _BLANKS.match(source, end).end()  # type: ignore[union-attr]
        if sign == "-" and self.game.has_only_tricks and source[end - 1].isspace():
            sign = ":"  # a dash between a seat and its card: nobody discards in this game
        return sign, end

    def _act_in_words(self, seat: str, end: int) -> bool:
        """An exchange, a marriage of a suit, or a card that takes the trick, in words; false for anything else."""
        out, source = self.out, self.out.source
        if (dix := DIX_IN_WORDS.match(source, end)) is not None:
            out.write(f"{seat}:", end, "seat")
            out.write(f"dix({'show' if dix['show'] else 'exchange'})", dix.end(), "word")
            self._points()
        elif (suit := self._suit_of_marriage(end)) is not None:
            out.write(f"{seat}:", end, "seat")
            out.write(f"marriage(K{suit[0]} Q{suit[0]})", suit[1], "word")
            self._points()
        elif (won := WINS_WITH.match(source, end)) is not None:
            self._win(seat, won.end())
        else:
            return False
        return True

    def _verb_at(self, at: int) -> tuple[str, int]:
        """The sign of what is done with a card, by the verb that stands there or without one, and where the verb ends."""
        discarded = ":" if self.game.has_only_tricks else "-"
        for pattern, sign in ((PLAYS, ":"), (DRAWS, "+"), (DISCARDS, discarded)):
            if (verb := pattern.match(self.out.source, at)) is not None:
                return sign, verb.end()
        return ":", at

    def _suit_of_marriage(self, at: int) -> tuple[str, int] | None:
        """The suit of a marriage that is named before it, as in a diamond marriage, and where both end."""
        source = self.out.source
        verb = MELDS.match(source, at)
        suit = suit_at(source, verb.end() if verb else at)
        if suit is None:
            return None
        married = MARRIAGES.match(source, _BLANKS.match(source, suit[1]).end())  # type: ignore[union-attr]
        return (
            (suit[0], married.end()) if married and suit_at(source, married.end()) is None else None
        )

    def _win(self, seat: str, end: int) -> None:
        """A card that takes the trick."""
        out = self.out
        card = card_at(out.source, end)
        if card is None:
            raise _NotUnderstood
        out.write(f"{seat}:", end, "seat")
        out.write(*card, "card")
        out.add(f" {seat}:takes")
        self.plays += 1

    def _need_one_deed(self, seat: str, at: int) -> None:
        """Raise SeveralMeanings for cards behind a whole trick that may be a meld, or played one after the other."""
        cards, end = _cards_at(self.out.source, at)
        name = self.game.meld_of(cards)
        if name and self.plays == len(self.seats.names) == 2:
            laid = " ".join(cards)
            raise SeveralMeanings(self.out.at, end, (f"{seat}:{name}({laid})", f"{seat}:{laid}"))

    def _meld_at(self, at: int) -> int:
        """Where the name of a meld begins, behind a verb and the kind of a marriage; elsewhere the same place."""
        source, start = self.out.source, at
        verb = MELDS.match(source, at)
        at = verb.end() if verb else at
        self.kind = ""
        if (kind := MARRIAGES_OF_A_KIND.match(source, at)) is not None:
            at, self.kind = kind.end(), kind["kind"].lower()
        named = action_at(source, at)
        if named is None or named[0] not in (*MELD_NAMES, "carte_blanche"):
            return start
        if verb and verb["open"] and self.game.may_wait:
            raise SeveralMeanings(start, verb.end("open"), ("melds", "declare"))
        return at

    def _write_action(self, name: str, end: int) -> None:
        out = self.out
        start = out.at
        out.write(name, end, "word")
        if name == "dix":
            self._dix(start)
        elif name in MELD_NAMES:
            self._meld_cards(name, start)
        elif name == "declare" and out.take(_OPENED) is None:
            self._declared()
        elif name in ("declare", "cut", "score", "irregular"):
            self._brackets()
        if name not in ("takes", "declare", "cut"):
            self._points()

    def _points(self) -> None:
        if (points := self.out.take(POINTS)) is not None:
            self.out.write(f"={next(filter(None, points.groups()))}", points.end(), "word")

    def _dix(self, start: int) -> None:
        out = self.out
        found = out.take(DIX)
        if found is None:
            readings = tuple(f"dix({action})" for action in DIX_ACTIONS)
            raise SeveralMeanings(start, out.at, readings)
        action = next(action for action in DIX_ACTIONS if found[action])
        out.write(f"({action}", found.end(), "word")
        end = _BLANKS.match(out.source, out.at).end()  # type: ignore[union-attr]
        if (card := card_at(out.source, end)) is not None:
            out.add(" ")
            out.at = end
            out.write(*card, "card")
        self._close()

    def _close(self) -> None:
        """Write the bracket that closes, whether one stands there or not."""
        out = self.out
        end = _BLANKS.match(out.source, out.at).end()  # type: ignore[union-attr]
        if out.source.startswith(")", end):
            out.at = end + 1
        out.add(")")

    def _meld_cards(self, name: str, start: int) -> None:
        out = self.out
        opened = re.compile(r"\s*[:=]?\s*(\()?\s*(?:of|in|with|de)?\s*", re.IGNORECASE).match(
            out.source, out.at
        )
        end = opened.end() if opened else out.at
        if name == "marriage" and (suit := suit_at(out.source, end)) is not None:
            out.write(f"(K{suit[0]} Q{suit[0]}", suit[1], "card")
            self._close()
            return
        if card_at(out.source, end) is None:
            self._cards_by_the_rules(name, start)
            return
        out.add("(")
        out.at = end
        self._cards()
        if (laid := out.take(re.compile(r"\s*from\s+(?=\S)", re.IGNORECASE))) is not None:
            out.write(" from ", laid.end())
            self._cards()
        self._close()

    def _cards_by_the_rules(self, name: str, start: int) -> None:
        """The cards of a meld that is named alone: those that the rules leave, or a question where they leave a few."""
        out = self.out
        written = out.take(POINTS)
        points = int(next(filter(None, written.groups()))) if written is not None else None
        cards = self.game.cards_of(name, points, self.kind)
        if not 1 <= len(cards) <= MOST_READINGS_OF_A_MELD:
            raise _NotUnderstood
        if len(cards) > 1:
            raise SeveralMeanings(start, out.at, tuple(f"{name}({each})" for each in cards))
        out.tell("word", start, f"{name}({cards[0]})")
        out.add(f"({cards[0]})")

    def _cards(self) -> None:
        """Cards, with blanks or commas between them; raises _NotUnderstood without one."""
        out = self.out
        if not write_cards(out):
            raise _NotUnderstood

    def _declared(self) -> None:
        """The meld that is shown, and its cards, without brackets."""
        out = self.out
        out.add("(")
        out.at = _BLANKS.match(out.source, out.at).end()  # type: ignore[union-attr]
        named = action_at(out.source, out.at)
        if named is None or named[0] not in MELD_NAMES:
            raise _NotUnderstood
        out.write(f"{named[0]} ", named[1], "word")
        self._cards()
        self._close()

    def _brackets(self) -> None:
        """What stands in brackets, as it is."""
        out = self.out
        opened = out.take(_OPENED)
        close = out.source.find(")", out.at)
        if opened is None or close < 0:
            raise _NotUnderstood
        out.add("(")
        out.at = opened.end()
        out.write(out.source[out.at : close].strip(), close)
        self._close()


def write_cards(out: _LineWriter) -> int:
    """Write cards with one blank between them, up to what is none; returns how many there were."""
    count = 0
    while True:
        between = out.take(_BETWEEN_CARDS) or out.take(_BLANKS)
        end = between.end() if between else out.at
        if (card := card_at(out.source, end)) is None or card[0].endswith(("h", "t")):
            return count
        if count:
            out.add(" ")
        out.at = end
        out.write(*card, "card")
        count += 1


def _cards_at(text: str, at: int) -> tuple[list[str], int]:
    """The cards with blanks between them that begin there, and where the last of them ends."""
    cards, end = list[str](), at
    while (card := card_at(text, at)) is not None:
        cards.append(card[0])
        end = card[1]
        at = _BLANKS.match(text, end).end()  # type: ignore[union-attr]
    return cards, end


class _Game:
    """What the lines before say of the game: the suit of the card turned up, in words, and whether melds may wait to score."""

    def __init__(self) -> None:
        self.trump, self.may_wait = "", False
        self.has_only_tricks = False
        self._melds = frozenset[str]()
        self._sheet: RuleSheet | None = None

    def cards_of(self, name: str, points: int | None, kind: str = "") -> list[str]:
        """What the cards of a meld can be by the rules as published: of a marriage of a kind, and of a meld with such points."""
        if self._sheet is None:
            return []
        suit = self.trump[:1].upper()
        found = {
            " ".join(card for card, number in needed for _ in range(number)): None
            for needed, row in meld_requirements(self._sheet, suit or None)
            if row.name == name
            and points in (None, row.points)
            and (not kind or (needed[0][0][1] == suit) == (kind in ("royal", "trump")))
        }
        return sorted(found)

    def meld_of(self, cards: Sequence[str]) -> str:
        """What a pair or four of a kind is called here; empty for other cards."""
        ranks, suits = {card[0] for card in cards}, {card[1] for card in cards}
        names = [f"four_{word}s" for word, rank in RANK_WORDS.items() if ranks == {rank}]
        if len(cards) == 2:
            pairs = {"KQ": ["marriage"] if len(suits) == 1 else [], "JQ": ["bezique", "marjolet"]}
            names = pairs.get("".join(sorted(ranks)), [])
        elif len(cards) != 4:
            names = []
        return next((name for name in names if name in self._melds), "")

    def read(self, line: str) -> None:
        """Learn what a line in the notation says."""
        if (rules := _RULES_TAG.match(line)) is not None:
            sheet = SHEETS_BY_ID.get(rules[1])
            self._sheet = sheet
            self.has_only_tricks = sheet is not None and sheet.rules.tableau is None
            self.may_wait = sheet is None or sheet.rules.pending
            self._melds = frozenset(row.name for row in sheet.rules.melds) if sheet else frozenset()
        elif _OPTION_TAG.match(line) is not None:
            self._sheet = None  # its melds may be others
        elif _DEAL_TAG.match(line) is not None:
            self.trump = ""
        elif (turned := _TURN_UP_TAG.match(line)) is not None:
            self.trump = _WORDS_OF_SUITS[turned[1]]


class _Seats:
    """The players of a record, and who is meant where one of them stands: by the letter of the seat, or by name."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.are_letters_free = False
        """Whether no tag says which letter means whom, so that one may also be the first of a name."""
        self._compile()

    def add(self, name: str) -> None:
        """Add the player of the next seat, if there is one."""
        if len(self.names) < len(SEAT_LETTERS):
            self.names.append(name)
            self._compile()

    def letter_of(self, name: str) -> str | None:
        """The letter of the seat of a player; None if there is none or more than one of that name."""
        found = [
            place for place, each in enumerate(self.names) if each.casefold() == name.casefold()
        ]
        return SEAT_LETTERS[found[0]] if len(found) == 1 else None

    def seat_named(self, who: str) -> str | None:
        """The letter of a seat that is given by it or by the name of its player; None if nobody sits there."""
        letters = SEAT_LETTERS[: len(self.names)]
        return who.lower() if len(who) == 1 and who.lower() in letters else self.letter_of(who)

    def actor_at(self, text: str, at: int) -> tuple[str, int] | None:
        """The seat that acts there, and where what names it ends, with the colon behind it."""
        found = self._actors.match(text, at)
        if found is None:
            return None
        letter = self._seat_of(found["who"] or found["inside"], at)
        if letter is None or (not found["sign"] and card_at(text, at) is not None):
            return None
        return letter, found.end()

    def taker_at(self, text: str, at: int) -> tuple[str, int] | None:
        """The seat that is written behind a trick because it took it, and where that ends."""
        found = self._takers.match(text, at)
        letter = self._seat_of(found["who"], found.start("who")) if found is not None else None
        return None if found is None or letter is None else (letter, found.end())

    def _seat_of(self, who: str, at: int) -> str | None:
        """The letter of a seat that is named by it or by its player."""
        if len(who) > 1:
            return self.letter_of(who)
        if self.are_letters_free:
            self._need_one_meaning(who, at)
        return who.lower()

    def _need_one_meaning(self, letter: str, at: int) -> None:
        """Raise SeveralMeanings if a letter may mean one player by the seat and another by the name."""
        seated = self.names[SEAT_LETTERS.index(letter.lower())]
        meant = [name for name in self.names if name[:1].casefold() == letter.casefold()]
        if meant and meant != [seated]:
            raise SeveralMeanings(at, at + 1, tuple(dict.fromkeys([seated, *meant])))

    def _compile(self) -> None:
        names = sorted({name for name in self.names if len(name) > 1}, key=len, reverse=True)
        letters = SEAT_LETTERS[: len(self.names)] or SEAT_LETTERS
        who = "|".join([f"[{letters}]", *map(re.escape, names)])
        self._actors = re.compile(
            rf"(?P<who>{who})(?:['’]s)?(?:\s*(?P<sign>[:=]|\.(?=\s)|(?=[+-]\s*\S))\s*|\s+(?=\S))"
            rf"|[(\[]\s*(?P<inside>{who})\s*[)\]]\s*:?\s*(?=\S)",
            re.IGNORECASE,
        )
        self._takers = re.compile(
            rf"(?:\s*(?:(?P<open>[(\[])\s*(?:won\s+by\s+)?|(?P<sign>(?:[-=]+>|\u2192|=|(?:won|taken)\s+by)\s*))|\s+)(?P<who>{who})"
            rf"(?:['’]s(?:\s+trick)?)?(?(open)\s*[)\]])(?=(?(open)|(?(sign)|(?={LINE_END}|\s*[|;])))"
            rf"(?:{LINE_END}|\s*[,;|]|\s+(?:{who})(?:\s*[:=.]|\s+\w)))",
            re.IGNORECASE,
        )


# Tags.

_TAG = re.compile(
    r"\s*\[\s*(?P<name>[A-Za-z][A-Za-z_ -]*?)(?P<gap>\s+|\s*[:=]\s*|(?=\s*(?:\]|\Z)))"
)
_HEADER = re.compile(
    r"\s*(?P<name>rules|game|spiel|jeu|players?|spieler|joueurs|event|site|ort|lieu|date|datum|round|runde|claims)\s*[:=]\s*(?=\S)",
    re.IGNORECASE,
)
"""A tag without brackets."""
_TAG_NAMES = {
    "rule": "rules", "game": "rules", "players": "player", "options": "option", "turnup": "turn_up", "trumps": "trump",
    "spiel": "rules", "jeu": "rules", "spieler": "player", "joueurs": "player", "ort": "site", "lieu": "site", "datum": "date",
    "runde": "round", "hands": "hand", "claim": "claims", "dealer": "deal", "results": "result", "sheet": "rules",
}  # fmt: skip
_OCCASION = ("event", "site", "round", "date", "started", "place")
"""Tags that say something of the occasion, as those of chess do."""
_CARD_TAGS = ("turn_up", "trick", "spent_dixes", "tableau")
_SEAT_TAGS = ("deal", "setup", "seat")
_EDITION = re.compile(r"\s+edition\s+(\d+)\s*\Z", re.IGNORECASE)
_PLAYER_TAIL = re.compile(
    r'(\s+id\s+"(?:[^"\\]|\\.)*")?(\s+(?:person|program))?\s*\Z', re.IGNORECASE
)
_NO_NAME = re.compile(r"(?:[a-f](?:\s|\Z)|\Z)", re.IGNORECASE)
"""The letter of another seat, or nothing."""
_YES = {"yes": "true", "no": "false", "on": "true", "off": "false"}
_JSON_SIGNS = tuple('"[{')
_LISTED = re.compile(r"\s*[,;&]\s*|\s+(?:and|v|vs|-)\.?\s+", re.IGNORECASE)
_TWO_SCORES = re.compile(r"(\d+)\s*[-:/]\s*(\d+)")


class _TagLine:
    """Rewrites a line that is a tag."""

    def __init__(self, writer: _LineWriter, seats: _Seats, found: re.Match[str]) -> None:
        self.out, self.seats = writer, seats
        name = re.sub("[ -]", "_", found["name"].lower())
        self.name = _TAG_NAMES.get(name, name)
        start, end = found.end(), len(writer.source.rstrip())
        closed = writer.source.endswith("]", start, end)
        self.end = end - closed if start <= end - closed else start
        self.value = writer.source[start : self.end].strip()
        self.start = start
        self.begin = writer.source.find("[") if found.re is _TAG else found.start("name")
        self.is_list = name in ("players", "spieler", "joueurs")

    def rewrite(self) -> None:
        """Rewrite the line; raises _NotUnderstood and SeveralMeanings."""
        out, value = self.out, self.value
        if self.name in _OCCASION and (self.name != "seat"):
            self._tell(self.name, value)
        elif self.name == "meta":
            member, _, rest = value.partition(" ")
            self._tell(member.strip('"'), rest.strip() or '""')
        elif self.name == "rules":
            self._rules()
        elif self.is_list and (names := _LISTED.split(value))[1:]:
            self._players(names)
        elif self.name == "player":
            self._player()
        elif self.name == "claims" and (scores := _TWO_SCORES.fullmatch(value)) is not None:
            self._put(f"claims {scores[1]} {scores[2]}", "word")
        elif self.name == "option":
            *words, last = value.split() or [""]
            self._put(f"option {' '.join([*words, _YES.get(last.lower(), last)])}", "word")
        elif self.name in _SEAT_TAGS:
            self._put(f"{self.name} {self.seats.letter_of(value) or value.lower()}", "seat")
        elif self.name == "trump":
            suit = suit_at(f"{value} ", 0)
            self._put(f"trump {suit[0] if suit else value.upper()}", "card")
        elif self.name in (*_CARD_TAGS, "hand", "captured") or (
            self.name == "stock" and not value.isdigit()
        ):
            self._card_tag()
        else:
            self._put(f"{self.name} {value}".strip(), "")
        out.at = len(out.source)

    def _put(self, text: str, kind: str) -> None:
        """Write the whole tag; what differs of it is noted as of this kind."""
        out = self.out
        out.at = self.begin
        out.write(f"[{text}]", len(out.source.rstrip()), kind or "tag")

    def _tell(self, member: str, value: str) -> None:
        """A member of `meta`, with its value as JSON."""
        text = _unquoted(value)
        if member in ("started", "date") and text is not None:
            self._date(text)
        elif value.startswith(_JSON_SIGNS) or _is_json(value):
            self._put(f"meta {member} {value}", "tag")
        else:
            self._put(f"meta {member} {quote(value)}", "tag")

    def _date(self, text: str) -> None:
        readings = read_date(text)
        if not readings:
            self._put(f"meta {'started' if 'T' in text else 'date'} {quote(text)}", "tag")
            return
        if len(readings) > 1:
            at = self.out.source.index(text)
            raise SeveralMeanings(at, at + len(text), tuple(reading.iso() for reading in readings))
        self._put("]\n[".join(_date_tags(readings[0])), "date")

    def _rules(self) -> None:
        edition = _EDITION.search(self.value)
        name = self.value[: edition.start()] if edition else self.value
        sheet = named_sheet(name)
        if sheet is None:
            raise _NotUnderstood
        self._put(f"rules {sheet}" + (f" edition {edition[1]}" if edition else ""), "word")

    def _player(self) -> None:
        tail = _PLAYER_TAIL.search(self.value)
        name = self.value[: tail.start()] if tail else self.value
        end = tail[0].rstrip() if tail else ""
        letter = SEAT_LETTERS[len(self.seats.names) : len(self.seats.names) + 1]
        if letter and re.match(rf"{letter}\s*[:.]?\s+(?=\S)", name, re.IGNORECASE):
            name = re.sub(rf"\A{letter}\s*[:.]?\s+", "", name, flags=re.IGNORECASE)
        text = _unquoted(name.strip())
        if not letter or text is None or '"' in text or _NO_NAME.match(text):
            raise _NotUnderstood
        self.seats.add(text)
        self._put(f"player {letter} {quote(text)}{end}", "tag")

    def _players(self, names: Sequence[str]) -> None:
        tags = list[str]()
        if len(self.seats.names) + len(names) > len(SEAT_LETTERS):
            raise _NotUnderstood
        for name in names:
            text = _unquoted(name)
            if not text or '"' in text or _NO_NAME.match(text):
                raise _NotUnderstood
            tags.append(f"player {SEAT_LETTERS[len(self.seats.names)]} {quote(text)}")
            self.seats.add(text)
        self._put("]\n[".join(tags), "tag")

    def _card_tag(self) -> None:
        out = self.out
        out.at = self.begin
        out.write(f"[{self.name} ", self.start, "tag")
        if self.name in ("hand", "captured"):
            actor = self.seats.actor_at(out.source, out.at)
            if actor is None:
                raise _NotUnderstood
            out.write(f"{actor[0]} ", actor[1], "seat")
        write_cards(out)
        if out.source[out.at : self.end].strip():
            raise _NotUnderstood
        out.add("]")


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _unquoted(text: str) -> str | None:
    """What a text says without its quotes; None for what begins like another JSON value."""
    if _JSON_TEXT.fullmatch(text):
        try:
            return str(json.loads(text))
        except ValueError:
            return None
    return None if text.startswith(_JSON_SIGNS) else text


def _date_tags(written: WrittenDate) -> list[str]:
    """The tags that say when a match was: a moment with its zone, or a day, and the time by some clock."""
    if written.clock is not None and written.offset:
        return [f'meta started "{written.iso()}"']
    tags = [f'meta date "{written.day.isoformat()}"']
    return tags if written.clock is None else [*tags, f'meta time "{written.clock:%H:%M}"']


# A whole text.

_FIRST_TAG = "[bezique 1.0]"
_MOST_MISTAKES = 100_000
"""A text with more lines that leave the grammar is something else."""
_MOST_READINGS = 8
"""So often a text is read anew: a tag that is understood lets those after it be read."""
_PLAYER = re.compile(r'\s*\[player [a-f] ("(?:[^"\\]|\\.)*")')
_TITLE_PARTS = re.compile(r"\s*[,;]\s*")
_TITLE_PLAYERS = re.compile(r"(.+?)\s+(?:-|–|—|v|vs|v\.|vs\.|against|and|&)\s+(.+)", re.IGNORECASE)
_TITLE_TURN_UP = re.compile(
    r"(?:the\s+)?(?:turn(?:ed)?[- _]?up|trumps?(?:\s+card)?|retourne|aufgedeckt)\s*[:=]?\s*",
    re.IGNORECASE,
)
_TITLE_ORDER = ("rules", "players", *(f"players {letter}" for letter in SEAT_LETTERS), "date")
_WHO_DEALS = r"(?:dealer|geber|donneur|deals?)\s*[:=]?\s*(?P<name>[^\W\d].*)|(?P<who>[^\W\d].*?)\s+(?:deals|dealt|gibt|donne)"
_DEALER_BEHIND = re.compile(r"\s*\((?:dealer|deals|geber|donneur)\)\Z", re.IGNORECASE)
_DEAL_NUMBER = r"(?:deal|hand|donne)\s*(?:no\.?|nr\.?|#)?\s*\d{1,3}"
_DEALS = re.compile(rf"(?:{_DEAL_NUMBER}\s*[:.-]?\s*)?[(\[]?(?:{_WHO_DEALS})?[)\]]?", re.IGNORECASE)
_NEW_DEAL = re.compile(rf"{_DEAL_NUMBER}(?!\w)|{_WHO_DEALS}\Z", re.IGNORECASE)
_FINAL_SCORES = re.compile(
    r"(?:final\s+)?(?:scores?|totals?|points|results?|ergebnis|punkte)\s*[:=]?\s*(\d+)\s*(?:[-:/,]|\s)\s*(\d+)",
    re.IGNORECASE,
)


class TypedRecord(NamedTuple):
    """What a text denotes as it was typed, and what had to be understood for that: nothing, if it is None."""

    denoted: DenotedRecord
    typed: UnderstoodText | None


def read_as_typed(text: str, wanted: Set[str] = frozenset()) -> TypedRecord:
    """The record in a text, as `read_notation` reads it once what people type is understood.

    Places are those in the text as typed. Raises NotationError with the mistakes that remain, and NotationTooLarge.
    """
    if "\n" not in text:
        text = text.replace("\r", "\n")
    lines = text.split("\n")
    readings = 0
    mistaken = {number for number, line in enumerate(lines, 1) if _says_otherwise(line)}
    typed = _Typist(mistaken).read(lines) if mistaken else None
    while True:
        try:
            denoted = read_notation(
                typed.text if typed else text, wanted, most_mistakes=_MOST_MISTAKES
            )
        except NotationError as error:
            found = {
                typed.origin(each.line, each.column)[0] if typed else each.line
                for each in error.mistakes
            }
            readings += 1
            if (
                found <= mistaken
                or readings > _MOST_READINGS
                or len(error.mistakes) >= _MOST_MISTAKES
            ):
                raise _mistakes_left(error, typed) from None
            mistaken |= found
            typed = _Typist(mistaken).read(lines)
        else:
            break
    if typed is None:
        return TypedRecord(denoted, None)
    if typed.questions:
        raise NotationError([], typed.questions)
    places = {pointer: typed.origin(*at) for pointer, at in denoted.places.items()}
    return TypedRecord(denoted._replace(places=places), typed)


def _says_otherwise(line: str) -> bool:
    """Whether a tag is good by the grammar, and yet names rules or a time in another way than the format does."""
    if (rules := _RULES_TAG.match(line)) is not None:
        return rules[1] not in SHEETS_BY_ID and named_sheet(rules[1]) is not None
    if (date := _DATE_TAG.match(line)) is not None:
        return _ISO_DATE.fullmatch(date[1]) is None and bool(read_date(date[1]))
    started = _STARTED_TAG.match(line)
    return started is not None and read_time(started[1]) is None and bool(read_date(started[1]))


def _mistakes_left(error: NotationError, typed: UnderstoodText | None) -> NotationError:
    """The mistakes of a text at their places as typed; where a line has a question, that stands in their place."""
    if typed is None:
        return NotationError(error.mistakes[:MOST_MISTAKES])
    asked = {question.line for question in typed.questions}
    left = [
        mistake._replace(line=line, column=column)
        for mistake in error.mistakes[:MOST_MISTAKES]
        for line, column in [typed.origin(mistake.line, mistake.column)]
        if line not in asked
    ]
    return NotationError(left, typed.questions)


class _Typist:
    """Rewrites a text line by line; only lines that are `mistaken` change, and those only if they are understood."""

    def __init__(self, mistaken: Set[int]) -> None:
        self.mistaken, self.typed, self.seats = mistaken, UnderstoodText(), _Seats()
        self.game = _Game()
        self._begun = self._dealt = False
        self._turn_up = self._dealer = ""
        self._deals = 0

    def read(self, lines: Sequence[str]) -> UnderstoodText:
        """The text; lines are counted from 1."""
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.lstrip().startswith("#"):
                self.typed.add(line, number)
                continue
            if not self._begun:
                self._begin(line, number)
            if number in self.mistaken:
                self._rewrite(line, number)
            else:
                self._keep(line, number)
        return self.typed

    def _begin(self, line: str, number: int) -> None:
        self._begun = True
        if number in self.mistaken and not _BEZIQUE_TAG.match(line):
            self.typed.add(_FIRST_TAG, number)
            self.typed.understood.append(Understanding("tag", number, 1, "", _FIRST_TAG))

    def _keep(self, line: str, number: int) -> None:
        player = _PLAYER.match(line)
        if player is not None and (name := _unquoted(player[1])) is not None:
            self.seats.add(name)
        self._dealt = self._dealt or _DEAL_TAG.match(line) is not None
        self._add(line, number)

    def _add(self, text: str, number: int, columns: Sequence[int] = ()) -> None:
        for line in text.split("\n"):
            self.game.read(line)
            self._deals += _DEAL_TAG.match(line) is not None
        self.typed.add(text, number, columns)

    def _rewrite(self, line: str, number: int) -> None:
        if len(line) > _LONGEST_LINE:
            self.typed.add(line, number)
            return
        notes: list[Understanding] = []

        def note(kind: str, at: int, written: str, read: str) -> None:
            notes.append(Understanding(kind, number, at + 1, written, read))

        cleaned = _CleanLine(line, note)
        if _TAG.match(cleaned.text) is None:
            cleaned.read_letters(note)
            if trump := self.game.trump or _WORDS_OF_SUITS.get(self._turn_up[-1:], ""):
                cleaned.spell(_TRUMPS, lambda _: trump, note)
            cleaned.spell(_MARKS, lambda _: "", note)
            cleaned.spell(_ADJACENT_CARDS, _spread, note)
            cleaned.spell(_PAIR, _both, note)
        out = _LineWriter(cleaned, notes, note)
        try:
            self._rewrite_cleaned(out)
        except _NotUnderstood:
            self.typed.add(line, number)
        except SeveralMeanings as open_reading:
            written = out.source[open_reading.at : open_reading.end]
            at, end = out.column(open_reading.at) + 1, out.column(open_reading.end - 1) + 2
            self.typed.questions.append(
                SeveralReadings(number, at, end, written, open_reading.readings)
            )
            self.typed.add(line, number)
        else:
            self._add("".join(out.parts), number, out.columns)
            room = MOST_UNDERSTOOD - len(self.typed.understood)
            self.typed.understood += notes[: max(0, room)]

    def _rewrite_cleaned(self, out: _LineWriter) -> None:
        if (tag := _TAG.match(out.source) or _HEADER.match(out.source)) is not None:
            line = _TagLine(out, self.seats, tag)
            line.rewrite()
            self._dealt = self._dealt or line.name == "deal"
            return
        if self._head(out):
            return
        if not self._dealt:
            self._deal(out)
        _EventLine(out, self.seats, self.game).rewrite()

    def _head(self, out: _LineWriter) -> bool:
        """Take a line that says who plays what, who deals, which card is turned up, or how a deal ended; false for any other."""
        text = out.source.strip()
        if len(text) > _LONGEST_HEAD:
            return False
        if self._dealt and (scores := self._final_scores(text)):
            out.write(f"[claims {scores}]", len(out.source), "word")
            return True
        if self._dealt and not _NEW_DEAL.match(text):
            return self._turned(out)
        heads = [self._head_of(part, out) for part in _title_parts(text)]
        if not heads or any(head is None for head in heads):
            return False
        found = [head for head in heads if head is not None]
        if len({name for name, _ in found}) < len(found):
            raise _NotUnderstood
        lines = [
            f"[{tag}]"
            for order in _TITLE_ORDER
            for name, tags in found
            if name == order
            for tag in tags
        ]
        self._dealt = False
        if lines:
            out.write("\n".join(lines), len(out.source), "tag")
        else:
            out.leave_out(len(out.source))
        return True

    def _turned(self, out: _LineWriter) -> bool:
        """Write the tag of the card that is turned up, below that of its deal; false if the line says no such card."""
        if self._head_of(out.source.strip(), out) != ("turn_up", []):
            return False
        out.write(f"[turn_up {self._turn_up}]", len(out.source), "tag")
        self._turn_up = ""
        return True

    def _head_of(self, part: str, out: _LineWriter) -> tuple[str, list[str]] | None:
        """What a part of such a line says: its subject, and its tags; None if it says nothing of that kind."""
        if (deals := _DEALS.fullmatch(part)) is not None:
            who = deals["who"] or deals["name"] or ""
            dealer = self.seats.seat_named(who.rstrip(")] ")) if who else ""
            self._dealer = dealer or ""
            return None if dealer is None else ("dealer", [])
        if (turned := _TITLE_TURN_UP.match(part)) is not None:
            card = card_at(part, turned.end())
            if card is not None and card[1] == len(part):
                self._turn_up = card[0]
                return "turn_up", []
        if self._dealt or _NEW_DEAL.match(part):
            return None
        names, seated = _title_names(part, self.seats)
        for at, name in enumerate(names):
            if (deals := _DEALER_BEHIND.search(name)) is not None:
                names[at] = name[: deals.start()]
                self._dealer = SEAT_LETTERS[len(self.seats.names) + at]
        if names:
            tags = [
                f"player {SEAT_LETTERS[len(self.seats.names) + at]} {quote(name)}"
                for at, name in enumerate(names)
            ]
            for name in names:
                self.seats.add(name)
            self.seats.are_letters_free = not seated
            return f"players {tags[0][7]}" if seated else "players", tags
        return _title_tags(part, out)

    def _final_scores(self, text: str) -> str:
        """The points of the first deal as a line below it says them; empty if it says none."""
        if self._deals != 1:
            return ""
        if (scores := _FINAL_SCORES.fullmatch(text)) is not None:
            return f"{scores[1]} {scores[2]}"
        parts = [each.rpartition(" ") for each in _TITLE_PARTS.split(text)]
        letters = [self.seats.letter_of(name.rstrip(" :=")) for name, _, _ in parts]
        are_points = all(points.isdecimal() for _, _, points in parts)
        in_order = letters == [*SEAT_LETTERS[: len(self.seats.names)]]
        return " ".join(points for _, _, points in parts) if are_points and in_order else ""

    def _deal(self, out: _LineWriter) -> None:
        """The tags of a deal that has none: the seat before the one that leads has dealt."""
        if not self.seats.names:
            raise _NotUnderstood
        number = out.take(TRICK_NUMBERS)
        dealer, count = self._dealer, len(self.seats.names)
        if not dealer:
            actor = self.seats.actor_at(out.source, number.end() if number else 0)
            if actor is None:
                raise _NotUnderstood
            dealer = SEAT_LETTERS[(SEAT_LETTERS.index(actor[0]) - 1) % count]
        tags = [
            f"deal {dealer}",
            "knowledge public",
            *([f"turn_up {self._turn_up}"] if self._turn_up else []),
        ]
        out.write("".join(f"[{tag}]\n" for tag in tags), 0, "tag")
        self._dealt, self._dealer, self._turn_up = True, "", ""


_LONGEST_HEAD = 300
"""Characters of a line that says who plays what."""
_LONGEST_LINE = 4_000
"""Characters of a line that is rewritten; nobody types longer ones."""
_RULES_TAG = re.compile(r'\[rules "?([^"\]\s]+)')
_DATE_TAG = re.compile(r'\[meta date "([^"\\]*)"')
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_STARTED_TAG = re.compile(r'\[meta started "([^"\\]*)"')
_TURN_UP_TAG = re.compile(r"\s*\[turn_up (?:10|\w)([SHDC])")
_WORDS_OF_SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_BEZIQUE_TAG = re.compile(r"\s*\[\s*bezique\b", re.IGNORECASE)
_OPTION_TAG = re.compile(r"\s*\[(?:option|json sheet)\b")
_DEAL_TAG = re.compile(r"\s*\[deal\b")


def _title_parts(text: str) -> list[str]:
    """The parts of a line that says who plays what; behind the name of a game may stand a colon."""
    game, colon, rest = text.partition(":")
    parts = [game, rest.strip()] if colon and named_sheet(game) else [text]
    return [piece for part in parts for piece in _TITLE_PARTS.split(part) if piece]


def _title_names(part: str, seats: "_Seats") -> tuple[list[str], bool]:
    """The players that a part of a line names, in the order of the seats, and whether it gives them letters."""
    letter = SEAT_LETTERS[len(seats.names) : len(seats.names) + 1]
    if letter and (
        seated := re.fullmatch(rf"(?:player\s+)?{letter}\s*[:=]\s*(\S.*)", part, re.IGNORECASE)
    ):
        return [seated[1]], True
    if seats.names or read_date(part) or (players := _TITLE_PLAYERS.fullmatch(part)) is None:
        return [], False
    return [players[1].strip(), players[2].strip()], False


def _title_tags(part: str, out: _LineWriter) -> tuple[str, list[str]] | None:
    """The rules or the date that a part of a line says; None if it says neither."""
    if (sheet := named_sheet(part)) is not None:
        return "rules", [f"rules {sheet}"]
    readings = read_date(part)
    if len(readings) > 1:
        at = out.source.index(part)
        raise SeveralMeanings(at, at + len(part), tuple(reading.iso() for reading in readings))
    return ("date", _date_tags(readings[0])) if readings else None
