"""What people stumbled over on the pages, and that a test without a browser would not see as they did."""

import pytest
from playwright.sync_api import Page, expect


def test_a_game_of_sides_has_its_points_in_the_list(quiet_page: Page, digests):
    quiet_page.goto("/games?sheet=zetema")
    link = quiet_page.locator(f'a[href="/games/{digests["long names"]}"]')
    expect(link.locator(".player")).to_have_count(2)
    expect(link.locator(".player b")).to_have_count(2)


@pytest.mark.parametrize("path", ["", "/deals/1?step=99999"])
def test_a_settlement_is_shown(quiet_page: Page, digests, path):
    quiet_page.goto(f"/games/{digests['chinese']}{path}")
    expect(quiet_page.get_by_text("Settlement: ").first).to_be_visible()


def test_the_words_of_a_verdict_do_not_deny_its_findings(quiet_page: Page, digests):
    quiet_page.goto(f"/games/{digests['illegal']}")
    expect(quiet_page.locator(".finding").first).to_be_visible()
    assert "no rule was broken" not in quiet_page.inner_text("main").lower()


def test_the_demo_game_is_there_after_any_number_of_uploads(quiet_page: Page):
    quiet_page.goto("/")
    quiet_page.get_by_role("link", name="Watch", exact=False).first.click()
    expect(quiet_page.locator("[data-felt]")).to_be_visible()
    assert "/examples/ace-of-diamonds/" in quiet_page.url
