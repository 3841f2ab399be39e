import pytest

from records.rules.explain import explain
from records.rules.registry import ALL
from records.validate.codes import CODES


@pytest.mark.parametrize("sheet", ALL, ids=lambda sheet: sheet.id)
def test_a_sheet_has_every_article_and_draws_its_melds(client, sheet):
    page = client.get(f"/rules/{sheet.id}").text
    for section in explain(sheet).sections:
        assert f'id="{section.article}"' in page
    for meld in explain(sheet).melds:
        assert all(f'href="#c-{card}"' in page for card in meld.example)
    assert client.get(f"/rules/{sheet.id}.json").json["id"] == sheet.id


def test_options_change_the_sheet(client):
    page = client.get("/rules/bezique?hand_size=9").text
    assert "Here played with <code>hand_size 9</code>" in page


@pytest.mark.parametrize("query", ["nothing=1", "hand_size=77", "target=x"])
def test_wrong_options_are_said_in_words_and_400_as_json(client, query):
    assert 'role="alert"' in client.get(f"/rules/bezique?{query}").text
    assert client.get(f"/rules/bezique.json?{query}").status_code == 400


def test_an_unknown_sheet_is_404(client):
    assert client.get("/rules/poker").status_code == 404


def test_every_code_has_a_page_and_is_in_the_list(client):
    listed = client.get("/findings").text
    data = {code["code"] for code in client.get("/findings.json").json}
    assert data == CODES.keys()
    for code in CODES.values():
        assert f"/findings/{code.code}" in listed
        page = client.get(f"/findings/{code.code}")
        assert page.status_code == 200
        assert code.code in page.text


def test_every_law_a_code_names_is_an_article_of_some_sheet():
    articles = {section.article for sheet in ALL for section in explain(sheet).sections}
    assert {code.article for code in CODES.values() if code.article} <= articles


def test_an_unknown_code_is_404(client):
    assert client.get("/findings/nothing").status_code == 404
    assert client.get("/findings/nothing/sample.json").status_code == 404
