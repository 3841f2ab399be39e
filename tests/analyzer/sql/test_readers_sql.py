"""SQL typed by readers: what is allowed, and attacks that fail."""

import os
import time
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from analyzer.sql.guard import (
    LARGEST_RANGE_NUMBER,
    LONGEST_STATEMENT,
    MOST_COLUMNS,
    MOST_SQL_ROWS,
    READABLE_TABLES,
    ForbiddenStatement,
    check_statement,
    describe_tables,
)
from analyzer.sql.pool import StatementPool
from analyzer.sql.process import LiveDatabase, run_unchecked
from analyzer.statistics.answer import run_ask
from analyzer.statistics.ask import presets
from analyzer.statistics.questions import questions, run_question
from analyzer.store.games import backup_store
from analyzer.store.store import COUNT_STORED_ROWS, QueryTimeout, Store
from analyzer.store.sums import SUM_TABLES
from tests.machine.waiting import assert_prompt

pytestmark = pytest.mark.long

FILES = [
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_csv_auto('/etc/passwd')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('/proc/self/environ')",
    "SELECT * FROM read_json('/etc/passwd')",
    "SELECT * FROM read_parquet('x.parquet')",
    "SELECT * FROM parquet_scan('x.parquet')",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "SELECT * FROM glob('/**')",
    "SELECT * FROM '/etc/passwd'",
    "FROM 'x.csv'",
    'SELECT * FROM "/etc/hostname"',
    "SELECT * FROM 'https://example.org/x.csv'",
    "SELECT * FROM read_csv('https://example.org/x.csv')",
    "SELECT * FROM 's3://bucket/x.parquet'",
    "SELECT (SELECT content FROM read_text('/etc/passwd'))",
    "WITH x AS (SELECT * FROM read_text('/etc/passwd')) SELECT * FROM x",
    "SELECT * FROM query('SELECT * FROM read_text(''/etc/passwd'')')",
    "SELECT * FROM query_table('records')",
    "COPY games TO 'out.csv'",
    "COPY (SELECT 1) TO '/tmp/out.csv'",
    "COPY games FROM '/etc/passwd'",
    "EXPORT DATABASE 'out'",
    "IMPORT DATABASE 'out'",
    "ATTACH 'other.duckdb' AS other",
    "ATTACH ':memory:' AS other",
    "DETACH bezique",
    "USE memory",
    "INSTALL httpfs",
    "LOAD httpfs",
    "LOAD '/tmp/evil.so'",
    "INSTALL spatial FROM community",
    "FORCE INSTALL httpfs",
    "SELECT * FROM sqlite_scan('x.db', 't')",
    "SELECT * FROM postgres_scan('host=localhost', 'public', 't')",
]
WRITES = [
    "INSERT INTO games SELECT * FROM games",
    "UPDATE games SET verdict = 'legal'",
    "DELETE FROM games",
    "TRUNCATE games",
    "DROP TABLE games",
    "DROP VIEW melds",
    "CREATE TABLE mine AS SELECT 1",
    "CREATE TEMP TABLE mine AS SELECT 1",
    "CREATE VIEW mine AS SELECT 1",
    "CREATE MACRO mine() AS 1",
    "CREATE SCHEMA mine",
    "CREATE SEQUENCE mine",
    "CREATE TYPE mine AS ENUM ('x')",
    "CREATE SECRET (TYPE s3)",
    "ALTER TABLE games ADD COLUMN mine INTEGER",
    "COMMENT ON TABLE games IS 'mine'",
    "WITH gone AS (DELETE FROM games RETURNING *) SELECT * FROM gone",
    "WITH new AS (INSERT INTO schema_version VALUES (99, 1, '', now()) RETURNING *) SELECT * FROM new",
    "WITH new AS (UPDATE games SET verdict = 'legal' RETURNING *) SELECT count(*) FROM new",
    "MERGE INTO games USING games AS other ON games.game = other.game WHEN MATCHED THEN DELETE",
    "SELECT 1; DELETE FROM games",
    "SELECT 1; SELECT 2",
    "SELECT nextval('mine')",
    "CHECKPOINT",
    "FORCE CHECKPOINT",
    "VACUUM",
    "ANALYZE",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
]
SETTINGS = [
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "SET GLOBAL memory_limit = '100GB'",
    "SET memory_limit = '100GB'",
    "SET threads = 64",
    "RESET max_execution_time",
    "SET VARIABLE mine = 1",
    "PRAGMA database_list",
    "PRAGMA enable_profiling",
    "PRAGMA memory_limit = '100GB'",
    "CALL pragma_database_size()",
    "SELECT * FROM pragma_table_info('records')",
    "SELECT * FROM pragma_storage_info('games')",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM duckdb_secrets()",
    "SELECT * FROM duckdb_extensions()",
    "SELECT * FROM duckdb_tables()",
    "SELECT * FROM duckdb_logs()",
    "SELECT * FROM duckdb_temporary_files()",
    "SELECT * FROM which_secret('s3://x', 's3')",
    "SELECT current_setting('memory_limit')",
    "SELECT getenv('HOME')",
    "SELECT getvariable('mine')",
    "SELECT write_log('mine')",
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM pg_catalog.pg_tables",
    "SELECT * FROM sqlite_master",
    "SELECT * FROM duckdb_databases",
    "SHOW TABLES",
    "SHOW ALL TABLES",
    "DESCRIBE records",
    "SUMMARIZE records",
    "EXPLAIN ANALYZE SELECT 1",
    "PREPARE mine AS SELECT 1",
    "EXECUTE mine",
    "DEALLOCATE mine",
]
ELSEWHERE = [
    "SELECT * FROM records",
    "SELECT * FROM main.records",
    "SELECT * FROM bezique.main.records",
    "SELECT * FROM RECORDS",
    "SELECT * FROM rejected",
    "SELECT path FROM imports",
    "SELECT * FROM schema_version",
    "SELECT * FROM games JOIN records USING (game)",
    "SELECT (SELECT max(data) FROM records)",
    "SELECT * FROM games WHERE game IN (SELECT game FROM records)",
    "SELECT 1 UNION ALL SELECT size FROM records",
    "WITH records AS (SELECT * FROM records) SELECT * FROM records",
    "WITH a AS (WITH records AS (SELECT 1) SELECT * FROM records) SELECT * FROM records",
    "WITH a AS (SELECT * FROM records), records AS (SELECT 1) SELECT * FROM a",
    'WITH "/etc/passwd" AS (SELECT 1) SELECT 1',
    "FROM records",
    "TABLE records",
    "PIVOT records ON name",
]
HOGS = [
    "SELECT range(1000000000000)",
    "SELECT * FROM range(1000000000000)",
    "SELECT * FROM range(1e12::BIGINT)",
    "SELECT * FROM generate_series(1, 1000000000000)",
    "SELECT * FROM range((SELECT 1000000000000))",
    "SELECT generate_series(1, 1000000000)",
    "SELECT repeat('x', 1000000000)",
    "SELECT lpad('x', 1000000000, 'x')",
    "SELECT rpad('x', 1000000000, 'x')",
    "SELECT list_resize([1], 1000000000)",
    "SELECT bar(1, 0, 1, 1000000000)",
    "SELECT printf('%1000000000d', 1)",
    "SELECT format('{:1000000000}', 1)",
    "SELECT replace(replace('aaaaaaaaaa', 'a', 'aaaaaaaaaa'), 'a', 'aaaaaaaaaa')",
    "SELECT string_agg(message, '') FROM findings",
    "SELECT list_transform([1], lambda x: x)",
    "SELECT [x FOR x IN [1]]",
    "SELECT sleep_ms(100000)",
    "SELECT " + "||".join("s" for _ in range(20)) + " FROM (SELECT 'x' AS s)",
    "WITH a AS (SELECT 'x' AS s), "
    + ", ".join(f"a{i} AS (SELECT s||s||s||s AS s FROM a)" for i in range(9))
    + " SELECT * FROM a8",
    "SELECT '" + "x" * LONGEST_STATEMENT + "'",
    "SELECT * FROM 'x'; --",
    "SELECT $1",
    "SELECT ?",
    "",
    ";",
    "--",
    "nonsense",
]
WITHOUT_HARM = {
    "SELECT * FROM query_table('records')", "ATTACH ':memory:' AS other", "CREATE TEMP TABLE mine AS SELECT 1",
    "SELECT 1; SELECT 2", "CHECKPOINT", "FORCE CHECKPOINT", "VACUUM", "ANALYZE", "BEGIN", "COMMIT", "ROLLBACK",
}  # fmt: skip
"""What reaches no file and changes no table, even unchecked."""

