"""The chance of winning the match, beside the points of a choice: what the rules decide, and how sure the rest is."""

from math import sqrt
from random import Random
from statistics import mean

import msgspec
import pytest

from analyzer.players.expectancy import shipped_models
from analyzer.players.winning_model import (
    MatchState,
    chance_slope,
    estimate_chance,
    slope_error,
    state_features,
)
from analyzer.review.deep_review import (
    ChanceSource,
    GameReview,
    ReviewedChoice,
    ReviewedDecision,
    ReviewTerms,
)
from analyzer.review.last_stock_trick import LastStockTrickWatch
from analyzer.review.review_words import describe_chance, describe_chance_lost, describe_loss
from analyzer.review.reviewer import MOST_EVENTS_REVIEWED, DealTask, ReviewWork, read_deal
from analyzer.review.winning import (
    ChoiceChances,
    DealChances,
    DealEnd,
    WinningModel,
    chances_by_deal,
)
from records.record import Record
from records.replay import Match, replay
from records.rules.registry import resolve_rules
from records.selfplay import play_game

FEW = ReviewTerms(worlds=4, positions=2_000)
PERCENT = "\u00a0%"


def model_of(sheet: str) -> WinningModel:
    return WinningModel.of_simulated(shipped_models()[sheet])


def deal_chances(record: Record) -> list[DealChances]:
    found = chances_by_deal(record, resolve_rules(record.rules), model_of(record.rules.id))
    return [*found.values()]


@pytest.fixture(scope="module")
def race() -> Record:
    """A whole match of several deals."""
    return play_game("marjolet", seed=5, style="casual")


@pytest.fixture(scope="module")
def last_deal(race: Record) -> GameReview:
    """The review of the match as far as its last deal goes."""
    work = ReviewWork(race, terms=FEW, model=model_of("marjolet"))
    work._tasks = work._tasks[-1:]
    for _ in work.run():
        pass
    return work.review()


def test_a_side_with_the_target_wins_and_below_it_the_model_tells(race: Record) -> None:
    first, *_, last = deal_chances(race)
    assert first.after(DealEnd((520, 480)), 0).chance == 1
    assert first.after(DealEnd((520, 480)), 1).chance == 0
    assert first.after(DealEnd((480, 520)), 0).chance == 0
    even = first.after(DealEnd((520, 520)), 0).chance
    assert 0.4 < even < 0.6
    ahead, behind = (first.after(DealEnd((300, 200)), seat).chance for seat in (0, 1))
    assert 0.6 < ahead < 1
    assert ahead + behind == pytest.approx(1)
    assert last.after(DealEnd((300, 200)), 0).chance != ahead


def test_between_deals_it_is_the_chance_that_the_page_of_the_match_shows(race: Record) -> None:
    """The other seat deals next, with what both have, and nothing of its deal is known."""
    first = deal_chances(race)[0]
    model, dealer = shipped_models()["marjolet"], race.deals[0].dealer
    points = (300, 180)
    own, other = points[1 - dealer], points[dealer]
    terms = first._terms
    features = state_features(MatchState(0, own, other, 0, 0, 0), terms, model.shape)
    stated = estimate_chance(model.weights, features)
    found = first.after(DealEnd(points), 1 - dealer)
    assert found.chance == pytest.approx(stated.chance)
    reach = 1.96 * first.error_of(found.slope)
    assert (stated.high - stated.low) / 2 == pytest.approx(reach, rel=0.05)


def test_the_slope_is_how_the_chance_changes_with_each_weight() -> None:
    weights = shipped_models()["bezique"].weights
    features = (0.3, 0.1, 0.4, 0.2, -0.3)
    chance, slope = chance_slope(weights, features)
    for place in range(len(features)):
        moved = [*weights.weights]
        moved[place] += 1e-6
        changed, _ = chance_slope(msgspec.structs.replace(weights, weights=moved), features)
        assert (changed - chance) / 1e-6 == pytest.approx(slope[place], abs=1e-5)
    assert slope_error(weights, [0.0] * 5) == 0


