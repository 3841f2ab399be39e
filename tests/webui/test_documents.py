"""The documents on the site: every page, its place among the others, its links, pictures and the search."""

import re
from html import unescape
from itertools import pairwise
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import pytest

from webui.display.documents import document_page_names, document_parts, page_at, search_documents
from webui.display.page_markup import DOCUMENT_FOLDER, PICTURE_SIZE, document_link, render_document

STATIC = DOCUMENT_FOLDER.parent / "static"
PICTURES = re.compile(r"!\[[^\]]+\]\((\S+)\)")


@pytest.fixture(scope="module")
def shown(app) -> dict[str, str]:
    """The text of every page of the documents, of the specification and of the glossary, by its path."""
    client = app.test_client()
    addresses = [page.address for part in document_parts() for page in part.pages]
    return {path: client.get(path).text for path in ["/docs", "/spec", *addresses]}


def test_every_file_is_a_page_of_one_part():
    files = sorted(path.stem for path in DOCUMENT_FOLDER.glob("*.md"))
    assert sorted(document_page_names()) == files


def test_every_page_is_in_the_list_of_every_page(shown):
    for part in document_parts():
        for page in part.pages:
            around = shown[page.address].partition('id="all-pages"')[2]
            assert f'<a href="{page.address}" aria-current="page">' in around
            assert around.count("aria-current") == 1
            assert all(f'href="{other.address}"' in around for other in part.pages)
            assert f"<h1>{page.title}</h1>" in unescape(shown[page.address])
            if page.address != "/glossary":
                rendered = page_at(page.address)
                assert (page.title, page.summary) == (rendered.title, rendered.summary)


def test_a_page_is_summed_up_in_whole_sentences_and_few():
    for part in document_parts():
        for page in part.pages:
            assert page.summary.endswith("."), page
            assert len(page.summary) < 320, page


def test_one_page_leads_to_the_next(shown):
    names = document_page_names()
    for here, after in pairwise(names):
        around = re.search(r'<nav class="document-around".*?</nav>', shown[f"/docs/{here}"], re.S)
        assert around is not None
        assert f'Next</span> <a href="/docs/{after}">' in around[0]
        assert f'Before</span> <a href="/docs/{here}">' in shown[f"/docs/{after}"]


def test_every_link_between_documents_leads_to_a_place_that_is_there(shown):
    anchors = {path: set(re.findall(r'\bid="([^"]+)"', page)) for path, page in shown.items()}
    wrong = []
    for path, page in shown.items():
        for address in map(unescape, re.findall(r'<a [^>]*href="([^"]*)"', page)):
            target, anchor = urldefrag(urljoin(path, address))
            if anchor and anchor not in anchors.get(target, {anchor}):
                wrong.append((path, address))
    assert wrong == []


def test_every_link_to_a_file_is_answered(client, shown):
    """Samples, schemas, sheets, the kit and pictures: a site of the installed package has them, too."""
    links = {
        urldefrag(urljoin(path, unescape(address)))[0]
        for path, page in shown.items()
        for address in re.findall(r'<a [^>]*href="([^"]*\.[a-z]+)"', page)
    }
    files = {link for link in links if link.startswith(("/spec/", "/findings/", "/static/"))}
    assert {
        "/spec/samples/good/zique.json",
        "/spec/samples/logs/kylegameomatic.csv",
        "/spec/samples/partial/bezique-three-hands-plays.json",
        "/spec/samples/rulebooks/bezique-three-hands.toml",
    } <= files
    assert [link for link in sorted(files) if client.get(link).status_code != 200] == []


def test_every_heading_has_an_anchor_of_its_own(shown):
    for path, page in shown.items():
        anchors = re.findall(r'\bid="([^"]+)"', page)
        assert len(anchors) == len(set(anchors)), path


def test_a_place_on_the_site_is_a_link_to_it():
    file, text = "webui/documents/x.md", "# X\n\n`/explore`, `/games/DIGEST`, `must-beat`\n"
    html = render_document(file, "/docs/x", text).html
    assert '<a href="/explore"><code>/explore</code></a>' in html
    assert "<code>/games/DIGEST</code>" in html
    assert '<a href="/findings/must-beat">' in html
    specified = render_document("records/spec/format.md", "/spec/format", text).html
    assert "<code>/explore</code>" in specified
    assert 'href="/explore"' not in specified


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("commands.md#bezique-stats", "/docs/commands#bezique-stats"),
        ("../../records/spec/format.md#limits", "/spec/format#limits"),
        ("../../records/spec/glossary.md", "/glossary"),
        ("../../records/spec/record.schema.json", "/spec/record.schema.json"),
        ("../static/icon.svg", "/static/icon.svg"),
        ("../../CONTRIBUTING.md", None),
        ("../../samples/README.md", None),
        ("../../samples/good/zique.json", "/spec/samples/good/zique.json"),
        (
            "../../samples/partial/bezique-three-hands-plays.json",
            "/spec/samples/partial/bezique-three-hands-plays.json",
        ),
        (
            "../../samples/rulebooks/bezique-three-hands.toml",
            "/spec/samples/rulebooks/bezique-three-hands.toml",
        ),
        ("../../samples/broken/must-beat.json", "/findings/must-beat/sample.json"),
    ],
)
def test_a_link_to_a_file_leads_to_its_place_on_the_site(link, address):
    assert document_link("webui/documents/x.md", link) == address


def size_of(path: Path) -> tuple[int, int]:
    """Width and height of a WebP picture, as its header says."""
    data = path.read_bytes()
    assert data[:4] + data[8:16] == b"RIFFWEBPVP8X"
    width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
    return width, height


def test_every_picture_is_used_small_and_there_for_both_schemes():
    texts = [path.read_text(encoding="utf-8") for path in DOCUMENT_FOLDER.glob("*.md")]
    used = {Path(name).name for text in texts for name in PICTURES.findall(text)}
    both = {name.replace(".", f"{scheme}.") for name in used for scheme in ("", "-dark")}
    pictures = {path.name: path for path in (STATIC / "pictures").glob("*")}
    assert set(pictures) == both
    for path in pictures.values():
        if path.suffix == ".webp":
            assert size_of(path) == PICTURE_SIZE
        assert path.stat().st_size < 80_000


def test_a_search_finds_documents_and_the_specification(client):
    found = search_documents("validate folder")
    assert {each.section.page.split("/")[1] for each in found} == {"docs", "spec"}
    page = client.get("/docs?q=confidence+interval").text
    twin = client.get("/docs.json?q=confidence+interval").json
    assert twin["results"][0]["address"].startswith("/docs/intervals")
    assert all(f'<h3><a href="{each["address"]}">' in page for each in twin["results"])
    assert client.get("/spec.json?q=confidence+interval").json == twin


def test_pages_as_json(client):
    parts = client.get("/docs.json").json["parts"]
    assert parts[-1]["title"] == "Specification"
    address = parts[0]["pages"][0]["address"]
    page = client.get(f"{address}.json").json
    assert page["title"] == parts[0]["pages"][0]["title"]
    assert page["sections"][0]["heading"]["text"] == page["title"]


@pytest.mark.parametrize("path", ["/docs/nothing", "/docs/nothing.json", "/docs/..%2Fx"])
def test_what_is_not_there_is_404(client, path):
    assert client.get(path).status_code == 404
