"""Whatever changes the tables, or the rows made of a record, raises the number by which a database tells that it must be made anew."""

import hashlib
import re
from pathlib import Path

from analyzer.ingest.batch import prepare_batch
from analyzer.store.schema import SCHEMA_VERSION, schema_sql
from analyzer.store.sums import SUM_TABLES, sums_sql
from records.format.files import Entry

SAMPLES = sorted((Path(__file__).parents[3] / "samples" / "good").glob("*.json"))
PRINTS = {
    13: "ae1d7a7bb6a88e73",
    14: "97329a4d9b67dd41",
    15: "b649a3cb344f0d15",
    16: "0834f6237b6fa3e6",
    17: "9fb7a3aa28e97fef",
    18: "10a470faf6953dbf",
    19: "46aa1849c3acce5b",
    20: "d4294502682ee730",
    21: "274f9ec780f52c0f",
}
"""What each schema comes to: the tables and the sums as SQL, and the rows of all good samples."""
OTHERS_DECIDE = {("records", "data"), ("findings", "message")}
"""The bytes of a record are as zstandard packs them, and messages belong to the judgement."""


def schema_print() -> str:
    """A short hash of all that decides what is in a database, and of what is in one that has every good sample."""
    found = hashlib.sha256()
    for sql in (
        schema_sql(),
        *(sums_sql(sums, table) for sums, table in sorted(SUM_TABLES.items())),
    ):
        found.update(without_comments(sql).encode())
    batch = prepare_batch([Entry(path.name, None, path.read_bytes()) for path in SAMPLES])
    assert {outcome.state for outcome in batch.outcomes} == {"stored"}
    for table, columns in sorted(batch.tables.items()):
        for name, column in columns.items():
            if (table, name) not in OTHERS_DECIDE:
                found.update(f"{table}.{name} {column}\n".encode())
    return found.hexdigest()[:16]


def without_comments(sql: str) -> str:
    """The words of statements, without comments of both kinds and without line breaks."""
    sql = re.sub(r"--.*", "", sql)
    return " ".join(re.sub(r"^COMMENT ON .*? IS '(?:[^']|'')*';", "", sql, flags=re.M).split())


def test_a_schema_that_changes_has_another_number() -> None:
    found = schema_print()
    assert PRINTS.get(SCHEMA_VERSION) == found, (
        "the tables, or the rows that are made of a record, are others than before: raise `SCHEMA_VERSION`, so that an "
        f"upgrade makes the database anew, and add {found!r} under it to PRINTS. If only samples came, went or changed, "
        "replace the print."
    )
    assert max(PRINTS) == SCHEMA_VERSION


def test_a_comment_changes_no_schema_and_a_column_does() -> None:
    sql = "CREATE TABLE one (\n    a INTEGER\n);\nCOMMENT ON COLUMN one.a IS 'It''s; a.';\n-- x\n"
    assert without_comments(sql) == "CREATE TABLE one ( a INTEGER );"
    assert without_comments(sql.replace("a INT", "b INT")) != without_comments(sql)
