"""Check a data folder, changing nothing: a database, or a folder of Parquet files."""

from pathlib import Path

import duckdb
import msgspec

from analyzer.db.file.store_errors import first_line
from analyzer.db.parquet_export import EXPORTED_TABLES, MANIFEST_FILE_NAME, read_manifest
from analyzer.db.schema import KEPT_NAME
from analyzer.db.store import DATABASE_FILE_NAME
from analyzer.doctor.database_check import check_database
from analyzer.doctor.problem import CheckProgress, FolderReport, severity_in
from analyzer.doctor.proven_record import digest_of
from analyzer.durable_files import DRAFT_ENDING
from records.errors import StoreError
from records.phrases import pluralize

NEVER_EMPTY_TABLES = ("games", "deals", "seats", "records")
"""Tables that have rows as soon as there is a deal."""
READ_FILE = (
    "SELECT count(*), bit_xor(hash(it)) FROM read_parquet($file, hive_partitioning = false) AS it"
)
SELECT_FILE_RECORDS = "SELECT digest, data FROM read_parquet($file, hive_partitioning = false)"
SUM_FILE_DEALS = (
    "SELECT coalesce(sum(deals), 0) FROM read_parquet($file, hive_partitioning = false)"
)


def check_folder(folder: Path, progress: CheckProgress) -> FolderReport:
    """The report on a data folder; raises StoreInUse if a server or an import is using it, StoreError if it has no data."""
    report = FolderReport(str(folder))
    path = folder / DATABASE_FILE_NAME
    if path.exists():
        _check_modes(path, report)
        _check_drafts(folder, report)
        _name_kept_databases(folder, report)
        check_database(path, report, progress)
    elif (folder / MANIFEST_FILE_NAME).exists() or (folder / "records").is_dir():
        report.kind = "parquet"
        _check_parquet(folder, report, progress)
    else:
        raise StoreError(f"there is neither a database nor Parquet files in {folder}")
    return report


def _check_modes(path: Path, report: FolderReport) -> None:
    if path.stat().st_mode & 0o077:
        report.add(
            "note",
            f"Others may read {path.name}; the next command that opens it takes that right away.",
        )


def _check_drafts(folder: Path, report: FolderReport) -> None:
    drafts = [path for path in folder.rglob(f"*{DRAFT_ENDING}") if path.is_file()]
    if drafts:
        report.add(
            "note",
            f"{pluralize(len(drafts), 'file was', 'files were')} never finished; the server removes such files when it starts.",
        )


def _name_kept_databases(folder: Path, report: FolderReport) -> None:
    for path in sorted(folder.glob(f"{KEPT_NAME}*")):
        size = path.stat().st_size / 1e6
        report.add("note", f"{path.name} ({size:,.1f} MB) is the database from before an upgrade: delete it when you no longer need it.")  # fmt: skip


def _check_parquet(folder: Path, report: FolderReport, progress: CheckProgress) -> None:
    """Read every row of every file; compare games, deals and records with the manifest."""
    files = {table: sorted((folder / table).rglob("*.parquet")) for table in EXPORTED_TABLES}
    rows = dict.fromkeys(EXPORTED_TABLES, 0)
    deals = 0
    pairs = [(table, path) for table, paths in files.items() for path in paths]
    for number, (table, path) in enumerate(pairs, start=1):
        try:
            ((count, _),) = duckdb.execute(READ_FILE, {"file": str(path)}).fetchall()
            rows[table] += count
            if table == "games":
                deals += duckdb.execute(SUM_FILE_DEALS, {"file": str(path)}).fetchall()[0][0]
            if table == "records":
                _check_file_records(path, folder, report)
        except duckdb.Error as error:
            report.add(
                severity_in(table), f"{path.relative_to(folder)} cannot be read: {first_line(str(error))}")  # fmt: skip
        progress(number, len(pairs))
    _compare_manifest(folder, report, rows, int(deals))


def _check_file_records(path: Path, folder: Path, report: FolderReport) -> None:
    found = duckdb.execute(SELECT_FILE_RECORDS, {"file": str(path)}).fetchall()
    broken = sum(digest_of(bytes(data)) != digest for digest, data in found)
    report.records += len(found) - broken
    if broken:
        report.add("lost", f"{path.relative_to(folder)} has {pluralize(broken, 'record')} that do not fit the digest.")  # fmt: skip


def _compare_manifest(folder: Path, report: FolderReport, rows: dict[str, int], deals: int) -> None:
    try:
        manifest = read_manifest(folder)
    except (OSError, msgspec.MsgspecError):
        report.add("wrong", f"{MANIFEST_FILE_NAME} is missing or cannot be read: the folder is not shown without it.")  # fmt: skip
        return
    except StoreError as error:
        report.add("wrong", f"{error}.")
        return
    for table in NEVER_EMPTY_TABLES:
        if manifest.deals and not rows[table]:
            report.add(severity_in(table), f"The files of the table {table} are missing.")
    for table, count in (("games", rows["games"]), ("records", rows["records"])):
        if count and count != manifest.games:
            report.add(
                severity_in(table), f"{table} has {count:,} rows, and {MANIFEST_FILE_NAME} names {manifest.games:,} games.")  # fmt: skip
    if rows["games"] == manifest.games and deals != manifest.deals:
        report.add("wrong", f"games has {deals:,} deals, and {MANIFEST_FILE_NAME} names {manifest.deals:,}.")  # fmt: skip
