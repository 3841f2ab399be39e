"""Names as people have them: those that are written from right to left."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from records import codec
from records.record import Record
from records.selfplay import play_game
from tests.serving import served

HEBREW, OTHER = "שרה", "דניאל"
LEFT_TO_RIGHT = """([place, words]) => {
    const text = document.createTreeWalker(document.querySelector(place), NodeFilter.SHOW_TEXT);
    const found = new Map();
    for (let node = text.nextNode(); node; node = text.nextNode()) {
        for (const word of words) {
            const at = node.nodeValue.indexOf(word);
            if (at < 0 || found.has(word)) continue;
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + word.length);
            const box = range.getBoundingClientRect();
            found.set(word, { middle: (box.top + box.bottom) / 2, left: box.left });
        }
    }
    const sameLine = (a, b) => Math.abs(a.middle - b.middle) < 12;
    const before = (a, b) => (sameLine(a, b) ? a.left - b.left : a.middle - b.middle);
    return words.filter((word) => found.has(word)).sort((a, b) => before(found.get(a), found.get(b)));
}"""
"""Words of a place in the order in which they are drawn, line by line from the left."""


def game(seed: int, *names: str) -> Record:
    record = play_game("zique", seed=seed, names=list(names))
    return replace(record, meta={"event": names[0]})


@pytest.fixture(scope="module")
def games() -> dict[str, Record]:
    return {
        "hebrew": game(4, HEBREW, OTHER),
    }


@pytest.fixture(scope="module")
def names_site(tmp_path_factory: pytest.TempPathFactory, games) -> Iterator[str]:
    """The address of a site with these games."""
    files = {f"{name}.json": codec.encode(record) for name, record in games.items()}
    with served(tmp_path_factory.mktemp("names"), files) as (address, _):
        yield address


def test_numbers_stay_with_their_names(page: Page, names_site, games):
    digest, record = codec.digest(games["hebrew"]), games["hebrew"]
    assert record.result is not None
    first, second = (f"{points:,}" for points in record.result.scores)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{names_site}/games?player={quote(HEBREW)}")
    in_order = [HEBREW, first, OTHER, second]
    assert page.evaluate(LEFT_TO_RIGHT, [".game-link", in_order]) == in_order
    page.goto(f"{names_site}/games/{digest}/deals/1?step=0")
    for press in ("Home", "End"):  # the words of the last step come from the script
        page.keyboard.press(press)
        assert page.evaluate(LEFT_TO_RIGHT, ["h1", [HEBREW, OTHER]]) == [HEBREW, OTHER]
    said = page.locator("[data-say]")
    expect(said).to_contain_text("The deal is over")
    points = page.locator(".plate-points b").all_inner_texts()
    assert len(points) == 2
    words = said.inner_text().replace("\u2068", "").replace("\u2069", "")
    shown = [
        word
        for word in words.replace(",", " ").replace(".", " ").split()
        if word in {HEBREW, OTHER, *points}
    ]
    assert page.evaluate(LEFT_TO_RIGHT, ["[data-say]", shown]) == shown
