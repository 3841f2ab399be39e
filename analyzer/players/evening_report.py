"""An evening as programs get it: the players, the rounds with their results, the standing, and the records that fit no pair."""

from datetime import date

import msgspec

from analyzer.players.evening_results import EveningLine, EveningResults, read_results
from analyzer.players.evenings import Evening, EveningPlayer, EveningRound, PairingSystem
from analyzer.store.store import Store


class TableReport(msgspec.Struct, frozen=True):
    """A table of a round: who met, and what that came to.

    `source` is `record` or `typed`, None while the result is open; `winner` is a name, None for a draw, too. `points` are
    those of both, if known, and `records` the digests of all records of the match.
    """

    table: int
    players: tuple[str, str]
    source: str | None
    winner: str | None
    points: list[int] | None
    records: list[str]


class RoundReport(msgspec.Struct, frozen=True):
    """A round with its tables, and who sits out."""

    round: int
    tables: list[TableReport]
    bye: str | None


class RecordWithoutTable(msgspec.Struct, frozen=True):
    """A record of the event that fits no pair, and why."""

    digest: str
    names: list[str]
    why: str


class EveningReport(msgspec.Struct, frozen=True):
    """All that an evening tells."""

    event: str
    day: date
    system: PairingSystem
    players: list[EveningPlayer]
    rounds: list[RoundReport]
    standing: list[EveningLine]
    records_without_a_table: list[RecordWithoutTable]


class EveningEntry(msgspec.Struct, frozen=True):
    """An evening in the list of all: its number, its event and its day."""

    evening: int
    event: str
    day: date

    @classmethod
    def of(cls, evening: Evening) -> "EveningEntry":
        """What the list tells of an evening."""
        return cls(evening.key, evening.event, evening.day)


def report_evening(store: Store, evening: Evening) -> EveningReport:
    """An evening as it is now."""
    results = read_results(store, evening)
    return EveningReport(
        event=evening.event,
        day=evening.day,
        system=evening.system,
        players=evening.players,
        rounds=[_report_round(evening, each, results) for each in evening.rounds],
        standing=results.lines,
        records_without_a_table=[
            RecordWithoutTable(each.digest, each.names, each.problem) for each in results.misfits
        ],
    )


def _report_round(evening: Evening, of: EveningRound, results: EveningResults) -> RoundReport:
    tables = []
    for table, (one, other) in enumerate(of.paired.pairs, start=1):
        result = results.of(of.number, (one, other))
        names = (evening.player(one).name, evening.player(other).name)
        known = {one, other} <= result.points.keys()
        tables.append(
            TableReport(
                table=table,
                players=names,
                source=result.source or None,
                winner=None if result.winner is None else names[(one, other).index(result.winner)],
                points=[result.points[one], result.points[other]] if known else None,
                records=[match.digest for match in result.matches],
            )
        )
    bye = of.paired.bye
    return RoundReport(of.number, tables, None if bye is None else evening.player(bye).name)
