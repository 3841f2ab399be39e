"""Animations that somebody asks for: each is made once, in a process that yields to the pages, and kept for a while."""

from collections.abc import Iterator, Sequence

from analyzer.store.processes import ProcessPool
from analyzer.store.weighed_cache import WeighedAnswers
from webui.replay.moving_pictures import Animation, AnimationFrame
from webui.server.game_jobs import GameJobProgress, describe_job
from webui.server.jobs import Job, JobQueue

MOST_WAITING, MOST_WAITING_PER_CLIENT = 20, 3
"""How many animations may be waiting or made at a time; each takes a second or two."""
MOST_ANIMATIONS_CACHED, MOST_BYTES_OF_ANIMATIONS = 64, 32 * 1024 * 1024
"""How many stay in memory, and how many bytes they take at most: that of a deal takes one or two megabytes."""
FRAMES_AT_ONCE = 12
"""So many are drawn before the bar moves on: in a quarter of a second or less."""


class AnimationJob(Job, eq=False, kw_only=True):
    """An animation that was asked for, with the frames that are `done`, and its file once it is `made`."""

    asked: Animation
    id: str
    done: int = 0
    made: bytes = b""

    @property
    def key(self) -> str:
        """What tells the animation from every other one."""
        return self.id

    @property
    def share(self) -> float:
        """The share of the work that is done: to write the file takes a quarter of it."""
        return 1.0 if self.made else 0.75 * self.done / len(self.asked.frames)


class AnimationQueue(JobQueue[AnimationJob]):
    """Animations of any games; what was made last is kept in memory."""

    def __init__(self, processes: ProcessPool) -> None:
        super().__init__("animations", "animation", MOST_WAITING, MOST_WAITING_PER_CLIENT)
        self.processes = processes
        self.kept: WeighedAnswers[bytes] = WeighedAnswers(
            len, most_answers=MOST_ANIMATIONS_CACHED, most_bytes=MOST_BYTES_OF_ANIMATIONS
        )

    def make(self, asked: Animation, client: str, seconds: float) -> AnimationJob:
        """The animation from memory or made now, or as far as it is after so many seconds; raises QueueFull.

        Of those who ask for the same one, all get what is made once.
        """
        key = asked.key
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                known = self.kept.known(key)
                if known is not None:
                    return AnimationJob(asked=asked, id=key, state="done", made=known)
                self._reserve(key, client)
                job = AnimationJob(asked=asked, id=key)
                self._put(job)
        self.wait(key, seconds)
        return job

    def work_on(self, job: AnimationJob) -> None:
        """Draw the frames of an animation, and write its file."""
        pictures: list[bytes] = []
        for frames in _parts(job.asked.frames):
            pictures += self.processes.call(Animation.draw, job.asked, frames)
            job.done = len(pictures)
            self.go_on(job)
        job.made = self.kept.keep(
            self.processes.call(Animation.write, job.asked, pictures), job.key
        )

    def _end(self, job: AnimationJob, state: str, reason: str = "") -> None:
        """Note how a job ended, and forget it: whoever waits for it has it, and the others find what is kept."""
        super()._end(job, state, reason)
        self._forget(job.key)

    def progress(self, asked: Animation) -> GameJobProgress | None:
        """How far an animation is; None if nobody has asked for it, or it is not kept any more."""
        key = asked.key
        job = self.job(key)
        if job is not None:
            return _describe(job, self.jobs_before(job))
        known = self.kept.known(key)
        return (
            _describe(AnimationJob(asked=asked, id=key, state="done", made=known), 0)
            if known
            else None
        )


def _parts(frames: Sequence[AnimationFrame]) -> Iterator[Sequence[AnimationFrame]]:
    for start in range(0, len(frames), FRAMES_AT_ONCE):
        yield frames[start : start + FRAMES_AT_ONCE]


def _describe(job: AnimationJob, before: int) -> GameJobProgress:
    return describe_job(job, before, "the animation", "Drawing", "animation")
