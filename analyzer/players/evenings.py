"""Evenings of a club: who is here, who meets whom in which round, and which results somebody typed.

An evening is the list of its steps, each a row that never changes; what holds follows from them in their order. A step is
examined and stored in one transaction: of two that exclude each other the second is refused, and no other is lost.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

import duckdb
import msgspec

from analyzer.players.round_pairing import MOST_PAIRED, PairedRound
from analyzer.store.store import Store, StoreReadOnly
from records.errors import StoreError
from records.people import read_name

MOST_EVENINGS = 1_000
MOST_ROUNDS = 60
MOST_STEPS = 5_000
"""An evening has no more steps; one of 64 people and 60 rounds has 2,000 results."""
LONGEST_EVENT, LONGEST_NAME = 200, 100
MOST_POINTS = 1_000_000
SELECT_STEPS = "SELECT number, content FROM evening_steps WHERE evening = $evening ORDER BY number"
SELECT_EVENINGS = """
    SELECT evening, arg_max(content, number) FROM evening_steps WHERE content->>'kind' = 'opening'
    GROUP BY evening ORDER BY evening DESC LIMIT $most
"""
SELECT_NEXT_KEY = "SELECT coalesce(max(evening), 0) + 1, count(DISTINCT evening) FROM evening_steps"
INSERT_STEP = """
    INSERT INTO evening_steps (evening, number, content, made_by) VALUES ($evening, $number, $content, $made_by)
"""
DELETE_EVENING = "DELETE FROM evening_steps WHERE evening = $evening"
CHANGED_TEXT = "Somebody else changed the evening at the same time. Look at it, and try again."

PairingSystem = Literal["round-robin", "swiss"]
TypedOutcome = Literal["first", "second", "draw", "open"]


class EveningRefused(StoreError):
    """A step that an evening cannot take; the words say why."""


# The steps.


class EveningStep(msgspec.Struct, frozen=True, tag_field="kind"):
    """A step of an evening; players go by the numbers under which they were entered, rounds and players from 1."""


class EveningOpening(EveningStep, frozen=True, tag="opening"):
    """The evening begins, or is called otherwise: its event, as records name it, its day, and how it is paired."""

    event: str
    day: date
    system: PairingSystem


class PlayerArrival(EveningStep, frozen=True, tag="arrival"):
    """Somebody comes."""

    name: str


class PlayerAbsence(EveningStep, frozen=True, tag="absence"):
    """Somebody leaves, or is back if not `away`."""

    player: int
    away: bool


class PlayerNaming(EveningStep, frozen=True, tag="naming"):
    """A player's name was written otherwise."""

    player: int
    name: str


class RoundPairing(EveningStep, frozen=True, tag="pairing"):
    """A round is paired: the next one."""

    round: int
    paired: PairedRound


class PlayerSwap(EveningStep, frozen=True, tag="swap"):
    """Two players of a round change places."""

    round: int
    first: int
    second: int


class RoundRemoval(EveningStep, frozen=True, tag="removal"):
    """The last round is taken back, with so many `typed` results."""

    round: int
    typed: int


class ResultTyping(EveningStep, frozen=True, tag="typing"):
    """A result of a pair is typed, in place of that of the step `over`, 0 for none; `open` takes a typed result away.

    `points` are those that both scored, if somebody typed them.
    """

    round: int
    first: int
    second: int
    outcome: TypedOutcome
    points: tuple[int, int] | None = None
    over: int = 0


AnyStep = (
    EveningOpening | PlayerArrival | PlayerAbsence | PlayerNaming | RoundPairing | PlayerSwap | RoundRemoval | ResultTyping
)  # fmt: skip


# What holds after them.


@dataclass(slots=True)
class EveningPlayer:
    """Who was entered, and whether the player is here."""

    number: int
    name: str
    is_here: bool = True


@dataclass(slots=True)
class TypedResult:
    """A typed result, by the player who won; the number of its `step`, and the points of each player, if known."""

    step: int
    winner: int | None
    points: dict[int, int]


@dataclass(slots=True)
class EveningRound:
    """A round, and the results that were typed, by pair."""

    number: int
    paired: PairedRound
    typed: dict[frozenset[int], TypedResult] = field(default_factory=dict)


