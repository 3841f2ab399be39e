"""The example games: shown like stored ones on every server, whatever it has stored."""

from flask import Blueprint, current_app
from flask.typing import ResponseReturnValue

from records import codec
from webui.http.responses import attachment
from webui.lessons.guided_games import guided_example
from webui.pages.deals import ReplayPage
from webui.views import deals
from webui.views import what_if as what_if_pages

blueprint = Blueprint("examples", __name__, url_prefix="/examples/<game>")


@blueprint.get("/record.json")
def original(game: str) -> ResponseReturnValue:
    """The record of an example."""
    return attachment(codec.encode(guided_example(game).record), f"{game}.json")


@blueprint.get("/deals/<int:deal>")
def replay(game: str, deal: int) -> ResponseReturnValue:
    """A deal of an example."""
    return deals.replay_page(ReplayPage, guided_example(game), deal).render()


@blueprint.get("/deals/<int:deal>.json")
def replay_json(game: str, deal: int) -> ResponseReturnValue:
    """All visible steps of a deal of an example."""
    return deals.deal_response(guided_example(game), deal)


@blueprint.get("/deals/<int:deal>.svg")
def replay_picture(game: str, deal: int) -> ResponseReturnValue:
    """A step of an example as a picture."""
    return current_app.response_class(
        deals.step_picture(guided_example(game), deal), mimetype="image/svg+xml"
    )


@blueprint.get("/deals/<int:deal>.png")
def replay_preview(game: str, deal: int) -> ResponseReturnValue:
    """A step of an example as a preview picture."""
    return deals.preview_response(guided_example(game), deal)


@blueprint.get("/deals/<int:deal>/review")
def review(game: str, deal: int) -> ResponseReturnValue:
    """Review an example; leads back to the deal."""
    return deals.review_and_return(guided_example(game), deal)


@blueprint.get("/deals/<int:deal>/what-if")
def what_if(game: str, deal: int) -> ResponseReturnValue:
    """What if, for a deal of an example."""
    return what_if_pages.what_if_page(guided_example(game), deal).render()


@blueprint.get("/deals/<int:deal>/what-if.json")
def what_if_json(game: str, deal: int) -> ResponseReturnValue:
    """A deal of an example with a line: the table, and every legal choice."""
    return what_if_pages.what_if_data(guided_example(game), deal)


@blueprint.get("/deals/<int:deal>/what-if.png")
def what_if_preview(game: str, deal: int) -> ResponseReturnValue:
    """A deal of an example with a line: the table as a preview picture."""
    return what_if_pages.line_preview(guided_example(game), deal)


@blueprint.get("/deals/<int:deal>/what-if/values")
def search_values(game: str, deal: int) -> ResponseReturnValue:
    """Search longer for the values of a line; leads back to its page."""
    return what_if_pages.search_and_return(guided_example(game), deal)


@blueprint.get("/deals/<int:deal>/what-if/record.json")
def record(game: str, deal: int) -> ResponseReturnValue:
    """The record of an example with the line added to its `lines`, checked."""
    return what_if_pages.record_with_line(guided_example(game), deal)
