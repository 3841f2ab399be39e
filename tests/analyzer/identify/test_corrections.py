"""Corrections: for a single error, the true correction is nearly always suggested, and mostly first."""

import os

import pytest

from analyzer.identify import corrections
from analyzer.identify.corrections import CardCensus, suggest_corrections
from records.engine.copies import MOST_READING_STEPS
from records.events import Draw, Play
from records.rules.compiled import compile_sheet
from records.rules.registry import get_sheet
from records.selfplay import play_game
from records.validator import check_record
from tests.analyzer.identify.corrupted import corrupted
from tests.playouts.hoarding import play_hoarding_game

DEALS = int(os.environ.get("BEZIQUE_REPAIRS", "60"))
"""Corrupted deals: `BEZIQUE_REPAIRS=300` for the proof."""


@pytest.mark.long
def test_the_true_repair_is_suggested():
    among = first = 0
    for spoilt, true, _ in corrupted(DEALS, seed=1):
        found = suggest_corrections(spoilt)
        same = [each.repaired.events == true.deals[0].events for each in found]
        among += any(same)
        first += same[:1] == [True]
        for each in found:
            spoilt.deals = [each.repaired]
            assert check_record(spoilt).verdict != "illegal"
    assert among >= 0.95 * DEALS
    assert first >= 0.7 * DEALS


def test_a_legal_record_means_what_it_says():
    assert suggest_corrections(play_game("zique", seed=1)) == []


def test_every_illegal_deal_is_looked_at():
    record = play_game("bezique", seed=3)
    for deal in record.deals[1:3]:
        index = next(i for i, event in enumerate(deal.events) if isinstance(event, Draw))
        del deal.events[index]
    found = suggest_corrections(record)
    assert {each.deal for each in found} == {1, 2}
    assert {each.kind for each in found} == {"missing draw"}


def test_a_deal_that_was_not_played_to_its_end_is_repaired_too():
    record = play_game("bezique", seed=4)
    record.deals, record.result = record.deals[:1], None
    events = record.deals[0].events
    at = [i for i, event in enumerate(events) if isinstance(event, Play)][20]
    true = events[at].card
    record.deals[0].events = events = events[: at + 12]
    events[at] = Play(seat=events[at].seat, card="9C" if true != "9C" else "8C")
    if check_record(record).verdict == "illegal":
        says = [
            each.repaired.events[at].card
            for each in suggest_corrections(record)
            if each.event == at
        ]
        assert true in says


def test_a_correction_is_a_sentence():
    record = play_game("bezique", seed=3)
    events = record.deals[0].events
    draws = [i for i, event in enumerate(events) if isinstance(event, Draw)]
    first = draws[6]
    events[first], events[first + 1] = events[first + 1], events[first]
    assert [each.says for each in suggest_corrections(record)] == ["Bob draws before Ann."]
    events[first], events[first + 1] = events[first + 1], events[first]
    played = [i for i, event in enumerate(events) if isinstance(event, Play)][20]
    events[played] = Play(seat=events[played].seat, card="9C")
    assert suggest_corrections(record)[0].says == (
        "Bob plays the 8 of spades instead of the 9 of clubs."
    )


@pytest.mark.long
def test_all_changes_together_share_a_budget(monkeypatch):
    """Telling the cards of this game apart takes hundreds of thousands of steps for every change tried."""
    record = play_hoarding_game("chinese-bezique", 0, labels=False)
    events = record.deals[0].events
    at = [index for index, event in enumerate(events) if isinstance(event, Play)][-6]
    events[at] = Play(seat=events[at].seat, card="9C" if events[at].card != "9C" else "8C")
    most, given = MOST_READING_STEPS // 4, []
    monkeypatch.setattr(corrections, "MOST_CORRECTION_STEPS", most)
    shared = corrections.StepBudget

    def watched(steps):
        given.append(shared(steps))
        return given[-1]

    monkeypatch.setattr(corrections, "StepBudget", watched)
    suggest_corrections(record)
    assert -MOST_READING_STEPS <= given[0].left < most


def test_the_cards_played_have_labels_where_the_hands_show_none():
    (deal,) = play_game("bezique", seed=2, labels=True, deals=1).deals
    deal.hands = [["??"] * len(hand) for hand in deal.hands]
    census = CardCensus(deal, compile_sheet(get_sheet("bezique")))
    assert not census.played_surplus
    assert not census.played_missing


def test_a_label_on_a_card_of_which_there_is_one_changes_no_correction():
    (deal,) = play_game("marjolet", seed=0, deals=1).deals
    plays = [event for event in deal.events if isinstance(event, Play)]
    plays[20].card = plays[13].card
    rules = compile_sheet(get_sheet("marjolet"))
    plain = CardCensus(deal, rules).instead_of_play(plays[20].card)
    for play in (plays[0], plays[20]):
        play.card += ".1"
        assert CardCensus(deal, rules).instead_of_play(plays[20].card) == plain
    assert plain


def test_no_card_is_suggested_instead_of_itself():
    """Of a deal that was not played to its end any other card may have been meant."""
    (deal,) = play_game("marjolet", seed=0, deals=1).deals
    card = next(event.card for event in deal.events if isinstance(event, Play))
    del deal.events[10:]
    census = CardCensus(deal, compile_sheet(get_sheet("marjolet")))
    assert len(census.instead_of_play(card)) == len(census.names) - 1
    assert card not in census.instead_of_play(f"{card}.1")
    assert card not in census.instead_of_deal(f"{card}.1")