@dataclass(slots=True)
class Evening:
    """What holds of an evening after so many `steps`; `key` is its number in the data folder."""

    key: int
    event: str = ""
    day: date = date.min
    system: PairingSystem = "round-robin"
    players: list[EveningPlayer] = field(default_factory=list)
    rounds: list[EveningRound] = field(default_factory=list)
    steps: int = 0

    def player(self, number: int) -> EveningPlayer:
        """A player by number; raises EveningRefused."""
        if not 1 <= number <= len(self.players):
            raise EveningRefused("There is no such player.")
        return self.players[number - 1]

    def named(self, name: str) -> EveningPlayer | None:
        """A player by name."""
        return next((each for each in self.players if each.name == name), None)

    @property
    def here(self) -> list[int]:
        """The numbers of those who are here."""
        return [each.number for each in self.players if each.is_here]

    def round(self, number: int) -> EveningRound:
        """A round by number; raises EveningRefused."""
        if not 1 <= number <= len(self.rounds):
            raise EveningRefused(f"Round {number} is not paired.")
        return self.rounds[number - 1]

    def take(self, step: AnyStep, number: int) -> None:
        """Let a step change what holds; `number` is its own. Raises EveningRefused, and then nothing has changed."""
        match step:
            case EveningOpening():
                self._open(step)
            case PlayerArrival(name=name):
                self._enter(name)
            case PlayerAbsence(player=player, away=away):
                self.player(player).is_here = not away
            case PlayerNaming(player=player, name=name):
                self.player(player).name = self._free_name(name, player)
            case RoundPairing():
                self._pair(step)
            case PlayerSwap():
                self._swap(step)
            case RoundRemoval():
                self._remove(step)
            case ResultTyping():
                self._type(step, number)
        self.steps = number

    def _open(self, step: EveningOpening) -> None:
        event = step.event.strip()
        if not event or len(event) > LONGEST_EVENT:
            raise EveningRefused(f"An event has a name of at most {LONGEST_EVENT} characters.")
        self.event, self.day, self.system = event, step.day, step.system

    def _enter(self, name: str) -> None:
        if len(self.players) >= MOST_PAIRED:
            raise EveningRefused(f"An evening has at most {MOST_PAIRED} players.")
        name = self._free_name(name, 0)
        self.players.append(EveningPlayer(len(self.players) + 1, name))

    def _free_name(self, text: str, own: int) -> str:
        name = read_name(text)
        if not name or len(name) > LONGEST_NAME:
            raise EveningRefused(f"A name has at most {LONGEST_NAME} characters, and one at least.")
        other = self.named(name)
        if other and other.number != own:
            raise EveningRefused(f"{name} is among the players already.")
        return name

    def _pair(self, step: RoundPairing) -> None:
        if step.round != len(self.rounds) + 1:
            raise EveningRefused(f"Round {step.round} is paired already.")
        if step.round > MOST_ROUNDS:
            raise EveningRefused(f"An evening has at most {MOST_ROUNDS} rounds.")
        for player in step.paired.players:
            self.player(player)
        self.rounds.append(EveningRound(step.round, step.paired))

    def _swap(self, step: PlayerSwap) -> None:
        chosen = self.round(step.round)
        places = {step.first: step.second, step.second: step.first}
        if len(places) < 2 or not places.keys() <= {*chosen.paired.players}:
            raise EveningRefused("Choose two players of this round.")
        old = chosen.paired
        if any(pair & places.keys() for pair in chosen.typed):
            raise EveningRefused("One of them has a result in this round.")
        pairs = [(places.get(one, one), places.get(other, other)) for one, other in old.pairs]
        bye = None if old.bye is None else places.get(old.bye, old.bye)
        chosen.paired = PairedRound(pairs, bye)

    def _remove(self, step: RoundRemoval) -> None:
        last = self.round(step.round)
        if step.round != len(self.rounds):
            raise EveningRefused("Only the last round can be taken back.")
        if step.typed != len(last.typed):
            raise EveningRefused(CHANGED_TEXT)
        del self.rounds[-1]

    def _type(self, step: ResultTyping, number: int) -> None:
        chosen = self.round(step.round)
        pair = frozenset((step.first, step.second))
        if (step.first, step.second) not in chosen.paired.pairs:
            raise EveningRefused("These two do not meet in this round.")
        known = chosen.typed.get(pair)
        if step.over != (known.step if known else 0):
            raise EveningRefused("Somebody else typed a result of this table. Look at it first.")
        if step.points and not all(0 <= points <= MOST_POINTS for points in step.points):
            raise EveningRefused(f"Points are numbers from 0 to {MOST_POINTS:,}.")
        if step.outcome == "open":
            chosen.typed.pop(pair, None)
            return
        winner = {"first": step.first, "second": step.second}.get(step.outcome)
        points = dict(zip((step.first, step.second), step.points or (), strict=False))
        chosen.typed[pair] = TypedResult(number, winner, points)


