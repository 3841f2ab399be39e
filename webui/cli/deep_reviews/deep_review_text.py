"""A deep review in the terminal: grades, accuracy and habits by seat, then the turning points of every deal."""

from collections.abc import Iterator, Sequence

import click

from analyzer.deep_review.costly_habits import HABITS
from analyzer.deep_review.deep_review import (
    DeeplyReviewedDeal,
    DeepReview,
    Grade,
    ReviewedDecision,
)
from analyzer.deep_review.review_words import PHASE_WORDS, describe_decision, name_grade
from analyzer.deep_review.seat_summaries import ACCURACY_WORDS, SeatSummary, summarize_seats
from records.event_words import describe_event
from records.record import Record
from records.rules.registry import get_sheet
from webui.display.text_width import pad_text, text_width

PRINTED_GRADES: tuple[Grade, ...] = (
    "best",
    "good",
    "inaccuracy",
    "mistake",
    "blunder",
    "too_close",
)
TURNING_POINTS = "Turning points, costliest first:"
NO_TURNING_POINTS = "No decision was certainly a mistake."


def deep_review_lines(review: DeepReview, record: Record, deals: Sequence[int]) -> Iterator[str]:
    """The summary of a game, then the deals whose indices are in `deals`."""
    sheet = get_sheet(review.sheet).name
    yield click.style(f"{' and '.join(review.names)} play {sheet}", bold=True)
    if review.why_not:
        yield review.why_not
        return
    least = review.terms.least
    yield ""
    yield from _table(review.names, summarize_seats(review, least=least))
    yield ""
    yield click.style(ACCURACY_WORDS.format(least=least), dim=True)
    for deal in review.deals:
        if deal.deal in deals:
            yield ""
            yield from _deal(review, deal, record)


def _table(names: Sequence[str], seats: Sequence[SeatSummary]) -> Iterator[str]:
    rows = [("decisions", [str(seat.decisions) for seat in seats])]
    rows += [
        (name_grade(grade), [str(seat.grades.get(grade, 0)) for seat in seats])
        for grade in PRINTED_GRADES
    ]
    rows.append(("points lost", [f"{seat.lost:.0f}" for seat in seats]))
    rows.append(("accuracy", [_percent(seat.accuracy) for seat in seats]))
    for phase, words in PHASE_WORDS.items():
        phases = [seat.phases.get(phase) for seat in seats]
        if any(phases):
            rows.append(
                (f"  {words}", [_percent(some.accuracy if some else None) for some in phases])
            )
    rows += [
        (several, [str(seat.habits.get(habit, 0)) for seat in seats])
        for habit, (_, several) in HABITS.items()
        if any(habit in seat.habits for seat in seats)
    ]
    width = max(len(label) for label, _ in rows)
    columns = [
        max(text_width(name), *(len(cells[i]) for _, cells in rows)) for i, name in enumerate(names)
    ]
    heads = "  ".join(pad_text(name, w, right=True) for name, w in zip(names, columns, strict=True))
    yield click.style(f"  {'':<{width}}  {heads}", bold=True)
    for label, cells in rows:
        line = "  ".join(f"{cell:>{w}}" for cell, w in zip(cells, columns, strict=True))
        yield f"  {label:<{width}}  {line}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"


def _deal(review: DeepReview, deal: DeeplyReviewedDeal, record: Record) -> Iterator[str]:
    yield click.style(f"Deal {deal.deal + 1}", bold=True)
    if deal.why_not:
        yield f"  {deal.why_not}"
    if len(deal.turning_points) > 1:
        yield click.style(f"  {TURNING_POINTS}", dim=True)
    for place in deal.turning_points:
        yield from _turning_point(deal.decisions[place], review.names, record, deal.deal)
    if deal.decisions and not deal.turning_points:
        yield f"  {NO_TURNING_POINTS}"


def _turning_point(
    decision: ReviewedDecision, names: Sequence[str], record: Record, deal: int
) -> Iterator[str]:
    event = record.deals[deal].events[decision.event : decision.event + 1]
    held_back = decision.choices[decision.chosen].kind == "hold_back"
    did = (
        f"{names[decision.seat]} melds nothing."
        if held_back or not event
        else describe_event(event[0], names)
    )
    yield f"  Event {decision.event + 1}, {name_grade(decision.grade)}: {did}"
    yield f"    {describe_decision(decision)}"
