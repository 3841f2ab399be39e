"""The recorder in the browser: cards by tap and by key, undo, drafts, no connection, and how many taps a deal takes."""

import re

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from records.events import Dix, Draw, Meld, Play
from records.format import codec
from records.format.notation_writer import write_notation
from records.selfplay import play_game
from tests.e2e.barriers import barriers

SIZES = ((390, 844), (844, 390), (820, 1180), (1440, 900))
MOST_TAPS, MOST_TAPS_OF_A_SEAT = 70, 150
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


def happened(page: Page, what: str, cards: str = "") -> None:
    """Enter what the page does not offer."""
    if not page.locator("[data-other]").is_visible():
        page.get_by_text("Something else happened").click()
    page.select_option("#other-what", what)
    if cards:
        page.fill("#other-cards", cards)
    page.get_by_role("button", name="It happened so").click()


@pytest.mark.long
def test_a_meld_that_is_not_legal_is_recorded_as_it_happened(quiet_page: Page):
    start(quiet_page)
    tap(quiet_page, "9H")
    expect(quiet_page.locator("[data-turn]")).to_contain_text("to lead")
    happened(quiet_page, "meld marriage", "kh and Q\u2660")
    expect(quiet_page.locator("[data-events] li")).to_have_count(1)
    expect(quiet_page.locator("[data-due] li").first).to_be_visible()
    quiet_page.get_by_role("button", name="Undo").first.click()
    expect(quiet_page.locator("[data-events] li")).to_have_count(0)


@pytest.mark.long
def test_melds_and_draws_are_entered_without_a_connection(page: Page):
    start(page, sheet="bezique", depth="full")
    page.route("**/record/next", lambda route: route.abort())
    for card in ["KS", "QS", "AS", "TS", "9S", "8S", "7S", "JS"]:
        tap(page, card)
    for card in ["KH", "QH", "AH", "TH", "9H", "8H", "7H", "JH"]:
        tap(page, card)
    tap(page, "9D")
    expect(page.locator("[data-turn]")).to_contain_text("No connection")
    tap(page, "7H")
    tap(page, "AS")
    happened(page, "meld marriage", "KS QS")
    happened(page, "draw", "10d")
    page.unroute("**/record/next")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("[data-events] li")).to_have_count(4)


@pytest.mark.long
def test_a_file_goes_on_where_it_stops_and_comes_out_in_the_notation(quiet_page: Page):
    record = play_game("marjolet", seed=4, deals=1)
    written = replace(record, result=None, deals=[replace(record.deals[0], claims=None)])
    events = written.deals[0].events = written.deals[0].events[:20]
    quiet_page.goto("/record")
    file = {"name": "evening.json", "mimeType": "application/json", "buffer": codec.encode(written)}
    quiet_page.set_input_files("[data-open-file]", file)
    expect(quiet_page.locator("[data-events] li")).to_have_count(len(events))
    with quiet_page.expect_download() as download:
        quiet_page.get_by_role("button", name="Download the notation").click()
    assert download.value.path().read_text() == write_notation(written)
    quiet_page.get_by_role("button", name="Undo").first.click()
    expect(quiet_page.locator("[data-events] li")).to_have_count(len(events) - 1)
    with quiet_page.expect_download() as download:
        quiet_page.get_by_role("button", name="Download JSON").click()
    kept = codec.decode(download.value.path().read_bytes()).record
    assert kept.meta["replaces"] == codec.digest(written)
    quiet_page.get_by_role("button", name="Replay it").click()
    expect(quiet_page).to_have_url(re.compile(r"/replay\?.*record="))


@pytest.mark.long
def test_a_file_that_holds_no_record_is_told(quiet_page: Page):
    quiet_page.goto("/record")
    for text in (b"nonsense", b"null", b"{}", b'{"players": 3}'):
        file = {"name": "evening.json", "mimeType": "application/json", "buffer": text}
        quiet_page.set_input_files("[data-open-file]", file)
        expect(quiet_page.locator("[data-problem]")).to_contain_text("holds no record")
        expect(quiet_page.locator("[data-start]")).to_be_visible()


@pytest.mark.long
def test_partners_are_counted_together(quiet_page: Page):
    quiet_page.goto("/record")
    quiet_page.select_option("#sheet", "zetema")
    quiet_page.select_option("#players", "4")
    for seat, name in enumerate(("Ann", "Bob", "Cleo", "Dan")):
        quiet_page.fill(f"#name-{seat}", name)
    quiet_page.select_option("#sides", label="Ann and Cleo, Bob and Dan")
    quiet_page.check("[name=depth][value=scores]")
    quiet_page.get_by_role("button", name="Start").click()
    for name in ("Ann", "Cleo", "Bob"):
        quiet_page.get_by_role("button", name=re.compile(f"^{name}: .*[1-9]")).first.click()
    expect(quiet_page.locator("[data-scores] th")).to_have_text(
        ["Deal", "Ann and Cleo", "Bob and Dan"]
    )
    first, second = quiet_page.locator("[data-scores] td").all_text_contents()[1:]
    assert int(first) == 2 * int(second) > 0


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
@pytest.mark.parametrize(
    ("sheet", "depth", "most"),
    [("marjolet", "public", MOST_TAPS), ("bezique", "seat", MOST_TAPS_OF_A_SEAT)],
)
def test_a_deal_takes_no_more_taps_than_it_may(quiet_page: Page, sheet, depth, most):
    """Every tap of a deal is counted, those for a hand too: a tap a second makes it so many seconds."""
    deal = play_game(sheet, seed=4, deals=1).deals[0]
    start(quiet_page, sheet=sheet, depth=depth, dealer=deal.dealer)
    dealt = [*(deal.hands[0] if depth == "seat" else []), deal.turn_up]
    for card in dealt:
        tap(quiet_page, card)
    events = [event for event in deal.events if is_chosen(event, depth)]
    taps = len(dealt) + enter(quiet_page, events)
    expect(quiet_page.get_by_role("heading", name="The end of the deal")).to_be_visible()
    assert len(said(quiet_page)) == len(events)
    assert taps <= most


def enter(page: Page, events: list) -> int:
    """Tap what is not entered yet of some events; returns how many taps it took."""
    taps = 0
    for done, event in enumerate(events, 1):
        expect(page.locator("[data-recorder]")).to_have_attribute("aria-busy", "false")
        if page.locator("[data-events] li").count() >= done:
            continue  # it was forced
        if isinstance(event, Draw) and event.seat != 0:
            if done < len(events) and isinstance(events[done], Draw):
                continue  # it comes with the draw that is seen
            tap(page, event.card)
        elif isinstance(event, Play | Draw):
            tap(page, event.card)
        else:
            choose_shown(page, event)
        taps += 1
    return taps


def is_chosen(event, depth: str) -> bool:
    exchanged = isinstance(event, Dix) and event.action in ("exchange", "show")
    return (
        isinstance(event, Play | Meld) or exchanged or (depth == "seat" and isinstance(event, Draw))
    )


def choose_shown(page: Page, event) -> None:
    shown = page.locator("[data-shown] button")
    if isinstance(event, Dix):
        shown.filter(has_text=event.action).first.click()
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
