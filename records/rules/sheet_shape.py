"""What in a sheet's data is not of its type, in sentences: the types are those of the vocabulary."""

import json
import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from msgspec.inspect import (
    AnyType,
    BoolType,
    DictType,
    EnumType,
    IntType,
    LiteralType,
    Metadata,
    NoneType,
    StrType,
    StructType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)

from records.phrases import join_words
from records.pointers import pointer_step
from records.rules.sheet_text import Mistakes
from records.rules.vocabulary import RuleSheet

_SHEET_TYPE = type_info(RuleSheet)
_LONGEST_QUOTE = 60


def shape_mistakes(data: Any) -> Mistakes:
    """Every value that is not of its type, every member that is missing or unknown: its pointer, and a sentence."""
    yield from _mistakes(data, _SHEET_TYPE, "")


def _mistakes(value: Any, kind: Type, at: str) -> Mistakes:
    kind = kind.type if isinstance(kind, Metadata) else kind
    kinds = kind.types if isinstance(kind, UnionType) else (kind,)
    structs = [each for each in kinds if isinstance(each, StructType)]
    parted = [each for each in kinds if isinstance(each, DictType | VarTupleType)]
    if structs and isinstance(value, dict):
        yield from _of_structs(value, structs, at)
    elif parted and isinstance(value, dict | list):
        yield from _of_parts(value, parted[0], kinds, at)
    elif not any(_is(value, each) for each in kinds):
        yield at, _wanted(kinds, value)


def _of_parts(value: Any, kind: Type, kinds: tuple[Type, ...], at: str) -> Mistakes:
    """A list with its items, or an object whose members have any names of a sort."""
    if isinstance(value, dict) != isinstance(kind, DictType):
        yield at, _wanted(kinds, value)
    elif isinstance(kind, DictType):
        for name, part in value.items():
            here = f"{at}/{pointer_step(name)}"
            yield from _mistakes(_key(name, kind.key_type), kind.key_type, here)
            yield from _mistakes(part, kind.value_type, here)
    elif isinstance(kind, VarTupleType):
        for number, part in enumerate(value):
            yield from _mistakes(part, kind.item_type, f"{at}/{number}")


def _key(name: str, kind: Type) -> str | int:
    """A name of a member as its type is: numbers are written as texts."""
    is_number = isinstance(kind, IntType) and re.fullmatch("[1-9][0-9]{0,3}", name)
    return int(name) if is_number else name


def _of_structs(value: dict[str, Any], structs: list[StructType], at: str) -> Mistakes:
    """An object, of several kinds the one that its tag says."""
    field = structs[0].tag_field
    chosen = {each.tag: each for each in structs}
    tag = value.get(field) if field else None
    kind = chosen.get(tag) if isinstance(tag, str | None) else None
    if kind is None:
        yield at, f"{quoted(field)} must be {join_words(map(quoted, chosen), 'or')}."
        return
    fields = {each.encode_name: each for each in kind.fields}
    for name in sorted(value.keys() - fields.keys() - {field}):
        says = f"There is no member {quoted(name)} here{perhaps_meant(name, [*fields])}."
        yield f"{at}/{pointer_step(name)}", says
    for name, member in fields.items():
        if name in value:
            yield from _mistakes(value[name], member.type, f"{at}/{pointer_step(name)}")
        elif member.required:
            yield at, f"The member {quoted(name)} is missing."


# One value of a type.

_LARGEST_WHOLE = 10**9


def _is(value: Any, kind: Type) -> bool:
    match kind:
        case BoolType():
            return isinstance(value, bool)
        case NoneType():
            return value is None
        case IntType():
            return type(value) is int and _fits(value, kind)
        case StrType():
            return isinstance(value, str) and _is_written_so(value, kind)
        case LiteralType() | EnumType():
            return any(type(word) is type(value) and word == value for word in _words(kind))
        case AnyType():
            return True
        case _:
            return False


def _fits(value: int, kind: IntType) -> bool:
    least = -_LARGEST_WHOLE if kind.ge is None else kind.ge
    return least <= value <= (_LARGEST_WHOLE if kind.le is None else kind.le)


def _is_written_so(value: str, kind: StrType) -> bool:
    enough = len(value) >= (kind.min_length or 0)
    # A line break at the end is not part of a name, though `$` lets it stand.
    return enough and re.search((kind.pattern or "").replace("$", r"\Z"), value) is not None


def _words(kind: LiteralType | EnumType) -> list[Any]:
    return [each.value for each in kind.cls] if isinstance(kind, EnumType) else list(kind.values)


PATTERN_WORDS = {
    "^/rules/": "a path that begins with /rules/",
    r"^1\.[0-9]+$": "a version such as 1.0",
    "^[AKQJT2-9]$": "a rank (A, K, Q, J, T or 9 to 2)",
    "^[AKQJT2-9][SHDC]$": "a card such as QS",
    "^[a-z-]+$": "a word of small letters and hyphens",
}


def _wanted(kinds: Iterable[Type], value: Any) -> str:
    wanted = join_words(dict.fromkeys(word for kind in kinds for word in _kind_words(kind)), "or")
    return f"{wanted[0].upper()}{wanted[1:]} is wanted here, not {_value_words(value)}."


def _kind_words(kind: Type) -> list[str]:
    match kind:
        case BoolType():
            return ["true", "false"]
        case NoneType():
            return ["null"]
        case IntType(ge=None):
            return ["a number"]
        case IntType(ge=least, le=None):
            return [f"a number of at least {least}"]
        case IntType(ge=least, le=most):
            return [f"a number from {least} to {most}"]
        case StrType(pattern=None):
            return ["a text that is not empty" if kind.min_length else "a text"]
        case StrType(pattern=str(pattern)):
            return [PATTERN_WORDS[pattern]]
        case LiteralType() | EnumType():
            return [quoted(word) for word in _words(kind)]
        case VarTupleType():
            return ["a list"]
        case _:
            return ["an object"]


def _value_words(value: Any) -> str:
    match value:
        case None | bool() | str():
            return quoted(value)
        case int() if abs(value) <= _LARGEST_WHOLE:
            return str(value)
        case int():
            return "so large a number"
        case float():
            return f"the fraction {value}"
        case list():
            return "a list"
        case dict():
            return "an object"
        case _:  # TOML has dates and times
            return "a date or a time"


def quoted(value: Any) -> str:
    """A value as a file writes it, clipped."""
    return clipped(json.dumps(value, ensure_ascii=False, default=str))


def clipped(text: str) -> str:
    """A text, or its beginning if it is long."""
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"


_LONGEST_WORD = 100
"""Nobody misspells a longer one, and to compare two costs their lengths multiplied."""


def perhaps_meant(word: str, known: Iterable[str]) -> str:
    """What a misspelt word may stand for, as an addition to a sentence."""
    if len(word) > _LONGEST_WORD:
        return ""
    words = [each for each in known if 0 < len(each) <= _LONGEST_WORD]
    close = get_close_matches(word, words, n=1)
    return f" (perhaps {quoted(close[0])} is meant)" if close else ""
