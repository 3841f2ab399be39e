"""The replay in windows that are short, narrow, or both: phones either way up, and a desk zoomed in."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import COLOURS, barriers
from tests.e2e.table_faults import CARDS_COVERED, CARDS_OUT, NAMES_COVERED, TRICK_COVERED

WINDOWS = ((360, 640), (390, 844), (844, 390), (640, 360), (320, 568), (320, 256))
"""Four phones, and a desk of 1280 x 720 at 200 % and one of 1280 x 1024 at 400 %: WCAG 1.4.10 names the last."""
UNREACHED = """() => {
    const named = (box) => box && [box.left, box.top, box.right, box.bottom].map(Math.round);
    const near = document.querySelector(".near .hand");
    near.scrollIntoView({ block: "center" });
    const hand = near.getBoundingClientRect();
    const keys = document.querySelector(".keys").getBoundingClientRect();
    const out = keys.top < 0 || keys.bottom > innerHeight + 1 || keys.right > innerWidth + 1;
    const small = [...document.querySelectorAll(".key")].map((key) => key.getBoundingClientRect())
        .filter((key) => key.width < 36 || key.height < 40);
    const covered = keys.left < hand.right && hand.left < keys.right && keys.top < hand.bottom - 1 && hand.top < keys.bottom;
    scrollTo(0, 0);
    return { out: out && named(keys), covered: covered && named(hand), small: small.length,
        wide: document.documentElement.scrollWidth > innerWidth };
}"""
"""What keeps the keys from the hand that uses them, or covers the near hand."""


NONE_RAISED = (
    "document.querySelectorAll('[data-choice]').forEach((card) => { card.dataset.choice = ''; })"
)
"""The best cards are raised, and may then touch the melds behind them."""


TABLETS = ((820, 1180), (700, 1000))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["legal", "zetema", "six", "chinese", "polish"])
def test_the_table_holds_and_the_keys_are_in_reach(quiet_page: Page, digests, game):
    quiet_page.emulate_media(reduced_motion="reduce")
    quiet_page.goto(f"/games/{digests[game]}/deals/1?step=60")
    for trick in range(3):
        for width, height in (*WINDOWS, *TABLETS):
            quiet_page.set_viewport_size({"width": width, "height": height})
            where = (trick, width, height)
            assert quiet_page.evaluate(UNREACHED) == {
                "out": False, "covered": False, "small": 0, "wide": False,
            }, where  # fmt: skip
            assert quiet_page.evaluate(CARDS_OUT) == [], where
            assert quiet_page.evaluate(CARDS_COVERED) == 0, where
            assert quiet_page.evaluate(TRICK_COVERED) == 0, where
            assert quiet_page.evaluate(NAMES_COVERED) == [], where
        for _ in range(3):
            quiet_page.keyboard.press("ArrowDown")


@pytest.mark.long
@pytest.mark.parametrize("size", [(1280, 720), (1200, 760)])
def test_the_table_of_a_line_holds_above_its_choices(quiet_page: Page, digests, size):
    """Most lies there in Polish Bezique, where the cards that were won lie face up."""
    quiet_page.set_viewport_size({"width": size[0], "height": size[1]})
    quiet_page.emulate_media(reduced_motion="reduce")
    for step in (112, 124, 148):
        quiet_page.goto(f"/games/{digests['polish']}/deals/1/what-if?step={step}")
        quiet_page.evaluate(NONE_RAISED)
        assert quiet_page.evaluate(CARDS_OUT) == [], step
        assert quiet_page.evaluate(TRICK_COVERED) == 0, step
        assert quiet_page.evaluate(NAMES_COVERED) == [], step


@pytest.mark.long
def test_on_a_phone_that_stands_melds_have_their_names(quiet_page: Page, digests):
    quiet_page.set_viewport_size({"width": 390, "height": 844})
    # Where there is a review, its room is taken from the table.
    quiet_page.request.get(f"/games/{digests['chinese']}/review")
    quiet_page.goto(f"/games/{digests['chinese']}/deals/1?step=90")
    names = quiet_page.locator(".laid .group-name")
    assert names.count() > 2
    felt = quiet_page.locator("[data-felt]").bounding_box()
    for name in names.all():
        expect(name).to_be_visible()
        assert name.evaluate("name => name.scrollWidth <= name.clientWidth + 1")
        box = name.bounding_box()
        assert felt["x"] <= box["x"]
        assert box["x"] + box["width"] <= felt["x"] + felt["width"]


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(844, 390), (320, 256)])
def test_a_short_window_has_no_barrier(quiet_page: Page, digests, width, height):
    quiet_page.set_viewport_size({"width": width, "height": height})
    for game in ("legal", "six"):
        quiet_page.goto(f"/games/{digests[game]}/deals/1?step=60")
        for scheme, rules in (("light", ()), ("dark", COLOURS)):
            quiet_page.emulate_media(color_scheme=scheme)
            assert barriers(quiet_page, rules) == []


@pytest.mark.slow
def test_a_tab_brings_its_panel_into_sight(quiet_page: Page, digests):
    quiet_page.set_viewport_size({"width": 390, "height": 844})
    quiet_page.emulate_media(reduced_motion="reduce")
    quiet_page.goto(f"/games/{digests['legal']}/deals/1?step=60")
    for name in ("Score", "View", "Events"):
        quiet_page.evaluate("scrollTo(0, 0)")
        quiet_page.get_by_role("tab", name=name, exact=True).click()
        panel = quiet_page.locator(".panel.open").bounding_box()
        assert panel["y"] < 422, name
    expect(quiet_page.locator(".event[aria-current]")).to_be_in_viewport()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("button", "figure"), [("Score", "score"), ("Chance", "chance"), ("Final lead", "outlook")]
)
def test_the_list_of_events_keeps_its_share_of_the_column(
    quiet_page: Page, digests, button, figure
):
    """Beside a figure, for which only a high window has room; elsewhere figures have a panel of their own."""
    quiet_page.set_viewport_size({"width": 1920, "height": 1080})
    quiet_page.request.get(f"/games/{digests['random']}/review")
    quiet_page.goto(f"/games/{digests['random']}/deals/1?step=60")
    quiet_page.get_by_role("button", name=button).click()
    expect(quiet_page.locator(f'[data-figure="{figure}"]')).to_be_visible()
    expect(quiet_page.locator("[data-figure]:visible")).to_have_count(1)
    quiet_page.wait_for_load_state("networkidle")
    side, events = (quiet_page.locator(part).bounding_box() for part in (".side", ".events-panel"))
    assert events["height"] > 0.4 * side["height"]
    assert events["y"] + events["height"] <= 1081


NOT_IN_REACH = """() => [...document.querySelectorAll(".outcome-links a")].filter((link) => {
    link.scrollIntoView({ block: "nearest" });
    const box = link.getBoundingClientRect();
    const at = (y) => document.elementFromPoint(box.left + box.width / 2, y);
    return !link.contains(at(box.top + 2)) || !link.contains(at(box.bottom - 2));
}).map((link) => link.textContent)"""
"""The links of the last step that something covers once they are in sight: on a phone the sheet is pulled up for them."""


@pytest.mark.long
@pytest.mark.parametrize("game", ["legal", "zetema", "chinese"])
def test_the_last_step_s_links_are_in_reach_and_uncovered(quiet_page: Page, digests, game):
    quiet_page.emulate_media(reduced_motion="reduce")
    quiet_page.goto(f"/games/{digests[game]}/deals/1?step=99999")
    for width, height in (*WINDOWS, (1280, 720)):
        quiet_page.set_viewport_size({"width": width, "height": height})
        quiet_page.evaluate("scrollTo(0, 0)")
        expect(quiet_page.locator(".outcome-links a").first).to_be_visible()
        assert quiet_page.evaluate(NOT_IN_REACH) == [], (width, height)
