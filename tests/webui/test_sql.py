"""The SQL page: the address holds the statement, and a refused statement gets a sentence."""

import csv
from io import StringIO

import pytest

from analyzer.db.store import QueryTimeout
from analyzer.sql.guard import READABLE_TABLES
from webui import create_app
from webui.views import sql
from webui.views.sql import EXAMPLE_STATEMENTS


def test_the_page_has_the_commented_schema_beside_it(client):
    page = client.get("/sql").text
    for table in READABLE_TABLES:
        assert f"<code>{table}</code>" in page
    assert "High cards in the hand dealt" in page
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
    rows = list(csv.reader(StringIO(client.get("/sql.csv", query_string=q).text)))
    assert answer["columns"] == ["sheet", "n", "nothing"] == rows[0]
    assert answer["rows"] == [["bezique", 2, None]]
    assert answer["more"] is False
    assert rows[1] == ["bezique", "2", ""]


@pytest.mark.parametrize("twin", ["", ".json", ".csv"])
def test_what_is_not_allowed_is_a_sentence(client, twin):
    answer = client.get(f"/sql{twin}", query_string={"q": "DROP TABLE games"})
    assert answer.status_code == 400
    assert "Only SELECT is allowed here" in answer.text


def test_what_takes_too_long_is_503(client, monkeypatch):
    def take_too_long(*_):
        raise QueryTimeout("the statement was stopped after 3 seconds")

    monkeypatch.setattr(sql, "run_sql", take_too_long)
    page = client.get("/sql?q=SELECT+1")
    assert page.status_code == 503
    assert "stopped after 3 seconds" in page.text
    assert client.get("/sql.json?q=SELECT+1").status_code == 503


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
    text = client.get("/sql.csv", query_string={"q": "SELECT '=1+1' AS \"=2\""}).text
    assert text.splitlines() == ["'=2", "'=1+1"]


def test_no_row_is_said(client):
    assert "No rows match" in client.get("/sql?q=SELECT+1+WHERE+false").text


def test_statements_have_a_budget(tmp_path):
    app = create_app(data=tmp_path, ratelimit_sql="2 per minute", ratelimit_enabled=True)
    answers = [app.test_client().get("/sql?q=SELECT+1").status_code for _ in range(3)]
    app.extensions["store"].close()
    assert answers == [200, 200, 429]
