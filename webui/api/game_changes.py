"""Changes of stored games in the interface: what is corrected, what is deleted, and what is brought back."""

from typing import Annotated

import msgspec
from flask import Response, current_app
from msgspec import Meta

from analyzer.ingest.correcting import (
    LONGEST_REASON,
    MOST_CORRECTIONS,
    make_correction,
    undo_correction,
)
from analyzer.store import made_corrections
from analyzer.store.made_corrections import MadeCorrection
from analyzer.upkeep import trash
from analyzer.upkeep.trash import TrashEntry, find_in_trash, forget_deleted
from records.corrected import LONGEST_COMMENT, CorrectedFact, CorrectionRefused, Subject
from webui.api.games import Digest, GameParameters
from webui.api.requests import FromZero, NoParameters, SentStruct, refusals_as
from webui.server.access import name_of_actor
from webui.server.error_pages import ProblemRaised
from webui.views import game_cache, store

# Corrections: what a record tells of its occasion, as somebody who knows better says it.


class CorrectionRequest(SentStruct, frozen=True, kw_only=True):
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


class CorrectionParameters(SentStruct, frozen=True, kw_only=True):
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


# The trash: deleted games, which are brought back or deleted for good.

MOST_TRASH_LISTED, TRASH_LISTED_UNASKED = 1_000, 100
MOST_RESTORED, MOST_PASSED = 500, 1_000_000
NOT_THERE = "The trash has no game with this digest."


class TrashParameters(SentStruct, frozen=True, kw_only=True):
    """How many games, and after how many."""

    limit: Annotated[
        int, Meta(ge=1, le=MOST_TRASH_LISTED, description="The most games in the answer.")
    ] = TRASH_LISTED_UNASKED
    offset: Annotated[
        int, Meta(ge=0, lt=MOST_PASSED, description="How many games come before them.")
    ] = 0


class TrashList(msgspec.Struct, frozen=True):
    """Games in the trash, those deleted last first; `total` counts all."""

    games: list[TrashEntry]
    total: int


class RestoreRequest(SentStruct, frozen=True):
    """The digests of the games to bring back."""

    games: Annotated[list[Digest], Meta(min_length=1, max_length=MOST_RESTORED)]


class RestoredGames(msgspec.Struct, frozen=True):
    """How many games were brought back: those that were in the trash."""

    restored: int


class ForgottenGames(msgspec.Struct, frozen=True):
    """How many games were deleted for good."""

    deleted: int


def delete_game(given: GameParameters) -> Response:
    """Move a game to the trash: for 30 days the admin can bring it back, and then it is deleted for good."""
    digest = game_cache().game(given.digest).digest
    trash.trash_games(store(), [digest])
    game_cache().clear()
    return current_app.response_class(status=204)


def list_trash(given: TrashParameters) -> TrashList:
    """Deleted games that can be brought back."""
    games = trash.list_trash(store())
    some = games[given.offset : given.offset + given.limit]
    return TrashList([game.entry for game in some], len(games))


def restore_games(given: NoParameters, wanted: RestoreRequest) -> RestoredGames:
    """Bring games back from the trash as they were, with their corrections and reviews."""
    found = [find_in_trash(store(), digest) for digest in wanted.games]
    number = trash.restore_games(store(), [game.digest for game in found if game])
    game_cache().clear()
    return RestoredGames(number)


def forget_game(given: GameParameters) -> Response:
    """Delete a game in the trash for good."""
    game = find_in_trash(store(), given.digest)
    if game is None:
        raise ProblemRaised("not-found", NOT_THERE)
    forget_deleted(store().folder, [game.digest])
    return current_app.response_class(status=204)


def empty_trash(given: NoParameters) -> ForgottenGames:
    """Delete for good all games in the trash."""
    return ForgottenGames(trash.empty_whole_trash(store()))
