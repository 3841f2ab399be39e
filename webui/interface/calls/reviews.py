"""What the analysis says of games: annotations, made as jobs, and the rules that a record fits."""

from typing import Annotated, Literal

import msgspec
from flask import Response
from msgspec import Meta

from analyzer.annotate import stored_annotations
from analyzer.annotate.annotation import ANNOTATION_VERSION, Annotation
from analyzer.annotate.annotator import reason_not_annotated
from analyzer.db.store import StoreReadOnly
from analyzer.identify.corrections import Correction
from analyzer.identify.habit_corrections import HabitCorrection
from analyzer.identify.matching_rules import RulesCandidate
from records import codec
from records.record import Record
from records.validate.finding import Finding
from records.validator import check
from webui.access.gate import requester
from webui.games.cache import CachedGame, find_mended_habits
from webui.games.identified_game import identify_game
from webui.http.answers.problems import ProblemRaised, interface_address
from webui.http.client import client_address
from webui.http.responses import json_response
from webui.interface.calls.games import GameParameters
from webui.interface.operation import NoParameters, SentRecords
from webui.interface.request_reading import only_record
from webui.jobs.game_jobs import JobState, RolloutJob
from webui.views import game_cache, processes_on_call, rollout_queue, store


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
    found = stored_annotations.load_annotation(store(), game.digest)
    if found is None:
        detail = f"POST to {interface_address(f'games/{given.digest}/annotation')}, and it is made."
        raise ProblemRaised("not-annotated", detail)
    return found


def start_annotation(given: GameParameters) -> Response:
    """Annotate a game; the answer leads to the job."""
    game = _reviewable(given.digest)
    known = stored_annotations.load_annotation(store(), game.digest)
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
    elif (known := stored_annotations.load_annotation(store(), digest)) is not None:
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
