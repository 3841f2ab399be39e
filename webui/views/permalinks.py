"""A game that came inside the address: read, judged and shown like any other, and kept nowhere."""

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from webui.games.cache import OpenedGame
from webui.games.permalink import InvalidPermalink, open_permalink
from webui.pages.deals import ReplayPage
from webui.views import deals
from webui.views import what_if as what_if_pages

WRONG_DEAL_TEXT = "A deal is a number, the first is 1."
blueprint = Blueprint("permalinks", __name__)


@blueprint.get("/replay")
def replay() -> ResponseReturnValue:
    """The deal (the first, if none is asked for) of the record in the address."""
    return deals.replay_page(ReplayPage, *_asked()).render()


@blueprint.get("/replay.json")
def replay_json() -> ResponseReturnValue:
    """All steps of a deal of the record in the address, as far as they are to be seen."""
    return deals.deal_response(*_asked())


@blueprint.get("/replay/what-if")
def what_if() -> ResponseReturnValue:
    """The deal gone on with by hand."""
    return what_if_pages.what_if_page(*_asked()).render()


@blueprint.get("/replay/what-if.json")
def what_if_json() -> ResponseReturnValue:
    """A deal of the record in the address, gone on with by a line: the table, and all that may come next."""
    return what_if_pages.what_if_data(*_asked())


@blueprint.get("/replay/what-if/record.json")
def record() -> ResponseReturnValue:
    """The record in the address with the line among its `lines`, checked."""
    return what_if_pages.record_with_line(*_asked())


def _asked() -> tuple[OpenedGame, int]:
    """The game in the address, and which deal (counted from 1); answers 400 with what is wrong."""
    number = deals.requested_number("deal", WRONG_DEAL_TEXT)
    try:
        return open_permalink(request.args.get("record", "")), 1 if number is None else number
    except InvalidPermalink as wrong:
        abort(400, str(wrong))
