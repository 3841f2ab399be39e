"""SQL: a reader's own statement, read-only; the address holds it."""

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from analyzer.db.store import QueryTimeout
from analyzer.sql.guard import ForbiddenStatement
from analyzer.sql.sandbox import (
    SqlAnswer,
    describe_tables,
    run_sql,
)
from analyzer.sql.statement_limits import MOST_SQL_ROWS, STATEMENT_SECONDS
from webui.display.csv import rows_as_csv
from webui.http.responses import attachment, json_response
from webui.pages.sql import SqlPage
from webui.views import store

blueprint = Blueprint("sql", __name__)

EXAMPLE_STATEMENTS = (
    ("How often each sheet is played", "SELECT sheet, count(*) AS games, sum(deals) AS deals\nFROM games\nGROUP BY sheet\nORDER BY games DESC"),
    ("The ten highest scores", "SELECT player, sheet, points, game\nFROM seats\nWHERE clean\nORDER BY points DESC\nLIMIT 10"),
    ("Points by what a player was dealt", "SELECT\n    sheet,\n    corr(strength, points) AS correlation,\n    count(*) AS n\nFROM seats\nWHERE clean\nGROUP BY sheet\nORDER BY correlation DESC"),
    ("The longest streaks of a player", "WITH ordered AS (\n    SELECT player, outcome = 1 AS won, row_number() OVER (PARTITION BY player ORDER BY month, game, deal) AS number\n    FROM seats\n    WHERE clean\n),\nstreaks AS (\n    SELECT player, number - row_number() OVER (PARTITION BY player ORDER BY number) AS streak\n    FROM ordered\n    WHERE won\n)\nSELECT player, count(*) AS deals_won_in_a_row\nFROM streaks\nGROUP BY player, streak\nORDER BY deals_won_in_a_row DESC\nLIMIT 20"),
)  # fmt: skip


@blueprint.get("/sql")
def sql() -> ResponseReturnValue:
    """The form, the tables, and the answer to the statement in the address."""
    text = _text()
    answer, problem, status = None, "", 200
    if text.strip():
        try:
            answer = run_sql(store(), text)
        except ForbiddenStatement as why:
            problem, status = str(why), 400
        except QueryTimeout as why:
            problem, status = f"The query took too long: {why}. Ask for less.", 503
    return _page(text, answer, problem).render(), status


@blueprint.get("/sql.json")
def sql_json() -> ResponseReturnValue:
    """The rows of a statement; without one, the tables and example statements."""
    if not _text().strip():
        return json_response(
            {"tables": describe_tables(store()), "examples": dict(EXAMPLE_STATEMENTS)}
        )
    answer = _run_requested()
    result = answer.result
    return json_response(
        {"sql": answer.sql, "columns": result.columns, "rows": result.rows, "more": answer.more}
    )


@blueprint.get("/sql.csv")
def sql_csv() -> Response:
    """The rows of a statement as CSV."""
    result = _run_requested().result
    return attachment(rows_as_csv(result.columns, result.rows), "answer.csv", "text/csv")


def _text() -> str:
    return request.args.get("q", "").replace("\r\n", "\n")


def _run_requested() -> SqlAnswer:
    try:
        return run_sql(store(), _text())
    except ForbiddenStatement as why:
        raise BadRequest(str(why)) from why


def _page(text: str, answer: SqlAnswer | None, problem: str) -> SqlPage:
    return SqlPage(
        text=text,
        answer=answer,
        problem=problem,
        tables=describe_tables(store()),
        examples=EXAMPLE_STATEMENTS,
        most_rows=MOST_SQL_ROWS,
        seconds=STATEMENT_SECONDS,
    )
