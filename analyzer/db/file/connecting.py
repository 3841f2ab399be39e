"""Open the file of a database, and say why it cannot be opened."""

import os
from collections.abc import Mapping
from pathlib import Path

import duckdb

from analyzer.db.file.copying import is_log_readable, log_of
from analyzer.db.file.store_errors import (
    LOCK_REFUSAL,
    StoreInUse,
    damaged,
    first_line,
    known_trouble,
)
from analyzer.durable_files import make_private_folder
from records.errors import StoreError
from records.safe_text import path_text

SMALLEST_DATABASE = 3 * 4096
"""Bytes of the three headers that every DuckDB file begins with."""


def connect_database(
    path: Path, settings: Mapping[str, str | bool | int | float | list[str]]
) -> duckdb.DuckDBPyConnection:
    """Open the file of a database, or make it; raises StoreError with the reason in words."""
    demand_utf8_name(path.parent)
    try:
        make_private_folder(path.parent)
        if path.is_file() and 0 < path.stat().st_size < SMALLEST_DATABASE:
            raise damaged(path, "it ends in its first lines")
        require_log(path)
        return duckdb.connect(str(path), config=dict(settings))
    except OSError as error:
        raise StoreError(
            f"the database {path} cannot be opened: {error.strerror or error}"
        ) from error
    except duckdb.Error as error:
        raise opening_refusal(path, error) from error
    except (RuntimeError, UnicodeDecodeError) as error:  # DuckDB's own, while it reads nonsense
        raise damaged(path, str(error)) from error


def require_log(path: Path) -> None:
    """Raise StoreDamaged if the log of a database would be taken for an empty one, with all that is only there; and OSError."""
    if not is_log_readable(path):
        raise damaged(path, f"{log_of(path).name}, which has what was stored last, does not begin as it was written")  # fmt: skip


def demand_utf8_name(folder: Path) -> None:
    """Raise StoreError if the name of a folder is not UTF-8: DuckDB takes no other."""
    if path_text(folder) != str(folder):
        raise StoreError(
            f"the database cannot use the folder {path_text(folder)}: its name is not valid UTF-8"
        )


def opening_refusal(path: Path, error: duckdb.Error) -> StoreError:
    """Why DuckDB did not open the file of a database, in words."""
    reason = str(error)
    if reason.startswith(LOCK_REFUSAL):
        return StoreInUse(path)
    known = known_trouble(path, error)
    if known is not None:
        return known
    if path.is_file() and os.access(path, os.R_OK | os.W_OK) and os.access(path.parent, os.W_OK):
        return damaged(path, first_line(reason))
    return StoreError(f"the database {path} cannot be opened: {first_line(reason)}")


def quote_sql(text: object) -> str:
    """A text as an SQL literal."""
    return "'" + str(text).replace("'", "''") + "'"
