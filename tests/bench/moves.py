"""Games played move by move through `import bezique`, as a bot plays them; `chess_moves` does the same."""

import pickle
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.environment import ROOT

if TYPE_CHECKING:
    from bezique import Game

SHEET = "bezique"
GAMES, LONGEST = 20, 110
TRIED = 3
"""So many moves of every position are made and taken back."""
AGAIN = 25
"""So often in a round: once would take two milliseconds, in which the processor is still loading what it needs."""

sys.path.insert(0, str(ROOT / "webui/public"))


def legal_and_do(folder: Path, games: int) -> Callable[[], int]:
    """The legal moves of every position of some games, and one of them made."""

    def one_round() -> int:
        return sum(map(_play, range(GAMES)))

    return one_round


def do_and_undo(folder: Path, games: int) -> Callable[[], int]:
    """Some moves of many positions, each made and taken back."""
    positions = [(game, game.legal()[:TRIED]) for game in _positions()]

    def one_round() -> int:
        for game, moves in positions * AGAIN:
            for move in moves:
                game.do(move)
                game.undo()
        return AGAIN * sum(len(moves) for _, moves in positions)

    return one_round


def copy(folder: Path, games: int) -> Callable[[], int]:
    """A copy of a game at many positions."""
    positions = _positions()

    def one_round() -> int:
        for game in positions:
            game.copy()
        return len(positions)

    return one_round


def largest_pickle() -> int:
    """The bytes of the largest of those games, pickled."""
    return max(len(pickle.dumps(game)) for game in _positions())


def _play(number: int) -> int:
    from bezique import Game

    game, rng, moves = Game(SHEET, seed=number), random.Random(number), 0
    while moves < LONGEST and (legal := game.legal()):
        game.do(rng.choice(legal))
        moves += 1
    return moves


def _positions() -> list["Game"]:
    """A game stopped after every number of moves."""
    from bezique import Game

    found = []
    for number in range(LONGEST):
        game, rng = Game(SHEET, seed=number), random.Random(number)
        for _ in range(number):
            game.do(rng.choice(game.legal()))
        found.append(game)
    return found
