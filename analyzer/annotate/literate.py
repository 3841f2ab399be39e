"""An annotated game as a text to be read, sentence by sentence."""

from collections.abc import Iterator

from analyzer.annotate.annotation import Annotation, DealNotes
from analyzer.annotate.telling import (
    brink_words,
    choice_words,
    line_words,
    luck_words,
    missed_words,
)
from records.cards import sign, words
from records.events import Play, Score, Trick
from records.frames import Frame, replay
from records.record import Record
from records.rules.english.phrases import joined
from records.rules.registry import resolve
from records.words import say

AHEAD = 6
"""So much of a best line is told."""


def literate(record: Record, notes: Annotation) -> Iterator[str]:
    """The paragraphs of the text, one a trick."""
    names = notes.names
    sheet = resolve(record.rules.id, record.rules.edition, record.rules.options).sheet
    yield f"{joined(names)} play {sheet.name}."
    yield notes.why_not or notes.maximises
    told = {deal.deal: deal for deal in notes.deals}
    sentences: list[str] = []
    trick = -1
    for frame in replay(record):
        if frame.index == -1:
            trick = -1
            yield f"Deal {frame.deal + 1}. {_dealt(frame, names)}"
        elif frame.event is None:
            if sentences:
                yield " ".join(sentences)
            yield _books(told.get(frame.deal), frame, names)
            sentences = []
        else:
            if isinstance(frame.event, Play) and frame.table.led is not None and sentences:
                yield " ".join(sentences)
                sentences = []
            if isinstance(frame.event, Play) and frame.table.tricks != trick:
                trick = frame.table.tricks
                if frame.table.led is not None:
                    sentences.append(f"Trick {trick + 1}.")
            sentences += _sentences(frame, told.get(frame.deal), names)


def _dealt(frame: Frame, names: list[str]) -> str:
    table = frame.table
    said = [f"{names[table.dealer]} deals."]
    for seat, name in enumerate(names):
        held = sorted(
            table.held[seat], key=lambda card: (card[1], -table.book.strength.get(card, 0))
        )
        cards = " ".join(sign(card) for card in held for _ in range(table.held[seat][card]))
        said.append(f"{name} has {cards or 'unknown cards'}.")
    if table.turn_up:
        said.append(f"The {words(table.turn_up)} is turned up.")
    return " ".join(said)


def _sentences(frame: Frame, deal: DealNotes | None, names: list[str]) -> Iterator[str]:
    """What happens at an event, and what is to be said of it."""
    if frame.event is None:
        return
    if not isinstance(frame.event, Trick | Score):
        yield say(frame.event, names)
    for finding in frame.findings:
        yield finding.message
    if deal is None:
        return
    for brink in deal.brink:
        if brink.event == frame.index and brink.lost > 0:
            yield brink_words(brink, names)
    if deal.close is not None:
        for choice in deal.close.decisions:
            if choice.event == frame.index and choice.lost:
                yield f"{choice_words(choice, names)[:-1]}: {line_words(choice.line[:AHEAD], names)}."
    for missed in deal.missed:
        if missed.last == frame.index:
            yield missed_words(missed, names)


def _books(deal: DealNotes | None, frame: Frame, names: list[str]) -> str:
    points = " : ".join(map(str, frame.table.points))
    said = f"The deal ends {points}."
    if deal is not None and deal.luck is not None:
        said = f"{said} {' '.join(luck_words(deal.luck, names))}"
    if deal is None or deal.close is None:
        return f"{said} {deal.why_not}" if deal and deal.why_not else said
    close = deal.close
    where = "the close" if not close.unsolved else f"event {close.event + 1}"
    lost = " and ".join(f"{name} {points}" for name, points in zip(names, close.lost, strict=True))
    return (
        f"{said} With best play from {where} on, {names[0]} would have ended {_ahead(close.ahead + close.value + close.apart)};"
        f" lost since then: {lost}."
    )


def _ahead(points: int) -> str:
    if points == 0:
        return "level"
    return f"{points} ahead" if points > 0 else f"{-points} behind"
