"""Check a data folder, changing nothing: a database, or a folder of Parquet files."""

from pathlib import Path

import duckdb
import msgspec

from analyzer.ingest.batch import game_key
from analyzer.store.acknowledged import (
    ACKNOWLEDGED_FILE_NAME,
    UNKNOWN,
    missing_since,
    note_of,
    read_note,
    read_number,
)
from analyzer.store.durable_files import DRAFT_ENDING
from analyzer.store.instance import (
    StoreDamaged,
    StoreInUse,
    connect_database,
    first_line,
    log_of,
    logs_set_aside,
)
from analyzer.store.parquet import EXPORTED_TABLES, MANIFEST_FILE_NAME, read_manifest
from analyzer.store.player_names import MOST_LABELS, SELECT_LABELS, group_similar_people
from analyzer.store.schema import (
    LEFT_OUT_FOLDER,
    OLD_DATABASE_NAME,
    SchemaTooNew,
    column_names,
    database_origin,
    missing_names,
    schema_columns,
)
from analyzer.store.sealed_files import FileBroken
from analyzer.store.store import DATABASE_FILE_NAME
from analyzer.store.sums import SUM_TABLES, count_wrong_sums_sql
from analyzer.upkeep.rescue import (
    CheckProgress,
    FolderReport,
    digests_of,
    severity_in,
    unpack_whole,
)
from records.errors import StoreError
from records.phrases import pluralize

# A database: every table, every row, every record against its digest.

RECORDS_PER_QUERY = 200
MOST_DIGESTS_NAMED = MOST_SIMILAR_NAMED = 5
COUNT_OTHER_PLAYERS = (
    "SELECT count(*) FROM seats JOIN games USING (game) WHERE player <> people[seat + 1]"
)
READ_EVERY_ROW = "SELECT count(*), bit_xor(hash(it)) FROM {} AS it"
COUNT_MISMATCHES = {
    "{} without a record": "SELECT count(*) FROM stored_games ANTI JOIN records USING (game)",
    "{} with other deals than the game has": """
        SELECT count(*) FROM games LEFT JOIN (SELECT game, count(*) AS found FROM deals GROUP BY game) USING (game)
        WHERE coalesce(found, 0) <> deals
    """,
    "{} with other seats than players in a deal": """
        SELECT count(DISTINCT game) FROM (
            SELECT game, deal, count(seats.seat) AS found FROM deals LEFT JOIN seats USING (game, deal) GROUP BY ALL
        ) JOIN games USING (game) WHERE found <> players
    """,
}
"""Games whose rows in other tables do not fit, and how to count them."""
COUNT_OTHER_GAMES = "SELECT count(*), count(DISTINCT match) FROM other_games"
COUNT_RECORDS_ALONE = "SELECT count(*) FROM records ANTI JOIN stored_games USING (game)"
IS_STORED = "SELECT count(*) FROM stored_games WHERE digest IN (SELECT unnest($digests))"
COUNT_LOGGED = "SELECT coalesce(sum(stored), 0) FROM import_batches"
SELECT_RECORDS = """
    SELECT game, digest, data FROM records WHERE rowid >= $low AND rowid < $low + $most ORDER BY rowid
"""


def check_database(path: Path, report: FolderReport, progress: CheckProgress) -> None:
    """Add to a report what is wrong with a database; raises StoreInUse."""
    try:
        connection = connect_database(
            path, {"access_mode": "READ_ONLY", "threads": 1, "memory_limit": "512MB"}
        )
    except StoreInUse:
        raise
    except StoreError as error:
        report.add("lost", f"The database cannot be opened: {_reason(error)}.")
        return
    try:
        with connection:
            _check_open(connection, path, report, progress)
    except duckdb.Error as error:
        report.add("lost", f"The database cannot be read: {first_line(str(error))}")
    if log_of(path).exists():
        report.add(
            "note",
            f"{log_of(path).name} holds what is not yet written into the database: both belong together.",
        )


def _check_open(
    connection: duckdb.DuckDBPyConnection, path: Path, report: FolderReport, progress: CheckProgress
) -> None:
    tables = column_names(connection)
    _check_acknowledged(connection, tables, path, report)
    is_of_today = _check_origin(connection, tables, path, report)
    if is_of_today:
        for name in missing_names(tables):
            report.add(severity_in(name.partition(".")[0]), f"The database lacks {name}.")
    unread = [name for name in sorted(tables) if not _is_readable(connection, name, report)]
    if is_of_today:
        if not {"records", "stored_games", "deals", "seats", "import_batches"} & set(unread):
            beside = _check_left_out(connection, path.parent / LEFT_OUT_FOLDER, report)
            _check_counts(connection, tables, report, beside)
        _check_sums(connection, set(tables) - set(unread), report)
        _check_people(connection, set(tables) - set(unread), report)
    if "data" in tables.get("records", ()):
        _check_records(connection, report, progress)


