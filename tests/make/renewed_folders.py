"""A data folder as it is after a rescue, and after an upgrade."""

from pathlib import Path

import duckdb

from analyzer.store.store import DATABASE_FILE_NAME
from analyzer.upkeep.rescue import rescue_records
from analyzer.upkeep.upgrade import upgrade_folder


def rescued_and_upgraded(folder: Path, rescued: Path) -> tuple[Path, Path]:
    """The folder itself, its records judged anew by an upgrade, and another with what a rescue found there before."""
    assert rescue_records(folder, rescued, lambda *_: None).is_complete
    with duckdb.connect(str(folder / DATABASE_FILE_NAME)) as connection:
        connection.execute("UPDATE schema_version SET judgement = judgement - 1")
    assert upgrade_folder(folder) is not None
    return folder, rescued
