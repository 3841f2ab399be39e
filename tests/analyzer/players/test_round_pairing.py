"""Rounds of an evening: everybody meets everybody once, and a Swiss round is the best of all, found by trying all."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.players.round_pairing import (
    PairedRound,
    berger_round,
    pair_round_robin,
    pair_swiss,
)

BERGER_OF_SIX = [
    [(1, 6), (2, 5), (3, 4)],
    [(6, 4), (5, 3), (1, 2)],
    [(2, 6), (3, 1), (4, 5)],
    [(6, 5), (1, 4), (2, 3)],
    [(3, 6), (4, 2), (5, 1)],
]
"""As they are printed in the handbook of the chess federation FIDE (C.05, annex 1)."""


def test_the_tables_are_those_that_are_printed() -> None:
    assert [berger_round(range(1, 7), number).pairs for number in range(1, 6)] == BERGER_OF_SIX


@pytest.mark.parametrize("players", range(2, 25))
def test_in_a_round_robin_every_pair_meets_once(players: int) -> None:
    rounds: list[PairedRound] = []
    entered = range(1, players + 1)
    for _ in range(players - 1 + players % 2):
        rounds.append(pair_round_robin(entered, entered, rounds))
    met = Counter(frozenset(pair) for each in rounds for pair in each.pairs)
    assert met == dict.fromkeys(map(frozenset, combinations(entered, 2)), 1)
    assert all(sorted(each.players) == [*entered] for each in rounds)
    byes = Counter(each.bye for each in rounds)
    assert byes == (dict.fromkeys(entered, 1) if players % 2 else {None: players - 1})


@pytest.mark.slow
@given(st.data())
def test_a_round_robin_goes_on_when_people_come_and_go(data: st.DataObject) -> None:
    """Nobody plays twice in a round, and nobody meets again in it if that can be avoided."""
    entered = [*range(data.draw(st.integers(2, 6)))]
    rounds: list[PairedRound] = []
    for _ in range(data.draw(st.integers(1, 5))):
        entered += range(len(entered), len(entered) + data.draw(st.integers(0, 1)))
        here = data.draw(st.sets(st.sampled_from(entered), min_size=2))
        made = pair_round_robin(entered, here, rounds)
        assert sorted(made.players) == sorted(here)
        assert faults(made, rounds) == min(faults(each, rounds) for each in all_rounds([*here]))
        rounds.append(made)


def all_rounds(players: Sequence[int]) -> Iterator[PairedRound]:
    """Every round that these players can play."""
    if len(players) < 2:
        yield PairedRound([], players[0] if players else None)
        return
    first, *others = players
    if len(players) % 2:
        for each in all_rounds_of_even(others):
            yield PairedRound(each, first)
    for other in others:
        rest = [player for player in others if player != other]
        for each in all_rounds(rest):
            yield PairedRound([(first, other), *each.pairs], each.bye)


def all_rounds_of_even(players: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    yield from (each.pairs for each in all_rounds(players))


def faults(made: PairedRound, past: Sequence[PairedRound]) -> int:
    """How often those who are paired have met before, and who sits out has sat out before."""
    again = sum({*pair} == {*earlier} for pair in made.pairs for each in past for earlier in each.pairs)  # fmt: skip
    return again + sum(made.bye is not None and each.bye == made.bye for each in past)


def distance(made: PairedRound, points: dict[int, float]) -> float:
    """The squares of the differences in points; who sits out is compared with the last."""
    between = sum((points[one] - points[other]) ** 2 for one, other in made.pairs)
    return between + (0 if made.bye is None else (points[made.bye] - min(points.values())) ** 2)


@pytest.mark.long
@given(st.data())
def test_a_swiss_round_is_the_best_of_all_rounds(data: st.DataObject) -> None:
    players = [*range(data.draw(st.integers(2, 7)))]
    past: list[PairedRound] = []
    for _ in range(data.draw(st.integers(0, 4))):
        points = {one: data.draw(st.integers(0, 6)) / 2 for one in players}
        ranked = sorted(players, key=lambda one: (-points[one], one))
        made = pair_swiss(ranked, points, past)
        assert sorted(made.players) == players
        best = min((faults(each, past), distance(each, points)) for each in all_rounds(players))
        assert (faults(made, past), distance(made, points)) == best
        totals = [points[one] + points[other] for one, other in made.pairs]
        assert totals == sorted(totals, reverse=True)
        past.append(made)


def test_in_the_first_round_the_upper_half_meets_the_lower() -> None:
    made = pair_swiss(range(7), dict.fromkeys(range(7), 0.0), [])
    assert made == PairedRound([(0, 3), (1, 4), (2, 5)], 6)


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 8, 9, 16, 31])
def test_nobody_sits_out_twice_or_meets_again_while_that_can_be_avoided(players: int) -> None:
    """In half as many rounds as there are players a round without either is always left."""
    past: list[PairedRound] = []
    won: Counter[int] = Counter()
    for _ in range(players // 2):
        ranked = sorted(range(players), key=lambda one: (-won[one], one))
        made = pair_swiss(ranked, {one: float(won[one]) for one in ranked}, past)
        assert faults(made, past) == 0
        past.append(made)
        won.update(
            [*(min(pair) for pair in made.pairs), *([made.bye] if made.bye is not None else [])]
        )
