"""What the answers to the questions of the kit look like; tests hold every case to them, and the schema has them."""

from typing import Literal

import msgspec

from records.validate.verdict import Verdict

FaultPlace = tuple[int | None, int | None]
"""A deal and an event, both counted from 0; null where it is in neither."""


class Judgement(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The answer to `validate`: as much as the `detail` of the handshake says."""

    right: bool | None = None
    verdict: Verdict | None = None
    at: FaultPlace | None = None
    code: str | None = None
    since: FaultPlace | None = None
    open: list[str] = []


class Step(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One event of a replay: the points of each seat after it, and what could be chosen in its place.

    Each of `melds` is flat: the name, the points, and then the cards.
    """

    at: tuple[int, int]
    scores: list[int]
    seat: int | None = None
    plays: list[str] = []
    melds: list[list[str | int]] = []
    dix: list[Literal["exchange", "show"]] = []


class Steps(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The answer to `replay`."""

    steps: list[Step]


class CanonicalText(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The answer to `canonical`."""

    canonical: str
    digest: str


class Settled(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The answer to `settle`."""

    totals: list[int]
    receives: list[int]
    winner: int | None


class Counts(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The answer to `perft`: by the number of choices, from one on."""

    nodes: list[int]
    points: list[list[int]]


class CardValues(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The answer to `ending`."""

    values: dict[str, int]


ANSWER_SHAPES: dict[str, type[msgspec.Struct]] = {
    "validate": Judgement,
    "replay": Steps,
    "canonical": CanonicalText,
    "settle": Settled,
    "perft": Counts,
    "ending": CardValues,
}
"""By what is asked, the shape of the answer."""
