"""Looking at a game together, in two browsers."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.barriers import barriers

STEP = "[data-number]"


@pytest.fixture
def other(browser: Browser, site: str) -> Iterator[Page]:
    """A page in a browser of somebody else."""
    with browser.new_context(base_url=site) as window, window.new_page() as page:
        yield page


def link_of(page: Page) -> str:
    """Show the steps of a page to others; the link."""
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Show my steps to others").click()
    link = page.get_by_label("Link that moves with you")
    expect(link).to_have_value(re.compile(r"/together/[\w-]+$"))
    address = link.input_value()
    page.get_by_role("button", name="Close").click()
    return address


@pytest.mark.slow
def test_a_page_moves_with_the_steps_of_another_until_that_one_stops(quiet_page, other, digests):
    quiet_page.goto(f"/games/{digests['legal']}/deals/1?step=4")
    other.goto(link_of(quiet_page))
    expect(other.locator(STEP)).to_have_text("4")
    expect(other.get_by_role("button", name="You follow")).to_be_visible()
    quiet_page.keyboard.press("ArrowRight")
    expect(other.locator(STEP)).to_have_text("5")
    quiet_page.get_by_role("link", name="Deal 2", exact=True).click()
    expect(other.get_by_text("Deal 2 of")).to_be_visible()
    quiet_page.keyboard.press("End")
    last = quiet_page.locator(STEP).inner_text()
    expect(other.locator(STEP)).to_have_text(last)
    quiet_page.reload()  # whoever loads the page again has not left
    expect(quiet_page.get_by_role("button", name="Others follow")).to_be_visible()
    quiet_page.keyboard.press("Home")
    expect(other.locator(STEP)).to_have_text("0")
    quiet_page.get_by_role("button", name="Others follow").click()
    assert barriers(quiet_page) == []
    quiet_page.get_by_role("button", name="Stop", exact=True).click()
    expect(other.get_by_role("button", name="No longer followed")).to_be_visible()
    assert "follow=" not in other.url
    assert barriers(other) == []


@pytest.mark.slow
def test_who_follows_may_stop_and_a_shared_link_does_not_follow(quiet_page, other, digests):
    quiet_page.goto(f"/games/{digests['legal']}/deals/1?step=4")
    other.goto(link_of(quiet_page))
    expect(other.locator(STEP)).to_have_text("4")
    other.get_by_role("button", name="You follow").click()
    assert "follow" not in other.get_by_label("Link", exact=True).input_value()
    other.get_by_role("button", name="Stop", exact=True).click()
    other.get_by_role("button", name="Close").click()
    quiet_page.keyboard.press("ArrowRight")
    other.wait_for_timeout(500)
    expect(other.locator(STEP)).to_have_text("4")
