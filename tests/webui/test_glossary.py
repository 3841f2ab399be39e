"""The page of the glossary, and the words of other pages that lead to it."""

import re
from html import unescape

import pytest

from records.documents.glossary import read_glossary
from records.rules.registry import ALL_SHEETS

ANCHORS = {entry.anchor for chapter in read_glossary().values() for entry in chapter}


def marked_terms(text):
    """The anchors of all words that a page marks as a term."""
    return re.findall(r'<a class="term" href="/glossary#([^"]*)"', text)


def test_the_page_has_every_word_with_its_anchor(client):
    page = client.get("/glossary").text
    assert set(re.findall(r'<div id="([^"]+)"><dt>', page)) == ANCHORS
    assert "*" not in re.sub(r"<[^>]+>", "", page)


def test_the_words_are_there_as_data(client):
    chapters = client.get("/glossary.json").json
    assert {entry["word"] for chapter in chapters.values() for entry in chapter} == {
        entry.word for chapter in read_glossary().values() for entry in chapter
    }


def test_every_page_leads_to_it(client):
    for address in ("/", "/games", "/rules/zique", "/nothing"):
        assert 'href="/glossary"' in client.get(address).text


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_a_rulebook_links_each_term_once(client, sheet):
    terms = marked_terms(client.get(f"/rules/{sheet.id}").text)
    assert terms
    assert len(terms) == len(set(terms))
    assert set(terms) <= ANCHORS


@pytest.mark.parametrize(
    "address",
    ["/reviews", "/findings", "/findings/must-beat", "/statistics", "/rules/bezique", "/api"],
)
def test_the_terms_of_other_pages_are_in_it(client, address):
    terms = marked_terms(unescape(client.get(address).text))
    assert terms
    assert set(terms) <= ANCHORS
