"""A game inside a link, in the browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.barriers import barriers

WIDTHS = {"legal": 390, "zetema": 820, "chinese": 1440}
"""How wide the window is in which the link of each game is opened."""


@pytest.mark.slow
@pytest.mark.parametrize("game", WIDTHS)
def test_the_link_carries_the_game_to_who_opens_it(quiet_page, digests, game):
    quiet_page.set_viewport_size({"width": WIDTHS[game], "height": 900})
    quiet_page.goto(f"/games/{digests[game]}/deals/1?step=2")
    quiet_page.keyboard.press("ArrowRight")
    quiet_page.locator("#tab-view").click()
    quiet_page.get_by_role("link", name="Permalink with the whole record").click()
    expect(quiet_page).to_have_url(re.compile(r"/replay\?"))
    quiet_page.wait_for_load_state("load")
    expect(quiet_page.locator("[data-number]")).to_have_text("3")
    quiet_page.keyboard.press("ArrowRight")
    expect(quiet_page.locator("[data-number]")).to_have_text("4")
    expect(quiet_page).to_have_url(re.compile("step=4"))
    quiet_page.reload()
    expect(quiet_page.locator("[data-number]")).to_have_text("4")
    quiet_page.keyboard.press("2")
    expect(quiet_page).to_have_url(re.compile("see=1"))
    expect(quiet_page.locator("[data-number]")).to_have_text("4")
    assert barriers(quiet_page) == []


@pytest.mark.slow
def test_without_script_a_link_of_the_list_leads_to_its_step(browser, site, digests):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/games/{digests['legal']}/deals/1?step=2")
    page.get_by_role("link", name="Permalink with the whole record").click()
    page.locator(".event").nth(6).click()
    expect(page.locator("[data-number]")).to_have_text("6")
    context.close()
