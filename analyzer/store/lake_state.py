"""The states of a lake: which files hold its games. Each change makes a new one, all of it or none.

A lake is a folder like this:

    states/0000000012.json    the parts that count, and what is hidden in them; the last one holds
    parts/ID/TABLE/*.parquet  the tables of a part, as in the database; they never change
    pending/IMPORT/JOB.json   parts that an import has made and not yet added

A state is made by writing the next number, which only one process can. Whoever comes second reads the new state and adds to
that. A reader keeps to the state that it has read; files that no state names any more are deleted later.
"""

import secrets
import time
from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from analyzer.store.lake_place import STATES, LakePlace
from analyzer.store.schema import OTHER_VERSION, SCHEMA_VERSION, own_version
from records.errors import StoreError
from records.validator import JUDGEMENT_VERSION

PARTS, PENDING = "parts", "pending"
LAKE_FORMAT = 1
VERSIONS = (SCHEMA_VERSION, JUDGEMENT_VERSION)
KEY_TIME = "%Y%m%dT%H%M%S"
MOST_TRIES = 30
"""So often a change is tried again while others make changes at the same time."""


class LakeTable(msgspec.Struct, frozen=True):
    """The files of a table in a part: their names in the lake, their rows and bytes."""

    files: tuple[str, ...]
    rows: int
    size: int


class LakePart(msgspec.Struct, frozen=True):
    """Games that were written together; no file of theirs changes. `hidden` are the keys of those that no longer count here.

    `made_by` are the numbers of the schema and of the judgement of the program that wrote it. `named` is whether all people in it have the names that their records write: nobody has an id or was renamed.
    """

    key: str
    games: int
    deals: int
    named: bool
    tables: dict[str, LakeTable]
    hidden: tuple[int, ...] = ()
    made_by: tuple[int, int] = VERSIONS

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return sum(table.size for table in self.tables.values())


class LakeState(msgspec.Struct, frozen=True):
    """What a lake holds after its change with this `number`: its parts, and the ids of the imports that it has.

    `program` and `judgement` say what judged the records.
    """

    number: int
    parts: tuple[LakePart, ...] = ()
    imports: tuple[str, ...] = ()
    format: int = LAKE_FORMAT
    schema: int = SCHEMA_VERSION
    judgement: int = JUDGEMENT_VERSION
    program: str = msgspec.field(default_factory=own_version)
    made_at: datetime = msgspec.field(default_factory=lambda: datetime.now(UTC))

    @property
    def games(self) -> int:
        """How many games count, those told a second time included."""
        return sum(part.games - len(part.hidden) for part in self.parts)

    @property
    def size(self) -> int:
        """Bytes of all files that count."""
        return sum(part.size for part in self.parts)


def new_key() -> str:
    """A name that nothing else has: the time, in UTC, and random letters."""
    return f"{datetime.now(UTC):{KEY_TIME}}-{secrets.token_hex(6)}"


def made_at(key: str) -> datetime:
    """When a key was made; now, if it is none."""
    try:
        return datetime.strptime(key.split("-")[0], KEY_TIME).replace(tzinfo=UTC)
    except ValueError:
        return datetime.now(UTC)


def last_number(place: LakePlace) -> int:
    """The number of the state that holds; 0 if there is no lake yet."""
    return max(_numbers(place), default=0)


def _numbers(place: LakePlace) -> list[int]:
    stems = (name.split(".")[0] for name in place.names(STATES))
    return sorted(int(stem) for stem in stems if stem.isdigit())


def read_state(place: LakePlace, *, of_any_program: bool = False) -> LakeState:
    """The state that holds, which is empty where there is no lake yet; raises StoreError.

    That of an older program only if one `of_any_program` is asked for.
    """
    for _ in range(MOST_TRIES):
        number = last_number(place)
        if not number:
            return LakeState(0)
        try:
            text = place.read(_name(number))
        except FileNotFoundError:  # a newer one holds, and this was deleted meanwhile
            continue
        return _decode(place, text, of_any_program=of_any_program)
    raise StoreError(f"the lake {place.address} changes faster than it can be read")


def state_names(place: LakePlace, below: int) -> list[str]:
    """The names of the states with lower numbers."""
    return [_name(number) for number in _numbers(place) if number < below]


def held_states(place: LakePlace, since: datetime) -> list[LakeState]:
    """The states that have held at some time since then, which the last one does still; raises StoreError."""
    while True:
        numbers = _numbers(place)
        times = [place.written_at(_name(number)) for number in numbers]
        held = [
            number
            for number, until in zip(
                numbers, [*times[1:], datetime.max.replace(tzinfo=UTC)], strict=False
            )
            if until >= since
        ]
        try:
            texts = [place.read(_name(number)) for number in held]
        except FileNotFoundError:  # somebody else is deleting old ones
            continue
        return [_decode(place, text, of_any_program=True) for text in texts] or [LakeState(0)]


def _decode(place: LakePlace, text: bytes, *, of_any_program: bool) -> LakeState:
    try:
        state = msgspec.json.decode(text, type=LakeState)
    except msgspec.DecodeError as error:
        raise StoreError(f"the lake {place.address} is damaged: its state cannot be read ({error})") from error  # fmt: skip
    newest = (LAKE_FORMAT, SCHEMA_VERSION, JUDGEMENT_VERSION)
    if any(
        own > known
        for own, known in zip((state.format, state.schema, state.judgement), newest, strict=True)
    ):
        raise StoreError(f"the lake {place.address} was written by a newer program ({state.program}): use that")  # fmt: skip
    is_older = state.schema < SCHEMA_VERSION or state.judgement < JUDGEMENT_VERSION
    if is_older and not of_any_program:
        raise StoreError(
            f"the lake {place.address} was written by an older program ({state.program}): "
            "`bezique lake judge` judges its records again"
        )
    return state


def require_own_versions(parts: Iterable[LakePart]) -> None:
    """Raise StoreError if another version of the program wrote any of these parts."""
    if any(part.made_by != VERSIONS for part in parts):
        raise StoreError(OTHER_VERSION)


def add_state(place: LakePlace, state: LakeState) -> bool:
    """Let this state hold; whether it does: otherwise somebody has made one with its number first."""
    text = msgspec.json.format(msgspec.json.encode(state))
    # A request that is sent again after its answer was lost finds what it has written itself.
    return place.create(_name(state.number), text) or place.read(_name(state.number)) == text


def wait_to_try_again(tries: int) -> None:
    """Wait a moment, at random, so that two processes do not meet again."""
    time.sleep(min(2.0, 0.05 * 2**tries) * (0.5 + secrets.randbelow(1000) / 1000))


def _name(number: int) -> str:
    return f"{STATES}/{number:010}.json"
