"""The laws that the sheets name, as the published page tells them."""

import re

import pytest

from records.rules import registry
from records.rules.explain import as_text, explain
from records.rules.laws import NUMBER, PAGE, cited, laws
from records.rules.vocabulary import RuleSheet

by_sheet = pytest.mark.parametrize("sheet", registry.ALL, ids=lambda sheet: sheet.id)


def test_every_heading_of_the_page_is_a_law_with_text() -> None:
    headings = re.findall(r"^### (\S+)$", PAGE.read_text(), re.MULTILINE)
    assert list(laws()) == headings
    assert len(headings) == len(set(headings))
    for law in laws().values():
        assert NUMBER.fullmatch(law.number)
        assert law.paragraphs
        assert all(law.paragraphs)


def test_a_law_ends_where_the_next_chapter_begins() -> None:
    assert "##" not in " ".join(text for law in laws().values() for text in law.paragraphs)


def test_a_law_is_its_paragraphs_with_each_item_of_a_list() -> None:
    assert [text[:8] for text in laws()["C8"].paragraphs] == [
        "After th", "- **HEAD", "- **FOLL", "- **ANY*", "Where th",
    ]  # fmt: skip
    assert laws()["C8"].plain[1].startswith("- HEAD (all but Zique): holding the suit led")


def test_laws_are_cited_once_in_the_order_of_the_page() -> None:
    found = cited(["C8 HEAD, A-30a; [000]", "R-RUB, C1, C8"])
    assert [law.number for law in found] == ["C1", "C8", "R-RUB", "A-30a"]


@by_sheet
def test_a_sheet_shows_every_law_it_names(sheet: RuleSheet) -> None:
    named = set(
        NUMBER.findall(" ".join([*sheet.laws.values(), *(o.ruling for o in sheet.options)]))
    )
    explanation = explain(sheet)
    assert {law.number for law in explanation.laws} == named
    text = " ".join(as_text(explanation).split())
    for law in explanation.laws:
        assert f"{law.number}: {law.plain[0]}" in text


def test_every_law_is_named_by_some_sheet() -> None:
    """What nobody rests on is no law: rulings that only forbid what no sheet does are the exception."""
    named = {law.number for sheet in registry.ALL for law in explain(sheet).laws}
    assert set(laws()) - named == set()
