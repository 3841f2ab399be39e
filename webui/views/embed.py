"""A deal in a frame of another page: the only pages that others may frame."""

from flask import Blueprint, current_app
from flask.typing import ResponseReturnValue

from webui.http.headers import allow_framing
from webui.pages.deals import EmbedPage
from webui.views import deals, game_cache

blueprint = Blueprint("embed", __name__, url_prefix="/embed/games/<digest>/deals")
blueprint.get("/<int:deal>.json")(deals.replay_json)


@blueprint.get("/<int:deal>")
def replay(digest: str, deal: int) -> ResponseReturnValue:
    """The replay of a deal alone, for a frame."""
    page = deals.replay_page(EmbedPage, game_cache().game(digest), deal)
    return allow_framing(current_app.make_response(page.render()))
