"""The people of the stored games: what lists call each, renaming and merging them, and finding one by any spelling.

`records.people` says who a player of a record is: a key, from the record alone. `renames` says who was renamed, or made
one with another. From both follow the names in `games.people`, `seats.player` and `seats.opponent`: one for each
person, and no two people with one name. No record changes, and without its row in `renames` everything is as before.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any, NamedTuple

import duckdb
import msgspec
from msgspec.structs import replace

from analyzer.store.store import StatementAnswerer, Store, answers_of
from analyzer.store.tables import BIG, TEXT, list_column, number_column, readable
from records.errors import StoreError
from records.people import APART, NO_NAME, alike, name_key, player_key, read_name, seat_label
from records.phrases import pluralize
from records.record import Player, Record

# What lists call people.

LONGEST_ADDITION = 60
SELECT_RENAMES = "SELECT person, same_as, name, made_at FROM renames ORDER BY made_at"
ARE_ALL_PLAIN = """
    SELECT NOT (
        EXISTS (SELECT 1 FROM renames)
        OR EXISTS (SELECT 1 FROM seats WHERE player_id IS NOT NULL)
        OR EXISTS (SELECT 1 FROM games WHERE deals = 0 AND starts_with(array_to_string(list_sort(persons), ''), 'id:'))
    )
"""
"""Whether nobody was renamed and nobody has an id: DuckDB knows without reading rows, and everybody has the own name."""
SELECT_CALLED = """
    SELECT
        person, written, label,
        count(*) FILTER (is_counted) AS times, max(started_at) FILTER (is_counted) AS latest
    FROM (
        SELECT unnest(persons) AS person, unnest(written) AS written, unnest(people) AS label, started_at, is_counted
        FROM (SELECT *, true AS is_counted FROM games UNION ALL BY NAME SELECT *, false AS is_counted FROM other_games)
    )
    WHERE starts_with(person, 'id:') OR list_contains($keys, person)
    GROUP BY person, written, label
"""
"""Spellings are counted by match; a record for whose match another one stands may write one that no other has."""
SELECT_NAMESAKES = """
    SELECT DISTINCT person FROM (SELECT unnest(persons) AS person FROM games) WHERE list_contains($keys, person)
"""
SELECT_GAMES_OF = """
    SELECT game, digest, persons, written, people, names FROM stored_games WHERE list_has_any(persons, $keys::VARCHAR[])
"""
UPDATE_GAMES, UPDATE_OTHER_GAMES = (
    f"UPDATE {table} SET people = incoming.people, names = incoming.names FROM incoming WHERE {table}.game = incoming.game"
    for table in ("games", "other_games")
)
UPDATE_SEATS = """
    UPDATE seats SET
        player = incoming.people[seat + 1],
        opponent = if(seats.players = 2, incoming.people[2 - seat], NULL)
    FROM incoming WHERE seats.game = incoming.game
