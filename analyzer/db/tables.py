"""The statistics tables as the loader fills them: which columns, of which types, in which order.

Words stand for texts of which there are few. A table that is filled column by column has names as numbers, in
the order of SHEETS, ROLES, SOURCES or MELDS, and NOTHING for nothing.
"""

from collections.abc import Callable, Iterable
from typing import Any

from analyzer.db.columns import (
    BIG,
    BLOB,
    DAY,
    DOUBLE,
    INSTANT,
    INTEGER,
    SMALL,
    TEXT,
    UNSIGNED_TINY,
    Column,
    Columns,
    blob_column,
    list_column,
    number_column,
    text_column,
    word_column,
)
from records.events import MELD_NAMES
from records.rules.registry import ALL_SHEETS

SHEET_IDS = tuple(sheet.id for sheet in ALL_SHEETS)
ROLES = ("dealer", "leader", "other")
POINT_SOURCES = (
    "meld", "dix", "turned_seven", "tenth_trick", "last_trick", "all_last_tricks", "brisques",
    "carte_blanche", "cut", "guess", "zetema", "ruling",
)  # fmt: skip
"""What points are for, in the order of the columns of `seats`."""

MELD_NAMES_AND_NONE = (*MELD_NAMES, None)
"""The last place is that of points which are for no meld."""

WORD, INTEGER_LIST, TEXT_LIST = "word", "numbers", "texts"
ColumnKind = str | tuple[str | None, ...]
"""A type, or the names that numbers stand for."""

COLUMN_MAKERS: dict[str, Callable[[list[Any]], Column]] = {
    WORD: word_column,
    TEXT: text_column,
    BLOB: blob_column,
    INTEGER_LIST: lambda values: list_column(values, INTEGER),
    TEXT_LIST: lambda values: list_column(values, TEXT),
}
"""How a column of each type is made; the others are numbers."""

BOOL = UNSIGNED_TINY
NULL_NUMBER = 255

ROW_TABLES = {
    "records": {
        "game": BIG, "digest": TEXT, "name": WORD, "line": INTEGER, "size": INTEGER, "data": BLOB,
    },
    "games": {
        "game": BIG, "digest": TEXT, "sheet": WORD, "edition": INTEGER, "options": WORD,
        "players": UNSIGNED_TINY, "names": TEXT_LIST, "event": WORD, "site": WORD, "started": INSTANT,
        "program": WORD, "program_version": WORD, "verdict": WORD, "status": WORD, "complete": BOOL,
        "winner": UNSIGNED_TINY, "scores": INTEGER_LIST, "settlement": INTEGER_LIST, "deals": INTEGER,
        "events": INTEGER, "findings": INTEGER, "clean": BOOL, "variant": BIG, "month": DAY,
    },
    "deals": {
        "game": BIG, "deal": SMALL, "sheet": WORD, "clean": BOOL, "legal": BOOL, "tainted": BOOL,
        "complete": BOOL, "dealer": UNSIGNED_TINY, "leader": UNSIGNED_TINY, "trump": WORD,
        "turn_up": WORD, "tricks": SMALL, "events": SMALL, "findings": INTEGER, "scores": INTEGER_LIST,
        "winner": UNSIGNED_TINY, "margin": INTEGER, "match_scores": INTEGER_LIST,
    },
    "seats": {
        "game": BIG, "deal": SMALL, "sheet": WORD, "clean": BOOL, "seat": UNSIGNED_TINY,
        "side": UNSIGNED_TINY, "player": WORD, "player_id": WORD, "kind": WORD, "role": WORD,
        "strength": SMALL, "points": INTEGER, "outcome": DOUBLE,
        **{f"{source}_points": INTEGER for source in POINT_SOURCES},
        "melds": SMALL, "tricks": SMALL, "brisques": SMALL, "won_last_trick": BOOL, "opponent": WORD,
        "points_against": INTEGER, "deal_tricks": SMALL, "brisques_missed": SMALL,
        "match_score": INTEGER, "match_score_against": INTEGER, "match_outcome": DOUBLE,
        "variant": BIG, "month": DAY, "program": WORD,
    },
    "findings": {
        "game": BIG, "sheet": WORD, "code": WORD, "severity": WORD, "deal": SMALL, "event": SMALL,
        "trick": SMALL, "seat": UNSIGNED_TINY, "rule": WORD, "message": TEXT, "tainted": BOOL,
    },
    "rejected": {
        "content": TEXT, "name": WORD, "line": INTEGER, "size": INTEGER, "reason": TEXT, "findings": TEXT,
    },
    "imports": {
        "import": BIG, "name": WORD, "path": TEXT, "size": BIG, "modified_ns": BIG, "job": WORD,
    },
    "import_batches": {
        "import": BIG, "start": BIG, "stop": BIG, "line": INTEGER, "lines": INTEGER, "final": BOOL,
        **dict.fromkeys(("records", "stored", "known", "rejected", "deals", "events", "findings"), INTEGER),
    },
}  # fmt: skip
"""The tables that are filled row by row, and the types of their columns."""

TRICK_COLUMNS: dict[str, ColumnKind] = {
    "game": BIG, "deal": SMALL, "sheet": SHEET_IDS, "clean": BOOL, "deal_winner": UNSIGNED_TINY, "trick": SMALL,
    "event": SMALL, "closed": BOOL, "leader": UNSIGNED_TINY, "winner": UNSIGNED_TINY, "brisques": UNSIGNED_TINY,
    "tricks_ahead": SMALL, "points_ahead": INTEGER, "missed": BOOL,
}  # fmt: skip
SCORE_COLUMNS: dict[str, ColumnKind] = {
    "game": BIG, "deal": SMALL, "sheet": SHEET_IDS, "clean": BOOL, "event": SMALL, "trick": SMALL,
    "seat": UNSIGNED_TINY, "source": POINT_SOURCES, "meld": MELD_NAMES_AND_NONE, "royal": BOOL, "points": INTEGER, "side": UNSIGNED_TINY,
    "role": ROLES,
}  # fmt: skip
"""The tables with many rows a deal, which are filled column by column."""

NULLABLE_COLUMNS = {"tricks": ("deal_winner", "missed"), "scores": ("royal",)}
"""The columns of those tables in which NOTHING stands for NULL."""


def select_list(table: str, columns: Iterable[str]) -> str:
    """The columns of a table as they are selected from those that the loader fills."""
    nulls = NULLABLE_COLUMNS.get(table, ())
    return ", ".join(f"nullif({c}, {NULL_NUMBER}) AS {c}" if c in nulls else c for c in columns)


def columns_of(table: str, rows: list[tuple[object, ...]]) -> Columns:
    """Rows as columns; raises OverflowError and UnicodeEncodeError."""
    kinds = ROW_TABLES[table]
    values = zip(*rows, strict=True) if rows else [()] * len(kinds)
    return {
        name: _column(kind, list(column))
        for (name, kind), column in zip(kinds.items(), values, strict=True)
    }


def _column(kind: str, values: list[Any]) -> Column:
    return COLUMN_MAKERS[kind](values) if kind in COLUMN_MAKERS else number_column(kind, values)
