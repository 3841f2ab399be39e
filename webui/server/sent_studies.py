"""The studies among files that were sent."""

from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO

from records.format.containers import unpack
from records.study import LARGEST_STUDY_FILE, StudyFile, StudyUnreadable, is_study, read_study


def find_studies(files: Sequence[tuple[str, bytes]]) -> Iterator[StudyFile | StudyUnreadable]:
    """Each study, or why it cannot be read; what is none is passed over. The files are names and bytes."""
    for name, data in files:
        for unpacked in unpack(BytesIO(data), name):
            if is_study(text := _beginning(unpacked)):
                try:
                    yield read_study(text)
                except StudyUnreadable as wrong:
                    yield wrong


def _beginning(pieces: Iterable[bytes]) -> bytes:
    """The text of a study; of anything else, and of what is larger than a study may be, no more than the beginning.

    The rest is read and forgotten: a file that expands far takes no memory.
    """
    text = bytearray()
    for piece in pieces:
        if not text or (is_study(text) and len(text) <= LARGEST_STUDY_FILE):
            text += piece
    return bytes(text)
