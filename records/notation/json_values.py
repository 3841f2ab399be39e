"""Values that the notation leaves to JSON."""

from typing import Any

import msgspec

from records.notation.spelling import escape_controls

_ENCODER = msgspec.json.Encoder(order="deterministic")


def write_value(value: Any) -> str:
    """A value as JSON on one line, members sorted."""
    return escape_controls(_ENCODER.encode(value).decode())
