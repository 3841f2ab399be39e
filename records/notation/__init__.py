"""The notation: a record as a text that people type and read, one line a trick.

Its grammar is in `records/spec/notation.md`. Other folders import only the names below.
"""

from records.notation.mistakes import NotationError, NotationMistake, NotationTooLarge
from records.notation.reader import DenotedRecord, read_notation
from records.notation.writer import write_notation

__all__ = [
    "DenotedRecord",
    "NotationError",
    "NotationMistake",
    "NotationTooLarge",
    "read_notation",
    "write_notation",
]
