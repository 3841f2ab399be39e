"""Luck and skill as the pages draw them: every part begins where the one before ended, the last is the result."""

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.annotate.annotation import Annotation
from analyzer.annotate.luck.luck import Luck
from analyzer.annotate.luck.swings import Told, choices_told, draws_told, parts_of, points_words
from analyzer.annotate.words import signed
from records.events import AnyEvent

WIDTH = 1000
"""The width of the drawing, in its own units."""


@dataclass(frozen=True, slots=True)
class Line:
    """Something to look at: the step, what is said, what is said below it, how bad it is."""

    step: int
    say: str
    more: str
    tone: str


@dataclass(frozen=True, slots=True)
class Bar:
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
class LuckDrawn:
    """The luck of a deal: bars over one scale with nothing at `zero`, and what made most of it."""

    rollouts: int
    bars: list[Bar]
    zero: float
    draws: list[Line]
    choices: list[Line]


def drawn(luck: Luck, events: Sequence[AnyEvent], notes: Annotation) -> LuckDrawn:
    """What the page draws of the luck in a deal with these events."""
    names, least = notes.names, notes.terms.least
    parts = parts_of(luck, names)
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
        return round((points - low) / max(high - low, 1) * WIDTH, 1)

    def bar(words: str, points: str, error: float | None, start: float, end: float) -> Bar:
        left, right = sorted((at(start), at(end)))
        side = None if start == end else int(end < start)
        sure = f"± {error:.1f}" if error is not None else ""
        return Bar(
            words,
            points,
            sure,
            left,
            right - left,
            at(end - (error or 0)),
            at(end + (error or 0)),
            side,
        )

    bars = [
        bar(part.words, points_words(part.points), part.error, start, end)
        for part, start, end in zip(parts, ends, ends[1:], strict=False)
    ]
    return LuckDrawn(
        rollouts=luck.rollouts,
        bars=[*bars, bar("the result", signed(luck.result), None, 0, luck.result)],
        zero=at(0),
        draws=[_line(each) for each in draws_told(luck, events, names, least)],
        choices=[_line(each) for each in choices_told(luck, events, names, least)],
    )


def _line(told: Told) -> Line:
    return Line(told.event + told.after, f"{told.words}: {told.worth}", "", "plain")
