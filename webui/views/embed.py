"""A deal in a frame of another page: the only pages that others may frame."""

from dataclasses import dataclass

from flask import current_app
from flask.typing import ResponseReturnValue

from webui.access.actions import Action
from webui.http.headers import allow_framing
from webui.http.page import Views
from webui.http.request_kinds import REPLAYS
from webui.views import deals, game_cache
from webui.views.deals import ReplayPage

blueprint = Views("embed", __name__)
blueprint.address("/embed/games/<digest>/deals/<int:deal>.json", Action.READ, REPLAYS)(
    deals.replay_json
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedPage(ReplayPage):
    """The replay alone, for a frame in another page."""

    template = "deals/embed.html"
    endpoint = "embed.replay"


@blueprint.address("/embed/games/<digest>/deals/<int:deal>", Action.READ, REPLAYS)
def replay(digest: str, deal: int) -> ResponseReturnValue:
    """The replay of a deal alone, for a frame."""
    page = deals.replay_page(EmbedPage, game_cache().game(digest), deal)
    return allow_framing(current_app.make_response(page.render()))
