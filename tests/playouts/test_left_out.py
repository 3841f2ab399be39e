"""Draws left out one by one, and plays of shown cards that nobody saw: never illegal, no number a mismatch."""

import os
from collections import Counter

import pytest

from records.events import CarteBlanche, Dix
from records.validator import check_record
from tests.playouts.asserts import assert_as_refereed
from tests.playouts.left_out import KINDS_LEFT_OUT
from tests.playouts.left_out_views import BY_SHEET, game_of, wrong_in_views

DEALS = int(os.environ.get("BEZIQUE_LEFT_OUT", "0")) or 20
"""So many games are seen in every kind of view, those of one sheet after those of another; the soak sees 400 of every
sheet."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS_LEFT_OUT)
def test_no_such_view_of_a_legal_game_is_illegal_or_has_a_mismatch(kind):
    first, sheets = DEALS * KINDS_LEFT_OUT.index(kind), list(BY_SHEET)
    assert [
        wrong
        for seed in range(first, first + DEALS)
        for wrong in wrong_in_views(sheets[seed % len(sheets)], seed, kind)
    ] == []


@pytest.mark.slow
def test_the_games_are_legal_and_show_what_is_left_out():
    shown = Counter[str]()
    for number, sheet in enumerate(BY_SHEET):
        record = game_of(sheet, number)
        if sheet != "zetema":
            assert check_record(record).verdict in ("legal", "incomplete")
            assert_as_refereed(record)
    for sheet in ("zique", "bezique", "rubicon-bezique"):
        for seed in range(12):
            events = game_of(sheet, seed).deals[0].events
            shown.update(
                e.action if isinstance(e, Dix) else "blank"
                for e in events
                if isinstance(e, Dix | CarteBlanche)
            )
    assert min(shown[what] for what in ("show", "exchange", "blank")) > 3
