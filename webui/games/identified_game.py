"""Which rules fit a game, and which correction would make an illegal one legal, searched for as long as a page may wait."""

from time import monotonic
from typing import NamedTuple

from analyzer.identify.corrections import Correction, suggest_corrections
from analyzer.identify.matching_rules import RulesCandidate, identify_rules
from records.errors import RulesError
from records.record import Record

SEARCH_SECONDS = 5
"""A page searches this long for rules, and again as long for corrections; the command line has no such limit."""


class IdentifiedGame(NamedTuple):
    """The rules that a game fits, and corrections if it is illegal.

    `mended_candidates` are the rules that it fits once its habits are mended; empty if it has none that can be.
    """

    candidates: list[RulesCandidate]
    corrections: list[Correction]
    mended_candidates: list[RulesCandidate]


def identify_game(record: Record, mended: Record | None = None) -> IdentifiedGame:
    """Search for both; `mended` is the record with its habits mended, if it has any."""
    until = monotonic() + SEARCH_SECONDS
    return IdentifiedGame(
        identify_rules(record, until=until),
        _corrections(record, until + SEARCH_SECONDS),
        identify_rules(mended, until=monotonic() + SEARCH_SECONDS) if mended else [],
    )


def _corrections(record: Record, until: float) -> list[Correction]:
    """Corrections, of which there are none by rules that do not exist."""
    try:
        return suggest_corrections(record, until=until)
    except RulesError:
        return []
