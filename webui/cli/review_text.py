"""Annotations and deep reviews in the terminal."""

from collections.abc import Iterator, Sequence

import click

from analyzer.review.annotation_words import (
    SeatSum,
    describe_decision,
    describe_last_stock_decision,
    describe_line,
    describe_missed_chance,
    is_worth_telling,
    mistakes,
    result_breakdown,
    seat_sums,
)
from analyzer.review.annotator import Annotation, DealAnnotation
from analyzer.review.deep_review import (
    ACCURACY_WORDS,
    HABITS,
    DeeplyReviewedDeal,
    DeepReview,
    Grade,
    ReviewedDecision,
    SeatSummary,
    summarize_seats,
)
from analyzer.review.deep_review_words import PHASE_WORDS, name_grade
from analyzer.review.deep_review_words import describe_decision as describe_weighed_decision
from analyzer.review.last_stock_trick import gap_sentences
from analyzer.review.luck import (
    LuckBreakdown,
    describe_greatest_choices,
    describe_greatest_draws,
    parts_of_result,
)
from records.event_words import describe_event
from records.events import AnyEvent
from records.phrases import signed_points, signed_tenths
from records.record import Record
from records.rules.registry import get_sheet
from webui.display.text_layout import pad_text, text_width

# An annotation in the terminal: the summary first, then deal by deal.

BEST_LINE_PLIES = 8
"""How many cards and melds of a best line are printed."""


def annotation_lines(
    notes: Annotation, record: Record, scores: Sequence[int | None], deals: Sequence[int]
) -> Iterator[str]:
    """The summary of a game, then the deals whose indices are in `deals`."""
    sheet = get_sheet(notes.sheet).name
    yield click.style(f"{' and '.join(notes.names)} play {sheet}", bold=True)
    if notes.why_not:
        yield notes.why_not
        return
    yield ""
    yield from _table(notes, scores)
    yield ""
    worst = mistakes(notes)
    if worst:
        choice = worst[0].choice
        yield f"Costliest mistake: deal {worst[0].deal + 1}. {describe_decision(choice, notes.names)}"
    yield click.style(notes.maximises, dim=True)
    for deal in notes.deals:
        if deal.deal in deals:
            yield ""
            yield from _deal(notes, deal, record.deals[deal.deal].events)


def _table(notes: Annotation, scores: Sequence[int | None]) -> Iterator[str]:
    sums = seat_sums(notes)
    rows = [
        ("points", ["–" if score is None else f"{score:,}" for score in scores]),
        ("points lost after the close", [str(total.lost) for total in sums]),
        (
            f"mistakes ({notes.terms.least} points or more) / decisions",
            [_share(total) for total in sums],
        ),
        ("melds made", [str(total.melds) for total in sums]),
        ("melds never made (points)", [_lost(total) for total in sums]),
        ("melds made late", [str(total.melds_delayed) for total in sums]),
        ("aces and tens not taken", [str(total.brisques) for total in sums]),
    ]
    width = max(len(label) for label, _ in rows)
    columns = [
        max(text_width(name), *(len(cells[i]) for _, cells in rows))
        for i, name in enumerate(notes.names)
    ]
    heads = "  ".join(
        pad_text(name, w, right=True) for name, w in zip(notes.names, columns, strict=True)
    )
    yield click.style(f"  {'':<{width}}  {heads}", bold=True)
    for label, cells in rows:
        line = "  ".join(f"{cell:>{w}}" for cell, w in zip(cells, columns, strict=True))
        yield f"  {label:<{width}}  {line}"


def _share(total: SeatSum) -> str:
    return f"{total.mistakes} / {total.choices}"


def _lost(total: SeatSum) -> str:
    return f"{total.melds_lost} ({total.melds_lost_points})" if total.melds_lost else "0"


def _deal(notes: Annotation, deal: DealAnnotation, events: Sequence[AnyEvent]) -> Iterator[str]:
    names = notes.names
    yield click.style(f"Deal {deal.deal + 1}", bold=True)
    if deal.tainted:
        yield "  A rule was broken in this deal. The review holds for the position after that."
    if deal.luck is not None:
        yield from _luck(deal.luck, events, notes)
    for decision in deal.brink:
        if decision.lost >= notes.terms.least:
            words = describe_last_stock_decision(decision, names)
            yield click.style(f"{decision.event + 1:>6}  {words}", fg="yellow")
    yield from (f"  {sentence}" for sentence in gap_sentences(deal.brink_gaps))
    if deal.close is None:
        yield f"  {deal.why_not}"
    else:
        yield from (f"  {line}" for line in result_breakdown(deal, names))
        for choice in deal.close.decisions:
            if is_worth_telling(choice, notes.terms.least):
                words = describe_decision(choice, names)
                yield click.style(f"{choice.event + 1:>6}  {words}", fg="yellow")
                yield click.style(
                    f"{'':8}{describe_line(choice.line, names, BEST_LINE_PLIES)}", dim=True
                )
    for missed in deal.missed:
        if missed.what != "brisque":
            tone = "yellow" if missed.became == "lost" else None
            yield click.style(
                f"{missed.last + 1:>6}  {describe_missed_chance(missed, names)}", fg=tone
            )


def _luck(luck: LuckBreakdown, events: Sequence[AnyEvent], notes: Annotation) -> Iterator[str]:
    """The parts of a result, one per line, then the draws and decisions that mattered most."""
    names, least = notes.names, notes.terms.least
    yield (
        f"  Luck and skill, in points for {names[0]}, estimated from {luck.rollouts} roll-outs of every position "
        "by base players; ± is the standard error:"
    )
    for part in parts_of_result(luck, names):
        yield f"  {signed_tenths(part.points):>10} ± {part.error:<6.1f} {part.words}"
    yield f"  {signed_points(luck.result):>10} {'':8} the result"
    for title, found in (
        ("Draws that mattered most:", describe_greatest_draws(luck, events, names, least)),
        ("Decisions that gained or cost most, if base players continue:",
         describe_greatest_choices(luck, events, names, least)),
    ):  # fmt: skip
        if found:
            yield f"  {title}"
            yield from (f"{swing.event + 1:>6}  {swing.words}: {swing.worth}" for swing in found)


# A deep review in the terminal: grades, accuracy and habits by seat, then the turning points of every deal.

PRINTED_GRADES: tuple[Grade, ...] = (
    "best",
    "good",
    "inaccuracy",
    "mistake",
    "blunder",
    "style",
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
    yield from _grade_table(review.names, summarize_seats(review, least=least))
    yield ""
    yield click.style(ACCURACY_WORDS.format(least=least), dim=True)
    for deal in review.deals:
        if deal.deal in deals:
            yield ""
            yield from _reviewed_deal(review, deal, record)


def _grade_table(names: Sequence[str], seats: Sequence[SeatSummary]) -> Iterator[str]:
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


def _reviewed_deal(review: DeepReview, deal: DeeplyReviewedDeal, record: Record) -> Iterator[str]:
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
    yield f"    {describe_weighed_decision(decision)}"
