"""Tabs open what they name before the scripts run, and keep it open when they do."""

import re

import pytest
from playwright.sync_api import Page, expect

PLACES = {
    "deal": ("/games/{legal}/deals/1?step=30", "View", "#panel-view", "#panel-events"),
    "player": ("/player?name=Ann", "Luck and skill", "#panel-luck", "#panel-results"),
}


def open_place(page: Page, place: str, digests) -> tuple[str, str, str]:
    page.set_viewport_size({"width": 1280, "height": 720})
    address, tab, opened, closed = PLACES[place]
    page.goto(address.format(**digests), wait_until="domcontentloaded")
    expect(page.locator(closed)).to_be_visible()
    expect(page.locator(opened)).to_be_hidden()
    return tab, opened, closed


@pytest.mark.parametrize("place", PLACES)
def test_a_tab_opens_its_panel_while_the_scripts_are_on_their_way(first_page: Page, digests, place):
    page, held = first_page, []
    page.route(re.compile("/js/(?!theme)"), lambda route: held.append(route))
    address, name, opened, closed = PLACES[place]
    page.goto(address.format(**digests), wait_until="commit")
    page.get_by_role("tab", name=name).click()
    expect(page.locator(opened)).to_be_visible()
    expect(page.locator(closed)).to_be_hidden()
    page.route(re.compile("/js/(?!theme)"), lambda route: route.continue_())
    for route in held:
        route.continue_()
    page.wait_for_selector("[data-tabs][data-ready]")
    expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")
    expect(page.locator(opened)).to_be_visible()
    page.get_by_role("tab").first.click()
    expect(page.locator(closed)).to_be_visible()
    expect(page.locator(opened)).to_be_hidden()


@pytest.mark.parametrize("place", PLACES)
def test_space_opens_the_tab_that_has_the_focus_and_nothing_else(quiet_page: Page, digests, place):
    tab, opened, closed = open_place(quiet_page, place, digests)
    quiet_page.wait_for_selector("[data-tabs][data-ready]")
    quiet_page.get_by_role("tab", name=tab).focus()
    quiet_page.keyboard.press("Space")
    expect(quiet_page.locator(opened)).to_be_visible()
    expect(quiet_page.locator(closed)).to_be_hidden()
    assert "#" not in quiet_page.url
