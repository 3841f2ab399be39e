"""Everything that this program answers to the conformance kit, a line at a time."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from analyzer.review.exact_values import ending_values
from records.conformance.answers import OWN_ANSWERS, KitAnswer, UnansweredError, given_bytes
from records.conformance.program import PROTOCOL_VERSION
from records.errors import BeziqueError
from records.format import codec
from records.rules.registry import ALL_SHEETS, own_sheets


def value_ending(given: Mapping[str, Any]) -> KitAnswer:
    """The value of every card of an ending."""
    record = codec.decode(given_bytes(given)).record
    if record is None:
        raise UnansweredError("This text is no record.")
    return {"values": ending_values(record)}


ANSWERS = {**OWN_ANSWERS, "ending": value_ending}
"""What answers each question of the kit."""


def answer_lines(lines: Iterable[str | bytes]) -> Iterator[bytes]:
    """An answer for every request, a line each."""
    for line in lines:
        request = msgspec.json.decode(line)
        answer: KitAnswer = {"seq": request["seq"]}
        ask = ANSWERS.get(request["ask"])
        if request["ask"] == "hello":
            answer |= _hello()
        elif ask is None:
            answer["skip"] = f"{request['ask']} is not known here"
        else:
            try:
                answer |= ask(request["given"])
            except BeziqueError as error:
                answer["error"] = str(error)
        yield msgspec.json.encode(answer) + b"\n"


def _hello() -> KitAnswer:
    return {
        "protocol": PROTOCOL_VERSION,
        "program": "bezique",
        "asks": [*ANSWERS],
        "sheets": [sheet.id for sheet in (*ALL_SHEETS, *own_sheets())],
        "levels": ["full", "seat", "public", "plays", "scores"],
        "features": ["setup", "labels", "options", "irregular", "lines"],
        "detail": "whole",
    }
