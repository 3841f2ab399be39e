"""The events of a deal: from the lines of the notation to JSON."""

import re
from collections.abc import Callable, Iterable

from records.events import MELD_NAMES, SCORE_NAMES
from records.notation.line_scanner import LineScanner
from records.notation.spelling import ACTIONS, PLACE_LETTERS, SEAT_LETTERS, WORD

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
        if seat is None and events.last_player is None:
            scanner.fail("who plays the first card, such as a:QS", start)
        seat = ((events.last_player or 0) + 1) % self.seats if seat is None else seat
        events.last_player = seat
        letter = scanner.next()
        place = _PLACES.get(letter)
        scanner.take_sign(letter if place else "")
        scanner.end_word()
        source = "" if place is None else f',"from":"{place}"'
        return f'{{"type":"play","seat":{seat},"card":"{card}"{source}'


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
    return "[" + ",".join([f'"{card}"' for card in cards]) + "]"


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


def _carte_blanche_members(scanner: LineScanner) -> str:
    return ""


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
    "carte_blanche": _carte_blanche_members,
    "cut": _cut_members,
    "score": _score_members,
    "irregular": _irregular_members,
}
"""What stands in the brackets after each action, as members of its event."""
