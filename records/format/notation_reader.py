"""From the notation to the record that it denotes, as JSON, with all mistakes of the text."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import NamedTuple, NoReturn, get_args

from records.cards import LABEL_PATTERN
from records.events import MELD_NAMES, SCORE_NAMES
from records.format.notation import (
    ACTIONS,
    JSON_WORDS,
    KNOWN_CARDS,
    PLACE_LETTERS,
    SEAT_LETTERS,
    WORD,
    NotationError,
    NotationMistake,
    NotationTooLarge,
)
from records.pointers import pointer_step
from records.record import MAX_NESTING_DEPTH, MAX_RECORD_BYTES, Knowledge

# One line of the notation, read from left to right.

_BLANKS = re.compile(r"[ \t\r]*+")
_CARD = re.compile(rf"(?:10|[AKQJT2-9?])[SHDC?](?:{LABEL_PATTERN})?")
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


# The events of a deal: from the lines of the notation to JSON.

_TRICK_NUMBER = re.compile(r"[0-9]++\.(?=[ \t\r])")
_MILLISECONDS = re.compile(r"(?:0|[1-9][0-9]*+)ms(?=[ \t\r)]|\Z)")
_ACTOR = re.compile(f"[{SEAT_LETTERS}][:+-]")
_PLACES = {letter: place for place, letter in PLACE_LETTERS.items()}
_IRREGULARITIES = ("revoke", "exposed_card", "withdrawn_meld", "misdeal", "other")
_EVENT = "an event, such as a:QS, b+9D or a:marriage(KS QS)=20"

Mark = Callable[[str, int], None]
"""Notes that what a JSON pointer leads to stands at this column of the line being read."""


class _EventTexts:
    """The events of a deal or of a line, each as its JSON object without the brace that ends it."""

    def __init__(self, last_player: int | None) -> None:
        self.texts: list[str] = []
        self.last_player = last_player
        self.size = 0
        self.has_time = self.has_extensions = True
        """Whether nothing of that kind may follow, for there is no event or it has one."""

    def add(self, text: str) -> None:
        """Add an event."""
        self.texts.append(text)
        self.size += len(text)
        self.has_time = self.has_extensions = False

    def extend_last(self, member: str) -> None:
        """Add a member to the last event."""
        self.texts[-1] += member
        self.size += len(member)

    def close(self) -> None:
        """Let the next time or extension belong to no event."""
        self.has_time = self.has_extensions = True

    def json(self) -> str:
        """The list of events."""
        return "[" + "},".join(self.texts) + ("}]" if self.texts else "]")


class EventReader:
    """Reads the lines of one deal that hold its events, with the notes and the lines among them."""

    def __init__(self, deal: int, seats: int, mark: Mark) -> None:
        self.deal, self.seats, self.mark = deal, max(seats, 1), mark
        self.events = _EventTexts(None)
        self.leads: list[int] = []
        self.follows: list[int] = []
        """The plays without a seat, by their events: at the start of a trick, and after the start."""
        self._played_in_line = 0
        self.notes: list[str] = []
        self.lines: list[str] = []
        self.notes_before = self.lines_before = 0
        """How many notes and lines the deals before this one have."""
        self._line: _EventTexts | None = None
        self._head_of_line = ""

    @property
    def size(self) -> int:
        """About how many bytes the events have so far as JSON."""
        return self.events.size + (self._line.size if self._line else 0)

    @property
    def in_line(self) -> bool:
        """Whether a bracket is open."""
        return self._line is not None

    def drop_line(self) -> None:
        """Forget the bracket that is open."""
        self._line = None

    def read(self, scanner: LineScanner) -> None:
        """Read a line of events; raises LineMistake."""
        if scanner.take(_TRICK_NUMBER):
            scanner.skip_blanks()
        self._played_in_line = 0
        self._read_item(scanner)
        while scanner.next():
            self._read_item(scanner)

    def _read_item(self, scanner: LineScanner) -> None:
        sign = scanner.next()
        events = self._line or self.events
        if sign == '"' and self._line is None:
            self._read_note(scanner)
        elif sign == "(" and self._line is None:
            self._open_line(scanner)
        elif sign == ")" and self._line is not None:
            self._close_line(scanner)
        elif sign == "{" and not events.has_extensions:
            events.extend_last(f',"ext":{scanner.json_value(above=5)}')
            events.has_extensions = True
        elif not events.has_time and (time := scanner.take(_MILLISECONDS)):
            events.extend_last(f',"ms":{time[:-2]}')
            events.has_time = True
            scanner.skip_blanks()
        else:
            self._read_event(scanner, events)

    def _read_note(self, scanner: LineScanner) -> None:
        self.mark(f"/notes/{self.notes_before + len(self.notes)}", scanner.at)
        text = scanner.string()
        by = _by(scanner)
        count = len(self.events.texts)
        at = f"[{self.deal},{count - 1}]" if count else f"[{self.deal}]"
        self.notes.append(f'{{"at":{at},"text":{text}{by}}}')
        self.events.size += len(self.notes[-1])

    def _open_line(self, scanner: LineScanner) -> None:
        self.mark(self._pointer_of_line(), scanner.at)
        scanner.take_sign("(")
        scanner.skip_blanks()
        text = f',"text":{scanner.string()}' if scanner.next() == '"' else ""
        self._head_of_line = (
            f'{{"at":[{self.deal},{len(self.events.texts)}]{text}{_by(scanner)},"events":'
        )
        self._line = _EventTexts(self.events.last_player)

    def _close_line(self, scanner: LineScanner) -> None:
        scanner.take_sign(")")
        scanner.end_word()
        if self._line is not None:
            self.lines.append(f"{self._head_of_line}{self._line.json()}}}")
            self.events.size += len(self.lines[-1])
        self._line = None
        self.events.close()

    def _pointer_of_line(self) -> str:
        return f"/lines/{self.lines_before + len(self.lines)}"

    def _read_event(self, scanner: LineScanner, events: _EventTexts) -> None:
        above = f"/deals/{self.deal}" if events is self.events else self._pointer_of_line()
        self.mark(f"{above}/events/{len(events.texts)}", scanner.at)
        actor = scanner.take(_ACTOR)
        if actor is None:
            events.add(self._play(scanner, events, None))
        else:
            seat, sign = SEAT_LETTERS.index(actor[0]), actor[1]
            if sign != ":":
                kind = "draw" if sign == "+" else "discard"
                events.add(f'{{"type":"{kind}","seat":{seat},"card":"{scanner.card()}"')
            elif scanner.next().islower():
                events.add(_read_action(scanner, seat))
            else:
                events.add(self._play(scanner, events, seat))
        scanner.skip_blanks()

    def _play(self, scanner: LineScanner, events: _EventTexts, seat: int | None) -> str:
        """A play; who plays is who is given, or whose turn follows."""
        start = scanner.at
        card = scanner.card_here()
        if card is None:
            expected = (
                _EVENT
                if seat is None
                else "a card, takes, or what is done, such as marriage(KS QS)"
            )
            scanner.fail(expected if self._line is None else f"{expected}, or “)”")
        if seat is None:
            if events.last_player is None and events is not self.events:
                scanner.fail("who plays the first card, such as a:QS", start)
            self._note_unsaid(events)
            seat = (0 if events.last_player is None else events.last_player + 1) % self.seats
        events.last_player = seat
        self._played_in_line += 1
        letter = scanner.next()
        place = _PLACES.get(letter)
        scanner.take_sign(letter if place else "")
        scanner.end_word()
        source = "" if place is None else f',"from":"{place}"'
        return f'{{"type":"play","seat":{seat},"card":"{card}"{source}'

    def _note_unsaid(self, events: _EventTexts) -> None:
        """Note that the next event is a play without a seat; in a line of play it follows the one before."""
        if events is self.events:
            leads = events.last_player is None or self._played_in_line % self.seats == 0
            (self.leads if leads else self.follows).append(len(events.texts))


def _by(scanner: LineScanner) -> str:
    """The member that says who wrote a text, if that is said."""
    return f',"by":{scanner.string("a name in quotes")}' if scanner.take_word("by") else ""


def _read_action(scanner: LineScanner, seat: int) -> str:
    start = scanner.at
    word = scanner.take(WORD)
    if word not in ACTIONS:
        scanner.fail("takes, or what is done, such as marriage(KS QS)", start)
    if word == "takes":
        members = f'{{"type":"trick","winner":{seat}'
    elif word in MELD_NAMES:
        members = f'{{"type":"meld","seat":{seat},"meld":"{word}"{_meld_members(scanner)}'
    else:
        members = f'{{"type":"{word}","seat":{seat}{_MEMBERS[word](scanner)}'
    if word not in ("takes", "declare", "cut") and scanner.take_sign("="):
        members += f',"points":{scanner.number()}'
    else:
        scanner.end_word()
    return members


def card_list(cards: Iterable[str]) -> str:
    """Cards as a JSON list."""
    return json_list([f'"{card}"' for card in cards])


def _open(scanner: LineScanner) -> None:
    scanner.need_sign("(")
    scanner.skip_blanks()


def _close(scanner: LineScanner, expected: str = "“)”") -> None:
    if not scanner.take_sign(")"):
        scanner.fail(expected)


def _meld_members(scanner: LineScanner) -> str:
    _open(scanner)
    members = f',"cards":{card_list(scanner.cards())}'
    if scanner.take_word("from"):
        members += f',"from_tableau":{card_list(scanner.cards())}'
    _close(scanner, "a card or “)”")
    return members


def _declare_members(scanner: LineScanner) -> str:
    _open(scanner)
    meld = scanner.word_of(MELD_NAMES, "the name of a meld")
    members = f',"meld":"{meld}","cards":{card_list(scanner.cards())}'
    _close(scanner, "a card or “)”")
    return members


def _dix_members(scanner: LineScanner) -> str:
    _open(scanner)
    action = scanner.word_of(("exchange", "show", "play"), "exchange, show or play")
    card = "" if scanner.next() in (")", "") else f',"card":"{scanner.card()}"'
    _close(scanner)
    return f',"action":"{action}"{card}'


def _cut_members(scanner: LineScanner) -> str:
    _open(scanner)
    members = f',"packet":{scanner.count()}'
    if scanner.take_word("guess"):
        members += f',"guess":{scanner.count()}'
    _close(scanner, "guess or “)”")
    return members


def _score_members(scanner: LineScanner) -> str:
    _open(scanner)
    what = scanner.word_of(SCORE_NAMES, f"what scores: {', '.join(SCORE_NAMES)}")
    count = "" if scanner.next() in (")", "") else f',"count":{scanner.count()}'
    _close(scanner)
    return f',"for":"{what}"{count}'


def _irregular_members(scanner: LineScanner) -> str:
    _open(scanner)
    what = scanner.word_of(_IRREGULARITIES, f"what went wrong: {', '.join(_IRREGULARITIES)}")
    cards = f',"cards":{card_list(scanner.cards())}' if scanner.take_word("cards") else ""
    text = f',"text":{scanner.string()}' if scanner.next() == '"' else ""
    _close(scanner, "cards, a text in quotes or “)”")
    return f',"what":"{what}"{cards}{text}'


_MEMBERS: dict[str, Callable[[LineScanner], str]] = {
    "declare": _declare_members,
    "dix": _dix_members,
    "carte_blanche": lambda scanner: "",
    "cut": _cut_members,
    "score": _score_members,
    "irregular": _irregular_members,
}
"""What stands in the brackets after each action, as members of its event."""


# A record being read from the notation: its members, as texts of JSON.

TextPosition = tuple[int, int]
"""A line and a column, in characters, both from 1."""


class SetupText:
    """The members of a `setup`."""

    def __init__(self) -> None:
        self.members: dict[str, str] = {}
        self.hands: list[str] = []
        self.tables: list[str] = []
        self.captured: list[str] = []

    def json(self) -> str:
        """The setup as a JSON object."""
        members = dict(self.members, hands=json_list(self.hands))
        members |= _lists(tables=self.tables, captured=self.captured)
        return json_object(members)


class DealText:
    """The members of the deal being read."""

    def __init__(self, events: EventReader) -> None:
        self.members: dict[str, str] = {}
        self.hands: list[str] = []
        self.extensions: list[str] = []
        self.setup: SetupText | None = None
        self.events = events

    def json(self) -> str:
        """The deal as a JSON object; what is given twice stands there twice, for the decoder to tell."""
        more = _lists(hands=self.hands)
        if self.setup is not None:
            more["setup"] = self.setup.json()
        if self.events.events.texts:
            more["events"] = self.events.events.json()
        if self.extensions:
            more["ext"] = _braced(self.extensions)
        return json_object(self.members, more)


class RecordText:
    """The members of the record being read, and where those stand that are `wanted`, by their JSON pointers."""

    def __init__(self, wanted: Set[str]) -> None:
        self.members: dict[str, str] = {"format": '"bezique-record"'}
        self.rules: list[str] = []
        self.options: list[str] = []
        self.players: list[str] = []
        self.sides: list[str] = []
        self.meta: list[str] = []
        self.extensions: list[str] = []
        self.deals: list[str] = []
        self.notes: list[str] = []
        self.lines: list[str] = []
        self.deal: DealText | None = None
        self.places: dict[str, TextPosition] = {}
        self.leads: dict[int, list[int]] = {}
        self.follows: dict[int, list[int]] = {}
        self.line_number = 0
        self.is_begun = False
        self._wanted = wanted
        self._size = 0

    def mark(self, pointer: str, column: int) -> None:
        """Note that a value stands at a column, from 0, of the line being read."""
        if pointer in self._wanted:
            self.places.setdefault(pointer, (self.line_number, column + 1))

    def start_deal(self) -> DealText:
        """Begin the next deal."""
        self.end_deal()
        events = EventReader(len(self.deals), len(self.players), self.mark)
        events.notes_before, events.lines_before = len(self.notes), len(self.lines)
        self.deal = DealText(events)
        return self.deal

    def end_deal(self) -> None:
        """Add the deal being read to the others."""
        if self.deal is None:
            return
        events = self.deal.events
        if events.leads:
            self.leads[len(self.deals)], self.follows[len(self.deals)] = (
                events.leads,
                events.follows,
            )
        self.deals.append(self.deal.json())
        self.notes += events.notes
        self.lines += events.lines
        self._size += len(self.deals[-1])
        self.deal = None

    def limit(self) -> None:
        """Raise NotationTooLarge if there are more bytes than a record may have."""
        size = self._size + (self.deal.events.size if self.deal else 0)
        if size > MAX_RECORD_BYTES:
            raise NotationTooLarge

    def json(self) -> str:
        """The record as JSON; raises NotationTooLarge."""
        self.end_deal()
        more = {}
        if self.rules:
            options = [f'"options":{_braced(self.options)}'] if self.options else []
            more["rules"] = _braced([*self.rules, *options])
        for name, members in (("meta", self.meta), ("ext", self.extensions)):
            if members:
                more[name] = _braced(members)
        more |= _lists(players=self.players, deals=self.deals, notes=self.notes, lines=self.lines)
        text = json_object(self.members, more)
        if len(text) > MAX_RECORD_BYTES:
            raise NotationTooLarge
        return text


def json_list(values: Sequence[str]) -> str:
    """A JSON list of values."""
    return "[" + ",".join(values) + "]"


def _lists(**lists: Sequence[str]) -> dict[str, str]:
    return {name: json_list(values) for name, values in lists.items() if values}


def json_object(*parts: Mapping[str, str]) -> str:
    """A JSON object of members whose names need no escapes."""
    return _braced([f'"{name}":{value}' for part in parts for name, value in part.items()])


def _braced(members: Sequence[str]) -> str:
    return "{" + ",".join(members) + "}"


# The tags of the notation, `[hand a AS KS]`: from one line each to members of the record.

_VERSION = re.compile(r"[0-9]++\.[0-9]++(?=[ \t\r\]]|\Z)")
_CARDS_LEFT = re.compile(r"(?=[0-9]++(?:[ \t\r\]]|\Z))")
_SIDE = re.compile(f"[{SEAT_LETTERS}]++(?=[ \t\r\\]]|\\Z)")
_ALREADY = "something else: this has been said above"


def read_tag(record: RecordText, scanner: LineScanner) -> None:
    """Read a line that is a tag; raises LineMistake."""
    scanner.need_sign("[")
    start = scanner.at
    name = scanner.take(WORD) or ""
    tags = _TAGS_OF_RECORD if record.deal is None else _TAGS_OF_DEAL
    if name not in tags:
        words = ", ".join(sorted(tags))
        scanner.fail(f"a tag of {'a record' if record.deal is None else 'a deal'}: {words}", start)
    scanner.end_word()
    tags[name](record, scanner)
    if not scanner.take_sign("]"):
        scanner.fail("“]”")
    scanner.skip_blanks()
    if scanner.next():
        scanner.fail("nothing after the “]”")


def _set(scanner: LineScanner, members: dict[str, str], name: str, value: str) -> None:
    if name in members:
        scanner.fail(_ALREADY)
    members[name] = value


def _numbers(scanner: LineScanner) -> str:
    return json_list(scanner.numbers())


def _cards(scanner: LineScanner) -> str:
    return card_list(scanner.cards())


def _next_seat(scanner: LineScanner, given: list[str]) -> None:
    """Read the letter of the seat that comes next in a list with one entry a seat."""
    start = scanner.at
    expected = SEAT_LETTERS[len(given) : len(given) + 1]
    if scanner.seat() != len(given):
        scanner.fail(f"seat {expected}" if expected else "no more seats", start)


# Tags of the record.


def _bezique(record: RecordText, scanner: LineScanner) -> None:
    version = scanner.take(_VERSION)
    if version is None:
        scanner.fail("the version of the format, 1.0")
    scanner.skip_blanks()
    record.mark("/version", scanner.at)
    _set(scanner, record.members, "version", f'"{version}"')


def _rules(record: RecordText, scanner: LineScanner) -> None:
    if record.rules:
        scanner.fail(_ALREADY)
    record.mark("/rules", scanner.at)
    record.mark("/rules/id", scanner.at)
    record.rules.append(f'"id":{scanner.name("the id of a rule sheet")}')
    if scanner.take_word("edition"):
        record.mark("/rules/edition", scanner.at)
        record.rules.append(f'"edition":{scanner.count()}')


def _option(record: RecordText, scanner: LineScanner) -> None:
    if not record.rules:
        scanner.fail("[rules …] first")
    at = scanner.at
    name = scanner.name("the name of an option")
    record.mark(f"/rules/options/{pointer_step(json.loads(name))}", at)
    record.options.append(f"{name}:{scanner.plain_value()}")


def _player(record: RecordText, scanner: LineScanner) -> None:
    record.mark(f"/players/{len(record.players)}", scanner.at)
    _next_seat(scanner, record.players)
    members = f'"name":{scanner.string("a name in quotes")}'
    if scanner.take_word("id"):
        members += f',"id":{scanner.string()}'
    for kind in ("person", "program"):
        if scanner.take_word(kind):
            members += f',"kind":"{kind}"'
            break
    record.players.append(f"{{{members}}}")


def _sides(record: RecordText, scanner: LineScanner) -> None:
    record.mark("/sides", scanner.at)
    sides = []
    while (side := scanner.take(_SIDE)) is not None:
        scanner.skip_blanks()
        record.sides.append(side)
        sides.append(json_list([str(SEAT_LETTERS.index(letter)) for letter in side]))
    _set(scanner, record.members, "sides", json_list(sides))


def _meta(record: RecordText, scanner: LineScanner) -> None:
    at = scanner.at
    name = scanner.name("the name of what is told")
    record.mark(f"/meta/{pointer_step(json.loads(name))}", at)
    record.meta.append(f"{name}:{scanner.json_value(above=2)}")


def _result(record: RecordText, scanner: LineScanner) -> None:
    record.mark("/result", scanner.at)
    members = []
    for status in ("complete", "unfinished", "abandoned"):
        if scanner.take_word(status):
            members.append(f'"status":"{status}"')
            break
    for name in ("scores", "settlement"):
        record.mark(f"/result/{name}", scanner.at)
        if scanner.take_word(name):
            members.append(f'"{name}":{_numbers(scanner)}')
    record.mark("/result/winner", scanner.at)
    if scanner.take_word("winner"):
        members.append(f'"winner":{_winner(record, scanner)}')
    _set(scanner, record.members, "result", _braced(members))


def _winner(record: RecordText, scanner: LineScanner) -> str:
    if scanner.take_word("none"):
        return "null"
    sides = record.sides or [*SEAT_LETTERS[: len(record.players)]]
    start = scanner.at
    side = scanner.take(_SIDE)
    if side not in sides:
        scanner.fail(f"a side ({', '.join(sides)}) or none", start)
    scanner.skip_blanks()
    return str(sides.index(side))


def _provenance(record: RecordText, scanner: LineScanner) -> None:
    record.mark("/provenance", scanner.at)
    members = [
        f'"{name}":{scanner.string()}'
        for name in ("made", "program", "version")
        if scanner.take_word(name)
    ]
    _set(scanner, record.members, "provenance", _braced(members))


def _extension(record: RecordText, scanner: LineScanner) -> None:
    at = scanner.at
    name = scanner.name("a domain, such as org.example.table")
    above = "" if record.deal is None else f"/deals/{len(record.deals)}"
    record.mark(f"{above}/ext/{pointer_step(json.loads(name))}", at)
    given = record.extensions if record.deal is None else record.deal.extensions
    given.append(f"{name}:{scanner.json_value(above=4 if above else 2)}")


def _json(record: RecordText, scanner: LineScanner) -> None:
    at = scanner.at
    name = scanner.take(WORD)
    if name is None:
        scanner.fail("the name of a member")
    if name == "sheet" and record.deal is None:
        _sheet(record, scanner, at)
        return
    above = "" if record.deal is None else f"/deals/{len(record.deals)}"
    record.mark(f"{above}/{name}", at)
    scanner.end_word()
    members = record.members if record.deal is None else record.deal.members
    _set(scanner, members, name, scanner.json_value(above=3 if above else 1))


def _sheet(record: RecordText, scanner: LineScanner, at: int) -> None:
    """The rulebook that the record carries, after the tag that names it."""
    if not record.rules:
        scanner.fail("[rules …] first")
    if any(member.startswith('"sheet":') for member in record.rules):
        scanner.fail(_ALREADY)
    record.mark("/rules/sheet", at)
    scanner.end_word()
    record.rules.append(f'"sheet":{scanner.json_value(above=2)}')


# Tags of a deal.


def _deal(record: RecordText, scanner: LineScanner) -> None:
    at = scanner.at
    deal = record.start_deal()
    record.mark(f"/deals/{len(record.deals)}", at)
    record.mark(f"/deals/{len(record.deals)}/dealer", at)
    deal.members["dealer"] = str(scanner.seat())


def _pointer(record: RecordText, member: str) -> str:
    above = "/setup" if record.deal is not None and record.deal.setup is not None else ""
    return f"/deals/{len(record.deals)}{above}/{member}"


def _deal_of(record: RecordText) -> DealText:
    """The deal being read: outside of one, none of these tags is read."""
    assert record.deal is not None
    return record.deal


def _setup_of(record: RecordText, scanner: LineScanner) -> SetupText:
    setup = None if record.deal is None else record.deal.setup
    if setup is None:
        scanner.fail("[setup …] first: this is part of a position")
    return setup


def _knowledge(record: RecordText, scanner: LineScanner) -> None:
    record.mark(f"/deals/{len(record.deals)}/knowledge", scanner.at)
    levels = get_args(Knowledge)
    level = scanner.word_of(levels, f"a level of knowledge: {', '.join(levels)}")
    _set(scanner, _deal_of(record).members, "knowledge", f'"{level}"')


def _seat(record: RecordText, scanner: LineScanner) -> None:
    record.mark(f"/deals/{len(record.deals)}/seat", scanner.at)
    _set(scanner, _deal_of(record).members, "seat", str(scanner.seat()))


def _hand(record: RecordText, scanner: LineScanner) -> None:
    deal = _deal_of(record)
    hands = (deal.setup or deal).hands
    record.mark(_pointer(record, f"hands/{len(hands)}"), scanner.at)
    _next_seat(scanner, hands)
    hands.append(_cards(scanner))


def _turn_up(record: RecordText, scanner: LineScanner) -> None:
    deal = _deal_of(record)
    record.mark(_pointer(record, "turn_up"), scanner.at)
    _set(scanner, (deal.setup or deal).members, "turn_up", f'"{scanner.card()}"')


def _stock(record: RecordText, scanner: LineScanner) -> None:
    deal = _deal_of(record)
    if deal.setup is not None and scanner.take(_CARDS_LEFT) is not None:
        record.mark(_pointer(record, "stock"), scanner.at)
        _set(scanner, deal.setup.members, "stock", scanner.count())
        return
    record.mark(f"/deals/{len(record.deals)}/stock", scanner.at)
    _set(scanner, deal.members, "stock", _cards(scanner))


def _setup(record: RecordText, scanner: LineScanner) -> None:
    deal = _deal_of(record)
    if deal.setup is not None:
        scanner.fail(_ALREADY)
    record.mark(f"/deals/{len(record.deals)}/setup", scanner.at)
    deal.setup = SetupText()
    deal.setup.members["seat"] = str(scanner.seat())


def _table(record: RecordText, scanner: LineScanner) -> None:
    tables = _setup_of(record, scanner).tables
    record.mark(_pointer(record, f"tables/{len(tables)}"), scanner.at)
    _next_seat(scanner, tables)
    laid = []
    while scanner.next() not in ("]", ""):
        start = scanner.at
        meld = scanner.take(WORD)
        if meld not in MELD_NAMES:
            scanner.fail("a meld, such as marriage(KS QS)", start)
        _open(scanner)
        cards = _cards(scanner)
        pending = ',"scored":false' if scanner.take_word("pending") else ""
        _close(scanner, "a card, pending or “)”")
        scanner.end_word()
        laid.append(f'{{"meld":"{meld}","cards":{cards}{pending}}}')
    tables.append(json_list(laid))


def _captured(record: RecordText, scanner: LineScanner) -> None:
    captured = _setup_of(record, scanner).captured
    record.mark(_pointer(record, f"captured/{len(captured)}"), scanner.at)
    _next_seat(scanner, captured)
    captured.append(_cards(scanner))


def _suit(scanner: LineScanner) -> str:
    suit = scanner.word_of(("S", "H", "D", "C"), "a suit: S, H, D or C")
    return f'"{suit}"'


def _of_setup(
    name: str, read: Callable[[LineScanner], str]
) -> "Callable[[RecordText, LineScanner], None]":
    """The reader of a tag whose value is a member of the position."""

    def read_member(record: RecordText, scanner: LineScanner) -> None:
        record.mark(_pointer(record, name), scanner.at)
        _set(scanner, _setup_of(record, scanner).members, name, read(scanner))

    return read_member


def _claims(record: RecordText, scanner: LineScanner) -> None:
    above = f"/deals/{len(record.deals)}/claims"
    record.mark(above, scanner.at)
    record.mark(f"{above}/scores", scanner.at)
    claims = f'{{"scores":{_numbers(scanner)}}}' if scanner.next() != "]" else "{}"
    _set(scanner, _deal_of(record).members, "claims", claims)


_ReadTag = Callable[[RecordText, LineScanner], None]
_TAGS_OF_RECORD: dict[str, _ReadTag] = {
    "bezique": _bezique,
    "rules": _rules,
    "option": _option,
    "player": _player,
    "sides": _sides,
    "meta": _meta,
    "result": _result,
    "provenance": _provenance,
    "ext": _extension,
    "json": _json,
    "deal": _deal,
}
_TAGS_OF_DEAL: dict[str, _ReadTag] = {
    "knowledge": _knowledge,
    "seat": _seat,
    "hand": _hand,
    "turn_up": _turn_up,
    "stock": _stock,
    "setup": _setup,
    "table": _table,
    "trump": _of_setup("trump", _suit),
    "scores": _of_setup("scores", _numbers),
    "brisques": _of_setup("brisques", _numbers),
    "won": _of_setup("won", lambda scanner: "true"),
    "trick": _of_setup("trick", _cards),
    "spent_dixes": _of_setup("spent_dixes", _cards),
    "captured": _captured,
    "tableau": _of_setup("tableau", _cards),
    "claims": _claims,
    "result": _result,
    "ext": _extension,
    "json": _json,
    "deal": _deal,
}


MOST_MISTAKES = 1_001
"""Reading stops at so many: one more than are listed."""
_LINE = re.compile(r"[^\n]++")
_FIRST_LINE = re.compile(r"[ \t]*\[bezique(?=[ \t\r\]]|\Z)")


class DenotedRecord(NamedTuple):
    """What a text denotes: a record as JSON, and where in the text stands what was `wanted` of it.

    The JSON may break what the format demands of records, just as any other: it is for the decoder to judge. By deals,
    `leads` are the events that are plays at the start of a trick without a seat, and `follows` those after the start;
    their seats in the JSON are as if everybody took turns, and `records.format.notation_leads` gives them the right ones.
    """

    json: str
    places: dict[str, TextPosition]
    leads: dict[int, list[int]]
    follows: dict[int, list[int]]


def read_notation(
    text: str, wanted: Set[str] = frozenset(), *, most_mistakes: int = MOST_MISTAKES
) -> DenotedRecord:
    """The record in a text, and the lines and columns of the JSON pointers that are wanted.

    Raises NotationError with all mistakes up to so many, one a line at most, and NotationTooLarge. The cost grows with the text.
    """
    record = RecordText(wanted)
    mistakes: list[NotationMistake] = []
    record.line_number, end = 1, 0
    for match in _LINE.finditer(text):
        record.line_number += text.count("\n", end, match.start())
        end = match.start()
        try:
            _read_line(record, match[0])
        except LineMistake as mistake:
            place = NotationMistake(
                record.line_number, mistake.column + 1, mistake.expected, mistake.found
            )
            mistakes.append(place)
            if record.deal is not None and match[0].rstrip().endswith(")"):
                record.deal.events.drop_line()
        if len(mistakes) >= most_mistakes:
            break
        record.limit()
    _end(record, mistakes)
    if mistakes:
        record.deal = None  # it refers to the record, which nobody would free then for a long time
        raise NotationError(mistakes)
    return DenotedRecord(record.json(), record.places, record.leads, record.follows)


def _read_line(record: RecordText, line: str) -> None:
    scanner = LineScanner(line)
    sign = scanner.next()
    if sign in ("", "#"):
        return
    if not record.is_begun:
        record.is_begun = True
        if not _FIRST_LINE.match(line):
            scanner.fail("[bezique 1.0], with which a record begins")
    in_line = record.deal is not None and record.deal.events.in_line
    if sign == "[" and in_line:
        scanner.fail("“)”, which ends the line of play begun above")
    if sign == "[":
        read_tag(record, scanner)
    elif record.deal is None:
        scanner.fail("a tag, such as [deal a]")
    else:
        record.deal.events.read(scanner)


def _end(record: RecordText, mistakes: list[NotationMistake]) -> None:
    """Note a bracket that the text never closes."""
    if record.deal is not None and record.deal.events.in_line and not mistakes:
        expected = "“)”, which ends the line of play begun above"
        mistakes.append(NotationMistake(record.line_number, 1, expected, "the end of the text"))
