"""Decisions as the pages show them: what cost most, grades, accuracy, the lead, all by the reader's own limit."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt

from msgspec import structs

from analyzer.review.deep_review import (
    HABITS,
    GameReview,
    Grade,
    Phase,
    PhaseSummary,
    ReviewedChoice,
    ReviewedDecision,
    SeatSummary,
    find_turning_points,
    grade_decision,
    is_played,
    summarize_seats,
)
from analyzer.review.review_sums import CostlyChoice
from analyzer.review.review_words import (
    GRADE_WORDS,
    PHASE_WORDS,
    chance_of,
    describe_line,
    describe_missed_chance,
    explain_grade,
    loss_words,
    name_grade,
    points_with_error,
)
from records.cards import FACE_OF
from records.phrases import list_cards, pluralize

# Choices in short: what was done, what it is worth and how sure that is.


def name_choice(choice: ReviewedChoice) -> str:
    """A choice in short: `Q♠`, `royal marriage K♥ Q♥`, `no meld`."""
    cards = list_cards(choice_faces(choice))
    match choice.kind:
        case "play":
            return cards
        case "meld":
            return f"{choice.meld.replace('_', ' ')} {cards}".strip()
        case "hold_back":
            return "no meld"
        case _:
            return f"{choice.kind} {cards}".strip()


def value_words(choice: ReviewedChoice) -> str:
    """What a choice leads to, with its standard error: `+12 ± 4`, and `+40` where it is exact."""
    return points_with_error(choice.value, choice.error)


def choice_faces(choice: ReviewedChoice) -> list[str]:
    """The cards of a choice, without what tells like ones apart."""
    return [FACE_OF[card] for card in choice.cards]


# The chart of the expected lead through a deal: what each player could expect, decision by decision.

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
    value = decision.made.value
    return -value if decision.seat else value


def _error(decision: ReviewedDecision) -> float:
    return decision.made.error


def _point(x: float, y: float) -> str:
    return f"{CHART_UNITS * x:.0f} {CHART_UNITS * y:.0f}"


# The deals: turning points, grades and accuracy by the reader's own limit.

COUNTED_GRADES: tuple[Grade, ...] = (
    "best",
    "good",
    "style",
    "too_close",
    "inaccuracy",
    "mistake",
    "blunder",
)
"""The grades that are counted: of decisions in which there was a choice."""
MOST_LISTED = 200
"""The most choices listed of a game, the costliest first."""


@dataclass(frozen=True, slots=True)
class ShownChoice:
    """A choice beside a turning point: in short, its cards, and its value with the standard error.

    `chance` is its chance of winning the match, empty where that is not known.
    """

    says: str
    cards: list[str]
    value: str
    chance: str

    @classmethod
    def of(cls, choice: ReviewedChoice) -> "ShownChoice":
        """A choice of a review."""
        return cls(
            name_choice(choice), choice_faces(choice), value_words(choice), chance_of(choice)
        )


@dataclass(frozen=True, slots=True)
class CostlyLine:
    """A choice that cost much, before its `step`; deals count from 1, `key` tells it from all others of the game.

    `grade` is that of the choice (`name_grade`), or `missed`. `says` tells what it cost and what was better, and `why`
    what speaks for that, and what it means for the match; that may be empty, as the best `line` is before the close. Nothing
    is shown beside a chance that was missed. `may_retry` says that it can be tried again; `is_melding` that it was not about
    a card to play.
    """

    key: str
    deal: int
    step: int
    seat: int
    grade: str
    says: str
    why: str
    line: str = ""
    did: ShownChoice | None = None
    better: ShownChoice | None = None
    more: int = 0
    may_retry: bool = False
    is_melding: bool = False

    @property
    def tone(self) -> str:
        """How bad it is, as a tone of the page."""
        return "bad" if self.grade in ("mistake", "blunder", "match lost") else "fair"


MOST_BETTER_CARDS = 3
"""The most better cards drawn beside what was played."""


def costly_lines(
    found: Sequence[CostlyChoice], names: Sequence[str], least: float
) -> list[CostlyLine]:
    """The choices that cost most, in words."""
    return [_costly_line(each, names, least) for each in found]


def _costly_line(each: CostlyChoice, names: Sequence[str], least: float) -> CostlyLine:
    if each.decision is not None:
        return decision_line(each.deal, each.decision, names, least)
    assert each.missed is not None
    says = describe_missed_chance(each.missed, names)
    key = f"{each.deal + 1}-{each.event}-{each.missed.could.name}"
    return CostlyLine(key, each.deal + 1, each.event, each.missed.seat, "missed", says, "")


def decision_line(
    deal: int, decision: ReviewedDecision, names: Sequence[str], least: float
) -> CostlyLine:
    """A decision that cost much, in words; `deal` counts from 0."""
    chosen = decision.made
    told = explain_grade(decision, names, least)
    best = [each for each in decision.choices if each.behind == 0 and each is not chosen]
    faces = list(
        dict.fromkeys(face for each in best for face in choice_faces(each) if each.kind == "play")
    )
    better = ShownChoice.of(best[0])
    if faces:
        better = replace(better, cards=faces[:MOST_BETTER_CARDS])
    return CostlyLine(
        key=f"{deal + 1}-{decision.event}{'' if is_played(decision) else '-meld'}",
        deal=deal + 1,
        step=decision.event,
        seat=decision.seat,
        grade=name_grade(decision, least),
        says=told.says,
        why=told.why,
        line=describe_line(decision.line, names, BEST_LINE_MOVES) if decision.line else "",
        did=ShownChoice.of(chosen),
        better=better,
        more=max(0, len(faces) - MOST_BETTER_CARDS),
        may_retry=decision.lawful,
        is_melding=not is_played(decision),
    )


BEST_LINE_MOVES = 10
"""The most moves of a best line that are shown."""


@dataclass(frozen=True, slots=True)
class CountRow:
    """How many decisions of each player have a grade, or show a habit; `name` is that of the grade or habit."""

    name: str
    words: str
    counts: list[int]


@dataclass(frozen=True, slots=True)
class PhaseCell:
    """What a player decided in a phase, in words: accuracy, the decisions that it is the mean of, points lost."""

    accuracy: str
    mattered: str
    lost: str


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """A phase of the deals, or all of them, with a cell for each player."""

    words: str
    cells: list[PhaseCell]


@dataclass(frozen=True, slots=True)
class WeighedGame:
    """The grades of all decisions of a game, the habits, and the accuracy."""

    grades: list[CountRow]
    habits: list[CountRow]
    phases: list[PhaseRow]


def weigh_game(review: GameReview, least: float) -> WeighedGame:
    """The decisions of a game, graded by a limit of `least` points; nothing is weighed again."""
    seats = summarize_seats(review, least)
    return WeighedGame(
        grades=[
            CountRow(grade, GRADE_WORDS[grade], [seat.grades.get(grade, 0) for seat in seats])
            for grade in COUNTED_GRADES
        ],
        habits=[
            CountRow(habit, words, [seat.habits.get(habit, 0) for seat in seats])
            for habit, (_, words) in HABITS.items()
        ],
        phases=list(_phase_rows(review, seats)),
    )


def grade_review(review: GameReview, least: int | None) -> GameReview:
    """The review with another limit for a mistake, graded by it; unchanged for None."""
    if least is None or least == review.terms.least:
        return review
    return structs.replace(
        review,
        terms=structs.replace(review.terms, least=least),
        deals=[
            structs.replace(
                deal,
                decisions=[
                    structs.replace(each, grade=grade_decision(each, least))
                    for each in deal.decisions
                ],
                turning_points=find_turning_points(deal.decisions, least),
            )
            for deal in review.deals
        ],
    )


def _phase_rows(review: GameReview, seats: Sequence[SeatSummary]) -> Iterator[PhaseRow]:
    """A row for each phase that has decisions, and one for all."""
    for phase, words in PHASE_WORDS.items():
        if any(phase in seat.phases for seat in seats):
            found = [seat.phases.get(phase, PhaseSummary()) for seat in seats]
            errors = [_error_of_loss(review, seat.seat, {phase}) for seat in seats]
            yield PhaseRow(words, list(map(_phase_cell, found, errors)))
    whole = [
        PhaseSummary(each.decisions, each.mattered, each.accuracy, each.lost) for each in seats
    ]
    errors = [_error_of_loss(review, seat.seat, {*PHASE_WORDS}) for seat in seats]
    yield PhaseRow("in all", list(map(_phase_cell, whole, errors)))


def _phase_cell(found: PhaseSummary, error: float) -> PhaseCell:
    return PhaseCell(
        accuracy="–" if found.accuracy is None else f"{100 * found.accuracy:.0f} %",
        mattered=f"{pluralize(found.mattered, 'decision')} that mattered",
        lost=f"{loss_words(found.lost, error)} lost",
    )


def _error_of_loss(review: GameReview, seat: int, phases: Container[Phase]) -> float:
    """The standard error of all that a seat lost in these phases; the decisions err independently."""
    errors = [
        decision.error
        for deal in review.deals
        for decision in deal.decisions
        if decision.seat == seat and decision.phase in phases
    ]
    return sqrt(sum(error**2 for error in errors))