"""


@dataclass(slots=True)
class PeopleNames:
    """Who is who, and what lists call them; `same` and `given` are of the renames, `base` and `label` by key.

    `base` is a person's name, `label` the same with something added where somebody else has it.
    """

    same: dict[str, str] = field(default_factory=dict)
    given: dict[str, str] = field(default_factory=dict)
    base: dict[str, str] = field(default_factory=dict)
    label: dict[str, str] = field(default_factory=dict)

    def whole(self, key: str) -> str:
        """The key of the person that a key belongs to: of whom it was made one with, if it was."""
        passed = {key}
        while (other := self.same.get(key, key)) not in passed:
            passed.add(other)
            key = other
        return key

    def person_of(self, player: Player) -> str:
        """The key of the person that a player of a record is now."""
        return self.whole(player_key(player))

    @property
    def made_one(self) -> list[str]:
        """The keys of those who were made one with somebody else."""
        return [key for key in self.same if self.whole(key) != key]

    def all_of(self, key: str) -> list[str]:
        """The keys of all who are one with the person with this key."""
        whole = self.whole(key)
        return [whole, *(other for other in self.same if self.whole(other) == whole != other)]

    def is_renamed(self, key: str) -> bool:
        """Whether somebody gave the person with this key another name."""
        return self.whole(key) != key or key in self.given


def settle_people(cursor: duckdb.DuckDBPyConnection, also: Sequence[str] = ()) -> None:
    """Give everybody the name that follows from the stored games and the renames, in the transaction of `cursor`.

    What was stored, deleted or renamed may change the names of those with an id and those renamed; of others only that of
    the keys in `also`.
    """
    write_names(cursor, unsettled_names(answers_of(cursor), also))


class NamesOfGame(NamedTuple):
    """What lists call those at the table of a game, and their names there, by seat."""

    game: int
    people: list[str]
    names: list[str]


def unsettled_names(answer: StatementAnswerer, also: Sequence[str] = ()) -> list[NamesOfGame]:
    """The names in the games that have other ones than those that follow from all games and the renames."""
    if not also and answer(ARE_ALL_PLAIN, {}) == [(True,)]:
        return []
    names = read_people_names(answer)
    keys = sorted({*names.same, *names.same.values(), *names.given, *also})
    rows = answer(SELECT_CALLED, {"keys": keys})
    if not rows:
        return []
    called = defaultdict[str, set[str]](set)
    for key, _, label, *_ in rows:
        called[key].add(label)
    _add_names(names, called, _spellings(rows), answer)
    changed = [
        key
        for key, labels in called.items()
        if key in also
        or any(one != names.label.get(key, one) and not _is_of_seat(one) for one in labels)
    ]
    return _changed_names(answer, names, changed) if changed else []


def read_people_names(answer: StatementAnswerer) -> PeopleNames:
    """Who is who by the renames."""
    return _names_of_rows(answer(SELECT_RENAMES, {}))


def _names_of_rows(rows: Iterable[tuple[Any, ...]]) -> PeopleNames:
    """Who is who by the renames in their order: the last one of a person holds.

    Two databases of a lake may say of two people, one of each, that they are the other: they are one then.
    """
    names = PeopleNames()
    for person, same_as, name, _ in rows:
        if names.whole(same_as) == person:
            names.same[same_as] = same_as
        names.same[person] = same_as
        if person == same_as:
            names.given[person] = name
    return names


def _spellings(rows: Iterable[tuple[Any, ...]]) -> dict[str, str]:
    """The name that most matches of each key write; of several the latest, then the first in the order of code points."""
    times = defaultdict[tuple[str, str], int](int)
    latest: dict[tuple[str, str], datetime] = {}
    for key, written, _, number, last in rows:
        times[key, written] += number
        if last is not None:
            latest[key, written] = max(last, latest.get((key, written), last))
    found: dict[str, str] = {}
    early = datetime.min
    for key, written in sorted(
        times, key=lambda one: (-times[one], early - latest.get(one, early), one)
    ):
        found.setdefault(key, written)
    return found


def _add_names(
    names: PeopleNames,
    called: Iterable[str],
    spellings: Mapping[str, str],
    answer: StatementAnswerer,
) -> None:
    """Add the names of all these keys, and of those whom they belong to."""
    wholes = {names.whole(key) for key in called}
    for whole in wholes:
        kind, _, rest = whole.partition(":")
        if kind != "seat" or whole in names.given or whole in names.same.values():
            own = rest if kind == "name" else spellings.get(whole, rest)
            names.base[whole] = names.given.get(whole, own)
    claimed = defaultdict[str, list[str]](list)
    for whole, base in sorted(names.base.items()):
        claimed[base].append(whole)
    keys = [name_key(base) for base in claimed]
    found = {key for (key,) in answer(SELECT_NAMESAKES, {"keys": keys})}
    taken = {key for key in found if names.whole(key) == key and key not in names.given}
    for base, those in claimed.items():
        first = name_key(base)
        owner = first if first in taken or first in those else those[0] if len(those) == 1 else None
        for whole in those:
            names.label[whole] = base if whole == owner else f"{base}{APART}({_addition(whole)})"
    for key in called:
        if names.whole(key) in names.label:
            names.label[key] = names.label[names.whole(key)]


def _addition(key: str) -> str:
    """What tells a person from others of the same name: the id, or a print of it if it is long."""
    text = key.removeprefix("id:")
    return text if len(text) <= LONGEST_ADDITION else hashlib.sha256(text.encode()).hexdigest()[:16]


def _is_of_seat(label: str) -> bool:
    return f"{APART}(seat " in label


def _changed_names(
    answer: StatementAnswerer, names: PeopleNames, changed: Sequence[str]
) -> list[NamesOfGame]:
    """The names in all games of these people that are to be others."""
    rows = []
    for game, digest, persons, written, people, shown in answer(SELECT_GAMES_OF, {"keys": changed}):
        seated = _names_of_game(names, digest, persons, written, people)
        if seated != (people, shown):
            rows.append(NamesOfGame(game, *seated))
    return rows


def write_names(cursor: duckdb.DuckDBPyConnection, rows: Sequence[NamesOfGame]) -> None:
    """Write names into the rows of games."""
    if not rows:
        return
    games, people_of, names_of = zip(*rows, strict=True)
    columns = {
        "game": number_column(BIG, games),
        "people": list_column(people_of, TEXT),
        "names": list_column(names_of, TEXT),
    }
    for statement in (UPDATE_GAMES, UPDATE_OTHER_GAMES, UPDATE_SEATS):
        with readable(cursor, columns):
            cursor.execute(statement)


def _names_of_game(
    names: PeopleNames,
    digest: str,
    persons: Sequence[str],
    written: Sequence[str],
    people: Sequence[str],
) -> tuple[list[str], list[str]]:
    """What lists call those at a table, and their names there.

    Who was made one with somebody at the same table is known in this match only.
    """
    wholes = [names.whole(key) for key in persons]
    labels, shown = [], []
    for seat, (key, whole, name) in enumerate(zip(persons, wholes, written, strict=True)):
        if wholes.count(whole) > 1 or (key.startswith("seat:") and key not in names.label):
            labels.append(seat_label(name, digest, seat))
            shown.append(name)
        else:
            own = name if _is_of_seat(people[seat]) else people[seat]
            labels.append(names.label.get(key, own))
            shown.append(names.base[whole] if names.is_renamed(key) else name)
    return labels, shown


# Finding people by any spelling.

SELECT_SPELLED = f"""
    SELECT label, bool_or(label = $text), bool_or(replace(label, '{APART}', ' ') = $name),
        bool_or(person = 'name:' || $name OR person = 'id:' || $name)
    FROM (SELECT unnest(persons) AS person, unnest(written) AS written, unnest(people) AS label FROM stored_games)
    WHERE label = $text OR written = $name OR person = 'id:' || $name OR replace(label, '{APART}', ' ') = $name
    GROUP BY label
    ORDER BY label
