"""Choose the verdict on a record where several apply."""

from collections.abc import Set
from typing import Literal

from records.validate.finding import Severity

Verdict = Literal[
    "legal", "legal_with_mismatches", "illegal", "incomplete", "undetermined", "unreadable"
]
WRONG_VERDICTS: tuple[Verdict, ...] = ("unreadable", "illegal", "legal_with_mismatches")
"""The verdicts of records in which a rule was broken or a number is wrong, and of what is no record."""


def choose_verdict(severities: Set[Severity], *, undetermined: bool, finished: bool) -> Verdict:
    """The verdict on a record that could be read: the worst that applies.

    `severities` are those of its findings; `undetermined` says that it shows too little to decide, and
    `finished` that the match was played to its end.
    """
    if "illegal" in severities:
        return "illegal"
    if "mismatch" in severities:
        return "legal_with_mismatches"
    if undetermined:
        return "undetermined"
    return "legal" if finished else "incomplete"
