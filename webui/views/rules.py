"""Rules: the sheets in English, with their options."""

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from records.errors import RulesError
from records.rules.explain import explain
from records.rules.registry import ALL, Resolved, apply_options, get, read_options
from webui.pages import RulesPage, SheetPage
from webui.views.games import json_response

blueprint = Blueprint("rules", __name__, url_prefix="/rules")


@blueprint.get("")
def rules() -> ResponseReturnValue:
    """The rule sheets there are."""
    return RulesPage(sheets=[explain(sheet) for sheet in ALL]).render()


@blueprint.get("/<sheet_id>")
def sheet(sheet_id: str) -> ResponseReturnValue:
    """One sheet in English; options are given as in `?hand_size=9`."""
    resolved, problem = _resolved(sheet_id)
    return SheetPage(
        sheet=explain(resolved.sheet, resolved.options),
        ranks=resolved.sheet.pack.ranks,
        problem=problem,
    ).render()


@blueprint.get("/<sheet_id>.json")
def sheet_json(sheet_id: str) -> ResponseReturnValue:
    """One sheet in English, as data."""
    resolved, problem = _resolved(sheet_id)
    if problem:
        abort(400, problem)
    return json_response(explain(resolved.sheet, resolved.options))


def _resolved(sheet_id: str) -> tuple[Resolved, str]:
    """The sheet with the options asked for, or as it stands and why they cannot be."""
    try:
        sheet = get(sheet_id)
    except RulesError:
        abort(404)
    given = [f"{name}={value}" for name, value in request.args.items() if value]
    try:
        return apply_options(sheet, read_options(sheet, given)), ""
    except RulesError as error:
        return apply_options(sheet, {}), str(error)