"""
SELECT_LABELS = "SELECT label FROM (SELECT unnest(people) AS label FROM games) GROUP BY label ORDER BY count(*) DESC, label LIMIT $most"
MOST_LABELS = 20_000
"""So many people, those with most matches, are looked at for names that are alike."""


def find_people(store: Store, text: str) -> list[str]:
    """What lists call the people whom a text may mean: one, unless several write that name.

    It may be what a list calls somebody, a name in any spelling that people read alike, a name of before a renaming, or
    an id.
    """
    name = read_name(text)
    rows = store.answer(SELECT_SPELLED, {"text": text, "name": name}).rows if name else []
    for place in (1, 2, 3):
        chosen = [row[0] for row in rows if row[place] and (place < 3 or not _is_of_seat(row[0]))]
        if chosen:
            return chosen
    return [label for label, *_ in rows if not _is_of_seat(label)] or [label for label, *_ in rows]


def similar_people(store: Store, label: str) -> list[str]:
    """Others whose name differs from this one in case, accents, signs or look-alike letters only."""
    wanted = "" if _is_of_seat(label) else alike(label)
    return [
        other
        for other in (_labels(store) if wanted else ())
        if other != label and not _is_of_seat(other) and alike(other) == wanted
    ]


def group_similar_people(labels: Iterable[str]) -> list[list[str]]:
    """Those of these people who have similar names, in groups, in the order in which they come."""
    groups = defaultdict[str, list[str]](list)
    for label in labels:
        if alike(label) and not _is_of_seat(label):
            groups[alike(label)].append(label)
    return [group for group in groups.values() if len(group) > 1]


def list_similar_people(store: Store) -> list[list[str]]:
    """All people with similar names, in groups; in each who has most matches comes first."""
    return group_similar_people(_labels(store))


def list_names(store: Store, most: int) -> list[str]:
    """What lists call people, those with most matches first, at most so many; nobody who is known in one match only."""
    return [label for label in _labels(store) if not _is_of_seat(label)][:most]


def _labels(store: Store) -> list[str]:
    return [label for (label,) in store.answer(SELECT_LABELS, {"most": MOST_LABELS}).rows]


# Renaming: another name for a person, or two people made one; taken back at any time.

SELECT_COUNTS = """
    SELECT
        count(*) FILTER (list_contains(people, $old)),
        count(*) FILTER (list_contains(people, $new)),
        count(*) FILTER (list_contains(people, $old) AND list_contains(people, $new))
    FROM games
