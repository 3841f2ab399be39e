"""Corrections on the page of a game: who may correct it, the form, and undoing.

The admin may correct every game, and its sender for 30 days what an upload stored. A sender is known by the private link,
which the session of the browser keeps.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from flask import abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from analyzer.ingest.correcting import make_corrections, undo_correction
from analyzer.store.games import is_of_uploads
from records.corrected import (
    LONGEST_COMMENT,
    LONGEST_VALUE,
    CorrectedFact,
    CorrectionRefused,
    fact_value,
    list_facts,
)
from records.phrases import pluralize
from webui.server.access import may, name_of_actor
from webui.server.actions import Action
from webui.server.game_cache import CachedGame
from webui.server.page import Views
from webui.server.private_links import own_uploads
from webui.server.request_kinds import UPLOADS
from webui.views import game_cache, store

DAYS_OF_SENDER = 30
"""How long who sent a game may correct it."""
MOST_NOTES_OFFERED = 20
LABELS = {
    "name": "Name",
    "id": "Id",
    "date": "Date",
    "event": "Event",
    "round": "Round",
    "table": "Table",
    "site": "Site",
    "comment": "Comment",
}
MAKERS = {
    "admin": "the admin",
    "person": "the person at the server’s machine",
    "command": "a command",
    "sender": "the sender",
}
"""Who corrects, as the page says it; programs are known by the names of their tokens."""
ONLY_SENDER_TEXT = "Only the admin corrects this game, and for 30 days whoever sent it: open the private link of the upload first."
blueprint = Views("correction_forms", __name__)


@dataclass(frozen=True, slots=True)
class CorrectionField:
    """A field of the form: what it corrects, its label, and what is told now."""

    fact: CorrectedFact
    label: str
    value: str

    @property
    def is_long(self) -> bool:
        """Whether it may have several lines."""
        return self.fact.subject in ("comment", "note")

    @property
    def longest(self) -> int:
        """The most characters."""
        return LONGEST_COMMENT if self.is_long else LONGEST_VALUE


def may_correct(digest: str) -> bool:
    """Whether who asks may correct this game."""
    return may("correct") or _is_sender(digest)


def _is_sender(digest: str) -> bool:
    uploads = own_uploads()
    return (
        bool(uploads)
        and not store().read_only
        and is_of_uploads(store(), digest, uploads, DAYS_OF_SENDER)
    )


def correction_fields(game: CachedGame) -> list[CorrectionField]:
    """The fields of the form for a game: players first, then the occasion, then the first of its notes."""
    facts = list_facts(game.uploaded)
    notes = [fact for fact in facts if fact.subject == "note"]
    return [
        CorrectionField(fact, fact_label(fact), game.corrections.get(fact, fact_value(game.uploaded, fact)))
        for fact in facts
        if fact not in notes[MOST_NOTES_OFFERED:]
    ]  # fmt: skip


def fact_label(fact: CorrectedFact) -> str:
    """What a fact is called."""
    if fact.number is None:
        return LABELS[fact.subject]
    number = fact.number + 1
    return (
        f"Note {number}" if fact.subject == "note" else f"{LABELS[fact.subject]} in seat {number}"
    )


@blueprint.app_context_processor
def correction_words() -> dict[str, object]:
    """What templates tell of corrections with."""
    return {"fact_label": fact_label, "maker_words": lambda maker: MAKERS.get(maker, maker)}


@blueprint.address("/games/<digest>/corrections", Action.USE_LINK, UPLOADS, method="POST")
def correct(digest: str) -> ResponseReturnValue:
    """Correct whatever the form tells otherwise than the page."""
    game = _correctable(digest)
    texts = dict(_changed_texts(game))
    if not texts:
        flash("Nothing was changed.")
        return _back(game)
    try:
        make_corrections(
            store(), game.digest, texts, reason=request.form.get("why", ""), made_by=_maker()
        )
    except CorrectionRefused as error:
        abort(409, str(error))
    game_cache().clear()
    flash(f"Corrected {pluralize(len(texts), 'entry', 'entries')}. The record is as it was.")
    return _back(game)


def _changed_texts(game: CachedGame) -> Iterator[tuple[CorrectedFact, str]]:
    """What the form tells otherwise; browsers change blanks and line breaks, which count for nothing."""
    for field in correction_fields(game):
        text = request.form.get(field.fact.word, field.value)
        if text.split() != field.value.split():
            yield field.fact, text


@blueprint.address(
    "/games/<digest>/corrections/<int:number>/undo", Action.USE_LINK, UPLOADS, method="POST"
)
def undo(digest: str, number: int) -> ResponseReturnValue:
    """Undo a correction."""
    game = _correctable(digest)
    try:
        undo_correction(store(), game.digest, number, undone_by=_maker())
    except CorrectionRefused as error:
        abort(409, str(error))
    game_cache().clear()
    flash(f"Undid correction {number}.")
    return _back(game)


def _correctable(digest: str) -> CachedGame:
    """The game, if who asks may correct it."""
    game = game_cache().game(digest)
    return game if may_correct(game.digest) else abort(403, ONLY_SENDER_TEXT)


def _maker() -> str:
    return name_of_actor() if may("correct") else "sender"


def _back(game: CachedGame) -> ResponseReturnValue:
    return redirect(url_for("games.game", digest=game.digest, _anchor="corrections"), 303)
