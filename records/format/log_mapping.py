"""The mapping of an event log: what its columns and words mean, as its user says in TOML, and where in that file."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from records.cards import MAX_COPIES, RANKS, SUITS
from records.errors import BeziqueError
from records.format.toml_mistakes import describe_toml_mistake


class ConversionError(BeziqueError):
    """A file cannot be converted: its mapping makes no sense, or a line of it; the sentence says where and why."""


# The file of a mapping, and the lines of what stands in it.

MappingPath = tuple[str | int, ...]
"""The tables, members and indices that lead to a value of a mapping: `("line", 3, "write", 0, "card")`."""

MOST_LINES_SEARCHED = 3_000
"""In a longer file no lines are named: to find one takes the square of their number."""


class MappingFile(dict[str, Any]):
    """The values of a mapping, with the file that they were read from."""

    def __init__(self, text: str, name: str) -> None:
        try:
            super().__init__(tomllib.loads(text))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise ConversionError(f"the mapping {name} is not TOML: {error}.") from None
        self.name = name
        self._lines = text.splitlines(keepends=True)

    def line_of(self, path: MappingPath) -> int | None:
        """The line, counted from 1, where the value at a path begins, or the nearest value around it."""
        wanted = path[: _depth_of(self, path)]
        if not wanted or len(self._lines) > MOST_LINES_SEARCHED:
            return None
        whole = 0
        # What has been read so far is TOML wherever a value has ended: the next one begins behind it.
        for count in range(1, len(self._lines) + 1):
            try:
                values = tomllib.loads("".join(self._lines[:count]))
            except (tomllib.TOMLDecodeError, RecursionError):
                continue
            if _depth_of(values, wanted) == len(wanted):
                return whole + 1
            whole = count
        return None


def read_mapping_file(data: bytes, name: str) -> MappingFile:
    """The mapping that a TOML file holds; raises ConversionError."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConversionError(
            f"the mapping {name} is not TOML: line {line} is not UTF-8."
        ) from None
    return MappingFile(text.replace("\r\n", "\n"), name)


def _depth_of(values: Any, path: MappingPath) -> int:
    """How many steps of a path lead to a value."""
    for depth, step in enumerate(path):
        try:
            values = values[step]
        except (KeyError, IndexError, TypeError):
            return depth
    return len(path)


def name_mapping_place(values: Mapping[str, Any], path: MappingPath) -> str:
    """A value of a mapping in words: `` `line[3].write[0].card` (line 31 of games.toml) ``."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    member = f"`{''.join(steps).lstrip('.')}`"
    if not isinstance(values, MappingFile):
        return member
    line = values.line_of(path)
    return f"{member} ({values.name if line is None else f'line {line} of {values.name}'})"


# What a mapping says.


class _MappingPart(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A table of the mapping."""


class LogForm(_MappingPart, frozen=True):
    """How the file is laid out.

    `csv` names its columns in the first line, `pairs` says `name=value` at every value, `jsonl` has an object a line and
    `json` is one value; plain `lines` have one column, `line`. `columns` are the names if the first line of a `csv` is
    none. What stands behind `comment` is no part of a line. The groups of `name`, a pattern for the name of the file,
    are columns of all its lines, and with it a game goes on in the next file.
    """

    format: Literal["csv", "json", "jsonl", "lines", "pairs"]
    delimiter: str = ""
    columns: list[str] | None = None
    comment: str = ""
    name: str = ""


class CardForm(_MappingPart, frozen=True):
    """How the log writes cards: the form of one, its words for ranks and suits, and what is between several.

    `names` are whole cards: by what the log writes for them, or in the order of its numbers, from 0. A card that is an
    object in JSON has the texts of these `members` one after the other.
    """

    form: str = "{rank}{suit}"
    ranks: dict[str, str] = {}
    suits: dict[str, str] = {}
    names: dict[str, str] | list[str] = {}
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
        names = enumerate(self.names) if isinstance(self.names, list) else self.names.items()
        return found | {str(name).lower(): card for name, card in names}


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
    """What begins a deal, and what the record says of it; `more` are members such as `knowledge`.

    Running totals, in the member `total`, begin again with every deal or with every game.
    """

    begins: str = ""
    dealer: str | int | None = None
    more: dict[str, Any] = {}
    totals: Literal["deal", "game"] = "deal"


class LineRule(_MappingPart, frozen=True):
    """What a line means if each column of `when` is as its pattern says; named groups are columns, too.

    `write` has templates, and choices among rules for a part of the line.
    """

    write: dict[str, Any] | list[dict[str, Any]]
    when: dict[str, str] = {}


