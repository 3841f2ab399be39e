"""The data of the page for SQL."""

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.sql.guard import TableDescription
from analyzer.sql.pool import SqlAnswer
from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlPage(Page):
    """The form for SQL, the answer, and the tables to ask."""

    template = "sql/sql.html"
    text: str
    answer: SqlAnswer | None
    problem: str
    tables: Sequence[TableDescription]
    examples: Sequence[tuple[str, str]]
    most_rows: int
    most_characters: int
    seconds: float
