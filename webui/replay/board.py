"""A step of a deal drawn with text: hands, table, trick, stock, score, and what may be done."""

from collections.abc import Iterator, Sequence

import click

from records.cards import card_sign
from records.phrases import pluralize, sanitize_text
from records.validate.finding import Finding
from webui.display.text_layout import pad_text, text_width
from webui.display.verdict_words import SEVERITY_WORDS
from webui.display.words import UNCERTAIN_CARD_MEANING, gain_sentence, points_words
from webui.replay.layout import CardGroup, LegalOption
from webui.replay.steps import DealSteps, ReplayStep, SeatStep, step_reasons

RED_SUITS = ("H", "D")
INDENT_SPACES = 2
EVENT_WIDTH = 62
"""The columns that an event takes before what it scores."""
MOST_LINE_EVENTS_PRINTED = 4
"""The most events of a line that are printed."""


def deal_heading(deal: DealSteps) -> str:
    """The heading of a deal."""
    return click.style(f"Deal {deal.deal + 1} of {deal.deals}", bold=True)


def list_events(deal: DealSteps) -> Iterator[str]:
    """A deal as a list of its events, with their points and findings."""
    yield deal_heading(deal)
    start = deal.steps[0]
    yield f"{'':7}{start.say}"
    width = max(map(text_width, deal.names))
    for name, seat in zip(deal.names, start.seats, strict=True):
        yield f"{'':7}{pad_text(name, width)}  {card_signs(_held(seat))}"
    yield from _findings(deal, start, indent=7)
    yield from _comments(deal, 0, indent=7)
    heading = start.heading
    for number, step in enumerate(deal.steps[1:], start=1):
        if step.heading != heading and step.event is not None:
            heading = step.heading
            yield click.style(f"{'':7}{heading}", dim=True)
        yield _event(deal, number, step)
        yield from _reasons(deal, step)
        yield from _findings(deal, step, indent=7)
        yield from _comments(deal, number, indent=7)


def _event(deal: DealSteps, number: int, step: ReplayStep) -> str:
    line = f"{number:>5}  {step.say}"
    if not step.gains:
        return line
    gains = ", ".join(f"{deal.names[gain.seat]} +{gain.points}" for gain in step.gains)
    return f"{pad_text(line, EVENT_WIDTH)}  {click.style(gains, fg='green')}  {_score(deal, step)}"


def _reasons(deal: DealSteps, step: ReplayStep) -> Iterator[str]:
    for sentence in step_reasons(step, deal.names):
        yield click.style(f"{'':7}{sentence}", dim=True)


def _score(deal: DealSteps, step: ReplayStep) -> str:
    return " : ".join(points_words(seat.points) for seat in step.seats)


def _findings(deal: DealSteps, step: ReplayStep, *, indent: int) -> Iterator[str]:
    for index in step.findings:
        yield " " * indent + finding_words(deal.findings[index])


def _comments(deal: DealSteps, number: int, *, indent: int) -> Iterator[str]:
    """What the record says at a step: its notes, and the lines that it proposes."""
    comments = [
        f"{note.by or 'Note'}: {note.text}" for note in deal.margin.notes if note.step == number
    ]
    for line in deal.margin.lines:
        if line.step == number:
            by = f"Line by {line.by}" if line.by else "Line"
            ahead = [
                *line.said[:MOST_LINE_EVENTS_PRINTED],
                "…" if len(line.said) > MOST_LINE_EVENTS_PRINTED else "",
            ]
            text = " ".join(filter(None, [line.text, *ahead, line.wrong]))
            comments.append(f"{by}: {text}")
    for text in comments:
        yield " " * indent + click.style(sanitize_text(text), fg="cyan")


def finding_words(finding: Finding) -> str:
    """A finding on one line, without its place."""
    text = sanitize_text(f"{SEVERITY_WORDS[finding.severity]}: {finding.message} [{finding.code}]")
    return click.style(text, fg="red" if finding.severity == "illegal" else "yellow")


def render_step_text(deal: DealSteps, number: int) -> Iterator[str]:
    """One step with the whole table, as the terminal counts: by events."""
    yield _step_heading(deal, number, _place(deal, number))
    yield from _step_lines(deal, number)


def render_shared_step(deal: DealSteps, number: int) -> Iterator[str]:
    """The same, as a page counts: by steps, of which the end of the deal is one."""
    yield _step_heading(deal, number, f"step {number} of {len(deal.steps) - 1}")
    yield from _step_lines(deal, number)


def _step_heading(deal: DealSteps, number: int, place: str) -> str:
    step = deal.steps[number]
    return f"{deal_heading(deal)}, {place}, {step.heading.lower()}, {step.phase}"


