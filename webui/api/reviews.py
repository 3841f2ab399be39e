"""What the analysis says of games: reviews, made as jobs, and the rules that a record fits."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

import msgspec
from flask import Response
from msgspec import Meta

from analyzer.identify.corrections import Correction
from analyzer.identify.habits import HabitCorrection
from analyzer.identify.matching_rules import RulesCandidate
from analyzer.review import Width
from analyzer.review.annotation import Annotation, annotation_of
from analyzer.review.deep_review import (
    DEFAULT_LEAST,
    GameReview,
    ReviewTerms,
    deep_review_of,
    worlds_of_width,
)
from analyzer.review.reviewer import DecisionCount
from analyzer.review.stored import EXACT_TERMS, load_review
from analyzer.store.store import StoreReadOnly
from records.format import codec
from records.validator import check
from webui.api.games import GameParameters
from webui.api.requests import NoParameters, SentRecords, SentStruct, only_record
from webui.server.access import requester
from webui.server.client import client_address
from webui.server.error_pages import ProblemRaised, interface_address
from webui.server.game_cache import CachedGame, find_mended_habits
from webui.server.game_cache import identify_game as search_rules
from webui.server.game_jobs import GameJob, JobState, ReadingJob, RolloutJob, WeighingJob
from webui.server.responses import json_response
from webui.views import (
    game_cache,
    processes_on_call,
    review_desk,
    rollout_queue,
    store,
    weighing_queue,
)

# Reviews: what is exact, and then every choice weighed, made as jobs.

LARGEST_SEED, LARGEST_LEAST = 2**31 - 1, 10_000
Depth: TypeAlias = Literal["exact", "quick", "default", "deep"]


class WantedReview(SentStruct, frozen=True):
    """How deep a review goes, what its worlds are drawn from, and how much a mistake loses."""

    width: Annotated[
        Depth,
        Meta(
            description="exact: only what is exact, at once. quick, default or deep: every choice, in more and more worlds."
        ),
    ] = "default"
    seed: Annotated[
        int, Meta(ge=0, le=LARGEST_SEED, description="The same seed gives the same review.")
    ] = 0
    least: Annotated[
        int, Meta(ge=1, le=LARGEST_LEAST, description="How many points a mistake loses at least.")
    ] = DEFAULT_LEAST


class WantedDeepReview(WantedReview, frozen=True):
    """The same, in which every choice is weighed."""

    width: Annotated[
        Width, Meta(description="quick, default or deep: more worlds are surer, and take longer.")
    ] = "default"


class ReviewJob(msgspec.Struct, frozen=True):
    """The work on a review: its state, the share of it that is done, from 0 to 1, and where the review is.

    `weighed` counts the decisions that have been valued, some of them in only a few worlds so far; `decisions` counts all,
    and is 0 until all deals have been read. `rollouts` are those of every position for luck and skill; 0 leaves them out.
    `before` counts the games that come first, `reason` says why it failed. `annotation` and `deep_review` are where the
    documents before the review are.
    """

    digest: str
    state: JobState
    share: float
    weighed: int
    decisions: int
    rollouts: int
    terms: ReviewTerms
    before: int
    reason: str
    address: str
    review: str
    annotation: str
    deep_review: str


def review(given: GameParameters) -> GameReview:
    """The review of a game, as far as it was made: every decision with its value, its error and its grade."""
    found = review_desk().known(game_cache().game(given.digest).digest)
    if found is None:
        raise _not_made(given, "review")
    return found


def start_review(given: GameParameters, wanted: WantedReview) -> Response:
    """Review a game; the answer leads to the job."""
    game = _reviewable(given.digest)
    if wanted.width == "exact":
        review_desk().open(game.digest, client_address(), patience=0)
    else:
        _start_weighing(game, wanted.width, wanted.seed, wanted.least)
    return _accepted(game.digest, "review")


def review_job(given: GameParameters) -> ReviewJob:
    """How far the work on the review of a game is."""
    return _describe_job(given.digest, "review")


def _start_weighing(game: CachedGame, width: Width, seed: int, least: int) -> None:
    terms = ReviewTerms(worlds_of_width(width, game.resolved.sheet), seed, least=least)
    weighing_queue().start(game.digest, terms, requester(), client_address())


Document: TypeAlias = Literal["review", "annotation", "deep-review"]
PROBLEMS: Mapping[Document, str] = {
    "review": "not-reviewed",
    "annotation": "not-annotated",
    "deep-review": "not-weighed",
}


def _not_made(given: GameParameters, document: Document) -> ProblemRaised:
    address = interface_address(f"games/{given.digest}/{document}")
    return ProblemRaised(PROBLEMS[document], f"POST to {address}, and it is made.")


def _describe_job(given: str, document: Document) -> ReviewJob:
    """The job at work on a document of a game, or the last one, or that it was made without one."""
    digest, readings = game_cache().game(given).digest, review_desk().readings
    reading, weighing = readings.job(digest), weighing_queue().job(digest)
    rollouts, known = rollout_queue().job(digest), load_review(store(), digest)
    found: list[GameJob] = [
        *([reading] if reading and document != "deep-review" else []),
        *([weighing] if weighing and document != "annotation" else []),
        *([rollouts] if rollouts and document == "annotation" else []),
    ]
    if not found and (known is None or (document == "deep-review" and not known.is_weighed)):
        raise ProblemRaised(PROBLEMS[document], "No work on it was asked for.")
    found = found or [GameJob(digest=digest, state="done")]
    job = next((each for each in found if each.is_active), found[-1])
    count, address = _count_decisions(job, known), interface_address(f"games/{digest}")
    terms = known.terms if known else EXACT_TERMS
    return ReviewJob(
        digest=digest,
        state=job.state,
        share=1.0 if job.state == "done" else round(job.share, 4),
        weighed=count.weighed,
        decisions=count.decisions,
        rollouts=job.rollouts if isinstance(job, RolloutJob) else terms.rollouts,
        terms=job.terms if isinstance(job, WeighingJob) else terms,
        before=_jobs_before(job),
        reason=job.reason,
        address=f"{address}/{document}/job",
        review=f"{address}/review",
        annotation=f"{address}/annotation",
        deep_review=f"{address}/deep-review",
    )


def _jobs_before(job: GameJob) -> int:
    """How many jobs of its queue come before a job."""
    match job:
        case RolloutJob():
            return rollout_queue().jobs_before(job)
        case WeighingJob():
            return weighing_queue().jobs_before(job)
        case ReadingJob():
            return review_desk().readings.jobs_before(job)
    return 0


def _count_decisions(job: GameJob, known: GameReview | None) -> DecisionCount:
    if isinstance(job, WeighingJob):
        return job.count
    if isinstance(job, ReadingJob) and job.work is not None:
        return job.work.count()
    number = sum(len(deal.decisions) for deal in known.deals) if known else 0
    return DecisionCount(weighed=number, decisions=number)


def _accepted(digest: str, document: Document) -> Response:
    """The answer that work goes on, and where."""
    job = _describe_job(digest, document)
    response = json_response(job)
    response.status_code = 202
    response.headers["Location"] = job.address
    return response


# The calls of the two documents that a review took the place of.


def deep_review(given: GameParameters) -> GameReview:
    """The review of a game whose choices were all weighed, as a deep review."""
    found = load_review(store(), game_cache().game(given.digest).digest)
    if found is None or not found.is_weighed:
        raise _not_made(given, "deep-review")
    return deep_review_of(found)


def start_deep_review(given: GameParameters, wanted: WantedDeepReview) -> Response:
    """Weigh every choice of a game; the answer leads to the job."""
    game = _reviewable(given.digest)
    _start_weighing(game, wanted.width, wanted.seed, wanted.least)
    return _accepted(game.digest, "deep-review")


def deep_review_job(given: GameParameters) -> ReviewJob:
    """How far the weighing of a game's choices is."""
    return _describe_job(given.digest, "deep-review")


