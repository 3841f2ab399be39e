"""The one curve of a match: the chance of winning through its deals, or where that is not known the running score."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from analyzer.players.match_course import MOST_DEALS_BY_TRICK, CourseChance, CourseScore
from records.phrases import signed_points
from records.record import Record
from webui.display.words import percent_words

CURVE_UNITS = 1000
"""The width and height of the drawing, in its own units."""
MOST_DEALS_NUMBERED = 12
"""Of more deals, the beginnings are not marked: there is no room for their numbers."""
STEP_OF_SCALE = 100
"""A scale of points ends at a multiple of this."""
LETTERS = "ABC"
MARK_WIDTH, MARK_HEIGHT, ROUNDING = 4, 10, 1e-6
"""The room of a mark, in percent of the width and height of the drawing, and how far sums of them may be off."""


@dataclass(frozen=True, slots=True)
class CurveLine:
    """A line as a path, of one side or, if `side` is None, of the first side's chance with the `area` of its interval."""

    side: int | None
    path: str
    area: str = ""


@dataclass(frozen=True, slots=True)
class CurvePlace:
    """A place on the drawing in percent of its width and height, and what is written there."""

    says: str
    x: float
    y: float = 0


@dataclass(frozen=True, slots=True)
class MatchCurve:
    """The curve of a match: from `bottom` to `top`, both in words, with where its deals begin and its `marks`.

    `says` tells it to who does not see it.
    """

    is_chance: bool
    lines: Sequence[CurveLine]
    deals: Sequence[CurvePlace]
    marks: Sequence[CurvePlace]
    top: str
    bottom: str
    says: str


@dataclass(frozen=True, slots=True)
class MarkedPlace:
    """A place of a match that the curve marks: its deal and its event, both from 0, and the side whose place it is."""

    deal: int
    event: int
    side: int


class _Across:
    """Where the steps of a match lie across the drawing."""

    def __init__(self, record: Record) -> None:
        lengths = [len(deal.events) + 1 for deal in record.deals]
        self.starts = [0, *accumulate(lengths)]

    def __call__(self, deal: int, step: int) -> float:
        return (self.starts[deal] + step) / max(1, self.starts[-1] - 1)

    def deals(self) -> list[CurvePlace]:
        """Where the deals begin, if there are not too many."""
        number = len(self.starts) - 1
        if not 1 < number <= MOST_DEALS_NUMBERED:
            return []
        return [CurvePlace(str(deal + 1), round(100 * self(deal, 0), 2)) for deal in range(number)]


def draw_chances(
    record: Record,
    names: Sequence[str],
    chances: Sequence[CourseChance],
    moments: Sequence[MarkedPlace],
) -> MatchCurve | None:
    """The first side's chance of winning; None if there are too few for a line."""
    if len(chances) < 2:
        return None
    across = _Across(record)
    places = [across(each.deal, each.step) for each in chances]
    middle = [each.chance.chance for each in chances]
    low, high = [each.chance.low for each in chances], [each.chance.high for each in chances]
    upper = [_point(x, 1 - y) for x, y in zip(places, high, strict=True)]
    lower = [_point(x, 1 - y) for x, y in zip(places, low, strict=True)]
    path = [_point(x, 1 - y) for x, y in zip(places, middle, strict=True)]
    area = f"M{'L'.join([*upper, *reversed(lower)])}Z"
    return MatchCurve(
        is_chance=True,
        lines=[CurveLine(None, f"M{'L'.join(path)}", area)],
        deals=across.deals(),
        marks=list(_marks(across, moments, [(places, middle)])),
        top=names[0],
        bottom=names[1],
        says=(
            f"The chance of {names[0]} to win the match: {percent_words(middle[0])} at first, between "
            f"{percent_words(min(middle))} and {percent_words(max(middle))} on the way, {percent_words(middle[-1])} at the end."
        ),
    )


