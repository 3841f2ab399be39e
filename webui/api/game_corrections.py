"""Corrections in the interface: what a record tells of its occasion, as somebody who knows better says it."""

from typing import Annotated

import msgspec
from msgspec import Meta

from analyzer.ingest.correcting import (
    LONGEST_REASON,
    MOST_CORRECTIONS,
    make_correction,
    undo_correction,
)
from analyzer.store import made_corrections
from analyzer.store.made_corrections import MadeCorrection
from records.corrected import LONGEST_COMMENT, CorrectedFact, CorrectionRefused, Subject
from webui.api.games import Digest, GameParameters
from webui.api.requests import FromZero, refusals_as
from webui.server.access import name_of_actor
from webui.views import game_cache, store


class CorrectionRequest(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What is told since; an empty `value` takes away what the record tells.

    `place` is the seat of a name or an id, or the number of a note, from 0; others have none.
    """

    subject: Subject
    place: FromZero | None = None
    value: Annotated[str, Meta(max_length=LONGEST_COMMENT)]
    reason: Annotated[str, Meta(max_length=LONGEST_REASON)] = ""

    @property
    def fact(self) -> CorrectedFact:
        """What is corrected."""
        return CorrectedFact(self.subject, self.place)


class CorrectionList(msgspec.Struct, frozen=True):
    """The corrections of a game, those undone too, in the order in which they were made."""

    corrections: list[MadeCorrection]


class CorrectionParameters(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Which correction of which game."""

    digest: Digest
    number: Annotated[
        int, Meta(ge=1, le=MOST_CORRECTIONS, description="Its number among those of the game.")
    ]


def list_corrections(given: GameParameters) -> CorrectionList:
    """What was corrected of a game, by whom, when and why."""
    digest = game_cache().game(given.digest).digest
    return CorrectionList(made_corrections.list_corrections(store(), digest))


def correct_game(given: GameParameters, wanted: CorrectionRequest) -> MadeCorrection:
    """Correct what a record tells of its occasion. Its bytes and what it says of the play stay."""
    digest = game_cache().game(given.digest).digest
    with refusals_as("refused-correction", CorrectionRefused):
        made = make_correction(
            store(), digest, wanted.fact, wanted.value, reason=wanted.reason, made_by=name_of_actor()
        )  # fmt: skip
    game_cache().clear()
    return made


def undo_game_correction(given: CorrectionParameters) -> MadeCorrection:
    """Undo a correction: everything is as if it had not been made."""
    digest = game_cache().game(given.digest).digest
    with refusals_as("refused-correction", CorrectionRefused):
        undone = undo_correction(store(), digest, given.number, undone_by=name_of_actor())
    game_cache().clear()
    return undone
