"""A short complete game of every rule sheet, and of every number of players with rules of its own."""

import json
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from records.events import Play
from records.format.redaction import redact
from records.record import Deal, Record
from records.rules import registry
from records.rules.own_sheet import read_own_sheet
from records.rules.registry import get_sheet, know_sheets, own_sheets
from records.selfplay import play_game

RULEBOOKS = Path(__file__).parents[2] / "samples" / "rulebooks"
SHORT_TARGET = 100


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
            options={"target": SHORT_TARGET} if has_target else {},
            players=self.players,
            sides=[list(side) for side in self.sides] or None,
        )


@dataclass(frozen=True)
class OwnGame:
    """What makes a game by one of the rulebooks among the samples, which the record has inside, to a low target."""

    rulebook: str
    seed: int
    players: int
    sides: tuple[tuple[int, ...], ...] = ()

    def record(self) -> Record:
        """The record of the game."""
        file = tomllib.loads((RULEBOOKS / f"{self.rulebook}.toml").read_text(encoding="utf-8"))
        target = {str(self.players): SHORT_TARGET}
        file["id"], file["name"] = f"short-{file['id']}", f"{file['name']}, to {SHORT_TARGET}"
        file["changes"].append({"path": "/rules/match/target", "value": target})
        sheet, known = read_own_sheet(json.dumps(file).encode()), own_sheets()
        know_sheets([*known, sheet])
        try:
            sides = [list(side) for side in self.sides] or None
            return play_game(sheet.id, seed=self.seed, sides=sides, carry=True)
        finally:
            know_sheets(known)


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

OWN_GAMES: dict[str, OwnGame] = {
    "bezique-three-hands": OwnGame("bezique-three-hands", 48, 3),
    "bezique-four-alone": OwnGame("bezique-four-partners", 4, 4),
    "bezique-four-partners": OwnGame("bezique-four-partners", 26, 4, ((0, 2), (1, 3))),
}
"""Games of three and four at the tricks."""


def _of_one_seat(record: Record) -> Record:
    """What the first player saw."""
    return redact(record, 0)


def _of_plays(record: Record) -> Record:
    """The cards played, in their order, and nothing else of the deals."""
    return _with_deals(
        record,
        lambda deal: replace(
            deal,
            knowledge="plays",
            hands=None,
            events=[event for event in deal.events if isinstance(event, Play)],
        ),
    )


def _of_scores(record: Record) -> Record:
    """What stood on the marker's sheet."""
    return _with_deals(
        record, lambda deal: Deal(dealer=deal.dealer, knowledge="scores", claims=deal.claims)
    )


def _with_deals(record: Record, change: Callable[[Deal], Deal]) -> Record:
    return replace(record, deals=[change(deal) for deal in record.deals])


LEFT_OUT: dict[str, Callable[[Record], Record]] = {
    "one-seat": _of_one_seat,
    "plays": _of_plays,
    "scores": _of_scores,
}
"""By the end of its name, what a partial sample tells of a game of more than two."""


PARTIAL = ("bezique-three-hands", "bezique-four-partners")
"""The games of which partial samples tell."""


def sheets_without_a_game() -> set[str]:
    """The sheets that no game here is played by."""
    return {sheet.id for sheet in registry.ALL_SHEETS} - {game.sheet for game in GAMES.values()}
