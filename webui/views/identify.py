"""Which rules fit a game, and which correction would make an illegal one legal."""

from functools import lru_cache
from time import monotonic

from flask import Blueprint
from flask.typing import ResponseReturnValue

from analyzer.identify.corrections import Correction, suggest_corrections
from analyzer.identify.matching_rules import RulesCandidate, identify_rules
from webui.games.cache import CachedGame
from webui.http.responses import json_response
from webui.pages.identify import IdentifyPage
from webui.views import game_cache

MOST_ANSWERS_CACHED = 64
SEARCH_SECONDS = 5
"""A page searches this long for rules, and again as long for corrections; the command line has no such limit."""
blueprint = Blueprint("identify", __name__)


@blueprint.get("/games/<digest>/doubts")
def identify(digest: str) -> ResponseReturnValue:
    """The rulebooks that accept a game, what does not fit the others, and possible corrections."""
    game = game_cache().game(digest)
    candidates, corrections = identify_game(game)
    return IdentifyPage(
        game=game.stored,
        names=[player.name for player in game.record.players],
        accepted=[candidate for candidate in candidates if candidate.accepted],
        others=[candidate for candidate in candidates if not candidate.accepted],
        corrections=corrections,
    ).render()


@blueprint.get("/games/<digest>/doubts.json")
def identify_json(digest: str) -> ResponseReturnValue:
    """The same as JSON."""
    candidates, corrections = identify_game(game_cache().game(digest))
    return json_response({"rules": candidates, "did_you_mean": corrections})


@lru_cache(MOST_ANSWERS_CACHED)
def identify_game(game: CachedGame) -> tuple[list[RulesCandidate], list[Correction]]:
    """The rules that a game fits, and corrections if it is illegal; cached, since both take seconds."""
    until = monotonic() + SEARCH_SECONDS
    return identify_rules(game.record, until=until), suggest_corrections(
        game.record, game.resolved, until=until + SEARCH_SECONDS
    )
