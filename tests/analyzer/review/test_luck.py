"""Luck and skill: the parts add up exactly, and each part measures what its name says."""

import os
from math import sqrt
from random import Random
from statistics import stdev

import msgspec
import pytest

from analyzer.play.base_player import play_out
from analyzer.play.seat_players import base_player_for
from analyzer.play.setting_up import deal_cards
from analyzer.review.annotation import AnalysisTerms, annotate
from analyzer.review.luck import (
    LuckReader,
    Rollouts,
    exchange_draws,
    luck_breakdown_of,
    next_event,
    play_rollout_task,
    rollout_tasks,
)
from analyzer.review.reviewer import estimate_luck
from records.events import CarteBlanche, Cut, Draw, Meld
from records.replay import Match, replay, snapshot_of
from records.rules.compiled import compile_sheet
from records.rules.registry import ALL_SHEETS, get_sheet, resolve_sheet
from records.selfplay import play_game, shuffle_deal
from tests.soak import luck as soak_luck

GAMES = int(os.environ.get("BEZIQUE_LUCK", "1"))
"""Deals of every sheet: `BEZIQUE_LUCK=2000` for the proof, with four packs and more, by one shuffle each."""
MANY = 20
SHUFFLES = 2 if GAMES < MANY else 1
pytestmark = [pytest.mark.long, pytest.mark.timeout(900 if GAMES < MANY else 0)]
EVERY = [sheet.id for sheet in ALL_SHEETS if sheet.rules.tableau is None]
TWO_HANDED = [
    sheet.id for sheet in ALL_SHEETS if sheet.rules.tableau is None and sheet.rules.pack.packs <= 2
]


def parts(luck):
    one, other = luck.skill
    return luck.base + luck.deal + luck.draws + one - other + luck.remainder


def told(record, rollouts):
    return annotate(record, terms=AnalysisTerms(rollouts=rollouts, brink=False)).deals[0].luck


def changes(record, rollouts):
    """What every event of a record's one deal changed, by the first shuffles."""
    (share,) = rollout_tasks(record, rollouts)
    return play_rollout_task(share)


def played_by_base_players(sheet, seed, *, labels):
    player = base_player_for(get_sheet(sheet))
    players = {0: player, 1: player}
    return play_game(sheet, seed=seed, seat_players=players, deals=1, labels=labels)


@pytest.mark.parametrize("sheet", TWO_HANDED if GAMES < MANY else EVERY)
def test_the_parts_add_up_to_the_result(sheet):
    """Under every shuffle by itself, the remainder measured like all the others; and as printed."""
    for seed in range(4, 4 + GAMES):
        style = "greedy" if seed % 2 else "random"
        record = play_game(sheet, seed=seed, style=style, deals=1)
        found = changes(record, SHUFFLES)
        points = list(replay(record))[-1].table.points
        result = points[0] - points[1]
        for shuffle in range(SHUFFLES):
            assert sum(change.by[shuffle] for change in found) == pytest.approx(result)
        if SHUFFLES < 2:
            continue
        luck = luck_breakdown_of([found])
        assert luck.result == result
        assert parts(luck) == pytest.approx(result, abs=1e-9)


def test_the_swings_of_a_part_add_up_to_it():
    luck = told(play_game("bezique", seed=5, style="random", deals=1), 4)
    for part, value in (("draws", luck.draws), ("skill_0", luck.skill[0]), ("deal", luck.deal)):
        own = [swing.points for swing in luck.swings if swing.part == part]
        assert sum(own) == pytest.approx(value, abs=0.05 * (len(own) + 1))
    assert [swing.event for swing in luck.swings] == sorted(swing.event for swing in luck.swings)


def test_what_is_passed_over_after_the_last_trick_is_chosen():
    """Polish: North could still meld a sequence and four kings, and does not."""
    record = play_game("polish-bezique", seed=6, style="random", deals=1)
    last = len(record.deals[0].events) - 1
    assert [(each.part, each.by) for each in changes(record, 2) if each.event == last] == [
        ("skill_0", [-(120.0 + 80)] * 2)
    ]


