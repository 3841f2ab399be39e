"""A review in the browser: the next mistake, the best line, the outlook."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import barriers

IN_SIGHT = """() => {
    const line = document.querySelector(".event[aria-current]").getBoundingClientRect();
    const list = document.querySelector(".events-panel").getBoundingClientRect();
    return line.top >= list.top && line.bottom <= list.bottom;
}"""


def opened(page: Page, digests) -> dict:
    page.set_viewport_size({"width": 1440, "height": 1000})
    page.goto(f"/games/{digests['random']}/review")
    page.goto(f"/games/{digests['random']}/deals/1")
    return json.loads(page.locator("#review").text_content())


def number(page: Page) -> int:
    return int(page.locator("[data-number]").text_content())


@pytest.mark.long
def test_a_key_leads_to_the_step_before_the_next_mistake(quiet_page: Page, digests):
    page = quiet_page
    review = opened(page, digests)
    assert len(review["mistakes"]) > 1
    for step in review["mistakes"][:2]:
        page.keyboard.press("e")
        expect(page.locator("[data-number]")).to_have_text(str(step))
    page.keyboard.press("ArrowRight")
    line = page.locator('[data-step][aria-current="step"]')
    expect(line.locator(".event-lost")).to_contain_text(re.compile(r"−\d+"))
    page.keyboard.press("Shift+E")
    assert number(page) == review["mistakes"][1]


@pytest.mark.slow
def test_the_best_line_is_one_key_away_and_not_shown_before(quiet_page: Page, digests):
    page = quiet_page
    review = opened(page, digests)
    solved = [step for step in review["mistakes"] if review["best"][str(step)]["line"]]
    page.locator("[data-slider]").fill(str(solved[0]))
    best = page.locator("[data-best-line]")
    expect(best).to_be_hidden()
    page.keyboard.press("b")
    expect(best).to_be_visible()
    found = review["best"][str(solved[0])]
    expect(best).to_contain_text(f"Best: {found['line']}.")
    expect(best).to_contain_text(f"loses {float(found['lost']):.0f} points by playing")
    expect(best.locator("li")).to_have_count(len(found["offers"]))
    for choice in ("best", "did"):
        offer = next(offer for offer in found["offers"] if offer[choice])
        mark = page.locator(f'[data-felt] [data-choice="{choice}"]').first
        expect(mark).to_have_attribute("data-card", offer["card"])
        expect(mark).to_have_attribute("data-card-value", offer["worth"])
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(page.locator('[data-felt] [data-choice="did"]').first).to_be_visible()
    assert barriers(page) == []
    steps = json.loads(page.locator("#deal").text_content())["steps"]
    led = next(
        int(step) for step in review["best"] if steps[int(step)]["say"].count("takes the trick")
    )
    page.locator("[data-slider]").fill(str(led - 1))
    expect(best).to_contain_text(f"Best: {review['best'][str(led)]['line']}.")
    page.keyboard.press("End")
    expect(best).to_contain_text("No decision at this step.")
    page.keyboard.press("b")
    expect(best).to_be_hidden()
    expect(page.locator("[data-card-value]")).to_have_count(0)


@pytest.mark.slow
def test_the_list_of_mistakes_leads_to_each_and_begins_with_the_costliest(
    quiet_page: Page, digests
):
    page = quiet_page
    review = opened(page, digests)
    page.get_by_role("button", name="Mistakes").click()
    expect(page.locator("#panel-review")).to_be_visible()
    costliest = max(review["mistakes"], key=lambda step: float(review["best"][str(step)]["lost"]))
    page.locator(".told").first.click()
    assert number(page) == costliest
    expect(page.locator("[data-best-line]")).to_be_visible()
    page.locator("[data-slider]").fill("0")
    for step in review["mistakes"]:
        page.locator(".step-text").get_by_role("button", name="Next mistake").click()
        assert number(page) == step


@pytest.mark.slow
def test_the_outlook_is_drawn_in_place_of_the_race_or_under_it(quiet_page: Page, digests):
    page = quiet_page
    opened(page, digests)
    page.get_by_role("button", name="Final lead").click()
    page.wait_for_selector("[data-outlook][data-drawn]")
    expect(page.locator("[data-score-race]")).to_be_hidden()
    page.set_viewport_size({"width": 820, "height": 1180})
    page.get_by_role("tab", name="Score").click()
    page.wait_for_selector("[data-score-race][data-drawn]")
    race = page.locator("[data-score-race]").bounding_box()
    assert page.locator("[data-outlook]").bounding_box()["y"] >= race["y"] + race["height"]


@pytest.mark.parametrize("step", [12, 20])
def test_a_list_that_loses_height_keeps_the_line_of_the_step_in_sight(
    quiet_page: Page, digests, step: int
):
    """As when the charts above it come late."""
    page = quiet_page
    page.set_viewport_size({"width": 1440, "height": 1100})
    page.goto(f"/games/{digests['legal']}/deals/1?step={step}")
    page.wait_for_selector(".events-panel.whole")
    page.set_viewport_size({"width": 1440, "height": 640})
    page.wait_for_function(IN_SIGHT)


def test_with_nothing_reviewed_the_keys_do_nothing(quiet_page: Page, digests):
    page = quiet_page
    page.goto(f"/games/{digests['legal']}/deals/1?see=0")
    for key in ("e", "l", "b"):
        page.keyboard.press(key)
    assert number(page) == 0


@pytest.mark.slow
def test_luck_is_asked_for_watched_and_drawn(quiet_page: Page, digests):
    page = quiet_page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/games/{digests['random']}/review")
    page.get_by_label("Simulations of each position").select_option("20")
    page.get_by_role("button", name="Estimate luck and skill").click()
    expect(page.locator("figure.luck").first).to_be_visible()
    expect(page.locator("figure.luck figcaption").first).to_contain_text(
        "Decisions are compared with theirs: whoever plays like them has a skill of 0 by definition"
    )
    expect(page.get_by_text("Each deal below has an estimate from 20")).to_be_visible()
    assert page.url.endswith("#luck")
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.goto(f"/games/{digests['random']}/deals/1")
    page.locator("#filter-review").click()
    expect(page.locator("#panel-review figure.luck")).to_be_visible()
    ends = "[document.documentElement.scrollHeight, Math.round(document.body.getBoundingClientRect().height)]"
    assert len(set(page.evaluate(ends))) == 1
    assert barriers(page) == []
