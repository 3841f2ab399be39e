"""Reviews: what should have been played in a game, and what the numbers mean."""

from functools import partial

from flask import Blueprint, abort, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue

from analyzer.annotate import stored_annotations
from analyzer.annotate.annotation import VERSION, Annotation, Terms
from analyzer.annotate.narrative import literate
from analyzer.annotate.summary import Worst, mistakes, seat_sums
from analyzer.annotate.words import best_ways, choice_words, line_words
from webui.http.responses import json_response
from webui.jobs.progress import RollingTold, rolling_told
from webui.pages import ReviewedDeal, ReviewPage, ReviewsPage, WorstLine
from webui.replay.review import AHEAD, held_to, review_of
from webui.views import rollings, shelf, store
from webui.views.deals import asked_least

TERMS = Terms(positions=8_000)
"""What a review made for a page is asked for: it must be there in a moment."""
MOST = 5
"""So many of the worst mistakes are shown on top."""
ROLLOUTS = (20, 50, 200)
"""So many roll-outs can be asked for; as many as take seconds, or minutes where there are many packs."""
BETTER = 3
"""So many cards that were better are drawn."""
blueprint = Blueprint("reviews", __name__)


def annotation(digest: str) -> Annotation:
    """The annotation of a stored game; made and kept the first time it is asked for."""
    shelf().book(digest)
    return stored_annotations.kept(store(), digest) or stored_annotations.make(
        store(), digest, TERMS
    )


@blueprint.get("/games/<digest>/review")
def review(digest: str) -> ResponseReturnValue:
    """The review of a game."""
    book = shelf().book(digest)
    least = asked_least()
    notes = held_to(annotation(digest), least)
    deals = book.record.deals
    reviewed = [
        (each.deal, review_of(notes, each.deal, deals[each.deal].events)) for each in notes.deals
    ]
    return ReviewPage(
        game=book.game,
        sheet=book.resolved.sheet,
        scores=book.report.scores or [],
        winner=book.report.winner,
        notes=notes,
        sums=seat_sums(notes),
        worst=list(map(partial(_worst, notes), mistakes(notes)[:MOST])),
        deals=[ReviewedDeal(number + 1, each) for number, each in reviewed if each],
        asked=least,
        rollouts=ROLLOUTS,
        rolling=rolling_of(digest),
    ).render()


@blueprint.post("/games/<digest>/review/luck")
def ask_luck(digest: str) -> ResponseReturnValue:
    """Tell luck from skill in a game, behind the page."""
    book = shelf().book(digest)
    rollouts = request.form.get("rollouts", type=int)
    if rollouts not in ROLLOUTS:
        abort(400, "Ask for 20, 50 or 200 roll-outs.")
    rollings().ask(book.digest, rollouts)
    return _back_to(digest)


@blueprint.post("/games/<digest>/review/luck/stop")
def stop_luck(digest: str) -> ResponseReturnValue:
    """Stop that; nothing of it is kept."""
    rollings().stop(digest)
    return _back_to(digest)


@blueprint.get("/games/<digest>/review/luck.json")
def luck_json(digest: str) -> ResponseReturnValue:
    """How far the roll-outs of a game are that somebody asked for."""
    return json_response(rolling_of(digest) or abort(404))


def _back_to(digest: str) -> ResponseReturnValue:
    """To the review, at what it says of luck, by the limit it was asked for."""
    there = url_for("reviews.review", digest=digest, least=asked_least(), _anchor="luck")
    return redirect(there, 303)


def rolling_of(digest: str) -> RollingTold | None:
    """What is to be said of the roll-outs that were last asked for of a game."""
    rolling = rollings().of(shelf().book(digest).digest)
    return None if rolling is None else rolling_told(rolling, rollings().before(rolling))


@blueprint.get("/games/<digest>/review.json")
def review_json(digest: str) -> ResponseReturnValue:
    """The annotation of a game."""
    least = asked_least()
    return json_response(held_to(annotation(digest), least))


@blueprint.get("/games/<digest>/review.txt")
def review_text(digest: str) -> ResponseReturnValue:
    """The annotated game as a text to be read."""
    least = asked_least()
    notes = held_to(annotation(digest), least)
    text = "\n\n".join(literate(shelf().book(digest).record, notes)) + "\n"
    return current_app.response_class(text, mimetype="text/plain")


@blueprint.get("/reviews")
def explained() -> ResponseReturnValue:
    """What the numbers of a review mean."""
    return ReviewsPage(version=VERSION, positions=TERMS.positions, least=TERMS.least).render()


@blueprint.get("/reviews.json")
def explained_json() -> ResponseReturnValue:
    """The version of the analysis, the most positions of an ending that are solved, what a mistake loses."""
    return json_response({"version": VERSION, "positions": TERMS.positions, "least": TERMS.least})


def _worst(notes: Annotation, worst: Worst) -> WorstLine:
    choice = worst.choice
    return WorstLine(
        deal=worst.deal + 1,
        step=choice.event,
        say=choice_words(choice, notes.names),
        line=line_words(choice.line, notes.names, AHEAD),
        did=choice.did.card or "",
        better=[way.ply.card for way in best_ways(choice) if way.ply.card][:BETTER],
    )