def test_a_meld_passed_over_is_chosen_and_no_luck_of_the_draw():
    """Who draws instead of melding has chosen to: what follows from it is put down to that player."""
    record = play_game("bezique", seed=4, deals=1)
    (deal,) = record.deals
    index = next(i for i, event in enumerate(deal.events) if isinstance(event, Meld))
    events = [*deal.events[:index], *deal.events[index + 1 :]]
    passed = msgspec.structs.replace(
        record, deals=[msgspec.structs.replace(deal, events=events, claims=None)]
    )
    skill = [each for each in changes(passed, 2) if each.event == index - 1]
    seat = deal.events[index].seat
    assert [each.part for each in skill] == [f"skill_{seat}"]
    assert (1 - 2 * seat) * sum(skill[0].by) < 0
    assert not any(each.event == index and "skill" in each.part for each in changes(record, 2))


def other(record, **changed):
    """The record with its one deal changed."""
    (deal,) = record.deals
    return msgspec.structs.replace(record, deals=[msgspec.structs.replace(deal, **changed)])


def with_stock(record):
    """The same deal, the stock written instead of the draws."""
    (deal,) = record.deals
    drawn = [event.card for event in deal.events if isinstance(event, Draw)]
    events = [event for event in deal.events if not isinstance(event, Draw)]
    return other(record, stock=drawn[: -1 if deal.turn_up else None], events=events)


@pytest.mark.parametrize(
    ("sheet", "seed", "options"),
    [
        ("bezique", 3, {}),
        ("rubicon-bezique", 40, {}),
        ("zique", 2, {"dix": True}),
    ],
)
def test_a_stock_that_is_written_draws_as_well_as_draws_that_are(sheet, seed, options):
    record = play_game(sheet, seed=seed, deals=1, options=options)
    one, another = told(record, 2), told(with_stock(record), 2)
    assert (another.draws, another.skill, another.deal) == (one.draws, one.skill, one.deal)


def test_a_stock_that_is_too_short_is_no_reason_to_stop():
    record = play_game("bezique", seed=3, deals=1)
    drawn = [event.card for event in record.deals[0].events if isinstance(event, Draw)]
    luck = told(other(record, stock=drawn[:10]), 2)
    assert parts(luck) == pytest.approx(luck.result)


def test_a_card_that_lies_twice_in_the_stock_ends_the_roll_outs_all_the_same():
    """A draw is missing from a labelled deal: what was drawn would count the turn-up among the face-down cards."""
    record = play_game("bezique-enhanced", seed=3, style="random", labels=True, deals=1)
    events = record.deals[0].events
    assert isinstance(events[116], Draw)
    assert told(other(record, events=events[:116] + events[117:]), 2) is None


@pytest.mark.parametrize(("seed", "dropped"), [(40, 7), (35, 0)])
def test_a_carte_blanche_passed_over_is_its_own_players(seed, dropped):
    record = played_by_base_players("rubicon-bezique", seed, labels=False)
    events = record.deals[0].events
    shown = events[dropped]
    assert isinstance(shown, CarteBlanche)
    passed = other(record, events=events[:dropped] + events[dropped + 1 :], claims=None)
    luck = told(passed, 4)
    (swing,) = [each for each in luck.swings if each.passed and each.event < dropped + 4]
    assert swing.part == f"skill_{shown.seat}"
    assert (1 - 2 * shown.seat) * swing.points <= -50
    assert not any(
        each.part.startswith("skill") and not each.passed and each.event < dropped + 4
        for each in luck.swings
    )


def test_a_cut_that_scores_is_luck_before_the_deal():
    """Six-pack: seat 1 lifts exactly 24 cards, and scores 250."""
    record = play_game("six-pack-bezique", seed=12, deals=1)
    (share,) = rollout_tasks(other(record, events=record.deals[0].events[:3]), 2)
    reader = LuckReader(
        Match(share.record, resolve_sheet(record.rules.id)), share.record.deals[0], range(2)
    )
    seen = []
    for frame in replay(share.record):
        reader.read(frame)
        if isinstance(frame.event, Cut):
            seen += [each for each in reader.changes if each.event == frame.index]
    assert [(each.part, each.by) for each in seen] == [("deal", [-250.0, -250.0])]


@pytest.mark.parametrize("labels", [True, False])
@pytest.mark.parametrize("sheet", TWO_HANDED if GAMES < MANY else EVERY)
def test_who_plays_as_the_players_of_the_roll_outs_do_gains_nothing_by_choosing(sheet, labels):
    """They know what their seats know and no more, so that at the table they do what they do in the roll-outs."""
    for seed in range(GAMES):
        found = changes(played_by_base_players(sheet, seed, labels=labels), 2)
        assert not [each for each in found if each.part.startswith("skill") and any(each.by)]