@pytest.mark.long
def test_a_deal_that_is_settled_by_itself_needs_no_model() -> None:
    record = play_game("rubicon-bezique", seed=4, style="casual", deals=1)
    resolved = resolve_rules(record.rules)
    (chances,) = chances_by_deal(record, resolved, None).values()
    assert chances.after(DealEnd((1200, 1100)), 0).chance == 1
    assert chances.after(DealEnd((1200, 1200), (3, 5)), 0).chance == 0  # the brisques break the tie
    assert chances.after(DealEnd((1200, 1200), (4, 4)), 0).chance == 0.5
    assert (
        chances.after(DealEnd((990, 700), (0, 31)), 0).chance == 0
    )  # saved by brisques, and ahead
    assert ReviewWork(record).review().chances == ChanceSource(0, 0)
    exact = read_deal(DealTask(record, 0, "", FEW, chances)).exact.decisions
    closes = [each for each in exact if each.phase == "close"]
    assert closes
    for decision in closes:
        for choice in decision.choices:
            assert choice.chance in (0, 0.5, 1, None)
            assert choice.chance_error == 0


@pytest.mark.long
def test_what_is_exact_after_the_close_ends_as_the_match_did(
    race: Record, last_deal: GameReview
) -> None:
    review = last_deal
    assert review.chances == ChanceSource(0, shipped_models()["marjolet"].matches)
    winner = winner_of(race)
    decisions = [each for each in review.deals[-1].decisions if each.phase == "close"]
    seen = 0
    for decision in reversed(decisions):
        if decision.lost:
            break
        seen += 1
        assert decision.choices[decision.chosen].chance == float(decision.seat == winner)
    assert seen > 0


def winner_of(record: Record) -> int:
    match = Match(record, resolve_rules(record.rules))
    for _ in replay(record, match=match):
        pass
    assert match.complete
    assert match.winner is not None
    return match.winner


@pytest.mark.long
def test_before_the_close_every_choice_has_a_chance_with_an_error(last_deal: GameReview) -> None:
    for deal in last_deal.deals:
        for decision in deal.decisions:
            if decision.phase == "close":
                continue
            assert decision.choices[0].chance_behind == 0
            for choice in decision.choices:
                assert choice.chance is not None
                assert 0 <= choice.chance <= 1
                assert decision.certain or choice.chance_error > 0


def test_without_a_model_a_race_has_no_chances(race: Record) -> None:
    resolved = resolve_rules(race.rules)
    assert chances_by_deal(race, resolved, None) == {}


