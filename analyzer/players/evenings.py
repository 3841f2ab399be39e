"""Evenings of a club: who is here, who meets whom in which round, and which results somebody typed.

An evening is the list of its steps, each a row that never changes; what holds follows from them in their order. A step is
examined and stored in one transaction: of two that exclude each other the second is refused, and no other is lost.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

import duckdb
import msgspec

from analyzer.players.round_pairing import MOST_PAIRED, PairedRound
from analyzer.store.player_names import follow_renames
from analyzer.store.store import Store
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
SELECT_ENTERED = """
    SELECT content->>'name' AS name FROM evening_steps WHERE content->>'kind' IN ('arrival', 'naming')
    GROUP BY name ORDER BY count(*) DESC, name LIMIT $most
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


class EveningExists(EveningRefused):
    """An evening of the same event on the same day: `key` is its number."""

    def __init__(self, opening: "EveningOpening", key: int) -> None:
        super().__init__(f"{opening.event.strip()} has an evening on this day already.")
        self.key = key


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


class PlayerDeletion(EveningStep, frozen=True, tag="deletion"):
    """Somebody who is in no round was entered by mistake, and is in the list no longer."""

    player: int


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
    EveningOpening
    | PlayerArrival | PlayerAbsence | PlayerNaming | PlayerDeletion
    | RoundPairing | PlayerSwap | RoundRemoval | ResultTyping
)  # fmt: skip


# What holds after them.


@dataclass(slots=True)
class EveningPlayer:
    """Who was entered, and whether the player is here; `name` is what lists say now, `written` what was written.

    Where a rename gives several players of an evening one name in lists, each keeps what was written, and that is their
    `shared_name`.
    """

    number: int
    name: str
    is_here: bool = True
    written: str = ""
    shared_name: str = ""


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
    """What holds of an evening after so many `steps`; `key` is its number in the data folder.

    So many were `entered`, also those who were deleted since: nobody gets the number of another.
    """

    key: int
    event: str = ""
    day: date = date.min
    system: PairingSystem = "round-robin"
    players: list[EveningPlayer] = field(default_factory=list)
    rounds: list[EveningRound] = field(default_factory=list)
    steps: int = 0
    entered: int = 0

    def player(self, number: int) -> EveningPlayer:
        """A player by number; raises EveningRefused."""
        found = next((each for each in self.players if each.number == number), None)
        if found is None:
            raise EveningRefused("There is no such player.")
        return found

    def named(self, name: str) -> EveningPlayer | None:
        """A player by name: the one whom lists call so now, or else whose name was written so."""
        now = next((each for each in self.players if each.name == name), None)
        return now or next((each for each in self.players if each.written == name), None)

    @property
    def seated(self) -> set[int]:
        """The numbers of those who are in some round."""
        return {player for each in self.rounds for player in each.paired.players}

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
                known = self.player(player)
                known.name = known.written = self._free_name(name, player)
            case PlayerDeletion(player=player):
                self._delete(player)
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
        self.entered += 1
        self.players.append(EveningPlayer(self.entered, name, written=name))

    def _delete(self, number: int) -> None:
        player = self.player(number)
        if number in self.seated:
            raise EveningRefused(f"In a round already, {player.name} can only leave.")
        self.players.remove(player)

    def _free_name(self, text: str, own: int) -> str:
        name = read_name(text)
        if not name or len(name) > LONGEST_NAME:
            raise EveningRefused(f"A name has at most {LONGEST_NAME} characters, and one at least.")
        other = self.named(name)
        if other and other.number != own:
            raise EveningRefused(f"The list has {name} already.")
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

    def require_agreement(self, step: AnyStep) -> None:
        """Raise EveningRefused if somebody types points that contradict the outcome.

        Only what is typed anew is examined: a step that is stored holds as it is.
        """
        if not isinstance(step, ResultTyping) or not step.points or step.outcome == "open":
            return
        first, second = step.points
        if step.outcome == "draw" and first != second:
            raise EveningRefused("In a draw both have the same points.")
        if (step.outcome == "first" and first < second) or (
            step.outcome == "second" and second < first
        ):
            winner, loser = (
                (step.first, step.second) if step.outcome == "first" else (step.second, step.first)
            )
            raise EveningRefused(
                f"With fewer points than {self.player(loser).name}, {self.player(winner).name} cannot have won."
            )


