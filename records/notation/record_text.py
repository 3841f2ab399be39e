"""A record being read from the notation: its members, as texts of JSON."""

from collections.abc import Mapping, Sequence, Set

from records.notation.event_reader import EventReader
from records.notation.mistakes import NotationTooLarge
from records.record import MAX_RECORD_BYTES

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
            more["ext"] = "{" + ",".join(self.extensions) + "}"
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
        self.deals.append(self.deal.json())
        self.notes += self.deal.events.notes
        self.lines += self.deal.events.lines
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
            options = ['"options":{' + ",".join(self.options) + "}"] if self.options else []
            more["rules"] = "{" + ",".join([*self.rules, *options]) + "}"
        for name, members in (("meta", self.meta), ("ext", self.extensions)):
            if members:
                more[name] = "{" + ",".join(members) + "}"
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
    return (
        "{"
        + ",".join([f'"{name}":{value}' for part in parts for name, value in part.items()])
        + "}"
    )