def test_a_record_that_is_too_long_to_review_is_not_replayed_for_chances() -> None:
    record = play_game("marjolet", seed=5, deals=2)
    assert ReviewWork(record, model=model_of("marjolet")).review().chances
    events = record.deals[1].events * (MOST_EVENTS_REVIEWED // 20)
    record.deals[1] = msgspec.structs.replace(record.deals[1], events=events)
    assert ReviewWork(record, model=model_of("marjolet")).review().chances is None


def test_after_the_match_no_deal_has_chances() -> None:
    record = play_game("rubicon-bezique", seed=4, style="casual", deals=1)
    twice = msgspec.structs.replace(record, deals=record.deals * 2)
    assert [*chances_by_deal(twice, resolve_rules(twice.rules), None)] == [0]


def test_the_cases_of_the_last_trick_have_the_mean_that_is_its_value() -> None:
    record = play_game("bezique", seed=3, style="casual", deals=1)
    watch = LastStockTrickWatch(100_000)
    for frame in replay(record):
        watch.read(frame)
    assert watch.found
    for decision in watch.found:
        for way in decision.ways:
            gained = watch.gained[decision.event][way.card]
            assert gained.total() == decision.cards
            total = sum(points * cases for points, cases in gained.items())
            value = -total / decision.cards if decision.seat else total / decision.cards
            assert way.value == pytest.approx(value, abs=0.01)


def test_the_errors_of_chances_are_those_of_repeated_samples(race: Record) -> None:
    """Two choices with ends drawn by lot: the errors say how far the estimates lie apart from run to run."""
    chances = deal_chances(race)[0]
    random, runs, number = Random(1), 300, 64

    def end(ahead: int) -> DealEnd:
        return DealEnd((random.choice((100, 200, 300)) + ahead, random.choice((100, 200))))

    means, differences, errors, of_differences = [], [], [], []
    for _ in range(runs):
        ends = [[end(80) for _ in range(number)], [end(0) for _ in range(number)]]
        found = ChoiceChances(ends, 0, 0, [(0, [0] * number)] * 2, chances)
        means.append(found.mean_of(1).chance)
        errors.append(found.mean_of(1).error)
        differences.append(found.behind(1).chance)
        of_differences.append(found.behind(1).error)
    for values, said in ((means, errors), (differences, of_differences)):
        centre = mean(values)
        spread = sqrt(mean((value - centre) ** 2 for value in values))
        # The weights of the model are the same in all runs, so their part of the error is not in the spread.
        assert 0.85 * spread < mean(said) < 2 * spread
    assert mean(differences) > 0.05


def test_a_doubt_which_choice_is_best_is_part_of_the_error() -> None:
    """Two choices that take turns to win: the folds name another best choice than all worlds together."""
    record = play_game("rubicon-bezique", seed=4, style="casual", deals=1)
    (chances,) = chances_by_deal(record, resolve_rules(record.rules), None).values()
    won, lost = DealEnd((1500, 1100)), DealEnd((1100, 1500))
    ends = [[won] * 8 + [lost] * 8, [lost] * 8 + [won] * 7 + [lost]]
    sure, doubtful = (
        ChoiceChances(ends, 0, 0, [(0, best_by_world)] * 2, chances).behind(1)
        for best_by_world in ([0] * 16, [0, 1, 1, 1] * 4)
    )
    assert doubtful.chance < sure.chance
    assert doubtful.error**2 >= (sure.chance - doubtful.chance) ** 2


def test_no_error_is_nothing_where_all_worlds_are_won() -> None:
    record = play_game("rubicon-bezique", seed=4, style="casual", deals=1)
    (chances,) = chances_by_deal(record, resolve_rules(record.rules), None).values()
    ends = [[DealEnd((1500, 1100))] * 62, [DealEnd((1400, 1100))] * 62]
    found = ChoiceChances(ends, 0, 0, [(0, [0] * 62)] * 2, chances)
    assert found.mean_of(0).chance == 1
    assert found.mean_of(0).error == pytest.approx(1 / 64)
    assert found.behind(1).chance == 0
    assert found.behind(1).error == pytest.approx(1 / 64)


def decided(best: tuple[float, float], made: tuple[float, ...]) -> ReviewedDecision:
    first = ReviewedChoice("play", ["AS"], 50.0, chance=best[0], chance_error=best[1])
    chance, error, behind, behind_error = made
    second = ReviewedChoice("play", ["7H"], 10.0, behind=40.0)
    second.chance, second.chance_error = chance, error
    second.chance_behind, second.chance_behind_error = behind, behind_error
    return ReviewedDecision(1, 0, "close", [first, second], 1, "mistake", lost=40, why="Why.")


def test_chances_are_told_as_far_as_they_are_sure() -> None:
    assert describe_chance(0.6213, 0.021) == f"62 ±\u00a02{PERCENT}"
    assert describe_chance(0.6213, 0.004) == f"62.1 ±\u00a00.4{PERCENT}"
    assert describe_chance(1, 0) == f"100{PERCENT}"
    assert "won either way" in describe_chance_lost(decided((1, 0), (1, 0, 0, 0)))
    assert "lost either way" in describe_chance_lost(decided((0, 0), (0, 0, 0, 0)))
    lower = describe_chance_lost(decided((0.6, 0.02), (0.5, 0.02, 0.1, 0.02)))
    assert "lowers the chance of winning the match by 10 ±\u00a02 percentage points" in lower
    higher = describe_chance_lost(decided((0.5, 0.02), (0.6, 0.02, -0.1, 0.02)))
    assert "raises" in higher
    small = describe_chance_lost(decided((0.344, 0.012), (0.306, 0.011, 0.038, 0.002)))
    assert small == (
        f"This lowers the chance of winning the match by 3.8 ±\u00a00.2 percentage points, from 34.4 ±\u00a01.2{PERCENT} "
        f"to 30.6 ±\u00a01.1{PERCENT}."
    )
    same = describe_chance_lost(decided((0.5, 0.02), (0.49, 0.02, 0.01, 0.02)))
    assert "too small to be sure of" in same
    noisy = describe_chance_lost(decided((0.85, 0.11), (0.2, 0.13, 0.8, 0.26)))
    assert (
        noisy
        == f"This lowers the chance of winning the match from 85 ±\u00a011{PERCENT} to 20 ±\u00a013{PERCENT}."
    )
    hopeless = decided((0.004, 0.02), (0.001, 0.02, 0.003, 0.02))
    assert describe_chance_lost(hopeless) == "The match is almost lost either way."
    safe = decided((0.99, 0.02), (0.985, 0.02, 0.005, 0.02))
    assert describe_chance_lost(safe) == "The match is almost won either way."
    assert describe_loss(decided((1, 0), (0, 0, 1, 0)), ["Ann", "Bob"]).endswith(
        f"from 100{PERCENT} to 0{PERCENT}."
    )
