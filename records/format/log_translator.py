"""The lines of a log as a record: what a mapping says of each is written into the deal that it belongs to."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from records.cards import ALL_CARDS
from records.errors import RulesError
from records.events import EVENT_TYPES
from records.format.codec import decode
from records.format.log_mapping import (
    ConversionError,
    MappingPath,
    Rule,
    RuleChoice,
    Template,
    compile_rules,
    read_mapping,
)
from records.format.log_rows import LogRow
from records.format.log_seats import (
    NEXT,
    SEATS_BY_RULES,
    SeatUnknown,
    UnnamedSeat,
    find_seats,
)
from records.record import RECORD_FORMAT, RECORD_VERSION

# What became of a line.


class Written(NamedTuple):
    """What a line wrote into the record: a value, and its place there as a JSON pointer."""

    pointer: str
    value: Any
    path: MappingPath


@dataclass(frozen=True, slots=True)
class LineAccount:
    """What became of a line: the rule that read it, the groups of its patterns, and what it wrote."""

    name: str
    line: int
    text: str
    rule: MappingPath
    groups: Mapping[str, str]
    written: list[Written]


# The log, row by row.

_SEATS = ("seat", "winner", "dealer")
_CARD = ("card", "turn_up")
_CARDS = ("cards", "from_tableau", "stock", "trick", "tableau", "spent_dixes")
_HANDS = ("hands", "captured")
_NUMBERS = ("points", "count", "ms", "packet", "guess", "total")
_LISTS_OF_NUMBERS = ("scores", "settlement", "brisques")
"""The numbers of all sides in one column, or each in its own."""
_EVENTS = {str(kind.__struct_config__.tag): kind for kind in EVENT_TYPES}
_WITH_POINTS = {name for name, kind in _EVENTS.items() if "points" in kind.__struct_fields__}
_SEVERAL = {"plays": "play", "draws": "draw"}
"""One event for each card, seat after seat."""
_GROUP = re.compile(r"\$\{([^{}]*)\}")
MOST_NESTED_PARTS = 32


class LogTranslator:
    """Turns rows into the members of the record that they belong to.

    `line` is the line that it reads, with the name of its file, and `at` what it reads of the mapping.
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.mapping = read_mapping(values)
        self.line: tuple[str, int] = ("", 0)
        self.at: MappingPath = ()
        self._spellings = self.mapping.cards.spellings()
        self._rules = compile_rules(values, self.mapping)
        self._words = {
            member: words for member, words in self.mapping.words.items() if isinstance(words, dict)
        }
        self._record: dict[str, Any] = {}
        self._deal: dict[str, Any] | None = None
        self._beginnings: dict[str, Any] = {}
        self._totals: dict[int, int] = {}
        self._written: list[Written] = []
        self._unnamed: dict[UnnamedSeat, tuple[tuple[str, int], MappingPath]] = {}

    def read(
        self, name: str, row: LogRow, columns: Mapping[str, Any]
    ) -> tuple[bytes | None, LineAccount]:
        """Read a row; gives the record before it as JSON, if the row begins another, and what became of the row."""
        finished = None
        if not self._record or self._changes("game", self.mapping.game.begins, columns):
            finished = self.finish() if self._record else None
            self.line = (name, row.line)
            self._written = []
            self._begin_game(columns)
        else:
            self.line, self._written = (name, row.line), []
        if self.mapping.deal.begins and self._changes("deal", self.mapping.deal.begins, columns):
            self._begin_deal(columns)
        groups, rule = self._apply(self._rules, ("line",), columns)
        return finished, LineAccount(name, row.line, row.text, rule.path, groups, self._written)

    def finish(self) -> bytes:
        """The record read so far, as JSON; raises ConversionError for what JSON cannot hold."""
        record, self._record, self.at = self._record, {}, ()
        if self._unnamed:
            self._name_seats(record)
        try:
            return msgspec.json.encode(record)
        except (OverflowError, UnicodeEncodeError, RecursionError):
            # A number of more than 64 bits, or half of a surrogate pair.
            raise ConversionError(
                "the game up to here has a number or a text that no record can hold."
            ) from None

    def _name_seats(self, record: dict[str, Any]) -> None:
        """Let the rules tell the seats that the log does not; raises ConversionError where they cannot."""
        unnamed, self._unnamed = self._unnamed, {}
        self.line, self.at = next(iter(unnamed.values()))
        self._set_seats(record, dict.fromkeys(unnamed, 0))
        try:
            decoded = decode(msgspec.json.encode(record)).record
            seats = {} if decoded is None else find_seats(decoded, list(unnamed))
        except RulesError as error:
            raise ConversionError(f"the rules tell no seat. {error}") from None
        except SeatUnknown as error:
            self.line, self.at = unnamed[error.unnamed]
            meant = SEATS_BY_RULES[error.unnamed.word]
            raise ConversionError(f"nothing tells {meant}.") from None
        except (OverflowError, UnicodeEncodeError):
            return
        self._set_seats(record, seats)

    @staticmethod
    def _set_seats(record: dict[str, Any], seats: Mapping[UnnamedSeat, int]) -> None:
        for each, seat in seats.items():
            event = record["deals"][each.deal]["events"][each.event]
            event["winner" if event["type"] == "trick" else "seat"] = seat

    def _changes(self, what: str, begins: str, columns: Mapping[str, Any]) -> bool:
        """Whether the column that tells games or deals apart has another value than before."""
        if not begins:
            return False
        value = self._fill("", begins, columns, (what, "begins"))
        before, self._beginnings[what] = self._beginnings.get(what, ()), value
        return bool(before != value)

    def _begin_game(self, columns: Mapping[str, Any]) -> None:
        game = self.mapping.game
        players = [
            player if isinstance(player, dict) else {"name": player} for player in game.players
        ]
        rules = self._fill("rules", game.rules, columns, ("game", "rules"))
        if isinstance(rules.get("options"), dict):
            rules["options"] = {
                option: _option_value(value) for option, value in rules["options"].items()
            }
        self._record = {
            "format": RECORD_FORMAT,
            "version": RECORD_VERSION,
            "rules": rules,
            "players": self._fill("players", players, columns, ("game", "players")),
            "deals": [],
            **self._fill("", game.more, columns, ("game", "more")),
        }
        self._note_written("/rules", rules, ("game", "rules"))
        self._note_written("/players", self._record["players"], ("game", "players"))
        self._deal = None
        self._totals = {}
        self._beginnings.pop("deal", None)
        self._changes("game", game.begins, columns)

    def _begin_deal(self, columns: Mapping[str, Any]) -> dict[str, Any]:
        form = self.mapping.deal
        dealer = self._fill("dealer", form.dealer, columns, ("deal", "dealer"))
        self._deal = {} if dealer is None else {"dealer": dealer}
        self._deal |= self._fill("", form.more, columns, ("deal", "more"))
        self._record["deals"].append(self._deal)
        if self._deal:
            self._note_written(self._place(), {**self._deal}, ("deal",))
        if form.totals == "deal":
            self._totals = {}
        return self._deal

    def _place(self, *members: str | int) -> str:
        """A place in the deal that is being read, as a JSON pointer."""
        steps = ("deals", len(self._record["deals"]) - 1, *members)
        return "".join(f"/{step}" for step in steps)

    def _note_written(self, pointer: str, value: Any, path: MappingPath) -> None:
        self._written.append(Written(pointer, value, path))

    def _apply(
        self, rules: list[Rule], path: MappingPath, columns: Mapping[str, Any]
    ) -> tuple[Mapping[str, str], Rule]:
        """Write what the first rule says that fits; gives the groups of its patterns and the rule."""
        self.at = path
        groups, rule = _find_rule(rules, columns)
        found = {**columns, **groups}
        for part in rule.parts:
            if isinstance(part, Template):
                self._write(part, found)
                continue
            self.at = (*part.path, "each")
            for inner in _items_of(part, found):
                self._apply(part.rules, (*part.path, "line"), inner)
        return groups, rule

    def _write(self, template: Template, columns: Mapping[str, Any]) -> None:
        """Add what a template says to the record, to its deal, or to the events of that."""
        members = self._fill("", template.members, columns, template.path)
        self.at = template.path
        kind = members.get("type")
        total = members.pop("total", None)
        if total is not None:
            self._count_total(members, total)
        if kind == "nothing":
            return
        if kind == "result":
            self._record["result"] = _without_type(members)
            self._note_written("/result", self._record["result"], template.path)
        elif kind == "deal":
            deal = self._begin_deal(columns)
            deal.update(_without_type(members))
            self._note_written(self._place(), _without_type(members), template.path)
        else:
            deal = self._begin_deal(columns) if self._deal is None else self._deal
            self._write_in_deal(deal, members, template.path)

    def _write_in_deal(
        self, deal: dict[str, Any], members: dict[str, Any], path: MappingPath
    ) -> None:
        kind = str(members.get("type"))
        if kind in _EVENTS:
            self._add_event(deal, members, path)
        elif kind in _SEVERAL:
            for event in self._one_by_one(members, _SEVERAL[kind]):
                self._add_event(deal, event, path)
        elif kind == "hand":
            self._add_hand(deal, members, path)
        elif kind == "facts":
            facts = _without_type(members)
            deal.update(facts)
            for name, value in facts.items():
                self._note_written(self._place(name), value, path)
        elif kind == "note":
            self._add_note(deal, members, path)
        else:
            kinds = ", ".join(
                [*_EVENTS, *_SEVERAL, "deal", "hand", "facts", "note", "result", "nothing"]
            )
            raise ConversionError(f"the mapping writes the type “{kind}”; the types are {kinds}.")

    def _count_total(self, members: dict[str, Any], total: Any) -> None:
        """Note what a seat has now; of an event with points, these are what it has more than before."""
        seat = members.get("seat", members.get("winner"))
        if not (isinstance(seat, int) and isinstance(total, int)):
            raise ConversionError("a total needs a number, and a seat that the log names.")
        gained = total - self._totals.get(seat, 0)
        self._totals[seat] = total
        if str(members.get("type")) in _WITH_POINTS:
            members["points"] = gained

    def _add_event(self, deal: dict[str, Any], event: dict[str, Any], path: MappingPath) -> None:
        events = _list_in(deal, "events")
        member = "winner" if event.get("type") == "trick" else "seat"
        word = event.get(member)
        if isinstance(word, str) and word in SEATS_BY_RULES:
            at = UnnamedSeat(len(self._record["deals"]) - 1, len(events), word)
            self._unnamed[at] = self.line, (*path, member)
        self._note_written(self._place("events", len(events)), event, path)
        events.append(event)

    def _one_by_one(self, members: dict[str, Any], kind: str) -> Iterator[dict[str, Any]]:
        seat, cards = members.pop("seat", None), members.pop("cards", None) or []
        if not isinstance(seat, (int, str)) or not isinstance(cards, list):
            raise ConversionError(f"`{members['type']}` needs the first seat, and cards.")
        players = max(len(self.mapping.game.players), 1)
        for number, card in enumerate(cards):
            after = (seat + number) % players if isinstance(seat, int) else NEXT
            yield {**members, "type": kind, "seat": after if number else seat, "card": card}

    def _add_hand(
        self, deal: dict[str, Any], members: Mapping[str, Any], path: MappingPath
    ) -> None:
        """Add the cards dealt to a seat; they may be told in several lines."""
        deal.setdefault("hands", [[] for _ in self.mapping.game.players])
        hands, seat = _list_in(deal, "hands"), members.get("seat")
        if not isinstance(seat, int) or not 0 <= seat < len(hands):
            raise ConversionError("a hand needs a seat.")
        cards = members.get("cards") or []
        if not isinstance(hands[seat], list) or not isinstance(cards, list):
            raise ConversionError("a hand needs a list of cards.")
        hands[seat] += cards
        self._note_written(self._place("hands", seat), cards, path)

    def _add_note(
        self, deal: dict[str, Any], members: Mapping[str, Any], path: MappingPath
    ) -> None:
        """Add a comment at the last event of the deal, or at the deal itself before the first."""
        if not str(members.get("text") or "").strip():
            return
        notes, number = _list_in(self._record, "notes"), len(self._record["deals"]) - 1
        events = _list_in(deal, "events")
        at = [number, len(events) - 1] if events else [number]
        self._note_written(f"/notes/{len(notes)}", members, path)
        notes.append({"at": at, **_without_type(members)})

    def _fill(self, member: str, value: Any, columns: Mapping[str, Any], path: MappingPath) -> Any:
        """A value of the mapping with what the row has for `$column`; what the row leaves empty is None or left out."""
        self.at = path
        if isinstance(value, dict):
            filled = {
                name: self._fill(name, part, columns, (*path, name)) for name, part in value.items()
            }
            return {name: part for name, part in filled.items() if part is not None}
        if isinstance(value, list):
            inner = "cards" if member in _HANDS else "card" if member in _CARDS else member
            return [
                self._fill(inner, part, columns, (*path, index)) for index, part in enumerate(value)
            ]
        if not isinstance(value, str):
            return value
        if value.startswith("$") or _GROUP.search(value):
            found = _value_in(value, columns)
            is_empty = found is None or (isinstance(found, str) and not found.strip())
            return None if is_empty else self._translate(member, found)
        return self._translate_constant(member, value, path[0])

    def _translate_constant(self, member: str, value: str, table: str | int) -> Any:
        """A text of the mapping itself: the log's word for it, or the format's own."""
        if member in _CARD and value in ALL_CARDS and value.lower() not in self._spellings:
            return value
        if table == "game" or (member in _SEATS and value in SEATS_BY_RULES):
            return value
        if member in (*_CARD, *_SEATS, *_NUMBERS):
            return self._translate(member, value)
        words = self._words.get(member, {})
        if table != "line" or member == "type":
            return value
        if value in words.values() or value in self.mapping.words.values():
            return value
        return self._word(member, value)

    def _translate(self, member: str, value: Any) -> Any:
        """A value of the log as the format writes it in this member."""
        if _text(value) in self._words.get(member, {}):
            return self._words[member][_text(value)]
        if member in _SEATS:
            return self._seat(value)
        if member in _CARD:
            return self._card(value)
        if member in _CARDS:
            return self._cards(value)
        if member in _HANDS:
            return [self._cards(part) for part in self._by_seat(value)]
        if member in _NUMBERS:
            return _number(value)
        if member in _LISTS_OF_NUMBERS:
            parts = _text(value).split() if isinstance(value, str) else self._by_seat(value)
            numbers = [_number(part) for part in parts]
            return numbers[0] if len(numbers) == 1 and not isinstance(value, list) else numbers
        return self._word(member, value)

    def _word(self, member: str, value: Any) -> Any:
        if isinstance(value, (str, int, float)):
            words = self._words.get(member, {}) | {
                said: word
                for said, word in self.mapping.words.items()
                if not isinstance(word, dict)
            }
            return words.get(_text(value), value)
        return value

    def _by_seat(self, value: Any) -> list[Any]:
        """The parts of a list, or of an object whose members are seats, in the order of the seats."""
        if isinstance(value, dict):
            parts = {self._seat(name): part for name, part in value.items()}
            return [part for _, part in sorted(parts.items())]
        return value if isinstance(value, list) else [value]

    def _seat(self, value: Any) -> int:
        said = _text(value)
        players = [player.get("name") for player in self._record.get("players", ())]
        if said in self.mapping.seats:
            return self.mapping.seats[said]
        if said in players:
            return players.index(said)
        raise ConversionError(f"“{said}” is no player and no seat of the mapping.")

    def _cards(self, value: Any) -> list[str]:
        parts = value if isinstance(value, list) else self._split(value)
        return [self._card(part) for part in parts]

    def _split(self, value: Any) -> list[Any]:
        if isinstance(value, dict):
            return [value]
        separator = self.mapping.cards.separator
        text = _text(value)
        parts = text.split(separator) if separator.strip() else text.split()
        found = [part.strip() for part in parts if part.strip()]
        return [card for part in found for card in self._cut(part)] if not separator else found

    def _cut(self, text: str) -> Iterator[str]:
        """Cards one behind the other with nothing between them."""
        longest = max(map(len, self._spellings), default=1)
        while text:
            lengths = range(min(longest, len(text)), 0, -1)
            end = next((end for end in lengths if text[:end].lower() in self._spellings), len(text))
            yield text[:end]
            text = text[end:]

    def _card(self, value: Any) -> str:
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, dict):
            value = "".join(_text(value.get(name)) for name in self.mapping.cards.members)
        said = _text(value).strip()
        if said.lower() not in self._spellings:
            raise ConversionError(f"“{said}” is no card.")
        return self._spellings[said.lower()]


