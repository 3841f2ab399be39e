"""Errors of the machine as answers: a full disk, too few open files or too little memory, a folder that is gone."""

from dataclasses import dataclass

from analyzer.ingest.loader import TooManyDeposits
from analyzer.review.stored import GameNotStored
from analyzer.store.durable_files import EXHAUSTION_ERRORS, NO_ROOM_ERRORS
from analyzer.store.instance import StoreDamaged, StoreExhausted, StoreFull
from analyzer.store.processes import ProcessFailed
from analyzer.store.sealed_files import FileBroken
from analyzer.store.trouble_log import TroubleLog
from records.errors import StoreError
from records.phrases import sentence

FULL_TITLE = "The disk is full"
FULL_TEXT = "There is no room left on the server's disk. Nothing of this was stored; what was stored before is safe."
EXHAUSTED_TITLE = "The server is busy"
EXHAUSTED_TEXT = "The server is short of memory or open files. Nothing of this was stored. Try again in a moment."
WAITING_TEXT = "As many uploads as may wait to be stored are waiting. Nothing of this was stored. Try again in a moment."
STORE_TITLE = "The games cannot be reached"
STORE_TEXT = "The server cannot reach its games at the moment. Try again later; its log says why."
DAMAGED_TEXT = (
    "The server cannot read its games as they were stored, so it changes nothing; its log says why."
)
BROKEN_TITLE = "A file of the server is broken"
BROKEN_TEXT = "The server cannot read a file that this needs. Its log says which."
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
    """The answer to an error that is no fault of the program; None if it may be one.

    What the error itself says names folders and files of the server: that is for its log.
    """
    answer = _answer(error)
    # The pool has logged what happened to its process; whether that is over, no other request can tell. Many uploads at a
    # time are no trouble of the machine.
    is_known = isinstance(error, ProcessFailed | TooManyDeposits)
    if answer is not None and answer.status >= 500 and not is_known:
        kind = str(error) if isinstance(error, FileBroken) else answer.title
        troubles.begin(kind, f"{answer.title}: {error}")
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
            return MachineAnswer(507, FULL_TITLE, FULL_TEXT)
        case ProcessFailed():
            return MachineAnswer(503, PROCESS_TITLE, sentence(str(error.fault)))
        case TooManyDeposits():
            return MachineAnswer(503, EXHAUSTED_TITLE, WAITING_TEXT)
        case StoreExhausted():
            return MachineAnswer(503, EXHAUSTED_TITLE, sentence(str(error)))
        case FileBroken():
            return MachineAnswer(500, BROKEN_TITLE, BROKEN_TEXT)
        case StoreDamaged():
            return MachineAnswer(503, STORE_TITLE, DAMAGED_TEXT)
        case StoreError():
            return MachineAnswer(503, STORE_TITLE, STORE_TEXT)
        case MemoryError():
            return MachineAnswer(503, EXHAUSTED_TITLE, EXHAUSTED_TEXT)
        case OSError(errno=number) if number in NO_ROOM_ERRORS:
            return MachineAnswer(507, FULL_TITLE, FULL_TEXT)
        case OSError(errno=number) if number in EXHAUSTION_ERRORS:
            return MachineAnswer(503, EXHAUSTED_TITLE, EXHAUSTED_TEXT)
        case _:
            return None