def _check_acknowledged(
    connection: duckdb.DuckDBPyConnection,
    tables: dict[str, set[str]],
    path: Path,
    report: FolderReport,
) -> None:
    """Compare the last transaction with the one that was acknowledged last."""
    try:
        noted = read_note(path)
    except FileBroken as error:
        report.add("lost", f"{error.message_in(path.parent)}: {UNKNOWN}.")
        return
    if noted is None:
        if "commits" in tables:
            report.add("note", f"{ACKNOWLEDGED_FILE_NAME} is missing: {UNKNOWN}.")
        return
    try:
        here = read_number(connection) if "commits" in tables else None
    except (StoreDamaged, duckdb.Error) as error:
        report.add("lost", f"The database cannot be compared with {ACKNOWLEDGED_FILE_NAME}: {first_line(str(error)).rstrip('.')}.")  # fmt: skip
        return
    if here and here.database != noted.database:
        report.add("note", f"{ACKNOWLEDGED_FILE_NAME} is about another database: the next command that opens this one writes it anew.")  # fmt: skip
    if missing := missing_since(noted, here):
        report.add("lost", f"The database is not whole: {missing}.")


def _check_origin(
    connection: duckdb.DuckDBPyConnection,
    tables: dict[str, set[str]],
    path: Path,
    report: FolderReport,
) -> bool:
    """Whether the database is as today's program makes it; otherwise only its records are checked."""
    try:
        origin = database_origin(connection, tables, path)
    except StoreDamaged:
        report.add("wrong", "The database does not say which schema it has.")
        return False
    report.judged_by = str(origin)
    if origin.is_newer:
        report.add("wrong", f"{str(SchemaTooNew(origin)).capitalize()}.")
    elif origin.is_older:
        report.add("note", "An older version of the program judged the records, so that verdicts may differ from today's: `bezique upgrade` judges them again.")  # fmt: skip
    return not (origin.is_newer or origin.is_older)


def _is_readable(connection: duckdb.DuckDBPyConnection, table: str, report: FolderReport) -> bool:
    try:
        connection.execute(READ_EVERY_ROW.format(table)).fetchall()
    except duckdb.FatalException:
        raise
    except duckdb.Error as error:
        if schema_columns().get(table, True):  # a view fails with its table
            report.add(
                severity_in(table),
                f"The table {table} cannot be read in full: {first_line(str(error))}",
            )
        return False
    return True


def _check_left_out(
    connection: duckdb.DuckDBPyConnection, folder: Path, report: FolderReport
) -> int:
    """Say what the records are that an upgrade kept beside the database; returns how many there are."""
    stored = unread = 0
    files = sorted(folder.glob("*.json"))
    for file in files:
        digests = list(digests_of(file.read_bytes()))
        unread += not digests
        if digests:
            ((found,),) = connection.execute(IS_STORED, {"digests": digests}).fetchall()
            stored += found > 0
    has = f"{folder.name} has"
    if stored:
        report.add("note", f"{has} {pluralize(stored, 'record')} of games that are stored: an upgrade found the game twice. You can delete what it has of them.")  # fmt: skip
    if new := len(files) - stored - unread:
        report.add("note", f"{has} {pluralize(new, 'record')} that an upgrade did not take, whole as uploaded, and this version can read: `bezique ingest {folder}` stores what is not here.")  # fmt: skip
    if unread:
        report.add("note", f"{has} {pluralize(unread, 'record')} that this version cannot read, whole as uploaded: `bezique validate {folder}` says why. Keep the files; nothing of them is lost.")  # fmt: skip
    return len(files)


def _check_counts(
    connection: duckdb.DuckDBPyConnection,
    tables: dict[str, set[str]],
    report: FolderReport,
    beside: int,
) -> None:
    """Count what belongs together; so many records lie beside the database."""
    if not {"records", "games", "other_games", "deals", "seats", "import_batches"} <= set(tables):
        return
    for words, sql in COUNT_MISMATCHES.items():
        ((count,),) = connection.execute(sql).fetchall()
        if count:
            report.add(
                "lost" if "record" in words else "wrong", f"There {'is' if count == 1 else 'are'} {words.format(pluralize(count, 'game'))}.")  # fmt: skip
    ((alone,),) = connection.execute(COUNT_RECORDS_ALONE).fetchall()
    if alone:
        report.add("wrong", f"There {'is' if alone == 1 else 'are'} {pluralize(alone, 'record')} without a row in games or other_games.")  # fmt: skip
    ((others, matches),) = connection.execute(COUNT_OTHER_GAMES).fetchall()
    if others:
        report.add("note", f"{pluralize(others, 'record tells', 'records tell')} of {pluralize(matches, 'match', 'matches')} for which another record stands: each match counts once.")  # fmt: skip
    ((logged,),) = connection.execute(COUNT_LOGGED).fetchall()
    ((games,),) = connection.execute("SELECT count(*) FROM stored_games").fetchall()
    if logged > games + beside:
        and_beside = f", {beside:,} in {LEFT_OUT_FOLDER}" if beside else ""
        report.add("note", f"Imports stored {logged:,} games and {games:,} are here{and_beside}: the others were deleted, or lost.")  # fmt: skip


