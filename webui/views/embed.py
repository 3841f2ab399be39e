"""A deal in a frame of another page: the only pages that others may frame."""

from flask import Blueprint, current_app
from flask.typing import ResponseReturnValue

from webui.headers import framed
from webui.rooms import EmbedPage
from webui.views import shelf
from webui.views.deals import asked_sight, page_of

blueprint = Blueprint("embed", __name__, url_prefix="/embed/games/<digest>/deals")


@blueprint.get("/<int:deal>")
def replay(digest: str, deal: int) -> ResponseReturnValue:
    """A deal at a step, as the replay page shows it, without what is around."""
    book = shelf().book(digest)
    sight = asked_sight(len(book.record.players))
    opened = shelf().deal(digest, deal - 1, sight)
    page = page_of(EmbedPage, book, opened, sight)
    return framed(current_app.make_response(page.render()))


@blueprint.get("/<int:deal>.json")
def replay_json(digest: str, deal: int) -> ResponseReturnValue:
    """All steps of the deal, as far as they are to be seen."""
    sight = asked_sight(len(shelf().book(digest).record.players))
    opened = shelf().deal(digest, deal - 1, sight)
    return current_app.response_class(opened.json, mimetype="application/json")