def draw_scores(
    record: Record,
    names: Sequence[str],
    scores: Sequence[CourseScore],
    totals: Mapping[int, Sequence[int]],
    moments: Sequence[MarkedPlace],
) -> MatchCurve | None:
    """The running score of every side: by what was scored, or by the `totals` after each deal where only those are known."""
    across = _Across(record)
    sides = range(len(names))
    if scores and len(record.deals) <= MOST_DEALS_BY_TRICK:
        steps = [(each.deal, max(0, each.event + 1), each.side, each.points) for each in scores]
    else:
        steps = list(_deal_steps(record, totals))
    if not steps:
        return None
    lines = [_running(across, steps, side) for side in sides]
    most = max(max(points) for _, points in lines)
    top = STEP_OF_SCALE * -(-most // STEP_OF_SCALE) or STEP_OF_SCALE
    scaled = [(places, [max(0, each) / top for each in points]) for places, points in lines]
    ends = ", ".join(f"{name} {line[1][-1]:,}" for name, line in zip(names, lines, strict=True))
    return MatchCurve(
        is_chance=False,
        lines=[CurveLine(side, _stairs(*scaled[side])) for side in sides],
        deals=across.deals(),
        marks=list(_marks(across, moments, scaled)),
        top=f"{top:,}",
        bottom="0",
        says=f"The running score of the match, up to {ends}.",
    )


def _deal_steps(
    record: Record, totals: Mapping[int, Sequence[int]]
) -> Iterator[tuple[int, int, int, int]]:
    before: Sequence[int] = ()
    for deal, points in totals.items():
        for side, total in enumerate(points):
            gained = total - (before[side] if before else 0)
            yield deal, len(record.deals[deal].events), side, gained
        before = points


def _running(
    across: _Across, steps: Sequence[tuple[int, int, int, int]], side: int
) -> tuple[list[float], list[int]]:
    """Where the score of a side changes, and what it is then; from the start to the end of all steps."""
    places, points = [0.0], [0]
    for deal, step, scored, gained in steps:
        if scored == side:
            places.append(across(deal, step))
            points.append(points[-1] + gained)
    last = max(across(deal, step) for deal, step, *_ in steps)
    return [*places, last], [*points, points[-1]]


def _stairs(places: Sequence[float], values: Sequence[float]) -> str:
    first = f"M{_point(places[0], 1 - values[0])}"
    return first + "".join(
        f"H{CURVE_UNITS * x:.0f}V{CURVE_UNITS * (1 - y):.0f}"
        for x, y in zip(places[1:], values[1:], strict=True)
    )


def _marks(
    across: _Across,
    moments: Sequence[MarkedPlace],
    lines: Sequence[tuple[Sequence[float], Sequence[float]]],
) -> Iterator[CurvePlace]:
    """The marks of moments, each on the line of its side if every side has one, or beside that where another mark is."""
    marks: list[CurvePlace] = []
    for letter, moment in zip(LETTERS, moments, strict=False):
        places, values = lines[moment.side if len(lines) > 1 else 0]
        x = across(moment.deal, moment.event + 1)
        known = [value for place, value in zip(places, values, strict=True) if place <= x]
        y = 100 * (1 - (known[-1] if known else values[0]))
        marks.append(_beside(CurvePlace(letter, 100 * x, y), marks))
        yield CurvePlace(letter, round(marks[-1].x, 2), round(marks[-1].y, 2))


def _beside(mark: CurvePlace, others: Sequence[CurvePlace]) -> CurvePlace:
    """The mark at its place, or at the nearest one above or below that no other mark has."""
    near = [each.y for each in others if abs(each.x - mark.x) < MARK_WIDTH]
    heights = [mark.y, *(y + side * MARK_HEIGHT for y in near for side in (-1, 1))]
    free = [
        y
        for y in heights
        if 0 <= y <= 100 and all(abs(y - each) >= MARK_HEIGHT - ROUNDING for each in near)
    ]
    return CurvePlace(mark.says, mark.x, min(free, key=lambda y: abs(y - mark.y)))


def _point(x: float, y: float) -> str:
    return f"{CURVE_UNITS * x:.0f} {CURVE_UNITS * y:.0f}"


# The line of the lead in lists: up where the first side leads, down where the second does.

SPARK_WIDTH, SPARK_HEIGHT, SPARK_MARGIN = 100, 30, 2
MOST_SPARK_DEALS = 60
"""Of a longer match the last deals are drawn: a line is no wider than this many points."""


@dataclass(frozen=True, slots=True)
class Spark:
    """The lead through a match as a path, the height of `zero`, and the leads after each deal in words."""

    path: str
    zero: int
    says: str


def draw_spark(leads: Sequence[int]) -> Spark:
    """The line of a lead, from 0 at the start to the last deal."""
    points = [0, *leads][-MOST_SPARK_DEALS:]
    most, least = max(0, *points), min(0, *points)
    step, room = SPARK_WIDTH / max(1, len(points) - 1), SPARK_HEIGHT - 2 * SPARK_MARGIN

    def down(lead: int) -> int:
        return round(SPARK_MARGIN + room * (most - lead) / max(1, most - least))

    path = "L".join(f"{step * place:.0f} {down(lead)}" for place, lead in enumerate(points))
    return Spark(f"M{path}", down(0), ", ".join(map(signed_points, points[1:])))
