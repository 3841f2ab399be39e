"""The data of the page of a game's notes."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from analyzer.db.store import StoredGame
from records.record import Note
from records.rules.vocabulary import RuleSheet
from webui.pages.page import Page


@dataclass(frozen=True, slots=True)
class ShownNote:
    """A note of a record, with its deal (from 1) and the step that it is on."""

    deal: int
    step: int
    by: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesPage(Page):
    """The notes of a stored game; who `may_add` may add those of the browser."""

    template = "notes/notes.html"
    game: StoredGame
    sides: list[str]
    sheet: RuleSheet
    notes: Sequence[Note]
    may_add: bool

    @property
    def shown(self) -> list[ShownNote]:
        """The notes, in the order of the record."""
        return [
            ShownNote(
                deal=note.at[0] + 1,
                step=note.at[1] + 1 if len(note.at) > 1 else 0,
                by=note.by or "",
                text=note.text,
            )
            for note in self.notes
        ]

    @property
    def json(self) -> str:
        """The notes as JSON that may stand inside a page."""
        return msgspec.json.encode(self.notes).decode().replace("<", "\\u003c")
