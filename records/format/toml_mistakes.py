"""What is wrong with a value of a TOML file, in the words of TOML."""

import re

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


def describe_toml_mistake(error: msgspec.ValidationError) -> str:
    """What msgspec found wrong, without a full stop: `` `log.format` is missing ``; what is not known here stays as it is."""
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
        return f"`{place}` must be {_name_types(found[1])}, not {_name_types(found[2])}"
    return f"{said} (`{place}`)" if place else said


def _name_types(types: str) -> str:
    return join_words([_TOML_TYPES.get(each, each) for each in types.split(" | ")], "or")
