"""The hunt: inputs are made, run and measured; the costliest are changed further, what breaks a bound is made small.

The inputs made afresh depend on the seed alone. Which of them are changed further depends on what they cost, in steps
coarse enough that a run repeats itself nearly always; whatever is found is written down as a plan, which always does.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import log2
from pathlib import Path
from random import Random
from time import monotonic
from typing import NamedTuple

from tests.fuzz.bounds import EXPANDED_DOORS, LARGEST_INPUT_BYTES
from tests.fuzz.measuring import MOST_GROWTH_MIB, ROOT, Cost, Runner
from tests.fuzz.minimise import minimised
from tests.fuzz.mutations import changed
from tests.fuzz.plans import Plan, PlanTooLarge, copied, expanded_size, write
from tests.fuzz.shapes import SHAPES, Shape
from tests.fuzz.tree import spots
from tests.fuzz.worker import SITE_DOORS

FRESH_SHARE = 0.4
"""How many inputs are made afresh."""
KEPT_A_SCORE = 5
"""How many costly inputs are kept by each score."""
LARGEST_EXPANDED_BYTES = 1024 * 1024
"""The most that an input expands to where that is what it is measured by."""
MINIMISE_SECONDS = 60.0
SHRINKS = 8
"""How often a plan that writes too much is made smaller before it is given up."""
CONFIRMED_BY = 4
"""An input must break its bound as often again: the machine does other things meanwhile, and CPU seconds are longer then."""


class Input(NamedTuple):
    """A plan that was run, through which door, and what it cost."""

    plan: Plan
    door: str
    size: int
    cost: Cost


@dataclass(frozen=True, slots=True)
class Found:
    """An input that breaks a bound, as small as it could be made; `after` seconds of its shape's own time."""

    shape: str
    kind: str
    input: Input
    seed: int
    number: int
    after: float

    @property
    def title(self) -> str:
        """What breaks which bound where."""
        return f"{self.shape} through {self.input.door}: {self.kind}"

    def say(self) -> str:
        """A sentence with the figures."""
        cost = self.input.cost
        return (
            f"{self.title} with {self.input.size:,} bytes: {cost.cpu:.2f} CPU s, {cost.mib:.0f} MiB, "
            f"an answer of {cost.answer:,} bytes{', ' + cost.raised if cost.raised else ''}"
            f"{', at ' + cost.where if cost.where else ''} "
            f"(seed {self.seed}, input {self.number}, after {self.after / 60:.2f} minutes)"
        )

    def save(self, folder: Path) -> Path:
        """Write the plan, and beside it the input itself; returns the plan's path."""
        folder.mkdir(parents=True, exist_ok=True)
        data = write(self.input.plan)
        digest = hashlib.sha256(data).hexdigest()[:8]
        path = folder / f"{self.shape}-{self.input.door}-{digest}.json"
        told = {
            "shape": self.shape,
            "door": self.input.door,
            "kind": self.kind,
            "seed": self.seed,
            "number": self.number,
            "cost": self.input.cost._asdict(),
            "plan": self.input.plan,
        }
        path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        path.with_suffix(".input").write_bytes(data)
        return path


def _per_byte(amount: float, size: int) -> float:
    return amount / (size + 256)


SCORES: tuple[Callable[[Input], float], ...] = (
    lambda tried: _per_byte(tried.cost.cpu, tried.size),
    lambda tried: tried.cost.cpu,
    lambda tried: _per_byte(tried.cost.mib, tried.size),
    lambda tried: _per_byte(tried.cost.answer, tried.size),
)


class Costliest:
    """The costliest inputs of a shape, by each score."""

    def __init__(self) -> None:
        self.best: list[list[tuple[int, Input]]] = [[] for _ in SCORES]

    def add(self, tried: Input) -> None:
        """Keep an input if it is among the costliest."""
        for score, best in zip(SCORES, self.best, strict=True):
            step = round(2 * log2(max(score(tried), 1e-9)))
            best.append((step, tried))
            best.sort(key=lambda pair: -pair[0])  # stable: of equals the older one stays
            del best[KEPT_A_SCORE:]

    def inputs(self) -> list[Input]:
        return [tried for best in self.best for _, tried in best]


@dataclass
class Tally:
    """What was tried of a shape, and the worst of it."""

    inputs: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    slowest: Input | None = None
    largest: Input | None = None
    longest: Input | None = None
    found: list[Found] = field(default_factory=list)

    def is_within(self, inputs: int | None, cpu_seconds: float) -> bool:
        """Whether there is more to try."""
        return (inputs is None or self.inputs < inputs) and self.cpu < cpu_seconds

    def add(self, tried: Input) -> None:
        """Count one more."""
        self.inputs += 1
        self.cpu += tried.cost.cpu
        if self.slowest is None or tried.cost.cpu > self.slowest.cost.cpu:
            self.slowest = tried
        if self.largest is None or tried.cost.mib > self.largest.cost.mib:
            self.largest = tried
        if self.longest is None or tried.cost.answer > self.longest.cost.answer:
            self.longest = tried


class Runners:
    """The processes: one for the doors of the site, whose resting size is another, and one for all others."""

    def __init__(self, folder: Path = ROOT, share: float = 1.0) -> None:
        self.by_site = {site: Runner(folder, share) for site in (True, False)}

    def of(self, door: str) -> Runner:
        return self.by_site[door in SITE_DOORS]

    def close(self) -> None:
        for runner in self.by_site.values():
            runner.close()


