"""The form that corrects a game, on its page, and who may use it.

The admin may correct every game, and its sender for 30 days what an upload stored. A sender is known by the private link,
which the session of the browser keeps.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from analyzer.ingest.correcting import LONGEST_REASON
from analyzer.store.games import is_of_uploads
from records.corrected import (
    LONGEST_COMMENT,
    LONGEST_VALUE,
    CorrectedFact,
    fact_value,
    list_facts,
)
from records.format.semantics import read_day, read_time
from webui.server.access import may, name_of_actor
from webui.server.game_cache import CachedGame
from webui.server.private_links import own_uploads
from webui.views import store

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
EMPTY_FORM: Final[Mapping[str, str]] = {}


@dataclass(frozen=True, slots=True)
class CorrectionField:
    """A field of the form: what it corrects, its label, what is told now as the field has it, and what was typed instead."""

    fact: CorrectedFact
    label: str
    told: str
    typed: str | None = None

    @property
    def value(self) -> str:
        """What the field shows."""
        return self.told if self.typed is None else self.typed

    @property
    def is_changed(self) -> bool:
        """Whether something else was typed; browsers change blanks and line breaks, which count for nothing."""
        return self.value.split() != self.told.split()

    @property
    def is_long(self) -> bool:
        """Whether it may have several lines."""
        return self.fact.subject in ("comment", "note")

    @property
    def kind(self) -> str:
        """The type of the input: a day has the calendar of the browser, which cannot show what is no day."""
        is_day = self.fact.subject == "date" and (not self.value or read_day(self.value))
        return "date" if is_day else "text"

    @property
    def longest(self) -> int:
        """The most characters."""
        return LONGEST_COMMENT if self.is_long else LONGEST_VALUE


@dataclass(frozen=True, slots=True)
class CorrectionForm:
    """The form that corrects a game, with what was typed and the `problem` with that if it was refused."""

    fields: list[CorrectionField]
    why: str = ""
    problem: str = ""
    longest_reason = LONGEST_REASON

    @property
    def changed_texts(self) -> dict[CorrectedFact, str]:
        """What was typed otherwise than it is told."""
        return {field.fact: field.value for field in self.fields if field.is_changed}


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


def correction_form(game: CachedGame, typed: Mapping[str, str] = EMPTY_FORM) -> CorrectionForm:
    """The form for a game: players first, then the occasion, then the first of its notes."""
    facts = list_facts(game.uploaded)
    notes = [fact for fact in facts if fact.subject == "note"]
    fields = [
        CorrectionField(fact, fact_label(fact), _shown_value(game, fact), typed.get(fact.word))
        for fact in facts
        if fact not in notes[MOST_NOTES_OFFERED:]
    ]
    return CorrectionForm(fields, typed.get("why", ""))


def _shown_value(game: CachedGame, fact: CorrectedFact) -> str:
    """What is told of a fact; of a time the day alone, since a correction of the day leaves the clock."""
    value = game.corrections.get(fact, fact_value(game.uploaded, fact))
    is_time = fact.subject == "date" and read_time(value) is not None
    return value[: len("2026-03-05")] if is_time else value


def fact_label(fact: CorrectedFact) -> str:
    """What a fact is called."""
    if fact.number is None:
        return LABELS[fact.subject]
    number = fact.number + 1
    return (
        f"Note {number}" if fact.subject == "note" else f"{LABELS[fact.subject]} in seat {number}"
    )


def maker_of_correction() -> str:
    """Who corrects now, as it is noted with the correction."""
    return name_of_actor() if may("correct") else "sender"


def maker_words(maker: str) -> str:
    """Who corrected, in words."""
    return MAKERS.get(maker, maker)
