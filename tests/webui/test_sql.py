"""The SQL page: the address holds the statement, and a refused statement gets a sentence."""

import csv
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from analyzer.sql.guard import READABLE_TABLES
from analyzer.sql.pool import AllBusy, ClientBusy, StatementBrokeOff
from analyzer.store.store import QueryTimeout
from tests.machine.serving import served
from tests.machine.waiting import PATIENCE_SECONDS, wait_until
from tests.make.sql_bombs import SQL_BOMBS
from tests.webui.csv_answers import csv_text
from webui.views import sql
from webui.views.sql import EXAMPLE_STATEMENTS

pytestmark = pytest.mark.long


def test_the_page_has_the_commented_schema_beside_it(client):
    page = client.get("/sql").text
    for table in READABLE_TABLES:
        assert f"<code>{table}</code>" in page
    assert "High cards in the hand dealt" in page
    schema = page[page.index('id="schema"') :]
    assert "`" not in schema
    assert "Rows" not in page


@pytest.mark.parametrize(("title", "text"), EXAMPLE_STATEMENTS)
def test_an_example_is_answered(client, title, text):
    answer = client.get("/sql", query_string={"q": text})
    assert answer.status_code == 200
    assert "Answered in" in answer.text
    assert title in answer.text


def test_the_twins_have_the_same_rows(client):
    q = {"q": "SELECT sheet, count(*) AS n, NULL AS nothing FROM games GROUP BY sheet;"}
    page = client.get("/sql", query_string=q).text
    assert "<td>bezique</td>" in page
    assert "/sql.csv?q=SELECT" in page
    answer = client.get("/sql.json", query_string=q).json
    rows = list(csv.reader(StringIO(csv_text(client.get("/sql.csv", query_string=q)))))
    assert answer["columns"] == ["sheet", "n", "nothing"] == rows[0]
    assert answer["rows"] == [["bezique", 2, None]]
    assert answer["more"] is False
    assert rows[1] == ["bezique", "2", ""]


@pytest.mark.parametrize("twin", ["", ".json", ".csv"])
def test_what_is_not_allowed_is_a_sentence(client, twin):
    answer = client.get(f"/sql{twin}", query_string={"q": "DROP TABLE games"})
    assert answer.status_code == 400
    assert "Only SELECT is allowed here" in answer.text


@pytest.mark.parametrize("twin", ["", ".json", ".csv"])
@pytest.mark.parametrize(
    ("why", "status", "said", "retry"),
    [
        (QueryTimeout("the statement was stopped after 3 seconds"), 503, "stopped after 3 seconds", None),
        (StatementBrokeOff("The process has ended."), 503, "The process has ended.", None),
        (ClientBusy("Your last statement is still running."), 429, "still running", "3"),
        (AllBusy("Others are running."), 503, "Others are running.", "3"),
    ],
)  # fmt: skip
def test_what_cannot_be_answered_is_told(client, monkeypatch, twin, why, status, said, retry):
    def refuse(*_, **__):
        raise why

    monkeypatch.setattr(client.application.extensions["statements"], "run", refuse)
    answer = client.get(f"/sql{twin}?q=SELECT+1")
    assert answer.status_code == status
    assert said in answer.text
    assert retry in (None, answer.headers.get("Retry-After"))


@pytest.mark.slow
def test_pages_are_answered_while_a_bomb_runs(tmp_path, monkeypatch):
    """One visitor's bomb, which ends only when its process does, and pages, on a real server."""
    monkeypatch.setattr(sql, "STATEMENT_SECONDS", 10 * PATIENCE_SECONDS)
    with served(tmp_path, {}) as (address, app), ThreadPoolExecutor(1) as visitor:

        def get(path, **query):
            try:
                with urlopen(f"{address}{path}?{urlencode(query)}") as answer:
                    return answer.status
            except HTTPError as error:
                with error:
                    return error.code

        bomb = visitor.submit(get, "/sql.json", q=SQL_BOMBS["products"])
        wait_until(lambda: app.extensions["statements"].clients)
        assert [get("/sql.json", q="SELECT 1") for _ in range(3)] == [429] * 3
        pages = [get(page) for page in ("/", "/games", "/statistics", "/sql")]
        assert not bomb.done(), "nobody waited for it"
        app.extensions["statements"].close()
    assert bomb.result() == 503
    assert pages == [200] * 4


def test_a_mistake_is_told_in_duckdbs_words(client):
    page = client.get("/sql?q=SELECT+pints+FROM+seats").text
    assert "DuckDB says: Binder Error" in page
    assert "SELECT pints FROM seats</textarea>" in page


def test_what_was_typed_is_shown_as_text(client):
    page = client.get("/sql", query_string={"q": "SELECT '<b>' AS \"<i>\""}).text
    assert "<td>&lt;b&gt;</td>" in page
    assert "&lt;i&gt;" in page
    assert "<i>" not in page


def test_a_cell_is_never_a_formula(client):
    text = csv_text(client.get("/sql.csv", query_string={"q": "SELECT '=1+1' AS \"=2\""}))
    assert text.splitlines() == ["'=2", "'=1+1"]


def test_no_row_is_said(client):
    assert "No rows match" in client.get("/sql?q=SELECT+1+WHERE+false").text
