"""At every decision of ten games, at eight sizes of the window and at 200 % text: no text is cut, no control out of reach.

`BEZIQUE_DECISIONS` is how many decisions of a deal are looked at: without it all are. `BEZIQUE_DEALS` is how many deals of
a game, the first and the last of the match among them: without it three. With large text it is the first deal of each.
"""

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from analyzer.review.deep_review import ReviewTerms
from analyzer.review.reviewer import review_record
from analyzer.review.stored import save_review
from records.format import codec
from records.selfplay import play_game
from tests.e2e.conftest import WEIGHED_LOSSES, annotated
from tests.machine.serving import served
from tests.make.weighed_games import written_review

SIZES = (
    (390, 844), (844, 390), (820, 1180), (1280, 720), (1440, 900), (1920, 1080), (360, 640), (1040, 600),
)  # fmt: skip
SHEETS = (
    "bezique", "bezique-enhanced", "polish-bezique", "rubicon-bezique", "chinese-bezique", "marjolet", "zique",
    "six-pack-bezique",
)  # fmt: skip
"""The deals of a match by these are many, or their names of melds long: with the two games below they make ten."""
MOST_DECISIONS = int(os.environ.get("BEZIQUE_DECISIONS", "1000"))
MOST_DEALS = int(os.environ.get("BEZIQUE_DEALS", "3"))

FAULTS = """async ([steps, isRoomy]) => {
    const found = new Set();
    const say = (what, part) => found.add(`${what}: ${part.className || part.tagName}: ${part.textContent.trim().slice(0, 60)}`);
    const isSeen = (part) => part.checkVisibility({ visibilityProperty: true })
        && part.getBoundingClientRect().width > 1 && !part.closest(".hidden-words, .skip, svg, dialog, option, .grip, [inert]");
    const holds = (box, inner) => inner.left >= box.left - 1 && inner.right <= box.right + 1
        && inner.top >= box.top - 1 && inner.bottom <= box.bottom + 1;
    const words = document.createRange();
    const linesOf = (part) => [...part.childNodes]
        .filter((node) => node.nodeType === 3 && node.data.trim())
        .flatMap((node) => { words.selectNodeContents(node); return [...words.getClientRects()]; });
    const scrolls = (part) => /auto|scroll/.test(getComputedStyle(part).overflowY)
        && part.matches(".side, .panel, html, body");
    // Text that some box cuts, and that no scroller brings into sight.
    const look = (part) => {
        const lines = linesOf(part);
        if (!lines.length) return;
        for (let box = part; box && box !== document.body; box = box.parentElement) {
            const style = getComputedStyle(box);
            if (style.overflowX === "visible" && style.overflowY === "visible") continue;
            if (scrolls(box)) break;
            const edge = box.getBoundingClientRect();
            if (lines.some((line) => !holds(edge, line))) return say("cut", part);
        }
        if (lines.some((line) => line.left < -1 || line.right > innerWidth + 1)) say("outside", part);
    };
    // Whether a part, brought into sight, is not under something else.
    const reach = (part) => {
        const boxes = () => [...part.getClientRects()].filter((box) => box.width && box.height);
        const isControl = part.matches("a, button, input, select");
        // A text higher than what scrolls it is read from its beginning to its end.
        for (const [block, end] of isControl ? [["nearest", 0]] : [["nearest", 0], ["end", -1]]) {
            part.scrollIntoView({ block, behavior: "instant" });
            const box = boxes().at(end);
            if (!box) return;
            const on = document.elementFromPoint(box.left + Math.min(box.width / 2, 8), (end ? box.bottom - 4 : Math.max(box.top, 0) + Math.min(box.height / 2, 8)));
            if (!on || !(part.contains(on) || on.contains(part))) return say(`under ${on?.className}`, part);
        }
    };
    const settle = () => { scrollTo(0, 0); document.querySelector(".side").scrollTop = 0; };
    const slider = document.querySelector("[data-slider]");
    for (const step of steps) {
        slider.value = step;
        slider.dispatchEvent(new Event("input"));
        settle();
        for (const part of document.querySelectorAll(".room :is(h1, p, span, b, small, li, a, button)"))
            if (!part.closest(".panel") && isSeen(part)) look(part);
        const must = [...document.querySelectorAll(innerWidth > 640 ? ".say, .judgement, .better" : ".say")].filter(isSeen);
        const bar = document.querySelector(".controls").getBoundingClientRect();
        const side = document.querySelector(".side").getBoundingClientRect();
        const foot = bar.left < side.right && side.left < bar.right && bar.top > side.top ? bar.top : innerHeight;
        for (const part of must)
            if (isRoomy && part.getBoundingClientRect().bottom > foot + 1) say("below the edge", part);
        const always = ", .controls :is(a, button, input, select), .tabs button, .event-filters button";
        for (const part of document.querySelectorAll(`.step-text :is(p, li, a, button)${step === steps[0] ? always : ""}`))
            if (isSeen(part)) reach(part);
        settle();
    }
    if (document.documentElement.scrollWidth > innerWidth) found.add("the page is too wide");
    return [...found];
}"""
"""What is wrong at these steps: text that is cut, what cannot be brought into sight, and, where the window has room for it,
what one must scroll to of the headline, and beyond a phone of the verdict and the better card."""


