"""The events of a deal or of a line of play: from a record to lines of the notation, one a trick."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from records.events import (
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
)
from records.notation.json_values import write_value
from records.notation.spelling import PLACE_LETTERS, SEAT_LETTERS, quote


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
        self._actor = _actor(event)
        self._items.append(number + self._write(event))

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
        return bool(self._items) and not self._played and _actor(event) != self._actor

    def _write(self, event: AnyEvent) -> str:
        text = _WRITERS[type(event)](event)
        if isinstance(event, Play):
            due = None if self.last_player is None else (self.last_player + 1) % self.seats
            if not self._items or event.seat != due:
                text = f"{SEAT_LETTERS[event.seat]}:{text}"
            self.last_player = event.seat
        if event.ms is not None:
            text += f" {event.ms}ms"
        return text if event.ext is None else f"{text} {write_value(event.ext)}"


def _actor(event: AnyEvent) -> int:
    return event.winner if isinstance(event, Trick) else event.seat


def write_note(text: str | None, by: str | None) -> str:
    """A text in quotes and who wrote it, as far as they are given."""
    parts = [*([] if text is None else [quote(text)]), *([] if by is None else ["by", quote(by)])]
    return " ".join(parts)


def _points(points: int | None) -> str:
    return "" if points is None else f"={points}"


def _play(event: Play) -> str:
    return event.card + ("" if event.source is None else PLACE_LETTERS[event.source])


def _trick(event: Trick) -> str:
    return f"{SEAT_LETTERS[event.winner]}:takes"


def _draw(event: Draw) -> str:
    return f"{SEAT_LETTERS[event.seat]}+{event.card}"


def _discard(event: Discard) -> str:
    return f"{SEAT_LETTERS[event.seat]}-{event.card}"


def _meld(event: Meld) -> str:
    lying = _after("from", event.from_tableau)
    cards = " ".join([*event.cards, *lying])
    return f"{SEAT_LETTERS[event.seat]}:{event.meld}({cards}){_points(event.points)}"


def _declare(event: Declare) -> str:
    return f"{SEAT_LETTERS[event.seat]}:declare({' '.join([event.meld, *event.cards])})"


def _dix(event: Dix) -> str:
    card = "" if event.card is None else f" {event.card}"
    return f"{SEAT_LETTERS[event.seat]}:dix({event.action}{card}){_points(event.points)}"


def _carte_blanche(event: CarteBlanche) -> str:
    return f"{SEAT_LETTERS[event.seat]}:carte_blanche{_points(event.points)}"


def _cut(event: Cut) -> str:
    guess = "" if event.guess is None else f" guess {event.guess}"
    return f"{SEAT_LETTERS[event.seat]}:cut({event.packet}{guess})"


def _score(event: Score) -> str:
    count = "" if event.count is None else f" {event.count}"
    return f"{SEAT_LETTERS[event.seat]}:score({event.what}{count}){_points(event.points)}"


def _irregular(event: Irregular) -> str:
    words = [
        event.what,
        *_after("cards", event.cards),
        *([quote(event.text)] if event.text else []),
    ]
    return f"{SEAT_LETTERS[event.seat]}:irregular({' '.join(words)}){_points(event.points)}"


def _after(word: str, cards: Sequence[str] | None) -> Iterator[str]:
    """A word and the cards after it, if cards are given."""
    if cards is not None:
        yield word
        yield from cards


_WRITERS: dict[type, Callable[[Any], str]] = {
    Play: _play,
    Trick: _trick,
    Draw: _draw,
    Meld: _meld,
    Declare: _declare,
    Dix: _dix,
    CarteBlanche: _carte_blanche,
    Discard: _discard,
    Cut: _cut,
    Score: _score,
    Irregular: _irregular,
}
