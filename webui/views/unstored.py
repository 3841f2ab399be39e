"""Games that are in no collection: the examples that every server has, and records that come in the address."""

from flask import Response, abort, request

from records.format import codec
from webui.server.actions import Action
from webui.server.game_cache import InvalidPermalink, OpenedGame, open_permalink
from webui.server.lessons import guided_example
from webui.server.page import Views
from webui.server.request_kinds import PAGES, PERMALINKS, REPLAYS
from webui.server.responses import attachment
from webui.views.deal_addresses import PICTURES, REVIEW, DealSource
from webui.views.deals import requested_number

WRONG_DEAL_TEXT = "A deal is a number; 1 is the first."
examples_blueprint = Views("examples", __name__)
permalinks_blueprint = Views("permalinks", __name__)


@examples_blueprint.address("/examples/<game>/record.json", Action.LOOK, PAGES)
def original(game: str) -> Response:
    """The record of an example."""
    return attachment(codec.encode(guided_example(game).record), f"{game}.json")


def open_example_deal(game: str, deal: int) -> tuple[OpenedGame, int]:
    """The example with this name, and the number of one of its deals."""
    return guided_example(game), deal


def open_requested_deal() -> tuple[OpenedGame, int]:
    """The game in the address and the number of the deal, from 1; answers 400 if either is wrong."""
    number = requested_number("deal", WRONG_DEAL_TEXT)
    try:
        return open_permalink(request.args.get("record", "")), 1 if number is None else number
    except InvalidPermalink as wrong:
        abort(400, str(wrong))


DealSource(
    blueprint=examples_blueprint,
    address="/examples/<game>/deals/<int:deal>",
    open_deal=open_example_deal,
    action=Action.LOOK,
    cost=REPLAYS,
    words={"game": "an example", "record": "The record of an example"},
).declare(REVIEW, *PICTURES)
DealSource(
    blueprint=permalinks_blueprint,
    address="/replay",
    open_deal=open_requested_deal,
    action=Action.VALIDATE,
    cost=PERMALINKS,
    words={"game": "the record in the address", "record": "The record in the address"},
).declare(REVIEW, about_query=True)
