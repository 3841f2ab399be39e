import csv
import json
import re
from html import unescape
from io import StringIO

import pytest
from msgspec.structs import replace

from analyzer.statistics.questions import questions
from records.record import Provenance
from tests.make.stored_games import store_game
from tests.webui.csv_answers import csv_text

NAMES = [question.name for question in questions()]


def test_every_question_is_listed(client, stored):
    page = client.get("/statistics").text
    for question in questions():
        assert f"/statistics/{question.name}" in page
        assert question.title in page


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_has_figure_table_sql_json_and_csv(client, stored, name):
    page = client.get(f"/statistics/{name}").text
    assert 'id="figure"' in page or "Too few of each group" in page
    assert "SELECT" in page
    answer = client.get(f"/statistics/{name}.json").json
    rows = list(csv.reader(StringIO(csv_text(client.get(f"/statistics/{name}.csv")))))
    assert rows[0] == answer["columns"]
    assert len(rows) == len(answer["rows"]) + 1


def test_the_list_of_an_empty_database_says_what_to_do(client, empty):
    assert "No complete deals without error yet" in empty.get("/statistics").text
    assert "No complete deals without error yet" not in client.get("/statistics").text


@pytest.mark.parametrize("name", [question.name for question in questions()])
def test_an_insight_is_the_sentence_and_the_figure_of_the_answer(client, stored, name):
    insight = client.get(f"/statistics/{name}/insight.json?sheet=bezique").json
    assert insight == {
        "headline": client.get(f"/statistics/{name}.json?sheet=bezique").json["headline"],
        "figure": client.get(f"/statistics/{name}/figure.json?sheet=bezique").json,
    }


def test_a_chart_says_its_unit(client, stored):
    assert (
        "<b>Points by source</b>: points per player and deal</figcaption>"
        in client.get("/statistics/points_by_source").text
    )
    text = client.get("/explore?metric=deals_won&by=role").text
    assert "<b>Deals won by dealer or leader</b>: percent of deals</figcaption>" in text


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_database_says_what_to_do(empty, name):
    assert "No deals match" in empty.get(f"/statistics/{name}").text


def test_filters_are_kept_in_the_links(client, stored):
    page = client.get("/statistics/points_by_source?sheet=bezique&every=1").text
    assert "/statistics/points_by_source.csv?sheet=bezique&amp;every=1" in page


def test_unknown_questions_and_sheets_are_404(client):
    assert client.get("/statistics/nothing").status_code == 404
    assert client.get("/statistics/points_by_source.json?sheet=nothing").status_code == 404


def test_a_cell_is_never_a_formula(fresh_client, store, legal):
    sly = replace(legal, provenance=Provenance(program="=cmd|' /C calc'!A0"))
    store_game(store, sly)
    text = fresh_client.get("/statistics/verdicts_by_program.csv").text
    assert "'=cmd" in text
    assert "\n=cmd" not in text


@pytest.mark.parametrize(
    "address", ["/statistics/dealer_or_leader", "/explore?metric=deals_won&by=sheet&split=role"]
)
def test_the_table_leads_to_the_games_that_a_bar_opens_on_a_click(client, address):
    """So the keyboard and a screen reader get there, too."""
    page = client.get(address).text
    figure = json.loads(re.search(r'id="figure">(.*?)</script>', page, re.S)[1])
    queries = {data[1] for trace in figure["data"] for data in trace["customdata"]}
    table = page.partition('aria-label="Table:')[2].partition("</table>")[0]
    links = [unescape(link) for link in re.findall(r'href="(/games[^"]+)"', table)]
    assert {link.partition("?")[2] for link in links} == queries == {"sheet=bezique"}
    assert client.get(links[0]).status_code == 200


def test_the_table_of_melds_of_a_rulebook_says_its_answer(client):
    page = client.get("/statistics/sheets/bezique").text
    said = re.search(r'<p class="headline">([^<]+)</p>', page)[1]
    assert page.index(said) < page.index('aria-label="Melds and their points"')
    assert client.get("/statistics/sheets/bezique.json").json["melds"]["headline"] in unescape(said)
