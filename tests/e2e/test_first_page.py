"""The first page: a live table, stepped by key, and a question that is answered at once."""

import pytest
from playwright.sync_api import Page, expect


@pytest.mark.slow
def test_the_arrow_keys_step_through_the_deal(quiet_page: Page):
    quiet_page.set_viewport_size({"width": 1440, "height": 900})
    quiet_page.goto("/")
    table = quiet_page.locator("[data-question]")
    said, number = table.locator("[data-say]"), table.locator("[data-number]")
    expect(said).to_have_text(
        "Bruno takes the trick: the ace of clubs is higher than the queen of clubs."
    )
    quiet_page.keyboard.press("ArrowRight")
    expect(said).to_have_text("Bruno plays the 7 of hearts.")
    expect(table.locator(".near .hand .card")).to_have_count(6)
    quiet_page.keyboard.press("ArrowLeft")
    quiet_page.keyboard.press("ArrowLeft")
    expect(number).to_have_text("127")
    table.get_by_role("link", name="Last step").click()
    expect(said).to_contain_text("The deal is over")
    expect(table.locator("[data-outcome]")).to_contain_text("Ada")
    assert quiet_page.url.endswith("/"), "nothing was loaded"
    table.get_by_role("link", name="Open this deal in the replay room").click()
    expect(quiet_page.locator("[data-number]")).to_have_text("153")
    expect(quiet_page.get_by_role("tab", name="Events")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("by", ["keyboard", "card on the table"])
def test_the_question_is_answered_on_the_table(quiet_page: Page, by):
    quiet_page.set_viewport_size({"width": 390, "height": 844})
    quiet_page.goto("/")
    table = quiet_page.locator("[data-question]")
    expect(table.locator("[data-values]")).to_be_hidden()
    if by == "keyboard":
        table.get_by_role("button", name="queen of spades").focus()
        quiet_page.keyboard.press("Enter")
    else:
        table.locator('.near .hand [data-card="QS"]').first.click()
    expect(table.locator("[data-answer]")).to_contain_text("Ada wins the match by 20 points")
    best = table.locator('.near .hand [data-card="AD"]')
    expect(best).to_have_attribute("data-card-value", "−10")
    expect(best).to_have_attribute("data-choice", "best")
    table.get_by_role("link", name="Next step").click()
    expect(table.locator('.far .hand [data-card="TH"]')).to_have_attribute("data-card-value", "+50")
    table.get_by_role("button", name="ace of diamonds").click()
    expect(table.locator("[data-number]")).to_have_text("128")
    expect(table.locator("[data-answer]")).to_contain_text("Bruno wins the match")