@pytest.mark.parametrize("order", [[], [3], [3, 1], [3, 1, 2], [5, 4, 0, 1]])
def test_exchanged_draws_give_each_seat_the_cards_of_the_other(order):
    exchanged = exchange_draws(order)
    pairs = list(zip(order[::2], order[1::2], strict=False))
    assert list(zip(exchanged[::2], exchanged[1::2], strict=False)) == [pair[::-1] for pair in pairs]  # fmt: skip
    assert sorted(exchanged) == sorted(order)
    assert exchange_draws(exchanged) == order


def test_what_lies_face_down_does_not_change_the_next_event():
    """Neither the order of the stock nor which unseen cards are in the other hand."""
    record = played_by_base_players("bezique", 3, labels=True)
    asked = 0
    for frame in replay(record):
        table = frame.table
        down = [card for card, left in table.unseen.items() for _ in range(left)]
        down = down[: table.stock.left]
        if frame.index % 9 or table.draws_due or not down:
            continue
        first = next_event(table, down)
        assert next_event(table, Random(frame.index).sample(down, len(down))) == first
        asked += 1
    assert asked > 5


@pytest.mark.slow
def test_simple_players_lose_by_their_decisions():
    luck = told(play_game("bezique", seed=2, deals=1), 24)
    assert luck.skill[0] + luck.skill[1] < -40


def test_the_average_deal_is_estimated_anew_for_every_deal():
    """The same seeds for all deals would leave sums over many deals with one error in common."""
    bases = {}
    for seed in range(12):
        record = play_game("marjolet", seed=seed, deals=1)
        base, *_ = changes(record, 2)
        assert changes(with_stock(record), 2)[0].by == base.by
        bases.setdefault(record.deals[0].dealer, []).append(tuple(base.by))
    for same_dealer in bases.values():
        assert len(same_dealer) > 3
        assert len(set(same_dealer)) == len(same_dealer)


@pytest.mark.slow
def test_draws_bring_nothing_on_average_and_errors_are_true():
    """A small form of `make soak ARGS=--luck`: a spread of 24 deals is known to about a seventh."""
    found = soak_luck.figures([soak_luck.estimate_twice("marjolet", seed, 4) for seed in range(24)])
    assert all(abs(points) < 3 * error for points, error in found.means.values())
    assert found.spreads.keys() == {"base of other deals", *soak_luck.PARTS}
    for spread in found.spreads.values():
        assert 0.7 < spread < 1.4


@pytest.mark.sampled(1)
@pytest.mark.parametrize("sheet", ["marjolet", "rubicon-bezique"])
def test_the_error_of_the_average_deal_is_less_than_a_tenth_of_a_deals_spread(sheet):
    """With 20 roll-outs, each fresh deal played once more with all cards exchanged; alone they would tell a fifth."""
    rules = compile_sheet(get_sheet(sheet))
    random = Random(sheet)
    fresh = [shuffle_deal(rules, 0, random, seats=2, labels=True) for _ in range(60)]
    single = stdev([play_out(deal_cards(rules.sheet, each)) for each in fresh])
    for seed in range(2):
        luck = told(play_game(sheet, seed=seed, deals=1), 20)
        assert luck.rollouts == 20
        assert 0 < luck.errors[0] < single / 8


def test_more_roll_outs_have_smaller_errors():
    record = play_game("marjolet", seed=3, deals=1)
    few, many = (told(record, number) for number in (8, 64))
    assert sum(many.errors) < 0.6 * sum(few.errors)
    assert many.rollouts == 64


@pytest.mark.slow
def test_paired_draws_make_the_errors_of_skill_much_smaller(monkeypatch):
    """As if four times as many roll-outs were played."""

    def unpaired(self, order=None):
        deal = self._deal.copy()
        if order is not None:
            last = len(deal.stock) - 1
            deal.stock = [deal.stock[last - place] for place in reversed(order)]
        return play_out(deal)

    def errors():
        games = (play_game("bezique", seed=seed, style="casual", deals=1) for seed in range(4))
        return sum(sum(soak_luck.luck_of(game, 16).errors[3:5]) for game in games)

    paired = errors()
    monkeypatch.setattr(Rollouts, "play_out", unpaired)
    assert paired < 0.75 * errors()


