"""Download a record, then delete its game."""

import re

import pytest
from playwright.sync_api import Page, expect

from records.format import codec
from records.selfplay import play_game
from tests.e2e.sending import look_at_text, store_found


@pytest.mark.slow
def test_a_game_is_downloaded_deleted_and_brought_back(quiet_page: Page):
    page = quiet_page
    record = codec.encode(play_game("six-pack-bezique", seed=99, names=["Gil", "Hana"]))
    page.goto("/")
    for _ in range(2):
        look_at_text(page, record.decode())
        store_found(page)
        page.locator(".game-link").click()
        page.get_by_role("link", name="Delete this game").click()
        expect(page.locator("main")).to_contain_text("Gil – Hana: Six-Pack Bezique")
        page.get_by_role("link", name="Delete it for good").click()
        with page.expect_download() as download:
            page.get_by_role("link", name="download it first").click()
        assert download.value.path().read_bytes() == record
        page.go_back()
        page.get_by_role("button", name="Delete the game").click()
        expect(page).to_have_url(re.compile("/games$"))
        expect(page.get_by_role("status")).to_contain_text("Deleted Gil – Hana")
        expect(page.locator(".games")).not_to_contain_text("Hana")
        page.goto("/")


@pytest.mark.slow
def test_a_list_of_games_is_downloaded(quiet_page: Page):
    quiet_page.goto("/games?sheet=zetema")
    with quiet_page.expect_download() as download:
        quiet_page.get_by_role("link", name=re.compile("^Download")).click()
    assert download.value.suggested_filename == "games.jsonl.gz"