_INDEX = re.compile(r"-?[0-9]{1,6}")
_SLICE = re.compile(r"(?:-?[0-9]{1,6})?:(?:-?[0-9]{1,6})?")


def _find_rule(rules: list[Rule], columns: Mapping[str, Any]) -> tuple[dict[str, str], Rule]:
    """The first rule that fits a row, and the groups of its patterns that took part."""
    for rule in rules:
        found: dict[str, str] = {}
        for column, pattern in rule.patterns.items():
            match = _match(pattern, _look_up(column, columns)[0])
            if match is None:
                break
            found |= {name: text or "" for name, text in match.groupdict().items()}
        else:
            return found, rule
    shown = columns["item"] if isinstance(columns.get("item"), dict) else columns
    said = ", ".join(f"{name} “{_text(value)}”" for name, value in shown.items() if value)
    raise ConversionError(f"no rule of the mapping fits {_clip(said)}.")


def _match(pattern: re.Pattern[str], value: Any) -> re.Match[str] | None:
    """Whether a value fits; true and false may be written with a capital, too."""
    found = pattern.fullmatch(_text(value))
    return pattern.fullmatch(str(value)) if found is None and isinstance(value, bool) else found


def _look_up(name: str, columns: Mapping[str, Any]) -> tuple[Any, bool]:
    """What a row has at a path such as `lead.card`, `hands.0` or `drawn.:-1`, and whether there is such a place."""
    if name in columns:
        return columns[name], True
    above, _, rest = name.partition(".")
    value: Any = columns.get(above)
    if not rest or above not in columns:
        return None, False
    for step in rest.split("."):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and _SLICE.fullmatch(step):
            begin, _, end = step.partition(":")
            value = value[int(begin) if begin else None : int(end) if end else None]
        elif (
            isinstance(value, list)
            and _INDEX.fullmatch(step)
            and -len(value) <= int(step) < len(value)
        ):
            value = value[int(step)]
        else:
            return None, False
    return value, True


