"""The recorder in the browser: cards by tap and by key, undo, drafts, no connection, and how many taps a deal takes."""

import pytest
from playwright.sync_api import Page, expect

from records.events import Dix, Meld, Play
from records.selfplay import play_game
from tests.e2e.barriers import barriers

SIZES = ((390, 844), (844, 390), (820, 1180), (1440, 900))
MOST_TAPS = 70
WIDER = "document.documentElement.scrollWidth - innerWidth"


def start(page: Page, sheet: str = "marjolet", depth: str = "public", dealer: int = 0) -> None:
    page.goto("/record")
    page.select_option("#sheet", sheet)
    page.fill("#name-0", "Ann")
    page.fill("#name-1", "Bob")
    page.check(f"[name=depth][value={depth}]")
    page.select_option("#dealer", str(dealer))
    page.get_by_role("button", name="Start").click()


def tap(page: Page, card: str) -> None:
    page.locator(f"[data-card='{card}']").click()


def said(page: Page) -> list[str]:
    return page.locator("[data-events] li").all_text_contents()


def type_card(page: Page, card: str) -> None:
    for letter in card.lower():
        page.keyboard.press(letter)


def test_cards_are_tapped_typed_undone_and_kept(quiet_page: Page):
    start(quiet_page)
    expect(quiet_page.locator("[data-turn]")).to_contain_text("turned up")
    tap(quiet_page, "9H")
    expect(quiet_page.locator("[data-turn]")).to_contain_text("Bob to lead")
    type_card(quiet_page, "KS")
    expect(quiet_page.locator("[data-turn]")).to_contain_text("Ann to play")
    tap(quiet_page, "AS")
    expect(quiet_page.locator("[data-events] li")).to_have_count(2)
    quiet_page.keyboard.press("Backspace")
    expect(quiet_page.locator("[data-events] li")).to_have_count(1)
    quiet_page.get_by_role("button", name="Redo").click()
    expect(quiet_page.locator("[data-events] li")).to_have_count(2)
    quiet_page.reload()
    quiet_page.get_by_role("button", name="Ann – Bob").first.click()
    expect(quiet_page.locator("[data-events] li")).to_have_count(2)


@pytest.mark.long
def test_what_is_not_legal_is_recorded_if_it_happened(quiet_page: Page):
    start(quiet_page)
    tap(quiet_page, "9H")
    tap(quiet_page, "KS")
    expect(quiet_page.locator("[data-turn]")).to_contain_text("Ann to play")
    tap(quiet_page, "KS")
    quiet_page.get_by_role("button", name="It really happened so").click()
    expect(quiet_page.locator("[data-due] li").first).to_be_visible()
    expect(quiet_page.locator("[data-events] li")).to_have_count(2)


@pytest.mark.long
def test_no_step_is_lost_without_a_connection(page: Page):
    start(page)
    tap(page, "9H")
    tap(page, "KS")
    expect(page.locator("[data-turn]")).to_contain_text("Ann to play")
    page.route("**/record/next", lambda route: route.abort())
    tap(page, "AS")
    expect(page.locator("[data-turn]")).to_contain_text("No connection")
    tap(page, "TD")
    page.unroute("**/record/next")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("[data-events] li")).to_have_count(3)


@pytest.mark.long
def test_a_draft_moves_by_a_link(quiet_page: Page):
    start(quiet_page)
    tap(quiet_page, "9H")
    tap(quiet_page, "KS")
    quiet_page.get_by_role("button", name="Link for another device").click()
    link = quiet_page.get_by_label("Link with this game").input_value()
    quiet_page.evaluate("localStorage.clear()")
    quiet_page.goto("/rules")
    quiet_page.goto(link)
    expect(quiet_page.locator("[data-events] li")).to_have_count(1)


@pytest.mark.slow
def test_a_deal_of_marjolet_takes_at_most_70_taps(quiet_page: Page):
    """Every tap of a deal in plays and melds is counted: a tap a second makes it 70 seconds."""
    deal = play_game("marjolet", seed=4, deals=1).deals[0]
    start(quiet_page, dealer=deal.dealer)
    taps, done = 1, 0
    tap(quiet_page, deal.turn_up)
    for event in deal.events:
        if not is_chosen(event):
            continue
        done += 1
        expect(quiet_page.locator("[data-recorder]")).to_have_attribute("aria-busy", "false")
        if quiet_page.locator("[data-events] li").count() >= done:
            continue  # it was forced
        if isinstance(event, Play):
            tap(quiet_page, event.card)
        else:
            choose_shown(quiet_page, event)
        taps += 1
    expect(quiet_page.get_by_role("heading", name="The end of the deal")).to_be_visible()
    assert len(said(quiet_page)) == done
    assert taps <= MOST_TAPS


def is_chosen(event) -> bool:
    return isinstance(event, Play | Meld) or (isinstance(event, Dix) and event.action == "exchange")


def choose_shown(page: Page, event) -> None:
    shown = page.locator("[data-shown] button")
    if isinstance(event, Dix):
        shown.filter(has_text="exchange").first.click()
    else:
        page.locator(f"[data-shown] [data-cards='{' '.join(sorted(event.cards))}']").first.click()


@pytest.mark.slow
def test_a_deal_of_scores_takes_at_most_20_taps(quiet_page: Page):
    start(quiet_page, depth="scores")
    taps = 0
    for name, words in [("Ann", "won a trick"), ("Bob", "won a trick")] * 4 + [
        ("Ann", "four aces 100"),
        ("Bob", "common marriage 20"),
        ("Ann", "last trick 10"),
    ]:
        quiet_page.get_by_role("button", name=f"{name}: {words}", exact=True).click()
        taps += 1
    quiet_page.select_option("[data-marker] select", "5")
    quiet_page.get_by_role("button", name="The deal is over").click()
    taps += 3
    expect(quiet_page.locator("[data-players]")).to_contain_text("160")
    assert taps <= 20


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_recorder_has_no_barrier(quiet_page: Page, scheme):
    quiet_page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    start(quiet_page)
    tap(quiet_page, "9H")
    expect(quiet_page.locator("[data-turn]")).to_contain_text("to lead")
    for width, height in SIZES:
        quiet_page.set_viewport_size({"width": width, "height": height})
        assert barriers(quiet_page) == [], (width, height)
        assert quiet_page.evaluate(WIDER) <= 0, (width, height)
    quiet_page.goto("/record")
    assert barriers(quiet_page) == []
