"""What if in the browser: opened from the replay, played by key and by click, kept and saved."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from records.format import codec
from tests.e2e.barriers import COLOURS, barriers

WIDTHS = {"legal": 390, "zetema": 820, "chinese": 1440, "polish": 390}
"""How wide the window is in which a line of each game is played; the page has to fit all of them."""
GAMES = ("legal", "zetema", "chinese", "polish")


def go_on(page: Page, times: int) -> None:
    """Take the last choice that is offered, so many times."""
    for number in range(1, times + 1):
        page.locator(".choice").last.click()
        expect(page.locator(".line-events li")).to_have_count(number)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_line_is_played_on_by_hand_and_taken_back(quiet_page, digests, game):
    quiet_page.set_viewport_size({"width": WIDTHS[game], "height": 900})
    quiet_page.goto(f"/games/{digests[game]}/deals/1?step=2")
    quiet_page.keyboard.press("ArrowRight")
    quiet_page.keyboard.press("w")
    expect(quiet_page).to_have_url(re.compile("what-if.*step=3"))
    go_on(quiet_page, 3)
    for width in {WIDTHS[game], *WIDTHS.values()}:
        quiet_page.set_viewport_size({"width": width, "height": 900})
        assert quiet_page.evaluate("document.documentElement.scrollWidth") <= width
    quiet_page.set_viewport_size({"width": WIDTHS[game], "height": 900})
    quiet_page.get_by_role("link", name="Undo").click()
    expect(quiet_page.locator(".line-events li")).to_have_count(2)
    quiet_page.reload()
    expect(quiet_page.locator(".line-events li")).to_have_count(2)
    quiet_page.get_by_role("link", name="Back to the deal").click()
    expect(quiet_page.locator("[data-number]")).to_have_text("3")


@pytest.mark.long
def test_the_keyboard_alone_plays_a_card(quiet_page, digests):
    quiet_page.goto(f"/games/{digests['legal']}/deals/1/what-if?step=1#choices")
    quiet_page.locator(".choice").first.focus()
    quiet_page.keyboard.press("Enter")
    expect(quiet_page.locator(".line-events li")).to_have_count(1)
    quiet_page.wait_for_load_state("networkidle")
    quiet_page.keyboard.press("Tab")
    expect(quiet_page.locator(".choices :focus")).to_have_count(1)
    assert quiet_page.evaluate("scrollY") == 0


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_no_barrier_stands_before_a_line(quiet_page, digests, game):
    quiet_page.goto(f"/games/{digests[game]}/deals/1/what-if?step=3")
    go_on(quiet_page, 2)
    for scheme, rules in (("light", ()), ("dark", COLOURS)):
        quiet_page.emulate_media(color_scheme=scheme)
        assert barriers(quiet_page, rules) == []


@pytest.mark.long
def test_a_line_is_saved_with_the_record(quiet_page, digests):
    quiet_page.goto(f"/games/{digests['legal']}/deals/1/what-if?step=1")
    go_on(quiet_page, 2)
    quiet_page.get_by_label("Comment").fill("holds the king back")
    with quiet_page.expect_download() as download:
        quiet_page.get_by_role("button", name="Save the record with this line").click()
    saved = codec.decode(Path(download.value.path()).read_bytes())
    assert saved.digest() == digests["legal"]
    assert [(line.at, len(line.events), line.text) for line in saved.record.lines] == [
        ([0, 1], 2, "holds the king back")
    ]


@pytest.mark.long
def test_another_card_is_named_for_a_draw(quiet_page, digests):
    quiet_page.goto(f"/games/{digests['legal']}/deals/1/what-if?step=3")
    expect(quiet_page.get_by_label(re.compile("Or let .* draw"))).to_be_visible()
    quiet_page.get_by_label(re.compile("Or let .* draw")).select_option("7S")
    quiet_page.get_by_role("button", name="Draw").click()
    expect(quiet_page.locator(".line-events li")).to_have_text(re.compile("draws the 7 of spades"))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_card_of_the_felt_is_played_by_a_click_and_moves_are_taken_back_by_keys(
    quiet_page, digests, game
):
    page = quiet_page
    loaded = []
    page.on("framenavigated", lambda _: loaded.append(page.url))
    documents = []
    page.on(
        "request", lambda request: request.is_navigation_request() and documents.append(request)
    )
    page.goto(f"/games/{digests[game]}/deals/1/what-if?step={1 if game == 'zetema' else 0}")
    events = page.locator(".line-events li")
    card = page.locator("[data-hand] .legal").first
    code = card.get_attribute("data-card")
    card.click()
    expect(events).to_have_count(1)
    expect(page).to_have_url(re.compile(f"line=[a-z]+-\\d-{code}"))
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(events).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(events).to_have_count(1)
    expect(page).to_have_url(re.compile(f"line=[a-z]+-\\d-{code}"))
    page.go_back()
    expect(events).to_have_count(0)
    assert len(documents) == 1
