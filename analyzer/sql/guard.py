"""What visitors' SQL may be and cost: one SELECT over the statistics tables, with functions known to be harmless.

DuckDB's own parser lists the parts of a statement, and `guard.toml` lists the parts that are allowed: everything
else is refused. This is the first of several layers. The statement then runs in a read-only transaction, in a
database whose settings are locked and that can reach no file and no network, in a process with limited time and
memory. The check runs in that process, too, because a hostile text can already make parsing expensive.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import duckdb
import msgspec

from analyzer.store.store import Store

LONGEST_STATEMENT = 10_000
"""The most characters a statement may have."""

STATEMENT_SECONDS = 3.0
"""The longest a statement may run."""

KILL_SECONDS = 0.5
"""How much longer a statement may take to stop when it is told to; after that its process is killed."""

STATEMENT_THREADS = 2
"""The threads that work on a statement."""

STATEMENT_MEMORY = "192MB"
"""The memory that DuckDB may use for a statement, its cache of the database included; nothing goes to the disk."""

PROCESS_BYTES = 768 * 1024 * 1024
"""The address space of a process that runs statements: planning is not counted in DuckDB's own limit."""

RETIREMENT_BYTES = 320 * 1024 * 1024
"""A process that has ever used more memory than this is replaced after the statement, and so is one that keeps
three quarters of the address space that it may have."""

IDLE_SECONDS = 60.0
"""After so long without a statement, a process forgets what it has cached of the database."""

MOST_FETCHED_BYTES = 4 * 1024**3
"""The bytes of tables of a lake in an object store that are kept on the disk for statements."""

STATEMENTS_AT_ONCE = 2
"""Visitors' statements that may run at the same time; of one visitor, only one."""

SPARE_PROCESSES = 1
"""Processes beyond those, which stand ready while a killed one is replaced."""

MOST_SQL_ROWS = 1_000
"""The most rows of an answer."""

MOST_COLUMNS = 500
"""The most columns of an answer."""

MOST_NESTING = 50
"""The most levels of lists and structs inside one another in a cell."""

MOST_ANSWER_CHARACTERS = 2 * 1024 * 1024
"""The most characters an answer may have; a number counts as 16."""

MOST_REPLY_BYTES = 16 * 1024 * 1024
"""The longest message that is accepted from a process; an answer within the other limits is shorter."""

READABLE_STORED_TABLES = (
    "games", "deals", "seats", "tricks", "scores", "cards", "findings", "reviews", "luck", "decisions",
)  # fmt: skip
READABLE_VIEWS = ("plays", "melds", "clean_deals", "variants")
DERIVED_TABLES = frozenset(("trick_sums", "play_sums", "score_sums", "card_sums"))
"""Sums: they say nothing that the other tables do not, but Explore reads them."""
READABLE_TABLES = frozenset((*READABLE_STORED_TABLES, *READABLE_VIEWS)) | DERIVED_TABLES
"""The tables that can be read: not the records themselves, and nothing about the server."""

_ALLOWED = tomllib.loads((files("analyzer.sql") / "guard.toml").read_text(encoding="utf-8"))
ALLOWED_FUNCTIONS = frozenset(" ".join(_ALLOWED["functions"].values()).split())
ALLOWED_NODE_TYPES = frozenset(" ".join(_ALLOWED["types"].values()).split())
"""The functions and the parts of a statement that are allowed."""

ALLOWED_TABLE_FUNCTIONS = frozenset(("range", "generate_series", "unnest"))
LARGEST_RANGE_NUMBER = 100_000
"""The largest number that `range` and `generate_series` accept, as a literal."""

CONCAT_FUNCTIONS = frozenset(("||", "concat", "concat_ws"))
MOST_CONCAT_GROWTH = 4_096
"""How many times longer than its parts a concatenated text may become."""

WITH_NAME_PATTERN = re.compile(r"[a-z_][a-z0-9_]*")
NESTED_TOO_DEEPLY = "The statement is nested too deeply."
FUNCTION_REFUSED = "The function “{}” is not allowed here."
SELECT_TABLE_NAMES = """
    SELECT lower(table_name) FROM duckdb_tables()
    UNION ALL
    SELECT lower(view_name) FROM duckdb_views()
"""
SELECT_TABLE_DESCRIPTIONS = """
    SELECT
        columns.table_name, coalesce(tables.comment, views.comment) AS says, column_name,
        lower(data_type) AS type, columns.comment
    FROM duckdb_columns() AS columns
    LEFT JOIN duckdb_tables() AS tables USING (table_oid)
    LEFT JOIN duckdb_views() AS views ON views.view_oid = columns.table_oid
    WHERE NOT columns.internal AND columns.database_name = current_database()
    ORDER BY columns.table_name, column_index
"""
PARSE_STATEMENT = "SELECT json_serialize_sql($sql::VARCHAR)"


class ForbiddenStatement(ValueError):
    """A statement that is refused; the message is a sentence that says why."""


