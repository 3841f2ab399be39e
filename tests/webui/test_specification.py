"""The specification on the site: every page, its anchors and links, the data, and the search."""

import re
from html import unescape
from io import BytesIO
from itertools import pairwise
from zipfile import ZipFile

import pytest

from records.conformance.cases import kit_folder
from records.documents.glossary import read_glossary
from records.documents.schemas import SPEC_FOLDER
from records.rules.registry import ALL_SHEETS, read_laws
from records.validate.codes import FINDING_CODES
from webui.display.documents import SPEC_PAGE_NAMES, search_documents
from webui.display.page_markup import SPEC_FILES, document_link, page_path, render_document
from webui.server.game_cache import samples_folder
from webui.views import specification
from webui.views.specification import ANALYZER_SCHEMAS, SERVED_SCHEMAS

READ = [name for name in SPEC_PAGE_NAMES if name != "glossary"]


@pytest.fixture(scope="module")
def shown(app) -> dict[str, str]:
    """The text of every page, by its path."""
    client = app.test_client()
    paths = ["/spec", "/glossary", *(f"/spec/{name}" for name in READ)]
    return {path: client.get(path).text for path in paths}


def anchors_of(page: str) -> set[str]:
    return set(re.findall(r'\bid="([^"]+)"', page))


def test_every_file_of_the_specification_is_a_page():
    assert {path.stem for path in SPEC_FOLDER.glob("*.md")} == set(SPEC_PAGE_NAMES)


def test_no_page_skips_a_level_of_headings(shown):
    wrong = {}
    for path, page in shown.items():
        levels = [int(level) for level in re.findall(r"<h([1-6])\b", page)]
        assert levels[0] == 1, path
        skipped = [pair for pair in pairwise(levels) if pair[1] > pair[0] + 1]
        if skipped:
            wrong[path] = skipped
    assert wrong == {}


def test_a_part_that_is_folded_is_folded_and_other_html_is_refused():
    text = "# Page\n\n<details>\n<summary>All & more</summary>\n\n| a |\n| --- |\n| b |\n\n</details>\n"
    html = rendered(text)
    assert "<summary>All &amp; more</summary>" in html
    assert html.index("<details>") < html.index("<table>") < html.index("</details>")
    with pytest.raises(ValueError, match="folds nothing"):
        rendered("# Page\n\n<div onclick='x()'>\n\n</div>\n")
    assert "<b>" not in rendered("# Page\n\nA <b>word</b>.\n")


def rendered(text: str) -> str:
    """A text as the page `format` would show it."""
    return render_document(f"{SPEC_FILES}format.md", page_path("format"), text).html


