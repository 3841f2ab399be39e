"""What the analysis says of games: annotations, made as jobs, and the rules that a record fits."""

from typing import Annotated, Literal

import msgspec
from flask import Response
from msgspec import Meta

from analyzer.identify.corrections import Correction
from analyzer.identify.habits import HabitCorrection
from analyzer.identify.matching_rules import RulesCandidate
from analyzer.review import Width, stored
from analyzer.review.annotator import ANNOTATION_VERSION, Annotation, reason_not_annotated
from analyzer.review.deep_review import DEFAULT_LEAST, DeepReview, DeepReviewTerms, worlds_of_width
from analyzer.review.reviewer import DecisionCount
from analyzer.review.stored import load_deep_review
from analyzer.store.store import StoreReadOnly
from records.format import codec
from records.record import Record
from records.validate.finding import Finding
from records.validator import check
from webui.api.games import GameParameters
from webui.api.requests import NoParameters, SentRecords, only_record
from webui.server.access import requester
from webui.server.client import client_address
from webui.server.error_pages import ProblemRaised, interface_address
from webui.server.game_cache import CachedGame, find_mended_habits, identify_game
from webui.server.game_jobs import JobState, RolloutJob, WeighingJob
from webui.server.responses import json_response
from webui.views import game_cache, processes_on_call, rollout_queue, store, weighing_queue

# Deep reviews: every choice weighed, made as jobs.

LARGEST_SEED, LARGEST_LEAST = 2**31 - 1, 10_000


