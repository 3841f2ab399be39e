"""A short complete game of every rule sheet, and of every number of players with rules of its own."""

from dataclasses import dataclass

from records.selfplay import play_game
from records.record import Record
from records.rules import registry
from records.rules.registry import get_sheet


@dataclass(frozen=True)
class Game:
    """What makes a game: the seeds are those with the fewest deals, then the shortest records."""

    sheet: str
    seed: int
    players: int = 2
    sides: tuple[tuple[int, ...], ...] = ()

    def record(self) -> Record:
        """The record of the game; a race is a short one where the sheet lets the target be set."""
        has_target = any(option.name == "target" for option in get_sheet(self.sheet).options)
        return play_game(
            self.sheet,
            seed=self.seed,
            options={"target": 100} if has_target else {},
            players=self.players,
            sides=[list(side) for side in self.sides] or None,
        )


SEEDS = {
    "bezique": 5, "bezique-enhanced": 2, "polish-bezique": 1,
    "rubicon-bezique": 7, "rubicon-bezique-recommended": 6, "rubicon-bezique-club": 6,
    "chinese-bezique": 2, "six-pack-bezique": 11,
    "marjolet": 1, "marjolet-oxford": 1, "zique": 9,
}  # fmt: skip

GAMES: dict[str, Game] = {
    **{sheet: Game(sheet, seed) for sheet, seed in SEEDS.items()},
    "zetema-2": Game("zetema", 31),
    "zetema-3": Game("zetema", 2, players=3),
    "zetema-4": Game("zetema", 3, players=4, sides=((0, 2), (1, 3))),
    "zetema-4-alone": Game("zetema", 2, players=4),
    "zetema-5": Game("zetema", 13, players=5),
    "zetema-6-alone": Game("zetema", 27, players=6),
    "zetema-6-in-twos": Game("zetema", 27, players=6, sides=((0, 3), (1, 4), (2, 5))),
    "zetema-6-in-threes": Game("zetema", 27, players=6, sides=((0, 2, 4), (1, 3, 5))),
}


def sheets_without_a_game() -> set[str]:
    """The sheets that no game here is played by."""
    return {sheet.id for sheet in registry.ALL_SHEETS} - {game.sheet for game in GAMES.values()}
