"""An annotated game as a text to be read, sentence by sentence."""

from collections.abc import Iterator

import msgspec

from analyzer.annotate.annotation import Annotation, DealAnnotation
from analyzer.annotate.luck.swings import describe_luck
from analyzer.annotate.words import (
    describe_decision,
    describe_last_stock_decision,
    describe_line,
    describe_missed_chance,
    is_worth_telling,
)
from records.cards import card_sign, describe_card
from records.engine.table import TableStep
from records.event_words import describe_event
from records.events import Dix, Meld, Play, Score, Trick
from records.phrases import join_words
from records.record import Record
from records.replay import Frame, replay
from records.rules.registry import resolve_sheet
from records.rules.vocabulary import BrisqueCount

MOST_MOVES_OF_BEST_LINE = 6
"""So much of a best line is told."""
BRISQUES_TAKEN_WORDS = ("", " with a brisque", " with two brisques")
RULE_BROKEN_NOTE = (
    "A rule is broken in this deal: what is said of it holds from the position that came of that."
)


def narrate_game(record: Record, notes: Annotation) -> Iterator[str]:
    """The paragraphs of the text, one a trick."""
    names = notes.names
    sheet = resolve_sheet(record.rules.id, record.rules.edition, record.rules.options).sheet
    yield f"{join_words(names)} play {sheet.name}."
    yield notes.why_not or notes.maximises
    told = {deal.deal: deal for deal in notes.deals}
    said: list[str] = []
    gone: list[str] = []
    led = ""
    for frame in replay(record):
        deal, table = told.get(frame.deal), frame.table
        if frame.index == -1:
            yield f"Deal {frame.deal + 1}. {_dealt(frame, deal, names)}"
        elif frame.event is None:
            if said or gone:
                yield " ".join([*said, *gone])
            said, gone = [], []
            yield _end_of_deal(deal, frame, names)
        else:
            if not isinstance(frame.event, Meld | Dix | Trick):
                said, gone = [*said, *gone], []
            leads = isinstance(frame.event, Play) and table.trick.led is not None
            if leads and said:
                yield " ".join(said)
            if leads:
                said = [f"Trick {table.tricks + 1}."]
            said += [*_sentences(frame, deal, notes), *_taken(frame, led, names)]
            said += _chances(frame, deal, names, made=True)
            gone += _chances(frame, deal, names, made=False)
            led = table.trick.led or ""


def _taken(frame: Frame, led: str, names: list[str]) -> Iterator[str]:
    """Who takes a trick of two that is complete now, with which brisques."""
    table, event = frame.table, frame.event
    if (
        isinstance(event, Play)
        and led
        and table.trick.led is None
        and table.trick.winner is not None
    ):
        brisques = sum([card in table.rules.brisques for card in (led, event.card)])
        score = table.rules.sheet.brisques.count is not BrisqueCount.NEVER
        yield f"{names[table.trick.winner]} takes the trick{BRISQUES_TAKEN_WORDS[brisques if score else 0]}."


def _dealt(frame: Frame, deal: DealAnnotation | None, names: list[str]) -> str:
    table = frame.table
    said = [f"{names[table.dealer]} deals."]
    for seat, name in enumerate(names):
        held = sorted(
            table.held[seat], key=lambda card: (card[1], -table.rules.strength.get(card, 0))
        )
        cards = " ".join(card_sign(card) for card in held for _ in range(table.held[seat][card]))
        said.append(f"{name} has {cards or 'unknown cards'}.")
    if table.stock.turn_up:
        said.append(f"The {describe_card(table.stock.turn_up)} is turned up.")
    said += [finding.message for finding in frame.findings]
    if deal is not None and deal.tainted:
        said.append(RULE_BROKEN_NOTE)
    return " ".join(said)


def _sentences(frame: Frame, deal: DealAnnotation | None, notes: Annotation) -> Iterator[str]:
    """What happens at an event, and what is to be said of it."""
    event, names, least = frame.event, notes.names, max(notes.terms.least, 1)
    if event is None:
        return
    if isinstance(event, Play) and event.source == "hand":
        event = msgspec.structs.replace(event, source=None)
    if not isinstance(event, Trick | Score):
        yield describe_event(event, names)
    yield from [finding.message for finding in frame.findings]
    if deal is None:
        return
    for brink in deal.brink:
        if brink.event == frame.index and brink.lost >= least:
            yield describe_last_stock_decision(brink, names)
    for choice in deal.close.decisions if deal.close else ():
        if choice.event == frame.index and is_worth_telling(choice, least):
            yield describe_decision(choice, names)
            yield f"Best: {describe_line(choice.line, names, MOST_MOVES_OF_BEST_LINE)}."
    for missed in deal.missed:
        if missed.what == "brisque" and missed.last == frame.index:
            yield describe_missed_chance(missed, names)


def _chances(
    frame: Frame, deal: DealAnnotation | None, names: list[str], *, made: bool
) -> Iterator[str]:
    """What was missed and is made up for here, or what could be done here for the last time and never is.

    The one is told at once, the other when nothing else is melded after that trick.
    """
    for missed in deal.missed if deal else ():
        at = missed.last if missed.made is None else missed.made
        if missed.what != "brisque" and at == frame.index and made is (missed.made is not None):
            yield describe_missed_chance(missed, names)


def _end_of_deal(deal: DealAnnotation | None, frame: Frame, names: list[str]) -> str:
    points = " : ".join(map(str, frame.table.points))
    over = frame.table.step is TableStep.OVER
    said = [f"The deal ends {points}." if over else f"The record of the deal ends at {points}."]
    said += [finding.message for finding in frame.findings]
    if deal is not None and deal.luck is not None:
        said.append(describe_luck(deal.luck, names))
    if deal is None or deal.close is None:
        return " ".join([*said, deal.why_not] if deal and deal.why_not else said)
    close = deal.close
    where = "the close" if not close.unsolved else f"event {close.event + 1}"
    would = _ahead(close.ahead + close.value + close.apart)
    lost = join_words([f"{name} {points}" for name, points in zip(names, close.lost, strict=True)])
    said.append(f"With best play from {where} on, {names[0]} would have ended {would}.")
    said.append(f"Lost since then: {lost}." if any(close.lost) else "Neither lost anything by it.")
    return " ".join(said)


def _ahead(points: int) -> str:
    if points == 0:
        return "level"
    return f"{points} ahead" if points > 0 else f"{-points} behind"