ATTACKS = [*FILES, *WRITES, *SETTINGS, *ELSEWHERE, *HOGS]

SLOW = [
    "SELECT count(*) FROM scores a, scores b, scores c, scores d",
    "SELECT * FROM tricks a, tricks b, tricks c ORDER BY hash(a.event, b.event, c.event) LIMIT 1",
    "WITH RECURSIVE r AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r",
    f"SELECT count(*) FROM range({LARGEST_RANGE_NUMBER}) a, range({LARGEST_RANGE_NUMBER}) b, range({LARGEST_RANGE_NUMBER}) c",
    "SELECT DISTINCT hash(a.event, b.event, c.event, d.event) FROM scores a, scores b, scores c, scores d",
]
GOOD = {
    "SELECT 1": [(1,)],
    "select 40 + 2;": [(42,)],
    "FROM range(3)": [(0,), (1,), (2,)],
    "WITH RECURSIVE r AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM r WHERE x < 3) SELECT max(x) FROM r": [(3,)],
    "SELECT count(DISTINCT sheet) FROM games": [(12,)],
    "SELECT sum(n) = (SELECT count(*) FROM seats) FROM (SELECT role, count(*) AS n FROM seats GROUP BY ALL)": [(True,)],
    "SELECT count(*) > 0 FROM main.melds WHERE royal AND meld LIKE '%marriage%'": [(True,)],
    "SELECT DISTINCT len(names) >= 2 FROM games WHERE names[1] IS NOT NULL": [(True,)],
    "SELECT rank FROM (SELECT rank() OVER (PARTITION BY game ORDER BY points DESC) AS rank FROM seats) QUALIFY row_number() OVER () = 1 ORDER BY ALL": [(1,)],
    "SELECT 'a' || 'b' || 1": [("ab1",)],
}  # fmt: skip