class PartRules(_MappingPart, frozen=True):
    """Rules for a part of a line, of which the first counts that fits: for each item of a list, or once for the line.

    A text is parted into items at the `separator`.
    """

    line: list[LineRule]
    each: str = ""
    separator: str = ""


class LogMapping(_MappingPart, frozen=True):
    """A whole mapping: `words` are the log's for those of the format, `seats` its names for seats.

    A table in `words` has the words of the member after which it is named.
    """

    log: LogForm
    game: GameForm
    deal: DealForm = DealForm()
    cards: CardForm = CardForm()
    seats: dict[str, int] = {}
    words: dict[str, Any] = {}
    line: list[LineRule] = []


_MSGSPEC_PLACE = re.compile(r" - at `\$(.*)`$")
_MSGSPEC_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]|\[\.\.\.\]")


def read_mapping(values: Mapping[str, Any]) -> LogMapping:
    """A mapping from its values; raises ConversionError."""
    try:
        return msgspec.convert(values, LogMapping)
    except msgspec.ValidationError as error:
        path = _path_in(error)
        raise unusable_mapping(values, path, describe_toml_mistake(error)) from None


def _path_in(error: msgspec.ValidationError) -> MappingPath:
    """The path that msgspec names, up to a member of any name."""
    found = _MSGSPEC_PLACE.search(str(error))
    steps: list[str | int] = []
    for step in _MSGSPEC_STEP.finditer(found[1] if found else ""):
        if step[1] is None and step[2] is None:
            break
        steps.append(step[1] or int(step[2]))
    return tuple(steps)


def unusable_mapping(values: Mapping[str, Any], path: MappingPath, says: str) -> ConversionError:
    """The error that a mapping makes no sense at a path."""
    place = ""
    if isinstance(values, MappingFile):
        line = values.line_of(path)
        place = f" ({values.name if line is None else f'line {line} of {values.name}'})"
    return ConversionError(f"The mapping cannot be used: {says}{place}.")


# The rules of a mapping, ready to be tried on lines.


class Template(NamedTuple):
    """What a line writes, with `$column` where its own values belong, and where the mapping says so."""

    members: Mapping[str, Any]
    path: MappingPath


class Rule(NamedTuple):
    """The patterns that a line must fit, what it then writes, and where the mapping says so."""

    patterns: Mapping[str, re.Pattern[str]]
    parts: "list[Template | RuleChoice]"
    path: MappingPath


class RuleChoice(NamedTuple):
    """Rules for the items of a list, or for the line itself where `each` is empty."""

    each: str
    separator: str
    rules: list[Rule]
    path: MappingPath


def compile_rules(values: Mapping[str, Any], mapping: LogMapping) -> list[Rule]:
    """The rules of a mapping; `values` is what it was read from. Raises ConversionError."""
    return list(_compile_lines(values, mapping.line, ("line",)))


def _compile_lines(
    values: Mapping[str, Any], lines: list[LineRule], path: MappingPath
) -> Iterator[Rule]:
    for number, line in enumerate(lines):
        at = (*path, number)
        patterns = {
            column: compile_pattern(values, pattern, (*at, "when", column))
            for column, pattern in line.when.items()
        }
        several = isinstance(line.write, list)
        written = line.write if isinstance(line.write, list) else [line.write]
        parts = [
            _compile_part(values, part, (*at, "write", *([index] if several else [])))
            for index, part in enumerate(written)
        ]
        yield Rule(patterns, parts, at)


def _compile_part(
    values: Mapping[str, Any], part: dict[str, Any], path: MappingPath
) -> Template | RuleChoice:
    if "line" not in part or "type" in part:
        return Template(part, path)
    try:
        choice = msgspec.convert(part, PartRules)
    except msgspec.ValidationError as error:
        says = f"in {name_mapping_place({}, path)}, {describe_toml_mistake(error)}"
        raise unusable_mapping(values, (*path, *_path_in(error)), says) from None
    rules = list(_compile_lines(values, choice.line, (*path, "line")))
    return RuleChoice(choice.each, choice.separator, rules, path)


def compile_pattern(values: Mapping[str, Any], pattern: str, path: MappingPath) -> re.Pattern[str]:
    """A regular expression of the mapping; raises ConversionError."""
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise unusable_mapping(values, path, str(error)) from None


# Parts of a mapping as TOML, for a draft of one.


def toml_value(value: Any) -> str:
    """A value in one line; a pattern stands between single quotation marks."""
    if isinstance(value, Mapping):
        members = ", ".join(
            f"{toml_key(str(name))} = {toml_value(part)}" for name, part in value.items()
        )
        return f"{{ {members} }}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(toml_value, value))}]"
    text = str(value)
    if "\\" in text and "'" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=not text.isprintable())


def toml_key(name: str) -> str:
    """The name of a member, in quotation marks where it needs them."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml_value(name)
