"""An annotated game as a readable text: one paragraph for each deal, each trick and each end of a deal."""

from collections import defaultdict
from collections.abc import Iterator

import msgspec

from analyzer.review.deep_review import GameReview, ReviewedDeal, ReviewedDecision
from analyzer.review.last_stock_trick import gap_sentences
from analyzer.review.luck import describe_luck
from analyzer.review.review_sums import is_worth_telling
from analyzer.review.review_words import (
    describe_line,
    describe_loss,
    describe_missed_chance,
    result_breakdown,
)
from records.cards import card_sign
from records.engine.table import TableStep
from records.event_words import describe_event
from records.events import Dix, Meld, Play, Score, Trick
from records.phrases import capitalize_first, join_words, name_card, sanitize_text
from records.record import Record
from records.replay import Frame, replay
from records.rules.registry import resolve_rules
from records.rules.vocabulary import BrisqueCount

MOST_MOVES_OF_BEST_LINE = 6
"""Moves of a best line before it breaks off."""
BRISQUES_TAKEN_WORDS = ("", " with a brisque", " with two brisques")
RULE_BROKEN_NOTE = (
    "A rule is broken in this deal. The review goes on from the position that resulted."
)


def narrate_game(record: Record, notes: GameReview) -> Iterator[str]:
    """The paragraphs of the text, one for each trick, with every mistake by the limit of the review where it was made.

    Chances lost for good come at the end of their trick, when nothing more is melded after it. What the record comments on
    an event follows it.
    """
    names = notes.names
    comments = defaultdict[tuple[int, ...], list[str]](list)
    for note in record.notes or ():
        text = " ".join(note.text.split())
        comments[tuple(note.at)].append(sanitize_text(f"{note.by or 'A note'}: “{text}”"))
    sheet = resolve_rules(record.rules).sheet
    yield f"{join_words(names)} play {sheet.name}."
    yield notes.why_not or notes.maximises
    annotations = {deal.deal: deal for deal in notes.deals}
    paragraph: list[str] = []
    missed: list[str] = []
    led = ""
    for frame in replay(record):
        deal, table = annotations.get(frame.deal), frame.table
        if frame.index == -1:
            start = _describe_start(frame, deal, names)
            yield " ".join([f"Deal {frame.deal + 1}. {start}", *comments[frame.deal,]])
            missed += _chances_lost(frame, deal, names)
        elif frame.event is None:
            if paragraph or missed:
                yield " ".join([*paragraph, *missed])
            paragraph, missed = [], []
            yield _describe_end(deal, frame, names)
        else:
            # Melds, dixes and claims still belong to the trick just won; any other event ends it.
            if not isinstance(frame.event, Meld | Dix | Trick):
                paragraph, missed = [*paragraph, *missed], []
            leads = isinstance(frame.event, Play) and table.trick.led is not None
            if leads and paragraph:
                yield " ".join(paragraph)
            if leads:
                paragraph = [f"Trick {table.tricks + 1}."]
            paragraph += _describe_step(frame, deal, notes)
            paragraph += comments[frame.deal, frame.index]
            paragraph += _describe_taker(frame, led, names)
            paragraph += _chances_taken(frame, deal, names)
            missed += _chances_lost(frame, deal, names)
            led = table.trick.led or ""


def _describe_taker(frame: Frame, led: str, names: list[str]) -> Iterator[str]:
    """Who takes the trick just completed, and how many brisques are in it."""
    table, event = frame.table, frame.event
    if (
        isinstance(event, Play)
        and led
        and table.trick.led is None
        and table.trick.winner is not None
    ):
        brisques = sum([card in table.rules.brisques for card in (led, event.card)])
        score = table.rules.written.brisques.count is not BrisqueCount.NEVER
        yield f"{names[table.trick.winner]} takes the trick{BRISQUES_TAKEN_WORDS[brisques if score else 0]}."


def _describe_start(frame: Frame, deal: ReviewedDeal | None, names: list[str]) -> str:
    """Dealer, hands and turn-up of a deal."""
    table = frame.table
    sentences = [f"{names[table.dealer]} deals."]
    for seat, name in enumerate(names):
        held = sorted(
            table.held[seat], key=lambda card: (card[1], -table.rules.strength.get(card, 0))
        )
        cards = " ".join(card_sign(card) for card in held for _ in range(table.held[seat][card]))
        sentences.append(f"{name} has {cards or 'unknown cards'}.")
    if table.stock.turn_up:
        sentences.append(f"{capitalize_first(name_card(table.stock.turn_up))} is turned up.")
    sentences += [finding.message for finding in frame.findings]
    if deal is not None and deal.tainted:
        sentences.append(RULE_BROKEN_NOTE)
    return " ".join(sentences)


def _describe_step(frame: Frame, deal: ReviewedDeal | None, notes: GameReview) -> Iterator[str]:
    """What happens at an event, and what the annotation says about it."""
    event, names, least = frame.event, notes.names, max(notes.terms.least, 1)
    if event is None:
        return
    if isinstance(event, Play) and event.source == "hand":
        event = msgspec.structs.replace(event, source=None)
    found = [finding.message for finding in frame.findings]
    if not isinstance(event, Trick | Score):
        told = describe_event(event, names)
        # What is found in an irregularity begins with the same sentence.
        if not any([message.startswith(told) for message in found]):
            yield told
    yield from found
    if deal is None:
        return
    for decision in (*deal.decisions, *deal.broken):
        if decision.event == frame.index and is_worth_telling(decision, least):
            yield from _describe_choice(decision, names)
    for missed in deal.missed:
        if missed.what == "brisque" and missed.last == frame.index:
            yield describe_missed_chance(missed, names)


def _describe_choice(decision: ReviewedDecision, names: list[str]) -> Iterator[str]:
    yield describe_loss(decision, names)
    if decision.line:
        yield f"Best: {describe_line(decision.line, names, MOST_MOVES_OF_BEST_LINE)}."


def _chances_taken(frame: Frame, deal: ReviewedDeal | None, names: list[str]) -> Iterator[str]:
    """The chances missed before that are taken at this event."""
    for missed in deal.missed if deal else ():
        if missed.what != "brisque" and missed.made == frame.index:
            yield describe_missed_chance(missed, names)


def _chances_lost(frame: Frame, deal: ReviewedDeal | None, names: list[str]) -> Iterator[str]:
    """The chances that were open for the last time at this event, and are never taken."""
    for missed in deal.missed if deal else ():
        if missed.what != "brisque" and missed.made is None and missed.last == frame.index:
            yield describe_missed_chance(missed, names)


def _describe_end(deal: ReviewedDeal | None, frame: Frame, names: list[str]) -> str:
    """The score at the end of a deal, where it came from, and what the close would have allowed."""
    points = " : ".join([f"{points:,}" for points in frame.table.deal_points])
    over = frame.table.step is TableStep.OVER
    sentences = [
        f"The deal ends {points}." if over else f"The record of the deal ends at {points}."
    ]
    sentences += [finding.message for finding in frame.findings]
    if deal is None:
        return " ".join(sentences)
    sentences += gap_sentences(deal.gaps)
    if deal.luck is not None:
        sentences.append(describe_luck(deal.luck, names))
    if deal.close is None:
        sentences += [deal.why_no_close] if deal.why_no_close else []
    return " ".join([*sentences, *result_breakdown(deal, names)])
