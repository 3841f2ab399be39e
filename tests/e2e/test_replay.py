import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.table_faults import CARDS_COVERED, CARDS_OUT, NAMES_COVERED

LAST = 154
"""The last step of the first deal of the legal game."""

WIDTHS = {390: 844, 820: 1180, 1440: 900, 1920: 1080}
OPENED = (0, 2, 83)
"""Steps at which a page is opened; the others are walked to from there."""
MARKUP = """(page) => ["[data-felt]", "[data-step-comments]", "[data-next]", "[data-options]", "[data-say]"].map((part) => {
    const copy = page.querySelector(part).cloneNode(true);
    copy.querySelector(".comment.own")?.remove();
    return copy.outerHTML;
}).join("").replaceAll(`"${location.origin}/`, '"/')"""
"""The parts of a page that show a step, but for the reader's own note, which only a script knows."""


def open_step(page: Page, digest: str, step: int, deal: int = 1) -> None:
    page.goto(f"/games/{digest}/deals/{deal}?step={step}")


def shown(page: Page) -> int:
    return int(page.locator("[data-number]").inner_text())


def drawn(page: Page) -> str:
    """The table and the words below it, as markup without blanks that do not matter."""
    return without_blanks(page.evaluate(f"() => ({MARKUP})(document)"))


def drawn_by_server(page: Page, digest: str, step: int, deal: int) -> str:
    """The same as the server sends it for a step, read by the browser and touched by no script."""
    read = "(text) => new DOMParser().parseFromString(text, 'text/html')"
    return without_blanks(
        page.evaluate(
            f"(address) => fetch(address).then((answer) => answer.text()).then({read}).then({MARKUP})",
            f"/games/{digest}/deals/{deal}?step={step}",
        )
    )


def without_blanks(markup: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r">\s+|\s+<", lambda m: m[0].strip(), markup))


@pytest.mark.long
def test_keys_lead_through_the_deal(quiet_page: Page, digests):
    open_step(quiet_page, digests["legal"], 10)
    for key, step in (
        ("ArrowRight", 11),
        ("ArrowLeft", 10),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("ArrowDown", 1),
        ("End", LAST),
        ("ArrowRight", LAST),
    ):
        quiet_page.keyboard.press(key)
        assert shown(quiet_page) == step, key
    quiet_page.keyboard.press("ArrowUp")
    expect(quiet_page.locator(".event[aria-current] .event-head")).to_have_text("Trick 32")


@pytest.mark.slow
def test_the_slider_and_the_event_list_lead_to_a_step(quiet_page: Page, digests):
    open_step(quiet_page, digests["legal"], 0)
    quiet_page.get_by_label("Step", exact=True).fill("40")
    assert shown(quiet_page) == 40
    quiet_page.keyboard.press("m")
    assert shown(quiet_page) > 40
    quiet_page.locator('[data-events] [data-step="12"]').click()
    assert shown(quiet_page) == 12


@pytest.mark.slow
def test_the_address_names_the_step_and_leads_back_to_it(quiet_page: Page, digests):
    open_step(quiet_page, digests["legal"], 5)
    quiet_page.keyboard.press("ArrowRight")
    expect(quiet_page).to_have_url(re.compile(r"\?step=6$"))
    before = quiet_page.locator("[data-say]").inner_text()
    quiet_page.reload()
    assert shown(quiet_page) == 6
    assert quiet_page.locator("[data-say]").inner_text() == before


@pytest.mark.slow
def test_moving_a_step_asks_the_server_nothing(quiet_page: Page, complaints, digests):
    quiet_page.emulate_media(reduced_motion="reduce")
    quiet_page.set_viewport_size({"width": 1440, "height": 1100})  # where the chart is drawn
    open_step(quiet_page, digests["legal"], 0)
    quiet_page.wait_for_selector("[data-score-race][data-drawn]")
    asked = len(complaints.requests)
    for _ in range(40):
        quiet_page.keyboard.press("ArrowRight")
    quiet_page.keyboard.press("End")
    expect(quiet_page).to_have_url(re.compile(r"\?step=154$"))
    since = [url for url in complaints.requests[asked:] if not url.endswith("/icon.svg")]
    assert since == []  # the browser fetches the page's icon when it likes


