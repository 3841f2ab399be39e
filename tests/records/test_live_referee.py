"""The referee at the table: what it says while a game is played is what the validator says of the whole."""

import os
from random import Random

import pytest
from msgspec.structs import replace

from records.events import Draw, Irregular, Play
from records.live_referee import LiveError, LiveReferee
from records.record import Record
from records.rules.registry import SHEET_ORDER
from records.selfplay import play_game
from records.validate.finding import Finding
from records.validator import check_record
from tests.playouts.mutants import KINDS

KINDS_A_SHEET = 12
ZETEMA_GAMES = int(os.environ.get("BEZIQUE_LIVE_GAMES", "12"))
"""How many games two referees follow side by side."""


def played(sheet: str, seed: int = 1, *, labels: bool = False) -> Record:
    return play_game(sheet, seed=seed, style="random", deals=1, labels=labels)


def follow(record: Record, *, keep: bool = False) -> tuple[LiveReferee, list[Finding], int]:
    """The referee after all deals, what it told, and how many events it refused."""
    referee = LiveReferee(replace(record, deals=[], result=None), keep=keep)
    told, refused = list[Finding](), 0
    for deal in record.deals:
        told += referee.begin(deal).findings
        for event in deal.events:
            ruling = referee.take(event)
            told += ruling.findings
            refused += not ruling.taken
        told += referee.end_deal(deal.claims)
    return referee, told, refused


def in_events(findings: list[Finding]) -> set[tuple[str, str]]:
    return {(each.code, each.at.pointer) for each in findings if each.at.event is not None}


@pytest.mark.parametrize("labels", [False, True])
@pytest.mark.parametrize("sheet", SHEET_ORDER)
def test_a_legal_game_is_taken_event_by_event(sheet, labels):
    record = played(sheet, labels=labels)
    referee, told, refused = follow(record)
    assert (told, refused) == ([], 0)
    assert referee.record.deals == record.deals
    assert referee.end_match(record.result) == check_record(record)
    assert referee.scores == referee.match.scores


@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEET_ORDER)
def test_what_is_told_of_a_damaged_game_is_what_the_validator_finds(sheet):
    """Taken as it happened, with the end of each deal: nothing is missed, and what was told early holds at the end."""
    random = Random(sheet)
    compared = 0
    for name in random.sample(sorted(KINDS), KINDS_A_SHEET):
        mutant = KINDS[name](played(sheet, random.randrange(5)), random)
        if mutant is None:
            continue
        _, told, refused = follow(mutant.record, keep=True)
        report = check_record(mutant.record)
        if refused:
            assert report.verdict == "illegal", name
        else:
            assert in_events(told) == in_events(report.findings), name
            compared += 1
    assert compared >= KINDS_A_SHEET // 3


class AnewReferee(LiveReferee):
    """A referee that judges the whole deal again at every event."""

    def _may_read_otherwise(self, breaches, forks):
        return True


@pytest.mark.long
@pytest.mark.parametrize("keep", [False, True])
def test_marriages_that_show_late_are_understood_as_if_all_were_judged_again(keep):
    """What the seats hold may decide later from where the cards of a marriage came."""
    random, forks = Random(str(keep)), 0
    for seed in range(ZETEMA_GAMES):
        record = played("zetema", seed)
        kind = KINDS[random.choice(sorted(KINDS))]
        mutant = kind(record, random) if seed % 3 else None
        head = replace(record, deals=[], result=None)
        (deal,) = mutant.record.deals[:1] if mutant else record.deals
        one, other = LiveReferee(head, keep=keep), AnewReferee(head, keep=keep)
        assert one.begin(deal) == other.begin(deal)
        for event in deal.events if one.table else ():
            assert one.take(event) == other.take(event)
            assert (one.scores, one.seat, one.is_deal_over) == (
                other.scores,
                other.seat,
                other.is_deal_over,
            )
            assert one._table.step is other._table.step
            forks += one._forks
    assert forks


@pytest.mark.parametrize("seed", range(3))
def test_a_deal_of_zetema_is_seldom_judged_again(seed, monkeypatch):
    """Judging it again at every event takes as many times longer as it has events."""
    laid_out, lay_out = [], LiveReferee._lay_out
    monkeypatch.setattr(
        LiveReferee, "_lay_out", lambda self: (laid_out.append(1), lay_out(self))[1]
    )
    record = played("zetema", seed)
    follow(record)
    assert len(laid_out) < len(record.deals[0].events) / 5


@pytest.mark.parametrize("sheet", SHEET_ORDER)
def test_what_is_refused_changes_nothing(sheet):
    record, random = played(sheet, 2), Random(sheet)
    referee = LiveReferee(replace(record, deals=[], result=None))
    (deal,) = record.deals
    referee.begin(deal)
    refused = 0
    for event in deal.events:
        if isinstance(event, Play) and random.random() < 0.3:
            wrong = referee.take(replace(event, seat=1 - event.seat))
            assert not wrong.taken
            assert wrong.findings
            refused += 1
        assert referee.take(event) == (True, ())
        if random.random() < 0.05:
            referee.take_back(1)
            assert referee.take(event) == (True, ())
    assert refused or sheet == "zetema"
    assert referee.end_deal(deal.claims) == ()
    assert referee.end_match().findings == check_record(replace(record, result=None)).findings


@pytest.mark.parametrize("sheet", [each for each in SHEET_ORDER if each != "zetema"])
def test_a_draw_that_is_left_out_or_made_by_another_seat_is_refused(sheet):
    """As in a record that says that every card is known, though no draw has been made when the deal begins."""
    (deal,) = played(sheet).deals
    referee = LiveReferee(replace(played(sheet), deals=[], result=None))
    referee.begin(replace(deal, knowledge=None, stock=None))
    first = next(at for at, event in enumerate(deal.events) if isinstance(event, Draw))
    for event in deal.events[:first]:
        assert referee.take(event).taken
    assert referee.scores is not None
    draw = deal.events[first]
    assert not referee.take(replace(draw, seat=1 - draw.seat)).taken
    later = next(event for event in deal.events[first:] if isinstance(event, Play))
    assert not referee.take(later).taken
    assert referee.take(draw).taken


def test_nothing_is_played_after_a_misdeal():
    (deal,) = played("zique").deals
    referee = LiveReferee(replace(played("zique"), deals=[], result=None))
    referee.begin(deal)
    assert referee.take(Irregular(seat=deal.dealer, what="misdeal")).taken
    assert (referee.seat, referee.is_deal_over) == (None, True)
    with pytest.raises(LiveError, match="misdeal"):
        referee.take(deal.events[0])
    assert referee.end_deal() == ()
    assert referee.begin(deal).taken, "the same player deals again"


def test_what_comes_out_of_its_place_is_said_and_forgotten():
    record = played("zique")
    referee = LiveReferee(replace(record, deals=[], result=None))
    (deal,) = record.deals
    for act in (
        lambda: referee.take(deal.events[0]),
        referee.end_deal,
        lambda: referee.take_back(1),
    ):
        with pytest.raises(LiveError, match=r"No deal is open|events to take back"):
            act()
    assert referee.begin(deal).taken
    with pytest.raises(LiveError, match="A deal is open"):
        referee.begin(deal)
