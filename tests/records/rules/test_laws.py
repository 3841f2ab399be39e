"""The laws that the sheets cite, read from the published page."""

import re

import pytest

from records.rules import registry
from records.rules.english import explain_sheet, explanation_text
from records.rules.registry import LAW_NUMBER_PATTERN, RULINGS_PAGE, cited_laws, read_laws
from records.rules.vocabulary import RuleSheet

by_sheet = pytest.mark.parametrize("sheet", registry.ALL_SHEETS, ids=lambda sheet: sheet.id)


def test_every_heading_of_the_page_is_a_law_with_text() -> None:
    headings = re.findall(r"^### (\S+)$", RULINGS_PAGE.read_text(), re.MULTILINE)
    assert list(read_laws()) == headings
    assert len(headings) == len(set(headings))
    for law in read_laws().values():
        assert LAW_NUMBER_PATTERN.fullmatch(law.number)
        assert law.paragraphs
        assert all(law.paragraphs)


def test_a_law_ends_where_the_next_chapter_begins() -> None:
    assert "##" not in " ".join(text for law in read_laws().values() for text in law.paragraphs)


def test_a_law_is_its_paragraphs_with_each_item_of_a_list() -> None:
    assert [text[:8] for text in read_laws()["C8"].paragraphs] == [
        "After th", "- **head", "- **suit", "- **any*", "Where th",
    ]  # fmt: skip
    assert read_laws()["C8"].plain[1].startswith("- head (all but Zique): holding the suit led")


def test_laws_are_cited_once_in_the_order_of_the_page() -> None:
    found = cited_laws(["C8 HEAD, A-30a; [000]", "R-RUB, C1, C8"])
    assert [law.number for law in found] == ["C1", "C8", "R-RUB", "A-30a"]


@by_sheet
def test_a_sheet_shows_every_law_it_names(sheet: RuleSheet) -> None:
    named = set(
        LAW_NUMBER_PATTERN.findall(
            " ".join([*(each.cited for each in sheet.articles), *(o.law for o in sheet.options)])
        )
    )
    explanation = explain_sheet(sheet)
    assert {law.number for law in explanation.laws} == named
    text = " ".join(explanation_text(explanation).split())
    for law in explanation.laws:
        assert f"{law.number}: {law.plain[0]}" in text


def test_every_law_is_named_by_some_sheet() -> None:
    """What nobody rests on is no law; A-53 is about records, whatever the game, and C17 about rulebooks of one's own."""
    named = {law.number for sheet in registry.ALL_SHEETS for law in explain_sheet(sheet).laws}
    assert set(read_laws()) - named == {"A-53", "C17"}
