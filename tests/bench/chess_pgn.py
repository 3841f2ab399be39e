"""The chess peer: python-chess reads games in its own notation and checks every move."""

import io
import random
from collections.abc import Callable
from pathlib import Path

import chess
import chess.pgn

LONGEST = 110
"""Plies after which a game is cut off, so that random games are as long as real ones."""


def read_games(folder: Path, games: int) -> Callable[[], int]:
    """One round: every game read with its tree, every move tested; returns the plies."""
    path = folder / f"chess-{chess.__version__}-{games}.pgn"
    if not path.exists():
        path.write_text("\n\n".join(map(_written, range(games))) + "\n")
    text = path.read_text()
    return lambda: _count(text)


def _count(text: str) -> int:
    plies, source = 0, io.StringIO(text)
    while game := chess.pgn.read_game(source):
        if game.errors:
            raise ValueError(f"python-chess refuses its own game: {game.errors}")
        plies += game.end().ply()
    return plies


def _written(number: int) -> str:
    game = chess.pgn.Game.from_board(_played(random.Random(number)))
    game.headers["Round"] = str(number + 1)
    return str(game)


def _played(rng: random.Random) -> chess.Board:
    """A legal game in which captures are three times as likely as quiet moves."""
    board = chess.Board()
    while board.ply() < LONGEST and not board.is_game_over():
        moves = list(board.legal_moves)
        weights = [3 if board.is_capture(move) else 1 for move in moves]
        board.push(rng.choices(moves, weights)[0])
    return board
