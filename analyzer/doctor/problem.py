"""What is wrong with a data folder."""

from collections.abc import Callable
from typing import Literal

import msgspec

ProblemSeverity = Literal["note", "wrong", "lost"]
"""Good to know; something is wrong and no record is lost; something that was stored cannot be read."""

CheckProgress = Callable[[int, int], None]
"""Called with how much is done, of how much."""


def severity_in(table: str) -> ProblemSeverity:
    """How bad it is that a table cannot be read: all others are computed from `records`."""
    return "lost" if table == "records" else "wrong"


class Problem(msgspec.Struct, frozen=True):
    """One thing that is wrong, or good to know, in a sentence."""

    severity: ProblemSeverity
    message: str


class FolderReport(msgspec.Struct):
    """What a check of a data folder found; `records` of them were read whole and fit their digests.

    `judged_by` is the program that gave the verdicts of a database, and empty if that cannot be told.
    """

    folder: str
    kind: str = "database"
    problems: list[Problem] = []
    records: int = 0
    judged_by: str = ""

    def add(self, severity: ProblemSeverity, message: str) -> None:
        """Note a problem."""
        self.problems.append(Problem(severity, message))

    @property
    def is_lossy(self) -> bool:
        """Whether something that was stored cannot be read."""
        return any(problem.severity == "lost" for problem in self.problems)

    @property
    def is_wrong(self) -> bool:
        """Whether anything is wrong."""
        return any(problem.severity != "note" for problem in self.problems)
