"""Other views of a deal without a reload: what comes hidden, another seat, another deal; and the last step."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import barriers


@pytest.fixture
def loads(quiet_page: Page) -> list[str]:
    """The addresses that the browser itself loads."""
    found: list[str] = []
    quiet_page.on(
        "request", lambda request: found.append(request.url) if request.is_navigation_request() else None
    )  # fmt: skip
    return found


def shows(page: Page, step: int, last: int) -> None:
    expect(page.locator("[data-number]")).to_have_text(str(step))
    expect(page.locator("[data-slider]")).to_have_attribute("max", str(last))


@pytest.mark.slow
def test_with_the_future_hidden_no_step_loads_the_page_and_no_key_is_lost(
    quiet_page: Page, loads, digests
):
    page = quiet_page
    page.goto(f"/games/{digests['legal']}/deals/1?step=20")
    page.locator("#tab-view").click()
    page.get_by_role("link", name="Hide the future").click()
    shows(page, 20, 20)
    expect(page.locator("#tab-view")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("link", name="Show the future")).to_be_visible()
    page.locator("[data-felt]").click(position={"x": 5, "y": 5})
    page.evaluate("document.activeElement.blur()")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    shows(page, 25, 25)
    expect(page).to_have_url(re.compile("until=25"))
    steps = page.evaluate("JSON.parse(document.getElementById('deal').textContent).steps.length")
    assert steps == 26
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("h")
    shows(page, 24, 154)
    page.keyboard.press("2")
    expect(page.locator('[data-hand="0"] [data-card="??"]').first).to_be_visible()
    page.keyboard.press("PageDown")
    expect(page).to_have_url(re.compile("/deals/2"))
    expect(page).to_have_title(re.compile("deal 2"))
    assert barriers(page) == []
    page.go_back()
    shows(page, 24, 154)
    assert len(loads) == 1


@pytest.mark.slow
def test_where_the_server_does_not_answer_with_a_table_the_browser_loads_the_page(
    page: Page, digests
):
    page.goto(f"/games/{digests['legal']}/deals/1?step=20")
    page.route("**/deals/2", lambda route: route.fulfill(status=500, body="<p>no</p>"))
    page.wait_for_function("() => performance.getEntriesByName('ready').length > 0")
    page.keyboard.press("PageDown")
    expect(page.get_by_text("no", exact=True)).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["legal", "chinese", "six"])
def test_the_last_step_says_how_it_ended_and_what_comes_next(quiet_page: Page, digests, game):
    page = quiet_page
    page.goto(f"/games/{digests[game]}/deals/1?step=3")
    outcome = page.locator("[data-outcome]")
    expect(outcome).to_be_hidden()
    page.keyboard.press("End")
    expect(outcome).to_be_visible()
    expect(outcome).to_contain_text(re.compile("wins? the (deal|match)"))
    if game == "chinese":
        expect(outcome).to_contain_text("Settlement: ")
        expect(outcome.get_by_role("link", name="Review")).to_be_visible()
    if game == "legal":
        expect(outcome).to_contain_text("In the match: ")
        outcome.get_by_role("link", name="Deal 2").click()
        expect(page).to_have_url(re.compile("/deals/2"))
    assert barriers(page) == []


@pytest.mark.slow
def test_the_list_is_one_stop_of_the_tab_key(quiet_page: Page, digests):
    page = quiet_page
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"/games/{digests['annotated']}/deals/1?step=4")
    stops = page.locator('[data-events] a:not([tabindex="-1"])')
    expect(stops).to_have_count(1)
    page.locator('.event[data-step="4"]').focus()
    page.keyboard.press("Tab")
    expect(page.locator("#panel-events :focus")).to_have_count(0)
    page.keyboard.press("Shift+Tab")
    expect(page.locator('.event[data-step="4"]')).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator('.event[data-step="5"]')).to_be_focused()
    expect(page.locator("[data-number]")).to_have_text("5")
    expect(stops).to_have_count(1)


@pytest.mark.slow
def test_a_trick_says_who_played_what(quiet_page: Page, digests):
    page = quiet_page
    page.goto(f"/games/{digests['legal']}/deals/1?step=1")
    first = page.locator("[data-trick] svg").first
    by_server = first.get_attribute("aria-label")
    assert re.search("played by (Ann|Bob)$", by_server)
    page.keyboard.press("ArrowRight")
    labels = [card.get_attribute("aria-label") for card in page.locator("[data-trick] svg").all()]
    assert {label.rpartition(" ")[2] for label in labels} == {"Ann", "Bob"}
    assert sum("takes the trick" in label for label in labels) == 1
    page.keyboard.press("ArrowLeft")
    expect(first).to_have_attribute("aria-label", by_server)


@pytest.mark.slow
def test_fingers_step_by_swipe_and_tap(browser, site, digests):
    window = browser.new_context(
        base_url=site, has_touch=True, viewport={"width": 390, "height": 844}
    )
    page = window.new_page()
    page.goto(f"/games/{digests['legal']}/deals/1?step=20")
    felt = page.locator("[data-felt]").bounding_box()
    number = page.locator("[data-number]")
    page.touchscreen.tap(felt["x"] + felt["width"] - 8, felt["y"] + felt["height"] / 2 - 60)
    expect(number).to_have_text("21")
    page.touchscreen.tap(felt["x"] + 4, felt["y"] + felt["height"] / 2 - 60)
    expect(number).to_have_text("20")
    touch = window.new_cdp_session(page)
    y = felt["y"] + felt["height"] / 2
    for start, end, step in ((300, 100, "21"), (100, 300, "20")):
        for kind, x in (
            ("touchStart", start),
            ("touchMove", (start + end) / 2),
            ("touchMove", end),
        ):
            touch.send(
                "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]}
            )
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(number).to_have_text(step)
    window.close()


@pytest.mark.slow
def test_the_address_holds_the_panel_and_the_best_line(quiet_page: Page, digests):
    page = quiet_page
    page.request.get(f"/games/{digests['random']}/review")
    page.goto(f"/games/{digests['random']}/deals/1?step=40&tab=review&best=1")
    expect(page.locator("#panel-review")).to_be_visible()
    expect(page.locator("[data-best-line]")).to_be_visible()
    page.keyboard.press("b")
    expect(page).not_to_have_url(re.compile("best="))
    page.locator("#filter-findings").click()
    expect(page).to_have_url(re.compile("tab=findings"))
