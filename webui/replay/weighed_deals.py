"""A deep review as the pages show it: turning points, grades, accuracy, the lead, all by the reader's own limit."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil, sqrt
from operator import itemgetter
from typing import NamedTuple

from msgspec.structs import replace

from analyzer.review.deep_review import (
    HABITS,
    ChanceSource,
    DeeplyReviewedDeal,
    DeepReview,
    Grade,
    Phase,
    PhaseSummary,
    ReviewedChoice,
    ReviewedDecision,
    SeatSummary,
    find_turning_points,
    grade_decision,
    is_surely_behind,
    summarize_seats,
)
from analyzer.review.deep_review_words import (
    GRADE_WORDS,
    PHASE_WORDS,
    chance_of,
    describe_better,
    describe_chance_lost,
    describe_choice,
)
from records.cards import FACE_OF
from records.phrases import list_cards, pluralize, signed_points, signed_tenths

# Weighed choices in words: what was done, what it is worth and how sure that is.

FEWEST_POINTS_TO_ROUND = 1.0
"""Values with a smaller standard error are told to one decimal, others in whole points."""


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


def points_with_error(points: float, error: float) -> str:
    """Points with their sign and standard error: `+12 ± 4`, `−2.5 ± 0.4`, and `+40` where they are exact.

    The error stays on the line of its sign.
    """
    if not error:
        return signed_points(round(points, 1))
    if error < FEWEST_POINTS_TO_ROUND:
        return f"{signed_tenths(points)} ±\u00a0{error:.1f}"
    whole = f"{round(points):+,}".replace("-", "−") if round(points) else "0"
    return f"{whole} ±\u00a0{error:,.0f}"


def loss_words(points: float, error: float) -> str:
    """Points that were lost, with their standard error and unit: `23 ± 6 points`, `1 point`."""
    lost = points_with_error(points, error).removeprefix("+")
    return f"{lost} {'point' if lost == '1' else 'points'}"


class ExplainedLoss(NamedTuple):
    """What a decision cost, in a sentence that says how sure that is, and `why`, as far as there is more to say."""

    says: str
    why: str


def certainty_words(decision: ReviewedDecision) -> str:
    """How sure the values of a decision are: `certainly` after the close, exact `on average` in the trick before it."""
    if not decision.certain:
        return "probably"
    return "certainly" if decision.phase == "close" else "on average"


def explain_loss(decision: ReviewedDecision, names: Sequence[str]) -> ExplainedLoss:
    """What a decision cost, and what was better."""
    chosen = decision.choices[decision.chosen]
    lost = loss_words(decision.lost, decision.error)
    who, did, better = names[decision.seat], describe_choice(chosen), describe_better(decision)
    if decision.certain and decision.phase == "last_trick" and decision.why:
        return ExplainedLoss(decision.why, "")
    if not is_surely_behind(chosen):
        return ExplainedLoss(f"{who} may lose {lost} by {did}; {better} may be better.", "")
    sure = certainty_words(decision)
    # After the close, what the review says of it counts the points to come, and not the lead at the end of the deal.
    why = "" if decision.certain else decision.why
    was = "was" if decision.certain else "was probably"
    return ExplainedLoss(f"{who} {sure} loses {lost} by {did}; {better} {was} better.", why)


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
    value = decision.choices[decision.chosen].value
    return -value if decision.seat else value


def _error(decision: ReviewedDecision) -> float:
    return decision.choices[decision.chosen].error


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
MOST_LISTED = 30
"""The most turning points listed of an unfinished review: the list is sent again and again."""


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
class ShownTurningPoint:
    """A turning point of a deal, before its `step`; `is_melding` says that it was not about a card to play.

    `says` tells what it cost and what was better, and `why` what the worlds show, and what that means for the match; that
    may be empty.
    """

    number: int
    step: int
    seat: int
    is_melding: bool
    says: str
    why: str
    grade: str
    did: ShownChoice
    better: ShownChoice


@dataclass(frozen=True, slots=True)
class WeighedDeal:
    """A deal of a deep review; `number` counts from 1, `why_not` says why decisions are missing."""

    number: int
    turning_points: list[ShownTurningPoint]
    chart: LeadChart | None
    decisions: int
    why_not: str


@dataclass(frozen=True, slots=True)
class ProvisionalDeal:
    """The turning points of a deal, as far as a review has come; deals count from 1."""

    number: int
    turning_points: list[ShownTurningPoint]


@dataclass(frozen=True, slots=True)
class ProvisionalReview:
    """What an unfinished review has found: the deals with turning points; `unlisted` others have cost less."""

    deals: list[ProvisionalDeal]
    unlisted: int

    @property
    def turning_points(self) -> int:
        """How many turning points have been found."""
        return self.unlisted + sum(len(deal.turning_points) for deal in self.deals)


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
    """A deep review over all deals of a game; `worlds` is how many each choice was tried in at most.

    `chances` says what the chances of winning the match rest on, None where there are none.
    """

    worlds: int
    chances: ChanceSource | None
    version: str
    why_not: str
    grades: list[CountRow]
    habits: list[CountRow]
    phases: list[PhaseRow]


def weigh_game(review: DeepReview, least: float) -> WeighedGame:
    """The deep review of a game, graded by a limit of `least` points; nothing is weighed again."""
    seats = summarize_seats(review, least=least)
    return WeighedGame(
        worlds=review.terms.worlds,
        chances=review.chances,
        version=review.version,
        why_not=review.why_not,
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


def grade_review(review: DeepReview, least: float | None) -> DeepReview:
    """The deep review, graded by another limit; unchanged for None."""
    if least is None:
        return review
    return replace(
        review,
        deals=[
            replace(
                deal,
                decisions=[
                    replace(each, grade=grade_decision(each, least)) for each in deal.decisions
                ],
                turning_points=find_turning_points(deal.decisions, least),
            )
            for deal in review.deals
        ],
    )


def weigh_deal(deal: DeeplyReviewedDeal, names: Sequence[str], least: float) -> WeighedDeal:
    """The turning points of a deal, and the lead that was expected through it."""
    places = find_turning_points(deal.decisions, least)
    return WeighedDeal(
        number=deal.deal + 1,
        turning_points=[
            _turning_point(number, deal.decisions[place], names, least)
            for number, place in enumerate(places, start=1)
        ],
        chart=build_lead_chart(deal.decisions, places),
        decisions=len(deal.decisions),
        why_not=deal.why_not,
    )


def list_found(review: DeepReview, least: float) -> ProvisionalReview:
    """The costliest turning points that a review has found so far, by a limit of `least` points."""
    found = [
        (deal.deal, number, deal.decisions[place])
        for deal in review.deals
        for number, place in enumerate(find_turning_points(deal.decisions, least), start=1)
    ]
    listed = sorted(found, key=lambda each: -each[2].lost)[:MOST_LISTED]
    listed.sort(key=lambda each: each[:2])
    return ProvisionalReview(
        [
            ProvisionalDeal(
                deal + 1,
                [_turning_point(number, each, review.names, least) for _, number, each in group],
            )
            for deal, group in groupby(listed, key=itemgetter(0))
        ],
        unlisted=len(found) - len(listed),
    )


def _turning_point(
    number: int, decision: ReviewedDecision, names: Sequence[str], least: float
) -> ShownTurningPoint:
    best, chosen = decision.choices[0], decision.choices[decision.chosen]
    told = explain_loss(decision, names)
    return ShownTurningPoint(
        number=number,
        step=decision.event,
        seat=decision.seat,
        is_melding=chosen.kind != "play",
        says=told.says,
        why=f"{told.why} {describe_chance_lost(decision)}".strip(),
        grade=GRADE_WORDS[grade_decision(decision, least)],
        did=ShownChoice.of(chosen),
        better=ShownChoice.of(best),
    )


def _phase_rows(review: DeepReview, seats: Sequence[SeatSummary]) -> Iterator[PhaseRow]:
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


def _error_of_loss(review: DeepReview, seat: int, phases: Container[Phase]) -> float:
    """The standard error of all that a seat lost in these phases; the decisions err independently."""
    errors = [
        decision.error
        for deal in review.deals
        for decision in deal.decisions
        if decision.seat == seat and decision.phase in phases
    ]
    return sqrt(sum(error**2 for error in errors))