@pytest.mark.sampled(50)
@pytest.mark.parametrize("sql", ATTACKS)
def test_an_attack_is_refused_in_a_sentence(
    full: Store, statements: StatementPool, sql: str
) -> None:
    before = full.counts()
    with pytest.raises(ForbiddenStatement) as why:
        statements.run(sql)
    assert str(why.value).strip()
    assert full.counts() == before


@pytest.mark.parametrize("sql", SLOW)
def test_what_takes_long_is_stopped(full: Store, statements: StatementPool, sql: str) -> None:
    start = time.monotonic()
    with pytest.raises((QueryTimeout, ForbiddenStatement), match=r"stopped after|Out of Memory"):
        statements.run(sql, seconds=0.3)
    taken = time.monotonic() - start
    with closing(StatementPool(full.path.parent)) as pool:
        assert_prompt(taken, 5, lambda: pool.run("SELECT 1"))
    assert full.counts().games > 0


def test_text_that_grows_meets_the_limit_of_memory(statements: StatementPool) -> None:
    grows = "WITH RECURSIVE r AS (SELECT 'x' AS s UNION ALL SELECT s || s FROM r) SELECT max(len(s)) FROM r"
    with pytest.raises((ForbiddenStatement, QueryTimeout)):
        statements.run(grows)
    assert statements.run("SELECT 1").result.rows == [(1,)]


