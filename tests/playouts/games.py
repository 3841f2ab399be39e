"""Every way to play every sheet: seats, sides, and option sets in which each value occurs."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from records.errors import RulesError
from records.record import Record
from records.rules.registry import ALL_SHEETS, resolve_sheet
from records.rules.vocabulary import ChoiceOption, Option, RuleOptionValue, RuleSheet
from records.selfplay import play_game

Options = dict[str, RuleOptionValue]


class Way(NamedTuple):
    """One way to play one sheet."""

    sheet: RuleSheet
    players: int
    sides: list[list[int]] | None
    options: Options

    def __str__(self) -> str:
        said = [f"{name}={value}" for name, value in self.options.items()]
        split = "v".join("".join(map(str, side)) for side in self.sides or [])
        return "-".join([self.sheet.id, str(self.players), *filter(None, [split, *said])])

    def play(self, seed: int, style: str, *, deals: int = 200, **how: bool) -> Record:
        return play_game(
            self.sheet.id,
            seed=seed,
            options=self.options,
            style=style,
            deals=deals,
            players=self.players,
            sides=self.sides,
            **how,
        )


def tables(sheet: RuleSheet) -> Iterator[tuple[int, list[list[int]] | None]]:
    """Every number of seats, each for himself and in every partnership the sheet knows."""
    for players in sheet.rules.players:
        yield players, None
        for sides in sheet.rules.partner_sizes.get(players, ()):
            yield players, [list(range(side, players, sides)) for side in range(sides)]


def values(option: Option) -> list[RuleOptionValue]:
    """The values of an option that differ from its default; of a number, its ends."""
    known = (
        list(option.permitted) if isinstance(option, ChoiceOption) else [option.least, option.most]
    )
    return [value for value in known if value is not option.default]


def option_sets(sheet: RuleSheet, *, more: int = 0) -> list[Options]:
    """The defaults, each other value by itself, and so many sets of several at random."""
    alone: list[Options] = [
        {option.name: value} for option in sheet.options for value in values(option)
    ]
    random, several = Random(sheet.id), list[Options]()
    while sheet.options and len(several) < more:
        chosen = random.sample(sheet.options, min(3, len(sheet.options)))
        options = {option.name: random.choice(values(option)) for option in chosen}
        if agree(sheet, options):
            several.append(options)
    return [{}, *alone, *several]


def agree(sheet: RuleSheet, options: Options) -> bool:
    """Whether the options may be given together."""
    try:
        resolve_sheet(sheet.id, None, options)
    except RulesError:
        return False
    return True


STANDARD = [
    Way(sheet, players, sides, {}) for sheet in ALL_SHEETS for players, sides in tables(sheet)
]
"""Every sheet at every table, by its defaults."""
OPTIONED = [
    Way(sheet, sheet.rules.players[i % len(sheet.rules.players)], None, options)
    for sheet in ALL_SHEETS
    for i, options in enumerate(option_sets(sheet, more=2)[1:])
]
"""Every sheet with every other value of every option."""
