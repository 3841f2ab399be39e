"""Rulebooks side by side: usable by keyboard, readable on a phone."""

import pytest
from playwright.sync_api import Page, expect

PHONE = {"width": 390, "height": 844}


@pytest.mark.slow
def test_rulebooks_are_chosen_with_the_keyboard_and_stand_in_the_address(quiet_page: Page):
    quiet_page.goto("/rules/compare")
    quiet_page.locator("summary").focus()
    quiet_page.keyboard.press("Enter")
    for name in ("Zique", "Marjolet"):
        quiet_page.get_by_label(name, exact=True).focus()
        quiet_page.keyboard.press("Space")
    quiet_page.get_by_label("Highlight differences from").select_option("zique")
    quiet_page.get_by_role("button", name="Compare").focus()
    quiet_page.keyboard.press("Enter")
    expect(quiet_page.get_by_role("columnheader")).to_have_text(["Property", "Zique", "Marjolet"])
    assert "sheet=marjolet&sheet=zique&against=zique" in quiet_page.url
    quiet_page.reload()
    expect(quiet_page.locator("summary")).to_have_text("2 of 12 rulebooks")


@pytest.mark.slow
def test_on_a_phone_three_rulebooks_fit_and_the_property_stays_in_sight(quiet_page: Page):
    quiet_page.set_viewport_size(PHONE)
    quiet_page.goto("/rules/compare?sheet=bezique&sheet=zique&sheet=polish-bezique")
    heads = quiet_page.get_by_role("columnheader")
    for i in range(heads.count()):
        box = heads.nth(i).bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= PHONE["width"]
    quiet_page.goto("/rules/compare")
    quiet_page.locator(".side-by-side").evaluate("box => box.scrollTo(600, 300)")
    corner = quiet_page.get_by_role("columnheader").first.bounding_box()
    table = quiet_page.locator(".side-by-side").bounding_box()
    assert corner is not None
    assert table is not None
    assert abs(corner["x"] - table["x"]) <= 2
    assert abs(corner["y"] - table["y"]) <= 2
