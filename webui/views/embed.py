"""A deal in a frame of another page: the only pages that others may frame."""

from flask import Blueprint, current_app
from flask.typing import ResponseReturnValue

from webui.http.headers import framed
from webui.rooms import EmbedPage
from webui.views import deals, shelf

blueprint = Blueprint("embed", __name__, url_prefix="/embed/games/<digest>/deals")
blueprint.get("/<int:deal>.json")(deals.replay_json)


@blueprint.get("/<int:deal>")
def replay(digest: str, deal: int) -> ResponseReturnValue:
    """A deal at a step, as the replay page shows it, without what is around."""
    page = deals.page_of(EmbedPage, shelf().book(digest), deal)
    return framed(current_app.make_response(page.render()))
