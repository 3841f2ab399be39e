"""The trash in the interface: deleted games, which are brought back or deleted for good."""

from typing import Annotated

import msgspec
from flask import Response, current_app
from msgspec import Meta

from analyzer.upkeep import trash
from analyzer.upkeep.trash import TrashEntry, find_in_trash, forget_deleted
from webui.api.games import Digest, GameParameters
from webui.api.requests import NoParameters
from webui.server.error_pages import ProblemRaised
from webui.views import game_cache, store

MOST_LISTED, LISTED_UNASKED = 1_000, 100
MOST_RESTORED, MOST_PASSED = 500, 1_000_000
NOT_THERE = "The trash has no game with this digest."


class TrashParameters(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """How many games, and after how many."""

    limit: Annotated[
        int, Meta(ge=1, le=MOST_LISTED, description="The most games in the answer.")
    ] = LISTED_UNASKED
    offset: Annotated[
        int, Meta(ge=0, lt=MOST_PASSED, description="How many games come before them.")
    ] = 0


class TrashList(msgspec.Struct, frozen=True):
    """Games in the trash, those deleted last first; `total` counts all."""

    games: list[TrashEntry]
    total: int


class RestoreRequest(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The digests of the games to bring back."""

    games: Annotated[list[Digest], Meta(min_length=1, max_length=MOST_RESTORED)]


class RestoredGames(msgspec.Struct, frozen=True):
    """How many games were brought back: those that were in the trash."""

    restored: int


class ForgottenGames(msgspec.Struct, frozen=True):
    """How many games were deleted for good."""

    deleted: int


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
