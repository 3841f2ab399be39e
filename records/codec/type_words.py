"""The types of a record in words, and a stand-in value of each type."""

from functools import cache
from typing import Any

from msgspec import inspect

from records.codec.json_text import HugeInteger, NonFiniteNumber, ObjectMembers, RealNumber
from records.phrases import join_words, with_article

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
