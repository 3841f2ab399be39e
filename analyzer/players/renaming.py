"""Give a player of the stored games another name, or make two spellings one player; no record changes."""

from typing import NamedTuple

from analyzer.db.store import Store, StoreReadOnly

SELECT_COUNTS = """
    SELECT
        count(*) FILTER (list_contains(names, $old)),
        count(*) FILTER (list_contains(names, $new)),
        count(*) FILTER (list_contains(names, $old) AND list_contains(names, $new))
    FROM games
"""
UPDATE_NAMES = (
    """
    UPDATE games SET names = list_transform(names, lambda name: CASE WHEN name = $old THEN $new ELSE name END)
    WHERE list_contains(names, $old)
    """,
    "UPDATE seats SET player = $new WHERE player = $old",
    "UPDATE seats SET opponent = $new WHERE opponent = $old",
)


class NameCounts(NamedTuple):
    """In how many games the old name stands, in how many the new one, and in how many both."""

    old: int
    new: int
    both: int


def count_names(store: Store, old: str, new: str) -> NameCounts:
    """What renaming a player would change."""
    return NameCounts(*store.rows(SELECT_COUNTS, {"old": old, "new": new}).rows[0])


def rename_player(store: Store, old: str, new: str) -> None:
    """Give a player another name in all tables but `records`; raises StoreReadOnly."""
    if store.read_only:
        raise StoreReadOnly(
            f"the data folder {store.folder} is read-only: nobody can be renamed there"
        )
    with store.writing() as cursor:
        for statement in UPDATE_NAMES:
            cursor.execute(statement, {"old": old, "new": new})
