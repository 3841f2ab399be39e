"""More than two players at tricks: who plays, follows, wins and draws, by a referee that knows law C17 alone."""

import pytest

from tests.playouts.test_more_players import PAIRS, game, known_rulebooks, referees, told


@pytest.mark.parametrize(("rulebook", "sides"), [("three-hands", None), ("four-partners", PAIRS)])
def test_c17_all_play_in_turn_and_follow_the_best_card(
    rulebook: str, sides: list[list[int]] | None
) -> None:
    with known_rulebooks():
        for seed in range(2):
            (referee,) = referees(told(game(rulebook, sides, seed, deals=1)))
            assert referee.faults == []
            assert not any(referee.hands)
