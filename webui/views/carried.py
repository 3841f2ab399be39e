"""A game that came inside the address: read, judged and shown like any other, and kept nowhere."""

import msgspec
from flask import Blueprint, abort, current_app, request
from flask.typing import ResponseReturnValue

from records import codec
from records.errors import RulesError
from records.record import Record
from records.rules.registry import resolve
from webui.carried import NotCarried, unpack
from webui.rooms import CarriedPage
from webui.shelf import Opened
from webui.steps import steps_of
from webui.views.deals import asked, asked_sight, page_of

DEAL = "A deal is a number, the first is 1."
blueprint = Blueprint("carried", __name__)


@blueprint.get("/replay")
def replay() -> ResponseReturnValue:
    """The deal (the first, if none is asked for) of the record in the address."""
    text, record, opened = _opened()
    sight = asked_sight(len(record.players))
    return page_of(CarriedPage, None, opened, sight, record=text).render()


@blueprint.get("/replay.json")
def replay_json() -> ResponseReturnValue:
    """The same as data: all steps of the deal."""
    _, _, opened = _opened()
    return current_app.response_class(opened.json, mimetype="application/json")


def _opened() -> tuple[str, Record, Opened]:
    """The record's text in the address, the record, and its deal; answers 400 with what is wrong."""
    text = request.args.get("record", "")
    number = asked("deal", DEAL)
    try:
        decoded = codec.decode(unpack(text))
        record = decoded.record
        if record is None:
            abort(400, decoded.findings[0].message)
        resolved = resolve(record.rules.id, record.rules.edition, record.rules.options)
    except (NotCarried, RulesError) as wrong:
        abort(400, str(wrong))
    index = 0 if number is None else number - 1
    if not 0 <= index < len(record.deals):
        abort(404)
    deal = steps_of(record, resolved, index, asked_sight(len(record.players)))
    return text, record, Opened(deal, msgspec.json.encode(deal).decode().replace("<", "\\u003c"))
