"""What strangers may ask in SQL: one SELECT over the tables of the statistics, with functions known to be harmless.

DuckDB's own parser says what a statement is made of, and everything it may be made of is listed in
`guard.toml`: what is not listed is refused. Behind this wall stand others: the statement runs in a read-only
transaction, in a database that can reach no file and no network and whose settings are locked, for
a limited time, and in limited memory.
"""

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import msgspec

from analyzer.db.store import Store

STORED = ("games", "deals", "seats", "tricks", "scores", "findings", "reviews")
VIEWS = ("melds", "clean_deals", "variants")
TABLES = frozenset((*STORED, *VIEWS))
"""What can be read: not the records themselves, and nothing about the server."""

_ALLOWED = tomllib.loads((files("analyzer.sql") / "guard.toml").read_text(encoding="utf-8"))
FUNCTIONS = frozenset(" ".join(_ALLOWED["functions"].values()).split())
TYPES = frozenset(" ".join(_ALLOWED["types"].values()).split())
"""Functions, and parts of a statement, that are known to be harmless."""

TABLE_FUNCTIONS = frozenset(("range", "generate_series", "unnest"))
LARGEST_RANGE = 100_000
"""A table of numbers may be made, with numbers up to this that are written out."""

JOINS = frozenset(("||", "concat", "concat_ws"))
LONGEST_JOIN = 4_096
"""How many times the longest text that is put together may be longer than its parts."""

LONGEST = 10_000
"""Characters of a statement."""

NAME = re.compile(r"[a-z_][a-z0-9_]*")
NO_FUNCTION = "The function “{}” is not among those that can be used here."
KNOWN = """
    SELECT lower(table_name) FROM duckdb_tables()
    UNION ALL
    SELECT lower(view_name) FROM duckdb_views()
"""
SERIALIZE = "SELECT json_serialize_sql($sql::VARCHAR)"


class Forbidden(ValueError):
    """A statement that is not run; the message is a sentence that says why."""


def check(store: Store, sql: str) -> None:
    """Raise Forbidden unless this is one harmless SELECT."""
    if len(sql) > LONGEST:
        raise Forbidden(
            f"A statement of {len(sql):,} characters is too long; {LONGEST:,} are taken."
        )
    ((text,),) = store.rows(SERIALIZE, {"sql": sql}).rows
    parsed = msgspec.json.decode(text)
    if parsed["error"] or not parsed["statements"]:
        raise Forbidden(_why_not(str(parsed.get("error_message", ""))))
    if len(parsed["statements"]) != 1:
        raise Forbidden("One statement at a time.")
    nodes = list(_nodes(parsed["statements"][0]))
    names = TABLES | _given_names(store, nodes)
    for node in nodes:
        _check_node(node, names)
    _check_functions(nodes)
    _check_joins(nodes)


def _why_not(message: str) -> str:
    if message.startswith("Only SELECT"):
        return (
            "Only SELECT is answered here: nothing can be written, set, attached, copied or loaded."
        )
    return (
        f"That is no SQL that DuckDB can read: {message.splitlines()[0]}"
        if message
        else "Say something."
    )


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _nodes(part)


def _given_names(store: Store, nodes: list[dict[str, Any]]) -> frozenset[str]:
    """The names that WITH gives; none may be that of something there is, which it would hide or bring in."""
    maps = [node["cte_map"]["map"] for node in nodes if "cte_map" in node]
    given = frozenset(entry["key"].lower() for entries in maps for entry in entries)
    taken = {name for (name,) in store.rows(KNOWN).rows} if given else set()
    for name in given:
        if name in taken or not NAME.fullmatch(name):
            raise Forbidden(f"WITH cannot give the name “{name}”: choose another.")
    return given


def _check_node(node: dict[str, Any], names: frozenset[str]) -> None:
    kind = node.get("type")
    if isinstance(kind, str) and kind not in TYPES:
        words = kind.removesuffix("_NODE").removesuffix("_QUERY").replace("_", " ")
        raise Forbidden(
            f"{words.capitalize()} is not answered here: only SELECT is, and only some of it."
        )
    if kind == "BASE_TABLE":
        _check_table(node, names)
    elif kind == "TABLE_FUNCTION":
        _check_table_function(node["function"])


def _check_table(node: dict[str, Any], names: frozenset[str]) -> None:
    schema = ".".join(part for part in (node["catalog_name"], node["schema_name"]) if part)
    if schema not in ("", "main") or node["table_name"].lower() not in names:
        named = ".".join(part for part in (schema, node["table_name"]) if part)
        raise Forbidden(
            f"There is no table “{named}” to read; there are {', '.join(sorted(TABLES))}."
        )


def _check_functions(nodes: list[dict[str, Any]]) -> None:
    as_tables = {id(node["function"]) for node in nodes if node.get("type") == "TABLE_FUNCTION"}
    for node in nodes:
        if "function_name" in node and id(node) not in as_tables:
            name = node["function_name"].lower()
            if name not in FUNCTIONS or node["qualified_name"]["path"] != [node["function_name"]]:
                raise Forbidden(NO_FUNCTION.format(name))


def _check_table_function(function: dict[str, Any]) -> None:
    name = function["function_name"].lower()
    if name not in TABLE_FUNCTIONS or len(function["qualified_name"]["path"]) > 1:
        raise Forbidden(NO_FUNCTION.format(name))
    if name != "unnest" and not all(map(_is_small, function["arguments"])):
        raise Forbidden(f"“{name}” takes numbers up to {LARGEST_RANGE:,} that are written out.")


def _is_small(argument: dict[str, Any]) -> bool:
    node = argument["expression"]
    text = str(node.get("literal", {}).get("text", ""))
    return node.get("class") == "CONSTANT" and text.isdigit() and int(text) <= LARGEST_RANGE


def _check_joins(nodes: list[dict[str, Any]]) -> None:
    """Text put together from text put together grows beyond memory before any clock runs out."""
    growth = 1
    for node in nodes:
        if node.get("function_name", "").lower() in JOINS:
            growth *= max(1, len(node["arguments"]))
    if growth > LONGEST_JOIN:
        raise Forbidden("Too many texts are put together.")
