"""Which rules fit a game, and which correction would make an illegal one legal, searched for as long as a page may wait."""

from time import monotonic
from typing import NamedTuple

from analyzer.identify.corrections import Correction, suggest_corrections
from analyzer.identify.matching_rules import RulesCandidate, identify_rules
from records.record import Record

SEARCH_SECONDS = 5
"""A page searches this long for rules, and again as long for corrections; the command line has no such limit."""


class IdentifiedGame(NamedTuple):
    """The rules that a game fits, and corrections if it is illegal."""

    candidates: list[RulesCandidate]
    corrections: list[Correction]


def identify_game(record: Record) -> IdentifiedGame:
    """Search for both."""
    until = monotonic() + SEARCH_SECONDS
    return IdentifiedGame(
        identify_rules(record, until=until),
        suggest_corrections(record, until=until + SEARCH_SECONDS),
    )
