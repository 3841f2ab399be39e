"""Passing on a step: its short link, its text, the code to embed it, the link that holds the record."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import barriers

COPIES = {
    "Copy the position as text": "Trumps",
    "Copy the HTML to embed it": "<iframe src=",
    "Copy a link that holds the record": "/replay?",
}
PASTED = "() => navigator.clipboard.readText()"


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 1440])
def test_the_step_is_copied_in_every_form_and_its_short_link_leads_back(
    quiet_page: Page, digests, width
):
    page = quiet_page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(f"/games/{digests['legal']}/deals/1?step=20&near=1")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Share").click()
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    status = page.locator("[data-share-status]")
    for name, part in COPIES.items():
        page.get_by_role("button", name=name).click()
        expect(status).to_contain_text("copied")
        assert part in page.evaluate(PASTED)
        if "holds" not in name:
            assert re.search("step=21|event 21 of", page.evaluate(PASTED))
    page.get_by_role("button", name="Copy link").click()
    expect(status).to_have_text("The link is copied.")
    link = page.evaluate(PASTED)
    assert re.search(rf"/games/{digests['legal'][:12]}/deals/1\?", link)
    page.goto(link)
    expect(page.locator("[data-number]")).to_have_text("21")
    expect(page.locator(".near [data-hand]")).to_have_attribute("data-hand", "1")
    expect(page).to_have_title("Ann – Bob, deal 1, Bezique, self-play 3")
