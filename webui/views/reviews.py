"""Reviews: what should have been played in a game, and what the numbers mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import abort, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue

from analyzer.review import WIDTHS, stored
from analyzer.review.annotation_words import (
    Mistake,
    SeatSum,
    best_moves,
    describe_decision,
    describe_line,
    mistakes,
    seat_sums,
)
from analyzer.review.annotator import (
    ANNOTATION_VERSION,
    AnalysisTerms,
    Annotation,
    annotate,
    annotation_schema,
)
from analyzer.review.deep_review import (
    ACCURACY_WORDS,
    BLUNDER_FACTOR,
    DEFINITIONS,
    ERRORS_TO_TELL,
    HABITS,
    DeepReviewTerms,
    worlds_of_width,
)
from analyzer.review.deep_review_words import turning_point_remarks
from analyzer.review.last_stock_trick import describe_reasons
from analyzer.review.narrative import narrate_game
from analyzer.review.reviewer import MOST_DEALS_AT_ONCE
from analyzer.review.stored import load_deep_review
from analyzer.store.store import StoredGame
from records.phrases import join_words
from records.record import Record
from records.rules.vocabulary import RuleSheet
from webui.replay.review import BEST_LINE_PLIES, DealReview, review_deal, with_least_loss
from webui.replay.weighed_deals import (
    ProvisionalReview,
    WeighedGame,
    grade_review,
    list_found,
    weigh_game,
)
from webui.server.access import is_requester, may, requester
from webui.server.actions import Action
from webui.server.client import client_address
from webui.server.game_jobs import (
    GameJob,
    GameJobProgress,
    WeighingProgress,
    describe_rollouts,
    describe_weighing,
)
from webui.server.page import Page, Views
from webui.server.request_kinds import PAGES, REVIEWS
from webui.server.responses import is_scripted, json_response
from webui.views import game_cache, processes_on_call, rollout_queue, store, weighing_queue
from webui.views.deals import requested_least_loss

PAGE_ANALYSIS_TERMS = AnalysisTerms(positions=8_000)
"""The terms of a review made for a page: few enough positions that the page comes in a moment."""
MOST_MISTAKES_LISTED = 200
"""The most mistakes listed, the costliest first; a deal has dozens at most."""
ROLLOUT_CHOICES = (20, 50, 200)
"""The numbers of roll-outs on offer; they take seconds, or minutes in games of many packs."""
MOST_BETTER_CARDS = 3
"""The most better cards drawn beside a mistake."""
blueprint = Views("reviews", __name__)


def load_or_make_annotation(digest: str) -> Annotation:
    """The annotation of a stored game, made and stored on first request."""
    record = game_cache().game(digest).record
    return stored.load_annotation(store(), digest) or stored.annotate_stored_game(
        store(), digest, PAGE_ANALYSIS_TERMS, record=record, make=make_annotation
    )


def make_annotation(record: Record, **how: Any) -> Annotation:
    """What `annotate` says, made in a process on call: it takes so long that other pages would wait for it."""
    return processes_on_call().call(annotate, record, **how)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPart(Page):
    """What a deep review under way has found, None where none is under way; `least` is what makes a mistake, in points."""

    template = "reviews/_found.html"
    digest: str
    least: int
    found: ProvisionalReview | None


@dataclass(frozen=True, slots=True)
class ReviewedDeal:
    """A deal in the list of a review."""

    number: int
    review: DealReview


@dataclass(frozen=True, slots=True)
class MistakeLine:
    """A mistake on the page of a review; deals count from 1, `step` is the step before the mistake.

    `did` is the card played, `better` are cards that would have lost nothing; empty if no card was played. So many
    `more` would have lost nothing either.
    """

    deal: int
    step: int
    say: str
    line: str
    did: str
    better: list[str]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPage(Page):
    """The review of a game: a summary, the costliest mistakes, deal by deal.

    `least_loss` is what makes a mistake, in points, None if the address leaves that to the annotation;
    `rollout_choices` are the numbers of roll-outs on offer, `rollout_progress` tells of those under way, and
    `may_stop` whether the reader may stop them. Likewise `weighing_widths` are the numbers of worlds by name,
    `weighing_progress` tells of a deep review under way, `found` what it has found so far, and `may_stop_weighing`
    whether the reader may stop it. `weighed` is the deep review, if there is one. Nothing new can be stored in a
    `read_only` collection.
    """

    template = "reviews/review.html"
    game: StoredGame
    sheet: RuleSheet
    scores: Sequence[int | None]
    winner: int | None
    annotation: Annotation
    seat_sums: Sequence[SeatSum]
    worst_mistakes: Sequence[MistakeLine]
    deals: Sequence[ReviewedDeal]
    least_loss: int | None
    rollout_choices: Sequence[int]
    rollout_progress: GameJobProgress | None
    may_stop: bool
    weighed: WeighedGame | None
    weighing_widths: Mapping[str, int]
    weighing_progress: WeighingProgress | None
    found: FoundPart
    may_stop_weighing: bool
    read_only: bool

    @property
    def has_luck(self) -> bool:
        """Whether luck could be estimated in some deal."""
        return any(deal.luck is not None for deal in self.annotation.deals)


def _review_data(digest: str) -> object:
    """The annotation of a game."""
    least = requested_least_loss()
    return with_least_loss(load_or_make_annotation(digest), least)


@blueprint.page("/games/<digest>/review", Action.READ, REVIEWS, data=_review_data)
def review(digest: str) -> ReviewPage:
    """The review of a game."""
    game = game_cache().game(digest)
    least = requested_least_loss()
    annotation = with_least_loss(load_or_make_annotation(digest), least)
    deals, deep = game.record.deals, load_deep_review(store(), game.digest)
    reviewed = [
        (each.deal, review_deal(annotation, each.deal, deals[each.deal].events, deep))
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
        may_stop=_may_stop(rollout_queue().job(game.digest)),
        weighed=weigh_game(deep, annotation.terms.least) if deep else None,
        weighing_widths={width: worlds_of_width(width, game.resolved.sheet) for width in WIDTHS},
        weighing_progress=weighing_progress(digest),
        found=_found_part(game.digest, annotation.terms.least),
        may_stop_weighing=_may_stop(weighing_queue().job(game.digest)),
        read_only=store().read_only,
    )


@blueprint.address("/games/<digest>/review/luck", Action.ROLL_OUT, PAGES, method="POST")
def start_rollouts(digest: str) -> ResponseReturnValue:
    """Start estimating luck and skill in a game."""
    game = game_cache().game(digest)
    rollouts = request.form.get("rollouts", type=int)
    if rollouts not in ROLLOUT_CHOICES:
        abort(400, "Choose 20, 50 or 200 roll-outs.")
    rollout_queue().start(game.digest, rollouts, requester(), client_address())
    return _back_to(digest)


@blueprint.address("/games/<digest>/review/luck/stop", Action.ROLL_OUT, PAGES, method="POST")
def stop_rollouts(digest: str) -> ResponseReturnValue:
    """Stop the roll-outs of a game, for whoever started them, or for the admin; nothing of them is kept."""
    if not _may_stop(rollout_queue().job(digest)):
        abort(403, "Others started these roll-outs. Only they, or the admin, can stop them.")
    rollout_queue().stop(digest)
    return _back_to(digest)


@blueprint.address("/games/<digest>/review/weighing", Action.ROLL_OUT, PAGES, method="POST")
def start_weighing(digest: str) -> ResponseReturnValue:
    """Start weighing every choice of a game."""
    game = game_cache().game(digest)
    width = next((each for each in WIDTHS if each == request.form.get("width")), None)
    if width is None:
        abort(400, f"Choose a width: {join_words(WIDTHS, 'or')}.")
    least = requested_least_loss() or PAGE_ANALYSIS_TERMS.least
    terms = DeepReviewTerms(worlds=worlds_of_width(width, game.resolved.sheet), least=least)
    weighing_queue().start(game.digest, terms, requester(), client_address())
    return _back_to(digest, "choices")


@blueprint.address("/games/<digest>/review/weighing/stop", Action.ROLL_OUT, PAGES, method="POST")
def stop_weighing(digest: str) -> ResponseReturnValue:
    """Stop weighing the choices of a game, for whoever started it, or for the admin; nothing of it is kept."""
    if not _may_stop(weighing_queue().job(digest)):
        abort(403, "Others started this. Only they, or the admin, can stop it.")
    weighing_queue().stop(digest)
    return _back_to(digest, "choices")


@blueprint.address("/games/<digest>/review/weighing.json", Action.READ, PAGES)
def weighing_json(digest: str) -> ResponseReturnValue:
    """The progress of the deep review last requested for a game."""
    return json_response(weighing_progress(digest) or abort(404))


@blueprint.address("/games/<digest>/review/weighing/found", Action.READ, PAGES)
def weighing_found(digest: str) -> ResponseReturnValue:
    """What the deep review under way has found so far, for the script of the page; whoever else asks is led there."""
    if not is_scripted():
        return _back_to(digest, "choices")
    least = requested_least_loss() or PAGE_ANALYSIS_TERMS.least
    part = _found_part(game_cache().game(digest).digest, least)
    if part.found is None:
        abort(404, "The choices of this game are not being weighed.")
    return part.render()


def _found_part(digest: str, least: int) -> FoundPart:
    job = weighing_queue().job(digest)
    work = job.work if job else None
    return FoundPart(
        digest=digest, least=least, found=list_found(work.review(), least) if work else None
    )


@blueprint.address("/games/<digest>/review/choices.json", Action.READ, PAGES)
def choices_json(digest: str) -> ResponseReturnValue:
    """The deep review of a game: every choice weighed, graded by the limit in the address."""
    deep = load_deep_review(store(), game_cache().game(digest).digest)
    if deep is None:
        abort(404, "The choices of this game have not been weighed.")
    return json_response(grade_review(deep, requested_least_loss()))


def _may_stop(job: GameJob | None) -> bool:
    """Whether a job is the requester's own, or everybody's are theirs to stop."""
    return job is None or is_requester(job.starter) or may("stop-all-rollouts")


@blueprint.address("/games/<digest>/review/luck.json", Action.READ, PAGES)
def luck_json(digest: str) -> ResponseReturnValue:
    """The progress of the roll-outs last requested for a game."""
    return json_response(rollout_progress(digest) or abort(404))


def _back_to(digest: str, section: str = "luck") -> ResponseReturnValue:
    """Redirect to a section of the review, with the same limit for mistakes."""
    least = requested_least_loss()
    address = url_for("reviews.review", digest=digest, least=least, _anchor=section)
    return redirect(address, 303)


def rollout_progress(digest: str) -> GameJobProgress | None:
    """The progress of the roll-outs last requested for a game; None if there were none."""
    job = rollout_queue().job(game_cache().game(digest).digest)
    return None if job is None else describe_rollouts(job, rollout_queue().jobs_before(job))


def weighing_progress(digest: str) -> WeighingProgress | None:
    """The progress of the deep review last requested for a game; None if there was none."""
    job = weighing_queue().job(game_cache().game(digest).digest)
    return None if job is None else describe_weighing(job, weighing_queue().jobs_before(job))


@blueprint.address("/games/<digest>/review.txt", Action.READ, REVIEWS)
def review_text(digest: str) -> ResponseReturnValue:
    """The annotated game as text, with the turning points where its choices were weighed."""
    least = requested_least_loss()
    annotation = with_least_loss(load_or_make_annotation(digest), least)
    game = game_cache().game(digest)
    deep = load_deep_review(store(), game.digest)
    remarks = turning_point_remarks(grade_review(deep, annotation.terms.least)) if deep else {}
    text = "\n\n".join(narrate_game(game.record, annotation, remarks)) + "\n"
    return current_app.response_class(text, mimetype="text/plain")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewHelpPage(Page):
    """What the numbers of a review mean; `habits` are their definitions, by their words."""

    template = "reviews/explained.html"
    version: str
    positions: int
    least_loss: int
    reasons_without_value: Mapping[str, str]
    blunder_factor: int
    errors_to_tell: int
    deals_at_once: int
    accuracy_words: str
    habits: Mapping[str, str]

    @property
    def data(self) -> object:
        """The version of the analysis, its limits, the schema of an annotation, and why a card may have no value."""
        return {
            "version": self.version,
            "schema": annotation_schema(),
            "brink_gaps": self.reasons_without_value,
            "positions": self.positions,
            "least": self.least_loss,
        }


@blueprint.page("/reviews", Action.LOOK, PAGES)
def help_page() -> ReviewHelpPage:
    """What the numbers of a review mean."""
    return ReviewHelpPage(
        version=ANNOTATION_VERSION,
        positions=PAGE_ANALYSIS_TERMS.positions,
        least_loss=PAGE_ANALYSIS_TERMS.least,
        reasons_without_value=describe_reasons(),
        blunder_factor=round(BLUNDER_FACTOR),
        errors_to_tell=round(ERRORS_TO_TELL),
        deals_at_once=MOST_DEALS_AT_ONCE,
        accuracy_words=ACCURACY_WORDS.format(least=PAGE_ANALYSIS_TERMS.least),
        habits={words: DEFINITIONS[habit] for habit, (_, words) in HABITS.items()},
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
