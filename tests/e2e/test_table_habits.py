"""How the table is used: keys of any keyboard, no connection, who sits below, and the sheet of a phone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import LAYOUT, barriers
from tests.e2e.table_faults import NAMES_COVERED

PRESS = """([key, code, shift]) => document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key, code, shiftKey: shift, bubbles: true, cancelable: true }))"""
READY = "() => performance.getEntriesByName('ready').length > 0"


def opened(page: Page, digest: str, query: str, size: tuple[int, int] = (1440, 900)) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"/games/{digest}/deals/1?{query}")
    page.wait_for_function(READY)


def number(page: Page) -> int:
    return int(page.locator("[data-number]").inner_text())


@pytest.mark.long
@pytest.mark.parametrize(
    ("back", "on"),
    [
        (("Ь", "KeyM", True), ("ь", "KeyM", False)),  # Cyrillic
        (("m", "KeyM", True), ("M", "KeyM", False)),  # Caps Lock
        (("ة", "KeyM", True), ("ة", "KeyM", False)),  # Arabic, which has no capitals
        (("M", "Semicolon", True), ("m", "Semicolon", False)),  # a Latin keyboard of another order
    ],
)
def test_a_letter_is_a_key_whatever_the_keyboard_writes(quiet_page: Page, digests, back, on):
    opened(quiet_page, digests["chinese"], "step=60")
    quiet_page.evaluate(PRESS, on)
    first = number(quiet_page)
    quiet_page.evaluate(PRESS, on)
    assert number(quiet_page) > first > 60
    quiet_page.evaluate(PRESS, back)
    assert number(quiet_page) == first


@pytest.mark.slow
def test_keys_of_any_keyboard_wait_for_a_page_and_play_in_what_if(quiet_page: Page, digests):
    opened(quiet_page, digests["legal"], "step=20")
    quiet_page.evaluate(PRESS, ("е", "KeyT", False))
    expect(quiet_page.locator(".near [data-hand]")).to_have_attribute("data-hand", "1")
    quiet_page.evaluate(PRESS, ("ц", "KeyW", False))
    expect(quiet_page).to_have_url(re.compile("what-if"))
    quiet_page.wait_for_function(READY)
    quiet_page.evaluate(PRESS, ("Ц", "KeyW", False))
    expect(quiet_page).to_have_url(re.compile(r"deals/1\?"))


@pytest.mark.slow
def test_without_a_connection_a_key_stays_on_the_page_and_says_so(page: Page, digests):
    opened(page, digests["legal"], "step=20")
    page.context.set_offline(True)
    try:
        for key in ("w", "t", "PageDown", "h", "2"):
            page.keyboard.press(key)
            expect(page.get_by_role("alert")).to_contain_text("There is no connection")
            assert "/deals/1?step=20" in page.url
        page.keyboard.press("ArrowRight")
        assert number(page) == 21
        expect(page.get_by_role("alert")).to_have_count(0)
    finally:
        page.context.set_offline(False)
    page.keyboard.press("PageDown")
    expect(page).to_have_url(re.compile("/deals/2"))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["legal", "six"])
def test_whoever_decides_sits_below_if_the_reader_likes_and_stays_so(
    quiet_page: Page, digests, game
):
    opened(quiet_page, digests[game], "step=20&tab=view")
    near = quiet_page.locator(".near [data-seat-box]")
    quiet_page.get_by_role("button", name="Whoever decides sits below").click()
    quiet_page.reload()
    quiet_page.wait_for_function(READY)
    seats = set()
    for _ in range(24):
        quiet_page.keyboard.press("ArrowRight")
        expect(near).to_have_class(re.compile("to-act"))
        seats.add(seat := near.get_attribute("data-seat-box"))
        expect(quiet_page.locator("[data-felt]")).to_have_class(re.compile(f"near-{seat}"))
    assert len(seats) > 1
    order = quiet_page.locator(".far [data-seat-box]").evaluate_all(
        "(boxes) => boxes.map((box) => Number(box.dataset.seatBox))"
    )
    assert order == [(int(seat) + place) % (len(order) + 1) for place in range(1, len(order) + 1)]
    quiet_page.locator("#tab-view").click()
    quiet_page.get_by_role("button", name="Whoever decides sits below").click()
    expect(near).to_have_attribute("data-seat-box", "0")


@pytest.mark.slow
def test_the_sheet_of_a_phone_is_pulled_up_by_click_key_and_wheel(quiet_page: Page, digests):
    opened(quiet_page, digests["legal"], "step=20", (390, 844))
    grip, sheet = quiet_page.locator("[data-grip]"), quiet_page.locator("[data-sheet]")
    felt, keys = quiet_page.locator("[data-felt]"), quiet_page.locator(".keys")
    below = sheet.bounding_box()["y"]
    bar = keys.bounding_box()

    def is_up(*, up: bool) -> None:
        expect(grip).to_have_attribute("aria-expanded", str(up).lower())
        assert (sheet.bounding_box()["y"] < below / 2) == up
        assert keys.bounding_box() == bar, "the keys stay"
        assert felt.bounding_box()["y"] >= 0, "the table stays"

    is_up(up=False)
    grip.click()
    is_up(up=True)
    assert barriers(quiet_page, LAYOUT) == []
    grip.press("Enter")
    is_up(up=False)
    grip.press("Enter")
    is_up(up=True)
    grip.press("Escape")
    is_up(up=False)
    quiet_page.mouse.wheel(0, 600)
    is_up(up=True)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["legal", "chinese", "random"])
def test_no_card_lies_over_the_name_of_a_meld(quiet_page: Page, digests, game):
    quiet_page.request.get(f"/games/{digests[game]}/review")  # which takes room from the table
    opened(quiet_page, digests[game], "step=0")
    melds = [
        step
        for step, named in enumerate(
            quiet_page.evaluate(
                "() => JSON.parse(document.getElementById('deal').textContent).steps.map((step) => step.named.length)"
            )
        )
        if named > 1
    ]
    for size in ((390, 844), (390, 810), (820, 1180), (1280, 720), (1440, 900)):
        quiet_page.set_viewport_size({"width": size[0], "height": size[1]})
        for step in melds[:: max(1, len(melds) // 24)]:
            quiet_page.get_by_label("Step", exact=True).fill(str(step))
            assert quiet_page.evaluate(NAMES_COVERED) == [], (size, step)
