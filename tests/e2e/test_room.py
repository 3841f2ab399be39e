"""The replay page apart from its keys, which `test_keys.py` presses."""

import re
from datetime import datetime

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import barriers


def open_view(page: Page, digest: str, query: str, width: int = 1440) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"/games/{digest}/deals/1?{query}")
    page.locator("#tab-view").click()


def with_clock_stopped(page: Page, digest: str, query: str) -> None:
    """Open the page, on which from then on only the test lets time pass."""
    page.clock.install(time=datetime(2030, 1, 1))
    open_view(page, digest, query, width=820)
    page.clock.pause_at(datetime(2030, 1, 1, 1))


def led_to(page: Page, pattern: str) -> None:
    """A key has led to another page, whose script is there."""
    expect(page).to_have_url(re.compile(pattern))
    page.wait_for_load_state("load")


def shown(page: Page) -> int:
    return int(page.locator("[data-number]").inner_text())


@pytest.mark.slow
def test_what_a_view_may_show_has_no_barrier(quiet_page, digests):
    open_view(quiet_page, digests["zetema"], "step=9&see=1")
    assert barriers(quiet_page) == []
    quiet_page.locator('[data-hand="1"] [data-card]').first.click()
    expect(quiet_page.locator("[data-card-history]")).to_be_visible()
    assert barriers(quiet_page) == []


@pytest.mark.slow
def test_findings_are_reached_and_a_key_without_one_stays(quiet_page, digests):
    open_view(quiet_page, digests["illegal"], "step=0")
    quiet_page.goto(f"/games/{digests['illegal']}/deals/2?step=0")
    quiet_page.keyboard.press("f")
    expect(quiet_page.locator("[data-finding]:visible").first).to_be_visible()
    quiet_page.keyboard.press("Home")
    quiet_page.keyboard.press("Shift+F")
    assert shown(quiet_page) == 0


@pytest.mark.slow
def test_deals_by_key(quiet_page, digests):
    open_view(quiet_page, digests["legal"], "step=3")
    quiet_page.keyboard.press("PageDown")
    led_to(quiet_page, "/deals/2")
    quiet_page.keyboard.press("PageUp")
    led_to(quiet_page, "/deals/1")


@pytest.mark.slow
def test_a_card_tells_what_became_of_it(quiet_page, digests):
    open_view(quiet_page, digests["legal"], "step=0")
    first = quiet_page.locator('[data-hand="0"] [data-card]').first
    code = first.get_attribute("data-card")
    first.click()
    line = quiet_page.locator("[data-card-history] li button").first
    expect(line).to_be_visible()
    step = int(line.inner_text().split(".")[0])
    line.click()
    assert shown(quiet_page) == step
    assert quiet_page.evaluate(
        """([step, code]) => JSON.parse(document.getElementById("deal").textContent).steps[step].named.includes(code)""",
        [step, code],
    )


def test_it_plays_on_by_itself_until_stopped(first_page, digests):
    with_clock_stopped(first_page, digests["legal"], "step=5")
    first_page.keyboard.press("p")
    first_page.clock.run_for(1300)
    assert shown(first_page) == 6
    first_page.keyboard.press("p")
    first_page.clock.run_for(9000)
    assert shown(first_page) == 6


@pytest.mark.slow
def test_it_plays_as_fast_as_it_was_played_and_cuts_long_pauses(first_page, digests):
    with_clock_stopped(first_page, digests["annotated"], "step=0")
    expect(first_page.get_by_text("pauses of at most 5 seconds")).to_be_visible()
    first_page.keyboard.press("r")
    first_page.clock.run_for(700)
    assert shown(first_page) == 0
    first_page.clock.run_for(200)
    assert shown(first_page) == 1
    first_page.clock.run_for(4800)
    assert shown(first_page) == 1
    first_page.clock.run_for(200)
    assert shown(first_page) == 2
    first_page.get_by_role("button", name="Stop autoplay").click()
    first_page.clock.run_for(9000)
    assert shown(first_page) == 2
    expect(first_page.get_by_role("button", name="Autoplay at recorded speed")).to_be_visible()


def test_where_a_record_has_no_times_there_is_no_real_speed(first_page, digests):
    with_clock_stopped(first_page, digests["legal"], "step=5")
    first_page.keyboard.press("r")
    first_page.clock.run_for(9000)
    assert shown(first_page) == 5
    expect(first_page.get_by_role("button", name="Autoplay at recorded speed")).to_have_count(0)


@pytest.mark.slow
def test_four_colours_and_no_motion_are_kept(quiet_page, digests):
    open_view(quiet_page, digests["legal"], "step=5")
    club = "getComputedStyle(document.documentElement).getPropertyValue('--clubs')"
    before = quiet_page.evaluate(club)
    quiet_page.get_by_role("button", name="Four-colour suits").click()
    quiet_page.get_by_role("button", name="No animation").click()
    quiet_page.reload()
    assert quiet_page.evaluate(club) != before
    assert quiet_page.evaluate("'still' in document.documentElement.dataset")


@pytest.mark.slow
def test_every_address_of_a_view_follows_the_steps(quiet_page, digests):
    open_view(quiet_page, digests["legal"], "step=8&tab=view")
    before = addresses(quiet_page)
    for _ in range(3):
        quiet_page.locator('[data-go="on"]').click()
    assert "until=11" in addresses(quiet_page)["hide"]
    assert {
        name: re.sub(r"(step|until)=11\b", r"\1=8", address)
        for name, address in addresses(quiet_page).items()
    } == before
    assert {"what-if", "see-0", "turn", "picture", "permalink"} < before.keys()
    assert "step=12" in (quiet_page.locator('[data-go="on"]').get_attribute("href") or "")


def addresses(page: Page) -> dict[str, str]:
    """Where each link to another view of the step leads, by its name."""
    return page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('[data-view]')].map((link) => [link.dataset.view, link.href]))"
    )