@pytest.mark.parametrize("name", READ)
def test_every_heading_has_an_anchor_of_its_own_and_stands_in_the_contents(shown, name):
    page = shown[f"/spec/{name}"]
    text = (SPEC_FOLDER / f"{name}.md").read_text()
    headings = re.findall(r"^#{2,4} (.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.M)
    found = re.findall(
        r'<h[234] id="([^"]+)">', page.partition('<article class="document-text">')[2]
    )
    assert len(found) == len(set(found)) == len(headings)
    contents = page.partition('<nav class="document-contents"')[2].partition("</nav>")[0]
    listed = set(re.findall(r'href="#([^"]+)"', contents))
    deep = set(re.findall(r'<h4 id="([^"]+)">', page))
    assert listed == set(found) - deep


@pytest.mark.parametrize("name", READ)
def test_a_page_says_what_its_file_says(shown, name):
    """Nothing is lost: every word of the Markdown is on the page, in order, but for remarks to those who edit it."""
    text = re.sub("<!--.*?-->", "", (SPEC_FOLDER / f"{name}.md").read_text(), flags=re.DOTALL)
    text = re.sub(r"^[|\s:-]+$|^\d+\. |^```.*$|</?(details|summary)>", "", text, flags=re.M)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    page = shown[f"/spec/{name}"].partition("<main")[2]
    page = re.sub(
        r'<nav class="document-contents".*?</nav>|<a class="anchor".*?</a>', "", page, flags=re.S
    )
    page = unescape(re.sub(r"<[^>]+>", " ", page))
    words = re.findall(r"\w+", text)
    said = iter(re.findall(r"\w+", page))
    missing = [word for word in words if word not in said]
    assert missing == []


@pytest.mark.parametrize("name", READ)
def test_tables_that_scroll_have_names_of_their_own(shown, name):
    page = shown[f"/spec/{name}"]
    labels = re.findall(r'role="region" aria-label="([^"]*)"', page)
    assert len(labels) == len(set(labels)) == page.count("<table")
    assert '<th scope="col"></th>' not in page


def test_laws_findings_and_words_are_links(shown):
    page = shown["/spec/format"]
    assert '<a href="/spec/rulings#a-46">A-46</a>' in page
    assert '<a href="/findings/must-beat"><code>must-beat</code></a>' in page
    assert 'class="term" href="/glossary#meld"' in page
    assert '<a href="#a-46">A-46</a>' in shown["/spec/rulings"]
    assert {number.lower() for number in read_laws()} <= anchors_of(shown["/spec/rulings"])
    assert FINDING_CODES.keys() <= anchors_of(shown["/spec/findings"])


def test_markup_in_a_page_is_text():
    page = render_document(
        "records/spec/format.md",
        "/spec/format",
        "# T\n\n<b>x</b> `<i>` [y](format.md)\n\n```\n<u>\n```\n",
    )
    assert page.html == (
        '<p>&lt;b&gt;x&lt;/b&gt; <code>&lt;i&gt;</code> <a href="/spec/format">y</a></p>\n'
        '<pre class="code" tabindex="0"><code>&lt;u&gt;\n</code></pre>\n'
    )


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/",
        "nothing.md",
        "../../etc/passwd",
        "javascript:x",
        "x.json",
        "../../webui/cli/sources.py",
    ],
)
def test_no_page_leads_elsewhere(address):
    with pytest.raises(ValueError, match="which the site does not have"):
        document_link("records/spec/format.md", address)


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_a_sheet_is_served_as_data_and_may_be_kept(client, sheet):
    answer = client.get(f"/spec/sheets/{sheet.id}.json")
    assert answer.data == (SPEC_FOLDER / "sheets" / f"{sheet.id}.json").read_bytes()
    assert answer.mimetype == "application/json"
    assert "public" in answer.headers["Cache-Control"]
    assert "max-age" in answer.headers["Cache-Control"]
    again = client.get(
        f"/spec/sheets/{sheet.id}.json", headers={"If-None-Match": answer.headers["ETag"]}
    )
    assert (again.status_code, again.data) == (304, b"")


def test_the_kit_is_served_whole(client):
    folder = kit_folder()
    index = client.get("/spec/conformance/index.json").json
    assert "zique.jsonl" in {entry["file"] for entry in index["files"]}
    for file in [
        "index.json",
        "harness.py",
        "harness.mjs",
        "driver.py",
        *(each["file"] for each in index["files"]),
    ]:
        answer = client.get(f"/spec/conformance/{file}")
        assert answer.data == (folder / file).read_bytes()
        assert answer.mimetype != "text/html"
    assert client.get("/spec/conformance/..%2Findex.json").status_code == 404
    assert 'href="/spec/conformance/harness.mjs"' in client.get("/spec/authors").text


@pytest.mark.parametrize("file", SERVED_SCHEMAS)
def test_a_schema_is_served_where_it_says(client, file):
    answer = client.get(f"/spec/{file}")
    if file not in ANALYZER_SCHEMAS:
        assert answer.data == (SPEC_FOLDER / file).read_bytes()
    assert answer.json["$id"] == f"/spec/{file}"


def test_the_schema_of_annotations_is_the_one_that_the_reviews_have(client):
    served = client.get("/spec/annotation.schema.json").json
    assert served == client.get("/reviews.json").json["schema"]


@pytest.mark.parametrize(
    "path",
    ["/spec/nothing", "/spec/nothing.json", "/spec/sheets/nothing.json", "/spec/nothing.schema.json",
     "/spec/sheets/..%2Fformat.json"],
)  # fmt: skip
def test_what_is_not_there_is_404(client, path):
    assert client.get(path).status_code == 404


def test_the_glossary_has_one_address(client):
    answer = client.get("/spec/glossary")
    assert (answer.status_code, answer.headers["Location"]) == (301, "/glossary")


