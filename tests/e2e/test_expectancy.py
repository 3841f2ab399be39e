"""The chance of winning the match, under the score race."""

from playwright.sync_api import Page, Route, expect

FOUND = {
    "who": "Ann", "matches": 1234, "enough": 30, "caveat": "Estimated from other matches.",
    "chances": [{"step": 0, "chance": 0.5, "near": 40.0}, {"step": 9, "chance": 0.62, "near": 22.5}],
}  # fmt: skip


def test_it_is_drawn_under_the_race(quiet_page: Page, digests):
    page = quiet_page
    page.set_viewport_size({"width": 1440, "height": 900})
    page.route("**/expectancy.json*", lambda route: answer(route))
    page.goto(f"/games/{digests['legal']}/deals/1?step=5")
    place = page.locator("[data-expectancy]")
    expect(place).to_have_attribute("data-drawn", "")
    expect(place.locator(".main-svg").first).to_be_visible()
    expect(place).to_contain_text(
        "Win expectancy of Ann: 50 % at the start of the deal, 62 % at its end. "
        "Estimated from 1,234 matches."
    )
    race = page.locator("[data-score-race]").bounding_box()
    assert place.bounding_box()["y"] >= race["y"] + race["height"]


def answer(route: Route) -> None:
    route.fulfill(json=FOUND)


def test_too_few_matches_are_said_to_be(quiet_page: Page, digests):
    page = quiet_page
    page.set_viewport_size({"width": 1440, "height": 900})
    page.route(
        "**/expectancy.json*",
        lambda route: route.fulfill(json={**FOUND, "matches": 3, "chances": []}),
    )
    page.goto(f"/games/{digests['legal']}/deals/1")
    expect(page.locator("[data-expectancy]")).to_contain_text(
        "Win expectancy needs 30 stored matches by these rules. There are 3."
    )


def test_alone_of_its_rules_a_game_has_none(quiet_page: Page, digests):
    page = quiet_page
    page.set_viewport_size({"width": 1440, "height": 900})
    with page.expect_response("**/expectancy.json*") as answered:
        page.goto(f"/games/{digests['chinese']}/deals/1")
    assert answered.value.json()["chances"] == []
    expect(page.locator("[data-expectancy]")).to_be_hidden()
