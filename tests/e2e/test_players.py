"""A player's page in the browser: opened from the list, drawn while scrolling, filtered by rulebook."""

import re

import pytest
from playwright.sync_api import Page, expect


@pytest.mark.slow
def test_from_the_list_to_a_player_and_an_opponent(quiet_page: Page):
    page = quiet_page
    page.goto("/statistics")
    page.get_by_role("link", name="Club").click()
    page.get_by_role("link", name="Players", exact=True).click()
    page.get_by_label("Sort by").select_option("rating")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("region", name="Players").get_by_role("link").first.click()
    name = page.get_by_role("heading", level=1).inner_text()
    opponents = page.get_by_role("region", name="Matches by opponent")
    opponents.get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text(name)
    expect(page.get_by_role("region", name="Matches by opponent")).to_contain_text(name)


@pytest.mark.slow
def test_the_figures_are_drawn_as_they_come_into_sight(quiet_page: Page):
    page = quiet_page
    page.goto("/players")
    page.get_by_role("region", name="Players").get_by_role("link").first.click()
    page.wait_for_load_state()  # a click before the script runs chooses no tab
    page.get_by_role("tab", name="Charts").click()
    places = page.locator("#panel-charts [data-chart-address]")
    last = places.last
    assert last.get_attribute("data-drawn") is None
    for place in places.all():
        place.scroll_into_view_if_needed()
        expect(place).to_have_attribute("data-drawn", "")
    expect(page.locator("[data-chart-address] .main-svg").first).to_be_visible()


@pytest.mark.slow
def test_a_page_opens_where_its_address_points_and_knows_its_reader(quiet_page: Page):
    page = quiet_page
    page.goto("/players")
    page.get_by_role("region", name="Players").get_by_role("link").first.click()
    name = page.get_by_role("heading", level=1).inner_text()
    told = re.compile("to name a strength|unlikely to be chance|no strength and no weakness")
    expect(page.locator("[data-part]").get_by_text(told)).to_be_visible()
    expect(page.get_by_role("tabpanel", name="Results")).to_be_visible()
    page.goto(f"{page.url}#rated")
    page.reload()
    expect(page.get_by_role("tabpanel", name="Rating")).to_be_visible()
    expect(page.get_by_role("tabpanel", name="Results")).to_be_hidden()
    page.get_by_role("tab", name="Rating").press("ArrowLeft")
    expect(page.get_by_role("tabpanel", name="Results")).to_be_visible()
    page.get_by_role("button", name="This is me").click()
    page.goto("/events")
    page.get_by_role("link", name=f"{name} (you)").click()
    me = page.get_by_role("button", name="This is me")
    expect(me).to_have_attribute("aria-pressed", "true")
    me.click()
    page.goto("/players")
    expect(page.get_by_role("link", name=f"{name} (you)")).to_have_count(0)


@pytest.mark.slow
def test_one_rulebook_alone(quiet_page: Page):
    page = quiet_page
    page.goto("/players?q=A")
    page.get_by_role("region", name="Players").get_by_role("link").first.click()
    rulebook = page.get_by_role("region", name="Results by rulebook").get_by_role("link").first
    words = rulebook.inner_text()
    rulebook.click()
    expect(page.get_by_text(f"covers {words} only")).to_be_visible()
    page.get_by_role("link", name="All rulebooks").click()
    expect(page.get_by_text("covers all rulebooks")).to_be_visible()


def test_every_column_of_players_and_standings_is_in_sight_on_a_phone(quiet_page: Page):
    page = quiet_page
    page.set_viewport_size({"width": 390, "height": 844})
    for address, name in (("/players", "Players"), ("/standings", "Table of the standing")):
        page.goto(address)
        table = page.get_by_role("region", name=name, exact=True)
        assert table.evaluate("box => box.scrollWidth <= box.clientWidth"), address