@pytest.mark.parametrize("sql", GOOD)
def test_what_is_harmless_is_answered(statements: StatementPool, sql: str) -> None:
    assert statements.run(sql).result.rows == GOOD[sql]


@pytest.mark.slow
def test_every_sql_that_pages_show_can_be_run(full: Store, statements: StatementPool) -> None:
    for question in questions():
        shown = run_question(full, question)
        if not question.sql.startswith("WITH sums"):
            assert statements.run(shown.sql).result.rows == shown.rows[:MOST_SQL_ROWS]
    for preset in presets():
        found = run_ask(full, preset.ask)
        assert statements.run(found.sql).result.rows == found.rows[:MOST_SQL_ROWS]


def test_the_walls_behind_the_first_hold_alone(full: Store, tmp_path: Path) -> None:
    """Were a statement to slip through the check, the transaction and the settings would stop it."""
    copy = backup_store(full, tmp_path / "copy")
    connection = LiveDatabase(copy.parent).connection()
    before = connection.execute(COUNT_STORED_ROWS).fetchall()
    for sql in (*FILES, *WRITES, f"SELECT * FROM 'unlocked://{copy}'"):
        if sql not in WITHOUT_HARM:
            with pytest.raises((ForbiddenStatement, duckdb.Error)):
                run_unchecked(connection, sql, seconds=3)
    assert connection.execute(COUNT_STORED_ROWS).fetchall() == before
    assert connection.execute("SELECT current_setting('lock_configuration')").fetchall() == [
        (True,)
    ]


def test_rows_are_limited(statements: StatementPool) -> None:
    told = statements.run("SELECT * FROM tricks")
    assert (len(told.result.rows), told.more) == (MOST_SQL_ROWS, True)
    told = statements.run(f"SELECT * FROM range({MOST_SQL_ROWS})")
    assert (len(told.result.rows), told.more) == (MOST_SQL_ROWS, False)


def test_text_is_limited(statements: StatementPool) -> None:
    long = "x" * 5_000
    with pytest.raises(ForbiddenStatement, match="too long"):
        statements.run(f"SELECT '{long}' FROM range({MOST_SQL_ROWS})")


def test_columns_are_limited(statements: StatementPool) -> None:
    with pytest.raises(ForbiddenStatement, match="columns"):
        statements.run("SELECT " + ", ".join(map(str, range(MOST_COLUMNS + 1))))


def test_the_settings_are_locked(full: Store) -> None:
    """The walls that do not look at the statement."""
    settings = dict(
        full.rows("SELECT name, value FROM duckdb_settings() WHERE name IN ("
                  "'enable_external_access', 'lock_configuration', 'autoload_known_extensions',"
                  "'python_enable_replacements', 'memory_limit', 'max_temp_directory_size')").rows
    )  # fmt: skip
    off = ("enable_external_access", "autoload_known_extensions", "python_enable_replacements")
    assert {settings[name] for name in off} == {"false"}
    assert settings["lock_configuration"] == "true"
    assert settings["memory_limit"] == "488.2 MiB"
    assert settings["max_temp_directory_size"].endswith("GiB")


def test_the_schema_is_commented(full: Store) -> None:
    found = describe_tables(full)
    assert {table.name for table in found} == READABLE_TABLES
    names = [table.name for table in found]
    derived = [name for name in names if "sums" in name]
    assert names == [*sorted(READABLE_TABLES - {*derived}), *sorted(derived)]
    assert sorted(derived) == sorted(SUM_TABLES)
    for table in found:
        assert table.says
        assert all(comment for _, _, comment in table.columns), table.name


def test_a_check_reads_no_file(full: Store, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("a\n1\n")
    with pytest.raises(ForbiddenStatement):
        check_statement(full.cursor(), f"SELECT * FROM '{tmp_path / 'secret.csv'}'")
    assert not os.path.exists("out.csv")  # noqa: PTH110