@pytest.mark.slow
@pytest.mark.parametrize("game", ["legal", "illegal", "zetema", "polish", "chinese"])
def test_the_browser_draws_what_the_server_draws(quiet_page: Page, digests, game):
    quiet_page.set_viewport_size({"width": 820, "height": 1180})  # where no chart is drawn
    quiet_page.emulate_media(reduced_motion="reduce")
    quiet_page.goto("/api")
    stopped = game == "illegal"
    deal = 2 if stopped else 1
    for step in (0, 1, 2) if stopped else (0, 1, 2, 3, 9, 17, 44, 83, 120):
        by_server = drawn_by_server(quiet_page, digests[game], step, deal)
        if step in OPENED:
            open_step(quiet_page, digests[game], step, deal)
            assert drawn(quiet_page) == by_server
        quiet_page.keyboard.press("Home" if step else "End")
        quiet_page.get_by_label("Step", exact=True).fill(str(step))
        assert shown(quiet_page) == step
        assert drawn(quiet_page) == by_server


def mark_on_the_chart(page: Page) -> float:
    """Where the mark stands between the chart's left and right end, from 0 to 1."""
    plot = page.locator(
        "[data-score-race] .bglayer rect, [data-score-race] .plot"
    ).first.bounding_box()
    mark = page.locator(".score-race-mark").bounding_box()
    return (mark["x"] + mark["width"] / 2 - plot["x"]) / plot["width"]


@pytest.mark.long
def test_the_chart_moves_with_the_step_and_leads_to_one(quiet_page: Page, digests):
    quiet_page.set_viewport_size({"width": 1440, "height": 1000})
    open_step(quiet_page, digests["legal"], 20)
    race = quiet_page.locator("[data-score-race]")
    quiet_page.wait_for_selector("[data-score-race][data-drawn]")
    for step in (21, 22):
        quiet_page.keyboard.press("ArrowRight")
        expect(race).to_have_attribute("data-step", str(step))
        assert mark_on_the_chart(quiet_page) == pytest.approx(step / LAST, abs=0.03)
    box = race.bounding_box()
    quiet_page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.5)
    quiet_page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.5)
    expect(race).not_to_have_attribute("data-step", "22")
    assert 60 < shown(quiet_page) < 120
    assert mark_on_the_chart(quiet_page) == pytest.approx(shown(quiet_page) / LAST, abs=0.03)


@pytest.mark.long
def test_on_a_phone_tabs_hold_what_lies_beside_the_table(quiet_page: Page, digests):
    quiet_page.set_viewport_size({"width": 390, "height": 844})
    open_step(quiet_page, digests["illegal"], 2, deal=2)
    table = quiet_page.locator("[data-felt]").bounding_box()
    keys = quiet_page.locator(".keys").bounding_box()
    assert table["width"] == 390
    assert keys["y"] + keys["height"] <= 844
    tabs = [tab.bounding_box() for tab in quiet_page.locator("[role=tab]:visible").all()]
    assert len({tab["y"] for tab in tabs}) == 1
    quiet_page.get_by_role("tab", name="Score").click()
    quiet_page.wait_for_selector("[data-score-race][data-drawn]")
    quiet_page.get_by_role("tab", name="Score").press("ArrowLeft")
    quiet_page.get_by_role("button", name="Findings").click()
    expect(quiet_page.locator("[data-events] .finding").first).to_be_visible()
    assert shown(quiet_page) == 2


def test_the_code_at_a_step_opens_the_finding(quiet_page: Page, digests):
    open_step(quiet_page, digests["illegal"], 2, deal=2)
    quiet_page.locator("[data-finding]:visible a").first.click()
    expect(quiet_page.locator("#finding-0")).to_be_in_viewport()


STEPPED = """(times) => {
    const places = new Set();
    for (let step = 0; step < times; step++) {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        places.add(JSON.stringify(["[data-felt]", ".keys"].map(
            (part) => document.querySelector(part).getBoundingClientRect())));
    }
    return [...places];
}"""
"""Where the felt and the keys lie after each of so many steps."""


