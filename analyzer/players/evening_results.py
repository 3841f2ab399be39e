"""What an evening came to: the records of its event by round and pair, beside what was typed, and the standing.

A record counts as it does in every standing. A typed result holds until a record of that pair and round counts.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, NamedTuple

from analyzer.players import players_sql
from analyzer.players.evenings import (
    Evening,
    EveningRefused,
    EveningRound,
    TypedResult,
    list_evenings,
    read_evening,
)
from analyzer.players.round_pairing import Pair, PairedRound, pair_round_robin, pair_swiss
from analyzer.players.standings import (
    CountedMatches,
    MatchChoice,
    TypedMatch,
    counted_matches,
    read_rounds,
)
from analyzer.store.store import Store
from records.people import APART, read_name

MOST_MATCHES = 1_000
"""So many records of an evening are looked at, those stored first."""
WIN, DRAW = 1.0, 0.5
Source = Literal["record", "typed", ""]
PairInRound = tuple[int, frozenset[int]]


@dataclass(frozen=True, slots=True)
class EveningMatch:
    """A record of the evening's event: its round and its pair, None where it fits none, and then the `problem`.

    Where it does not count, `problem` says that, too. `winner` is a player's number, None for a draw; `again` counts
    other records of the same match.
    """

    digest: str
    names: list[str]
    round: int | None
    pair: frozenset[int] | None
    counts: bool
    winner: int | None
    points: Mapping[int, int]
    again: int
    problem: str = ""


@dataclass(frozen=True, slots=True)
class PairResult:
    """What a pair's match came to, and where that is from; without a `source` it is open.

    `matches` are all records of it. `typed` is what was typed, also where a record counts; with `is_disputed`, several
    records tell different winners, and none counts.
    """

    source: Source
    winner: int | None
    points: Mapping[int, int]
    matches: Sequence[EveningMatch]
    typed: TypedResult | None
    is_disputed: bool = False


@dataclass(slots=True)
class EveningLine:
    """A player in the standing of an evening: a win is a point, a draw half one; `typed` counts results without a record."""

    number: int
    name: str
    points: float = 0
    matches: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    byes: int = 0
    made: int = 0
    typed: int = 0


@dataclass(frozen=True, slots=True)
class EveningResults:
    """The results by round and pair, the standing, and the records of the event that fit no pair.

    Of more than `MOST_MATCHES` records it `is_cut`: the others are not looked at.
    """

    by_pair: Mapping[PairInRound, PairResult]
    lines: list[EveningLine]
    misfits: list[EveningMatch]
    is_cut: bool

    def of(self, number: int, pair: Pair) -> PairResult:
        """The result of a pair in a round."""
        return self.by_pair[number, frozenset(pair)]

    @property
    def ranked(self) -> list[int]:
        """The numbers of all players in the order of the standing."""
        return [line.number for line in self.lines]

    @property
    def points(self) -> dict[int, float]:
        """The points of every player."""
        return {line.number: line.points for line in self.lines}


def read_results(store: Store, evening: Evening) -> EveningResults:
    """What an evening has come to."""
    return settle(evening, read_matches(store, evening))


def settle(evening: Evening, matches: Sequence[EveningMatch]) -> EveningResults:
    """The results of an evening, from these records of its event and from what was typed."""
    found = defaultdict[PairInRound, list[EveningMatch]](list)
    misfits = []
    for match in matches:
        if match.round is None or match.pair is None:
            misfits.append(match)
        else:
            found[match.round, match.pair].append(match)
    by_pair = {
        (each.number, frozenset(pair)): _result(found[each.number, frozenset(pair)], each, pair)
        for each in evening.rounds
        for pair in each.paired.pairs
    }
    is_cut = len(matches) >= MOST_MATCHES
    return EveningResults(by_pair, _standing(evening, by_pair), misfits, is_cut)


def _result(matches: Sequence[EveningMatch], of: EveningRound, pair: Pair) -> PairResult:
    counting = [match for match in matches if match.counts]
    typed = of.typed.get(frozenset(pair))
    if len({match.winner for match in counting}) > 1:
        return PairResult("", None, {}, matches, typed, is_disputed=True)
    if counting:
        return PairResult("record", counting[0].winner, counting[0].points, matches, typed)
    if typed:
        return PairResult("typed", typed.winner, typed.points, matches, typed)
    return PairResult("", None, {}, matches, None)


def _standing(evening: Evening, by_pair: Mapping[PairInRound, PairResult]) -> list[EveningLine]:
    """Everybody who was entered: most points first, then most wins, most points scored, and the name."""
    lines = {each.number: EveningLine(each.number, each.name) for each in evening.players}
    for (_, pair), result in by_pair.items():
        for player in pair if result.source else ():
            _add_result(lines[player], result)
    byes = Counter(each.paired.bye for each in evening.rounds)
    for number, line in lines.items():
        line.byes = byes[number]
        line.points += WIN * line.byes if evening.system == "swiss" else 0
    return sorted(lines.values(), key=lambda one: (-one.points, -one.won, -one.made, one.name))


def _add_result(line: EveningLine, result: PairResult) -> None:
    line.matches += 1
    line.typed += result.source == "typed"
    line.made += result.points.get(line.number, 0)
    if result.winner is None:
        line.drawn += 1
        line.points += DRAW
    elif result.winner == line.number:
        line.won += 1
        line.points += WIN
    else:
        line.lost += 1


# The records of the event.


def read_matches(store: Store, evening: Evening) -> list[EveningMatch]:
    """The records of an evening's event on its days, the first stored first, at most `MOST_MATCHES`.

    Its days end where the next evening of the event begins. A record without a date belongs to the only evening of its event.
    """
    counted = counted_matches(store, MatchChoice(event=evening.event))
    parts = f"WITH chosen_matches AS (\n{players_sql('chosen_matches')})\n"
    values = {**counted.values(), **_days(store, evening), "most": MOST_MATCHES}
    rows = [_MatchRow(*row) for row in store.rows(parts + players_sql("evening_matches"), values).rows]  # fmt: skip
    titles = read_rounds(store, [row.digest for row in rows])
    return [_match(evening, row, titles.get(row.digest, "")) for row in rows]


class _MatchRow(NamedTuple):
    """A row of `evening_matches.sql`."""

    digest: str
    names: list[str]
    people: list[str]
    written: list[str]
    complete: bool
    status: str | None
    verdict: str
    counts: bool
    winner: int | None
    scores: list[int] | None
    again: int


def _days(store: Store, evening: Evening) -> dict[str, object]:
    days = [each.day for each in list_evenings(store) if each.event == evening.event]
    later: list[date] = [day for day in days if day > evening.day]
    return {"day": evening.day, "next": min(later, default=None), "undated": len(days) == 1}


def _match(evening: Evening, row: _MatchRow, title: str) -> EveningMatch:
    """A record as the evening sees it."""
    seats = [_player(evening, *each) for each in zip(row.names, row.people, row.written, strict=True)]  # fmt: skip
    number = _round_of_title(evening, title)
    problem = _misfit(evening, row.names, seats, number, title)
    known = [seat for seat in seats if seat is not None]
    return EveningMatch(
        digest=row.digest,
        names=row.names,
        round=None if problem else number,
        pair=None if problem else frozenset(known),
        counts=row.counts,
        winner=None if row.winner is None or problem else known[row.winner],
        points={} if problem else dict(zip(known, row.scores or [], strict=False)),
        again=row.again,
        problem=problem or ("" if row.counts else _reason(row)),
    )


def _round_of_title(evening: Evening, title: str) -> int | None:
    titles = {f"round {each.number}": each.number for each in evening.rounds}
    return titles.get(title.casefold())


def _player(evening: Evening, name: str, person: str, written: str) -> int | None:
    """The player of a seat: as lists call them now, or else as the record writes, which also tells apart who share a name."""
    players = [evening.named(read_name(text.replace(APART, " "))) for text in (name, person, written)]  # fmt: skip
    if (writes := players[-1]) and writes.shared_name == read_name(name):
        return writes.number
    return next((found.number for found in players if found), None)


def _misfit(
    evening: Evening, names: list[str], seats: list[int | None], number: int | None, title: str
) -> str:
    """Why a record fits no pair of the evening; empty if it fits one."""
    if len(seats) != 2:
        return f"{len(seats)} players"
    strange = [name for name, seat in zip(names, seats, strict=True) if seat is None]
    if strange:
        return (
            f"{' and '.join(strange)} {'is' if len(strange) == 1 else 'are'} not among the players"
        )
    if number is None:
        return f"“{title}” is not a round that is paired" if title else "the record names no round"
    pairs = [{*pair} for pair in evening.rounds[number - 1].paired.pairs]
    return "" if {*seats} in pairs else f"they do not meet in round {number}"


def _reason(row: _MatchRow) -> str:
    """Why a record does not count."""
    if row.verdict == "illegal":
        return "a rule was broken"
    if row.status == "abandoned":
        return "abandoned"
    return "its result is open" if row.complete else "not played to its end"


# The next round.


def pair_next_round(evening: Evening, results: EveningResults) -> PairedRound:
    """The next round for those who are here, by the system of the evening; raises EveningRefused if they are fewer than two."""
    if len(evening.here) < 2:
        raise EveningRefused("Two players must be here.")
    past = [each.paired for each in evening.rounds]
    if evening.system == "round-robin":
        entered = [each.number for each in evening.players]
        return pair_round_robin(entered, evening.here, past)
    here = {*evening.here}
    ranked = [number for number in results.ranked if number in here]
    return pair_swiss(ranked, results.points, past)


MOST_REGULARS = 48
SELECT_REGULARS = """
    SELECT name FROM (SELECT unnest(names) AS name FROM games WHERE event = $event)
    GROUP BY name ORDER BY count(*) DESC, name LIMIT $most