"""
SELECT_NOW = f"""
    SELECT person, label FROM (SELECT unnest(persons) AS person, unnest(people) AS label FROM stored_games)
    WHERE list_contains($keys, person) GROUP BY person, label
    ORDER BY contains(label, '{APART}(seat ') DESC, count(*)
"""
SELECT_KEY = """
    SELECT person FROM (SELECT unnest(persons) AS person, unnest(people) AS label FROM stored_games) WHERE label = $label LIMIT 1
"""
INSERT_RENAME = "INSERT INTO renames (person, same_as, name) VALUES ($person, $same_as, $name)"
LONGEST_NAME, LONGEST_LABEL = 200, 300


class RenameRefused(StoreError):
    """Somebody cannot be renamed; the words say why."""


class PlannedRename(msgspec.Struct, frozen=True):
    """What renaming a player does: whoever has the key `person` becomes `same_as`, called `name`.

    `old` and `new` are what lists call the player, and the other one with whom the player is made one, empty for nobody.
    `games` and `games_of_new` count theirs.
    """

    person: str
    same_as: str
    name: str
    old: str
    new: str
    games: int
    games_of_new: int


class MadeRename(msgspec.Struct, frozen=True):
    """A rename that was made, and when, in UTC.

    `person` is the key of the player, `old` the name that records write, with what tells the player from others who have
    it, and `now` what lists call the player; `name` is the name given.
    """

    person: str
    old: str
    now: str
    name: str
    made_at: datetime


def plan_rename(store: Store, old: str, new: str) -> PlannedRename:
    """What renaming a player would do; raises RenameRefused."""
    name = read_name(new)
    if not name or len(name) > LONGEST_NAME:
        raise RenameRefused(f"A name has 1 to {LONGEST_NAME} characters.")
    label = only_player(store, old)
    others = [other for other in find_people(store, new) if typed_name(other) == name]
    other = others[0] if others and others[0] != label else ""
    if typed_name(label) == name and not other:
        raise RenameRefused("Both names are the same.")
    games, of_other, both = store.rows(SELECT_COUNTS, {"old": label, "new": other}).rows[0]
    if both:
        raise RenameRefused(
            f"{typed_name(label)!r} and {typed_name(other)!r} sit at the same table in {pluralize(both, 'game')}, so they are two players."
        )
    person = _key_of(store, label)
    if other:
        return PlannedRename(
            person, _key_of(store, other), typed_name(other), label, other, games, of_other
        )
    names = read_people_names(answers_of(store))
    wanted = name_key(name)
    same = wanted if not person.startswith("id:") and names.whole(wanted) == wanted else person
    return PlannedRename(person, same, name, label, "", games, 0)


def list_renames(store: Store) -> list[MadeRename]:
    """The renames that hold, in the order in which they were made."""
    rows = store.answer(SELECT_RENAMES, {}).rows
    names = _names_of_rows(rows)
    keys = sorted({key for person, *_ in rows for key in (person, names.whole(person))})
    if not keys:
        return []
    labels = dict(store.answer(SELECT_NOW, {"keys": keys}).rows)
    spellings = _spellings(store.answer(SELECT_CALLED, {"keys": keys}).rows)
    return [
        MadeRename(
            person,
            _old_label(person, spellings.get(person, "")),
            labels.get(person, labels.get(names.whole(person), name)),
            name,
            made_at.replace(tzinfo=UTC),
        )
        for person, _, name, made_at in rows
    ]


SELECT_WRITTEN = """
    SELECT written, person, label
    FROM (
        SELECT unnest(written) AS written, unnest(persons) AS person, unnest(people) AS label
        FROM stored_games WHERE list_has_any(written, $written::VARCHAR[])
    )
    WHERE list_contains($written, written) GROUP BY ALL
