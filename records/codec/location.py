"""Where in a record something is wrong, and the finding that says so."""

import json
from typing import Any

from records.validate.codes.decoding_codes import DECODING_CODES
from records.validate.finding import Finding, Place, Severity

RecordPath = tuple[str | int, ...]
"""The members and indices that lead to a value: `("deals", 0, "events", 3, "card")`."""

MAX_ERRORS_LISTED = 1_000
"""How many errors of one record are listed."""
_LONGEST_QUOTE = 60
_LONGEST_STEP = 300
_LONGEST_POINTER = 1_000


def place_of(path: RecordPath) -> Place:
    """The place of a value, with the deal and the event that it belongs to."""
    deal = event = None
    if len(path) > 1 and path[0] == "deals" and isinstance(path[1], int):
        deal = path[1]
        if len(path) > 3 and path[2] == "events" and isinstance(path[3], int):
            event = path[3]
    return Place(deal=deal, event=event, pointer=pointer_to(path))


def pointer_to(path: RecordPath) -> str:
    """A path as a JSON pointer (RFC 6901); very long member names are clipped, and so is what has many of them."""
    steps = (_clip(_writable(str(step)[: _LONGEST_STEP + 1]), _LONGEST_STEP) for step in path)
    pointer = "".join("/" + step.translate(_ESCAPES) for step in steps)
    return _clip(pointer, _LONGEST_POINTER)


def member_name_of(path: RecordPath) -> str:
    """The nearest member name above a value: a card in a hand belongs to `hands`."""
    names = [step for step in path if isinstance(step, str)]
    return _clip(_writable(names[-1][: _LONGEST_QUOTE + 1])) if names else "record"


_ESCAPES = str.maketrans({"~": "~0", "/": "~1"})


def make_finding(
    code: str,
    path: RecordPath = (),
    *,
    clause: str = "",
    expected: str | None = None,
    found: str | None = None,
    candidates: tuple[str, ...] = (),
    severity: Severity | None = None,
    **facts: object,
) -> Finding:
    """A finding at a path; its severity is the code's own unless another is given.

    The facts, `expected` and `found` fill the places of the code's message.
    """
    finding_code = DECODING_CODES[code]
    return Finding(
        code=code,
        severity=severity or finding_code.severity,
        at=place_of(path),
        message=finding_code.sentence(clause, expected=expected, found=found, **facts),
        clause=clause or None,
        expected=expected,
        found=found,
        candidates=candidates,
    )


def quote_value(value: object) -> str:
    """A value as JSON writes it, clipped; of a list or an object only the brackets."""
    if isinstance(value, str):
        # Clipped first: to look at a megabyte for the sake of sixty characters takes time for every finding.
        return json.dumps(_clip(_writable(value[: _LONGEST_QUOTE + 1])), ensure_ascii=False)
    if isinstance(value, (list, dict)):
        return "[…]" if isinstance(value, list) else "{…}"
    return _clip(json.dumps(value))


def quote_list(values: list[Any]) -> str:
    """A list as JSON writes it without blanks, clipped."""
    return _clip(str(values[:_LONGEST_QUOTE]).replace(" ", ""))


def clip_number(text: str) -> str:
    """A number as it was written, clipped."""
    return _clip(text)


def _clip(text: str, longest: int = _LONGEST_QUOTE) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _writable(text: str) -> str:
    """The text with halves of characters, which UTF-8 cannot write, as escapes."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
