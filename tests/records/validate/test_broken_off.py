"""What no completion can add is missing: a deal broken off is not finished, whatever its record claims, at every level but `scores`."""

import os
from functools import cache
from random import Random

import pytest
from msgspec.structs import replace

from records.events import Discard, Meld, Play
from records.record import Deal, Record, Result
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import BrisqueCount
from records.validate.report import Report
from records.validator import check_record
from tests.make.tables import deal_of, record_of
from tests.playouts.games import OPTIONED, STANDARD
from tests.playouts.views import KINDS, views

TO_SETTLE = BrisqueCount.TO_SETTLE
GAMES = int(os.environ.get("BEZIQUE_VIEWS", "0")) or 1
SHARE = 1 if "BEZIQUE_VIEWS" in os.environ else 6
"""Only a sixth of the views are broken off, other kinds at every table."""
CUTS = (0, 0.1, 0.5, 0.9)
AT_ONCE = [way for way in OPTIONED if "at_once" in way.options.values()]
WAYS = {str(way): way for way in [*STANDARD, *AT_ONCE]}


def broken_off(deal: Deal, share: float) -> Deal | None:
    """The deal with this share of its events, a card played or discarded missing; None if its plays are not told."""
    kept = deal.events[: int(len(deal.events) * share)]
    gone = deal.events[len(kept) :]
    if deal.knowledge == "scores" or not any(isinstance(e, Play | Discard) for e in gone):
        return None
    return replace(deal, events=kept)


@cache
def cut_views(name: str) -> list[tuple[str, Record]]:
    """Views of games of a way to play, their only deal broken off after some of its events."""
    cuts, number = [], list(WAYS).index(name)
    for seed in range(GAMES):
        record = WAYS[name].play(300 + seed, ("random", "greedy")[seed % 2], deals=1)
        for view in views(record, Random(f"{name} {seed}")):
            for share in CUTS:
                deal, number = broken_off(view.record.deals[0], share), number + 1
                if (
                    deal
                    and number % SHARE == 0
                    and (WAYS[name] not in AT_ONCE or tells_points(deal))
                ):
                    cuts.append((f"{view.kind}, {share}", replace(view.record, deals=[deal])))
    return cuts


def tells_points(deal: Deal) -> bool:
    """Whether the deal tells what was scored in it: where play stops at once, points may have ended it."""
    cards = [
        "".join(e.cards) if isinstance(e, Meld) else e.card
        for e in deal.events
        if isinstance(e, Meld | Discard)
    ]
    return deal.knowledge != "plays" and "?" not in "".join(cards)


def claiming(record: Record, *scores: int) -> Record:
    """The record with a result that says it was played to its end."""
    result = Result(status="complete", scores=list(scores) or None, winner=0)
    return replace(record, result=result)


def codes(report: Report, severity: str) -> list[str]:
    return [finding.code for finding in report.findings if finding.severity == severity]


@pytest.mark.slow
@pytest.mark.parametrize("name", WAYS)
def test_a_deal_broken_off_is_not_finished_though_the_record_says_so(name):
    for cut, record in cut_views(name):
        report = check_record(claiming(record))
        assert (report.finished, report.verdict) == (False, "legal_with_mismatches"), cut
        assert codes(report, "mismatch") == ["wrong-status"], cut
        status = next(claim for claim in report.reconciliation if claim.what == "status")
        assert (status.computed, status.status) == ("unfinished", "differs")


@pytest.mark.slow
@pytest.mark.parametrize("name", WAYS)
def test_without_a_claim_it_is_incomplete_or_open_and_in_mid_match_cut_short(name):
    for number, (cut, record) in enumerate(cut_views(name)):
        if number % 2:
            result = (None, Result(status="abandoned"), Result(winner=0))[number % 3]
            report = check_record(replace(record, result=result))
            assert report.verdict in ("incomplete", "undetermined"), cut
            assert not report.finished, cut
        else:
            dealer = (record.deals[0].dealer + 1) % WAYS[name].players
            after = Deal(dealer=dealer, knowledge="public")
            report = check_record(replace(record, deals=[*record.deals, after], result=None))
            assert codes(report, "illegal") == ["deal-cut-short"], cut


@pytest.mark.parametrize("level", ["seat", "public", "plays", None])
@pytest.mark.parametrize("scores", [[20, 0], [1500, 100]])
def test_a_result_does_not_end_a_deal_of_which_nothing_was_played(level, scores):
    seat = 0 if level == "seat" else None
    deal = Deal(dealer=0, knowledge=level, seat=seat, claims=None)
    record = replace(WAYS["bezique-2"].play(1, "random", deals=1), deals=[deal])
    report = check_record(claiming(record, *scores))
    assert (report.finished, codes(report, "mismatch")) == (False, ["wrong-status"])


def test_of_scores_alone_the_record_is_believed():
    record = WAYS["bezique-2"].play(1, "random", deals=1)
    deal = Deal(dealer=0, knowledge="scores", events=record.deals[0].events[:5])
    report = check_record(claiming(replace(record, deals=[deal]), 1500, 100))
    assert (report.finished, report.verdict) == (True, "undetermined")


@pytest.mark.slow
def test_every_kind_that_tells_plays_is_broken_off():
    kinds = {cut.partition(",")[0] for name in WAYS for cut, _ in cut_views(name)}
    assert kinds >= KINDS.keys() - {"scores", "only melds and scores"}


OUTCOMES = [
    {"winner": winner, "settlement": settlement, "scores": scores}
    for winner in (0, 1, None)
    for settlement in (None, [1420, 0], [0, 700])
    for scores in (None, [50, 0], [1500, 1700])
]


@pytest.mark.parametrize("level", ["full", "plays", None])
@pytest.mark.parametrize("status", [None, "complete", "unfinished", "abandoned"])
def test_a_match_that_is_not_over_has_no_winner_and_no_settlement(status, level):
    """So they are compared with nothing, whatever else the result names."""
    for outcome in OUTCOMES:
        told = {name: value for name, value in outcome.items() if value is not None}
        told |= {"winner": outcome["winner"]}
        position = "N: AS 9D | S: 8S 8D | trump H | stock 2 | N leads"
        deal = deal_of(position, "N AS")
        deal.knowledge = level
        record = record_of([deal], sheet="rubicon-bezique-club")
        record.result = Result(status=status, **told)
        expected = ["wrong-status"] if status == "complete" else []
        assert codes(check_record(record), "mismatch") == expected, told


@pytest.mark.parametrize("level", ["full", None])
@pytest.mark.parametrize("sheet", [s.id for s in ALL_SHEETS if s.rules.brisques.count is TO_SETTLE])
def test_what_only_the_end_of_a_deal_brings_is_not_earned_before(sheet, level):
    for claim in ("last_trick", "brisques"):
        position = (
            "N: AS 9D | S: 8S 8D | trump H | stock 2 | scores 1150 1200 | brisques 3 5 | N leads"
        )
        deal = deal_of(position, f"N scores {claim}")
        deal.knowledge = level
        report = check_record(record_of([deal], sheet=sheet))
        assert codes(report, "mismatch") == ["score-not-earned"], claim
