"""Games that come in a permalink: shown like stored ones, and stored nowhere."""

from flask import abort, request
from flask.typing import ResponseReturnValue

from webui.access.actions import Action
from webui.games.cache import OpenedGame
from webui.games.permalink import InvalidPermalink, open_permalink
from webui.http.page import Views
from webui.http.request_kinds import PERMALINKS, REVIEWS
from webui.views import deals
from webui.views import what_if as what_if_pages
from webui.views.deals import ReplayPage

WRONG_DEAL_TEXT = "A deal is a number; 1 is the first."
blueprint = Views("permalinks", __name__)


@blueprint.address("/replay", Action.VALIDATE, PERMALINKS, about_query=True)
def replay() -> ResponseReturnValue:
    """A deal of the record in the address; the first, unless `deal` names another."""
    return deals.replay_page(ReplayPage, *_requested_deal()).render()


@blueprint.address("/replay.json", Action.VALIDATE, PERMALINKS)
def replay_json() -> ResponseReturnValue:
    """All visible steps of a deal of the record in the address."""
    return deals.deal_response(*_requested_deal())


@blueprint.address("/replay/review", Action.VALIDATE, REVIEWS)
def review() -> ResponseReturnValue:
    """Review the game in the address; leads back to the deal."""
    return deals.review_and_return(*_requested_deal())


@blueprint.address("/replay/what-if", Action.VALIDATE, PERMALINKS, about_query=True)
def what_if() -> ResponseReturnValue:
    """What if, for a deal of the record in the address."""
    return what_if_pages.what_if_page(*_requested_deal()).render()


@blueprint.address("/replay/what-if.json", Action.VALIDATE, PERMALINKS)
def what_if_json() -> ResponseReturnValue:
    """A deal of the record in the address with a line: the table, and every legal choice."""
    return what_if_pages.what_if_data(*_requested_deal())


@blueprint.address("/replay/what-if/values", Action.VALIDATE, REVIEWS)
def search_values() -> ResponseReturnValue:
    """Search longer for the values of a line; leads back to its page."""
    return what_if_pages.search_and_return(*_requested_deal())


@blueprint.address("/replay/what-if/record.json", Action.VALIDATE, PERMALINKS)
def record() -> ResponseReturnValue:
    """The record in the address with the line added to its `lines`, checked."""
    return what_if_pages.record_with_line(*_requested_deal())


def _requested_deal() -> tuple[OpenedGame, int]:
    """The game in the address and the number of the deal, from 1; answers 400 if either is wrong."""
    number = deals.requested_number("deal", WRONG_DEAL_TEXT)
    try:
        return open_permalink(request.args.get("record", "")), 1 if number is None else number
    except InvalidPermalink as wrong:
        abort(400, str(wrong))