def _value_in(text: str, columns: Mapping[str, Any]) -> Any:
    """What a row has for `$column`, for `$column?` if it may be missing, or for texts with `${column}` in them."""
    whole = _GROUP.fullmatch(text)
    if whole is not None:
        return _column(whole[1], columns)
    if text.startswith("$") and not text.startswith("${"):
        return _column(text[1:], columns)
    values = [_text(_column(name, columns)).strip() for name in _GROUP.findall(text)]
    parts = iter(values)
    return _GROUP.sub(lambda _: next(parts), text) if any(values) else None


def _column(name: str, columns: Mapping[str, Any]) -> Any:
    value, is_there = _look_up(name, columns)
    if is_there:
        return value
    if name.endswith("?"):
        return _look_up(name[:-1], columns)[0]
    known = ", ".join(column for column in columns if column)
    raise ConversionError(f"there is no column “{name}”; there are {_clip(known)}.")


def _items_of(choice: RuleChoice, columns: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The columns for each item of a list, or those of the line itself."""
    if not choice.each:
        yield columns
        return
    value = _value_in(choice.each, columns)
    if isinstance(value, str) and choice.separator:
        value = [part.strip() for part in value.split(choice.separator) if part.strip()]
    if isinstance(value, dict):
        items: Iterable[tuple[str, Any]] = value.items()
    elif isinstance(value, list):
        items = ((str(number), item) for number, item in enumerate(value))
    elif value is None or value == "":
        return
    else:
        raise ConversionError(f"“{_clip(_text(value))}” is no list.")
    for key, item in items:
        members = item if isinstance(item, dict) else {}
        yield {**columns, "key": key, "item": item, **members}


def _list_in(parent: dict[str, Any], name: str) -> list[Any]:
    """A list of the deal, new if there is none; raises ConversionError where the mapping has put something else there."""
    found = parent.setdefault(name, [])
    if not isinstance(found, list):
        raise ConversionError(f"the mapping gives `{name}` a value that is no list.")
    return found


def _without_type(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if name != "type"}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)


_LONGEST_QUOTE = 300


def _clip(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}…"


def _option_value(value: Any) -> Any:
    """The value of an option: a log that has only texts writes numbers, yes and no as such."""
    if not isinstance(value, str):
        return value
    if re.fullmatch(r"\d{1,18}", value):
        return int(value)
    return {"true": True, "false": False}.get(value.lower(), value)


def _number(value: Any) -> int:
    try:
        return int(_text(value).replace(",", ""))
    except ValueError:
        raise ConversionError(f"“{_clip(_text(value))}” is no number.") from None
