"""An annotation in the terminal: the summary first, then deal by deal."""

from collections.abc import Iterator, Sequence

import click

from analyzer.annotate.annotation import Annotation, DealAnnotation
from analyzer.annotate.last_stock_trick import gap_sentences
from analyzer.annotate.luck.luck import LuckBreakdown
from analyzer.annotate.luck.swings import (
    describe_greatest_choices,
    describe_greatest_draws,
    parts_of_result,
)
from analyzer.annotate.signed_points import signed_points, signed_tenths
from analyzer.annotate.summary import SeatSum, mistakes, seat_sums
from analyzer.annotate.words import (
    describe_decision,
    describe_last_stock_decision,
    describe_line,
    describe_missed_chance,
    is_worth_telling,
    result_breakdown,
)
from records.events import AnyEvent
from records.record import Record
from records.rules.registry import get_sheet
from webui.display.text_width import pad_text, text_width

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
        "by simple players; ± is the standard error:"
    )
    for part in parts_of_result(luck, names):
        yield f"  {signed_tenths(part.points):>10} ± {part.error:<6.1f} {part.words}"
    yield f"  {signed_points(luck.result):>10} {'':8} the result"
    for title, found in (
        ("Draws that mattered most:", describe_greatest_draws(luck, events, names, least)),
        ("Decisions that gained or cost most, if simple players continue:",
         describe_greatest_choices(luck, events, names, least)),
    ):  # fmt: skip
        if found:
            yield f"  {title}"
            yield from (f"{swing.event + 1:>6}  {swing.words}: {swing.worth}" for swing in found)
