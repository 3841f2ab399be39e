"""Every choice weighed in the browser: try again by key and by finger, progress on the device, the next mistake."""

import re
from datetime import datetime, timedelta

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
    expect(page.get_by_role("main")).to_contain_text("Position 2 of 3 in this drill.")
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
    expect(page.get_by_role("main")).to_contain_text("Position 2 of 3 in this drill.")


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


def returning(page: Page) -> dict:
    return page.evaluate("() => JSON.parse(localStorage.getItem('drill-returns') ?? '{}')")


def on_day(page: Page, days: int) -> None:
    page.clock.set_fixed_time(datetime(2026, 3, 5, 20) + timedelta(days=days))


def choose(page: Page, *, found: bool) -> str:
    """Make a choice that finds the position, or one that misses it; returns the position."""
    position = page.locator("[data-drill]").get_attribute("data-drill")
    links = page.locator("a[data-choice]")
    expect(links.first).to_be_visible()
    for number in range(links.count()):
        address = links.nth(number).get_attribute("href")
        answer = page.request.get(address.replace("/drill?", "/drill.json?")).json()["answer"]
        if answer["found"] == found:
            links.nth(number).click()
            expect(page.locator(".offers")).to_be_visible()
            return position
    raise AssertionError(f"no choice that is found: {found}")


@pytest.mark.slow
def test_what_was_missed_comes_back_after_days(first_page: Page, digests):
    page = first_page
    page.set_viewport_size({"width": 390, "height": 844})
    on_day(page, 0)
    page.goto(f"/games/{digests['annotated']}/drill")
    player = page.locator("[data-drill]").get_attribute("data-player")
    start = f"/player/drill?name={player}"
    missed = choose(page, found=False)
    expect(page.locator("[data-returns]")).to_have_text("This position comes back on 6 March.")
    expect(page.locator("[data-progress-due]")).to_have_text(
        "To come back: 1, the next on 6 March."
    )
    page.goto(start)
    expect(page.locator("[data-due-notice]")).to_be_hidden()  # not yet
    for days, times in ((1, 1), (4, 2), (11, 3)):
        on_day(page, days - 1)
        page.goto(start)
        expect(page.locator("[data-due-notice]")).to_be_hidden()
        on_day(page, days)
        page.goto(start)
        if page.locator("[data-drill]").get_attribute("data-drill") != missed:
            expect(page.locator("[data-due]")).to_have_text("Try what you missed: 1")
            assert barriers(page) == []
            page.keyboard.press("n")
            expect(page.locator("[data-drill]")).to_have_attribute("data-drill", missed)
        assert choose(page, found=True) == missed
        assert returning(page)[player][missed]["times"] == times
    on_day(page, 40)
    page.goto(returning(page)[player][missed]["address"])
    choose(page, found=True)
    assert returning(page) == {}


@pytest.mark.slow
def test_a_second_try_on_one_day_changes_nothing_and_another_miss_begins_anew(
    first_page: Page, digests
):
    page = first_page
    on_day(page, 0)
    page.goto(f"/games/{digests['annotated']}/drill")
    player = page.locator("[data-drill]").get_attribute("data-player")
    missed = choose(page, found=False)
    before = returning(page)
    page.get_by_role("link", name="Once more").click()
    choose(page, found=True)
    assert returning(page) == before
    on_day(page, 1)
    page.goto(before[player][missed]["address"])
    choose(page, found=True)
    assert returning(page)[player][missed] == {
        **before[player][missed],
        "times": 1,
        "day": "2026-03-09",
    }
    page.get_by_role("link", name="Once more").click()
    choose(page, found=False)
    assert returning(page)[player][missed] == {**before[player][missed], "day": "2026-03-07"}
    page.get_by_role("button", name="Forget my progress").click()
    expect(page.locator("[data-progress-of]")).to_be_hidden()
    assert returning(page) == {}


@pytest.mark.slow
def test_a_position_that_is_no_more_is_dropped(browser, site, digests):
    context = browser.new_context(base_url=site)
    page = context.new_page()
    on_day(page, 0)
    page.goto(f"/games/{digests['annotated']}/drill")
    player = page.locator("[data-drill]").get_attribute("data-player")
    gone = {"times": 0, "day": "2026-03-01", "address": f"/player/drill?name={player}&game={'0' * 64}&deal=1&step=1"}  # fmt: skip
    page.evaluate("kept => localStorage.setItem('drill-returns', JSON.stringify(kept))", {player: {"gone": gone}})  # fmt: skip
    page.goto(f"/player/drill?name={player}")
    page.locator("[data-due]").click()
    expect(page.locator("[data-due-notice]")).to_be_hidden()
    assert returning(page) == {}
    expect(page.locator("a[data-choice]").first).to_be_visible()
    context.close()


@pytest.mark.slow
def test_without_scripts_a_drill_works_and_remembers_nothing(browser, site, digests):
    context = browser.new_context(java_script_enabled=False, base_url=site)
    page = context.new_page()
    page.goto(f"/games/{digests['annotated']}/drill")
    expect(page.locator("[data-due-notice]")).to_be_hidden()
    page.locator("[data-choice]").first.click()
    expect(page.locator(".offers")).to_be_visible()
    expect(page.locator("[data-returns]")).to_be_hidden()
    page.get_by_role("link", name="Next position").click()
    expect(page.get_by_role("main")).to_contain_text("Position 2 of 3 in this drill.")
    context.close()


@pytest.mark.slow
def test_a_choice_at_the_position_of_a_day_stays_until_the_answer(quiet_page: Page):
    page = quiet_page
    page.goto("/daily")
    choice = page.locator("button[data-choice]").last
    choice.click()
    says = page.locator("[data-says]")
    expect(says).to_contain_text(f"Your choice: {choice.get_attribute('data-words')}.")
    page.reload()
    expect(says).to_contain_text("The answer comes at 0:00 UTC.")
    expect(page.locator("button[data-choice][aria-pressed=true]")).to_have_count(1)
    assert barriers(page) == []
    day = page.locator("[data-daily]").get_attribute("data-daily")
    assert list(page.evaluate("() => JSON.parse(localStorage.getItem('daily'))")) == [day]
