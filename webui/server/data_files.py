"""Every file of a data folder that the program reads, and what it says and does where one is absent, empty or broken.

The same table stands in the documents (`webui/documents/running.md`), and a test damages every file.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from analyzer.store.acknowledged import ACKNOWLEDGED_FILE_NAME
from analyzer.store.reserve import RESERVE_FILE_NAME
from analyzer.store.sealed_files import FileBroken
from analyzer.store.store import DATABASE_FILE_NAME
from analyzer.upkeep.rescue import ProblemSeverity
from analyzer.upkeep.trash import TRASH_ENDING, TRASH_FOLDER, broken_trash
from analyzer.upkeep.upgrade import BUILDING_FOLDER, WHOLE_FILE
from webui.server.imports_queue import STATE_FILE_NAME, UPLOADS_FOLDER, ImportJob
from webui.server.local_server import SERVER_FILE_NAME, find_server
from webui.server.logins import (
    PASSWORD_FILE_NAME,
    SESSION_KEY_FILE_NAME,
    TOKENS_FILE_NAME,
    TokenError,
    load_tokens,
    password_hash,
    read_session_key,
)
from webui.server.looks_queue import CHOICE_FILE_NAME, LOOKS_FOLDER, PAGE_FILES, broken_files
from webui.server.looks_queue import STATE_FILE_NAME as LOOK_FILE_NAME
from webui.server.private_uploads import FILE_ENDING, PRIVATE_FOLDER_NAME, PrivateUploads

FoundProblem = tuple[ProblemSeverity, str]


class DataFile(NamedTuple):
    """A file of a data folder: what it holds, and what happens where it is not there, or not whole.

    `problems` finds what is wrong with it in a folder. Files of the database have none: opening it tells; nor have files that
    are as good as absent where they are broken.
    """

    name: str
    holds: str
    absent: str
    broken: str
    problems: Callable[[Path], Iterator[FoundProblem]] | None = None


def problems_of_files(folder: Path) -> list[FoundProblem]:
    """What is wrong with the files beside a database; nothing is changed."""
    return [found for file in DATA_FILES if file.problems for found in file.problems(folder)]


def _password(folder: Path) -> Iterator[FoundProblem]:
    try:
        password_hash(folder)
    except FileBroken as error:
        yield (
            "wrong",
            f"{error.message_in(folder)}: set the admin's password again with `bezique admin password`.",
        )


def _tokens(folder: Path) -> Iterator[FoundProblem]:
    try:
        load_tokens(folder)
    except TokenError:
        yield "wrong", f"{TOKENS_FILE_NAME} is broken: no token works. Put back a copy, or delete it and add tokens again."  # fmt: skip


def _session_key(folder: Path) -> Iterator[FoundProblem]:
    try:
        read_session_key(folder)
    except FileBroken as error:
        yield "note", f"{error.message_in(folder)}; the server makes a new one when it starts."


def _server(folder: Path) -> Iterator[FoundProblem]:
    try:
        find_server(folder)
    except FileBroken as error:
        yield "note", f"{error.message_in(folder)}; the next server writes it anew."


def _imports(folder: Path) -> Iterator[FoundProblem]:
    for path in sorted((folder / UPLOADS_FOLDER).glob("*")):
        try:
            ImportJob.load(path)
        except FileBroken as error:
            yield "wrong", f"{error.message_in(folder)}; the server makes it anew from the files beside it, and the import can be resumed."  # fmt: skip


def _looks(folder: Path, name: str, consequence: str) -> Iterator[FoundProblem]:
    for error in broken_files(folder / LOOKS_FOLDER, name):
        yield "note", f"{error.message_in(folder)}: {consequence}."


def _private(folder: Path) -> Iterator[FoundProblem]:
    for error in PrivateUploads(folder).broken():
        yield (
            "lost",
            f"{error.message_in(folder)}: its sender sees that it cannot be read, and can delete it.",
        )


def _trash(folder: Path) -> Iterator[FoundProblem]:
    for error in broken_trash(folder):
        yield "lost", f"{error.message_in(folder)}: its games cannot be brought back."


DATA_FILES = (
    DataFile(
        DATABASE_FILE_NAME, "the games, and all that is computed from them",
        "a new one is made, unless records were acknowledged: then nothing is opened",
        "nothing is opened; `bezique doctor --rescue` reads what can be read",
    ),
    DataFile(
        f"{DATABASE_FILE_NAME}.wal", "what is not yet in the database itself",
        "fine after the server has stopped; otherwise nothing is opened, as games are missing",
        "nothing is opened, and a copy of it is set aside (`.kept`)",
    ),
    DataFile(
        ACKNOWLEDGED_FILE_NAME, "how many records were acknowledged last",
        "written anew; nobody can tell then whether games are missing, and `bezique doctor` says so",
        "kept as `.broken`, and written anew; the log and `bezique doctor` say so",
    ),
    DataFile(
        PASSWORD_FILE_NAME, "the hash of the admin's password",
        "a public server does not start", "a public server does not start; nobody can log in",
        _password,
    ),
    DataFile(
        TOKENS_FILE_NAME, "the hashes of tokens", "there are no tokens",
        "requests with a token get status 401 and the reason; tokens can be neither added nor revoked", _tokens,
    ),
    DataFile(
        SESSION_KEY_FILE_NAME, "the key that signs sessions", "a new one is made",
        "a new one is made, and the log says so: sessions end", _session_key,
    ),
    DataFile(
        SERVER_FILE_NAME, "where the running server answers", "no server runs",
        "commands that want to ask the server say so", _server,
    ),
    DataFile(
        f"{UPLOADS_FOLDER}/*/{STATE_FILE_NAME}", "how far the import of an upload is",
        "the upload was never acknowledged, and is deleted",
        "made anew from the files beside it, and the log says so: the import can be resumed",
        _imports,
    ),
    DataFile(
        f"{LOOKS_FOLDER}/*/{LOOK_FILE_NAME}", "how far the look at an upload is that nobody has stored yet",
        "the upload was never complete, and is deleted", "the upload is deleted: its sender still has the files",
        partial(_looks, name=LOOK_FILE_NAME, consequence="the server deletes this upload, of which nothing is stored"),
    ),
    DataFile(
        f"{LOOKS_FOLDER}/*/{CHOICE_FILE_NAME}", "which records of such an upload are ticked",
        "all new ones are", "none is: what was left out is not stored",
        partial(_looks, name=CHOICE_FILE_NAME, consequence="no record of this upload is ticked"),
    ),
    DataFile(
        f"{LOOKS_FOLDER}/*/{PAGE_FILES}", "a page of the list of what such an upload holds",
        "the page is empty", "the upload is looked at again when the server starts",
        partial(_looks, name=PAGE_FILES, consequence="the server looks at this upload again"),
    ),
    DataFile(
        f"{PRIVATE_FOLDER_NAME}/*{FILE_ENDING}", "a private upload", "there is no such upload",
        "its page gets status 503; it can still be deleted", _private,
    ),
    DataFile(
        f"{TRASH_FOLDER}/*{TRASH_ENDING}", "games that were deleted, for 30 days", "there are none to bring back",
        "its games cannot be brought back; those of other files can", _trash,
    ),
    DataFile(
        f"{BUILDING_FOLDER}/{WHOLE_FILE}", "that the new database of an upgrade is whole",
        "the upgrade goes on", "the upgrade goes on as if it were absent",
    ),
    DataFile(
        RESERVE_FILE_NAME, "nothing: it keeps room for deleting", "made when there is room",
        "it is never read",
    ),
)  # fmt: skip
"""Every file of a data folder."""
