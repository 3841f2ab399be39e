"""Explore over HTTP: the address is the question, and has JSON and CSV beside it."""

import csv
import re
from io import StringIO

import pytest

from analyzer.statistics.ask import from_address, presets
from analyzer.statistics.catalogue import dimensions, metrics
from analyzer.statistics.left_out import count_left_out
from tests.webui.csv_answers import csv_text


def test_the_form_offers_everything(client):
    page = client.get("/explore").text
    for name in (*metrics(), *dimensions()):
        assert f'<option value="{name}"' in page
    for preset in presets():
        assert preset.title.replace("'", "&#39;") in page
    assert 'id="figure"' in page, "an answer to begin with"


def test_an_answer_has_figure_table_interval_n_sql_and_caveat(client):
    page = client.get("/explore?metric=points&by=role").text
    assert 'id="figure"' in page
    for words in ("<h1>Points per deal by dealer or leader</h1>", "95\u00a0%", "error-free deals of players", ">low<", ">count<", "SELECT",
                  ">matches<", "each match counts as one draw", "What intervals mean"):  # fmt: skip
        assert words in page, words


def test_what_is_not_counted_is_told_beside_the_number(client):
    store = client.application.extensions["store"]
    address = "metric=points&player=Ann"
    words = count_left_out(store, from_address(address)).words
    assert "not counted" in words
    assert words in client.get(f"/explore?{address}").text
    assert client.get(f"/explore.json?{address}").json["left_out"]["words"] == words
    assert client.get(f"/api/v1/explore?{address}").json["left_out"]["words"] == words
    assert client.get(f"/explore.csv?{address}").headers["X-Note"] == words
    assert words in client.get("/player?name=Ann").text
    assert client.get("/player.json?name=Ann").json["left_out"]["words"] == words
    whole = count_left_out(store, from_address("metric=points")).words
    for page in ("/statistics", "/statistics/deal_scores"):
        assert whole in client.get(page).text
    assert client.get("/statistics/deal_scores.csv").headers["X-Note"] == whole
    assert client.get("/statistics.json").json["left_out"]["words"] == whole


def test_a_column_of_an_option_is_headed_in_words(client):
    page = client.get("/explore?metric=points&by=option.hand_size").text
    assert '<th scope="col">option: hand size</th>' in page


def test_the_twins_have_the_same_rows(client):
    address = "metric=points&by=role&sheet=bezique"
    page = client.get(f"/explore?{address}").text
    _, *links = re.findall(r'href="(/explore\.(?:csv|json)[^"]*)"', page)
    assert links == [f"/explore.{form}?{address.replace('&', '&amp;')}" for form in ("csv", "json")]
    answer = client.get(f"/explore.json?{address}").json
    rows = list(csv.reader(StringIO(csv_text(client.get(f"/explore.csv?{address}")))))
    assert rows[0] == answer["columns"] == ["role", "points", "low", "high", "matches", "n"]
    assert [row[0] for row in rows[1:]] == [row[0] for row in answer["rows"]]
    assert "95 %" in answer["caveat"]
    assert client.get(f"/explore/figure.json?{address}").json["data"][0]["type"] == "bar"


def test_an_address_is_brought_to_its_shortest_form(client):
    sent = "/explore?metric=points&by=role&split=&limit=player&to=Ann,+Bob&sheet=bezique&every="
    answer = client.get(sent)
    assert answer.status_code == 302
    assert answer.location == "/explore?metric=points&by=role&player=Ann&player=Bob&sheet=bezique"
    assert client.get(answer.location).status_code == 200


def test_a_limit_can_be_taken_away(client):
    page = client.get("/explore?metric=points&by=role&strength=5..10&player=Ann&every=1").text
    chips = re.findall(r'class="chip" href="([^"]*)"', page)
    assert [chip.replace("&amp;", "&") for chip in chips] == [
        "/explore?metric=points&by=role&player=Ann&every=1",
        "/explore?metric=points&by=role&strength=5..10&every=1",
    ]
    assert '<input type="hidden" name="player" value="Ann">' in page


@pytest.mark.parametrize("twin", ["", ".json", ".csv", "/figure.json"])
def test_what_has_no_answer_is_refused_in_a_sentence(client, twin):
    answer = client.get(f"/explore{twin}?metric=points&by=meld")
    assert answer.status_code == 400
    assert "has no single value of" in answer.text


def test_a_refused_question_stays_in_the_form(client):
    page = client.get("/explore?metric=melds&by=trick").text
    assert '<option value="melds" selected>' in page
    assert '<option value="trick" selected>' in page
    assert 'role="alert"' in page


@pytest.mark.long
def test_an_empty_database_says_what_to_do(empty):
    page = empty.get("/explore?metric=points&by=sheet").text
    assert "No deals match" in page
    assert "upload records" in page
    assert 'id="figure"' not in page


def test_the_values_of_a_dimension(client, stored):
    assert client.get("/explore/values/sheet.json").json == ["bezique"]
    assert client.get("/explore/values/nothing.json").status_code == 400


def test_what_was_typed_is_shown_as_text(client):
    page = client.get("/explore?metric=points&player=<b>x</b>").text
    assert "<b>x</b></b>" not in page
    assert "&lt;b&gt;x&lt;/b&gt;" in page


def test_a_rulebook_is_named_as_people_name_it(client):
    for name in ("Bezique", "bezique", "BEZIQUE"):
        answer = client.get(f"/explore?metric=points&by=role&limit=sheet&to={name}")
        assert answer.location == "/explore?metric=points&by=role&sheet=bezique"
    answer = client.get(
        "/explore?metric=points&limit=sheet&to=Rubicon+Bezique,+Marjolet,+older+text"
    )
    assert answer.location.endswith("&sheet=rubicon-bezique&sheet=marjolet-oxford")
    page = client.get("/explore?metric=points&by=role&sheet=rubicon-bezique").text
    assert "<b>Rubicon Bezique</b>" in page
    refused = client.get("/explore?metric=points&limit=sheet&to=Rubikon+Bezique")
    assert refused.status_code == 400
    assert "did you mean “Rubicon Bezique”?" in refused.text
    melds = client.get("/explore?metric=meld_rate&by=sheet&limit=meld&to=Four+aces")
    assert melds.location == "/explore?metric=meld_rate&by=sheet&meld=four_aces"


def test_an_answer_is_there_on_arrival_and_names_rulebooks(client):
    page = client.get("/explore").text
    assert "data-chart" in page
    assert '<option value="sheet" selected>' in page
    table = page.partition('id="table"')[2]
    assert re.search(r"<td>(<a [^>]*>)?Bezique(</a>)?</td>", table)
    assert ">rulebook</th>" in table


def test_a_number_that_is_missing_stands_where_its_column_has_numbers(client):
    page = client.get("/explore?metric=last_tricks_won&by=strength&split=sheet").text
    assert '<td class="number">–</td>' in page
    assert "<td>–</td>" not in page
