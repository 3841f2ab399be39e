"""Errors of the machine as answers: a full disk, too few open files or too little memory, a folder that is gone."""

from dataclasses import dataclass

from analyzer.annotate.stored_annotations import GameNotStored
from analyzer.db.file.store_errors import StoreFull
from analyzer.durable_files import EXHAUSTION_ERRORS, NO_ROOM_ERRORS
from analyzer.processes import ProcessFailed
from analyzer.trouble_log import TroubleLog
from records.errors import StoreError
from webui.display.words.verdict_words import sentence

FULL_TITLE = "The disk is full"
FULL_TEXT = "There is no room left on the server's disk. Nothing of this was stored; what was stored before is safe."
EXHAUSTED_TITLE = "The server is busy"
EXHAUSTED_TEXT = "The server is short of memory or open files. Nothing of this was stored. Try again in a moment."
STORE_TITLE = "The games cannot be reached"
PROCESS_TITLE = "This cannot be worked out now"
DELETED_TITLE = "Deleted"
DELETED_TEXT = "This game was deleted a moment ago, while it was being reviewed."
RETRY_SECONDS = "30"

troubles = TroubleLog()
"""What is in the log already."""


@dataclass(frozen=True, slots=True)
class MachineAnswer:
    """What to answer: a status, and the words of the page."""

    status: int
    title: str
    text: str


def machine_answer(error: Exception) -> MachineAnswer | None:
    """The answer to an error that is no fault of the program; None if it may be one."""
    answer = _answer(error)
    # The pool has logged what happened to its process; whether that is over, no other request can tell.
    if answer is not None and answer.status >= 500 and not isinstance(error, ProcessFailed):
        troubles.begin(answer.title, f"{answer.title}: {error}")
    return answer


def note_success() -> None:
    """Something was stored: there is room again."""
    for title in (FULL_TITLE, EXHAUSTED_TITLE, STORE_TITLE):
        troubles.end(title, f"{title}: over")


def _answer(error: Exception) -> MachineAnswer | None:
    match error:
        case GameNotStored():
            return MachineAnswer(410, DELETED_TITLE, DELETED_TEXT)
        case StoreFull():
            return MachineAnswer(507, FULL_TITLE, sentence(str(error)))
        case ProcessFailed():
            return MachineAnswer(503, PROCESS_TITLE, sentence(str(error)))
        case StoreError():
            return MachineAnswer(503, STORE_TITLE, sentence(str(error)))
        case MemoryError():
            return MachineAnswer(503, EXHAUSTED_TITLE, EXHAUSTED_TEXT)
        case OSError(errno=number) if number in NO_ROOM_ERRORS:
            return MachineAnswer(507, FULL_TITLE, FULL_TEXT)
        case OSError(errno=number) if number in EXHAUSTION_ERRORS:
            return MachineAnswer(503, EXHAUSTED_TITLE, EXHAUSTED_TEXT)
        case _:
            return None
