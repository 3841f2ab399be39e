"""Every error of a text that is not a record: where it stands, and what was probably meant.

The text is read as plain JSON and compared with the types of `Record` value by value, so that one error
does not hide the next. A stand-in replaces each value that cannot be read, and then the rest is checked
like any record.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from records.cards import FACES, RANKS, SUITS, SUITS_OF_SIGNS, parse_card
from records.errors import CardError
from records.events import MAX_INTEGER, MAX_PLAYERS, MIN_INTEGER
from records.format.semantics import check_version, is_newer_minor
from records.format.text_places import (
    MAX_ERRORS_LISTED,
    HugeInteger,
    NonFiniteNumber,
    ObjectMembers,
    RealNumber,
    RecordPath,
    Unreadable,
    clip_number,
    make_finding,
    member_name_of,
    parse_json,
    pointer_to,
    quote_value,
)
from records.phrases import join_words, pluralize, with_article
from records.record import MAX_DIGITS, MIN_PLAYERS, RECORD_FORMAT, RECORD_VERSION, Record
from records.rules.sheet_text import LARGEST_SHEET_BYTES, SHEET_FORMAT
from records.validate.finding import Finding, Severity

# Suggestions: the known words nearest to an unknown one.

_LONGEST_WORD = 40
"""Longer texts are not misspelt words; comparing them would take long, and remembering them much memory."""

_SIGNS = str.maketrans(SUITS_OF_SIGNS)


def suggest_words(word: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Up to three known words that look like this one, the most likely first."""
    return _similar_words(word, known) if len(word) <= _LONGEST_WORD else ()


@lru_cache(maxsize=4096)
def _similar_words(word: str, known: tuple[str, ...]) -> tuple[str, ...]:
    normalized = word.lower().replace("-", "_").replace(" ", "_")
    return tuple(get_close_matches(normalized, known, n=3, cutoff=0.6))


def suggest_cards(word: str) -> tuple[str, ...]:
    """Cards that a text may mean: in small letters, with suit signs, or with the suit first."""
    return _similar_cards(word) if len(word) <= _LONGEST_WORD else ()


@lru_cache(maxsize=4096)
def _similar_cards(word: str) -> tuple[str, ...]:
    normalized = word.strip().upper().translate(_SIGNS)
    for guess in (normalized, normalized[1:] + normalized[:1]):
        try:
            return (parse_card(guess),)
        except CardError:
            continue
    if len(normalized) == 1 and normalized in RANKS:
        return tuple(normalized + suit for suit in SUITS)
    return tuple(get_close_matches(normalized, FACES, n=3, cutoff=0.5))


# The types of a record in words, and a stand-in value of each type.

_OBJECT_WORDS = {
    "record": "The record", "result": "The result", "setup": "The setup",
    "provenance": "The provenance", "rules": "`rules`", "claims": "`claims`", "laid": "A laid meld",
}  # fmt: skip
"""Objects that a record has only once, or whose name is not a singular noun."""


@cache
def fields_of(struct: type) -> dict[str, inspect.Field]:
    """The members of a struct by the names that a record writes."""
    kind = inspect.type_info(struct)
    assert isinstance(kind, inspect.StructType)
    return {field.encode_name: field for field in kind.fields}


def stand_in_for(kind: inspect.Type) -> Any:
    """The simplest value of a type, in place of one that cannot be read."""
    match kind:
        case inspect.Metadata():
            return stand_in_for(kind.type)
        case inspect.UnionType():
            choices = kind.types
            return (
                None
                if any(isinstance(c, inspect.NoneType) for c in choices)
                else stand_in_for(choices[0])
            )
        case inspect.StructType():
            required = {f.encode_name: stand_in_for(f.type) for f in kind.fields if f.required}
            return required if kind.tag is None else {"type": kind.tag, **required}
        case inspect.ListType():
            return [stand_in_for(kind.item_type)] * (kind.min_length or 0)
        case inspect.DictType():
            return {}
        case inspect.LiteralType():
            return "??" if "??" in kind.values else kind.values[0]
        case inspect.IntType():
            return max(0, int(kind.ge or 0))
        case inspect.BoolType():
            return False
        case _:
            return ""