@pytest.mark.parametrize(
    ("question", "chapter", "heading"),
    [
        ("brisque", "/glossary", "brisque"), ("A-46", "/spec/rulings", "A-46"),
        ("must-beat", "/spec/findings", "must-beat"), ("the promise", "/spec/format", "The promise"),
        ("digest canonical", "/spec/format", "Digest"),
    ],
)  # fmt: skip
def test_the_best_answer_comes_first(question, chapter, heading):
    first = search_documents(question)[0].section
    assert (first.page, first.heading.text) == (chapter, heading)


def test_every_word_of_a_question_must_be_there():
    found = search_documents("rubicon settlement portland")
    assert found
    for result in found:
        text = f"{result.section.heading.text} {result.section.text}".lower()
        assert all(word in text for word in ("rubicon", "settlement", "portland"))
        assert "<mark>" in result.excerpt or result.section.heading.text.lower().count("rubicon")
    assert search_documents("rubicon xyzzy") == search_documents("  ") == []


def test_the_results_are_on_the_page_and_in_its_twin(client):
    page = client.get("/spec?q=carte+blanche").text
    twin = client.get("/spec.json?q=carte+blanche").json
    assert len(twin["results"]) > 3
    assert all(f'<h3><a href="{each["address"]}">' in page for each in twin["results"])
    assert "The best 40 sections" in client.get("/spec?q=meld").text
    assert "&lt;b&gt;" in client.get("/spec?q=<b>").text


def test_the_specification_is_below_every_page(client):
    for path in ("/games", "/spec", "/spec/rulings"):
        assert '<a href="/spec">Specification</a>' in client.get(path).text


@pytest.mark.long
def test_a_word_of_the_glossary_is_found_under_itself():
    entries = [entry for chapter in read_glossary().values() for entry in chapter]
    for entry in entries[::5]:
        first = search_documents(entry.word)[0].section
        assert (first.page, first.heading.text) == ("/glossary", entry.word)


def test_the_kit_comes_whole_in_one_file(client):
    answer = client.get("/spec/conformance/kit.zip")
    assert answer.status_code == 200
    assert answer.mimetype == "application/zip"
    assert len(answer.data) < 1_000_000
    with ZipFile(BytesIO(answer.data)) as archive:
        inside = {
            name.removeprefix("bezique-kit/"): archive.read(name) for name in archive.namelist()
        }
    kit = {path.name: path.read_bytes() for path in kit_folder().iterdir()}
    assert kit.items() <= inside.items()
    assert inside.keys() - kit.keys() == {"conformance.md", "conformance.schema.json"}
    again = client.get(
        "/spec/conformance/kit.zip", headers={"If-None-Match": answer.headers["ETag"]}
    )
    assert again.status_code == 304


def test_the_archive_has_the_same_bytes_whenever_it_is_made():
    assert specification._kit_archive() == specification._kit_archive()


@pytest.mark.parametrize(
    ("guessed", "place"),
    [
        ("/spec/conformance/", "/spec/conformance/index.json"),
        ("/spec/conformance/README.md", "/spec/conformance"),
        ("/spec/format.md", "/spec/format"),
        ("/spec/glossary.md", "/spec/glossary"),
        ("/spec/samples", "/spec/samples/index.json"),
        ("/spec/samples/", "/spec/samples/index.json"),
    ],
)
def test_addresses_that_people_guess_lead_to_what_they_mean(client, guessed, place):
    answer = client.get(guessed)
    assert (answer.status_code, answer.headers["Location"]) == (301, place)
    assert client.get(guessed, follow_redirects=True).status_code == 200


def test_the_samples_are_listed_with_their_addresses(client):
    listed = client.get("/spec/samples/index.json").json
    assert set(listed) == {"good", "partial", "logs", "rulebooks", "broken"}
    for addresses in listed.values():
        assert addresses
        for address in list(addresses.values())[::8]:
            assert client.get(address).status_code == 200
    assert set(listed["good"]) == {path.name for path in (samples_folder() / "good").iterdir()}


def test_remarks_for_those_who_edit_are_not_on_the_site(shown):
    for name in READ:
        page = shown[f"/spec/{name}"].partition("<main")[2]
        assert "do not edit" not in page
        assert "<!--" not in page
