"""Questions to a collection in parts, of which each holds its matches whole.

Expressions of a statement that are marked as `of each part` are all that looks at stored tables. What they find in the parts
is put together, row upon row, and the rest of the statement counts it as if one part had found it. A statement without a mark
reads sums that are kept.
"""

import re
from collections.abc import Mapping
from textwrap import indent

OF_EACH_PART = re.compile(
    r"^(WITH )?(\w+) AS \(  -- of each part\n.*?^\)", re.MULTILINE | re.DOTALL
)
READS_SUMS = "it reads sums that the lake keeps"


def find_partial_statements(sql: str) -> dict[str, str]:
    """The statements that every part answers, by the names of their expressions; none if the statement has no mark."""
    return {
        found[2]: f"{sql[: found.end()]}\nFROM {found[2]}" for found in OF_EACH_PART.finditer(sql)
    }


def why_in_one_place(sql: str) -> str:
    """Why a statement is answered by all parts at once, in words; empty if every part has an answer of its own."""
    return "" if find_partial_statements(sql) else READS_SUMS


def put_together(sql: str, sources: Mapping[str, str]) -> str:
    """The statement with what all parts have answered, as tables or subqueries, in place of what was asked of them."""
    return OF_EACH_PART.sub(
        lambda found: f"{found[1] or ''}{found[2]} AS (FROM {sources[found[2]]})", sql
    )


def added_sql(counts: str) -> str:
    """The statement that adds up one row of counts of each part."""
    return (
        f"WITH counts AS (  -- of each part\n{indent(counts.strip(), '    ')}\n)\n"
        r"SELECT coalesce(sum(COLUMNS('(.*)')), 0)::BIGINT AS '\1' FROM counts"
    )
