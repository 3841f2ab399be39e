"""Renaming people: another name for one, or two made one, together with what follows for the matches of stored records.

Two records of one match, one of which writes another name, are two matches until the two people are made one, and are two
again when that is taken back.
"""

from collections.abc import Iterable

import duckdb

from analyzer.ingest.correcting import batched_keys, remake_rows
from analyzer.ingest.matches import add_traces, list_sharing
from analyzer.store.player_names import (
    INSERT_RENAME,
    MadeRename,
    PlannedRename,
    RenameRefused,
    list_renames,
    only_player,
    plan_rename,
    read_people_names,
    settle_people,
    typed_name,
)
from analyzer.store.store import Store, answers_of

DELETE_RENAME = "DELETE FROM renames WHERE person = $person AND made_at = $made_at"
SELECT_GAMES_OF = "SELECT game FROM stored_games WHERE list_has_any(persons, $keys::VARCHAR[])"


def rename_player(store: Store, old: str, new: str) -> PlannedRename:
    """Give a player another name, or make two one if `new` is a player; raises RenameRefused and StoreReadOnly."""
    store.require_writable()
    plan = plan_rename(store, old, new)
    with store.writing() as cursor:
        cursor.execute(
            INSERT_RENAME, {"person": plan.person, "same_as": plan.same_as, "name": plan.name}
        )
        if plan.same_as != plan.person:
            rejoin_matches_of(cursor, read_people_names(answers_of(cursor)).all_of(plan.person))
        settle_people(cursor, [plan.person])
    return plan


def take_back_rename(store: Store, name: str) -> MadeRename:
    """Take back the last rename of the player with this name; raises RenameRefused and StoreReadOnly."""
    store.require_writable()
    renames = list_renames(store)
    # What the list of renames calls somebody names nobody else, even if others write the same.
    label = name if any(each.now == name for each in renames) else only_player(store, name)
    made = [each for each in renames if each.now == label]
    if not made:
        raise RenameRefused(f"{typed_name(label)!r} was not renamed.")
    last = made[-1]
    with store.writing() as cursor:
        people = read_people_names(answers_of(cursor)).all_of(last.person)
        cursor.execute(
            DELETE_RENAME, {"person": last.person, "made_at": last.made_at.replace(tzinfo=None)}
        )
        rejoin_matches_of(cursor, people)
        settle_people(cursor, people)
    return last


def rejoin_matches(cursor: duckdb.DuckDBPyConnection) -> None:
    """Let all matches of people who were made one follow the renames, in the transaction of `cursor`.

    In a new database, whose records were imported before it took over the renames of another one, they do not yet.
    """
    rejoin_matches_of(cursor, read_people_names(answers_of(cursor)).made_one)


def rejoin_matches_of(cursor: duckdb.DuckDBPyConnection, keys: Iterable[str]) -> None:
    """Find anew which records of these people are of one match, in the transaction of `cursor`."""
    games = [key for (key,) in cursor.execute(SELECT_GAMES_OF, {"keys": list(keys)}).fetchall()]
    for some in batched_keys(games):
        add_traces(cursor, some)
    for some in batched_keys(list_sharing(cursor, games)):
        remake_rows(cursor, some)
