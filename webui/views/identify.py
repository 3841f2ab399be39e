"""Doubts about a game: by which rules it was played, and what an illegal one may have meant."""

from functools import lru_cache
from time import monotonic

from flask import Blueprint
from flask.typing import ResponseReturnValue

from analyzer.identify.corrections import Suggestion, did_you_mean
from analyzer.identify.matching_rules import Candidate, which_rules
from webui.games.cache import Book
from webui.http.responses import json_response
from webui.pages import DoubtsPage
from webui.views import shelf

KEPT = 64
SECONDS = 5
"""A page searches so long for rules, and as long for what was meant; the command line takes its time."""
blueprint = Blueprint("identify", __name__)


@blueprint.get("/games/<digest>/doubts")
def identify(digest: str) -> ResponseReturnValue:
    """The rulebooks that accept a game, what differs by the others, and what may have been meant."""
    book = shelf().book(digest)
    found, meant = answers(book)
    return DoubtsPage(
        game=book.game,
        names=[player.name for player in book.record.players],
        accepted=[each for each in found if each.accepted],
        others=[each for each in found if not each.accepted],
        meant=meant,
    ).render()


@blueprint.get("/games/<digest>/doubts.json")
def identify_json(digest: str) -> ResponseReturnValue:
    """The same as data."""
    found, meant = answers(shelf().book(digest))
    return json_response({"rules": found, "did_you_mean": meant})


@lru_cache(KEPT)
def answers(book: Book) -> tuple[list[Candidate], list[Suggestion]]:
    """What a game fits, and what it may have meant if it is illegal; kept at hand."""
    until = monotonic() + SECONDS
    return which_rules(book.record, until=until), did_you_mean(
        book.record, book.resolved, until=until + SECONDS
    )