"""


def list_regulars(store: Store, event: str) -> list[str]:
    """Who has played in records of this event, those with most matches first, at most `MOST_REGULARS`."""
    rows = store.answer(SELECT_REGULARS, {"event": event, "most": MOST_REGULARS}).rows
    return [name for (name,) in rows]


# What was typed, for the standing of the event.

MOST_TYPED_EVENINGS = 60
"""Typed results count from so many evenings of an event, the latest."""


def event_matches(store: Store, choice: MatchChoice) -> CountedMatches:
    """The matches that count for a choice; of one event with those that were typed at its evenings, and have no record.

    What was typed names no rulebook, so it does not count where one is chosen.
    """
    counted = counted_matches(store, choice)
    if choice.event is None or choice.sheet is not None:
        return counted
    return replace(counted, typed=list(_typed_matches(store, choice)))


def _typed_matches(store: Store, choice: MatchChoice) -> Iterator[TypedMatch]:
    chosen = [each for each in list_evenings(store) if each.event == choice.event]
    in_season = [each for each in chosen if choice.season in (None, each.day.year)]
    for entry in in_season[:MOST_TYPED_EVENINGS]:
        evening = read_evening(store, entry.key)
        if evening is None or not any(each.typed for each in evening.rounds):
            continue
        results = read_results(store, evening)
        for each in evening.rounds:
            for pair in each.paired.pairs:
                result = results.of(each.number, pair)
                if result.source == "typed":
                    yield _typed_match(evening, pair, result)


def _typed_match(evening: Evening, pair: Pair, result: PairResult) -> TypedMatch:
    one, other = pair
    points = result.points
    return TypedMatch(
        (evening.player(one).name, evening.player(other).name),
        None if result.winner is None else pair.index(result.winner),
        (points[one], points[other]) if points else None,
    )
