"""Whether a case catches a planted error: the program with the error answers otherwise than expected."""

from collections.abc import Generator, Iterable
from typing import Literal

from records.record import Record
from tests.records.conformance.planted.planting import Planted
from tests.records.conformance.refereed import Refereed

Caught = Literal["verdict", "place"]
"""A case catches an error by its verdict, or only by the place of what is wrong."""


def catches(
    error: Planted, cases: Iterable[tuple[Record, Refereed]]
) -> Generator[Caught | None, None, None]:
    """How each of these records, of which so much is to be said, catches the error."""
    with error.change.within():
        for record, expected in cases:
            yield _differs(error, record, expected)


def _differs(error: Planted, record: Record, expected: Refereed) -> Caught | None:
    try:
        said = error.change.says(record)
    except Exception:
        # A program that stumbles gives no verdict.
        return "verdict"
    if said is None:
        return None
    if said.right != expected.right:
        return "verdict"
    return None if said.at == expected.at else "place"
