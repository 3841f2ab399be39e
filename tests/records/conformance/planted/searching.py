"""A search for records that show an error of which it is said that none can: games by every option, damaged ones, melds
that games seldom show, and games played with the error itself.

Errors in different places of a sheet are planted together, in other company every time, so that a record is judged a few
times and not once for each error. Where such a sheet says something else of a record, each of its errors is planted alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from records.cards import SUITS
from records.conformance.answers import FAULTS
from records.format.codec import encode
from records.record import Record
from records.replay import replay
from records.rules.compiled import card_sets_for
from records.rules.complete import complete_rules
from records.rules.registry import sheet_replaced
from records.rules.vocabulary import MeldRule, RuleSheet, ShapedCards
from records.selfplay import MAX_SELFPLAY_DEALS
from records.validate.finding import Finding
from records.validator import COST_CLAUSES, Validator
from tests.playouts.games import Way, option_sets, tables
from tests.playouts.mutants import KINDS
from tests.records.conformance.candidates import melded
from tests.records.conformance.planted.planting import Planted, SheetChange
from tests.records.conformance.planted.value_errors import unshown_errors

GAMES_AT_ONCE = 100
"""So many games are judged with the errors in the same company: the rules by every option have to be made for each."""
OWN_SHARE = 20
"""For every so many games one more is played with the errors."""
DEALS = 4
"""Every tenth game has so many deals at most; some are played until somebody has won."""

Said: TypeAlias = bool | str | None
"""What is said of a record: that it is right or not, `TOO_DEAR`, or nothing."""
TOO_DEAR = "too dear"
"""Whether a record is right would take longer to tell than this program does. How long it takes is no verdict."""
Place = tuple[str | int, ...]
Changes = Mapping[Place, Any]
"""What stands otherwise in a sheet, by its place in the JSON."""


class Company(NamedTuple):
    """Errors of a sheet in different places, and the sheet that has all of them."""

    errors: Sequence[Planted]
    sheet: RuleSheet

    def says(self, records: Sequence[Record]) -> list[Said]:
        """What `is_right` says of each record in a program with these errors; None of what it cannot judge."""
        found = list[Said]()
        with sheet_replaced(self.sheet):
            for record in records:
                found.append(None)
                with suppress(Exception):
                    found[-1] = is_right(record)
        return found

    def play(self, sheet: RuleSheet, seeds: Iterable[int]) -> list[Record]:
        """Games played with the errors, but those that are no game at all."""
        played = list[Record]()
        with sheet_replaced(self.sheet):
            for seed in seeds:
                with suppress(Exception):
                    played.append(game(sheet, seed))
        return played


@cache
def ways(sheet: RuleSheet) -> tuple[Way, ...]:
    """Every table of a sheet with every set of options in which each value occurs."""
    return tuple(
        Way(sheet, players, sides, options)
        for options in option_sets(sheet, more=4)
        for players, sides in tables(sheet)
    )


def game(sheet: RuleSheet, seed: int) -> Record:
    """The game of this number."""
    way, how = manner(sheet, seed)
    return way.play(seed, **how)


def manner(sheet: RuleSheet, seed: int) -> tuple[Way, dict[str, Any]]:
    """How the game of this number is played: mostly a deal, every tenth time up to four, and every fiftieth a whole match.

    All else is by chance, so that what the numbers of the ways have in common does not matter.
    """
    number, place = divmod(seed, len(ways(sheet)))
    random = Random(f"manner {seed}")
    return ways(sheet)[place], {
        "style": random.choice(("random", "greedy")),
        "deals": MAX_SELFPLAY_DEALS if number % 50 == 20 else DEALS if number % 10 == 5 else 1,
        "where": random.random() < 1 / 3,
        "shows": random.random() < 1 / 2 and sheet.rules.pending,
        # To tell the copies apart spares the search for those that a card may be.
        "labels": random.random() < 3 / 4,
    }


def damaged(record: Record, seed: int) -> Iterator[Record]:
    """The game with one change, of any kind."""
    random = Random(f"damage {seed}")
    mutant = random.choice([*KINDS.values()])(record, random)
    if mutant is not None:
        yield mutant.record


def meld(sheet: RuleSheet, seed: int) -> Record:
    """A meld of any line in the middle of a deal, with the points of a line of its name, and every other time a wrong suit.

    Games show some melds once in a thousand deals, or never.
    """
    random = Random(seed)
    row = random.choice(sheet.rules.melds)
    cards = [*random.choice(_sets(sheet, row) or [_shaped(sheet, row, random)])]
    if random.random() < 0.5:
        at = random.randrange(len(cards))
        cards[at] = cards[at][0] + random.choice(SUITS)
    points = [each.points for each in sheet.rules.melds if each.name == row.name]
    return melded(sheet, row, cards, random.choice(points))


@cache
def _sets(sheet: RuleSheet, row: MeldRule) -> Sequence[Sequence[str]]:
    return card_sets_for(row, "H", sheet.rules)


def _shaped(sheet: RuleSheet, row: MeldRule, random: Random) -> list[str]:
    """Cards of a shape."""
    assert isinstance(row.cards, ShapedCards)
    ranks, size = sheet.rules.pack.row, row.cards.size
    start = random.randrange(len(ranks) - size + 1)
    some = ranks[start : start + size] if row.cards.in_a_row else random.sample(ranks, size)
    suit = random.choice(SUITS)
    return [rank + (suit if row.cards.one_suit else random.choice(SUITS)) for rank in some]


def differences(
    sheet: RuleSheet, seeds: range, errors: Sequence[Planted] | None = None
) -> Iterator[str]:
    """What these games show of errors that no record can show, each with the record: nothing.

    `errors` are others to look for instead.
    """
    known = _unshown(sheet) if errors is None else _with_changes(sheet, errors)
    for first in range(seeds.start, seeds.stop, GAMES_AT_ONCE):
        batch = range(first, min(first + GAMES_AT_ONCE, seeds.stop))
        played = [game(sheet, seed) for seed in batch]
        others = [
            *(other for game, seed in zip(played, batch, strict=True) for other in damaged(game, seed)),
            *(meld(sheet, seed) for seed in batch),
        ]  # fmt: skip
        # Whatever is played is right.
        judged = [(game, True) for game in played] + [(other, is_right(other)) for other in others]
        yield from shown_by(sheet, known, judged, batch)


@cache
def _unshown(sheet: RuleSheet) -> Sequence[tuple[Planted, Changes]]:
    """Those of which it is said that none shows them; to make them takes as long as many games."""
    return _with_changes(sheet, unshown_errors(sheet))


def _with_changes(sheet: RuleSheet, errors: Iterable[Planted]) -> Sequence[tuple[Planted, Changes]]:
    return [(error, changes(sheet, sheet_of(error))) for error in errors]


def shown_by(
    sheet: RuleSheet,
    known: Sequence[tuple[Planted, Changes]],
    judged: Sequence[tuple[Record, bool | str]],
    seeds: range,
) -> Iterator[str]:
    """What is said otherwise with these errors of records, each with whether it is right.

    And of some of the games of these numbers, played with the errors.
    """
    random = Random(seeds.start)
    for company in companies(sheet, known, random):
        numbers = random.sample(seeds, -(-len(seeds) // OWN_SHARE))
        own = [(record, is_right(record)) for record in company.play(sheet, numbers)]
        yield from _shown(company, *zip(*judged, *own, strict=True))


def is_right(record: Record) -> bool | str:
    """Whether this program finds a record right, or `TOO_DEAR`; it reads no further than the first fault."""
    validator = Validator(record, reconcile=False)
    if validator.match is not None:
        for frame in replay(record, match=validator.match, findings_only=True, few_readings=True):
            validator.see(frame)
            if has_fault(validator.findings):
                return False
    if any(opening.clause in COST_CLAUSES for opening in validator.openings):
        return TOO_DEAR
    return not has_fault(validator.report().findings)


def has_fault(findings: Iterable[Finding]) -> bool:
    return any(finding.severity in FAULTS for finding in findings)


def _shown(
    company: Company, records: Sequence[Record], expected: Sequence[bool | str]
) -> Iterator[str]:
    """What each error alone says otherwise of the records of which all of them together say otherwise."""
    said = company.says(records)
    odd = [at for at, right in enumerate(expected) if _differs(said[at], right)]
    for error in company.errors if odd else ():
        alone = Company([error], sheet_of(error)).says([records[at] for at in odd])
        for at, right in zip(odd, alone, strict=True):
            if _differs(right, expected[at]):
                yield f"{error.sheet}, {error.name}: {encode(records[at]).decode()}"


def _differs(one: Said, other: Said) -> bool:
    """Whether two answers contradict each other: of what is too dear to tell, nothing is said."""
    return one != other and TOO_DEAR not in (one, other)


def companies(
    sheet: RuleSheet, errors: Sequence[tuple[Planted, Changes]], random: Random
) -> Iterator[Company]:
    """The errors, at random in as few companies as their places allow."""
    found: list[tuple[list[Planted], dict[Place, Any]]] = []
    for error, places in random.sample(errors, len(errors)):
        for some, taken in found:
            if not any(_overlap(one, other) for one in places for other in taken):
                some.append(error)
                taken.update(places)
                break
        else:
            found.append(([error], dict(places)))
    for some, taken in found:
        joined = sheet_with(sheet, taken) if some[1:] else sheet_of(some[0])
        if joined is not None:
            yield Company(some, joined)
        else:
            yield from (Company([error], sheet_of(error)) for error in some)


def sheet_of(error: Planted) -> RuleSheet:
    """The sheet as a program with an error in one of its values reads it."""
    assert isinstance(error.change, SheetChange)
    return error.change.sheet


def changes(sheet: RuleSheet, other: RuleSheet) -> Changes:
    """What another sheet says otherwise."""
    return dict(
        _changes((), *(msgspec.to_builtins(each, str_keys=True) for each in (sheet, other)))
    )


def _changes(place: Place, old: Any, new: Any) -> Iterator[tuple[Place, Any]]:
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        for name in old:
            yield from _changes((*place, name), old[name], new[name])
    elif isinstance(old, list | tuple) and isinstance(new, list | tuple) and len(old) == len(new):
        for at in range(len(old)):
            yield from _changes((*place, at), old[at], new[at])
    elif old != new:
        yield place, new


def sheet_with(sheet: RuleSheet, taken: Changes) -> RuleSheet | None:
    """The sheet with changes, and with what follows from its rules; None if that is no sheet."""
    data = msgspec.json.decode(msgspec.json.encode(sheet))
    for place, value in taken.items():
        part = data
        for step in place[:-1]:
            part = part[step]
        part[place[-1]] = value
    try:
        made = msgspec.convert(data, RuleSheet, str_keys=True)
        return replace(made, rules=complete_rules(made.rules))
    except (msgspec.MsgspecError, StopIteration, LookupError, ValueError):
        return None


def _overlap(one: Place, other: Place) -> bool:
    """Whether one of two places lies in the other."""
    length = min(len(one), len(other))
    return one[:length] == other[:length]
