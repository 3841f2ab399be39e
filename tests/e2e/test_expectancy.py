"""The chance of winning the match, under the score race."""

import pytest
from playwright.sync_api import Page, Route, expect

FOUND = {
    "who": "Ann", "sheet": "bezique", "matches": 1234, "simulated": 600, "caveat": "Estimated from other matches.",
    "chances": [
        {"step": 0, "chance": 0.5, "low": 0.46, "high": 0.54, "decided": False},
        {"step": 9, "chance": 0.62, "low": 0.57, "high": 0.67, "decided": False},
    ],
}  # fmt: skip
WON = {"step": 12, "chance": 1.0, "low": 1.0, "high": 1.0, "decided": True}


@pytest.mark.slow
def test_it_is_drawn_in_place_of_the_race_or_under_it(quiet_page: Page, digests):
    page = quiet_page
    page.set_viewport_size({"width": 1440, "height": 1000})
    page.route("**/expectancy.json*", lambda route: answer(route))
    page.goto(f"/games/{digests['legal']}/deals/1?step=5")
    show_chance(page)
    place = page.locator("[data-expectancy]")
    expect(place).to_have_attribute("data-drawn", "")
    expect(place.locator(".main-svg").first).to_be_visible()
    expect(place).to_contain_text(
        "Win expectancy of Ann: 50 % (46 to 54 %) at the start of the deal, 62 % (57 to 67 %) at its end. "
        "Estimated from 1,234 stored and 600 simulated matches."
    )
    link = place.get_by_role("link", name="How far to trust it")
    expect(link).to_have_attribute("href", "/statistics/expectancy/bezique")
    expect(page.locator("[data-score-race]")).to_be_hidden()
    page.set_viewport_size({"width": 820, "height": 1180})
    page.get_by_role("tab", name="Score").click()
    expect(page.locator("[data-score-race][data-drawn]")).to_be_visible()
    race = page.locator("[data-score-race]").bounding_box()
    assert place.bounding_box()["y"] >= race["y"] + race["height"]


def show_chance(page: Page) -> None:
    page.get_by_role("button", name="Chance").click()


def answer(route: Route) -> None:
    route.fulfill(json=FOUND)


@pytest.mark.long
def test_a_match_that_is_decided_has_no_interval(quiet_page: Page, digests):
    page = quiet_page
    page.set_viewport_size({"width": 1440, "height": 1000})
    page.route(
        "**/expectancy.json*",
        lambda route: route.fulfill(
            json={**FOUND, "matches": 0, "chances": [*FOUND["chances"], WON]}
        ),
    )
    page.goto(f"/games/{digests['legal']}/deals/1")
    show_chance(page)
    expect(page.locator("[data-expectancy]")).to_contain_text(
        "at the start of the deal, 100 % at its end. Estimated from 600 simulated matches."
    )


@pytest.mark.slow
def test_alone_of_its_rules_a_game_has_a_chance_from_simulated_matches(quiet_page: Page, digests):
    page = quiet_page
    page.set_viewport_size({"width": 1440, "height": 1000})
    with page.expect_response("**/expectancy.json*") as answered:
        page.goto(f"/games/{digests['chinese']}/deals/1")
        show_chance(page)
    assert answered.value.json()["simulated"] > 0
    expect(page.locator("[data-expectancy]")).to_contain_text("simulated matches")
