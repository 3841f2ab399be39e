"""A study in a browser: written at the table, read by keys and without scripts."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.barriers import barriers

STUDY = "/study/two-moments"


@pytest.mark.long
def test_a_moment_goes_from_the_table_into_a_study_and_is_read_by_keys(quiet_page: Page, digests):
    quiet_page.goto(f"/games/{digests['legal']}/deals/1?step=4")
    quiet_page.keyboard.press("ArrowRight")
    expect(quiet_page.locator("[data-number]")).to_have_text("5")
    quiet_page.get_by_role("link", name="Add to a study").click()
    expect(quiet_page.locator("[name=event]")).to_have_value("5")
    quiet_page.get_by_label("Study", exact=True).select_option("A new study")
    quiet_page.get_by_label("Title of").fill("Mine")
    card = quiet_page.locator(".near .hand [data-card]").first
    quiet_page.get_by_label("Text").focus()
    card.click()
    expect(quiet_page.get_by_label("Text")).to_have_value(re.compile(r"^(10|.)[♠♥♦♣]$"))
    quiet_page.get_by_label("Ask a question").check()
    quiet_page.get_by_role("textbox", name="Answer").fill("This.")
    quiet_page.get_by_label("Line to step").select_option("as it was played, 4 choices")
    quiet_page.get_by_role("button", name="Add").click()
    expect(quiet_page.get_by_role("heading", name="Mine")).to_be_visible()
    expect(quiet_page.locator(".felt .pointed").first).to_be_visible()
    answer = quiet_page.locator(".study-answer").get_by_text("This.")
    expect(answer).to_be_hidden()
    quiet_page.wait_for_function("() => performance.getEntriesByName('ready').length > 0")
    quiet_page.keyboard.press("a")
    expect(answer).to_be_visible()
    for _ in range(4):
        quiet_page.keyboard.press("ArrowRight")
    expect(quiet_page).to_have_url(re.compile("line=4#here"))
    quiet_page.keyboard.press("ArrowLeft")
    expect(quiet_page).to_have_url(re.compile("line=3#here"))


@pytest.mark.slow
def test_a_study_is_read_without_scripts(browser: Browser, base_url):
    page = browser.new_context(base_url=base_url, java_script_enabled=False).new_page()
    page.goto(STUDY)
    expect(page.get_by_text("For Thursday.")).to_be_visible()
    page.get_by_role("link", name="Next moment").click()
    answer = page.locator(".study-answer").get_by_text("What was played.")
    expect(answer).to_be_hidden()
    page.get_by_role("link", name="Show the answer").click()
    expect(answer).to_be_visible()
    for _ in range(2):
        page.get_by_role("link", name="Step on").click()
    expect(page.locator(".line-note")).to_be_visible()
    expect(page.locator(".study-line [aria-current=step]")).to_have_count(1)
    page.context.close()


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1440, 900)])
def test_the_answer_and_the_table_are_in_sight_together(quiet_page: Page, width, height):
    quiet_page.set_viewport_size({"width": width, "height": height})
    quiet_page.goto(f"{STUDY}/2#study")
    quiet_page.get_by_role("link", name="Show the answer").click()
    for step in (None, 1, 2, 3):
        if step:
            quiet_page.get_by_role("link", name="Step on").click()
            expect(quiet_page).to_have_url(re.compile(f"line={step}"))
        expect(quiet_page.locator("#here")).to_be_in_viewport(ratio=0.9 if step else 0.5)
        expect(quiet_page.locator("[data-felt]")).to_be_in_viewport(ratio=0.6)
    expect(quiet_page.get_by_role("link", name="From the beginning")).to_be_in_viewport()


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 700])
def test_a_study_is_stepped_through_in_a_frame(quiet_page: Page, width):
    quiet_page.set_viewport_size({"width": width, "height": 700})
    quiet_page.goto(f"/embed{STUDY}/1")
    assert barriers(quiet_page) == []
    quiet_page.get_by_role("link", name="Next moment").click()
    quiet_page.get_by_role("link", name="Show the answer").click()
    expect(quiet_page).to_have_url(re.compile(f"/embed{STUDY}/2\\?line=0"))
    assert quiet_page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.long
def test_the_readers_link_is_copied_and_not_the_editing_link(quiet_page: Page, base_url):
    quiet_page.goto(f"{STUDY}/edit")
    quiet_page.wait_for_function("() => performance.getEntriesByName('ready').length > 0")
    quiet_page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")  # fmt: skip
    button = quiet_page.locator("[data-copy=readers-link]")
    button.click()
    expect(button).to_have_text("Copied")
    assert quiet_page.evaluate("window.copied") == f"{base_url}{STUDY}"
