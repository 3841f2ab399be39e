"""SQL: a reader's own statement, read-only; the address holds it."""

from collections.abc import Sequence
from math import ceil

from flask import Response, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest, HTTPException, ServiceUnavailable, TooManyRequests

from analyzer.sql.guard import (
    LONGEST_STATEMENT,
    MOST_SQL_ROWS,
    STATEMENT_SECONDS,
    ForbiddenStatement,
    TableDescription,
    describe_tables,
)
from analyzer.sql.pool import AllBusy, ClientBusy, SqlAnswer, StatementBrokeOff
from analyzer.store.store import QueryTimeout
from webui.display.csv import rows_as_csv
from webui.server.actions import Action
from webui.server.client import client_address
from webui.server.error_pages import tell_retry_time
from webui.server.page import Page, Views
from webui.server.request_kinds import SQL
from webui.server.responses import csv_attachment
from webui.views import statement_pool, store

blueprint = Views("sql", __name__)
RETRY_SECONDS = ceil(STATEMENT_SECONDS)
"""When a visitor who finds the server busy may come again: what runs now has ended then."""
EXAMPLE_STATEMENTS = (
    ("How often each sheet is played", "SELECT sheet, count(*) AS games, sum(deals) AS deals\nFROM games\nGROUP BY sheet\nORDER BY games DESC"),
    ("The ten highest scores", "SELECT player, sheet, points, game\nFROM seats\nWHERE clean\nORDER BY points DESC\nLIMIT 10"),
    ("Points by what a player was dealt", "SELECT\n    sheet,\n    corr(strength, points) AS correlation,\n    count(*) AS n\nFROM seats\nWHERE clean\nGROUP BY sheet\nORDER BY correlation DESC"),
    ("The longest streaks of a player", "WITH ordered AS (\n    SELECT player, outcome = 1 AS won, row_number() OVER (PARTITION BY player ORDER BY month, game, deal) AS number\n    FROM seats\n    WHERE clean\n),\nstreaks AS (\n    SELECT player, number - row_number() OVER (PARTITION BY player ORDER BY number) AS streak\n    FROM ordered\n    WHERE won\n)\nSELECT player, count(*) AS deals_won_in_a_row\nFROM streaks\nGROUP BY player, streak\nORDER BY deals_won_in_a_row DESC\nLIMIT 20"),
)  # fmt: skip


class ClientIsBusy(TooManyRequests):
    """A visitor's last statement is still running."""

    title = "One statement at a time"


class StatementsAreBusy(ServiceUnavailable):
    """Other visitors' statements are running."""

    title = "The server is busy"


class StatementFailed(ServiceUnavailable):
    """A statement took too long, or broke off."""

    title = "The query was stopped"


def _sql_data() -> object:
    """The rows of a statement; without one, the tables and example statements."""
    if not _text().strip():
        return {"tables": describe_tables(store()), "examples": dict(EXAMPLE_STATEMENTS)}
    answer = run_statement(_text())
    result = answer.result
    return {"sql": answer.sql, "columns": result.columns, "rows": result.rows, "more": answer.more}


@blueprint.page("/sql", Action.READ, SQL, about_query=True, data=_sql_data)
def sql() -> ResponseReturnValue:
    """The form, the tables, and the answer to the statement in the address."""
    text = _text()
    if not text.strip():
        statement_pool().prepare()
        return _page(text, None, "").render()
    try:
        return _page(text, run_statement(text), "").render()
    except HTTPException as error:
        return _page(text, None, error.description or "").render(), error.code or 500


@blueprint.address("/sql.csv", Action.READ, SQL)
def sql_csv() -> Response:
    """The rows of a statement as CSV."""
    result = run_statement(_text()).result
    return csv_attachment(rows_as_csv(result.columns, result.rows), "answer.csv")


def _text() -> str:
    return request.args.get("q", "").replace("\r\n", "\n")


def run_statement(text: str) -> SqlAnswer:
    """The answer to a statement of the client of this request; raises HTTPException with a sentence."""
    try:
        return statement_pool().run(text, client=client_address())
    except ForbiddenStatement as why:
        raise BadRequest(str(why)) from why
    except QueryTimeout as why:
        raise StatementFailed(f"The query took too long: {why}. Ask for less.") from why
    except StatementBrokeOff as why:
        raise StatementFailed(str(why)) from why
    except ClientBusy as why:
        tell_retry_time(RETRY_SECONDS)
        raise ClientIsBusy(str(why)) from why
    except AllBusy as why:
        tell_retry_time(RETRY_SECONDS)
        raise StatementsAreBusy(str(why)) from why


class SqlPage(Page):
    """The form for SQL, the answer, and the tables to ask."""

    template = "sql/sql.html"
    text: str
    answer: SqlAnswer | None
    problem: str
    tables: Sequence[TableDescription]
    examples = EXAMPLE_STATEMENTS
    most_rows = MOST_SQL_ROWS
    most_characters = LONGEST_STATEMENT
    seconds = STATEMENT_SECONDS


def _page(text: str, answer: SqlAnswer | None, problem: str) -> SqlPage:
    return SqlPage(
        text=text,
        answer=answer,
        problem=problem,
        tables=describe_tables(store()),
    )
