"""Where the values of a JSON or TOML text stand, so that a mistake in one is told with its line and column."""

import re
from collections.abc import Iterator
from json import JSONDecoder

ValuePlaces = dict[str, tuple[int, int]]
"""Line and column, both from 1, by JSON Pointer."""

_SPACE = re.compile(r"[ \t\r\n]*")
_HEADER = re.compile(r"(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*=")
_PART = re.compile(r"[\w-]+|\"[^\"]*\"|'[^']*'")


def place_at(places: ValuePlaces, pointer: str) -> tuple[int, int]:
    """Where a value stands; of one that is not written, where the nearest thing around it does."""
    while pointer not in places and pointer:
        pointer = pointer.rpartition("/")[0]
    return places.get(pointer, (1, 1))


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """The place of a character."""
    before = text[:offset]
    return before.count("\n") + 1, offset - before.rfind("\n")


def json_places(text: str) -> ValuePlaces:
    """The places of all values of a text that is JSON."""
    return {
        pointer: line_and_column(text, offset)
        for pointer, offset in _json_values(text, _after_space(text, 0), "")
    }


def _json_values(text: str, at: int, pointer: str) -> Iterator[tuple[str, int]]:
    """A value and all in it, each with its offset."""
    yield pointer, at
    if text[at] not in "{[":
        return
    is_object, number, inside = text[at] == "{", 0, _after_space(text, at + 1)
    while text[inside] not in "}]":
        name = str(number)
        if is_object:
            name, inside = _decoded(text, inside)
            inside = _after_space(text, _after_space(text, inside) + 1)
        yield from _json_values(text, inside, f"{pointer}/{escaped(name)}")
        inside, number = _after_space(text, _decoded(text, inside)[1]), number + 1
        if text[inside] == ",":
            inside = _after_space(text, inside + 1)


def _decoded(text: str, at: int) -> tuple[str, int]:
    """A value, and where it ends."""
    return JSONDecoder().raw_decode(text, at)


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def escaped(name: str) -> str:
    """A name as a step of a JSON Pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def toml_places(text: str) -> ValuePlaces:
    """The places of the tables and keys of a text that is TOML; what stands in an inline value has none of its own."""
    places: ValuePlaces = {"": (1, 1)}
    table, counts = "", dict[str, int]()
    for number, line in enumerate(text.splitlines(), 1):
        column = len(line) - len(line.lstrip()) + 1
        if header := _HEADER.match(line.strip()):
            table = _pointer(header[2])
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = f"{table}/{counts[table]}"
            places.setdefault(table, (number, column))
        elif key := _KEY.match(line.strip()):
            places.setdefault(table + _pointer(key[1]), (number, column))
    return places


def _pointer(dotted: str) -> str:
    return "".join(f"/{escaped(part.strip(chr(34) + chr(39)))}" for part in _PART.findall(dotted))
