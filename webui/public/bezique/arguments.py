"""What a program hands over: what is of a wrong type is refused in a sentence that names the argument, before anything is done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from os import PathLike
from typing import Any, cast

LONGEST_SHOWN = 60
"""In characters, of a value that a sentence shows."""


META_EXAMPLE = '{"event": "Thursday club"}'


def shown(value: object) -> str:
    """A value as a sentence shows it."""
    text = repr(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def require_number(name: str, value: object, least: int | None = None) -> None:
    """Raise ValueError unless it is a whole number, no less than the least."""
    is_number = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_number or (least is not None and int(cast(int, value)) < least):
        begin = "" if least is None else f" from {least} on"
        raise ValueError(f"`{name}` is a whole number{begin}, not {shown(value)}.")


def require_path(name: str, value: object) -> None:
    """Raise ValueError unless it is the path of a file or a folder."""
    if not isinstance(value, str | PathLike):
        raise ValueError(f"`{name}` is a path, as text or pathlib.Path, not {shown(value)}.")


def require_text(name: str, value: object, example: str) -> None:
    """Raise ValueError unless it is a text, or None."""
    if value is not None and not isinstance(value, str):
        raise ValueError(f'`{name}` is a text such as "{example}", not {shown(value)}.')


def require_list(name: str, value: object, of_what: str) -> None:
    """Raise ValueError unless it is a list, or something like one, and no text."""
    if not _is_list(value):
        raise ValueError(f"`{name}` is a list with {of_what}, not {shown(value)}.")


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)


def require_sides(value: object) -> None:
    """Raise ValueError unless it is a list with the seats of every side."""
    sides = value if _is_list(value) else [None]
    seats = [seat for side in cast(Any, sides) for seat in (side if _is_list(side) else [None])]
    if any(type(seat) is not int for seat in seats):
        raise ValueError(f"`sides` is a list such as [[0, 2], [1, 3]], not {shown(value)}.")


def require_members(name: str, value: object, example: str) -> None:
    """Raise ValueError unless it is a dictionary by texts, or None."""
    if value is None:
        return
    if not isinstance(value, Mapping) or any(not isinstance(each, str) for each in value):
        raise ValueError(f"`{name}` is a dictionary such as {example}, not {shown(value)}.")


def require_several(name: str, value: object, of_what: str) -> Iterable[Any]:
    """The value itself; raises ValueError unless it can be gone through."""
    if not isinstance(value, Iterable) or isinstance(value, type):
        raise ValueError(f"`{name}` is {of_what}, not {shown(value)}.")
    return cast(Iterable[Any], value)
