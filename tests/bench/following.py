"""The lines of games through `bezique follow`, each answered with the choices that come next."""

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from records.format import codec
from records.record import Record
from records.selfplay import play_game
from webui.replay.followed_game import FollowedGame

SHEET, GAMES = "bezique", 10


def follow(folder: Path, games: int) -> Callable[[], int]:
    """One round: some games, line by line; returns the events."""
    records = [play_game(SHEET, seed=seed) for seed in range(GAMES)]
    lines = [line for record in records for line in lines_of(record)]
    events = sum(len(deal.events) for record in records for deal in record.deals)

    def one_round() -> int:
        game = FollowedGame()
        if not all(b'"taken":true' in game.answer(line) for line in lines):
            raise SystemExit("a line of a game was not taken")
        return events

    return one_round


def lines_of(record: Record) -> list[bytes]:
    """A game as a live program tells it."""
    lines = [codec.encode(replace(record, deals=[], result=None))]
    for deal in record.deals:
        lines.append(codec.ENCODER.encode(replace(deal, events=[], claims=None)))
        lines += map(codec.ENCODER.encode, deal.events)
        lines.append(b'{"end":"deal"}')
    return [*lines, b'{"end":"match"}']
