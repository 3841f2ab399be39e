"""The results of a soak: outcomes, progress, and the tables at its end."""

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.playouts.games import Way

LEAST_KINDS = 12
COLUMNS = ("games", "deals", "events", "cut", "refereed", "wrong", "found", "located")
LAST = ("readings", "capped", "undetermined")


class Asked(NamedTuple):
    """How much is asked of every table: games, of these cut everywhere and refereed; mutants of a sheet."""

    games: int
    prefixed: int
    refereed: int
    mutants: int
    sheets: tuple[str, ...] = ()


@dataclass
class Outcome:
    """What became of some games of one way: counts, mutants by kind, the most readings, what went wrong."""

    way: int
    counts: Counter[str] = field(default_factory=Counter)
    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    largest: int = 1
    wrong: list[str] = field(default_factory=list)

    def note(self, kind: str, tally: Counter[str]) -> None:
        """Count a mutant: made, really wrong, found, located at the changed event."""
        self.kinds.setdefault(kind, Counter()).update(tally)
        self.counts.update({name: tally[name] for name in ("wrong", "found", "located")})


class Board:
    """Adds up outcomes and shows how far it has come."""

    def __init__(self, ways: Sequence[Way], standard: int, todo: int) -> None:
        self.ways, self.standard, self.todo = ways, standard, todo
        self.started = time.monotonic()
        self.rows: dict[str, Outcome] = {}
        self.kinds: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
        self.wrong: list[str] = []
        self.done = 0

    def add(self, outcome: Outcome) -> None:
        """Count the outcome of a task; a line for whatever went wrong."""
        way = self.ways[outcome.way]
        label = str(way) if outcome.way < self.standard else f"{way.sheet.id}, options"
        row = self.rows.setdefault(label, Outcome(outcome.way))
        row.counts.update(outcome.counts)
        row.largest = max(row.largest, outcome.largest)
        for kind, tally in outcome.kinds.items():
            self.kinds[way.sheet.id][kind].update(tally)
        self.done += outcome.counts["games"]
        self.fail(*outcome.wrong)
        self._tell()

    def fail(self, *lines: str) -> None:
        self.wrong += lines
        for line in lines:
            sys.stderr.write(f"\r{line}\n")

    def _tell(self) -> None:
        spent = time.monotonic() - self.started
        left = spent / max(1, self.done) * (self.todo - self.done)
        sys.stderr.write(
            f"\r{self.done:,} of {self.todo:,} games, {len(self.wrong)} wrong,"
            f" {spent / 60:.1f} minutes gone, about {left / 60:.1f} to go "
        )
        sys.stderr.flush()

    def close(self, asked: Asked | None) -> None:
        """The tables at the end; with what was `asked`, whatever falls short of it fails too."""
        sys.stderr.write("\n")
        self._print_tables()
        self._print_kinds()
        if asked is not None:
            self.fail(*self._short(asked))
        print(f"{len(self.wrong)} things were not as they must be.")

    def _print_tables(self) -> None:
        """A line a sheet and table, the option sets of a sheet together."""
        print(f"{'':32}" + "".join(f"{name:>10}" for name in (*COLUMNS, *LAST[:2])), LAST[2])
        for label, row in sorted(self.rows.items(), key=lambda pair: pair[1].way):
            counts = "".join(f"{row.counts[name]:10,}" for name in COLUMNS)
            capped, undetermined = row.counts["capped"], row.counts["undetermined"]
            print(f"{label:32}{counts}{row.largest:10,}{capped:10,}{undetermined:13,}")
        print(
            "cut: games of which every prefix was checked; wrong: mutants that no assignment saves; located:"
            "\nof these, with a finding at the changed event or naming it as the earliest cause.\n"
        )

    def _print_kinds(self) -> None:
        """A line a kind of damage: for every sheet the share located, of the mutants that are wrong."""
        for number, sheet in enumerate(self.kinds):
            print(f"{number:4} {sheet}")
        print(f"{'located, in percent':28}" + "".join(f"{i:>5}" for i in range(len(self.kinds))))
        for kind in dict.fromkeys(kind for kinds in self.kinds.values() for kind in kinds):
            cells = "".join(f"{share(kinds[kind]):>5}" for kinds in self.kinds.values())
            total = sum((kinds[kind] for kinds in self.kinds.values()), Counter[str]())
            print(f"{kind:28}{cells}   {share(total):>4} of {total['wrong']:,}")
        print()

    def _short(self, asked: Asked) -> list[str]:
        """Sheets with fewer mutants or kinds than asked for, tables with fewer games cut everywhere."""
        short = []
        for sheet, kinds in self.kinds.items():
            wrong = sum(tally["wrong"] for tally in kinds.values())
            different = sum(tally["wrong"] > 0 for tally in kinds.values())
            if wrong < asked.mutants or different < LEAST_KINDS:
                short.append(f"{sheet}: only {wrong} wrong mutants of {different} kinds")
        for label, row in self.rows.items():
            cut = row.counts["cut"]
            if row.way < self.standard and cut < min(asked.prefixed, asked.games):
                short.append(f"{label}: only {cut} games were cut everywhere")
        return short


def share(tally: Counter[str]) -> str:
    """The share of the wrong mutants that was located, in percent; nothing where there are none."""
    return f"{100 * tally['located'] / tally['wrong']:.0f}" if tally["wrong"] else ""
