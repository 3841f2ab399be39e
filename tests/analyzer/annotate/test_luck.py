"""Luck and skill: the parts add up exactly, and each is what its name says."""

import os
from random import Random

import msgspec
import pytest

from analyzer.annotate.annotate import annotate
from analyzer.annotate.annotation import Terms
from analyzer.annotate.luck import PARTS, Reader
from analyzer.annotate.rollout import play_out
from records.events import Draw
from records.frames import Match, replay
from records.play import play_game
from records.replay.position import position_of
from records.rules.registry import ALL, resolve
from tests import tables

GAMES = int(os.environ.get("BEZIQUE_LUCK", "1"))
"""Deals of every sheet: `BEZIQUE_LUCK=2000` for the proof, with four packs and more, by one shuffle each."""
MANY = 20
SHUFFLES = 2 if GAMES < MANY else 1
pytestmark = pytest.mark.timeout(120 if GAMES < MANY else 0)
EVERY = [sheet.id for sheet in ALL if sheet.tableau is None]
TWO_HANDED = [sheet.id for sheet in ALL if sheet.tableau is None and sheet.pack.copies <= 2]


def parts(luck):
    one, other = luck.skill
    return luck.base + luck.deal + luck.draws + one - other + luck.remainder


def luck_of(record, rollouts):
    return annotate(record, terms=Terms(rollouts=rollouts, brink=False)).deals[0].luck


@pytest.mark.parametrize("sheet", TWO_HANDED if GAMES < MANY else EVERY)
def test_the_parts_add_up_to_the_result(sheet):
    """Under every shuffle by itself, the remainder measured like all the others; and as printed."""
    for seed in range(4, 4 + GAMES):
        style = "greedy" if seed % 2 else "random"
        record = play_game(sheet, seed=seed, style=style, deals=1)
        reader = Reader(Match(record, resolve(sheet)), record.deals[0], SHUFFLES)
        for frame in replay(record):
            reader.read(frame)
        result = reader.table.points[0] - reader.table.points[1]
        for shuffle in range(SHUFFLES):
            assert sum(reader.sums[part][shuffle] for part in PARTS) == pytest.approx(result)
        if SHUFFLES < 2:
            continue
        luck = reader.luck()
        assert luck.result == result
        assert parts(luck) == pytest.approx(result, abs=1e-9)


def skill_told(record, *, until):
    """What seat 0's choices brought it, under the first shuffle, up to an event and with it."""
    reader = Reader(Match(record, resolve(record.rules.id)), record.deals[0], 2)
    told = {}
    for frame in replay(record):
        reader.read(frame)
        told[frame.index] = reader.sums["skill_0"][0]
    return told[until] - told[until - 1]


def test_what_is_passed_over_after_the_last_trick_is_chosen():
    """Polish: North could still meld a sequence and four kings, and does not."""
    record = play_game("polish-bezique", seed=6, style="random", deals=1)
    assert skill_told(record, until=len(record.deals[0].events) - 1) == -(120 + 80)


def test_a_meld_passed_over_is_chosen_and_no_luck_of_the_draw():
    """Four aces at the first trick won: who draws instead of melding them has chosen to."""
    hands = "N: AS AH AD AC 9C 8C 7D 7C | S: 9S 9H 9D TS TC KH QD JC | turn-up 8H"
    parts = []
    for meld in ("N melds four_aces AS AH AD AC,", ""):
        told = f"N 9C, S 9S, N takes, {meld} N draws KD, S draws 8H"
        record = tables.record_of([tables.deal_of(f"{hands} | S deals afresh", told)])
        reader = Reader(Match(record, resolve("bezique")), record.deals[0], 8)
        for frame in replay(record):
            reader.read(frame)
        parts.append({part: sum(reader.sums[part]) / 8 for part in PARTS})
    scored, passed = parts
    assert scored["skill_0"] > passed["skill_0"]
    assert scored["draws"] == pytest.approx(passed["draws"], abs=60)


def test_a_stock_that_is_written_draws_as_well_as_draws_that_are():
    record = play_game("bezique", seed=3, deals=1)
    (deal,) = record.deals
    drawn = [event.card for event in deal.events if isinstance(event, Draw)]
    events = [event for event in deal.events if not isinstance(event, Draw)]
    stock = msgspec.structs.replace(deal, stock=drawn[:-1], events=events)
    other = msgspec.structs.replace(record, deals=[stock])
    assert luck_of(other, 4) == luck_of(record, 4)


def test_the_same_record_has_the_same_luck():
    record = play_game("marjolet", seed=1, deals=1)
    assert luck_of(record, 5) == luck_of(record, 5)


def test_who_plays_as_the_evaluator_does_gains_nothing_by_choosing():
    """A deal played out by the very players of the roll-outs: their choices change no value."""
    record = play_game("marjolet", seed=2, style="random", deals=1)
    luck = luck_of(record, 24)
    random_loses = -(luck.skill[0] + luck.skill[1])
    assert random_loses > 50
    good = luck_of(play_game("marjolet", seed=2, deals=1), 24)
    assert good.skill[0] + good.skill[1] > -(random_loses / 2)


def test_more_roll_outs_have_smaller_errors():
    record = play_game("marjolet", seed=3, deals=1)
    few, many = (luck_of(record, number) for number in (8, 64))
    assert many.errors[2] < few.errors[2]
    assert many.rollouts == 64


def test_a_position_is_played_out_to_the_end_and_left_as_it_was():
    frames = replay(play_game("bezique", seed=1, deals=1))
    frame = next(frames)
    deck = [
        e.card
        for e in play_game("bezique", seed=1, deals=1).deals[0].events
        if e.__class__.__name__ == "Draw"
    ]
    before = position_of(frame.table)
    Random(1).shuffle(deck)
    lead = play_out(frame.table.copy(), deck[:47])
    assert lead % 10 == 0
    assert position_of(frame.table) == before


def test_it_is_only_there_when_it_is_asked_for():
    record = play_game("marjolet", seed=1, deals=2)
    assert all(deal.luck is None for deal in annotate(record).deals)
    notes = annotate(record, terms=Terms(rollouts=2))
    assert all(deal.luck is not None for deal in notes.deals)
    assert msgspec.json.decode(msgspec.json.encode(notes), type=type(notes)) == notes
