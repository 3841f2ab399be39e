"""Luck and skill as the pages draw them: every part begins where the one before ended, the last is the result."""

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.annotate.annotation import Annotation
from analyzer.annotate.luck.luck import LuckBreakdown
from analyzer.annotate.luck.swings import (
    SwingText,
    describe_greatest_choices,
    describe_greatest_draws,
    parts_of_result,
    signed_tenths,
)
from analyzer.annotate.words import signed_points
from records.events import AnyEvent

CHART_WIDTH = 1000
"""The width of the drawing, in its own units."""


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """Something to look at: the step, what is said, what is said below it, how bad it is."""

    step: int
    say: str
    more: str
    tone: str


@dataclass(frozen=True, slots=True)
class LuckBar:
    """A part of the result: in words, from `x` on so wide, its standard error from `low` to `high`.

    `side` is the seat that it speaks for, None for nobody.
    """

    words: str
    points: str
    error: str
    x: float
    width: float
    low: float
    high: float
    side: int | None


@dataclass(frozen=True, slots=True)
class LuckChart:
    """The luck of a deal: bars over one scale with nothing at `zero`, and what made most of it."""

    rollouts: int
    bars: list[LuckBar]
    zero: float
    draws: list[ReviewLine]
    choices: list[ReviewLine]


def build_luck_chart(
    luck: LuckBreakdown, events: Sequence[AnyEvent], notes: Annotation
) -> LuckChart:
    """What the page draws of the luck in a deal with these events."""
    names, least = notes.names, notes.terms.least
    parts = parts_of_result(luck, names)
    ends = [0.0]
    for part in parts:
        ends.append(ends[-1] + part.points)
    reach = [
        end + side * part.error
        for end, part in zip(ends[1:], parts, strict=True)
        for side in (-1, 1)
    ]
    low, high = min(*ends, *reach), max(*ends, *reach)

    def at(points: float) -> float:
        return round((points - low) / max(high - low, 1) * CHART_WIDTH, 1)

    def bar(words: str, points: str, error: float | None, start: float, end: float) -> LuckBar:
        left, right = sorted((at(start), at(end)))
        side = None if start == end else int(end < start)
        sure = f"± {error:.1f}" if error is not None else ""
        low_end, high_end = at(end - (error or 0)), at(end + (error or 0))
        return LuckBar(words, points, sure, left, right - left, low_end, high_end, side)

    bars = [
        bar(part.words, signed_tenths(part.points), part.error, start, end)
        for part, start, end in zip(parts, ends, ends[1:], strict=False)
    ]
    return LuckChart(
        rollouts=luck.rollouts,
        bars=[*bars, bar("the result", signed_points(luck.result), None, 0, luck.result)],
        zero=at(0),
        draws=list(map(_review_line, describe_greatest_draws(luck, events, names, least))),
        choices=list(map(_review_line, describe_greatest_choices(luck, events, names, least))),
    )


def _review_line(told: SwingText) -> ReviewLine:
    return ReviewLine(told.event + told.after, f"{told.words}: {told.worth}", "", "plain")
