"""Which rules fit a game, and which correction would make an illegal one legal."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from webui.http.responses import json_response
from webui.pages.identify import IdentifyPage
from webui.views import game_cache

blueprint = Blueprint("identify", __name__)


@blueprint.get("/games/<digest>/doubts")
def identify(digest: str) -> ResponseReturnValue:
    """The rulebooks that accept a game, what does not fit the others, and possible corrections; for a script a part."""
    game = game_cache().game(digest)
    candidates, corrections, mended = game.identified
    page = IdentifyPage(
        game=game.stored,
        names=[player.name for player in game.record.players],
        stated=game.resolved.changed,
        candidates=candidates,
        mended_candidates=mended,
        corrections=corrections,
    )
    if request.headers.get("X-Requested-With") == "fetch":
        return page.part.render()
    return page.render()


@blueprint.get("/games/<digest>/doubts.json")
def identify_json(digest: str) -> ResponseReturnValue:
    """The same as JSON."""
    game = game_cache().game(digest)
    candidates, corrections, mended = game.identified
    return json_response(
        {
            "rules": candidates,
            "did_you_mean": corrections,
            "habits": game.mended.corrections,
            "rules_once_mended": mended,
        }
    )
