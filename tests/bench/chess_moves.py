"""The chess peer of `moves`: python-chess at the same tasks."""

import random
from collections.abc import Callable
from pathlib import Path

import chess

GAMES, LONGEST, TRIED, AGAIN = 20, 110, 3, 25
"""As in `tests.bench.moves`, which this module cannot import: it runs in the environment of the peers."""


def legal_and_do(folder: Path, games: int) -> Callable[[], int]:
    """The legal moves of every position of some games, and one of them made."""

    def one_round() -> int:
        return sum(_played(number, LONGEST).ply() for number in range(GAMES))

    return one_round


def do_and_undo(folder: Path, games: int) -> Callable[[], int]:
    """Some moves of many positions, each made and taken back."""
    positions = [(board, list(board.legal_moves)[:TRIED]) for board in _positions()]

    def one_round() -> int:
        for board, moves in positions * AGAIN:
            for move in moves:
                board.push(move)
                board.pop()
        return AGAIN * sum(len(moves) for _, moves in positions)

    return one_round


def copy(folder: Path, games: int) -> Callable[[], int]:
    """A copy of a game at many positions."""
    positions = _positions()

    def one_round() -> int:
        for board in positions:
            board.copy()
        return len(positions)

    return one_round


def _positions() -> list[chess.Board]:
    return [_played(number, number) for number in range(LONGEST)]


def _played(number: int, most: int) -> chess.Board:
    board, rng = chess.Board(), random.Random(number)
    while board.ply() < most and not board.is_game_over():
        board.push(rng.choice(list(board.legal_moves)))
    return board
