"""Games played by the rules, by every sheet: nothing is found in them, and a slow referee agrees."""

import pytest

from records.events import Declare
from records.rules.vocabulary import OneDeal
from tests.playouts.asserts import (
    assert_as_refereed,
    assert_clean,
    assert_conserved,
    assert_prefix_clean,
    prefix,
)
from tests.playouts.games import OPTIONED, STANDARD, Way, values

ways = pytest.mark.parametrize("way", STANDARD, ids=str)
STYLES = ("greedy", "random")


def lone(way: Way) -> bool:
    """Whether one deal is a whole game."""
    return isinstance(way.sheet.rules.match, OneDeal)


def tame(way: Way, style: str) -> str:
    """The style in which few like cards of six packs are melded: the slow way can follow them all."""
    return "random" if way.sheet.rules.pack.packs > 4 else style


@ways
@pytest.mark.parametrize("style", STYLES)
def test_a_game_is_legal_and_every_number_true(way, style):
    for seed in range(3 if lone(way) else 2):
        report = assert_clean(way.play(seed, style, labels=seed % 3 == 1, where=seed % 2 == 0))
        assert report.verdict == "legal"


@pytest.mark.sampled(60)
@pytest.mark.long
@pytest.mark.parametrize("way", OPTIONED, ids=str)
def test_a_game_by_other_options_is_legal_and_refereed_so(way):
    labelled = way.play(0, "greedy", deals=1, labels=True)
    assert_clean(labelled)
    assert_as_refereed(labelled)
    assert_clean(way.play(1, "random", deals=2, where=True))


def test_every_value_of_every_option_is_played():
    told = {(way.sheet.id, name, value) for way in OPTIONED for name, value in way.options.items()}
    assert told >= {
        (way.sheet.id, option.name, value)
        for way in STANDARD
        for option in way.sheet.options
        for value in values(option)
    }


@ways
@pytest.mark.parametrize("style", STYLES)
def test_a_slow_referee_comes_to_the_same(way, style):
    assert_as_refereed(way.play(7, style, deals=2, labels=True))
    assert_as_refereed(way.play(8, tame(way, style), deals=2, where=True))


PENDING = [way for way in (*STANDARD, *OPTIONED) if way.sheet.rules.pending]


@pytest.mark.parametrize("way", PENDING, ids=str)
def test_melds_that_are_shown_first_are_refereed_alike(way):
    """Where laying makes trumps (A-46), a meld shown decides tricks and points from then on."""
    labelled = way.play(9, "random", deals=2, labels=True, shows=True)
    unlabelled = way.play(10, "random", deals=2, where=True, shows=True)
    for record in (labelled, unlabelled):
        assert any(isinstance(event, Declare) for deal in record.deals for event in deal.events)
        assert_clean(record)
        assert_as_refereed(record)


@ways
def test_cards_and_points_are_conserved(way):
    assert_conserved(way.play(3, tame(way, "greedy"), deals=2))
    assert_conserved(way.play(4, "random", deals=1, labels=True))


@pytest.mark.long
@ways
def test_every_prefix_is_clean(way):
    record = way.play(5, tame(way, "greedy"), deals=2)
    for events in range(len(record.deals[-1].events) + 1):
        assert_prefix_clean(prefix(record, events))


@ways
def test_the_same_seed_plays_the_same_game(way):
    assert way.play(6, "random", deals=1) == way.play(6, "random", deals=1)