@pytest.mark.long
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_jumps_when_a_step_is_taken(quiet_page: Page, digests, width):
    quiet_page.set_viewport_size({"width": width, "height": 900})
    open_step(quiet_page, digests["legal"], 0)
    assert len(quiet_page.evaluate(STEPPED, 60)) == 1
    assert shown(quiet_page) == 60


@pytest.mark.slow
@pytest.mark.parametrize("game", ["legal", "zetema", "six", "chinese", "polish"])
def test_cards_stay_on_the_felt_apart_and_can_be_read(quiet_page: Page, digests, game):
    quiet_page.emulate_media(reduced_motion="reduce")
    open_step(quiet_page, digests[game], 60)
    for trick in range(6):
        quiet_page.keyboard.press("ArrowDown")
        for width, height in WIDTHS.items():
            quiet_page.set_viewport_size({"width": width, "height": height})
            where = (trick, width)
            assert quiet_page.evaluate(CARDS_OUT) == [], where
            assert quiet_page.evaluate(NAMES_COVERED) == [], where
            if game in ("zetema", "six", "polish"):
                assert quiet_page.evaluate(CARDS_COVERED) == 0, where


@pytest.mark.long
def test_partners_are_told_by_colour_shape_and_word(quiet_page: Page, digests):
    open_step(quiet_page, digests["six"], 30)
    seats = quiet_page.locator("[data-seat-box]")
    looks = seats.evaluate_all(
        """(boxes) => Object.fromEntries(boxes.map((box) => {
            const dot = getComputedStyle(box.querySelector(".plate-name"), "::before");
            return [box.dataset.seatBox, [dot.backgroundColor, dot.borderRadius, dot.rotate].join()];
        }))"""
    )
    assert [looks[str(seat)] for seat in range(3)] == [looks[str(seat + 3)] for seat in range(3)]
    assert len({*looks.values()}) == 3
    names = [box.get_attribute("aria-label") for box in seats.all()]
    assert all(re.fullmatch(r"\w+, with \w+", name) for name in names)
    quiet_page.set_viewport_size({"width": 1440, "height": 1000})
    quiet_page.wait_for_selector("[data-score-race][data-drawn]")
    expect(quiet_page.locator("[data-score-race] .legendtext")).to_have_text(
        ["Ann, Dan", "Bob, Eve", "Cleo, Fay"]
    )


@pytest.mark.long
def test_without_script_the_step_is_there_and_links_lead_on(browser, site, digests):
    context = browser.new_context(java_script_enabled=False, base_url=site)
    page = context.new_page()
    page.goto(f"/games/{digests['legal']}/deals/1?step=5")
    said = page.locator("[data-say]").inner_text()
    page.get_by_role("link", name="Next step").click()
    expect(page).to_have_url(re.compile(r"\?step=6$"))
    assert page.locator("[data-say]").inner_text() != said
    assert page.locator("[data-hand] .card").count() > 10
    context.close()


@pytest.mark.slow
def test_a_short_game_teaches_chapter_by_chapter(quiet_page: Page):
    page = quiet_page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/rules/marjolet")
    page.get_by_role("link", name="Play through a short game").first.click()
    lesson = page.get_by_role("navigation", name="Lesson")
    expect(lesson.locator("[data-lesson-number]")).to_have_text("1")
    chapters, seen = lesson.locator("[data-chapter]").count(), 1
    while (on := lesson.get_by_role("link", name="Next")).is_visible():
        expect(page.locator("[data-comment-step]:visible").first).to_be_visible()
        expect(on).to_be_in_viewport()
        on.click()
        seen += 1
        expect(lesson.locator("[data-lesson-number]")).to_have_text(str(seen))
    assert seen == chapters <= 40
    lesson.get_by_role("link", name="Back").click()
    expect(lesson.locator("[data-lesson-number]")).to_have_text(str(seen - 1))
    page.keyboard.press("End")
    lesson.get_by_role("link", name="All rules").click()
    expect(page).to_have_url(re.compile("/rules/marjolet$"))
