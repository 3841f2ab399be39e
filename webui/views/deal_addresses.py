"""The addresses of deals: the same views for every place that games come from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from flask import Response, current_app

from webui.server.actions import Action
from webui.server.game_cache import OpenedGame
from webui.server.page import Views
from webui.server.request_kinds import ANIMATIONS, PAGES, PREVIEWS, REPLAYS, REVIEWS, RequestKind
from webui.server.responses import allow_framing
from webui.views import deals, game_cache, study_forms, what_if


class DealView(NamedTuple):
    """A view of a deal of any game: what follows the address of the deal, and what answers there.

    It costs what a view of its source does, if nothing else. `elsewhere` is said of it for games in no collection; what
    has `data` for programs is a page.
    """

    ending: str
    answer: Callable[[OpenedGame, int], Any]
    cost: RequestKind | None = None
    elsewhere: str = ""
    data: Callable[[OpenedGame, int], object] | None = None


EVERYWHERE = (
    DealView(
        "", deals.replay, elsewhere="All visible steps of a deal of {game}.", data=deals.replay_data
    ),
    DealView(
        "/what-if",
        what_if.what_if,
        elsewhere="A deal of {game} with a line: the table, and every legal choice.",
        data=what_if.what_if_data,
    ),
    DealView("/what-if/values", what_if.search_values, REVIEWS),
    DealView(
        "/what-if/record.json",
        what_if.record,
        elsewhere="{record} with the line added to its `lines`, checked.",
    ),
)
REVIEW = DealView("/review", deals.review, REVIEWS)
PICTURES = (
    DealView(".svg", deals.replay_picture, elsewhere="A step of {game} as a picture."),
    DealView(".png", deals.replay_preview, PREVIEWS, "A step of {game} as a preview picture."),
    DealView(".gif", deals.replay_gif, ANIMATIONS, "A part of {game} as an animation."),
    DealView(".webp", deals.replay_webp, ANIMATIONS, "A part of {game} as an animation."),
    DealView(
        "/animation.json",
        deals.animation_progress,
        PAGES,
        "The progress of an animation of {game}.",
    ),
    DealView(
        "/what-if.png",
        what_if.what_if_preview,
        PREVIEWS,
        "A deal of {game} with a line: the table as a preview picture.",
    ),
)
TEXT = DealView(".txt", deals.replay_text)
STUDY = DealView(
    "/study",
    study_forms.add_to_study,
    elsewhere="A position of {game} as a moment of a study.",
    data=study_forms.offered_moment,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DealSource:
    """A place that games come from: the blueprint of its views, the address of a deal, and what opens a game there.

    `open_deal` gets the parts of the address, and returns the game and the number of the deal, from 1. `words` name a
    game from there, and its record, where that is in no collection.
    """

    blueprint: Views
    address: str
    open_deal: Callable[..., tuple[OpenedGame, int]]
    action: Action
    cost: RequestKind
    words: Mapping[str, str] = field(default_factory=dict)

    def declare(self, *views: DealView, about_query: bool = False) -> None:
        """Declare the pages of a deal, what belongs to their lines, and further views."""
        for view in (*EVERYWHERE, *views):
            address, cost = self.address + view.ending, view.cost or self.cost
            if view.data is None:
                declare = self.blueprint.address(address, self.action, cost)
                declare(self._view(view.answer, view.elsewhere))
                continue
            data = self._view(view.data, view.elsewhere)
            declare = self.blueprint.page(
                address, self.action, cost, data=data, about_query=about_query
            )
            declare(self._view(view.answer))

    def _view(self, answer: Callable[[OpenedGame, int], Any], elsewhere: str = "") -> Any:
        def view(**parts: Any) -> Any:
            return answer(*self.open_deal(**parts))

        view.__name__ = answer.__name__
        view.__qualname__ = f"{self.blueprint.name}.{answer.__name__}"
        view.__doc__ = elsewhere.format(**self.words) if self.words else answer.__doc__
        return view


def open_stored(digest: str, deal: int) -> tuple[OpenedGame, int]:
    """A stored game, and the number of one of its deals."""
    return game_cache().game(digest), deal


STORED_DEALS = DealSource(
    blueprint=Views("deals", __name__),
    address="/games/<digest>/deals/<int:deal>",
    open_deal=open_stored,
    action=Action.READ,
    cost=REPLAYS,
)
STORED_DEALS.declare(TEXT, STUDY, *PICTURES)

embed_blueprint = Views("embed", __name__)


def _embedded_data(digest: str, deal: int) -> Response:
    """All visible steps of a deal."""
    return deals.replay_data(*open_stored(digest, deal))


@embed_blueprint.page(
    "/embed/games/<digest>/deals/<int:deal>", Action.READ, REPLAYS, data=_embedded_data
)
def replay(digest: str, deal: int) -> Response:
    """The replay of a deal alone, for a frame in another page: the only pages that others may frame."""
    page = deals.replay_page(deals.EmbedPage, *open_stored(digest, deal))
    return allow_framing(current_app.make_response(page.render()))