# How they are stored.


def read_evening(store: Store, key: int) -> Evening | None:
    """An evening as it is now, or None; who was renamed has the name that lists say."""
    evening = _evening_of(key, store.rows(SELECT_STEPS, {"evening": key}).rows)
    if evening:
        _follow_names(store, evening)
    return evening


def _follow_names(store: Store, evening: Evening) -> None:
    """Call everybody as lists do now, except who would get the name of another player of the evening."""
    written = [each.written for each in evening.players]
    now = {name: read_name(label) for name, label in follow_renames(store, written).items()}
    called = [now.get(name, name) for name in written]
    times = Counter(called)
    for player, name in zip(evening.players, called, strict=True):
        if times[name] > 1:
            player.shared_name = name
        elif name not in written:
            player.name = name


def list_evenings(store: Store) -> list[Evening]:
    """The evenings, the latest first, without what happened in them."""
    found = _openings(store.rows(SELECT_EVENINGS, {"most": MOST_EVENINGS}).rows)
    return sorted(found, key=lambda one: (one.day, one.key), reverse=True)


def _openings(rows: Sequence[tuple[int, str]]) -> list[Evening]:
    """Evenings of which only the opening is read."""
    found = [_evening_of(key, [(1, content)]) for key, content in rows]
    return [each for each in found if each]


def list_entered_names(store: Store, most: int) -> list[str]:
    """Who was entered at evenings, those at most evenings first, at most so many."""
    return [name for (name,) in store.rows(SELECT_ENTERED, {"most": most}).rows]


def count_commits(store: Store) -> int:
    """How many transactions the database has had: while it is the same, no evening has changed. 0 where nobody writes."""
    ((number,),) = store.rows("SELECT coalesce(max(number), 0) FROM commits").rows
    return int(number)


def open_evening(store: Store, opening: EveningOpening, made_by: str) -> int:
    """Begin an evening; returns its key. Raises EveningRefused, EveningExists and StoreReadOnly."""
    Evening(0).take(opening, 1)
    store.require_writable()
    with store.writing() as cursor:
        ((key, number),) = cursor.execute(SELECT_NEXT_KEY).fetchall()
        if number >= MOST_EVENINGS:
            raise EveningRefused(f"There are {MOST_EVENINGS} evenings, and no more can begin.")
        _require_only_one(cursor, opening)
        _insert(cursor, key, 1, opening, made_by)
    return int(key)


def take_steps(
    store: Store, key: int, steps: Sequence[AnyStep], made_by: str, *, after: int | None = None
) -> None:
    """Let an evening take these steps, all or none; with `after`, only if it has had so many.

    Raises EveningRefused, EveningExists and StoreReadOnly.
    """
    store.require_writable()
    with store.writing() as cursor:
        evening = _evening_of(key, cursor.execute(SELECT_STEPS, {"evening": key}).fetchall())
        if evening is None or after not in (None, evening.steps):
            raise EveningRefused(CHANGED_TEXT)
        if evening.steps + len(steps) > MOST_STEPS:
            raise EveningRefused(f"An evening has at most {MOST_STEPS:,} changes.")
        for number, step in enumerate(steps, start=evening.steps + 1):
            evening.take(step, number)
            evening.require_agreement(step)
            if isinstance(step, EveningOpening):
                _require_only_one(cursor, step, key)
            _insert(cursor, key, number, step, made_by)


def _require_only_one(
    cursor: duckdb.DuckDBPyConnection, opening: EveningOpening, own: int | None = None
) -> None:
    """Raise EveningExists if another evening is of the same event and day."""
    for evening in _openings(cursor.execute(SELECT_EVENINGS, {"most": MOST_EVENINGS}).fetchall()):
        same = (evening.event, evening.day) == (opening.event.strip(), opening.day)
        if same and evening.key != own:
            raise EveningExists(opening, evening.key)


def delete_evening(store: Store, key: int) -> None:
    """Delete an evening in which no round is paired; raises EveningRefused and StoreReadOnly."""
    store.require_writable()
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
