"""A deal tells the same whether its draws are written or follow from its stock: every review of it says the same."""

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from analyzer.review.annotation import AnalysisTerms, annotate
from analyzer.review.close_review import table_at_close
from analyzer.review.decisions import OpenDecision, OpenDecisionReader
from analyzer.review.deep_review import ReviewTerms
from analyzer.review.exact_values import NoTableValues, TableValues, value_table
from analyzer.review.reviewer import DealReading, DealTask, read_deal
from records.events import Draw, Play
from records.record import Deal, Record
from records.replay import replay
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game

GAMES = int(os.environ.get("BEZIQUE_BOOKS", "1"))
"""Games of every sheet and style: `BEZIQUE_BOOKS=1000` for the proof."""
MANY = 100
pytestmark = [pytest.mark.long, pytest.mark.timeout(900 if GAMES < MANY else 0)]
TWO_HANDED = [sheet.id for sheet in ALL_SHEETS if sheet.rules.tableau is None]
POSITIONS = 300
WORLDS = 5
WHILE_DRAWING = "No choice has an exact value while cards can be drawn."
EVENT_MEMBERS = {"event", "first", "last", "made", "ended"}
"""The members of an annotation that name an event by its place."""


def without_draws(record: Record) -> Record:
    """The record with the stock of every deal, and without the draws that follow from it."""
    return replace(record, deals=[_with_stock_only(deal) for deal in record.deals])


def _with_stock_only(deal: Deal) -> Deal:
    drawn = [event.card for event in deal.events if isinstance(event, Draw)]
    events = [event for event in deal.events if not isinstance(event, Draw)]
    return replace(deal, stock=drawn[:-1] if deal.turn_up else drawn, events=events)


def places_without_draws(deal: Deal) -> list[int]:
    """For every event, and for the end, its place once the draws are left out; a draw is where the next event is."""
    places = [0]
    for event in deal.events:
        places.append(places[-1] + (not isinstance(event, Draw)))
    return places


def moved(told: Any, places: list[int]) -> Any:
    """Part of a review, with the places that its events have once the draws are left out."""
    match told:
        case {"what": "carte_blanche", **rest}:
            # The draw that brings it is an event in one form alone.
            return moved({**rest, "first": 0, "last": 0}, places)
        case dict():
            return {
                name: places[value]
                if name in EVENT_MEMBERS and isinstance(value, int)
                else moved(value, places)
                for name, value in told.items()
            }
        case list():
            return [moved(each, places) for each in told]
    return told


def games(sheet: str) -> list[Record]:
    return [
        play_game(sheet, seed=seed, style=style, labels=labels, deals=1)
        for seed in range(GAMES)
        for style, labels in (("greedy", False), ("random", True))
    ]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("sheet", TWO_HANDED)
def test_the_annotation_is_the_same(sheet):
    terms = AnalysisTerms(positions=POSITIONS, brink=True)
    for record in games(sheet):
        written, silent = (
            annotate(record, terms=terms),
            annotate(without_draws(record), terms=terms),
        )
        for told, other, deal in zip(written.deals, silent.deals, record.deals, strict=True):
            expected = moved(msgspec.to_builtins(told), places_without_draws(deal))
            assert moved(msgspec.to_builtins(other), [*range(len(deal.events))]) == expected


def reading_of(record: Record) -> DealReading:
    return read_deal(DealTask(record, 0, "", ReviewTerms(worlds=2, positions=POSITIONS)))


def worlds_of(decision: OpenDecision) -> list[list[int]]:
    """Some worlds of a decision: what its seat knows decides which of them are likely."""
    random = Random(decision.seat)
    return [decision.knowledge.world(random).hands for _ in range(WORLDS)]


def open_decisions(record: Record) -> list[tuple[object, ...]]:
    """What there was to decide before the close, in the words of the record."""
    reader = OpenDecisionReader(record.deals[0].events)
    for frame in replay(record):
        reader.read(frame)
    return [
        (
            each.event,
            each.phase,
            each.seat,
            each.chosen,
            worlds_of(each),
            [(choice.what, choice.name, each.cards_of(choice)) for choice in each.choices],
        )
        for each in reader.decisions
    ]


@pytest.mark.slow
@pytest.mark.parametrize("sheet", TWO_HANDED)
def test_the_deep_review_is_the_same(sheet):
    for record in games(sheet):
        silent, places = without_draws(record), places_without_draws(record.deals[0])
        told, other = reading_of(record), reading_of(silent)
        assert msgspec.to_builtins(other.exact) == moved(msgspec.to_builtins(told.exact), places)
        expected = [(places[event], *rest) for event, *rest in open_decisions(record)]
        assert open_decisions(silent) == expected


def values_before_cards(record: Record) -> Iterator[TableValues | NoTableValues]:
    """What is said of the choices before every card that is played after the close."""
    events = record.deals[0].events
    for frame in replay(record):
        following = events[frame.index + 1 : frame.index + 2]
        if following and isinstance(following[0], Play) and table_at_close(frame.table):
            yield value_table(frame.table, POSITIONS)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("sheet", TWO_HANDED)
def test_a_table_has_the_same_values(sheet):
    """Before the first card after the close, a meld that may come before the draws leaves them open."""
    for record in games(sheet):
        (first, *later) = values_before_cards(without_draws(record))
        (expected, *rest) = values_before_cards(record)
        assert later == rest
        assert first in (expected, NoTableValues(WHILE_DRAWING))


def test_before_the_last_draws_a_table_has_values_where_nothing_can_be_melded():
    record = without_draws(play_game("marjolet", seed=1, deals=1))
    assert isinstance(next(values_before_cards(record)), TableValues)


def test_a_carte_blanche_that_a_draw_brings_is_missed():
    record = play_game("rubicon-bezique-recommended", seed=2, style="random", labels=True, deals=1)
    terms = AnalysisTerms(positions=1, brink=False)
    for form in (record, without_draws(record)):
        (deal,) = annotate(form, terms=terms).deals
        assert [each.seat for each in deal.missed if each.what == "carte_blanche"] == [1]
