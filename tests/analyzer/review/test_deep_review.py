"""The deep review: the same for the same seed, blind to hidden cards, honest about the best of many means."""

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import mean

import msgspec
import pytest

from analyzer.play.greedy import play_out
from analyzer.review import choice_worlds
from analyzer.review.choice_worlds import ChoiceWorlds, LeadsByChoice
from analyzer.review.close_review import MatchScores
from analyzer.review.decisions import OpenDecision, OpenDecisionReader
from analyzer.review.deep_review import (
    ReviewedChoice,
    ReviewedDecision,
    ReviewTerms,
    find_turning_points,
    grade_choice,
    habit_of,
)
from analyzer.review.review_words import describe_loss
from analyzer.review.reviewer import DecisionCount, ReviewWork
from records.engine.table import Table
from records.events import AnyEvent
from records.record import Record
from records.replay import replay
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from tests.make.whole_reviews import review_deeply

FEW = ReviewTerms(worlds=4, positions=500)


@pytest.fixture(scope="module")
def record() -> Record:
    return play_game("marjolet", seed=3, style="casual", deals=1)


def open_decisions(record: Record) -> list[OpenDecision]:
    reader = OpenDecisionReader(record.deals[0].events)
    for frame in replay(record):
        reader.read(frame)
    return reader.decisions


@pytest.mark.long
@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS if sheet.rules.tableau is None])
def test_what_was_done_is_always_a_choice_where_all_cards_are_told_apart(sheet: str) -> None:
    """That a seven of trumps was played is written after it, and is no decision."""
    for seed in range(4):
        record = play_game(sheet, seed=seed, style="casual", labels=True, deals=1)
        reader = OpenDecisionReader(record.deals[0].events)
        for frame in replay(record):
            reader.read(frame)
        assert reader.unlisted == 0


@pytest.mark.slow
def test_the_same_seed_gives_the_same_review_whoever_does_the_work(record: Record) -> None:
    first = msgspec.json.encode(review_deeply(record, terms=FEW))
    work = ReviewWork(record, terms=FEW)
    shares = [done / of for done, of in work.run(processes=1)]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert msgspec.json.encode(work.review()) == first
    other = msgspec.structs.replace(FEW, seed=1)
    assert msgspec.json.encode(review_deeply(record, terms=other)) != first