@pytest.fixture(scope="module")
def reviewed(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[str, dict[str, tuple[str, int]]]]:
    """The address of a site with ten games, and their digests and numbers of deals; one is reviewed deeply, all others at once."""
    games = {sheet: play_game(sheet, seed=26, style="random") for sheet in SHEETS}
    games["long names"] = play_game(
        "bezique",
        seed=3,
        names=["Maximiliane of the Thursday Club", "Bartholomew Featherstonehaugh"],
    )
    games["annotated"] = annotated()
    files = {f"{name}.json": codec.encode(game) for name, game in games.items()}
    with served(tmp_path_factory.mktemp("cut"), files) as (address, app):
        for name, game in games.items():
            review = (
                written_review(game, WEIGHED_LOSSES)
                if name == "annotated"
                else review_record(game, terms=ReviewTerms(worlds=0))
            )
            save_review(app.extensions["store"], review)
        yield address, {name: (codec.digest(game), len(game.deals)) for name, game in games.items()}


def faults(page: Page, size: tuple[int, int], *, large: bool = False) -> list[str]:
    review: dict[str, Any] = json.loads(page.locator("#review").text_content() or "")
    steps = sorted(
        map(int, review["best"]), key=lambda step: (step not in review["mistakes"], step)
    )
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate(
        "(text) => { document.documentElement.style.fontSize = text; }", "200%" if large else ""
    )
    is_roomy = not large and size[1] >= 720
    found = page.evaluate(FAULTS, [sorted(steps[:MOST_DECISIONS]), is_roomy])
    return [f"{size}{' at 200 %' if large else ''}: {fault}" for fault in found]


@pytest.fixture
def room(browser: Browser, reviewed) -> Iterator[Page]:
    window = browser.new_context(base_url=reviewed[0], reduced_motion="reduce")
    yield window.new_page()
    window.close()


@pytest.mark.long
def test_no_text_is_cut_at_a_mistake(quiet_page: Page, digests, monkeypatch):
    """Three decisions of one deal: a sample of the test below."""
    monkeypatch.setattr(f"{__name__}.MOST_DECISIONS", 3)
    quiet_page.emulate_media(reduced_motion="reduce")
    quiet_page.goto(f"/games/{digests['annotated']}/deals/1?step=0&best=1")
    found = [fault for size in SIZES for fault in faults(quiet_page, size)]
    found += [fault for size in SIZES[:4] for fault in faults(quiet_page, size, large=True)]
    assert found == []


def spread(deals: int, most: int) -> list[int]:
    """Numbers of deals, evenly spread from the first to the last."""
    steps = max(1, min(deals, most) - 1)
    return sorted({1 + (deals - 1) * step // steps for step in range(min(deals, most))})


def test_the_deals_looked_at_are_the_first_the_last_and_some_between() -> None:
    assert [spread(9, most) for most in (1, 2, 3)] == [[1], [1, 9], [1, 5, 9]]
    assert spread(4, 1000) == [1, 2, 3, 4]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SHEETS, "long names", "annotated"])
def test_no_text_is_cut_and_no_control_is_out_of_reach_at_any_decision(room: Page, reviewed, name):
    digest, deals = reviewed[1][name]
    found = []
    for deal in spread(deals, MOST_DEALS):
        room.goto(f"/games/{digest}/deals/{deal}?step=0&best=1")
        if not room.locator("#review").count():
            continue
        for size in SIZES:
            found += faults(room, size)
            found += faults(room, size, large=True) if deal == 1 else []
    assert list(dict.fromkeys(found)) == []
