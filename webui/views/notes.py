"""A reader's notes: added to a copy of the record for everybody, and to the stored one for who may change it."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from flask import abort, flash, request
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from analyzer.ingest.loader import MOST_NOTES_STORED, add_notes
from analyzer.store.games import digests_of_upload
from analyzer.store.store import StoredGame
from records.format import codec
from records.format.text_places import find_double_member
from records.phrases import pluralize
from records.record import Note, Record
from records.rules.vocabulary import RuleSheet
from webui.display.markup import json_in_page
from webui.display.words import place_words
from webui.server.access import may
from webui.server.actions import Action
from webui.server.page import Page, Views
from webui.server.private_links import own_uploads
from webui.server.request_kinds import REPLAYS, UPLOADS
from webui.server.responses import attachment, lead_to
from webui.views import game_cache, store

MOST_NOTES = 1000
"""The most notes in one request."""
LONGEST_NOTE = 2000
"""The most characters of a note."""
LONGEST_AUTHOR = 200
"""The most characters of the author of notes."""
ONLY_OWN_TEXT = (
    "Notes can be added by the admin, and by who has the private link of the upload that stored the game:"
    " open that link first, in this browser."
)
NOTHING_ADDED_TEXT = f"Nothing was added: the record has these notes already, or {MOST_NOTES_STORED:,} others, or its text has errors."
blueprint = Views("notes", __name__)


@dataclass(frozen=True, slots=True)
class ShownNote:
    """A note of a record, with its deal (from 1) and the step that it is on."""

    deal: int
    step: int
    by: str
    text: str


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
        return json_in_page(self.notes)

    @property
    def data(self) -> object:
        """The notes of a game, as its record has them."""
        return self.notes


@blueprint.page("/games/<digest>/notes", Action.READ, REPLAYS)
def notes(digest: str) -> NotesPage:
    """The notes of a game, and the reader's own, which only their browser has."""
    game = game_cache().game(digest)
    return NotesPage(
        game=game.stored,
        sides=game.stored.side_names,
        sheet=game.resolved.sheet,
        notes=game.record.notes or [],
        may_add=may_add_notes(game.digest),
    )


@blueprint.form("/games/<digest>/notes", Action.USE_LINK, UPLOADS)
def add(digest: str) -> ResponseReturnValue:
    """Add the notes of the form field `notes` to the stored record, whose digest stays the same."""
    game = game_cache().game(digest)
    if not may_add_notes(game.digest):
        abort(403, ONLY_OWN_TEXT)
    added = add_notes(store(), game.digest, _record_with_notes(game.record))
    if added:
        game_cache().clear()
        flash(f"{pluralize(added, 'note was', 'notes were')} added to the game.")
    else:
        flash(NOTHING_ADDED_TEXT)
    return lead_to("notes.notes", digest=digest)


@blueprint.address(
    "/games/<digest>/notes/record.json", Action.READ, REPLAYS, method="POST", needs_form_token=False
)
def record(digest: str) -> ResponseReturnValue:
    """The record with the notes of the form field `notes` (a JSON list) added, checked."""
    return attachment(
        _record_with_notes(game_cache().game(digest).record), f"{digest[:12]}-notes.json"
    )


def may_add_notes(digest: str) -> bool:
    """Whether the reader may add notes to a stored game: the admin, and the browser that has its upload's link."""
    if may("delete"):
        return True
    return any(digest in digests_of_upload(store(), upload) for upload in own_uploads())


def _record_with_notes(record: Record) -> bytes:
    """The record with the notes of the form, by the author of its field `by`; answers 400 if they do not fit."""
    sent = request.form.get("notes", "").encode()
    try:
        notes = msgspec.json.decode(sent, type=list[Note])
    except msgspec.DecodeError as wrong:
        abort(400, f"The notes cannot be read: {wrong}.")
    # The decoder takes the last of two members with one name, and loses what the other says.
    if (double := find_double_member(sent)) is not None:
        abort(400, f"The notes cannot be read: {double.message}")
    if not 0 < len(notes) <= MOST_NOTES or any(len(note.text) > LONGEST_NOTE for note in notes):
        abort(400, f"Send 1 to {MOST_NOTES:,} notes of at most {LONGEST_NOTE:,} characters.")
    author = request.form.get("by", "").strip()
    if len(author) > LONGEST_AUTHOR:
        abort(400, f"The name of an author has at most {LONGEST_AUTHOR} characters.")
    signed = [note if note.by or not author else replace(note, by=author) for note in notes]
    data = codec.encode(replace(record, notes=[*(record.notes or []), *signed]))
    for finding in codec.decode(data).findings:
        if finding.severity == "unreadable":
            abort(400, f"{finding.message} ({place_words(finding.at)})")
    return data
