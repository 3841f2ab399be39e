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
    blobs,
    lists,
    numbers,
    texts,
    words,
)
from records.events import MELD_NAMES
from records.rules.registry import ALL

SHEETS = tuple(sheet.id for sheet in ALL)
ROLES = ("dealer", "leader", "other")
SOURCES = (
    "meld", "dix", "turned_seven", "tenth_trick", "last_trick", "all_last_tricks", "brisques",
    "carte_blanche", "cut", "guess", "zetema", "ruling",
)  # fmt: skip
"""What points are for, in the order of the columns of `seats`."""

MELDS = (*MELD_NAMES, None)
"""The last place is that of points which are for no meld."""

WORD, NUMBERS, TEXTS = "word", "numbers", "texts"
Kind = str | tuple[str | None, ...]
"""A type, or the names that numbers stand for."""

MAKERS: dict[str, Callable[[list[Any]], Column]] = {
    WORD: words,
    TEXT: texts,
    BLOB: blobs,
    NUMBERS: lambda values: lists(values, INTEGER),
    TEXTS: lambda values: lists(values, TEXT),
}
"""How a column of each type is made; the others are numbers."""

BOOL = UNSIGNED_TINY
NOTHING = 255

ROWS = {
    "records": {
        "game": BIG, "digest": TEXT, "name": WORD, "line": INTEGER, "size": INTEGER, "data": BLOB,
    },
    "games": {
        "game": BIG, "digest": TEXT, "sheet": WORD, "edition": INTEGER, "options": WORD,
        "players": UNSIGNED_TINY, "names": TEXTS, "event": WORD, "site": WORD, "started": INSTANT,
        "program": WORD, "program_version": WORD, "verdict": WORD, "status": WORD, "complete": BOOL,
        "winner": UNSIGNED_TINY, "scores": NUMBERS, "settlement": NUMBERS, "deals": INTEGER,
        "events": INTEGER, "findings": INTEGER, "clean": BOOL, "variant": BIG, "month": DAY,
    },
    "deals": {
        "game": BIG, "deal": SMALL, "sheet": WORD, "clean": BOOL, "legal": BOOL, "tainted": BOOL,
        "complete": BOOL, "dealer": UNSIGNED_TINY, "leader": UNSIGNED_TINY, "trump": WORD,
        "turn_up": WORD, "tricks": SMALL, "events": SMALL, "findings": INTEGER, "scores": NUMBERS,
        "winner": UNSIGNED_TINY, "margin": INTEGER, "match_scores": NUMBERS,
    },
    "seats": {
        "game": BIG, "deal": SMALL, "sheet": WORD, "clean": BOOL, "seat": UNSIGNED_TINY,
        "side": UNSIGNED_TINY, "player": WORD, "player_id": WORD, "kind": WORD, "role": WORD,
        "strength": SMALL, "points": INTEGER, "outcome": DOUBLE,
        **{f"{source}_points": INTEGER for source in SOURCES},
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

TRICKS: dict[str, Kind] = {
    "game": BIG, "deal": SMALL, "sheet": SHEETS, "clean": BOOL, "deal_winner": UNSIGNED_TINY, "trick": SMALL,
    "event": SMALL, "closed": BOOL, "leader": UNSIGNED_TINY, "winner": UNSIGNED_TINY, "brisques": UNSIGNED_TINY,
    "tricks_ahead": SMALL, "points_ahead": INTEGER, "missed": BOOL,
}  # fmt: skip
SCORES: dict[str, Kind] = {
    "game": BIG, "deal": SMALL, "sheet": SHEETS, "clean": BOOL, "event": SMALL, "trick": SMALL,
    "seat": UNSIGNED_TINY, "source": SOURCES, "meld": MELDS, "royal": BOOL, "points": INTEGER, "side": UNSIGNED_TINY,
    "role": ROLES,
}  # fmt: skip
"""The tables with many rows a deal, which are filled column by column."""

NULLS = {"tricks": ("deal_winner", "missed"), "scores": ("royal",)}
"""The columns of those tables in which NOTHING stands for NULL."""


def chosen(table: str, columns: Iterable[str]) -> str:
    """The columns of a table as they are selected from those that the loader fills."""
    nulls = NULLS.get(table, ())
    return ", ".join(f"nullif({c}, {NOTHING}) AS {c}" if c in nulls else c for c in columns)


def columns_of(table: str, rows: list[tuple[object, ...]]) -> Columns:
    """Rows as columns; raises OverflowError and UnicodeEncodeError."""
    kinds = ROWS[table]
    values = zip(*rows, strict=True) if rows else [()] * len(kinds)
    return {
        name: _column(kind, list(column))
        for (name, kind), column in zip(kinds.items(), values, strict=True)
    }


def _column(kind: str, values: list[Any]) -> Column:
    return MAKERS[kind](values) if kind in MAKERS else numbers(kind, values)
