"""From a record to the notation, in its canonical form."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import UNSET

from records.events import (
    MAX_PLAYERS,
    AnyEvent,
    CarteBlanche,
    Cut,
    Declare,
    Discard,
    Dix,
    Draw,
    Irregular,
    Meld,
    Play,
    Score,
    Trick,
    actor_of,
)
from records.format.codec import ENCODER
from records.format.notation import (
    PLACE_LETTERS,
    SEAT_LETTERS,
    escape_controls,
    quote,
    word_or_quote,
)
from records.record import Deal, Laid, Line, Note, Player, Record, Result, Setup

# Values that the notation leaves to JSON.


def write_value(value: Any) -> str:
    """A value as JSON on one line, members sorted."""
    return escape_controls(ENCODER.encode(value).decode())


# The events of a deal or of a line of play: from a record to lines of the notation, one a trick.


class EventLayout:
    """Lays out events, one line a trick; in Zetema, where no tricks are played, one line a turn.

    A play stands without its seat where it is the turn of that seat, as everywhere but at the start of a line.
    """

    def __init__(
        self,
        seats: int,
        last_player: int | None = None,
        *,
        played: int = 0,
        numbered: bool = True,
    ) -> None:
        self.seats, self.last_player, self.numbered = seats, last_player, numbered
        self.lines: list[str] = []
        self.tricks = 0
        self._items: list[str] = []
        self._played = played
        """The cards that the trick of this line has so far."""
        self._is_trick_over = False
        self._actor: int | None = None

    def add(self, event: AnyEvent) -> None:
        """Add an event at the end."""
        if self._begins_line(event):
            self.end_line()
        number = ""
        if isinstance(event, Play):
            if not self._played:
                self.tricks += 1
                number = f"{self.tricks}. " if self.numbered else ""
            self._played += 1
            self._is_trick_over = False
        elif isinstance(event, Trick | Draw | Discard):
            self._is_trick_over = True
        self._actor = actor_of(event)
        self._items.append(number + self._write(event, SEAT_LETTERS[self._actor]))

    def add_words(self, words: str) -> None:
        """Add what is said of the last event."""
        self._items.append(words)

    def break_line(self) -> None:
        """Begin a new line in the middle of a trick."""
        if self._items:
            self.lines.append(" ".join(self._items))
            self._items = []

    def end_line(self) -> None:
        """End the line of a trick, or of a turn."""
        self.break_line()
        self._played, self._is_trick_over = 0, False

    def _begins_line(self, event: AnyEvent) -> bool:
        if isinstance(event, Play):
            over = self._played >= self.seats or self._is_trick_over
            return over or (bool(self._items) and not self._played)
        return bool(self._items) and not self._played and actor_of(event) != self._actor

    def _write(self, event: AnyEvent, seat: str) -> str:
        text = _text_of(event, seat)
        if isinstance(event, Play):
            due = None if self.last_player is None else (self.last_player + 1) % self.seats
            if not self._items or event.seat != due:
                text = f"{seat}:{text}"
            self.last_player = event.seat
        if event.ms is not None:
            text += f" {event.ms}ms"
        return text if event.ext is None else f"{text} {write_value(event.ext)}"


def write_note(text: str | None, by: str | None) -> str:
    """A text in quotes and who wrote it, as far as they are given."""
    parts = [*([] if text is None else [quote(text)]), *([] if by is None else ["by", quote(by)])]
    return " ".join(parts)


def _points(points: int | None) -> str:
    return "" if points is None else f"={points}"


def _text_of(event: AnyEvent, seat: str) -> str:
    """An event of the seat with this letter, without its time; a play without its seat."""
    match event:
        case Play():
            return event.card + ("" if event.source is None else PLACE_LETTERS[event.source])
        case Draw():
            return f"{seat}+{event.card}"
        case Trick():
            return f"{seat}:takes"
        case Discard():
            return f"{seat}-{event.card}"
        case Meld():
            cards = " ".join([*event.cards, *_after("from", event.from_tableau)])
            return f"{seat}:{event.meld}({cards}){_points(event.points)}"
        case Declare():
            return f"{seat}:declare({' '.join([event.meld, *event.cards])})"
        case Dix():
            card = "" if event.card is None else f" {event.card}"
            return f"{seat}:dix({event.action}{card}){_points(event.points)}"
        case CarteBlanche():
            return f"{seat}:carte_blanche{_points(event.points)}"
        case Cut():
            guess = "" if event.guess is None else f" guess {event.guess}"
            return f"{seat}:cut({event.packet}{guess})"
        case Score():
            count = "" if event.count is None else f" {event.count}"
            return f"{seat}:score({event.what}{count}){_points(event.points)}"
        case Irregular():
            text = [quote(event.text)] if event.text else []
            words = [event.what, *_after("cards", event.cards), *text]
            return f"{seat}:irregular({' '.join(words)}){_points(event.points)}"


def _after(word: str, cards: Sequence[str] | None) -> Iterator[str]:
    """A word and the cards after it, if cards are given."""
    if cards is not None:
        yield word
        yield from cards


_INDENT = "   "


def write_notation(record: Record) -> str:
    """The record as a text; read again, it is an equal record.

    The tags of the record come first, then each deal: its tags, its events with notes and lines among them, its claims.
    """
    return "\n".join(_lines_of(record)) + "\n"


def _lines_of(record: Record) -> Iterator[str]:
    yield from _tags_of(record)
    notes, lines = _inline(record.notes), _inline(record.lines)
    for number, deal in enumerate(record.deals):
        yield ""
        yield from _tags_of_deal(deal)
        remarks = [note for note in notes if note.at[0] == number]
        branches = [line for line in lines if line.at[0] == number]
        text = _write_events(deal, len(record.players), remarks, branches)
        if text:
            yield ""
            yield from text
        if deal.claims is not None:
            yield from ["", *_claims_of(deal.claims.scores)]


def _tag(*words: str) -> str:
    return f"[{' '.join(words)}]"


def _escape(name: str, value: Any) -> str:
    """The tag for what the notation has no words of its own for."""
    return _tag("json", name, write_value(value))


def _tags_of(record: Record) -> Iterator[str]:
    rules = record.rules
    yield _tag("bezique", record.version)
    edition = [] if rules.edition is None else ["edition", str(rules.edition)]
    yield _tag("rules", word_or_quote(rules.id), *edition)
    for name, value in sorted(rules.options.items()):
        said = word_or_quote(value) if isinstance(value, str) else write_value(value)
        yield _tag("option", word_or_quote(name), said)
    if rules.sheet is not None:
        yield _escape("sheet", rules.sheet)
    for letter, player in zip(SEAT_LETTERS, record.players, strict=False):
        yield _tag("player", letter, *_words_of_player(player))
    if record.sides is not None:
        yield _tag("sides", *map(_letters, record.sides))
    yield from _free_tags("meta", record.meta)
    if record.result is not None:
        yield _tag("result", *_words_of_result(record.result, record.sides))
    if record.provenance is not None:
        made = record.provenance
        named = {"made": made.made, "program": made.program, "version": made.version}
        yield _tag("provenance", *_named(named))
    yield from _free_tags("ext", record.ext)
    for list_name, remarks in (("notes", record.notes), ("lines", record.lines)):
        if remarks is not None and not _inline(remarks):
            yield _escape(list_name, remarks)


def _words_of_player(player: Player) -> Iterator[str]:
    yield quote(player.name)
    yield from _named({"id": player.id})
    if player.kind is not None:
        yield player.kind


def _named(values: dict[str, str | None]) -> Iterator[str]:
    """The texts that are given, each after its name."""
    for name, value in values.items():
        if value is not None:
            yield from (name, quote(value))


def _letters(seats: Iterable[int]) -> str:
    return "".join(SEAT_LETTERS[seat] for seat in seats)


def _free_tags(name: str, members: dict[str, Any] | None) -> Iterator[str]:
    """One tag for each member of `meta` or `ext`."""
    if members == {}:
        yield _escape(name, members)
    for member, value in sorted((members or {}).items()):
        yield _tag(name, word_or_quote(member), write_value(value))


def _words_of_result(result: Result, sides: Sequence[Sequence[int]] | None) -> Iterator[str]:
    if result.status is not None:
        yield result.status
    for name, numbers in (("scores", result.scores), ("settlement", result.settlement)):
        if numbers is not None:
            yield from (name, *map(str, numbers))
    if result.winner is not UNSET:
        side = result.winner
        yield "winner"
        yield "none" if side is None else _letters(sides[side] if sides else [side])


def _inline(remarks: Sequence[Any] | None) -> Sequence[Any]:
    """The notes or lines, if they come in the order of what they are about, so that they can stand among the events."""
    anchors = [remark.at for remark in remarks or ()]
    return remarks or () if anchors == sorted(anchors) else ()


def _tags_of_deal(deal: Deal) -> Iterator[str]:
    yield _tag("deal", SEAT_LETTERS[deal.dealer])
    if deal.knowledge is not None:
        yield _tag("knowledge", deal.knowledge)
    if deal.seat is not None:
        yield _tag("seat", SEAT_LETTERS[deal.seat])
    yield from _each_seat("hand", "hands", deal.hands)
    if deal.turn_up is not None:
        yield _tag("turn_up", deal.turn_up)
    if deal.stock is not None:
        yield _tag("stock", *deal.stock)
    if deal.setup is not None:
        yield from _tags_of_setup(deal.setup)
    yield from _free_tags("ext", deal.ext)


def _fits_seats(lists: Sequence[Any] | None) -> bool:
    """Whether every list of these has a seat of its own."""
    return lists is None or 0 < len(lists) <= MAX_PLAYERS


def _each_seat(tag: str, member: str, lists: Sequence[Sequence[str]] | None) -> Iterator[str]:
    if not _fits_seats(lists):
        yield _escape(member, lists)
        return
    for letter, words in zip(SEAT_LETTERS, lists or (), strict=False):
        yield _tag(tag, letter, *words)


def _tags_of_setup(setup: Setup) -> Iterator[str]:
    if (
        not (_fits_seats(setup.tables) and _fits_seats(setup.captured))
        or len(setup.hands) > MAX_PLAYERS
    ):
        yield _escape("setup", setup)
        return
    yield _tag("setup", SEAT_LETTERS[setup.seat])
    yield from _each_seat("hand", "hands", setup.hands or None)
    tables = None if setup.tables is None else [[*map(_laid, own)] for own in setup.tables]
    yield from _each_seat("table", "tables", tables)
    if setup.stock:
        yield _tag("stock", str(setup.stock))
    for name in ("trump", "turn_up"):
        if (word := getattr(setup, name)) is not None:
            yield _tag(name, word)
    for name in ("scores", "brisques"):
        if (numbers := getattr(setup, name)) is not None:
            yield _tag(name, *map(str, numbers))
    if setup.won:
        yield _tag("won")
    for name in ("trick", "spent_dixes"):
        if (cards := getattr(setup, name)) is not None:
            yield _tag(name, *cards)
    yield from _each_seat("captured", "captured", setup.captured)
    if setup.tableau is not None:
        yield _tag("tableau", *setup.tableau)


def _laid(laid: Laid) -> str:
    return f"{laid.meld}({' '.join([*laid.cards, *([] if laid.scored else ['pending'])])})"


def _claims_of(scores: Sequence[int] | None) -> Iterator[str]:
    if scores == []:
        yield _escape("claims", {"scores": scores})
    else:
        yield _tag("claims", *map(str, scores or ()))


def _write_events(
    deal: Deal, seats: int, notes: Sequence[Note], branches: Sequence[Line]
) -> list[str]:
    """The lines of a deal's events; a line of play stands before the event that it replaces, a note after its event."""
    text = [write_note(note.text, note.by) for note in notes if len(note.at) == 1]
    remarks = iter([note for note in notes if len(note.at) == 2])
    note = next(remarks, None)
    waiting = iter(branches)
    branch = next(waiting, None)
    trick = deal.setup.trick if deal.setup is not None else None
    layout = EventLayout(seats, played=len(trick or ()))
    for index in range(len(deal.events) + 1):
        while branch is not None and branch.at[1] == index:
            layout.break_line()
            layout.lines += _write_branch(branch, seats, layout)
            branch = next(waiting, None)
        if index == len(deal.events):
            break
        layout.add(deal.events[index])
        while note is not None and note.at[1] == index:
            layout.add_words(write_note(note.text, note.by))
            note = next(remarks, None)
    layout.end_line()
    return [*text, *layout.lines]


def _write_branch(branch: Line, seats: int, main: EventLayout) -> list[str]:
    """A line of play in brackets, one line a trick."""
    layout = EventLayout(seats, main.last_player, numbered=False)
    for event in branch.events:
        layout.add(event)
    layout.end_line()
    head = write_note(branch.text, branch.by)
    first, *others = [*layout.lines] or [""]
    lines = [f"({' '.join(filter(None, [head, first]))}", *others]
    lines[-1] += ")"
    return [f"{_INDENT}{line}" for line in lines]
