"""Reviews: what should have been played in a game, and what the numbers mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from flask import abort, request
from flask.typing import ResponseReturnValue

from analyzer.review import WIDTHS
from analyzer.review.annotation import annotation_of, annotation_schema
from analyzer.review.deep_review import (
    ACCURACY_WORDS,
    BLUNDER_FACTOR,
    DEFAULT_LEAST,
    DEFINITIONS,
    ERRORS_TO_TELL,
    HABITS,
    REVIEW_VERSION,
    GameReview,
    ReviewTerms,
    deep_review_of,
    worlds_of_width,
)
from analyzer.review.last_stock_trick import describe_reasons
from analyzer.review.narrative import narrate_game
from analyzer.review.review_sums import (
    SeatSum,
    count_mistakes,
    find_match_turns,
    list_costly_choices,
    seat_sums,
)
from analyzer.review.reviewer import MOST_DEALS_AT_ONCE
from analyzer.review.stored import EXACT_TERMS
from analyzer.store.store import StoredGame
from records.phrases import join_words
from records.rules.vocabulary import RuleSheet
from webui.replay.deal_reviews import DealReview, review_deal
from webui.replay.weighed_deals import (
    MOST_LISTED,
    CostlyLine,
    WeighedGame,
    costly_lines,
    decision_line,
    grade_review,
    weigh_game,
)
from webui.server.access import is_requester, may, requester
from webui.server.actions import Action
from webui.server.client import client_address
from webui.server.game_cache import CachedGame
from webui.server.game_jobs import (
    PATIENCE,
    GameJob,
    GameJobProgress,
    WeighingJob,
    WeighingProgress,
    describe_reading,
    describe_rollouts,
    describe_weighing,
)
from webui.server.page import Page, Views
from webui.server.request_kinds import PAGES, REVIEWS
from webui.server.responses import is_scripted, json_response, lead_to, text_response
from webui.views import game_cache, review_desk, rollout_queue, store, weighing_queue
from webui.views.deals import known_review, requested_least_loss

ROLLOUT_CHOICES = (20, 50, 200)
"""The numbers of roll-outs on offer; they take seconds, or minutes in games of many packs."""
PATIENCE_OF_PROGRAMS = 60.0
"""So many seconds a file waits for all that is exact."""
MOST_OPEN = 8
"""So many costly choices are shown at once, the costliest first; the others are folded away."""
blueprint = Views("reviews", __name__)


def whole_review(digest: str) -> GameReview:
    """The review of a stored game with all that is exact in it, made and stored on first request; it may take a while."""
    game = game_cache().game(digest)
    found = review_desk().open(game.digest, client_address(), PATIENCE_OF_PROGRAMS)
    if found.review is None or not (found.review.is_read or found.review.why_not):
        abort(503, found.reason or "This review is still being made. Ask again in a minute.")
    return game.rename_review(found.review)


class FoundPart(Page):
    """What a review has found: the counts, the turning points, and the choices that cost most, in one list.

    `counts` has for each seat the mistakes and the decisions that they are of. `lines` are the costliest, `more_lines` the
    next ones, and `unlisted` others have cost less still. `knows_chances` says that turning points go by the chance of
    winning. `goes_on` says that more may be found; `least_loss` is the limit that the address names.
    """

    template = "reviews/_found.html"
    digest: str
    review: GameReview
    game: StoredGame
    sheet: RuleSheet
    least_loss: int | None
    counts: Sequence[tuple[int, int]]
    seat_sums: Sequence[SeatSum]
    turning_points: Sequence[CostlyLine]
    knows_chances: bool
    lines: Sequence[CostlyLine]
    more_lines: Sequence[CostlyLine]
    unlisted: int
    goes_on: bool

    @property
    def is_whole(self) -> bool:
        """Whether every choice that can be weighed has been."""
        return self.review.is_weighed


@dataclass(frozen=True, slots=True)
class ReviewedDealPart:
    """A deal in the list of a review."""

    number: int
    review: DealReview


class ReviewPage(Page):
    """The review of a game: what cost most, deal by deal.

    `least_loss` is what makes a mistake, in points, None if the address leaves that to the review; `rollout_choices` are the
    numbers of roll-outs on offer, `rollout_progress` tells of those under way, and `may_stop` whether the reader may stop
    them. Likewise `weighing_widths` are the numbers of worlds by name, `progress` tells of the work on the review, and
    `may_stop_weighing` whether the reader may stop it. `found` is what it has found, None before the first deal is read, and
    `weighed` has the grades. Nothing new can be stored in a `read_only` collection.
    """

    template = "reviews/review.html"
    game: StoredGame
    sheet: RuleSheet
    names: Sequence[str]
    review: GameReview | None
    why_not: str
    found: FoundPart | None
    weighed: WeighedGame | None
    deals: Sequence[ReviewedDealPart]
    least: int
    least_loss: int | None
    rollout_choices = ROLLOUT_CHOICES
    rollout_progress: GameJobProgress | None
    may_stop: bool
    weighing_widths: Mapping[str, int]
    progress: WeighingProgress | None
    is_weighing: bool
    may_stop_weighing: bool
    read_only: bool

    @property
    def has_luck(self) -> bool:
        """Whether luck could be estimated in some deal."""
        deals = self.review.deals if self.review else ()
        return any(deal.luck is not None for deal in deals)


def _review_data(digest: str) -> object:
    """What is exact in a game, as an annotation."""
    least = requested_least_loss()
    return annotation_of(grade_review(whole_review(digest), least))


@blueprint.page("/games/<digest>/review", Action.READ, REVIEWS, data=_review_data)
def review(digest: str) -> ReviewPage:
    """The review of a game."""
    game = game_cache().game(digest)
    least = requested_least_loss()
    why_not = game.why_not_reviewed
    known = None if why_not else review_desk().open(game.digest, client_address(), PATIENCE).review
    graded = grade_review(game.rename_review(known), least or DEFAULT_LEAST) if known else None
    deals = game.record.deals
    reviewed = (
        [
            (each.deal + 1, review_deal(graded, each.deal, deals[each.deal].events))
            for each in graded.deals
        ]
        if graded
        else []
    )
    progress = review_progress(digest)
    return ReviewPage(
        game=game.stored,
        sheet=game.resolved.sheet,
        names=game.stored.names,
        review=graded,
        why_not=why_not,
        found=_found_part(game, graded, progress) if graded else None,
        weighed=weigh_game(graded, graded.terms.least) if graded and graded.is_weighed else None,
        deals=[ReviewedDealPart(number, each) for number, each in reviewed if each],
        least=least or DEFAULT_LEAST,
        least_loss=least,
        rollout_progress=rollout_progress(digest),
        may_stop=_may_stop(rollout_queue().job(game.digest)),
        weighing_widths={width: worlds_of_width(width, game.resolved.sheet) for width in WIDTHS},
        progress=progress,
        is_weighing=_is_weighing(game.digest),
        may_stop_weighing=_may_stop(weighing_queue().job(game.digest)),
        read_only=store().read_only,
    )


def _found_part(
    game: CachedGame, review: GameReview, progress: WeighingProgress | None
) -> FoundPart:
    least, names = review.terms.least, review.names
    costly = list_costly_choices(review, least)
    lines = costly_lines(costly[:MOST_LISTED], names, least)
    decisions = (each for deal in review.deals for each in deal.decisions)
    return FoundPart(
        digest=game.digest,
        review=review,
        game=game.stored,
        sheet=game.resolved.sheet,
        least_loss=requested_least_loss(),
        counts=count_mistakes(review, least),
        seat_sums=seat_sums(review),
        turning_points=[
            decision_line(deal, each, names, least)
            for deal, each in find_match_turns(review, least)
        ],
        knows_chances=any(each.choices[0].chance is not None for each in decisions),
        lines=lines[:MOST_OPEN],
        more_lines=lines[MOST_OPEN:],
        unlisted=len(costly) - len(lines),
        goes_on=progress is not None and progress.goes_on,
    )


@blueprint.form("/games/<digest>/review/luck", Action.ROLL_OUT, PAGES)
def start_rollouts(digest: str) -> ResponseReturnValue:
    """Start estimating luck and skill in a game."""
    game = game_cache().game(digest)
    rollouts = request.form.get("rollouts", type=int)
    if rollouts not in ROLLOUT_CHOICES:
        abort(400, "Choose 20, 50 or 200 simulations.")
    rollout_queue().start(game.digest, rollouts, requester(), client_address())
    return _back_to(digest)


@blueprint.form("/games/<digest>/review/luck/stop", Action.ROLL_OUT, PAGES)
def stop_rollouts(digest: str) -> ResponseReturnValue:
    """Stop the roll-outs of a game, for whoever started them, or for the admin; nothing of them is kept."""
    if not _may_stop(rollout_queue().job(digest)):
        abort(403, "Others started these simulations. Only they, or the admin, can stop them.")
    rollout_queue().stop(digest)
    return _back_to(digest)


@blueprint.form("/games/<digest>/review/weighing", Action.ROLL_OUT, PAGES)
def start_weighing(digest: str) -> ResponseReturnValue:
    """Start weighing every choice of a game."""
    game = game_cache().game(digest)
    width = next((each for each in WIDTHS if each == request.form.get("width")), None)
    if width is None:
        abort(400, f"Choose a width: {join_words(WIDTHS, 'or')}.")
    least = requested_least_loss() or DEFAULT_LEAST
    terms = ReviewTerms(worlds=worlds_of_width(width, game.resolved.sheet), least=least)
    weighing_queue().start(game.digest, terms, requester(), client_address())
    return _back_to(digest, "choices")


@blueprint.form("/games/<digest>/review/weighing/stop", Action.ROLL_OUT, PAGES)
def stop_weighing(digest: str) -> ResponseReturnValue:
    """Stop weighing the choices of a game, for whoever started it, or for the admin; nothing of it is kept."""
    if not _may_stop(weighing_queue().job(digest)):
        abort(403, "Others started this. Only they, or the admin, can stop it.")
    weighing_queue().stop(digest)
    return _back_to(digest, "choices")


@blueprint.address("/games/<digest>/review/weighing.json", Action.READ, PAGES)
def weighing_json(digest: str) -> ResponseReturnValue:
    """The progress of the work on the review of a game, or of the last that was done."""
    return json_response(review_progress(digest) or abort(404))


@blueprint.address("/games/<digest>/review/weighing/found", Action.READ, PAGES)
def weighing_found(digest: str) -> ResponseReturnValue:
    """What the review under way has found so far, for the script of the page; whoever else asks is led there."""
    if not is_scripted():
        return _back_to(digest, "choices")
    game, progress = game_cache().game(digest), review_progress(digest)
    known = known_review(game)
    if known is None or progress is None or not progress.goes_on:
        return "", 204  # it ended a moment ago, and the script hears of that next
    graded = grade_review(known, requested_least_loss() or DEFAULT_LEAST)
    return _found_part(game, graded, progress).render()


@blueprint.address("/games/<digest>/review/decisions.json", Action.READ, REVIEWS)
def decisions_json(digest: str) -> ResponseReturnValue:
    """The review of a game: every decision on one scale, graded by the limit in the address, and what was missed."""
    least = requested_least_loss()
    return json_response(grade_review(whole_review(digest), least))


@blueprint.address("/games/<digest>/review/choices.json", Action.READ, PAGES)
def choices_json(digest: str) -> ResponseReturnValue:
    """The review of a game whose choices were all weighed, as a deep review."""
    known = known_review(game_cache().game(digest))
    if known is None or not known.is_weighed:
        abort(404, "The choices of this game have not been weighed.")
    return json_response(deep_review_of(grade_review(known, requested_least_loss())))


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
    return lead_to("reviews.review", digest=digest, least=least, _anchor=section)


def rollout_progress(digest: str) -> GameJobProgress | None:
    """The progress of the roll-outs last requested for a game; None if there were none."""
    job = rollout_queue().job(game_cache().game(digest).digest)
    return None if job is None else describe_rollouts(job, rollout_queue().jobs_before(job))


def review_progress(digest: str) -> WeighingProgress | None:
    """The progress of the work on the review of a game: what is exact comes first. None if nobody asked for any."""
    full, readings = game_cache().game(digest).digest, review_desk().readings
    reading, weighing = readings.job(full), weighing_queue().job(full)
    if reading is not None and (reading.is_active or weighing is None):
        return describe_reading(reading, readings.jobs_before(reading))
    if weighing is None:
        return None
    return describe_weighing(weighing, weighing_queue().jobs_before(weighing))


def _is_weighing(digest: str) -> bool:
    job: WeighingJob | None = weighing_queue().job(digest)
    return job is not None and job.is_active


@blueprint.address("/games/<digest>/review.txt", Action.READ, REVIEWS)
def review_text(digest: str) -> ResponseReturnValue:
    """The game as text, with every mistake where it was made."""
    least = requested_least_loss() or DEFAULT_LEAST
    graded = grade_review(whole_review(digest), least)
    text = "\n\n".join(narrate_game(game_cache().game(digest).shown_record, graded)) + "\n"
    return text_response(text)


class ReviewHelpPage(Page):
    """What the numbers of a review mean; `habits` are their definitions, by their words."""

    template = "reviews/explained.html"
    version = REVIEW_VERSION
    positions = EXACT_TERMS.positions
    least_loss = DEFAULT_LEAST
    reasons_without_value = describe_reasons()
    blunder_factor = round(BLUNDER_FACTOR)
    errors_to_tell = round(ERRORS_TO_TELL)
    deals_at_once = MOST_DEALS_AT_ONCE
    accuracy_words = ACCURACY_WORDS.format(least=DEFAULT_LEAST)
    habits: ClassVar = {words: DEFINITIONS[habit] for habit, (_, words) in HABITS.items()}

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
    return ReviewHelpPage()
