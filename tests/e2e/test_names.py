"""Names as people have them: long ones in one word, and those that are written from right to left."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from analyzer.review.stored import save_review
from records.format import codec
from records.record import Record
from records.selfplay import play_game
from tests.e2e.barriers import FITS_SOON
from tests.e2e.conftest import WEIGHED_LOSSES
from tests.machine.serving import served
from tests.make.weighed_games import written_review

pytestmark = pytest.mark.long

WINDOWS = ((320, 568), (390, 844), (1280, 800))
LONG, ADDRESS, WIDEST = (
    "Wolfeschlegelsteinhausenberger", "christopher.montgomery@example.com", "W" * 200,
)  # fmt: skip
HEBREW, OTHER = "שרה", "דניאל"
PAGES_OF_A_GAME = (
    "/games/{digest}", "/games/{digest}/review", "/games/{digest}/deals/1?step=40", "/games/{digest}/deals/1?step=999",
    "/games/{digest}/deals/1/what-if?step=4", "/embed/games/{digest}/deals/1", "/games/{digest}/drill",
    "/games/{digest}/doubts", "/games/{digest}/notes", "/players/compare?first={first}&second={second}",
    "/player?name={first}", "/player/drill?name={first}", "/games?player={first}",
)  # fmt: skip
OTHER_PAGES = (
    "/", "/games", "/players", "/players?q=nobody", "/events", "/standings?event={event}",
    "/verdicts?game={digest}", "/nothing",
)  # fmt: skip
BROKEN_NUMBERS = """() => [...document.querySelectorAll("main :is(.figure, .number, h1 small)")]
    .filter((each) => each.checkVisibility() && /^[\\d,.]+$|^won$/.test(each.textContent))
    .filter((each) => {
        const text = document.createRange();
        text.selectNodeContents(each);
        return new Set([...text.getClientRects()].map((box) => Math.round(box.top))).size > 1;
    }).map((each) => each.outerHTML)"""
"""Numbers of which a part is on another line."""
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
        "long": game(2, LONG, ADDRESS),
        "widest": game(3, WIDEST, LONG),
        "hebrew": game(4, HEBREW, OTHER),
    }


@pytest.fixture(scope="module")
def names_site(tmp_path_factory: pytest.TempPathFactory, games) -> Iterator[str]:
    """The address of a site with these games; all choices of one have been weighed."""
    files = {f"{name}.json": codec.encode(record) for name, record in games.items()}
    broken = game(5, LONG, ADDRESS)
    events = broken.deals[0].events
    events[1] = replace(events[1], seat=events[0].seat)
    files["broken.json"] = codec.encode(broken)
    with served(tmp_path_factory.mktemp("names"), files) as (address, app):
        save_review(app.extensions["store"], written_review(games["long"], WEIGHED_LOSSES))
        yield address


@pytest.mark.slow
@pytest.mark.parametrize("name", ["long", "widest"])
def test_no_page_is_wider_than_the_window(page: Page, names_site, games, name):
    first, second = (quote(player.name) for player in games[name].players)
    digest = codec.digest(games[name])
    wide = []
    for address in PAGES_OF_A_GAME + OTHER_PAGES:
        path = address.format(digest=digest, first=first, second=second, event=first)
        page.goto(names_site + path)
        for width, height in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            if not page.evaluate(FITS_SOON):
                wide.append((address, width))
            broken = page.evaluate(BROKEN_NUMBERS)
            assert broken == [], (address, width)
    assert wide == [], wide


@pytest.mark.slow
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