def _check_people(
    connection: duckdb.DuckDBPyConnection, readable: set[str], report: FolderReport
) -> None:
    """Compare the names of players in both tables that have them, and say who may be one player in two spellings."""
    if not {"games", "seats"} <= readable:
        return
    ((wrong,),) = connection.execute(COUNT_OTHER_PLAYERS).fetchall()
    if wrong:
        report.add("wrong", f"{pluralize(wrong, 'row')} of seats {'has' if wrong == 1 else 'have'} another player than games.")  # fmt: skip
    labels = connection.execute(SELECT_LABELS, {"most": MOST_LABELS}).fetchall()
    similar = group_similar_people(label for (label,) in labels)
    for group in similar[:MOST_SIMILAR_NAMED]:
        report.add("note", f"Perhaps one player: {', '.join(group)}. `bezique rename` makes them one.")  # fmt: skip
    if len(similar) > MOST_SIMILAR_NAMED:
        report.add("note", f"{pluralize(len(similar) - MOST_SIMILAR_NAMED, 'more group')} of similar names: `bezique rename` lists them.")  # fmt: skip


def _check_sums(
    connection: duckdb.DuckDBPyConnection, readable: set[str], report: FolderReport
) -> None:
    """Compare sums with what their rows come to."""
    for name, table in SUM_TABLES.items():
        if {table, name} <= readable:
            ((wrong,),) = connection.execute(count_wrong_sums_sql(name)).fetchall()
            if wrong:
                report.add("wrong", f"The sums in {name} are not those of the rows of {table}.")


def _check_records(
    connection: duckdb.DuckDBPyConnection, report: FolderReport, progress: CheckProgress
) -> None:
    """Read every record and compute its digest again."""
    try:
        ((last,),) = connection.execute("SELECT coalesce(max(rowid), -1) FROM records").fetchall()
    except duckdb.FatalException:
        raise
    except duckdb.Error:
        return  # the table cannot be read at all, which was said
    broken: list[str] = []
    for low in range(0, last + 1, RECORDS_PER_QUERY):
        try:
            rows = connection.execute(
                SELECT_RECORDS, {"low": low, "most": RECORDS_PER_QUERY}
            ).fetchall()
        except duckdb.FatalException:
            raise
        except duckdb.Error:
            continue
        for game, digest, data in rows:
            if digest in digests_of(unpack_whole(bytes(data))) and game_key(digest) == game:
                report.records += 1
            else:
                broken.append(digest[:12])
        progress(min(low + RECORDS_PER_QUERY, last + 1), last + 1)
    if broken:
        named = ", ".join(broken[:MOST_DIGESTS_NAMED])
        more = f" and {len(broken) - MOST_DIGESTS_NAMED:,} more" if len(broken) > MOST_DIGESTS_NAMED else ""  # fmt: skip
        report.add("lost", f"{pluralize(len(broken), 'record does', 'records do')} not fit the digest: {named}{more}.")  # fmt: skip


def _reason(error: StoreError) -> str:
    text = str(error)
    if isinstance(error, StoreDamaged):
        text = text.partition(": `bezique doctor`")[0]
    return text


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
        _name_old_databases(folder, report)
        check_database(path, report, progress)
    elif (folder / MANIFEST_FILE_NAME).exists() or (folder / "records").is_dir():
        report.kind = "parquet"
        _check_parquet(folder, report, progress)
    elif log_of(path).exists() or note_of(path).exists():
        report.add("lost", f"{path.name} is missing, and what belongs to it is here.")
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
    for kept in logs_set_aside(folder / DATABASE_FILE_NAME):
        report.add("note", f"{kept.name} is a log that could not be used and was set aside: `--rescue` reads it, too.")  # fmt: skip
    drafts = [path for path in folder.rglob(f"*{DRAFT_ENDING}") if path.is_file()]
    if drafts:
        report.add(
            "note",
            f"{pluralize(len(drafts), 'file was', 'files were')} never finished; the server removes such files when it starts.",
        )


def _name_old_databases(folder: Path, report: FolderReport) -> None:
    for path in sorted(folder.glob(f"{OLD_DATABASE_NAME}*")):
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
    broken = sum(digest not in digests_of(bytes(data)) for digest, data in found)
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
    records = rows["records"] - rows["other_games"]
    for table, count in (("games", rows["games"]), ("records", records)):
        if count and count != manifest.games:
            report.add(
                severity_in(table), f"{table} has {count:,} rows, and {MANIFEST_FILE_NAME} names {manifest.games:,} games.")  # fmt: skip
    if rows["games"] == manifest.games and deals != manifest.deals:
        report.add("wrong", f"games has {deals:,} deals, and {MANIFEST_FILE_NAME} names {manifest.deals:,}.")  # fmt: skip