class DeepReviewRequest(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """In how many worlds every choice is tried, what these are drawn from, and how much a mistake loses."""

    width: Annotated[
        Width, Meta(description="quick, default or deep: more worlds are surer, and take longer.")
    ] = "default"
    seed: Annotated[
        int, Meta(ge=0, le=LARGEST_SEED, description="The same seed gives the same review.")
    ] = 0
    least: Annotated[
        int, Meta(ge=1, le=LARGEST_LEAST, description="How many points a mistake loses at least.")
    ] = DEFAULT_LEAST


class DeepReviewJob(msgspec.Struct, frozen=True):
    """The work on a deep review: its state, the share of it that is done, from 0 to 1, and where the review will be.

    `weighed` counts the decisions that have been weighed, some of them in only a few worlds so far; `decisions` counts all,
    and is 0 until all deals have been read. `before` counts the games that come first, `reason` says why it failed.
    """

    digest: str
    state: JobState
    share: float
    weighed: int
    decisions: int
    terms: DeepReviewTerms
    before: int
    reason: str
    address: str
    deep_review: str


def deep_review(given: GameParameters) -> DeepReview:
    """The deep review of a game, if it was made: every choice with its value, its error and its grade."""
    found = load_deep_review(store(), game_cache().game(given.digest).digest)
    if found is None:
        detail = (
            f"POST to {interface_address(f'games/{given.digest}/deep-review')}, and it is made."
        )
        raise ProblemRaised("not-weighed", detail)
    return found


def start_deep_review(given: GameParameters, wanted: DeepReviewRequest) -> Response:
    """Weigh every choice of a game; the answer leads to the job."""
    if store().read_only:
        raise StoreReadOnly("deep reviews cannot be stored here")
    game = game_cache().game(given.digest)
    sheet = game.resolved.sheet
    if why_not := reason_not_annotated(sheet, len(game.record.players)):
        raise ProblemRaised("not-reviewable", why_not)
    worlds = worlds_of_width(wanted.width, sheet)
    terms = DeepReviewTerms(worlds=worlds, seed=wanted.seed, least=wanted.least)
    weighing_queue().start(game.digest, terms, requester(), client_address())
    job = _describe_deep_job(game.digest)
    response = json_response(job)
    response.status_code = 202
    response.headers["Location"] = job.address
    return response


def deep_review_job(given: GameParameters) -> DeepReviewJob:
    """How far the work on the deep review of a game is."""
    return _describe_deep_job(game_cache().game(given.digest).digest)


def _describe_deep_job(digest: str) -> DeepReviewJob:
    """The last job of a game, or that it was reviewed without one."""
    job, before = weighing_queue().job(digest), 0
    if job is not None:
        before = weighing_queue().jobs_before(job)
    elif (known := load_deep_review(store(), digest)) is not None:
        number = sum(len(deal.decisions) for deal in known.deals)
        count = DecisionCount(weighed=number, decisions=number)
        job = WeighingJob(digest=digest, terms=known.terms, state="done", count=count)
    else:
        raise ProblemRaised("not-weighed", "No deep review of this game was asked for.")
    address = interface_address(f"games/{digest}/deep-review")
    return DeepReviewJob(
        digest=digest,
        state=job.state,
        share=1.0 if job.state == "done" else round(job.share, 4),
        weighed=job.count.weighed,
        decisions=job.count.decisions,
        terms=job.terms,
        before=before,
        reason=job.reason,
        address=f"{address}/job",
        deep_review=address,
    )


class LuckRequest(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """How many roll-outs of every position: more of them are surer, and take longer."""

    rollouts: Annotated[
        Literal[20, 50, 200], Meta(description="How many simulations of every position.")
    ] = 20


class AnnotationJob(msgspec.Struct, frozen=True):
    """The work on an annotation: its state, the share of it that is done, from 0 to 1, and where the annotation will be.

    `reason` says why it failed. `rollouts` are those of every position for luck and skill; 0 leaves them out.
    """

    digest: str
    state: JobState
    share: float
    rollouts: int
    before: int
    reason: str
    address: str
    annotation: str


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
    """The annotation of a game, if it was made: mistakes, missed melds, and luck where that was asked for."""
    game = game_cache().game(given.digest)
    found = stored.load_annotation(store(), game.digest)
    if found is None:
        detail = f"POST to {interface_address(f'games/{given.digest}/annotation')}, and it is made."
        raise ProblemRaised("not-annotated", detail)
    return found


def start_annotation(given: GameParameters) -> Response:
    """Annotate a game; the answer leads to the job."""
    game = _reviewable(given.digest)
    known = stored.load_annotation(store(), game.digest)
    if known is None or known.version != ANNOTATION_VERSION:
        rollout_queue().start(game.digest, 0, requester(), client_address())
    return _job_started(game.digest)


def start_luck(given: GameParameters, wanted: LuckRequest) -> Response:
    """Estimate luck and skill in a game, by simulations; the answer leads to the job."""
    game = _reviewable(given.digest)
    rollout_queue().start(game.digest, wanted.rollouts, requester(), client_address())
    return _job_started(game.digest)


def annotation_job(given: GameParameters) -> AnnotationJob:
    """How far the work on the annotation of a game is."""
    return _describe_job(game_cache().game(given.digest).digest)


def identify_stored(given: GameParameters) -> IdentifiedRules:
    """The rules that a stored game fits, and what would make it legal."""
    game = game_cache().game(given.digest)
    candidates, corrections, mended = game.identified
    return IdentifiedRules(candidates, corrections, game.mended.corrections, mended)


def identify_record(given: NoParameters, sent: SentRecords) -> IdentifiedRules:
    """The rules that a record fits, and what would make it legal; nothing is stored."""
    record = only_record(sent)
    processes = processes_on_call()
    habits = find_mended_habits(processes, record, _findings(record))
    mended = habits.record if habits.corrections else None
    found = processes.call(identify_game, record, mended)
    return IdentifiedRules(
        found.candidates, found.corrections, habits.corrections, found.mended_candidates
    )


def _reviewable(digest: str) -> CachedGame:
    """The game, if it can be annotated here; raises ProblemRaised and StoreReadOnly."""
    if store().read_only:
        raise StoreReadOnly("annotations cannot be stored here")
    game: CachedGame = game_cache().game(digest)
    why_not = reason_not_annotated(game.resolved.sheet, len(game.record.players))
    if why_not:
        raise ProblemRaised("not-reviewable", why_not)
    return game


def _job_started(digest: str) -> Response:
    job = _describe_job(digest)
    response = json_response(job)
    response.status_code = 202
    response.headers["Location"] = job.address
    return response


def _describe_job(digest: str) -> AnnotationJob:
    """The last job of a game, or that it was annotated without one."""
    job, before, address = (
        rollout_queue().job(digest),
        0,
        interface_address(f"games/{digest}/annotation"),
    )
    if job is not None:
        before = rollout_queue().jobs_before(job)
    elif (known := stored.load_annotation(store(), digest)) is not None:
        job = RolloutJob(
            digest=digest, rollouts=known.terms.rollouts, state="done", done=1, parts=1
        )
    else:
        raise ProblemRaised("not-annotated", "No work on an annotation of this game was asked for.")
    return AnnotationJob(
        digest=digest,
        state=job.state,
        share=1.0 if job.state == "done" else round(job.share, 4),
        rollouts=job.rollouts,
        before=before,
        reason=job.reason,
        address=f"{address}/job",
        annotation=address,
    )


def _findings(record: Record) -> list[Finding]:
    return check(codec.encode(record)).findings
