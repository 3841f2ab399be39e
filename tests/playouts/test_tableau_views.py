"""Views of Zetema whose marriages took their cards from hand or tableau in any way: never illegal, no mismatch."""

import os
from collections.abc import Iterator
from random import Random

import pytest

from records.events import Meld
from records.record import Record
from records.validator import check_record
from tests.playouts.asserts import BAD
from tests.playouts.games import OPTIONED, STANDARD, Way
from tests.playouts.tableau_games import draws_told_by_the_stock, play_any_way, ways_unsaid
from tests.playouts.views import KINDS, views

pytestmark = pytest.mark.long

DEALS = int(os.environ.get("BEZIQUE_VIEWS", "0")) or 2
"""So many games at every table, and a quarter as many (at least one) with every option; 300 examine it in full."""
SHARE = 1 if "BEZIQUE_VIEWS" in os.environ else 4
"""Only a quarter of the views of a game are judged, other kinds at every table and in every game."""
WAYS = {str(way): way for way in [*STANDARD, *OPTIONED] if way.sheet.rules.tableau}


def games(way: Way) -> Iterator[tuple[int, Record]]:
    """Games of a way to play, most of one deal."""
    for seed in range(max(1, DEALS // 4) if way.options else DEALS):
        yield seed, play_any_way(way, seed, deals=3 if seed % 8 == 7 else 1)


def judged(name: str, seed: int, kind: str) -> bool:
    """Whether views of this kind are judged in this game."""
    return (list(WAYS).index(name) + seed + list(KINDS).index(kind)) % SHARE == 0


def wrong(record: Record) -> list[object]:
    """What is found and should not be."""
    report = check_record(record)
    differs = [claim for claim in report.reconciliation if claim.status == "differs"]
    return [finding for finding in report.findings if finding.severity in BAD] + differs


@pytest.mark.parametrize("name", WAYS)
def test_a_record_need_not_say_where_the_cards_of_marriages_came_from(name):
    for _, record in games(WAYS[name]):
        verdict = check_record(record).verdict
        assert verdict in ("legal", "incomplete")
        for told in (ways_unsaid(record), draws_told_by_the_stock(ways_unsaid(record))):
            if told is not None:
                assert wrong(told) == []
                assert check_record(told).verdict == verdict


@pytest.mark.slow
@pytest.mark.parametrize("name", WAYS)
def test_a_view_is_never_illegal_and_no_number_in_it_a_mismatch(name):
    for seed, record in games(WAYS[name]):
        for told in (record, ways_unsaid(record)):
            for view in views(told, Random(f"{name} {seed}")):
                if judged(name, seed, view.kind):
                    assert wrong(view.record) == [], (seed, view.kind)


def test_the_games_leave_ways_open():
    """Some of their marriages have a king or queen that lay on the tableau, and one like it in a hand."""
    married = [
        event
        for way in WAYS.values()
        for _, record in games(way)
        for deal in record.deals
        for event in deal.events
        if isinstance(event, Meld) and event.meld == "marriages" and "KS" in event.cards
    ]
    lying = [event for event in married if {"KS", "QS"} & set(event.from_tableau or ())]
    assert len(lying) > len(married) // 4
