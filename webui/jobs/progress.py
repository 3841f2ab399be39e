"""The progress of background work in words and numbers, for pages and screen readers."""

from datetime import datetime

import msgspec

from analyzer.deep_review.reviewer import DecisionCount
from records.phrases import pluralize
from webui.display.duration import format_duration
from webui.jobs.deep_review_jobs import WeighingJob
from webui.jobs.game_jobs import GameJob
from webui.jobs.import_job import ImportJob
from webui.jobs.rollouts import RolloutJob

IMPORT_STATE_WORDS = {
    "waiting": "Waiting",
    "running": "Importing",
    "done": "Done",
    "stopped": "Stopped",
    "interrupted": "Interrupted: the server was stopped",
    "failed": "Failed",
}
IMPORT_STATE_TONES = {"waiting": "plain", "running": "plain", "done": "good", "stopped": "fair",
         "interrupted": "fair", "failed": "bad"}  # fmt: skip


class ImportProgress(msgspec.Struct, frozen=True, kw_only=True):
    """An import in numbers and words; `share` is from 0 to 1, `say` is for screen readers.

    `id` is public: nobody controls an import by it. `title` names the files, or for strangers the time in UTC.
    """

    id: str
    title: str
    began: datetime
    state: str
    words: str
    tone: str
    goes_on: bool
    share: float
    percent: str
    games: str
    deals: str
    pace: str
    findings: str
    rejected: str
    left: str
    say: str


def describe_import(job: ImportJob, before: int = 0, *, with_names: bool = True) -> ImportProgress:
    """Describe an import; `before` counts the imports that run before it. Strangers get no names of files."""
    counts = job.counts
    percent = f"{int(100 * job.share)} %"
    return ImportProgress(
        id=job.id,
        title=_title(job) if with_names else f"{job.created_at:%d %b %Y, %H:%M} UTC",
        began=job.created_at,
        state=job.state,
        words=_words(job, before),
        tone=IMPORT_STATE_TONES[job.state],
        goes_on=job.is_active,
        share=round(job.share, 4),
        percent=percent,
        games=f"{counts.records - counts.rejected:,}",
        deals=f"{counts.deals:,}",
        pace=f"{job.pace:,.0f}" if job.seconds else "–",
        findings=f"{counts.findings:,}",
        rejected=f"{counts.rejected:,}",
        left=_left(job),
        say=f"{int(10 * job.share) * 10} percent"
        if job.state == "running"
        else IMPORT_STATE_WORDS[job.state],
    )


def _title(job: ImportJob) -> str:
    return job.names[0] if len(job.names) == 1 else pluralize(len(job.names), "file")


def _words(job: ImportJob, before: int) -> str:
    if job.stopping:
        return "Stopping"
    if job.state == "waiting" and before:
        return f"Waiting for {pluralize(before, 'other import')}"
    return IMPORT_STATE_WORDS[job.state]


def _left(job: ImportJob) -> str:
    if job.state == "waiting":
        return "not started"
    if not job.is_active:
        return "–"
    return "–" if job.seconds_left is None else f"about {format_duration(job.seconds_left)}"


class GameJobProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The work on a game in numbers and words; `share` is from 0 to 1, `say` is for screen readers."""

    title: str
    state: str
    words: str
    goes_on: bool
    share: float
    percent: str
    reason: str
    say: str


class WeighingProgress(GameJobProgress, frozen=True, kw_only=True):
    """The work on a deep review: likewise, and how many decisions have been weighed."""

    counted: str


JOB_STATE_WORDS = {"waiting": "Waiting", "done": "Done", "stopped": "Stopped", "failed": "Failed"}


def describe_rollouts(job: RolloutJob, before: int) -> GameJobProgress:
    """Describe the roll-outs of a game; `before` counts the games that come before it."""
    return _describe_game_job(job, before, "luck and skill", "Running the roll-outs")


def describe_weighing(job: WeighingJob, before: int) -> WeighingProgress:
    """Describe the deep review of a game; `before` counts the games that come before it."""
    progress = _describe_game_job(job, before, "every choice", "Weighing every choice")
    return WeighingProgress(**msgspec.structs.asdict(progress), counted=_count_words(job.count))


def _count_words(count: DecisionCount) -> str:
    if not (count.weighed or count.decisions):
        return "No decision has been weighed yet."
    if not count.decisions:
        weighed = pluralize(count.weighed, "decision")
        return f"{weighed} weighed; the deals are still being read."
    weighed = f"{count.weighed:,} of {pluralize(count.decisions, 'decision')} weighed"
    if not count.unsettled:
        return f"{weighed}."
    needs = "needs" if count.unsettled == 1 else "need"
    return f"{weighed}; {count.unsettled:,} of them {needs} more worlds."


def _describe_game_job(job: GameJob, before: int, title: str, running: str) -> GameJobProgress:
    words = JOB_STATE_WORDS.get(job.state, running)
    if job.state == "waiting" and before:
        words = f"Waiting for {pluralize(before, 'other game')}"
    return GameJobProgress(
        title=title,
        state=job.state,
        words="Stopping" if job.stopping and job.is_active else words,
        goes_on=job.is_active,
        share=round(job.share, 4),
        percent=f"{int(100 * job.share)} %",
        reason=job.reason,
        say=f"{int(10 * job.share) * 10} percent" if job.state == "running" else words,
    )
