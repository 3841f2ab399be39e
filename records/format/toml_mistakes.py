"""What is wrong with a value of a file in TOML, or of another program in JSON, in words of the file."""

import re
from collections.abc import Mapping

import msgspec

from records.phrases import join_words

_TOML_TYPES = {
    "str": "a text", "int": "a whole number", "float": "a number", "bool": "true or false",
    "array": "a list", "object": "a table", "null": "nothing",
}  # fmt: skip
_MISSING = re.compile(r"Object missing required field `(.*)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")
_NO_CHOICE = re.compile(r"Invalid enum value '(.*)'")
_OTHER_TYPE = re.compile(r"Expected `([\w |]+)`, got `(\w+)`")
_BOUND = re.compile(r"Expected `\w+` (of length )?([<>])= (-?\d+)")


def describe_toml_mistake(error: msgspec.ValidationError, *, table: str = "a table") -> str:
    """What msgspec found wrong, without a full stop: `` `log.format` is missing ``; what is not known here stays as it is.

    `table` is what the file calls a table, in JSON an object.
    """
    said, _, path = str(error).partition(" - at `$")
    place = path.rstrip("`").lstrip(".").replace("[...]", ".…")
    within = f"{place}." if place else ""
    if found := _MISSING.fullmatch(said):
        return f"`{within}{found[1]}` is missing"
    if found := _UNKNOWN.fullmatch(said):
        return f"`{within}{found[1]}` is not known"
    if found := _NO_CHOICE.fullmatch(said):
        return f"`{place}` cannot be “{found[1]}”"
    if found := _OTHER_TYPE.fullmatch(said):
        types = _TOML_TYPES | {"object": table}
        wanted, got = (_name_types(each, types) for each in found.groups())
        return f"`{place}` must be {wanted}, not {got}"
    if found := _BOUND.fullmatch(said):
        what = "have a length of" if found[1] else "be"
        return f"`{place}` must {what} {'at most' if found[2] == '<' else 'at least'} {found[3]}"
    return f"{said} (`{place}`)" if place else said


def _name_types(types: str, names: Mapping[str, str]) -> str:
    return join_words([names.get(each, each) for each in types.split(" | ")], "or")
