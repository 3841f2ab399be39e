"""Doubts about a game: by which rules it was played, and what an illegal one may have meant."""

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
"""A page searches so long for rules, and as long for what was meant; the command line takes its time."""
blueprint = Blueprint("identify", __name__)


@blueprint.get("/games/<digest>/doubts")
def identify(digest: str) -> ResponseReturnValue:
    """The rulebooks that accept a game, what differs by the others, and what may have been meant."""
    book = game_cache().book(digest)
    found, meant = identify_game(book)
    return IdentifyPage(
        game=book.game,
        names=[player.name for player in book.record.players],
        accepted=[each for each in found if each.accepted],
        others=[each for each in found if not each.accepted],
        meant=meant,
    ).render()


@blueprint.get("/games/<digest>/doubts.json")
def identify_json(digest: str) -> ResponseReturnValue:
    """The same as data."""
    found, meant = identify_game(game_cache().book(digest))
    return json_response({"rules": found, "did_you_mean": meant})


@lru_cache(MOST_ANSWERS_CACHED)
def identify_game(book: CachedGame) -> tuple[list[RulesCandidate], list[Correction]]:
    """What a game fits, and what it may have meant if it is illegal; kept at hand."""
    until = monotonic() + SEARCH_SECONDS
    return identify_rules(book.record, until=until), suggest_corrections(
        book.record, book.resolved, until=until + SEARCH_SECONDS
    )