# How they are stored.


def read_evening(store: Store, key: int) -> Evening | None:
    """An evening as it is now, or None."""
    return _evening_of(key, store.rows(SELECT_STEPS, {"evening": key}).rows)


def list_evenings(store: Store) -> list[Evening]:
    """The evenings, the latest first, without what happened in them."""
    rows = store.rows(SELECT_EVENINGS, {"most": MOST_EVENINGS}).rows
    found = [_evening_of(key, [(1, content)]) for key, content in rows]
    return sorted((each for each in found if each), key=lambda one: (one.day, one.key), reverse=True)  # fmt: skip


def count_commits(store: Store) -> int:
    """How many transactions the database has had: while it is the same, no evening has changed. 0 where nobody writes."""
    ((number,),) = store.rows("SELECT coalesce(max(number), 0) FROM commits").rows
    return int(number)


def open_evening(store: Store, opening: EveningOpening, made_by: str) -> int:
    """Begin an evening; returns its key. Raises EveningRefused and StoreReadOnly."""
    Evening(0).take(opening, 1)
    _require_writable(store)
    with store.writing() as cursor:
        ((key, number),) = cursor.execute(SELECT_NEXT_KEY).fetchall()
        if number >= MOST_EVENINGS:
            raise EveningRefused(f"There are {MOST_EVENINGS} evenings, and no more can begin.")
        _insert(cursor, key, 1, opening, made_by)
    return int(key)


def take_steps(
    store: Store, key: int, steps: Sequence[AnyStep], made_by: str, *, after: int | None = None
) -> None:
    """Let an evening take these steps, all or none; with `after`, only if it has had so many.

    Raises EveningRefused and StoreReadOnly.
    """
    _require_writable(store)
    with store.writing() as cursor:
        evening = _evening_of(key, cursor.execute(SELECT_STEPS, {"evening": key}).fetchall())
        if evening is None or after not in (None, evening.steps):
            raise EveningRefused(CHANGED_TEXT)
        if evening.steps + len(steps) > MOST_STEPS:
            raise EveningRefused(f"An evening has at most {MOST_STEPS:,} changes.")
        for number, step in enumerate(steps, start=evening.steps + 1):
            evening.take(step, number)
            _insert(cursor, key, number, step, made_by)


def delete_evening(store: Store, key: int) -> None:
    """Delete an evening in which no round is paired; raises EveningRefused and StoreReadOnly."""
    _require_writable(store)
    with store.writing() as cursor:
        evening = _evening_of(key, cursor.execute(SELECT_STEPS, {"evening": key}).fetchall())
        if evening and evening.rounds:
            raise EveningRefused("Take back its rounds first.")
        cursor.execute(DELETE_EVENING, {"evening": key})


def _insert(
    cursor: duckdb.DuckDBPyConnection, key: int, number: int, step: AnyStep, made_by: str
) -> None:
    content = msgspec.json.encode(step).decode()
    values = {"evening": key, "number": number, "content": content, "made_by": made_by[:100]}
    cursor.execute(INSERT_STEP, values)


def _evening_of(key: int, rows: Sequence[tuple[int, str]]) -> Evening | None:
    """What holds after the steps in these rows; None if there are none."""
    evening = Evening(key)
    for number, content in rows:
        evening.take(msgspec.json.decode(content, type=AnyStep), number)
    return evening if rows else None


def _require_writable(store: Store) -> None:
    if store.read_only:
        raise StoreReadOnly(f"the data folder {store.folder} is read-only: nothing can be stored")