class LuckRequest(SentStruct, frozen=True):
    """How many roll-outs of every position: more of them are surer, and take longer."""

    rollouts: Annotated[
        Literal[20, 50, 200], Meta(description="How many simulations of every position.")
    ] = 20


class IdentifiedRules(msgspec.Struct, frozen=True):
    """The rule sheets with the options that fit best, the best first; and what would mend what does not fit.

    `corrections` make a deal legal, each alone; `habits` mend what is wrong again and again, and `once_mended` are the
    sheets that fit then.
    """

    candidates: list[RulesCandidate]
    corrections: list[Correction]
    habits: list[HabitCorrection]
    once_mended: list[RulesCandidate]


def annotation(given: GameParameters) -> Annotation:
    """What is exact in the review of a game, if it was made, as an annotation; and luck where that was asked for."""
    found = load_review(store(), game_cache().game(given.digest).digest)
    if found is None or not found.is_read:
        raise _not_made(given, "annotation")
    return annotation_of(found)


def start_annotation(given: GameParameters) -> Response:
    """Find what is exact in a game; the answer leads to the job."""
    game = _reviewable(given.digest)
    review_desk().open(game.digest, client_address(), patience=0)
    return _accepted(game.digest, "annotation")


def start_luck(given: GameParameters, wanted: LuckRequest) -> Response:
    """Estimate luck and skill in a game, by simulations; the answer leads to the job."""
    game = _reviewable(given.digest)
    rollout_queue().start(game.digest, wanted.rollouts, requester(), client_address())
    return _accepted(game.digest, "annotation")


def annotation_job(given: GameParameters) -> ReviewJob:
    """How far the work on what is exact in a game, or on luck and skill, is."""
    return _describe_job(given.digest, "annotation")


def identify_game(given: GameParameters) -> IdentifiedRules:
    """The rules that a stored game fits, and what would make it legal."""
    game = game_cache().game(given.digest)
    candidates, corrections, mended = game.identified
    return IdentifiedRules(candidates, corrections, game.mended.corrections, mended)


def identify_record(given: NoParameters, sent: SentRecords) -> IdentifiedRules:
    """The rules that a record fits, and what would make it legal; nothing is stored."""
    record = only_record(sent)
    processes = processes_on_call()
    habits = find_mended_habits(processes, record, check(codec.encode(record)).findings)
    mended = habits.record if habits.corrections else None
    found = processes.call(search_rules, record, mended)
    return IdentifiedRules(
        found.candidates, found.corrections, habits.corrections, found.mended_candidates
    )


def _reviewable(digest: str) -> CachedGame:
    """The game, if it can be reviewed here; raises ProblemRaised and StoreReadOnly."""
    if store().read_only:
        raise StoreReadOnly("reviews cannot be stored here")
    game: CachedGame = game_cache().game(digest)
    if game.why_not_reviewed:
        raise ProblemRaised("not-reviewable", game.why_not_reviewed)
    return game
