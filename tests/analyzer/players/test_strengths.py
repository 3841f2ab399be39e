"""Strengths and weaknesses: a player at random has weaknesses, and of players who are alike hardly one has any."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.players.strengths import MOST_TRAITS, WIDER, find_strengths
from analyzer.store.store import Store
from records.format import codec
from records.selfplay import PlayingStyle, play_game

pytestmark = pytest.mark.slow

SHEET = "marjolet"
ALIKE = [f"Player {number}" for number in range(8)]
GAMES_ALIKE, GAMES_AT_RANDOM = 120, 14
MOST_BY_CHANCE = 2
"""Of some 70 values of players who are alike: each is told by chance in 3 of 1,000 cases."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder: Path = tmp_path_factory.mktemp("strengths")
    random, filled = Random(7), Store(folder)
    pairs = [random.sample(ALIKE, 2) for _ in range(GAMES_ALIKE)]
    pairs += [["Rand", "Partner"]] * GAMES_AT_RANDOM
    for seed, names in enumerate(pairs):
        styles: tuple[PlayingStyle, ...] = (
            ("random", "greedy") if "Rand" in names else ("greedy",) * 2
        )
        record = play_game(SHEET, seed=seed, names=names, styles=styles, deals=4)
        list(ingest_bytes(filled, f"{seed}.json", codec.encode(record)))
    yield filled
    filled.close()


def test_players_who_are_alike_have_hardly_any(store: Store) -> None:
    found = [find_strengths(store, name, SHEET) for name in ALIKE]
    assert min(each.compared for each in found) >= 3
    assert sum(len(each.strengths) + len(each.weaknesses) for each in found) <= MOST_BY_CHANCE


def test_who_plays_at_random_has_weaknesses(store: Store) -> None:
    found = find_strengths(store, "Rand", SHEET)
    assert "points for melds in a deal" in [trait.words for trait in found.weaknesses]
    assert len(found.weaknesses) <= MOST_TRAITS
    for trait in (*found.strengths, *found.weaknesses):
        assert not trait.low <= trait.of_all <= trait.high
        assert trait.distance > WIDER


def test_the_values_are_those_of_the_table(store: Store) -> None:
    mean = "SELECT avg(meld_points) FROM seats WHERE clean AND sheet = $sheet"
    ((of_all,),) = store.rows(mean, {"sheet": SHEET}).rows
    ((own,),) = store.rows(f"{mean} AND player = 'Rand'", {"sheet": SHEET}).rows
    (trait,) = [
        each
        for each in find_strengths(store, "Rand", SHEET).weaknesses
        if each.words == "points for melds in a deal"
    ]
    assert (trait.value, trait.of_all) == (
        pytest.approx(own, abs=0.01),
        pytest.approx(of_all, abs=0.01),
    )


def test_who_never_played_by_a_sheet_is_not_compared(store: Store) -> None:
    assert find_strengths(store, "Rand", "zique").compared == 0
