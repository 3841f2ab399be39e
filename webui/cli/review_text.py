"""Reviews in the terminal: the sums first, then what cost most, then deal by deal."""

from collections.abc import Iterator, Sequence

import click
from msgspec.structs import replace

from analyzer.review.deep_review import (
    ACCURACY_WORDS,
    HABITS,
    GameReview,
    Grade,
    ReviewedDeal,
    SeatSummary,
    summarize_seats,
)
from analyzer.review.luck import (
    LuckBreakdown,
    describe_greatest_choices,
    describe_greatest_draws,
    parts_of_result,
)
from analyzer.review.review_sums import (
    CostlyChoice,
    SeatSum,
    count_mistakes,
    find_match_turns,
    list_costly_choices,
    seat_sums,
)
from analyzer.review.review_words import (
    GRADE_WORDS,
    PHASE_WORDS,
    describe_line,
    describe_missed_chance,
    explain_loss,
    name_grade,
    result_breakdown,
)
from records.events import AnyEvent
from records.phrases import signed_points, signed_tenths
from records.record import Record
from records.rules.registry import sheet_of_rules
from webui.display.text_layout import pad_text, text_width
from webui.replay.deal_reviews import gaps_of_deal

BEST_LINE_MOVES = 8
"""How many cards and melds of a best line are printed."""
PRINTED_GRADES: tuple[Grade, ...] = (
    "best",
    "good",
    "inaccuracy",
    "mistake",
    "blunder",
    "style",
    "too_close",
)
CHANCE_TURNS = "Turning points, which changed the chance of winning the match most: {places}."
POINT_TURNS = "Turning points, where nothing tells the chance of winning the match those that cost most: {places}."
COSTLY = "Mistakes, costliest first:"
NO_MISTAKES = "No choice was certainly a mistake."


def review_lines(
    review: GameReview, record: Record, scores: Sequence[int | None], deals: Sequence[int]
) -> Iterator[str]:
    """The summary of the deals whose indices are in `deals`, and their `scores`; then each of them."""
    sheet, least = sheet_of_rules(record.rules).name, review.terms.least
    numbers = ", ".join(str(deal + 1) for deal in deals)
    place = f", deal {numbers}" if len(deals) < len(record.deals) else ""
    yield click.style(f"{' and '.join(review.names)} play {sheet}{place}", bold=True)
    if review.why_not:
        yield review.why_not
        return
    yield ""
    chosen = [deal for deal in review.deals if deal.deal in deals]
    yield from _table(replace(review, deals=chosen), scores)
    yield ""
    yield click.style(review.maximises, dim=True)
    if review.is_weighed:
        yield click.style(ACCURACY_WORDS.format(least=least), dim=True)
    yield from _turning_points(review, deals)
    yield from _costly_choices(review, deals)
    for deal in chosen:
        yield ""
        yield from _deal(review, deal, record.deals[deal.deal].events)


def _table(review: GameReview, scores: Sequence[int | None]) -> Iterator[str]:
    sums, counts = seat_sums(review), count_mistakes(review, review.terms.least)
    rows = [
        ("points", ["–" if score is None else f"{score:,}" for score in scores]),
        (
            f"mistakes ({review.terms.least} points or more) / decisions",
            [f"{mistakes} / {decisions}" for mistakes, decisions in counts],
        ),
        ("points lost after the close", [str(total.lost) for total in sums]),
        ("melds made", [str(total.melds) for total in sums]),
        ("melds never made (points)", [_lost(total) for total in sums]),
        ("melds made late", [str(total.melds_delayed) for total in sums]),
        ("aces and tens not taken", [str(total.brisques) for total in sums]),
    ]
    if review.is_weighed:
        rows += _grade_rows(summarize_seats(review, review.terms.least))
    width = max(len(label) for label, _ in rows)
    columns = [
        max(text_width(name), *(len(cells[i]) for _, cells in rows))
        for i, name in enumerate(review.names)
    ]
    heads = "  ".join(
        pad_text(name, w, right=True) for name, w in zip(review.names, columns, strict=True)
    )
    yield click.style(f"  {'':<{width}}  {heads}", bold=True)
    for label, cells in rows:
        line = "  ".join(f"{cell:>{w}}" for cell, w in zip(cells, columns, strict=True))
        yield f"  {label:<{width}}  {line}"


def _lost(total: SeatSum) -> str:
    return f"{total.melds_lost} ({total.melds_lost_points})" if total.melds_lost else "0"


def _grade_rows(seats: Sequence[SeatSummary]) -> list[tuple[str, list[str]]]:
    """Grades, accuracy and habits of every player."""
    rows = [
        (GRADE_WORDS[grade], [str(seat.grades.get(grade, 0)) for seat in seats])
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
    return rows


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"


def _turning_points(review: GameReview, deals: Sequence[int]) -> Iterator[str]:
    turns = find_match_turns(review, review.terms.least)
    places = [f"deal {deal + 1}, event {each.event + 1}" for deal, each in turns if deal in deals]
    if not places:
        return
    has_chances = any(each.choices[0].chance is not None for _, each in turns)
    yield ""
    yield (CHANCE_TURNS if has_chances else POINT_TURNS).format(places="; ".join(places))


def _with_place(deal: int, event: int, words: str) -> str:
    return f"  Deal {deal + 1}, event {event + 1}: {words}"


def _costly_choices(review: GameReview, deals: Sequence[int]) -> Iterator[str]:
    found = [each for each in list_costly_choices(review, review.terms.least) if each.deal in deals]
    yield ""
    yield click.style(COSTLY if found else NO_MISTAKES, bold=True)
    for each in found:
        yield from _costly_choice(each, review)


def _costly_choice(each: CostlyChoice, review: GameReview) -> Iterator[str]:
    names = review.names
    if each.missed is not None:
        words = describe_missed_chance(each.missed, names)
        yield click.style(_with_place(each.deal, each.event - 1, words), fg="yellow")
    if each.decision is None:
        return
    told = explain_loss(each.decision, names)
    words = f"{name_grade(each.decision, review.terms.least)}: {told.says}"
    yield click.style(_with_place(each.deal, each.event, words), fg="yellow")
    if told.why:
        yield f"{'':8}{told.why}"
    if each.decision.line:
        line = describe_line(each.decision.line, names, BEST_LINE_MOVES)
        yield click.style(f"{'':8}Best: {line}.", dim=True)


def _deal(review: GameReview, deal: ReviewedDeal, events: Sequence[AnyEvent]) -> Iterator[str]:
    names = review.names
    yield click.style(f"Deal {deal.deal + 1}", bold=True)
    if deal.tainted:
        yield "  A rule was broken in this deal. The review holds for the position after that."
    if deal.luck is not None:
        yield from _luck(deal.luck, events, review)
    yield from (f"  {sentence}" for sentence in gaps_of_deal(deal))
    yield from (f"  {line}" for line in result_breakdown(deal, names))
    for missed in deal.missed:
        if missed.what != "brisque":
            tone = "yellow" if missed.became == "lost" else None
            yield click.style(
                f"{missed.last + 1:>6}  {describe_missed_chance(missed, names)}", fg=tone
            )


def _luck(luck: LuckBreakdown, events: Sequence[AnyEvent], review: GameReview) -> Iterator[str]:
    """The parts of a result, one per line, then the draws and decisions that mattered most."""
    names, least = review.names, review.terms.least
    yield (
        f"  Luck and skill, in points for {names[0]}, estimated from {luck.rollouts} simulations of every position "
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
