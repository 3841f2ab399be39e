"""Room on the disk: what uploads that are in no table may take of it."""

from dataclasses import dataclass


class RoomFull(Exception):
    """There is no room for an upload; the text is a sentence that says what fills it."""


@dataclass(frozen=True, slots=True)
class DiskRoom:
    """How many uploads of a kind are kept, and their bytes; `most` of each is what there is room for."""

    number: int
    most_number: int
    size: int
    most_size: int

    def has_room(self, size: int) -> bool:
        """Whether one more upload of so many bytes fits."""
        return self.number < self.most_number and self.size + size <= self.most_size
