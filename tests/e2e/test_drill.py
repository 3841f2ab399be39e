"""Every choice weighed in the browser: try again by key and by finger, progress on the device, the next mistake."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import barriers

MARK = "() => { window.marked = true }"
IS_SAME_PAGE = "() => window.marked === true"


def stored(page: Page) -> dict:
    return page.evaluate("() => JSON.parse(localStorage.getItem('drill') ?? '{}')")


@pytest.mark.slow
def test_a_position_is_tried_by_key_and_answered_without_a_reload(quiet_page: Page, digests):
    page = quiet_page
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"/games/{digests['annotated']}/drill")
    page.evaluate(MARK)
    expect(
        page.get_by_text(re.compile(r"You are (Gus|Hal)\. What would you play\?"))
    ).to_be_visible()
    expect(page.locator(".offers")).to_have_count(0)
    number = page.locator("[data-choice]").count()
    page.keyboard.press(str(number))
    expect(page.locator(".offers li")).to_have_count(number)
    expect(page.locator(".offers li[data-choice=best]").first).to_contain_text("±")
    assert barriers(page) == []
    assert page.evaluate(IS_SAME_PAGE)
    (player,) = stored(page)
    expect(page.get_by_role("heading", name=f"Progress of {player}")).to_be_visible()
    asked = page.locator("[data-drill]").get_attribute("data-drill")
    page.go_back()
    expect(page.locator("[data-choice]")).to_have_count(number)
    page.go_forward()
    expect(page.locator(".offers li")).to_have_count(number)
    assert [position for position, *_ in stored(page)[player]] == [
        asked
    ]  # coming back is no new try
    page.get_by_role("button", name="Forget my progress").click()
    expect(page.locator("[data-progress-of]")).to_be_hidden()
    assert stored(page) == {}
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="Try again")).to_contain_text("2 of 3")
    assert page.evaluate(IS_SAME_PAGE)


@pytest.mark.long
def test_a_position_is_tried_by_finger_on_a_phone(quiet_page: Page, digests):
    page = quiet_page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/games/{digests['annotated']}/drill")
    page.locator(".near [data-hand] [data-card].legal").first.click()
    expect(page.locator(".offers")).to_contain_text("yours")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    expect(page.get_by_role("link", name="Next position")).to_be_in_viewport()
    page.get_by_role("link", name="Next position").click()
    expect(page.get_by_role("heading", name="Try again")).to_contain_text("2 of 3")


@pytest.mark.slow
def test_the_key_of_the_next_mistake_leads_to_weighed_ones(quiet_page: Page, digests):
    page = quiet_page
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"/games/{digests['annotated']}/review")
    page.get_by_role("link", name="Try again at turning point 1").click()
    step = re.search(r"step=(\d+)", page.url)[1]
    page.goto(f"/games/{digests['annotated']}/deals/1?best=1")
    page.keyboard.press("e")
    best = page.locator("[data-best-line]")
    expect(best).to_contain_text("probably loses")
    expect(best.locator("li[data-choice=did]")).to_contain_text("±")
    line = page.locator(f'[data-events] [data-step="{int(step) + 1}"]')
    expect(line).to_contain_text("blunder −70 ±")
