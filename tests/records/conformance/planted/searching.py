"""A search for records that show an error of which it is said that none can: games by every option, damaged ones, and
games played with the error itself.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from random import Random

from records.format.codec import encode
from records.record import Record
from records.rules.vocabulary import RuleSheet
from tests.playouts.games import Way, option_sets, tables
from tests.playouts.mutants import KINDS
from tests.records.conformance.planted.planting import Planted, program_says
from tests.records.conformance.planted.value_errors import unshown_errors

GAMES_AT_ONCE = 20
"""So many games are judged with an error before the next one is planted: planting takes as long as several games."""


@cache
def ways(sheet: RuleSheet) -> tuple[Way, ...]:
    """Every table of a sheet with every set of options in which each value occurs."""
    return tuple(
        Way(sheet, players, sides, options)
        for options in option_sets(sheet, more=4)
        for players, sides in tables(sheet)
    )


def game(sheet: RuleSheet, seed: int) -> Record:
    """The game of this number: a deal, or every tenth time up to four."""
    way = ways(sheet)[seed % len(ways(sheet))]
    return way.play(
        seed,
        ("random", "greedy")[seed // len(ways(sheet)) % 2],
        deals=4 if seed % 10 == 0 else 1,
        where=seed % 3 == 0,
        shows=seed % 2 == 0 and sheet.rules.pending,
    )


def damaged(record: Record, seed: int) -> Iterator[Record]:
    """The game with one change, of another kind each time."""
    kinds = list(KINDS)
    mutant = KINDS[kinds[seed % len(kinds)]](record, Random(seed))
    if mutant is not None:
        yield mutant.record


def differences(sheet: RuleSheet, seeds: range) -> Iterator[str]:
    """What these games show of errors that no record can show: each with the game, which should be none."""
    errors = [*unshown_errors(sheet)]
    for first in range(seeds.start, seeds.stop, GAMES_AT_ONCE):
        some = range(first, min(first + GAMES_AT_ONCE, seeds.stop))
        played = [game(sheet, seed) for seed in some]
        records = [
            *played,
            *(other for record, seed in zip(played, some, strict=True) for other in damaged(record, seed)),
        ]  # fmt: skip
        expected = [program_says(record).right for record in records]
        for error in errors:
            yield from _shown(error, records, expected, sheet, some[first % len(some)])


def _shown(
    error: Planted, records: list[Record], expected: list[bool], sheet: RuleSheet, seed: int
) -> Iterator[str]:
    own: list[Record] = []
    with error.change.within():
        # What is no game at all with the error cannot be played.
        with suppress(Exception):
            own.append(game(sheet, seed))
        said = [error.change.says(record).right for record in (*records, *own)]
    expected = [*expected, *(program_says(record).right for record in own)]
    for record, right, told in zip((*records, *own), expected, said, strict=True):
        if right != told:
            yield f"{error.sheet}, {error.name}: {encode(record).decode()}"
