"""The chart of luck and skill: every part begins where the one before ended, the last row is the result."""

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.annotate.annotation import Annotation
from analyzer.annotate.luck.luck import LuckBreakdown
from analyzer.annotate.luck.swings import (
    SwingText,
    describe_greatest_choices,
    describe_greatest_draws,
    parts_of_result,
)
from analyzer.annotate.signed_points import signed_points, signed_tenths
from records.events import AnyEvent

CHART_WIDTH = 1000
"""The width of the drawing, in its own units."""


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """A line of a review: its step, its sentence, a second sentence below it, its tone."""

    step: int
    say: str
    more: str
    tone: str


@dataclass(frozen=True, slots=True)
class LuckBar:
    """A part of the result: in words, its start `x` and width, its standard error from `low` to `high`.

    `side` is the seat it favours, None for neither.
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
    """The luck chart of a deal: bars on one scale with `zero` marked, and the events that mattered most."""

    rollouts: int
    bars: list[LuckBar]
    zero: float
    draws: list[ReviewLine]
    choices: list[ReviewLine]


def build_luck_chart(
    luck: LuckBreakdown, events: Sequence[AnyEvent], annotation: Annotation
) -> LuckChart:
    """The luck chart of a deal with these events."""
    names, least = annotation.names, annotation.terms.least
    parts = parts_of_result(luck, names)
    ends = [0.0]
    for part in parts:
        ends.append(ends[-1] + part.points)
    error_ends = [
        end + side * part.error
        for end, part in zip(ends[1:], parts, strict=True)
        for side in (-1, 1)
    ]
    # The scale holds the ends of the error bars too, which may reach beyond all bars.
    low, high = min(*ends, *error_ends), max(*ends, *error_ends)

    def position(points: float) -> float:
        return round((points - low) / max(high - low, 1) * CHART_WIDTH, 1)

    def bar(words: str, points: str, error: float | None, start: float, end: float) -> LuckBar:
        left, right = sorted((position(start), position(end)))
        side = None if start == end else int(end < start)
        error_text = f"± {error:.1f}" if error is not None else ""
        low_end, high_end = position(end - (error or 0)), position(end + (error or 0))
        return LuckBar(words, points, error_text, left, right - left, low_end, high_end, side)

    bars = [
        bar(part.words, signed_tenths(part.points), part.error, start, end)
        for part, start, end in zip(parts, ends, ends[1:], strict=False)
    ]
    return LuckChart(
        rollouts=luck.rollouts,
        bars=[*bars, bar("the result", signed_points(luck.result), None, 0, luck.result)],
        zero=position(0),
        draws=list(map(_review_line, describe_greatest_draws(luck, events, names, least))),
        choices=list(map(_review_line, describe_greatest_choices(luck, events, names, least))),
    )


def _review_line(swing: SwingText) -> ReviewLine:
    return ReviewLine(swing.event + swing.after, f"{swing.words}: {swing.worth}", "", "plain")