"""


def follow_renames(store: Store, written: Sequence[str]) -> dict[str, str]:
    """What lists call now, as it is typed, those of these names who were renamed; by the name, without the others.

    A name that records write of several people is followed only if it is a person's own.
    """
    names = read_people_names(answers_of(store))
    if not names.same:
        return {}
    called = defaultdict[str, dict[str, str]](dict)
    for name, person, label in store.answer(SELECT_WRITTEN, {"written": [*written]}).rows:
        called[name][person] = label
    found = {name: _name_after_renames(names, name, called[name]) for name in written}
    return {name: typed_name(now) for name, now in found.items() if now}


def _name_after_renames(names: PeopleNames, name: str, called: Mapping[str, str]) -> str:
    """What lists call whoever had this name, if renamed; `called` is by the keys of all of whom records write it."""
    own = name_key(name)
    if names.is_renamed(own):
        whole = names.whole(own)
        kind, _, rest = whole.partition(":")
        return called.get(own) or names.given.get(whole) or (rest if kind == "name" else "")
    known = {
        label: names.is_renamed(person)
        for person, label in called.items()
        if not _is_of_seat(label)
    }
    return next(iter(known)) if [*known.values()] == [True] else ""


def with_names(record: Record, names: Sequence[str]) -> Record:
    """A record with the names that lists give its players, by seat; whoever was not renamed is called as it writes.

    It is the record itself if nobody was. Nothing but a page may tell it so: the record stays as it was written.
    """
    renamed = {
        seat: name
        for seat, name in enumerate(names)
        if name != (read_name(record.players[seat].name) or NO_NAME)
    }
    if not renamed:
        return record
    players = [
        replace(player, name=renamed.get(seat, player.name))
        for seat, player in enumerate(record.players)
    ]
    return replace(record, players=players)


def _old_label(key: str, written: str) -> str:
    """The name that records write of the person with this key, with what tells the person from others."""
    kind, _, rest = key.partition(":")
    if kind == "seat":
        digest, _, seat = rest.rpartition(":")
        return seat_label(written or NO_NAME, digest, int(seat))
    if kind == "id" and written:
        return f"{written}{APART}({_addition(key)})"
    return rest


def only_player(store: Store, text: str) -> str:
    """The one player whom a text means; raises RenameRefused."""
    found = find_people(store, text)
    if len(found) == 1:
        return found[0]
    if found:
        raise RenameRefused(
            f"Several players are called {text!r}: {', '.join(map(typed_name, found))}."
        )
    near = get_close_matches(text, _labels(store), n=1)
    hint = f" Did you mean {typed_name(near[0])!r}?" if near else ""
    raise RenameRefused(f"No stored game has a player {text!r}.{hint}")


def typed_name(label: str) -> str:
    """What lists call somebody, as it is typed."""
    return label.replace(APART, " ")


def _key_of(store: Store, label: str) -> str:
    """The key of the person whom lists call so."""
    ((key,),) = store.rows(SELECT_KEY, {"label": label}).rows
    if _is_of_seat(label) and not key.startswith("seat:"):
        raise RenameRefused(
            f"{typed_name(label)!r} was made one with another player of that table: take that back first."
        )
    return read_people_names(answers_of(store)).whole(key)
