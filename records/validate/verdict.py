"""Choose the verdict on a record where several apply."""

from collections.abc import Set
from typing import Literal

from records.validate.finding import Severity

Verdict = Literal[
    "legal", "legal_with_mismatches", "illegal", "incomplete", "undetermined", "unreadable"
]


def choose_verdict(severities: Set[Severity], *, undetermined: bool, complete: bool) -> Verdict:
    """The verdict on a record that could be read.

    `severities` are those of its findings; `undetermined` says that it shows too little to decide, and
    `complete` that the match was played to its end.
    """
    if "illegal" in severities:
        return "illegal"
    if undetermined:
        return "undetermined"
    if not complete:
        return "incomplete"
    return "legal_with_mismatches" if "mismatch" in severities else "legal"
