"""Games of Zique to store: each is played once by a test worker, when it first needs it."""

from functools import cache

from records.format import codec
from records.selfplay import play_game


@cache
def zique_game(seed: int) -> bytes:
    """A complete game, as it is uploaded."""
    return codec.encode(play_game("zique", seed=seed))


def zique_games(count: int) -> list[bytes]:
    """The first so many of them."""
    return [zique_game(seed) for seed in range(count)]
