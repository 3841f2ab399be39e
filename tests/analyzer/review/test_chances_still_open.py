"""Of a deal that is not read to its end it is told only what the rest cannot change."""

import os
from random import Random

import pytest
from msgspec.structs import replace

from analyzer.review.annotation import AnalysisTerms, annotate
from records.events import Draw
from records.selfplay import play_game
from tests.make.tables import table

TERMS = AnalysisTerms(positions=1, brink=False)
MARRIAGE = "N: AH TH KD QD AS 9D | S: 7S 8S 7C 8C 9S 9C | trump H | turn-up 9H | stock 19 | N leads"
DIX = "N: AH TH 7H QD AS 9D | S: 7S 8S 7C 8C 9S 9C | trump H | turn-up 9H | stock 19 | N leads"
TWO_TRICKS = "N AH, S 7S, N draws 8D, S draws {}, N TH, S 8S"


def annotated(position, told, **options):
    (deal,) = annotate(table(position, told, **options).record, terms=TERMS).deals
    return deal


def missed(position, told, **options):
    deal = annotated(position, told, sheet="marjolet", **options)
    return [
        (each.what, " ".join(each.could.cards), each.became)
        for each in deal.missed
        if each.what != "brisque"
    ]


@pytest.mark.parametrize("drawn", ["7D", "??"])
def test_a_turn_that_is_not_over_has_missed_nothing(drawn):
    """The record ends, or its first unknown card comes, while the meld may still be made."""
    told = TWO_TRICKS.format(drawn)
    assert missed(MARRIAGE, told) == []
    assert missed(DIX, told) == []


def test_what_is_done_after_an_unknown_card_was_not_left_undone():
    told = TWO_TRICKS.format("??")
    assert missed(MARRIAGE, f"{told}, N melds marriage KD QD 20") == []
    assert missed(DIX, f"{told}, N dix exchange 10") == []


def test_what_went_before_the_unknown_card_is_lost():
    told = TWO_TRICKS.format("7D") + ", N draws TS, S draws TC, N KD, S 7D, N draws KC, S draws {}"
    assert missed(MARRIAGE, told.format("KS")) == []  # the queen is still there
    told += ", N QD, S TC, N draws JC, S draws ??"
    assert missed(MARRIAGE, told.format("KS")) == [("meld", "KD QD", "lost")]
    assert missed(MARRIAGE, told.format("??")) == []


def test_of_a_misdeal_nothing_is_told():
    told = TWO_TRICKS.format("7D") + ", N melds marriage KD QD 20"
    deal = annotated(DIX, f"{told}, irregular S misdeal", sheet="marjolet")
    assert (deal.won, deal.missed) == ([], [])


SHEETS = ["bezique", "bezique-enhanced", "polish-bezique", "rubicon-bezique", "marjolet", "marjolet-oxford", "zique"]  # fmt: skip


@pytest.mark.sampled(5)
@pytest.mark.parametrize("labels", [False, True], ids=["alike", "labelled"])
@pytest.mark.parametrize("sheet", SHEETS)
def test_what_is_told_of_a_deal_cut_short_stays_true(sheet, labels):
    """Wherever a deal breaks off, or the draws of a seat begin to be hidden, the whole deal tells the same and more."""
    for seed in range(int(os.environ.get("BEZIQUE_MISSED", "1"))):
        record = play_game(sheet, seed=seed, style="random", deals=1, labels=labels)
        (whole,) = annotate(record, terms=TERMS).deals
        told = list(map(str, whole.missed))
        events = record.deals[0].events
        for at in Random(seed).sample(range(len(events)), 12):
            hidden = [
                replace(event, card="??")
                if isinstance(event, Draw) and event.seat == at % 2
                else event
                for event in events[at:]
            ]
            for rest in ([], hidden):
                deal = replace(record.deals[0], events=events[:at] + rest, claims=None)
                (cut,) = annotate(replace(record, deals=[deal], result=None), terms=TERMS).deals
                early = [str(each) for each in cut.missed if str(each) not in told]
                assert early == [], (seed, at, bool(rest))
