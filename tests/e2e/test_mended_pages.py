"""What people stumbled over on the pages, each with the test that would see it again."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

SEEN_AGAIN_BY = {
    "on a phone on its side the felt was a strip":
        "e2e/test_small_windows.py::test_the_table_holds_and_the_keys_are_in_reach",
    "who had won the match had a chance of 0.8":
        "analyzer/players/test_expectancy.py::test_at_the_end_of_a_match_the_chance_is_its_result",
    "no page showed the settlement":
        "e2e/test_mended_pages.py::test_a_settlement_is_shown",
    "notes that came with a known game were dropped":
        "webui/test_added_notes.py::test_notes_of_a_known_game_are_added_once_and_said",
    "a filter found no rulebook by its name":
        "webui/test_explore.py::test_a_rulebook_is_named_as_people_name_it",
    "on a phone a hand of Zetema lay over the tableau, and a card over a name":
        "e2e/test_replay.py::test_cards_stay_on_the_felt_apart_and_can_be_read",
    "with the future hidden every step loaded the page, and keys were lost":
        "e2e/test_in_place.py::test_with_the_future_hidden_no_step_loads_the_page_and_no_key_is_lost",
    "after twelve uploads nothing led to a demo game":
        "e2e/test_mended_pages.py::test_the_demo_game_is_there_after_any_number_of_uploads",
    "of many best cards three were named":
        "webui/test_reviews.py::test_every_best_card_is_named_or_counted",
    "a skill of 0 beside many points lost was not explained":
        "e2e/test_review.py::test_luck_is_asked_for_watched_and_drawn",
    "rulebooks were compared by breaches, of which each counts its own":
        "webui/test_identify.py::test_rulebooks_are_compared_by_the_events_before_a_breach",
    "options were said to be the record's that it does not have":
        "webui/test_identify.py::test_options_that_the_record_does_not_have_are_not_said_to_be_its_own",
    "players were in another order than was said":
        "webui/test_club.py::test_the_order_by_rating_is_the_column_that_says_so",
    "partners had no score in lists":
        "e2e/test_mended_pages.py::test_a_game_of_sides_has_its_points_in_the_list",
    "twelve letters of a digest led nowhere":
        "webui/test_games.py::test_twelve_letters_of_a_digest_lead_to_a_game_wherever_all_do",
    "on paper a page was a page":
        "e2e/test_print.py::test_a_game_prints_its_score_sheet_and_a_deal_its_table",
    "“no rule was broken” stood above a finding":
        "e2e/test_mended_pages.py::test_the_words_of_a_verdict_do_not_deny_its_findings",
    "two rulebooks had one colour, and one had two":
        "e2e/test_explore.py::test_a_bar_has_the_one_colour_of_its_rulebook_and_a_click_opens_its_games",
    "going back or reloading lost a verdict":
        "e2e/test_upload.py::test_a_verdict_is_there_again_after_going_back_and_after_a_reload",
}  # fmt: skip


def test_every_test_of_the_list_is_there():
    for place in SEEN_AGAIN_BY.values():
        file, _, name = place.partition("::")
        text = (Path(__file__).parents[1] / file).read_text(encoding="utf-8")
        assert re.search(rf"^def {name}\(", text, re.MULTILINE), place


@pytest.mark.long
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


@pytest.mark.slow
def test_the_demo_game_is_there_after_any_number_of_uploads(quiet_page: Page):
    quiet_page.goto("/")
    quiet_page.get_by_role("link", name="Watch", exact=False).first.click()
    expect(quiet_page.locator("[data-felt]")).to_be_visible()
    assert "/examples/ace-of-diamonds/" in quiet_page.url


def test_a_text_without_a_blank_makes_no_page_wider(page: Page, digests: dict[str, str]):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/games/{digests['annotated']}")
    page.get_by_text("Correct this game").click()
    page.locator("#fact-site").fill("W" * 200)
    page.locator("#why").fill("w" * 400)
    page.get_by_role("button", name="Correct", exact=True).click()
    said = page.locator("#corrections ~ .notice")
    expect(said).to_contain_text("Corrected 1 entry.")
    said.evaluate("notice => notice.append('W'.repeat(300))")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.get_by_role("button", name="Undo correction 1").click()
    expect(said).to_contain_text("Undid correction 1.")
