"""JSON Pointers (RFC 6901): the names in them, and where in a text of JSON they lead."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

# The names in a pointer.


def pointer_step(name: str) -> str:
    """A member name as a pointer writes it."""
    return name.replace("~", "~0").replace("/", "~1")


def pointer_names(pointer: str) -> list[str]:
    """The names that a pointer leads through, from the outermost."""
    steps = pointer.split("/")[1:]
    return [step.replace("~1", "/").replace("~0", "~") for step in steps]


def pointers_above(pointers: Iterable[str]) -> set[str]:
    """The pointers, and those to all around what they lead to."""
    return {pointer[:end] for pointer in pointers for end in _ends_of_steps(pointer)}


def _ends_of_steps(pointer: str) -> list[int]:
    return [match.start() for match in re.finditer("/|$", pointer)]


# Where in a text the values are.

JSON_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\Z)|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)
_T = TypeVar("_T")


def nearest_value(places: Mapping[str, _T], pointer: str) -> _T | None:
    """The place of a value, or of the nearest around it but for the whole text."""
    while pointer:
        if pointer in places:
            return places[pointer]
        pointer = pointer.rpartition("/")[0]
    return None


class _Level:
    """An object or a list that the scan is in; `pointer` is None where nothing below it is looked for."""

    __slots__ = ("at_name", "in_object", "index", "name", "pointer")

    def __init__(self, pointer: str | None, *, in_object: bool) -> None:
        self.pointer = pointer
        self.in_object = self.at_name = in_object
        self.name = ""
        self.index = 0

    def pointer_of_next(self) -> str | None:
        """The pointer to the value that comes next."""
        if self.pointer is None:
            return None
        return f"{self.pointer}/{self.name if self.in_object else self.index}"


def value_offsets(text: str, pointers: Iterable[str], start: int = 0) -> dict[str, int]:
    """The offset in a text of the values that the pointers lead to, and of all around them.

    One pass, whether or not the text is JSON to its end. The cost grows with the text, and not with the pointers.
    """
    wanted = pointers_above(pointers)
    offsets: dict[str, int] = {}
    levels: list[_Level] = []
    left = len(wanted)
    for match in JSON_TOKEN.finditer(text, start):
        token, level = match[0], levels[-1] if levels else None
        if token[0] in "}],:":
            _pass_sign(levels, token[0])
        elif level is not None and level.at_name:
            level.name = _step(token) if level.pointer is not None else ""
        else:
            pointer = "" if level is None else level.pointer_of_next()
            if pointer not in wanted:
                pointer = None
            elif pointer is not None and pointer not in offsets:
                offsets[pointer] = match.start()
                left -= 1
            if token[0] in "{[":
                levels.append(_Level(pointer, in_object=token[0] == "{"))
        if not left:
            break
    return offsets


def _pass_sign(levels: list[_Level], sign: str) -> None:
    """Go past what stands between values."""
    if not levels:
        return
    if sign in "}]":
        levels.pop()
    elif sign == ",":
        levels[-1].index += 1
        levels[-1].at_name = levels[-1].in_object
    else:
        levels[-1].at_name = False


def _step(token: str) -> str:
    """A member name as a pointer writes it."""
    try:
        name = str(json.loads(token))
    except ValueError:
        name = token.strip('"')
    return pointer_step(name)
