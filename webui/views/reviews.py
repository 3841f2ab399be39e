"""Reviews: what should have been played in a game, and what the numbers mean."""

from functools import partial
from typing import Any

from flask import Blueprint, abort, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue

from analyzer.annotate import stored_annotations
from analyzer.annotate.annotation import (
    ANNOTATION_VERSION,
    AnalysisTerms,
    Annotation,
    annotation_schema,
)
from analyzer.annotate.annotator import annotate
from analyzer.annotate.last_stock_trick import describe_reasons
from analyzer.annotate.narrative import narrate_game
from analyzer.annotate.summary import Mistake, mistakes, seat_sums
from analyzer.annotate.words import best_moves, describe_decision, describe_line
from records.record import Record
from webui.access.gate import is_requester, may, requester
from webui.http.client import client_address
from webui.http.responses import json_response
from webui.jobs.progress import RolloutProgress, describe_rollouts
from webui.pages.reviews import MistakeLine, ReviewedDeal, ReviewHelpPage, ReviewPage
from webui.replay.review import BEST_LINE_PLIES, review_deal, with_least_loss
from webui.views import game_cache, processes_on_call, rollout_queue, store
from webui.views.deals import requested_least_loss

PAGE_ANALYSIS_TERMS = AnalysisTerms(positions=8_000)
"""The terms of a review made for a page: few enough positions that the page comes in a moment."""
MOST_MISTAKES_LISTED = 200
"""The most mistakes listed, the costliest first; a deal has dozens at most."""
ROLLOUT_CHOICES = (20, 50, 200)
"""The numbers of roll-outs on offer; they take seconds, or minutes in games of many packs."""
MOST_BETTER_CARDS = 3
"""The most better cards drawn beside a mistake."""
blueprint = Blueprint("reviews", __name__)


def load_or_make_annotation(digest: str) -> Annotation:
    """The annotation of a stored game, made and stored on first request."""
    record = game_cache().game(digest).record
    return stored_annotations.load_annotation(
        store(), digest
    ) or stored_annotations.annotate_stored_game(
        store(), digest, PAGE_ANALYSIS_TERMS, record=record, make=make_annotation
    )


def make_annotation(record: Record, **how: Any) -> Annotation:
    """What `annotate` says, made in a process on call: it takes so long that other pages would wait for it."""
    return processes_on_call().call(annotate, record, **how)


@blueprint.get("/games/<digest>/review")
def review(digest: str) -> ResponseReturnValue:
    """The review of a game."""
    game = game_cache().game(digest)
    least = requested_least_loss()
    annotation = with_least_loss(load_or_make_annotation(digest), least)
    deals = game.record.deals
    reviewed = [
        (each.deal, review_deal(annotation, each.deal, deals[each.deal].events))
        for each in annotation.deals
    ]
    return ReviewPage(
        game=game.stored,
        sheet=game.resolved.sheet,
        scores=game.stored.scores,
        winner=game.stored.winner,
        annotation=annotation,
        seat_sums=seat_sums(annotation),
        worst_mistakes=list(
            map(partial(_mistake_line, annotation), mistakes(annotation)[:MOST_MISTAKES_LISTED])
        ),
        deals=[ReviewedDeal(number + 1, each) for number, each in reviewed if each],
        least_loss=least,
        rollout_choices=ROLLOUT_CHOICES,
        rollout_progress=rollout_progress(digest),
        may_stop=_may_stop(digest),
    ).render()


@blueprint.post("/games/<digest>/review/luck")
def start_rollouts(digest: str) -> ResponseReturnValue:
    """Start estimating luck and skill in a game."""
    game = game_cache().game(digest)
    rollouts = request.form.get("rollouts", type=int)
    if rollouts not in ROLLOUT_CHOICES:
        abort(400, "Choose 20, 50 or 200 roll-outs.")
    rollout_queue().start(game.digest, rollouts, requester(), client_address())
    return _back_to(digest)


@blueprint.post("/games/<digest>/review/luck/stop")
def stop_rollouts(digest: str) -> ResponseReturnValue:
    """Stop the roll-outs of a game, for whoever started them, or for the admin; nothing of them is kept."""
    if not _may_stop(digest):
        abort(403, "Others started these roll-outs. Only they, or the admin, can stop them.")
    rollout_queue().stop(digest)
    return _back_to(digest)


def _may_stop(digest: str) -> bool:
    """Whether the roll-outs of a game are the requester's own, or everybody's are theirs to stop."""
    job = rollout_queue().job(digest)
    return job is None or is_requester(job.starter) or may("stop-all-rollouts")


@blueprint.get("/games/<digest>/review/luck.json")
def luck_json(digest: str) -> ResponseReturnValue:
    """The progress of the roll-outs last requested for a game."""
    return json_response(rollout_progress(digest) or abort(404))


def _back_to(digest: str) -> ResponseReturnValue:
    """Redirect to the section on luck of the review, with the same limit for mistakes."""
    address = url_for("reviews.review", digest=digest, least=requested_least_loss(), _anchor="luck")
    return redirect(address, 303)


def rollout_progress(digest: str) -> RolloutProgress | None:
    """The progress of the roll-outs last requested for a game; None if there were none."""
    job = rollout_queue().job(game_cache().game(digest).digest)
    return None if job is None else describe_rollouts(job, rollout_queue().jobs_before(job))


@blueprint.get("/games/<digest>/review.json")
def review_json(digest: str) -> ResponseReturnValue:
    """The annotation of a game."""
    least = requested_least_loss()
    return json_response(with_least_loss(load_or_make_annotation(digest), least))


@blueprint.get("/games/<digest>/review.txt")
def review_text(digest: str) -> ResponseReturnValue:
    """The annotated game as text."""
    least = requested_least_loss()
    annotation = with_least_loss(load_or_make_annotation(digest), least)
    text = "\n\n".join(narrate_game(game_cache().game(digest).record, annotation)) + "\n"
    return current_app.response_class(text, mimetype="text/plain")


@blueprint.get("/reviews")
def help_page() -> ResponseReturnValue:
    """What the numbers of a review mean."""
    return ReviewHelpPage(
        version=ANNOTATION_VERSION,
        positions=PAGE_ANALYSIS_TERMS.positions,
        least_loss=PAGE_ANALYSIS_TERMS.least,
        reasons_without_value=describe_reasons(),
    ).render()


@blueprint.get("/reviews.json")
def help_json() -> ResponseReturnValue:
    """The version of the analysis, its limits, the schema of an annotation, and why a card may have no value."""
    return json_response(
        {
            "version": ANNOTATION_VERSION,
            "schema": annotation_schema(),
            "brink_gaps": describe_reasons(),
            "positions": PAGE_ANALYSIS_TERMS.positions,
            "least": PAGE_ANALYSIS_TERMS.least,
        }
    )


def _mistake_line(annotation: Annotation, worst: Mistake) -> MistakeLine:
    choice = worst.choice
    better = list(dict.fromkeys(way.ply.card for way in best_moves(choice) if way.ply.card))
    return MistakeLine(
        deal=worst.deal + 1,
        step=choice.event,
        say=describe_decision(choice, annotation.names),
        line=describe_line(choice.line, annotation.names, BEST_LINE_PLIES),
        did=choice.did.card or "",
        better=better[:MOST_BETTER_CARDS],
        more=len(better[MOST_BETTER_CARDS:]),
    )
