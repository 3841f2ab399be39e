"""Logs of other programs, line by line, as records: a mapping says what their columns and words mean."""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import entry_points
from typing import Any, BinaryIO, Literal, NamedTuple, Protocol, cast

import msgspec

from records.cards import MAX_COPIES, RANKS, SUITS
from records.errors import BeziqueError
from records.events import EVENT_TYPES
from records.format.files import Entry, read_entries
from records.format.toml_mistakes import describe_toml_mistake
from records.record import RECORD_FORMAT, RECORD_VERSION

# The mapping of an event log: what its columns and words mean, as its user says in TOML.


class ConversionError(BeziqueError):
    """A file cannot be converted: its mapping makes no sense, or a line of it; the sentence says where and why."""


class _MappingPart(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A table of the mapping."""


class LogForm(_MappingPart, frozen=True):
    """How the file is laid out: `csv` whose first line names the columns, `jsonl`, or `lines` of text.

    Plain lines have one column, `line`. `columns` are the names if the first line of a `csv` is none.
    """

    format: Literal["csv", "jsonl", "lines"]
    delimiter: str = ","
    columns: list[str] | None = None


class CardForm(_MappingPart, frozen=True):
    """How the log writes cards: the form of one, its words for ranks and suits, and what is between several.

    A card that is an object in JSON has the texts of these `members` one after the other.
    """

    form: str = "{rank}{suit}"
    ranks: dict[str, str] = {}
    suits: dict[str, str] = {}
    unknown: tuple[str, ...] = ("??", "?")
    separator: str = " "
    members: list[str] = []

    def spellings(self) -> Mapping[str, str]:
        """Every way in which the log may write a card, in small letters, and the card."""
        found = {word.lower(): "??" for word in self.unknown}
        ranks = [*((rank, rank) for rank in RANKS), ("10", "T"), *self.ranks.items()]
        suits = [*((suit, suit) for suit in SUITS), *self.suits.items()]
        copies = range(1, MAX_COPIES + 1) if "{copy}" in self.form else (0,)
        for said_rank, rank in ranks:
            for said_suit, suit in suits:
                for copy in copies:
                    said = self.form.replace("{rank}", said_rank).replace("{suit}", said_suit)
                    label = f".{copy}" if copy else ""
                    found[said.replace("{copy}", str(copy)).lower()] = f"{rank}{suit}{label}"
        return found


class GameForm(_MappingPart, frozen=True):
    """What begins a game, and what its record says beside the deals; `more` are members such as `meta`.

    A player is a name, or an object as the record has it.
    """

    rules: dict[str, Any]
    players: list[str | dict[str, Any]]
    begins: str = ""
    more: dict[str, Any] = {}

    def __post_init__(self) -> None:
        for name in ("format", "version", "rules", "players", "deals"):
            if name in self.more:
                raise ValueError(f"`{name}` cannot stand in `game.more`")


class DealForm(_MappingPart, frozen=True):
    """What begins a deal, and what the record says of it; `more` are members such as `knowledge`."""

    begins: str = ""
    dealer: str | int | None = None
    more: dict[str, Any] = {}


class LineRule(_MappingPart, frozen=True):
    """What a line means if each column of `when` is as its pattern says; named groups are columns, too."""

    write: dict[str, Any] | list[dict[str, Any]]
    when: dict[str, str] = {}


class LogMapping(_MappingPart, frozen=True):
    """A whole mapping: `words` are the log's for those of the format, `seats` its names for seats."""

    log: LogForm
    game: GameForm
    deal: DealForm = DealForm()
    cards: CardForm = CardForm()
    seats: dict[str, int] = {}
    words: dict[str, str] = {}
    line: list[LineRule] = []


def read_mapping(values: Mapping[str, Any]) -> LogMapping:
    """The mapping that a TOML file holds; raises ConversionError."""
    try:
        return msgspec.convert(values, LogMapping)
    except msgspec.ValidationError as error:
        raise ConversionError(
            f"The mapping cannot be used: {describe_toml_mistake(error)}."
        ) from None


# The lines of a log as rows: the value of every column, by its name.


class LogRow(NamedTuple):
    """A line of a log, counted from 1, and what it has in its columns."""

    line: int
    columns: Mapping[str, Any]


def read_rows(source: BinaryIO, form: LogForm) -> Iterator[LogRow]:
    """The rows of a log in UTF-8; blank lines are passed over. Raises ConversionError and OSError."""
    text = io.TextIOWrapper(source, encoding="utf-8-sig", newline="")
    readers = {"csv": _read_csv, "jsonl": _read_json_lines, "lines": _read_lines}
    try:
        yield from readers[form.format](text, form)
    except UnicodeDecodeError:
        raise ConversionError("The log is not UTF-8.") from None
    finally:
        text.detach()


def _read_csv(text: io.TextIOWrapper, form: LogForm) -> Iterator[LogRow]:
    if len(form.delimiter) != 1:
        raise ConversionError("The mapping cannot be used: `delimiter` must be one character.")
    rows = csv.DictReader(
        text, form.columns, delimiter=form.delimiter, restkey="", restval="", strict=True
    )
    try:
        for row in rows:
            yield LogRow(rows.line_num, row)
    except csv.Error as error:
        raise ConversionError(f"After line {rows.line_num} the log is not CSV: {error}.") from None


def _read_json_lines(text: io.TextIOWrapper, form: LogForm) -> Iterator[LogRow]:
    for number, line in enumerate(text, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise ConversionError(f"Line {number} is not JSON.") from None
        if not isinstance(value, dict):
            raise ConversionError(f"Line {number} is not a JSON object.")
        yield LogRow(number, dict(_flatten(value)))


def _flatten(value: dict[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """The members of an object, and of those in it as `card.suit`."""
    for name, member in value.items():
        yield above + name, member
        if isinstance(member, dict):
            yield from _flatten(member, f"{above}{name}.")


def _read_lines(text: io.TextIOWrapper, form: LogForm) -> Iterator[LogRow]:
    for number, line in enumerate(text, start=1):
        if line.strip():
            yield LogRow(number, {"line": line.rstrip("\r\n")})


# The log, line by line, as records.

_SEATS = ("seat", "winner", "dealer")
_CARDS = ("cards", "from_tableau", "stock")
_NUMBERS = ("points", "count", "ms", "packet", "guess")
_LISTS_OF_NUMBERS = ("scores", "settlement")
"""The numbers of all sides in one column, or each in its own."""
_EVENTS = tuple(str(kind.__struct_config__.tag) for kind in EVENT_TYPES)


def read_event_log(source: BinaryIO, *, name: str, mapping: Mapping[str, Any]) -> Iterator[Entry]:
    """The games of a log, each as the JSON of a record; raises ConversionError and OSError."""
    translator = _Translator(read_mapping(mapping))
    first = last = 0
    for row in read_rows(source, translator.mapping.log):
        with _naming_the_line(name, row.line):
            finished = translator.read(row.columns)
        if finished is not None:
            yield Entry(name, first, finished)
        if finished is not None or not first:
            first = row.line
        last = row.line
    if first:
        with _naming_the_line(name, last):
            finished = translator.finish()
        yield Entry(name, first, finished)


@contextmanager
def _naming_the_line(name: str, line: int) -> Iterator[None]:
    """Say where in the log it was, if a line cannot be converted."""
    try:
        yield
    except ConversionError as error:
        raise ConversionError(f"line {line} of {name}: {error}") from None


class _Translator:
    """Turns rows into the members of the record that they belong to."""

    def __init__(self, mapping: LogMapping) -> None:
        self.mapping = mapping
        self._spellings = mapping.cards.spellings()
        self._rules = [_compile(rule.when) for rule in mapping.line]
        self._record: dict[str, Any] = {}
        self._deal: dict[str, Any] | None = None
        self._beginnings: dict[str, Any] = {}

    def read(self, columns: Mapping[str, Any]) -> bytes | None:
        """Read a row; gives the record before it as JSON, if the row begins another."""
        finished = None
        if not self._record or self._changes("game", self.mapping.game.begins, columns):
            finished = self.finish() if self._record else None
            self._begin_game(columns)
        if self.mapping.deal.begins and self._changes("deal", self.mapping.deal.begins, columns):
            self._begin_deal(columns)
        found, number = self._find_rule(columns)
        written = self.mapping.line[number].write
        for template in written if isinstance(written, list) else [written]:
            self._write(template, found)
        return finished

    def finish(self) -> bytes:
        """The record read so far, as JSON; raises ConversionError for what JSON cannot hold."""
        try:
            return msgspec.json.encode(self._record)
        except (OverflowError, UnicodeEncodeError):
            # A number of more than 64 bits, or half of a surrogate pair.
            raise ConversionError(
                "the game up to here has a number or a text that no record can hold."
            ) from None

    def _changes(self, what: str, begins: str, columns: Mapping[str, Any]) -> bool:
        """Whether the column that tells games or deals apart has another value than before."""
        if not begins:
            return False
        value = self._fill("", begins, columns)
        before, self._beginnings[what] = self._beginnings.get(what, ()), value
        return bool(before != value)

    def _begin_game(self, columns: Mapping[str, Any]) -> None:
        game = self.mapping.game
        players = [
            player if isinstance(player, dict) else {"name": player} for player in game.players
        ]
        self._record = {
            "format": RECORD_FORMAT,
            "version": RECORD_VERSION,
            "rules": self._fill("rules", game.rules, columns),
            "players": self._fill("players", players, columns),
            "deals": [],
            **self._fill("", game.more, columns),
        }
        self._deal = None
        self._beginnings.pop("deal", None)
        self._changes("game", game.begins, columns)

    def _begin_deal(self, columns: Mapping[str, Any]) -> dict[str, Any]:
        form = self.mapping.deal
        dealer = self._fill("dealer", form.dealer, columns)
        self._deal = {} if dealer is None else {"dealer": dealer}
        self._deal |= self._fill("", form.more, columns)
        self._record["deals"].append(self._deal)
        return self._deal

    def _find_rule(self, columns: Mapping[str, Any]) -> tuple[Mapping[str, Any], int]:
        """The first rule that fits a row, by its number, and the columns with the groups of its patterns."""
        for number, patterns in enumerate(self._rules):
            found = dict(columns)
            for column, pattern in patterns.items():
                match = pattern.fullmatch(_text(columns.get(column)))
                if match is None:
                    break
                found |= match.groupdict()
            else:
                return found, number
        said = ", ".join(f"{name} “{_text(value)}”" for name, value in columns.items() if value)
        raise ConversionError(f"no rule of the mapping fits {said}.")

    def _write(self, template: Mapping[str, Any], columns: Mapping[str, Any]) -> None:
        """Add what a template says to the record, to its deal, or to the events of that."""
        members = self._fill("", template, columns)
        kind = members.get("type")
        if kind == "nothing":
            return
        if kind == "result":
            self._record["result"] = _without_type(members)
            return
        if kind == "deal":
            self._begin_deal(columns).update(_without_type(members))
            return
        deal = self._begin_deal(columns) if self._deal is None else self._deal
        if kind in _EVENTS:
            _list_in(deal, "events").append(members)
        elif kind == "hand":
            self._add_hand(deal, members)
        elif kind == "facts":
            deal.update(_without_type(members))
        else:
            kinds = ", ".join([*_EVENTS, "deal", "hand", "facts", "result", "nothing"])
            raise ConversionError(f"the mapping writes the type “{kind}”; the types are {kinds}.")

    def _add_hand(self, deal: dict[str, Any], members: Mapping[str, Any]) -> None:
        """Add the cards dealt to a seat; they may be told in several lines."""
        deal.setdefault("hands", [[] for _ in self.mapping.game.players])
        hands, seat = _list_in(deal, "hands"), members.get("seat")
        if not isinstance(seat, int) or not 0 <= seat < len(hands):
            raise ConversionError("a hand needs a seat.")
        cards = members.get("cards") or []
        if not isinstance(hands[seat], list) or not isinstance(cards, list):
            raise ConversionError("a hand needs a list of cards.")
        hands[seat] += cards

    def _fill(self, member: str, value: Any, columns: Mapping[str, Any]) -> Any:
        """A value of the mapping with what the row has for `$column`; what the row leaves empty is None or left out."""
        if isinstance(value, dict):
            filled = {name: self._fill(name, part, columns) for name, part in value.items()}
            return {name: part for name, part in filled.items() if part is not None}
        if isinstance(value, list):
            return [self._fill(member, part, columns) for part in value]
        if not (isinstance(value, str) and value.startswith("$")):
            return value
        name = value[1:]
        if name not in columns:
            known = ", ".join(column for column in columns if column)
            raise ConversionError(f"there is no column “{name}”; there are {known}.")
        found = columns[name]
        is_empty = found is None or (isinstance(found, str) and not found.strip())
        return None if is_empty else self._translate(member, found)

    def _translate(self, member: str, value: Any) -> Any:
        """A value of the log as the format writes it in this member."""
        if member in _SEATS:
            return self._seat(value)
        if member in ("card", "turn_up"):
            return self._card(value)
        if member in _CARDS:
            parts = value if isinstance(value, list) else self._split(_text(value))
            return [self._card(part) for part in parts]
        if member in _NUMBERS:
            return _number(value)
        if member in _LISTS_OF_NUMBERS:
            parts = value if isinstance(value, list) else _text(value).split()
            numbers = [_number(part) for part in parts]
            return numbers[0] if len(numbers) == 1 else numbers
        return self.mapping.words.get(value, value) if isinstance(value, str) else value

    def _seat(self, value: Any) -> int:
        said = _text(value)
        players = [player.get("name") for player in self._record.get("players", ())]
        if said in self.mapping.seats:
            return self.mapping.seats[said]
        if said in players:
            return players.index(said)
        raise ConversionError(f"“{said}” is no player and no seat of the mapping.")

    def _split(self, text: str) -> list[str]:
        separator = self.mapping.cards.separator
        parts = text.split(separator) if separator.strip() else text.split()
        return [part.strip() for part in parts if part.strip()]

    def _card(self, value: Any) -> str:
        if isinstance(value, dict):
            value = "".join(_text(value.get(name)) for name in self.mapping.cards.members)
        said = _text(value).strip()
        if said.lower() not in self._spellings:
            raise ConversionError(f"“{said}” is no card.")
        return self._spellings[said.lower()]


def _compile(patterns: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    try:
        return {column: re.compile(pattern) for column, pattern in patterns.items()}
    except (re.error, OverflowError, RecursionError) as error:
        raise ConversionError(f"The mapping cannot be used: {error}.") from None


def _list_in(deal: dict[str, Any], name: str) -> list[Any]:
    """A list of the deal, new if there is none; raises ConversionError where the mapping has put something else there."""
    found = deal.setdefault(name, [])
    if not isinstance(found, list):
        raise ConversionError(f"the mapping gives `{name}` a value that is no list.")
    return found


def _without_type(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if name != "type"}


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _number(value: Any) -> int:
    try:
        return int(_text(value).replace(",", ""))
    except ValueError:
        raise ConversionError(f"“{_text(value)}” is no number.") from None


# Adapters, by name: what reads the files of other programs as records.
#
# An adapter is a function. Any package may bring one: it names the function under `bezique.adapters` in its entry points.

ENTRY_POINT_GROUP = "bezique.adapters"


class Adapter(Protocol):
    """Reads a file of another program.

    It gives each game as an entry, in order: the bytes of a record, in JSON or in the notation, and its line in the
    file, if it has one. What it gives is judged as every record is: it need not be legal, nor even be a record.
    `mapping` is what the user's TOML file says, empty without one. Raises ConversionError where the file or the mapping
    makes no sense, and OSError.
    """

    def __call__(
        self, source: BinaryIO, *, name: str, mapping: Mapping[str, Any]
    ) -> Iterator[Entry]:
        """The games of the file."""


def read_records(source: BinaryIO, *, name: str, mapping: Mapping[str, Any]) -> Iterator[Entry]:
    """The records of a file that has records already, in JSON or in the notation; it knows no mapping."""
    if mapping:
        raise ConversionError("Records need no mapping: --mapping is for --from event-log.")
    yield from read_entries(source, name=name)


OWN_ADAPTERS: Mapping[str, Adapter] = {"records": read_records, "event-log": read_event_log}


def adapter_names() -> list[str]:
    """The names of all adapters: ours, then those of other packages."""
    others = {point.name for point in entry_points(group=ENTRY_POINT_GROUP)}
    return [*OWN_ADAPTERS, *sorted(others - set(OWN_ADAPTERS))]


def find_adapter(name: str) -> Adapter | None:
    """The adapter of a name, or None; raises what importing it from its package raises."""
    if name in OWN_ADAPTERS:
        return OWN_ADAPTERS[name]
    for point in entry_points(group=ENTRY_POINT_GROUP, name=name):
        return cast(Adapter, point.load())
    return None
