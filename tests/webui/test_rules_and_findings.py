import json
import re
from collections import Counter
from html import unescape
from pathlib import Path

import msgspec
import pytest
from markupsafe import escape

from records.rules.compare import ComparisonGroup, compare_rule_sheets
from records.rules.english import explain_sheet
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import NoTrumps
from records.validate.codes import FINDING_CODES
from webui.display.markup import law_paragraphs, link_laws
from webui.display.words import CHOICE_WORDS, option_value_words

SAMPLES = Path(__file__).parents[2] / "samples/good"


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_a_sheet_has_every_article_and_draws_its_melds(client, sheet):
    page = client.get(f"/rules/{sheet.id}").text
    for section in explain_sheet(sheet).sections:
        assert f'id="{section.article}"' in page
    for meld in explain_sheet(sheet).melds:
        assert all(f'href="#c-{card}"' in page for card in meld.example)
    assert client.get(f"/rules/{sheet.id}.json").json["id"] == sheet.id


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_a_sheet_tells_its_sources_and_its_laws_and_leads_to_them(client, sheet):
    page = client.get(f"/rules/{sheet.id}").text
    assert all(str(escape(source.title)) in page for source in sheet.sources)
    for law in explain_sheet(sheet).laws:
        assert f'id="law-{law.number}"' in page
        assert f'<a href="#law-{law.number}">{law.number}</a>' in page
    names = re.findall(r'href="#([^"]+)"', re.sub(r"<use .*?>", "", page))
    assert all(f'id="{name}"' in page for name in names)
    assert page.count("with hearts as trumps") == (not isinstance(sheet.rules.trumps, NoTrumps))


def test_marks_of_a_law_are_tags_and_nothing_else_is():
    told = law_paragraphs(["*A & b*: `c` **d** <e>", "- one", "- two *x*", "End."])
    assert told == (
        "<p><em>A &amp; b</em>: <code>c</code> <strong>d</strong> &lt;e&gt;</p>"
        '<ul class="dashed"><li>one</li><li>two <em>x</em></li></ul><p>End.</p>'
    )
    assert link_laws("C8 HEAD, A-99; [000] <b>") == (
        '<a href="#law-C8">C8</a> HEAD, A-99; [000] &lt;b&gt;'
    )


# the comparison


def cells(page: str) -> list[list[str]]:
    """The rows of the table of a page, as text."""
    rows = re.findall(r"<tr.*?</tr>", page, re.DOTALL)
    text = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[unescape(re.sub(r"<[^>]+>", "", cell)) for cell in row] for row in text]


def words(text: str, group: ComparisonGroup) -> str:
    """The name or the value of an option as people read it; all else is in words already."""
    return CHOICE_WORDS.get(text, text.replace("_", " ")) if group.article == "options" else text


def test_every_choice_of_an_option_has_words_of_its_own():
    """No reader is told `any` or `by_trump`."""
    for sheet in ALL_SHEETS:
        for option in explain_sheet(sheet).options:
            choices = [value for value in option.values if not value[0].isdigit()]
            words_of = [option_value_words(value) for value in choices]
            assert len({*words_of}) == len(choices), option.name
            assert all(each not in choices and "_" not in each for each in words_of), option.name


@pytest.mark.parametrize("query", [{}, {"against": "zique"}, {"sheet": ["bezique", "zetema"]},
                                   {"differing": "1"}])  # fmt: skip
def test_the_comparison_shows_what_the_sheets_say_cell_by_cell(client, query):
    chosen = [sheet for sheet in ALL_SHEETS if sheet.id in query.get("sheet", [sheet.id])]
    found = compare_rule_sheets(
        chosen, against=query.get("against"), only_differing="differing" in query
    )
    head, *rows = cells(client.get("/rules/compare", query_string=query).text)
    assert head[1:] == [sheet.name for sheet in found.sheets]
    told = [
        [words(row.name, group) + row.detail, *(words(cell.text, group) + " (differs)" * cell.differs for cell in row.cells)]
        for group in found.groups for row in group.rows
    ]  # fmt: skip
    assert [row for row in rows if len(row) > 1] == told
    data = client.get("/rules/compare.json", query_string=query).json
    assert data == msgspec.json.decode(msgspec.json.encode(found))


def test_every_sheet_leads_to_the_comparison_and_back(client):
    page = client.get("/rules/compare").text
    assert 'href="/rules/compare"' in client.get("/rules").text
    for sheet in ALL_SHEETS:
        assert f'<a href="/rules/{sheet.id}">' in page
        assert f'href="/rules/compare?against={sheet.id}"' in client.get(f"/rules/{sheet.id}").text


def test_headers_of_the_comparison_are_headers(client):
    page = client.get("/rules/compare").text
    assert page.count('scope="col"') == len(ALL_SHEETS) + 1
    rows = sum(len(group.rows) for group in compare_rule_sheets(ALL_SHEETS).groups)
    assert page.count('scope="row"') == rows
    assert page.count('scope="rowgroup"') == len(compare_rule_sheets(ALL_SHEETS).groups)


