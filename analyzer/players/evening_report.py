"""An evening as programs get it: the players, the rounds with their results, the standing, and the records that fit no pair."""

from datetime import date
from itertools import combinations

import msgspec

from analyzer.players.evening_results import EveningLine, EveningResults, read_results
from analyzer.players.evenings import Evening, EveningPlayer, EveningRound, PairingSystem
from analyzer.players.standings import list_places
from analyzer.store.store import Store
from records.phrases import join_words, pluralize

MOST_LEADERS_NAMED = 3


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
    """All that an evening tells; `says` is who leads and what is open, in a sentence."""

    event: str
    day: date
    system: PairingSystem
    players: list[EveningPlayer]
    rounds: list[RoundReport]
    standing: list[EveningLine]
    records_without_a_table: list[RecordWithoutTable]
    says: str = ""


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
        says=tell_standing(evening, results),
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


# Who leads.


def tell_standing(evening: Evening, results: EveningResults) -> str:
    """Who leads and which results are open, in a sentence; empty before the first round."""
    waiting = _tell_open(evening, results)
    if not any(each.source for each in results.by_pair.values()):
        return f"{waiting}." if waiting else ""
    is_over = not waiting and _have_all_met(evening)
    leads = _tell_leaders(evening, results, is_over=is_over)
    if waiting:
        return f"{leads}; {waiting}."
    if is_over:
        return f"Everybody has met everybody: {leads}."
    return f"After {pluralize(len(evening.rounds), 'round')} {leads}."


def _tell_open(evening: Evening, results: EveningResults) -> str:
    """How many results are open, and of which rounds; empty if none is."""
    still = [
        each.number
        for each in evening.rounds
        for pair in each.paired.pairs
        if not results.of(each.number, pair).source
    ]
    if not still:
        return ""
    rounds = [f"{number}" for number in dict.fromkeys(still)]
    of = f"round{'s' if len(rounds) > 1 else ''} {join_words(rounds)}"
    return f"{pluralize(len(still), 'result')} of {of} {'is' if len(still) == 1 else 'are'} open"


def _tell_leaders(evening: Evening, results: EveningResults, *, is_over: bool) -> str:
    """Who has the first place, with how many points of how many."""
    lines = results.lines
    first = [line for line, place in zip(lines, list_places(lines), strict=True) if place == 1]
    names = join_words(line.name for line in first) if len(first) <= MOST_LEADERS_NAMED else pluralize(len(first), "player")  # fmt: skip
    points = f"{first[0].points:g} point{'' if first[0].points == 1 else 's'}"
    if len(first) > 1:
        return f"{names} {'share the first place' if is_over else 'lead'} with {points} each"
    played = first[0].matches + (first[0].byes if evening.system == "swiss" else 0)
    return f"{names} {'wins' if is_over else 'leads'} with {points} of {played}"


def _have_all_met(evening: Evening) -> bool:
    """Whether a round robin is over: whoever is here has met everybody else who is."""
    met = {frozenset(pair) for each in evening.rounds for pair in each.paired.pairs}
    here = evening.here
    is_met = all(frozenset(pair) in met for pair in combinations(here, 2))
    return evening.system == "round-robin" and len(here) > 1 and is_met
