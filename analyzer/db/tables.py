"""The tables as the loader fills them: their columns, with types, in order.

`ROW_TABLES` are filled row by row. `TRICK_COLUMNS` and `SCORE_COLUMNS` belong to the two tables with many rows
per deal: those are packed column by column, with names as numbers in the order of `SHEET_IDS`, `ROLES`,
`POINT_SOURCES` or `MELD_NAMES_AND_NONE`, and `NULL_NUMBER` for a missing value.
"""

from collections.abc import Callable, Iterable, Sequence
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
"""The sources of points, in the order of the columns of `seats`."""

MELD_NAMES_AND_NONE = (*MELD_NAMES, None)
"""The names of melds; the last place is for points that are not for a meld."""

WORD, INTEGER_LIST, TEXT_LIST = "word", "numbers", "texts"
ColumnKind = str | tuple[str | None, ...]
"""A column type, or the names that the numbers of a column stand for."""

COLUMN_MAKERS: dict[str, Callable[[Sequence[Any]], Column]] = {
    WORD: word_column,
    TEXT: text_column,
    BLOB: blob_column,
    INTEGER_LIST: lambda values: list_column(values, INTEGER),
    TEXT_LIST: lambda values: list_column(values, TEXT),
}
"""How a column of each type is made; all other types are numbers."""

BOOL = UNSIGNED_TINY
NULL_NUMBER = 255
"""Stands for NULL in `NULLABLE_COLUMNS`: no seat, side or truth value has this number."""

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
        "players": UNSIGNED_TINY,
        **dict.fromkeys(("tricks_led", "led_tricks_won", "led_brisques"), SMALL),
        "let_go": SMALL, "let_go_known": SMALL, "points_ahead_led": BIG, "tricks_ahead_led": INTEGER,
        "leads": SMALL, "leads_held": SMALL, "own_leads": BIG,
        "scorings": SMALL, "royal_melds": SMALL, "timed_melds": SMALL, "meld_tricks": INTEGER,
        "points_of_partners": INTEGER,
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
"""The tables filled row by row, with the types of their columns."""

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
"""The columns of the tables filled column by column: `tricks` and `scores`."""

NULLABLE_COLUMNS = {"tricks": ("deal_winner", "missed"), "scores": ("royal",)}
"""The columns of those two tables in which `NULL_NUMBER` stands for NULL."""


def select_list(table: str, columns: Iterable[str]) -> str:
    """A SELECT list that turns the loader's columns into those of a table."""
    nulls = NULLABLE_COLUMNS.get(table, ())
    return ", ".join(f"nullif({c}, {NULL_NUMBER}) AS {c}" if c in nulls else c for c in columns)


def columns_of(table: str, rows: list[tuple[object, ...]]) -> Columns:
    """Rows as columns; raises struct.error and UnicodeEncodeError for values no column can hold."""
    kinds = ROW_TABLES[table]
    values = zip(*rows, strict=True) if rows else [()] * len(kinds)
    return {
        name: _column(kind, column)
        for (name, kind), column in zip(kinds.items(), values, strict=True)
    }


def _column(kind: str, values: Sequence[Any]) -> Column:
    return COLUMN_MAKERS[kind](values) if kind in COLUMN_MAKERS else number_column(kind, values)