def test_the_address_chooses_and_is_kept_in_the_form(client):
    page = client.get("/rules/compare?sheet=bezique&sheet=zique&against=marjolet&differing=1").text
    assert cells(page)[0][1:] == ["Marjolet", "Bezique", "Zique"]
    assert len(re.findall(r'name="sheet" value="\w+" checked', page)) == 3
    assert '<option value="marjolet" selected>' in page
    assert 'name="differing" value="1" checked' in page


@pytest.mark.parametrize("query", ["sheet=whist", "against=whist", "sheet=bezique"])
def test_what_cannot_be_compared_is_said_and_all_are_shown(client, query):
    page = client.get(f"/rules/compare?{query}").text
    assert 'role="alert"' in page
    assert len(cells(page)[0]) == len(ALL_SHEETS) + 1
    assert client.get(f"/rules/compare.json?{query}").status_code == 400


def test_options_change_the_sheet(client):
    page = client.get("/rules/bezique?hand_size=9").text
    assert "Shown with another choice: Cards dealt to each player: <b>9</b>." in page


@pytest.mark.parametrize(
    "path", ["/", "/rules", "/rules/compare", *(f"/rules/{sheet.id}" for sheet in ALL_SHEETS)]
)
def test_ids_stand_only_where_a_record_is_spoken_of(client, path):
    """`hand_size` and `bezique-enhanced` are words of records, not of people; rulings may say how a record puts it."""
    page = client.get(path).text.partition("<main")[2].partition('id="laws"')[0]
    page = re.sub(
        r"<script.*?</script>|(?:in a record|calls these rules) <code>[^<]*</code>",
        "",
        page,
        flags=re.DOTALL,
    )
    words = unescape(re.sub(r"<[^>]+>", " ", page))
    ids = {sheet.id for sheet in ALL_SHEETS if "-" in sheet.id}
    ids |= {option.name for sheet in ALL_SHEETS for option in sheet.options if "_" in option.name}
    assert {each for each in ids if re.search(rf"(?<![\w-]){each}(?![\w-])", words)} == set()


def test_options_that_contradict_each_other_are_refused_with_a_sentence(client):
    page = client.get("/rules/zique?long_game=true&target=1000").text
    said = "The options long_game (true) and target (1000) contradict each other: both set match.target.2, to different values"
    assert f"{said}. Give only one of them.</p>" in page
    assert client.get("/rules/zique.json?long_game=true&target=1000").status_code == 400


@pytest.mark.parametrize("query", ["nothing=1", "hand_size=77", "target=x"])
def test_wrong_options_are_said_in_words_and_400_as_json(client, query):
    assert 'role="alert"' in client.get(f"/rules/bezique?{query}").text
    assert client.get(f"/rules/bezique.json?{query}").status_code == 400


def test_an_unknown_sheet_is_404(client):
    assert client.get("/rules/poker").status_code == 404


@pytest.mark.long
def test_every_code_has_a_page_and_is_in_the_list(client):
    listed = client.get("/findings").text
    data = {code["code"] for code in client.get("/findings.json").json}
    assert data == FINDING_CODES.keys()
    for code in FINDING_CODES.values():
        assert f"/findings/{code.code}" in listed
        page = client.get(f"/findings/{code.code}")
        assert page.status_code == 200
        assert code.code in page.text


def test_every_law_a_code_names_is_an_article_of_some_sheet():
    articles = {
        section.article for sheet in ALL_SHEETS for section in explain_sheet(sheet).sections
    }
    assert {code.article for code in FINDING_CODES.values() if code.article} <= articles


def test_an_unknown_code_is_404(client):
    assert client.get("/findings/nothing").status_code == 404
    assert client.get("/findings/nothing/sample.json").status_code == 404


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_a_form_has_a_line_for_each_trick_and_the_points_of_each_meld(client, sheet):
    """As many as a sample of the rulebook has; the stock is empty after half the draws."""
    form = client.get(f"/rules/{sheet.id}/form.json").json
    page = client.get(f"/rules/{sheet.id}/form").text
    assert page.count("Points of ") == page.count(" dealt to ") == max(sheet.rules.players)
    if sheet.rules.tableau is None:
        sample = json.loads((SAMPLES / f"{sheet.id}.json").read_bytes())
        types = Counter(event["type"] for event in sample["deals"][0]["events"])
        assert (form["lines"], form["stock_tricks"]) == (types["play"] // 2, types["draw"] // 2)
        assert form["hand"] == len(sample["deals"][0]["hands"][0])
    assert (
        page.count('<tr><th scope="row">') + page.count('<tr class="last-of-stock">')
        == form["lines"]
    )
    for meld in sheet.rules.melds:
        assert f"{meld.words} {meld.points:,}".lower() in page.lower()


def test_there_is_no_form_of_an_unknown_rulebook(client):
    assert client.get("/rules/whist/form").status_code == 404
    assert client.get("/rules/whist/form.json").status_code == 404