def _step_lines(deal: DealSteps, number: int) -> Iterator[str]:
    step = deal.steps[number]
    yield click.style(step.say, bold=True)
    yield from _findings(deal, step, indent=INDENT_SPACES)
    yield from _comments(deal, number, indent=INDENT_SPACES)
    if step.taken:
        yield step.taken
    for gain in step.gains:
        words = gain_sentence(deal.names[gain.seat], gain.points, gain.reason or gain.words)
        yield click.style(words, fg="green")
    yield ""
    yield from _rows(_table(deal, step))


def _place(deal: DealSteps, number: int) -> str:
    """A step by the event it follows: the deal before its first event, and its end, are steps without one."""
    count = sum(step.event is not None for step in deal.steps)
    events = pluralize(count, "event")
    if number == 0:
        return f"before the first of {events}"
    if deal.steps[number].event is None:
        return f"after the last of {events}"
    return f"event {number} of {count}"


def _rows(rows: Iterator[tuple[str, str]]) -> Iterator[str]:
    """Labels at the left, as wide as the widest."""
    pairs = list(rows)
    width = max(text_width(label) for label, _ in pairs)
    for label, text in pairs:
        yield f"{'':{INDENT_SPACES}}{pad_text(label, width)}  {text}".rstrip()


def _table(deal: DealSteps, step: ReplayStep) -> Iterator[tuple[str, str]]:
    for number, (name, seat) in enumerate(zip(deal.names, step.seats, strict=True)):
        yield (
            f"{'>' if number == step.seat else ' '} {name}",
            card_signs(_held(seat)) or "no cards in hand",
        )
        for group in seat.laid:
            yield "", _group(group)
        yield "", click.style(_standing(deal, seat), dim=True)
    yield from _middle(deal, step)
    yield from _next(step)
    if any(seat.unsure for seat in step.seats):
        yield "  ?", UNCERTAIN_CARD_MEANING


def _held(seat: SeatStep) -> list[str]:
    """The cards in hand, those unseen as `??`; a card that may lie melded instead carries a mark."""
    return [*seat.hand, *(["??"] * seat.backs)]


def _standing(deal: DealSteps, seat: SeatStep) -> str:
    total = "–" if seat.total is None else f"{seat.total:,}"
    game = f", {total} in the game" if deal.deal else ""
    points = "points unknown" if seat.points is None else pluralize(seat.points, "point")
    return ", ".join(filter(None, [points + game, seat.won]))


def _middle(deal: DealSteps, step: ReplayStep) -> Iterator[tuple[str, str]]:
    if step.centre:
        yield (
            "  Trick",
            ", ".join(f"{deal.names[seat]} {card_signs([card])}" for seat, card in step.centre),
        )
    if step.tableau:
        yield (
            "  Tableau",
            "   ".join(card_signs(pile.cards) for pile in step.tableau if pile.cards) or "empty",
        )
    stock = f"{pluralize(step.stock, 'card')} face down" if step.stock else "empty"
    turned = f", {card_signs([step.turn_up])} turned up" if step.turn_up else ""
    yield "  Stock", stock + turned
    yield "  Trumps", suit_sign(step.trump) if step.trump else deal.no_trump


def _next(step: ReplayStep) -> Iterator[tuple[str, str]]:
    if step.turn:
        yield "  Next", step.turn
    if step.plays:
        yield "  May discard" if step.tableau else "  May play", card_signs(step.plays)
    for option in step.options:
        yield "  May meld" if option.cards else "  May also", _option(option)


def _option(option: LegalOption) -> str:
    points = f" for {option.points}" if option.points else ""
    ways = f" (in {option.ways} ways)" if option.ways > 1 else ""
    return f"{option.words}{points}{ways}{f': {card_signs(option.cards)}' if option.cards else ''}"


def _group(group: CardGroup) -> str:
    return f"{card_signs(group.cards)}  {click.style(group.words, dim=True)}"


def card_signs(words: Sequence[str]) -> str:
    """Cards as people read them, red suits red: `A♠ 10♥`; what is marked `half` is uncertain: `Q♠?`."""
    return " ".join(map(_card, words))


def _card(word: str) -> str:
    card, *marks = word.split()
    text = card_sign(card) + ("?" if {"half", "either"} & {*marks} else "")
    colour = "red" if card[1] in RED_SUITS else None
    lifted = "lifted" in marks or None
    return click.style(text, fg=colour, bold=lifted, underline=lifted)


def suit_sign(suit: str) -> str:
    """A suit's sign."""
    return click.style(card_sign(f"?{suit}")[1:], fg="red" if suit in RED_SUITS else None)