@pytest.mark.long
def test_while_the_work_goes_on_it_tells_what_it_has_found(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First what is exact, then every decision in few worlds, then those that few leave open, or seem mistakes in these, in all."""
    monkeypatch.setattr(choice_worlds, "first_worlds", lambda most: 2)
    work = ReviewWork(record, terms=msgspec.structs.replace(FEW, worlds=8))
    assert (work.count(), work.review().deals) == (DecisionCount(), [])
    counts, unsettled = [], 0
    for _ in work.run():
        (deal,) = work.review().deals
        counts.append(work.count())
        assert counts[-1].weighed == len(deal.decisions)
        assert deal.turning_points == find_turning_points(deal.decisions)
        unsettled = max(unsettled, counts[-1].unsettled)
    assert len({count.decisions for count in counts}) == 1
    weighed = [count.weighed for count in counts]
    assert weighed == sorted(weighed)
    assert 0 < weighed[0] < weighed[-1] == counts[-1].decisions
    assert unsettled > 0
    assert counts[-1].unsettled == 0


def test_every_decision_has_what_was_done_among_its_choices_and_the_best_first(
    record: Record,
) -> None:
    (deal,) = review_deeply(record, terms=FEW).deals
    assert {decision.phase for decision in deal.decisions} == {"stock", "last_trick", "close"}
    for decision in deal.decisions:
        best, made = decision.choices[0], decision.choices[decision.chosen]
        assert best.behind == 0
        assert best.value == max(choice.value for choice in decision.choices)
        assert (decision.lost, decision.error) == (made.behind, made.behind_error)
        for choice in decision.choices:
            smaller = min(choice.behind_base, choice.behind_simple)
            apart = abs(choice.behind_base - choice.behind_simple) / 2
            assert decision.certain or (
                choice.behind == smaller and choice.behind_error >= apart - 0.01
            )
        assert decision.certain == all(choice.error == 0 for choice in decision.choices)


class WatchedReader(OpenDecisionReader):
    """Reads every decision once more with the hidden cards in other places."""

    moved = 0

    def _add(self, table: Table, place: int, event: AnyEvent, seat: int) -> None:
        before = len(self.decisions)
        super()._add(table, place, event, seat)
        other = 1 - seat
        known = self._shown.of(table, other)
        hidden = Counter(table.held[other]) - known
        cards = [*hidden.elements(), *Counter(table.unseen).elements()]
        Random(place).shuffle(cards)
        twin = table.copy()
        twin.held[other] = dict(known + Counter(cards[: hidden.total()]))
        twin.unseen = dict(Counter(cards[hidden.total() :]))
        self.moved += twin.held != table.held
        super()._add(twin, place, event, seat)
        own = self.decisions[before:]
        if own:
            first, second = own
            del self.decisions[before + 1 :]
            assert leads(first, 2) == leads(second, 2)
            assert [first.cards_of(each) for each in first.choices] == [
                second.cards_of(each) for each in second.choices
            ]


def leads(decision: OpenDecision, number: int) -> list[list[int]]:
    worlds = ChoiceWorlds(decision, "key")
    for players in (worlds.base, worlds.simple):
        worlds.widen(players, number)
    return worlds.base.leads + worlds.simple.leads


def played_on(leads: list[list[int]]) -> LeadsByChoice:
    """Worlds that nobody played, with these leads by choice."""
    return LeadsByChoice(play_out, leads)


@pytest.mark.sampled(1)
@pytest.mark.long
@pytest.mark.parametrize("sheet", ["bezique", "marjolet", "rubicon-bezique"])
def test_cards_that_the_seat_cannot_see_change_nothing(sheet: str) -> None:
    record = play_game(sheet, seed=2, style="casual", deals=1)
    reader = WatchedReader(record.deals[0].events)
    for frame in replay(record):
        reader.read(frame)
    assert reader.moved > 10
    assert len(reader.decisions) > 10


def test_the_best_of_many_like_choices_is_not_better_than_the_others() -> None:
    """Choices of one and the same worth: the best of their means flatters itself, `behind` does not."""
    random, runs, number = Random(1), 200, 64
    naive, honest = [], []
    for _ in range(runs):
        leads = [[random.choice((-50, 50)) for _ in range(number)] for _ in range(6)]
        worlds = played_on(leads)
        best = worlds.best(0)
        other = (best + 1) % len(leads)
        naive.append(worlds.mean_of(best).points - worlds.mean_of(other).points)
        honest.append(worlds.behind(other, best).points)
    error = 50 * sqrt(2 / number / runs)
    assert mean(naive) > 8
    assert abs(mean(honest)) < 8 * error


@pytest.mark.long
@pytest.mark.parametrize(
    "best", [[20, 0, 0, 0, 0], [20, 20, 20, 20, 20], [10, 9, 8, 7, 6], [0] * 5]
)
def test_intervals_of_a_loss_cover_it_though_the_best_is_not_known(best: list[int]) -> None:
    """What was done is worth 0 points, the others as much as told; one world has a deviation of 50."""
    random, covered, number = Random(1), list[bool](), 64
    while len(covered) < 500:
        worlds = played_on(
            [[round(random.gauss(points, 50)) for _ in range(number)] for points in (0, *best)]
        )
        if of_all := worlds.best(0):
            lost = worlds.behind(0, of_all)
            covered.append(abs(max(lost.points, 0) - max(best)) <= 1.96 * lost.error)
    assert 0.92 <= mean(covered) <= 0.98


def test_worlds_that_are_all_alike_are_no_proof() -> None:
    assert played_on([[0] * 32, [40] * 32]).behind(0, 1) == (40, 40 / 32)


def test_a_choice_given_up_is_compared_in_the_worlds_that_it_has() -> None:
    worlds = played_on([[0] * 32, [40] * 32 + [80] * 32, [50] * 32 + [60] * 32])
    assert worlds.best(0) == 1
    assert worlds.behind(0, 1).points == 40
    assert worlds.behind(2, 1).points == 20


class NoisyWorlds(ChoiceWorlds):
    """Worlds that nobody played: every choice is worth its points, what was done the first, and one world has a `deviation`."""

    deviation = 50

    def __init__(self, decision: OpenDecision, points: list[int], random: Random) -> None:
        some = decision._replace(choices=[decision.choices[0]] * len(points), chosen=0)
        super().__init__(some, "key")
        self._points, self._random = points, random

    def widen(self, players: LeadsByChoice, worlds: int) -> None:
        """Draw more leads."""
        for place in players.kept:
            own = players.leads[place]
            own += [
                round(self._random.gauss(self._points[place], self.deviation))
                for _ in range(worlds - len(own))
            ]


@pytest.mark.long
@pytest.mark.parametrize("best", [[60, 0, 0, 0], [0] * 7, [25] * 7, [40, 30, 20, 10, 0, 0]])
def test_what_is_asked_of_few_worlds_is_told_as_truly_as_of_many(
    record: Record, best: list[int]
) -> None:
    """What is given up and where the worlds end depends on what they show: neither may make a loss look larger or surer.

    What is told is what was lost against the choice that is named, which need not be the best of all.
    """
    random, most, runs = Random(3), 256, 150
    decision, mistakes = open_decisions(record)[0], 0
    gaps, covered = list[float](), list[bool]()
    for _ in range(runs):
        worlds = NoisyWorlds(decision, [0, *best], random)
        worlds.widen_until_settled(most, 20)
        losses = [each.behind(0, each.best(0)) for each in (worlds.base, worlds.simple)]
        mistakes += all(lost.points >= max(20, 2 * lost.error) for lost in losses)
        gaps.append(losses[0].points - max(best))
        named = worlds.base.best(0)
        lost = best[named - 1] if named else max(best)
        covered.append(abs(max(losses[0].points, 0) - lost) <= 2 * losses[0].error)
    assert mean(gaps) < 4
    if max(best):
        assert mean(covered) >= 0.9
    if max(best) in (0, 60):
        assert abs(mistakes / runs - (max(best) > 0)) <= 0.05


class MadeUpWorlds(NoisyWorlds):
    """Worlds that nobody played: a choice is worth more in the `lucky` first ones, and other points if simple players go on."""

    deviation = 20
    lucky = 0
    by_simple: Sequence[int] = ()

    def widen(self, players: LeadsByChoice, worlds: int) -> None:
        """Draw more leads."""
        points = self.by_simple if self.by_simple and players is self.simple else self._points
        for place in players.kept:
            own = players.leads[place]
            own += [
                round(
                    self._random.gauss(
                        points[place] + 60 * place * (number < self.lucky), self.deviation
                    )
                )
                for number in range(len(own), worlds)
            ]


def test_a_choice_that_was_lucky_where_it_was_chosen_is_not_called_better(record: Record) -> None:
    worlds = MadeUpWorlds(open_decisions(record)[0], [0, 0], Random(1))
    worlds.lucky = 64
    worlds.widen_until_settled(512, 20)
    for players in (worlds.base, worlds.simple):
        assert players.chose >= worlds.lucky
        assert abs(players.behind(0, players.best(0)).points) < 5


def test_what_is_named_is_better_whoever_goes_on(record: Record) -> None:
    """One choice is worth most with base players and less than nothing with simple ones; another is better with both."""
    worlds = MadeUpWorlds(open_decisions(record)[0], [0, 80, 40], Random(1))
    worlds.by_simple = [0, -40, 30]
    worlds.widen_until_settled(512, 20)
    losses = [each.behind(0, each.best(0)) for each in (worlds.base, worlds.simple)]
    assert worlds.best() == 2
    assert [round(lost.points, -1) for lost in losses] == [40, 30]


@pytest.mark.parametrize("by_simple", [[0, 0, 0], [0, -30, 30], [0, 10, 12]])
def test_what_costs_much_with_base_players_is_measured_in_all_worlds(
    record: Record, by_simple: list[int]
) -> None:
    """Even if it costs little with simple players: a few worlds far apart from each other do not settle that."""
    decision, losses = open_decisions(record)[0], list[float]()
    for seed in range(40):
        worlds = MadeUpWorlds(decision, [0, 150, 60], Random(seed))
        worlds.by_simple, worlds.deviation = by_simple, 170
        worlds.widen_until_settled(512, 20)
        lost = worlds.base.behind(0, worlds.best())
        assert len(worlds.base.leads[0]) == 512
        assert lost.points >= max(20, 2 * lost.error)
        losses += [lost.points] * (worlds.best() == 1)
    assert mean(losses) == pytest.approx(150, abs=6)


def test_a_decision_is_taken_up_where_it_was_left(record: Record) -> None:
    decision = max(open_decisions(record), key=lambda decision: len(decision.choices))
    whole, first, then = (ChoiceWorlds(decision, "key") for _ in range(3))
    whole.widen_until_settled(16, 20)
    first.begin(16)
    then.take_up(first.played)
    then.widen_until_settled(16, 20)
    for one, other in ((whole.base, then.base), (whole.simple, then.simple)):
        assert (one.leads, one.kept, one.chose) == (other.leads, other.kept, other.chose)
    assert whole.ends == then.ends


def test_the_worlds_that_choose_what_is_kept_have_no_part_in_comparing_it() -> None:
    """Eight choices of one worth: those kept after few worlds were lucky in these."""
    random, found = Random(2), list[float]()
    for _ in range(200):
        worlds = played_on([[round(random.gauss(0, 50)) for _ in range(16)] for _ in range(8)])
        worlds.give_up(0)
        for place in worlds.kept:
            worlds.leads[place] += [round(random.gauss(0, 50)) for _ in range(16)]
        found.append(worlds.behind(0, worlds.best(0)).points)
        best = worlds.best(0)
        values = [worlds.value_of(place, best).points for place in range(8)]
        assert max(values) == values[best]
    assert abs(mean(found)) < 3


@pytest.mark.parametrize(
    ("base", "simple", "grade"),
    [
        ((0, 0), (0, 0), "best"), ((9.9, 0), (9.9, 0), "good"), ((10, 0), (11, 0), "inaccuracy"),
        ((10, 5.1), (10, 1), "too_close"), ((20, 10), (20, 10), "mistake"), ((20, 1), (20, 10.1), "too_close"),
        ((59, 1), (90, 1), "mistake"), ((60, 1), (60, 1), "blunder"), ((60, 31), (60, 1), "too_close"),
        ((0, 20), (0, 20), "best"), ((0, 0), (80, 1), "best"), ((80, 1), (0, 0), "style"),
        ((80, 1), (9, 1), "style"), ((5, 1), (80, 1), "style"), ((5, 1), (80, 41), "good"), ((25, 1), (80, 1), "mistake"),
    ],
)  # fmt: skip
def test_a_mistake_is_worse_by_the_limit_and_by_two_errors_whoever_goes_on(
    base: tuple[float, float], simple: tuple[float, float], grade: str
) -> None:
    choice = ReviewedChoice(
        "play",
        ["AS"],
        0,
        behind=min(base, simple)[0],
        behind_base=base[0],
        behind_base_error=base[1],
        behind_simple=simple[0],
        behind_simple_error=simple[1],
    )
    assert grade_choice(choice, least=20) == grade


def decided(
    made: ReviewedChoice, best: ReviewedChoice, *, lost: float = 40, trump: str = "S"
) -> ReviewedDecision:
    made = msgspec.structs.replace(made, behind=lost)
    return ReviewedDecision(1, 0, "stock", [best, made], 1, "best", lost=lost, trump=trump)


def choice(kind: str, *cards: str) -> ReviewedChoice:
    return msgspec.convert({"kind": kind, "cards": cards, "value": 0}, ReviewedChoice)


def test_what_cannot_be_told_from_nothing_is_not_called_worse() -> None:
    decision = decided(choice("play", "AS"), choice("play", "7H"), lost=8)
    for error, loses, better in ((4, "probably loses", "was probably"), (5, "may lose", "may be")):
        best, made = decision.choices
        made = msgspec.structs.replace(
            made, behind_base=8, behind_base_error=error, behind_simple=8, behind_simple_error=error
        )
        unsure = msgspec.structs.replace(decision, error=error, choices=[best, made])
        assert describe_loss(unsure, ["Ann", "Bob"]) == (
            f"Ann {loses} 8 ±\u00a0{error} points by playing the ace of spades; "
            f"playing the 7 of hearts {better} better."
        )


@pytest.mark.parametrize("labels", [False, True])
def test_choices_that_a_record_writes_alike_are_one(*, labels: bool) -> None:
    """A marriage of cards that have scored in other melds, and one of new cards: only labels tell them apart."""
    record = play_game("rubicon-bezique", seed=1, style="casual", deals=1, labels=labels)
    alike = 0
    for decision in open_decisions(record):
        written = [(each.what, each.name, *decision.cards_of(each)) for each in decision.choices]
        assert len({*written}) == len(written)
        faces = [(each[:2], *sorted(card[:2] for card in each[2:])) for each in written]
        alike += len(faces) - len({*faces})
    assert (alike > 0) == labels


def test_a_better_choice_of_the_same_faces_is_told_apart() -> None:
    made, best = (
        msgspec.structs.replace(choice("meld", king, "QH.1"), meld="marriage")
        for king in ("KH.1", "KH.2")
    )
    words = describe_loss(decided(made, best), ["Ann", "Bob"])
    assert "melding a marriage (K♥ Q♥) with other copies was probably better" in words


def test_turning_points_are_what_changed_the_chance_of_winning_most() -> None:
    """Points do not count where the chance is known, and what is not sure turns nothing."""

    def with_chance(lost: float, behind: float, error: float = 0.0) -> ReviewedDecision:
        decision = decided(choice("play", "AS"), choice("play", "7H"), lost=lost)
        best, made = decision.choices
        best.chance = 0.6
        made.chance, made.chance_behind, made.chance_behind_error = 0.6 - behind, behind, error
        return decision

    decisions = [
        with_chance(100, 0.0),
        with_chance(10, 0.3),
        with_chance(30, 0.2, 0.05),
        with_chance(90, 0.2, 0.15),
        with_chance(80, -0.1),
        with_chance(20, 0.005),
        with_chance(0, 0.5),
    ]
    assert find_turning_points(decisions, 20) == [1, 2]
    decisions[4].match = MatchScores((910, 850), (800, 880))
    assert find_turning_points(decisions, 20) == [1, 2, 4]
    decisions[6].certain = True
    assert find_turning_points(decisions, 20) == [6, 1, 2]


def test_a_matter_of_style_is_a_turning_point_after_what_surely_costs_points() -> None:
    decisions = [
        decided(choice("play", "AS"), choice("play", "7H"), lost=lost) for lost in (0, 0, 30, 0)
    ]
    for place, base in ((0, 90), (1, 120), (3, 19)):
        decisions[place].made.behind_base, decisions[place].made.behind_base_error = base, 8
    assert find_turning_points(decisions, 20) == [2, 1, 0]
    for place, behind in enumerate((0.3, 0.2, 0.1, 0.4)):
        decisions[place].best.chance, decisions[place].made.chance_behind = 0.6, behind
    assert find_turning_points(decisions, 20) == [2, 3, 0]
    decisions[2].lost = decisions[2].made.behind = 0
    assert find_turning_points(decisions, 20) == [3, 0, 1]


def test_where_no_chance_is_known_what_costs_much_with_base_players_is_a_turning_point() -> None:
    """Whatever it costs with simple players; one that is not sure is none."""
    decisions = [
        decided(choice("play", "AS"), choice("play", "7H"), lost=lost) for lost in (16, 0, 12, 30)
    ]
    for place, base, error in ((0, 76, 5), (1, 164, 12), (2, 90, 46)):
        decisions[place].made.behind_base = base
        decisions[place].made.behind_base_error = error
    assert find_turning_points(decisions, 20) == [3, 1, 0]
    assert find_turning_points(decisions, 100) == [1]
    assert (
        find_turning_points([decided(choice("play", "AS"), choice("play", "7H"), lost=0)], 0) == []
    )


def test_where_no_chance_is_known_turning_points_are_the_three_costliest_mistakes() -> None:
    decisions = [
        decided(choice("play", "AS"), choice("play", "7H"), lost=lost)
        for lost in (19, 30, 100, 25, 60)
    ]
    assert find_turning_points(decisions, 20) == [2, 4, 1]
    assert find_turning_points(decisions, 90) == [2]


def test_habits_are_what_their_definitions_say() -> None:
    play, trump = choice("play", "7H"), choice("play", "AS")
    meld, nothing, show = choice("meld", "KS", "QS"), choice("hold_back"), choice("show", "7S")
    assert habit_of(decided(meld, nothing)) == "meld_rushed"
    assert habit_of(decided(nothing, meld)) == habit_of(decided(play, meld)) == "meld_held"
    assert habit_of(decided(nothing, show)) == "seven_kept"
    assert habit_of(decided(trump, play)) == "trump_wasted"
    assert habit_of(decided(trump, trump)) is None
    assert habit_of(decided(play, trump)) is None
    assert habit_of(decided(trump, play, trump="")) is None
    assert habit_of(decided(trump, play, lost=9)) is None
