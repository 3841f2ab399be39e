"""A reader's notes, added to a copy of the record; the stored record stays as it is."""

import msgspec
from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from records import codec
from records.record import Note
from webui.display.wording import place_words
from webui.http.responses import attachment
from webui.views import game_cache

MOST_NOTES = 1000
"""The most notes in one request."""
LONGEST_NOTE = 2000
"""The most characters of a note."""
blueprint = Blueprint("notes", __name__)


@blueprint.post("/games/<digest>/notes/record.json")
def record(digest: str) -> ResponseReturnValue:
    """The record with the notes of the form field `notes` (a JSON list) added, checked."""
    game = game_cache().game(digest)
    try:
        notes = msgspec.json.decode(request.form.get("notes", ""), type=list[Note])
    except msgspec.DecodeError as wrong:
        abort(400, f"The notes cannot be read: {wrong}.")
    if not 0 < len(notes) <= MOST_NOTES or any(len(note.text) > LONGEST_NOTE for note in notes):
        abort(400, f"Send 1 to {MOST_NOTES:,} notes of at most {LONGEST_NOTE:,} characters.")
    data = codec.encode(replace(game.record, notes=[*(game.record.notes or []), *notes]))
    for finding in codec.decode(data).findings:
        if finding.severity == "unreadable":
            abort(400, f"{finding.message} ({place_words(finding.at)})")
    return attachment(data, f"{digest[:12]}-notes.json")
