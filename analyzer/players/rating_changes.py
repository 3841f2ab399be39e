"""What every rated match changed, in the order of rating, packed: some 28 bytes for each player of a match."""

from array import array
from collections.abc import Iterator
from typing import NamedTuple

from analyzer.players.rating_method import UNRATED, Standing


class RatingChange(NamedTuple):
    """A match, by the key of its game, and a player's standing before and after it."""

    game: int
    before: Standing
    after: Standing


class RatingChanges:
    """The rating changes of all players, in the order in which they were added."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._players = array("i")
        self._games = array("q")
        self._ratings = array("d")
        self._deviations = array("d")

    def add(self, name: str, game: int, standing: Standing) -> None:
        """Add a player's standing after a match."""
        self._players.append(self._numbers.setdefault(name, len(self._numbers)))
        self._games.append(game)
        self._ratings.append(standing.rating)
        self._deviations.append(standing.deviation)

    def of(self, name: str) -> Iterator[RatingChange]:
        """A player's changes, in the order of rating."""
        number = self._numbers.get(name)
        if number is None:
            return
        before = UNRATED
        for at, player in enumerate(self._players):
            if player == number:
                after = Standing(self._ratings[at], self._deviations[at], before.matches + 1)
                yield RatingChange(self._games[at], before, after)
                before = after
