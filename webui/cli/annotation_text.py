"""An annotation in the terminal: what a player looks for first, then where it happened."""

from collections.abc import Iterator, Sequence

import click

from analyzer.annotate.annotation import Annotation, DealNotes
from analyzer.annotate.luck.luck import Luck
from analyzer.annotate.luck.swings import choices_told, draws_told, parts_of, points_words
from analyzer.annotate.summary import SeatSum, mistakes, seat_sums
from analyzer.annotate.words import (
    books,
    brink_words,
    choice_words,
    is_told,
    line_words,
    missed_words,
    signed,
)
from records.events import AnyEvent
from records.record import Record
from records.rules.registry import get

AHEAD = 8
"""So much of a best line is printed."""


def told(
    notes: Annotation, record: Record, scores: Sequence[int], deals: Sequence[int]
) -> Iterator[str]:
    """The summary of a game, then its deals; `deals` are those asked for."""
    sheet = get(notes.sheet).name
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
        yield f"The dearest card: deal {worst[0].deal + 1}. {choice_words(choice, notes.names)}"
    yield click.style(notes.maximises, dim=True)
    for deal in notes.deals:
        if deal.deal in deals:
            yield ""
            yield from _deal(notes, deal, record.deals[deal.deal].events)


def _table(notes: Annotation, scores: Sequence[int]) -> Iterator[str]:
    sums = seat_sums(notes)
    rows = [
        ("points", [f"{score:,}" for score in scores]),
        ("lost after the close", [str(total.lost) for total in sums]),
        (f"mistakes, of {notes.terms.least} points or more", [_share(total) for total in sums]),
        ("melds made", [str(total.melds) for total in sums]),
        ("melds lost for good", [_lost(total) for total in sums]),
        ("melds made late", [str(total.melds_delayed) for total in sums]),
        ("brisques let go", [str(total.brisques) for total in sums]),
    ]
    width = max(len(label) for label, _ in rows)
    columns = [
        max(len(name), *(len(cells[i]) for _, cells in rows)) for i, name in enumerate(notes.names)
    ]
    heads = "  ".join(f"{name:>{w}}" for name, w in zip(notes.names, columns, strict=True))
    yield click.style(f"  {'':<{width}}  {heads}", bold=True)
    for label, cells in rows:
        line = "  ".join(f"{cell:>{w}}" for cell, w in zip(cells, columns, strict=True))
        yield f"  {label:<{width}}  {line}"


def _share(total: SeatSum) -> str:
    return f"{total.mistakes} of {total.choices}"


def _lost(total: SeatSum) -> str:
    return f"{total.melds_lost} ({total.melds_lost_points})" if total.melds_lost else "0"


def _deal(notes: Annotation, deal: DealNotes, events: Sequence[AnyEvent]) -> Iterator[str]:
    names = notes.names
    yield click.style(f"Deal {deal.deal + 1}", bold=True)
    if deal.tainted:
        yield "  A rule was broken in this deal: what is said holds from the position that came of it."
    if deal.luck is not None:
        yield from _luck(deal.luck, events, notes)
    for brink in deal.brink:
        if brink.lost >= notes.terms.least:
            yield click.style(f"{brink.event + 1:>6}  {brink_words(brink, names)}", fg="yellow")
    if deal.close is None:
        yield f"  {deal.why_not}"
    else:
        yield from (f"  {line}" for line in books(deal, names))
        for choice in deal.close.decisions:
            if is_told(choice, notes.terms.least):
                said = choice_words(choice, names)
                yield click.style(f"{choice.event + 1:>6}  {said}", fg="yellow")
                yield click.style(f"{'':8}{line_words(choice.line, names, AHEAD)}", dim=True)
    for missed in deal.missed:
        if missed.what != "brisque":
            tone = "yellow" if missed.became == "lost" else None
            yield click.style(f"{missed.last + 1:>6}  {missed_words(missed, names)}", fg=tone)


def _luck(luck: Luck, events: Sequence[AnyEvent], notes: Annotation) -> Iterator[str]:
    """The parts of a result below one another, then the draws and choices that made most of it."""
    names, least = notes.names, notes.terms.least
    yield (
        f"  Luck and skill for {names[0]}, by {luck.rollouts} roll-outs of every position by simple players; "
        "± is the standard error:"
    )
    for part in parts_of(luck, names):
        yield f"  {points_words(part.points):>10} ± {part.error:<6.1f} {part.words}"
    yield f"  {signed(luck.result):>10} {'':8} the result"
    for title, found in (
        ("Draws that brought most:", draws_told(luck, events, names, least)),
        ("Choices that brought or cost most, as the simple players would go on:",
         choices_told(luck, events, names, least)),
    ):  # fmt: skip
        if found:
            yield f"  {title}"
            yield from (f"{each.event + 1:>6}  {each.words}: {each.worth}" for each in found)