class Hunt:
    """The inputs of one shape, one after the other."""

    def __init__(self, shape: Shape, seed: int, runners: Runners, minimise_seconds: float) -> None:
        self.shape, self.seed, self.runners = shape, seed, runners
        self.minimise_seconds = minimise_seconds
        self.random = Random(f"{seed} {shape.name}")
        self.costliest, self.tally = Costliest(), Tally()
        self.known: set[tuple[str, str, str]] = set()

    def step(self) -> Found | None:
        """Try one more input; what it breaks, unless that is known."""
        start = monotonic()
        found = self._step()
        self.tally.seconds += monotonic() - start
        if found is not None:
            self.tally.found.append(found)
        return found

    def _step(self) -> Found | None:
        plan, door = self._next()
        fitting = fitted(plan)
        if fitting is None:
            return None
        plan, data = fitting
        size = measured_size(plan, door, data)
        if size > LARGEST_EXPANDED_BYTES:
            return None
        runner = self.runners.of(door)
        tried = Input(plan, door, size, runner.run(door, data, size=size))
        self.tally.add(tried)
        self.costliest.add(tried)
        kind = runner.breach(door, size, tried.cost)
        if kind is None:
            if runner.grown(tried.cost) > MOST_GROWTH_MIB:
                runner.close()  # what many inputs leave behind is told by the largest
            return None
        return self._confirm(tried, kind)

    def _next(self) -> tuple[Plan, str]:
        random = self.random
        costly = self.costliest.inputs()
        if not costly or random.random() < FRESH_SHARE:
            return self.shape.make(random), random.choice(self.shape.doors)
        first, kin = random.choice(costly), random.choice(costly)
        door = first.door if random.random() < 0.7 else random.choice(self.shape.doors)
        return changed(first.plan, kin.plan, random), door

    def _confirm(self, tried: Input, kind: str) -> Found | None:
        """The finding, as small as it can be made; None if it does not come again, or is known."""
        again = []
        for _ in range(CONFIRMED_BY):
            again.append(self._again(tried.plan, tried.door))
            if again[-1][2] != kind:
                return None
        costs = [tried.cost, *(cost for _, cost, _ in again)]
        where = next((cost.where for cost in costs if cost is not None and cost.where), "")
        known = (tried.door, kind, where)
        if known in self.known:
            return None
        self.known.add(known)
        after = self.tally.seconds

        def holds(plan: Plan) -> bool:
            return self._again(plan, tried.door)[2] == kind

        plan = minimised(tried.plan, holds, seconds=self.minimise_seconds)
        size, cost, _ = self._again(plan, tried.door)
        small = Input(plan, tried.door, size, cost or tried.cost)
        return Found(self.shape.name, kind, small, self.seed, self.tally.inputs, after)

    def _again(self, plan: Plan, door: str) -> tuple[int, Cost | None, str | None]:
        """The size of a plan, what it costs if interrupted as soon as it is too much, and what it breaks."""
        try:
            data = write(plan)
            size = measured_size(plan, door, data)
        except (PlanTooLarge, ValueError, TypeError, KeyError, AttributeError):
            return 0, None, None
        if len(data) > LARGEST_INPUT_BYTES or size > LARGEST_EXPANDED_BYTES:
            return size, None, None
        runner = self.runners.of(door)
        cost = runner.run(door, data, size=size, times=1.05)
        return size, cost, runner.breach(door, size, cost)


def measured_size(plan: Plan, door: str, data: bytes) -> int:
    """By how many bytes an input is measured: those sent, or those that they expand to."""
    return expanded_size(plan) if door in EXPANDED_DOORS else len(data)


def fitted(plan: Plan) -> tuple[Plan, bytes] | None:
    """The plan with fewer repetitions if it writes too much, and what it writes; None if it is no plan any more."""
    for _ in range(SHRINKS):
        try:
            data = write(plan)
            if len(data) <= LARGEST_INPUT_BYTES:
                return plan, data
            share = LARGEST_INPUT_BYTES / len(data)
        except PlanTooLarge:
            share = 0.25
        except (ValueError, TypeError, KeyError, AttributeError):
            return None
        plan = copied(plan)
        for spot in spots(plan):
            if spot.key == "times" and isinstance(spot.value, int) and spot.value > 1:
                spot.put(max(1, int(spot.value * share)))
    return None


def hunt(
    shapes: Sequence[str],
    *,
    seed: int,
    seconds: float = float("inf"),
    inputs: int | None = None,
    cpu_seconds: float = float("inf"),
    first_only: bool = False,
    code: Path = ROOT,
    doors: Sequence[str] = (),
    minimise_seconds: float = MINIMISE_SECONDS,
    share: float = 1.0,
    runners: Runners | None = None,
    tell: Callable[[Found], None] = lambda found: None,
) -> dict[str, Tally]:
    """Try inputs of these shapes, each as long as the others, until the time or the number is over.

    `inputs` and `cpu_seconds` limit each shape; with `first_only` the hunt ends at the first finding. `doors` stand
    in for those of the shapes; an input may cost only this `share` of the time that it may. `runners` that other hunts
    share are left as they are; without, the hunt has its own, on this `code`.
    """
    own = Runners(code, share)
    runners = runners or own
    asked = [SHAPES[name]._replace(doors=tuple(doors) or SHAPES[name].doors) for name in shapes]
    hunts = [Hunt(shape, seed, runners, minimise_seconds) for shape in asked]
    until = monotonic() + seconds
    try:
        for _ in count():
            left = [one for one in hunts if one.tally.is_within(inputs, cpu_seconds)]
            if not left or monotonic() > until:
                break
            found = min(left, key=lambda one: one.tally.seconds).step()
            if found is not None:
                tell(found)
                if first_only:
                    break
    finally:
        own.close()
    return {one.shape.name: one.tally for one in hunts}
