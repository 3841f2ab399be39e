"""A few readings prove a deal legal; what none of them allows is decided by all."""

from random import Random

import pytest

from records.engine import copies
from records.engine.copies import ReadingBudget
from records.engine.deal import lay_out_deal
from records.events import Draw, Meld
from records.record import Deal, Laid, Player, Record, Rules, Setup
from records.replay import Match, replay
from records.rules.compiled import compile_sheet
from records.rules.registry import resolve_rules
from tests.playouts.games import OPTIONED, STANDARD, Way
from tests.playouts.mutants import KINDS
from tests.records.engine.all_readings import assert_few_readings_tell_the_same

WITHOUT_DIX = [
    way
    for way in [*STANDARD, *OPTIONED]
    if way.sheet.rules.dix is None and way.sheet.rules.tableau is None
]
DAMAGE = ("drop a meld", "change a card of a meld", "repeat an event", "swap neighbours")
BUDGET = 10**9


def replayed(record: Record, *, few: bool) -> Match:
    """The match after a replay, with what was spent on telling copies apart."""
    match = Match(record, resolve_rules(record.rules), budget=ReadingBudget(BUDGET))
    for _ in replay(record, match=match, findings_only=True, few_readings=few):
        pass
    return match


def steps(match: Match) -> int:
    return match.reading_budget.spent + match.few_readings_budget.spent


def standard(sheet: str) -> Way:
    return next(way for way in STANDARD if way.sheet.id == sheet)


def table_of(record: Record):
    rules = compile_sheet(resolve_rules(record.rules).sheet)
    names = [player.name for player in record.players]
    return lay_out_deal(rules, record.deals[0], names, few_readings_budget=ReadingBudget())


@pytest.mark.slow
@pytest.mark.parametrize("followed", [1, copies.FEW_READINGS])
@pytest.mark.parametrize("way", WITHOUT_DIX, ids=str)
def test_few_readings_tell_the_same_of_good_and_of_damaged_games(way: Way, followed, monkeypatch):
    monkeypatch.setattr(copies, "FEW_READINGS", followed)
    for seed, style in enumerate(("greedy", "random")):
        record = way.play(seed, style, labels=False, where=bool(seed))
        assert assert_few_readings_tell_the_same(record).verdict == "legal"
        for name in DAMAGE:
            mutant = KINDS[name](record, Random(f"{way} {seed} {name}"))
            if mutant is not None:
                assert_few_readings_tell_the_same(mutant.record)


@pytest.mark.slow
def test_one_reading_is_often_not_enough(monkeypatch):
    """Otherwise the test above would not try what follows when the few run out."""
    monkeypatch.setattr(copies, "FEW_READINGS", 1)
    redone = 0
    for way in WITHOUT_DIX:
        record = way.play(0, "greedy", labels=False, where=False)
        frames = list(replay(record, findings_only=True, few_readings=True))
        redone += any([not frame.table.tracking.few for frame in frames])
    assert redone > len(WITHOUT_DIX) // 4


@pytest.mark.long
@pytest.mark.parametrize(("sheet", "times"), [("chinese-bezique", 2), ("six-pack-bezique", 3)])
def test_few_readings_cost_less(sheet: str, times: int):
    way = standard(sheet)
    few = every = 0
    for seed in range(10):
        record = way.play(seed, "greedy", labels=False, where=False)
        few += steps(replayed(record, few=True))
        every += steps(replayed(record, few=False))
    assert few < every / times


@pytest.mark.long
def test_what_was_dropped_of_a_few_leaves_nothing_incomplete():
    way = standard("six-pack-bezique")
    for seed in range(8):
        record = way.play(seed, "greedy", labels=False, where=False)
        for frame in replay(record, findings_only=True, few_readings=True):
            tracking = frame.table.tracking
            assert not tracking.incomplete
            assert not tracking.exhausted


@pytest.mark.parametrize("way", STANDARD, ids=str)
def test_few_are_followed_only_where_readings_decide_nothing_but_what_is_legal(way: Way):
    record = way.play(0, "greedy", labels=False, where=False)
    few = table_of(record).tracking.few
    # A dix scores once for a copy, so readings decide points, too; and a tableau has no copies.
    assert few == (way.sheet.rules.dix is None and way.sheet.rules.tableau is None)


