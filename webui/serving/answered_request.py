"""What became of one request: for the access log, and to count."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredRequest:
    """A request and its answer.

    The path is as it was decoded, a character for each byte; `status` has three digits; `sent` are the bytes of the
    answer's body, and `seconds` what it took to make and to hand them over.
    """

    client: str
    kind: str
    method: str
    path: str
    version: str
    status: str
    sent: int
    came_from: str
    browser: str
    seconds: float


NoteAnswer: TypeAlias = Callable[[AnsweredRequest], None]
"""Takes note of an answer; called by the thread that gave it, and must not raise anything."""


def note_nothing(answered: AnsweredRequest) -> None:
    """Take no note."""
