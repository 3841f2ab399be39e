"""The example games: shown like stored ones on every server, whatever it has stored."""

from flask import current_app
from flask.typing import ResponseReturnValue

from records import codec
from webui.access.actions import Action
from webui.http.page import Views
from webui.http.request_kinds import PAGES, PREVIEWS, REPLAYS, REVIEWS
from webui.http.responses import attachment
from webui.lessons.guided_games import guided_example
from webui.views import deals
from webui.views import what_if as what_if_pages
from webui.views.deals import ReplayPage

blueprint = Views("examples", __name__)


@blueprint.address("/examples/<game>/record.json", Action.LOOK, PAGES)
def original(game: str) -> ResponseReturnValue:
    """The record of an example."""
    return attachment(codec.encode(guided_example(game).record), f"{game}.json")


@blueprint.address("/examples/<game>/deals/<int:deal>", Action.LOOK, REPLAYS)
def replay(game: str, deal: int) -> ResponseReturnValue:
    """A deal of an example."""
    return deals.replay_page(ReplayPage, guided_example(game), deal).render()


@blueprint.address("/examples/<game>/deals/<int:deal>.json", Action.LOOK, REPLAYS)
def replay_json(game: str, deal: int) -> ResponseReturnValue:
    """All visible steps of a deal of an example."""
    return deals.deal_response(guided_example(game), deal)


@blueprint.address("/examples/<game>/deals/<int:deal>.svg", Action.LOOK, REPLAYS)
def replay_picture(game: str, deal: int) -> ResponseReturnValue:
    """A step of an example as a picture."""
    return current_app.response_class(
        deals.step_picture(guided_example(game), deal), mimetype="image/svg+xml"
    )


@blueprint.address("/examples/<game>/deals/<int:deal>.png", Action.LOOK, PREVIEWS)
def replay_preview(game: str, deal: int) -> ResponseReturnValue:
    """A step of an example as a preview picture."""
    return deals.preview_response(guided_example(game), deal)


@blueprint.address("/examples/<game>/deals/<int:deal>/review", Action.LOOK, REVIEWS)
def review(game: str, deal: int) -> ResponseReturnValue:
    """Review an example; leads back to the deal."""
    return deals.review_and_return(guided_example(game), deal)


@blueprint.address("/examples/<game>/deals/<int:deal>/what-if", Action.LOOK, REPLAYS)
def what_if(game: str, deal: int) -> ResponseReturnValue:
    """What if, for a deal of an example."""
    return what_if_pages.what_if_page(guided_example(game), deal).render()


@blueprint.address("/examples/<game>/deals/<int:deal>/what-if.json", Action.LOOK, REPLAYS)
def what_if_json(game: str, deal: int) -> ResponseReturnValue:
    """A deal of an example with a line: the table, and every legal choice."""
    return what_if_pages.what_if_data(guided_example(game), deal)


@blueprint.address("/examples/<game>/deals/<int:deal>/what-if.png", Action.LOOK, PREVIEWS)
def what_if_preview(game: str, deal: int) -> ResponseReturnValue:
    """A deal of an example with a line: the table as a preview picture."""
    return what_if_pages.line_preview(guided_example(game), deal)


@blueprint.address("/examples/<game>/deals/<int:deal>/what-if/values", Action.LOOK, REVIEWS)
def search_values(game: str, deal: int) -> ResponseReturnValue:
    """Search longer for the values of a line; leads back to its page."""
    return what_if_pages.search_and_return(guided_example(game), deal)


@blueprint.address("/examples/<game>/deals/<int:deal>/what-if/record.json", Action.LOOK, REPLAYS)
def record(game: str, deal: int) -> ResponseReturnValue:
    """The record of an example with the line added to its `lines`, checked."""
    return what_if_pages.record_with_line(guided_example(game), deal)
