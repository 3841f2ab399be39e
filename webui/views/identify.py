"""Which rules fit a game, and which correction would make an illegal one legal."""

from flask import Blueprint
from flask.typing import ResponseReturnValue

from webui.http.responses import json_response
from webui.pages.identify import IdentifyPage
from webui.views import game_cache

blueprint = Blueprint("identify", __name__)


@blueprint.get("/games/<digest>/doubts")
def identify(digest: str) -> ResponseReturnValue:
    """The rulebooks that accept a game, what does not fit the others, and possible corrections."""
    game = game_cache().game(digest)
    candidates, corrections = game.identified
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
    candidates, corrections = game_cache().game(digest).identified
    return json_response({"rules": candidates, "did_you_mean": corrections})
