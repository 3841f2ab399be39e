"""Whether a case catches a planted error: the referee with the error answers otherwise than expected."""

from collections.abc import Generator, Iterable
from typing import Literal

from records.record import Record
from tests.records.conformance.planted.planting import Planted
from tests.records.conformance.refereed import Refereed, referee_says

Caught = Literal["verdict", "place"]
"""A case catches an error by its verdict, or only by the place of what is wrong."""


def catches(
    error: Planted, cases: Iterable[tuple[Record, Refereed]]
) -> Generator[Caught | None, None, None]:
    """How each of these records, of which the referee says so much without the error, catches it."""
    with error.within():
        for record, expected in cases:
            yield _differs(record, expected)


def _differs(record: Record, expected: Refereed) -> Caught | None:
    try:
        said = referee_says(record)
    except Exception:
        # A program that stumbles gives no verdict.
        return "verdict"
    if said is None:
        return None
    if said.right != expected.right:
        return "verdict"
    return None if said.at == expected.at else "place"