@pytest.mark.slow
def test_exchanged_draws_make_the_errors_of_luck_much_smaller(monkeypatch):
    """As if more than twice as many roll-outs were played."""
    games = [played_by_base_players("rubicon-bezique", seed, labels=True) for seed in range(4)]

    def errors():
        return sum(sum(soak_luck.luck_of(game, 16).errors[1:3]) for game in games)

    exchanged = errors()
    twice_as_they_lie = Rollouts.play_out
    monkeypatch.setattr(
        Rollouts, "play_out_twice", lambda self, order: twice_as_they_lie(self, order)
    )
    # One roll-out for two: with two independent ones the errors would be smaller by the root of 2.
    assert exchanged < 0.7 * errors() / sqrt(2)


@pytest.mark.slow
def test_the_skill_of_a_base_player_against_simple_ones_is_visible():
    """It has none by definition; the others lose what it leads by."""
    skills = [soak_luck.skill_of("base", "bezique", seed, 8) for seed in range(8)]
    found = soak_luck.SkillFigures.of(skills)
    assert found.points > 2 * found.error > 0


def test_a_position_is_played_out_to_the_end_and_left_as_it_was():
    frames = replay(play_game("bezique", seed=1, deals=1))
    frame = next(frames)
    deck = [card for card, left in frame.table.unseen.items() for _ in range(left)]
    before = snapshot_of(frame.table)
    Random(1).shuffle(deck)
    lead = Rollouts(frame.table, deck).play_out()
    assert lead % 10 == 0
    assert snapshot_of(frame.table) == before


def test_it_is_only_there_when_it_is_asked_for():
    record = play_game("marjolet", seed=1, deals=2)
    assert all(deal.luck is None for deal in annotate(record).deals)
    notes = annotate(record, terms=AnalysisTerms(rollouts=2))
    assert all(deal.luck is not None for deal in notes.deals)
    assert msgspec.json.decode(msgspec.json.encode(notes), type=type(notes)) == notes


@pytest.mark.slow
def test_other_processes_tell_the_same_luck_and_say_how_far_they_are():
    record = play_game("zique", seed=1, deals=2)
    notes = annotate(record)
    steps = list(estimate_luck(notes, record, 12, processes=2))
    assert steps == [(done, 6) for done in range(1, 7)]
    assert notes == annotate(record, terms=AnalysisTerms(rollouts=12))


@pytest.mark.slow
def test_an_annotation_stays_as_it_was_until_all_is_told():
    record = play_game("zique", seed=1, deals=2)
    notes = annotate(record)
    for _ in estimate_luck(notes, record, 12):
        break
    assert notes == annotate(record)


def test_a_deal_without_an_end_has_no_luck():
    record = play_game("zique", seed=1, deals=1)
    (deal,) = record.deals
    short = msgspec.structs.replace(deal, events=deal.events[:40])
    assert told(msgspec.structs.replace(record, deals=[short]), 2) is None


def test_a_share_of_the_work_is_named_in_a_few_words():
    record = play_game("zique", seed=1, deals=2)
    assert [str(share) for share in rollout_tasks(record, 5)] == [
        "deal 1, shuffles 1 to 2",
        "deal 1, shuffles 3 to 3",
        "deal 2, shuffles 1 to 2",
        "deal 2, shuffles 3 to 3",
    ]


def test_roll_outs_take_nothing_from_the_record_and_do_not_depend_on_what_it_has_left():
    record = play_game("chinese-bezique", seed=207, style="random", deals=1)
    match = Match(record, resolve_sheet(record.rules.id))
    budget = match.reading_budget
    frame = next(frame for frame in replay(record, match=match) if frame.index == 240)
    stock = [card for card, left in frame.table.unseen.items() for _ in range(left)]
    stock = stock[: frame.table.stock.left]
    before = budget.left, budget.for_readers.left
    lead = Rollouts(frame.table, stock).play_out()
    assert (budget.left, budget.for_readers.left) == before
    budget.spend(budget.left)
    assert Rollouts(frame.table, stock).play_out() == lead
    assert budget.is_spent