def test_a_deal_with_unknown_cards_is_replayed_with_all_readings():
    way = standard("six-pack-bezique")
    record = way.play(0, "greedy", labels=False, where=False)
    record.deals[0].knowledge = "seat"
    assert not table_of(record).tracking.few


@pytest.mark.parametrize("sheet", ["six-pack-bezique", "chinese-bezique", "rubicon-bezique"])
def test_a_deal_in_which_an_unknown_card_is_drawn_is_replayed_with_all_readings(sheet):
    way = standard(sheet)
    record = way.play(1, "greedy", labels=False, where=False)
    draw = next(event for event in record.deals[0].events if isinstance(event, Draw))
    draw.card = "??"
    assert table_of(record).tracking.few
    *_, frame = replay(record, findings_only=True, few_readings=True)
    assert not frame.table.tracking.few
    assert_few_readings_tell_the_same(record)


@pytest.mark.long
def test_what_few_readings_cost_is_not_taken_from_what_all_may_cost(monkeypatch):
    """Otherwise a later deal of the record might be left undetermined."""
    monkeypatch.setattr(copies, "FEW_READINGS", 1)
    way = standard("chinese-bezique")
    compared = 0
    for seed in range(6):
        record = way.play(seed, "greedy", labels=False, where=False)
        few, every = replayed(record, few=True), replayed(record, few=False)
        assert few.reading_budget.spent <= every.reading_budget.spent
        compared += few.reading_budget.spent > 0
    assert compared


def test_no_more_deals_are_proved_by_few_readings_once_their_budget_is_spent():
    way = standard("chinese-bezique")
    record = way.play(0, "greedy", labels=False, where=False)
    match = Match(record, resolve_rules(record.rules))
    match.few_readings_budget.spend(match.few_readings_budget.left)
    *_, frame = replay(record, match=match, findings_only=True, few_readings=True)
    assert not frame.table.tracking.few


MELDS_BEFORE = [
    ["AC", "AD", "AD", "AS"], ["AD", "AD"], ["AC", "AD", "AD", "AS"], ["AC", "AD", "AD", "AS"],
    ["AC", "AD", "AD", "AS"], ["AS", "AS", "AS", "AS"],
]  # fmt: skip


def test_a_position_with_melds_is_read_with_all_readings():
    """Few readings ran out while its melds were laid, and an aces' meld was no longer known to have scored."""
    laid = [Laid(meld="four_aces", cards=cards) for cards in MELDS_BEFORE]
    other = ["8C", "JD", "AH", "QS", "AH", "7D", "AC", "9C", "TH", "8S", "7C", "8D"]
    setup = Setup(
        hands=[["AD", "AD", "AS", "AC", "AD"], other], seat=0, tables=[laid, []], stock=30,
        trump="S", scores=[200, 100], won=True,
    )  # fmt: skip
    meld = Meld(seat=0, meld="four_aces", cards=["AS"] * 4, points=100)
    deal = Deal(dealer=1, knowledge="full", setup=setup, events=[meld])
    record = Record(
        format="bezique-record",
        version="1.0",
        rules=Rules(id="chinese-bezique"),
        players=[Player(name="A"), Player(name="B")],
        deals=[deal],
    )
    report = assert_few_readings_tell_the_same(record)
    assert [finding.code for finding in report.findings] == ["meld-reuses-cards"]


@pytest.mark.parametrize("sheet", ["chinese-bezique", "rubicon-bezique", "six-pack-bezique"])
def test_what_a_record_counts_differently_is_kept_once(sheet):
    """A deal replayed twice because a card is unknown was counted twice."""
    way = standard(sheet)
    record = way.play(1, "greedy", labels=False, where=False)
    deal = record.deals[0]
    next(event for event in deal.events if isinstance(event, Draw)).card = "??"
    assert deal.claims is not None
    assert deal.claims.scores is not None
    deal.claims.scores[0] += 100
    assert len(replayed(record, few=True).differences) == 1
    assert_few_readings_tell_the_same(record)