def check_statement(cursor: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Raise ForbiddenStatement unless this is one harmless SELECT; the cursor parses it and knows the tables."""
    check_length(sql)
    parsed = _parse(cursor, sql)
    if parsed["error"] or not parsed["statements"]:
        raise ForbiddenStatement(_parse_refusal(str(parsed.get("error_message", ""))))
    if len(parsed["statements"]) != 1:
        raise ForbiddenStatement("Enter one statement at a time.")
    nodes = list(_nodes(parsed["statements"][0]))
    names = READABLE_TABLES | _with_names(cursor, nodes)
    for node in nodes:
        _check_node(node, names)
    _check_functions(nodes)
    _check_concatenation(nodes)


def check_length(sql: str) -> None:
    """Raise ForbiddenStatement if the statement is too long."""
    if len(sql) > LONGEST_STATEMENT:
        raise ForbiddenStatement(
            f"The statement has {len(sql):,} characters; at most {LONGEST_STATEMENT:,} are allowed."
        )


def _parse(cursor: duckdb.DuckDBPyConnection, sql: str) -> dict[str, Any]:
    ((text,),) = cursor.execute(PARSE_STATEMENT, {"sql": sql}).fetchall()
    try:
        parsed: dict[str, Any] = msgspec.json.decode(text)
    except RecursionError as error:
        raise ForbiddenStatement(NESTED_TOO_DEEPLY) from error
    return parsed


def _parse_refusal(message: str) -> str:
    if message.startswith("Only SELECT"):
        return "Only SELECT is allowed here: statements cannot write, set, attach, copy or load anything."
    return (
        f"DuckDB cannot parse this: {message.splitlines()[0]}"
        if message
        else "Enter a SELECT statement."
    )


def _nodes(statement: Any) -> Iterator[dict[str, Any]]:
    """Every object of a parsed statement, at any depth."""
    waiting = [statement]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            yield value
            value = list(value.values())
        if isinstance(value, list):
            waiting.extend(reversed(value))


def _with_names(cursor: duckdb.DuckDBPyConnection, nodes: list[dict[str, Any]]) -> frozenset[str]:
    """The names defined by WITH; none may be the name of an existing table.

    Such a name would pass the check of tables wherever it stands, and outside its WITH it would mean the table.
    """
    maps = [node["cte_map"]["map"] for node in nodes if "cte_map" in node]
    given = frozenset(entry["key"].lower() for entries in maps for entry in entries)
    taken = {name for (name,) in cursor.execute(SELECT_TABLE_NAMES).fetchall()} if given else set()
    for name in given:
        if name in taken or not WITH_NAME_PATTERN.fullmatch(name):
            raise ForbiddenStatement(f"WITH cannot define “{name}”: choose another name.")
    return given


def _check_node(node: dict[str, Any], names: frozenset[str]) -> None:
    kind = node.get("type")
    if isinstance(kind, str) and kind not in ALLOWED_NODE_TYPES:
        words = kind.removesuffix("_NODE").removesuffix("_QUERY").replace("_", " ")
        raise ForbiddenStatement(
            f"{words.capitalize()} is not allowed here: only SELECT, and only parts of it."
        )
    if kind == "BASE_TABLE":
        _check_table(node, names)
    elif kind == "TABLE_FUNCTION":
        _check_table_function(node["function"])


def _check_table(node: dict[str, Any], names: frozenset[str]) -> None:
    schema = ".".join(part for part in (node["catalog_name"], node["schema_name"]) if part)
    if schema not in ("", "main") or node["table_name"].lower() not in names:
        named = ".".join(part for part in (schema, node["table_name"]) if part)
        raise ForbiddenStatement(
            f"There is no table “{named}” to read. The tables are {', '.join(sorted(READABLE_TABLES))}."
        )


def _check_functions(nodes: list[dict[str, Any]]) -> None:
    as_tables = {id(node["function"]) for node in nodes if node.get("type") == "TABLE_FUNCTION"}
    for node in nodes:
        if "function_name" in node and id(node) not in as_tables:
            name = node["function_name"].lower()
            if name not in ALLOWED_FUNCTIONS or node["qualified_name"]["path"] != [
                node["function_name"]
            ]:
                raise ForbiddenStatement(FUNCTION_REFUSED.format(name))


def _check_table_function(function: dict[str, Any]) -> None:
    name = function["function_name"].lower()
    if name not in ALLOWED_TABLE_FUNCTIONS or len(function["qualified_name"]["path"]) > 1:
        raise ForbiddenStatement(FUNCTION_REFUSED.format(name))
    if name != "unnest" and not all(map(_is_small, function["arguments"])):
        raise ForbiddenStatement(
            f"“{name}” accepts only literal numbers up to {LARGEST_RANGE_NUMBER:,}."
        )


def _is_small(argument: dict[str, Any]) -> bool:
    node = argument["expression"]
    text = str(node.get("literal", {}).get("text", ""))
    return node.get("class") == "CONSTANT" and text.isdigit() and int(text) <= LARGEST_RANGE_NUMBER


def _check_concatenation(nodes: list[dict[str, Any]]) -> None:
    """Refuse nested concatenation, which doubles again and again and fills memory before the time limit."""
    growth = 1
    for node in nodes:
        if node.get("function_name", "").lower() in CONCAT_FUNCTIONS:
            growth *= max(1, len(node["arguments"]))
    if growth > MOST_CONCAT_GROWTH:
        raise ForbiddenStatement("The statement concatenates too many texts.")


@dataclass(frozen=True, slots=True)
class TableDescription:
    """A readable table: its comment (`says`), and its columns with type and comment."""

    name: str
    says: str
    columns: list[tuple[str, str, str]]


def describe_tables(store: Store) -> list[TableDescription]:
    """The readable tables with their comments, derived ones last; columns of a view have the comments of its tables."""
    found: dict[str, TableDescription] = {}
    rows = store.rows(SELECT_TABLE_DESCRIPTIONS).rows
    comments = {column: comment for _, _, column, _, comment in rows if comment}
    for table, says, column, kind, comment in rows:
        if table in READABLE_TABLES:
            entry = found.setdefault(table, TableDescription(table, says or "", []))
            entry.columns.append((column, kind, comment or comments.get(column, "")))
    return sorted(found.values(), key=lambda entry: entry.name in DERIVED_TABLES)