def describe_type(kind: inspect.Type) -> str:
    """What a value of a type is, in words: `a whole number`."""
    match kind:
        case inspect.Metadata():
            return describe_type(kind.type)
        case inspect.UnionType():
            choices = [c for c in kind.types if not isinstance(c, inspect.NoneType)]
            return join_words(map(describe_type, choices), "or")
        case inspect.StructType() | inspect.DictType():
            return "an object"
        case inspect.ListType():
            return "a list"
        case inspect.IntType():
            return "a whole number"
        case inspect.BoolType():
            return "true or false"
        case _:
            return "a text"


def describe_value(value: Any) -> str:
    """What a value is, in words."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case NonFiniteNumber():
            return str(value)
        case int() | HugeInteger() | RealNumber():
            return "a number"
        case str():
            return "a text"
        case ObjectMembers():
            return "an object"
        case _:
            return "a list"


def describe_object(kind: inspect.StructType) -> str:
    """An object as the subject of a sentence: `The record`, `A play event`."""
    if kind.tag is not None:
        return with_article(f"{kind.tag} event").capitalize()
    name = kind.cls.__name__.lower()
    return _OBJECT_WORDS.get(name) or with_article(name).capitalize()


_T = TypeVar("_T")


class Diagnosis(msgspec.Struct):
    """The findings; `record` has stand-ins at the pointers in `broken`, and is None without a header."""

    findings: list[Finding]
    broken: set[str]
    record: Record | None = None


def diagnose_text(data: bytes, *, strict: bool) -> Diagnosis:
    """Everything that keeps a text from being a record, or from being one in lenient reading."""
    try:
        return _Walk(strict=strict).record(parse_json(data))
    except Unreadable as stop:
        return Diagnosis([stop.finding], set())


_FIRST_MEMBERS = 20
_RECORD_TYPE = inspect.type_info(Record)
_PYTHON_TYPES = {inspect.BoolType: bool, inspect.IntType: int, inspect.StrType: str}
_INFINITE = (float("inf"), float("-inf"))


class _Walk:
    """One walk through the values of a record, which collects findings."""

    def __init__(self, *, strict: bool) -> None:
        self.findings: list[Finding] = []
        self.broken: set[str] = set()
        self.unknown_severity: Severity = "unreadable" if strict else "warning"
        self.last_seat = MAX_PLAYERS - 1

    def record(self, value: Any) -> Diagnosis:
        """Walk a whole record."""
        self._header(value)
        try:
            clean = self.value(_RECORD_TYPE, value, ())
        except Unreadable as stop:
            self.findings.append(stop.finding)
            return Diagnosis(self.findings, self.broken)
        if "/version" in self.broken:
            clean["version"] = RECORD_VERSION
        return Diagnosis(self.findings, self.broken, msgspec.convert(clean, Record))

    def _header(self, value: Any) -> None:
        """Stop if this is not a record, or has a version that cannot be read."""
        if not isinstance(value, ObjectMembers):
            raise Unreadable(_not_an_object("A record", value, ()))
        header = dict(reversed(value))
        if header.get("format") != RECORD_FORMAT:
            raise Unreadable(_wrong_format(header))
        version = header.get("version")
        if isinstance(version, str) and not isinstance(version, (HugeInteger, NonFiniteNumber)):
            for finding in check_version(version):
                if finding.severity == "unreadable":
                    raise Unreadable(finding)
            if is_newer_minor(version):
                self.unknown_severity = "warning"
        players = header.get("players")
        if type(players) is list and MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
            self.last_seat = len(players) - 1

    def value(self, kind: inspect.Type, value: Any, path: RecordPath) -> Any:
        """A value as its type wants it, or a stand-in: something that converts to a record."""
        match kind:
            case inspect.Metadata():
                return self._annotated(kind, value, path)
            case inspect.UnionType():
                return self._union(kind, value, path)
            case inspect.StructType():
                return self._struct(kind, value, path)
            case inspect.ListType():
                return self._list(kind, value, path, {})
            case inspect.DictType():
                return self._dict(kind, value, path)
            case inspect.AnyType():
                return self._free_value(value, path)
            case _:
                return self._scalar(kind, value, path, {})

    def _annotated(self, kind: inspect.Metadata, value: Any, path: RecordPath) -> Any:
        codes = kind.extra or {}
        if isinstance(kind.type, inspect.ListType):
            return self._list(kind.type, value, path, codes)
        return self._scalar(kind.type, value, path, codes)

    def _union(self, kind: inspect.UnionType, value: Any, path: RecordPath) -> Any:
        """None, one of several scalars, or one of several events."""
        if value is None and any(isinstance(choice, inspect.NoneType) for choice in kind.types):
            return None
        choices = [choice for choice in kind.types if not isinstance(choice, inspect.NoneType)]
        if len(choices) == 1:
            return self.value(choices[0], value, path)
        events = {
            choice.tag: choice for choice in choices if isinstance(choice, inspect.StructType)
        }
        if events:
            return self._event(events, value, path)
        for choice in choices:
            if type(value) is _PYTHON_TYPES[type(choice)]:
                return self.value(choice, value, path)
        # A number that is too long or not whole is told apart from a value of another kind.
        number = next(choice for choice in choices if isinstance(choice, inspect.IntType))
        if isinstance(value, (RealNumber, HugeInteger)):
            return self._scalar(number, value, path, {})
        return self._wrong_type(kind, value, path)

    def _event(self, events: dict[Any, inspect.StructType], value: Any, path: RecordPath) -> Any:
        stand_in = stand_in_for(next(iter(events.values())))
        if not isinstance(value, ObjectMembers):
            self.broken.add(pointer_to(path))
            self._add(_not_an_object("An event", value, path))
            return stand_in
        names = [item for name, item in value if name == "type"]
        if names and type(names[0]) is str and names[0] in events:
            return self._struct(events[names[0]], value, path)
        self._unknown_event(names, tuple(map(str, events)), path)
        list(self._unique_members(value, path))
        return stand_in

    def _unknown_event(
        self, names: list[Any], event_types: tuple[str, ...], path: RecordPath
    ) -> None:
        if not names:
            self._broken("missing-member", path, None, object="An event", expected="type")
            return
        name, found = names[0], quote_value(names[0])
        path = (*path, "type")
        if type(name) is str:
            likely = suggest_words(name, event_types)
            self._broken("unknown-event-type", path, None, found=found, candidates=likely)
        else:
            kinds = {"type": "a text", "actual": describe_value(name)}
            self._broken("wrong-type", path, None, subject="`type`", found=found, **kinds)

    def _struct(self, kind: inspect.StructType, value: Any, path: RecordPath) -> Any:
        if not isinstance(value, ObjectMembers):
            return self._wrong_type(kind, value, path)
        fields = fields_of(kind.cls)
        clean: dict[str, Any] = {} if kind.tag is None else {"type": kind.tag}
        misspelt = set()
        for name, item in self._unique_members(value, path):
            field = fields.get(name)
            if field is not None and item is None and _is_left_out(field):
                continue
            if field is not None:
                clean[name] = self.value(field.type, item, (*path, name))
            elif name != kind.tag_field:
                misspelt |= self._unknown_member(name, kind, path)
        for name, field in fields.items():
            if field.required and name not in clean:
                clean[name] = stand_in_for(field.type)
                self._missing_member(name, kind, path, misspelt=name in misspelt)
        return clean

    def _unique_members(
        self, members: ObjectMembers, path: RecordPath
    ) -> Iterator[tuple[str, Any]]:
        """The members of an object; of several with one name the first, and a finding for each other."""
        seen = set()
        for name, item in members:
            if name in seen:
                self._broken("duplicate-member", (*path, name), None, found=quote_value(name))
            else:
                seen.add(name)
                yield name, item

    def _unknown_member(self, name: str, kind: inspect.StructType, path: RecordPath) -> set[str]:
        """Note a member that the format does not know; returns the one probably meant, if any."""
        candidates = suggest_words(name, tuple(fields_of(kind.cls)))
        self._add(
            make_finding(
                "unknown-member", (*path, name), object=describe_object(kind), found=quote_value(name),
                candidates=candidates, severity=self.unknown_severity,
            )
        )  # fmt: skip
        return set(candidates[:1]) if self.unknown_severity == "unreadable" else set()

    def _missing_member(
        self, name: str, kind: inspect.StructType, path: RecordPath, *, misspelt: bool
    ) -> None:
        self.broken.add(pointer_to((*path, name)))
        # A misspelt member is one error: the unknown member, whose finding names this one.
        if not misspelt:
            code = "missing-version" if (*path, name) == ("version",) else "missing-member"
            self._add(make_finding(code, path, object=describe_object(kind), expected=name))

    def _list(
        self, kind: inspect.ListType, value: Any, path: RecordPath, codes: dict[str, str]
    ) -> Any:
        if not isinstance(value, list) or isinstance(value, ObjectMembers):
            return self._wrong_type(kind, value, path)
        too_few = kind.min_length is not None and len(value) < kind.min_length
        too_many = kind.max_length is not None and len(value) > kind.max_length
        if too_few or too_many:
            code = codes["too_few" if too_few else "too_many"]
            limit = kind.min_length if too_few else kind.max_length
            at_limit = "at least" if too_few else "at most"
            self._broken(
                code, path, None, clause="length" if code == "bad-anchor" else "",
                member=member_name_of(path), entries=pluralize(len(value), "entry"),
                limit=f"{at_limit} {limit:,}", expected=f"{at_limit} {limit}", found=str(len(value)),
            )  # fmt: skip
        read = value[: kind.max_length]
        clean = [self.value(kind.item_type, item, (*path, i)) for i, item in enumerate(read)]
        missing = max(0, (kind.min_length or 0) - len(clean))
        return clean + [stand_in_for(kind.item_type)] * missing

    def _dict(self, kind: inspect.DictType, value: Any, path: RecordPath) -> Any:
        if not isinstance(value, ObjectMembers):
            return self._wrong_type(kind, value, path)
        clean = {}
        for name, item in self._unique_members(value, path):
            key = self.value(kind.key_type, name, (*path, name))
            clean[key] = self.value(kind.value_type, item, (*path, name))
        return clean

    def _free_value(self, value: Any, path: RecordPath) -> Any:
        """A value of `ext` or `meta`: anything that JSON can write."""
        if isinstance(value, ObjectMembers):
            return {
                self._text(name, (*path, name)): self._free_value(item, (*path, name))
                for name, item in self._unique_members(value, path)
            }
        if isinstance(value, list):
            return [self._free_value(item, (*path, i)) for i, item in enumerate(value)]
        if isinstance(value, NonFiniteNumber):
            return self._constant(value, path)
        if isinstance(value, HugeInteger) and len(value.lstrip("-")) <= MAX_DIGITS:
            return int(value)
        if isinstance(value, HugeInteger) or (isinstance(value, RealNumber) and value in _INFINITE):
            found = quote_value(str(value))
            return self._broken(
                "out-of-range",
                path,
                None,
                clause="size",
                number=found,
                found=found,
                limit=f"{MAX_DIGITS:,}",
            )
        if isinstance(value, RealNumber):
            return float(value)
        return self._text(value, path) if isinstance(value, str) else value

    def _scalar(
        self, kind: inspect.Type, value: Any, path: RecordPath, codes: dict[str, str]
    ) -> Any:
        if isinstance(value, NonFiniteNumber):
            self._constant(value, path)
            return stand_in_for(kind)
        match kind:
            case inspect.IntType() if type(value) is int:
                return self._in_range(kind, value, path)
            case inspect.IntType() if isinstance(value, HugeInteger):
                return self._in_range(kind, value, path)
            case inspect.IntType() if isinstance(value, RealNumber):
                return self._broken(
                    "not-an-integer", path, stand_in_for(kind), expected="a whole number",
                    found=clip_number(value.text),
                )  # fmt: skip
            case inspect.BoolType() if type(value) is bool:
                return value
            case inspect.StrType() if type(value) is str:
                return self._string(kind, value, path, codes)
            case inspect.LiteralType() if type(value) is str:
                return self._word(kind, value, path, codes.get("code", "unknown-value"))
        return self._wrong_type(kind, value, path)

    def _in_range(self, kind: inspect.IntType, value: int | HugeInteger, path: RecordPath) -> int:
        low = MIN_INTEGER if kind.ge is None else kind.ge
        high = MAX_INTEGER if kind.le is None else kind.le
        if high == MAX_PLAYERS - 1:
            high = self.last_seat
        if isinstance(value, int) and low <= value <= high:
            return value
        most = "what 64 bits hold" if high == MAX_INTEGER else high
        expected = f"at most {most}" if low == MIN_INTEGER else f"{low} to {most}"
        number = quote_value(value).strip('"')
        self._broken(
            "out-of-range", path, None, clause="member", member=member_name_of(path), number=number,
            expected=expected, found=number,
        )  # fmt: skip
        return max(0, int(low))

    def _string(
        self, kind: inspect.StrType, value: str, path: RecordPath, codes: dict[str, str]
    ) -> str:
        if kind.pattern is not None and not re.search(kind.pattern, value):
            self._broken(
                codes["code"], path, None,
                expected="a name such as org.example.table", found=quote_value(value),
            )  # fmt: skip
            return "org.example.unreadable"
        if kind.max_length is not None and len(value) > kind.max_length:
            return self._broken(
                codes["too_many"], path, "",
                expected=f"at most {kind.max_length}", found=str(len(value)),
            )  # fmt: skip
        return self._text(value, path)

    def _text(self, value: str, path: RecordPath) -> str:
        """The text, made one that UTF-8 can write."""
        try:
            value.encode()
        except UnicodeEncodeError:
            self._broken("not-utf8", path, None, clause="surrogate", found=quote_value(value))
            return value.encode("utf-8", "replace").decode()
        return value

    def _word(self, kind: inspect.LiteralType, value: str, path: RecordPath, code: str) -> str:
        if value in kind.values:
            return value
        if code == "bad-card":
            return self._card(value, path)
        known = tuple(map(str, kind.values))
        return self._broken(
            code, path, known[0], member=member_name_of(path),
            expected=" or ".join(known) if len(known) <= 6 else None,
            found=quote_value(value), candidates=suggest_words(value, known),
        )  # fmt: skip

    def _card(self, value: str, path: RecordPath) -> str:
        try:
            return parse_card(value)
        except CardError:
            return self._broken(
                "bad-card", path, "??",
                expected="a card such as QS, TH or ??", found=quote_value(value),
                candidates=suggest_cards(value),
            )  # fmt: skip

    def _constant(self, value: NonFiniteNumber, path: RecordPath) -> None:
        self._broken("not-json", path, None, clause="constant", found=str(value))

    def _wrong_type(self, kind: inspect.Type, value: Any, path: RecordPath) -> Any:
        expected = describe_type(kind)
        return self._broken(
            "wrong-type", path, stand_in_for(kind),
            subject=f"`{member_name_of(path)}`", type=expected, actual=describe_value(value),
            expected=expected, found=quote_value(value),
        )  # fmt: skip

    def _broken(self, code: str, path: RecordPath, stand_in: _T, **details: Any) -> _T:
        """Note an error at a value, and return what stands in for the value."""
        self.broken.add(pointer_to(path))
        self._add(make_finding(code, path, **details))
        return stand_in

    def _add(self, finding: Finding) -> None:
        if len(self.findings) >= MAX_ERRORS_LISTED:
            raise Unreadable(make_finding("too-many-errors", limit=f"{MAX_ERRORS_LISTED:,}"))
        self.findings.append(finding)


def _is_left_out(field: inspect.Field) -> bool:
    """Whether a member that is null is one left out: only a winner of null says something, and has no default."""
    defaults = (field.default, field.default_factory)
    return not field.required and any(default is not msgspec.NODEFAULT for default in defaults)


def find_rulebook(data: bytes) -> Finding | None:
    """What to say of a text in TOML that is a rulebook of one's own; None for any other text."""
    if len(data) > LARGEST_SHEET_BYTES:
        return None
    try:
        members = tomllib.loads(data.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError):
        return None
    return _wrong_format(members) if _is_rulebook(members) else None


def _is_rulebook(members: Mapping[str, Any]) -> bool:
    """Whether these members are those of a rulebook of one's own: a whole sheet, or changes to one."""
    return members.get("format") == SHEET_FORMAT or {"base", "id", "name"} <= members.keys()


def _wrong_format(header: dict[str, Any]) -> Finding:
    expected = quote_value(RECORD_FORMAT)
    if _is_rulebook(header):
        return make_finding("wrong-format", clause="rulebook", expected=expected)
    if "format" in header:
        found = quote_value(header["format"])
        return make_finding(
            "wrong-format", ("format",), clause="other", expected=expected, found=found
        )
    likely = suggest_words("format", tuple(header)[:_FIRST_MEMBERS])
    return make_finding("wrong-format", clause="missing", expected=expected, candidates=likely)


def _not_an_object(subject: str, value: Any, path: RecordPath) -> Finding:
    return make_finding(
        "wrong-type", path, subject=subject, type="an object", actual=describe_value(value),
        expected="an object", found=quote_value(value),
    )  # fmt: skip
