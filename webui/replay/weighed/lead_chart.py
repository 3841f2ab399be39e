"""The chart of the expected lead through a deal: what each player could expect, decision by decision."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from analyzer.deep_review.deep_review import ReviewedDecision

CHART_UNITS = 1000
"""The width and height of the drawing, in its own units."""
FEWEST_POINTS, STEP_OF_SCALE = 20, 20
"""The scale reaches at least so many points to either side of zero, and ends at a multiple of this."""


@dataclass(frozen=True, slots=True)
class LeadLine:
    """What one seat expected, or what was certain to both if `seat` is None: a path, and the area of its errors."""

    seat: int | None
    path: str
    area: str


@dataclass(frozen=True, slots=True)
class MarkedDecision:
    """A turning point on the chart: its number and its place, in percent of width and height."""

    number: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class LeadChart:
    """The lead of the first player at the end of the deal, as each player expected it; up to `scale` points either way.

    `close` is where the stock ended, in percent of the width, if there are decisions before and after it.
    """

    lines: list[LeadLine]
    marks: list[MarkedDecision]
    scale: int
    close: float | None


def build_lead_chart(
    decisions: Sequence[ReviewedDecision], turning_points: Sequence[int]
) -> LeadChart | None:
    """The chart of a deal's decisions; None if there are too few for a line."""
    if len(decisions) < 2:
        return None
    reach = max(abs(_lead(each)) + _error(each) for each in decisions)
    scale = max(FEWEST_POINTS, STEP_OF_SCALE * ceil(reach / STEP_OF_SCALE))
    first, last = decisions[0].event, decisions[-1].event

    def across(decision: ReviewedDecision) -> float:
        return (decision.event - first) / max(last - first, 1)

    def down(points: float) -> float:
        return (1 - points / scale) / 2

    def line(seat: int | None, of_line: Sequence[ReviewedDecision]) -> LeadLine:
        upper = [_point(across(each), down(_lead(each) + _error(each))) for each in of_line]
        lower = [_point(across(each), down(_lead(each) - _error(each))) for each in of_line]
        path = [_point(across(each), down(_lead(each))) for each in of_line]
        has_errors = any(map(_error, of_line))
        return LeadLine(
            seat,
            f"M{'L'.join(path)}",
            f"M{'L'.join([*upper, *reversed(lower)])}Z" if has_errors else "",
        )

    closes = [across(each) for each in decisions if each.phase == "close"]
    return LeadChart(
        lines=[line(seat, of_line) for seat, of_line in _lines(decisions)],
        marks=[
            MarkedDecision(
                number + 1,
                round(100 * across(decisions[place]), 2),
                round(100 * down(_lead(decisions[place])), 2),
            )
            for number, place in enumerate(turning_points)
        ],
        scale=scale,
        close=round(100 * closes[0], 2) if closes and len(closes) < len(decisions) else None,
    )


def _lines(
    decisions: Sequence[ReviewedDecision],
) -> Iterator[tuple[int | None, list[ReviewedDecision]]]:
    """The decisions of each seat where they are estimates, and of both together where they are exact."""
    for seat in (0, 1, None):
        of_line = [each for each in decisions if (None if each.certain else each.seat) == seat]
        if of_line:
            yield seat, of_line


def _lead(decision: ReviewedDecision) -> float:
    """The lead of the first player at the end of the deal, as expected after what was done."""
    value = decision.choices[decision.chosen].value
    return -value if decision.seat else value


def _error(decision: ReviewedDecision) -> float:
    return decision.choices[decision.chosen].error


def _point(x: float, y: float) -> str:
    return f"{CHART_UNITS * x:.0f} {CHART_UNITS * y:.0f}"
