"""Deep reviews of games: every choice weighed, made as jobs."""

from typing import Annotated

import msgspec
from flask import Response
from msgspec import Meta

from analyzer.annotate.annotator import reason_not_annotated
from analyzer.db.store import StoreReadOnly
from analyzer.deep_review import Width
from analyzer.deep_review.deep_review import DEFAULT_LEAST, DeepReview, DeepReviewTerms
from analyzer.deep_review.reviewer import DecisionCount
from analyzer.deep_review.stored_reviews import load_deep_review
from analyzer.deep_review.widths import worlds_of_width
from webui.access.gate import requester
from webui.http.answers.problems import ProblemRaised, interface_address
from webui.http.client import client_address
from webui.http.responses import json_response
from webui.interface.calls.games import GameParameters
from webui.jobs.game_jobs import JobState, WeighingJob
from webui.views import game_cache, store, weighing_queue

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
    job = _describe_job(game.digest)
    response = json_response(job)
    response.status_code = 202
    response.headers["Location"] = job.address
    return response


def deep_review_job(given: GameParameters) -> DeepReviewJob:
    """How far the work on the deep review of a game is."""
    return _describe_job(game_cache().game(given.digest).digest)


def _describe_job(digest: str) -> DeepReviewJob:
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
