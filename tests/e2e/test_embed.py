"""A deal in a frame of another page, in the browser."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import expect

from tests.e2e.barriers import barriers, new_barriers
from tests.machine.waiting import PATIENCE_SECONDS

SIZES = ((320, 480), (390, 560), (820, 560), (1440, 700))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["legal", "zetema"])
def test_steps_lead_on_by_key_and_click_and_all_is_in_the_frame(quiet_page, digests, game):
    quiet_page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    quiet_page.goto(f"/embed/games/{digests[game]}/deals/1?step=4")
    for size in SIZES:
        width, height = size
        quiet_page.set_viewport_size({"width": width, "height": height})
        quiet_page.keyboard.press("ArrowRight")
        expect(quiet_page.locator("[data-number]")).to_have_text("5")
        quiet_page.get_by_role("link", name="Previous step").click()
        expect(quiet_page.locator("[data-number]")).to_have_text("4")
        assert "step=4" in quiet_page.locator("[data-full-page]").get_attribute("href")
        fits = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        across, down = quiet_page.evaluate(fits)
        assert across <= width
        assert down <= height
        assert (barriers if size == SIZES[0] else new_barriers)(quiet_page) == [], size


@pytest.fixture
def show_elsewhere(page, tmp_path):
    """Shows a text as a page of another origin: `localhost` where the site is `127.0.0.1`."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()

    def show(text):
        (tmp_path / "page.html").write_text(text)
        page.goto(f"http://localhost:{server.server_port}/page.html")

    yield show
    server.shutdown()
    server.server_close()
    thread.join(timeout=PATIENCE_SECONDS)


@pytest.mark.slow
def test_a_page_of_another_origin_frames_the_text_that_is_offered(
    page, site, digests, show_elsewhere
):
    page.goto(f"{site}/games/{digests['legal']}/deals/1?step=2")
    page.locator("#tab-view").click()
    page.get_by_text("Embed this deal in a page of your own").click()
    page.keyboard.press("Escape")
    text = page.get_by_label("Copy this HTML into your page").input_value()
    show_elsewhere(text)
    inside = page.frame_locator("iframe")
    expect(inside.locator("[data-number]")).to_have_text("2")
    inside.get_by_role("link", name="Next step", exact=True).click()
    expect(inside.locator("[data-number]")).to_have_text("3")


@pytest.mark.slow
def test_other_pages_are_not_framed(page, site, digests, show_elsewhere):
    with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
        show_elsewhere(f'<iframe src="{site}/games/{digests["legal"]}/deals/1"></iframe>')
    expect(page.frame_locator("iframe").locator("[data-number]")).to_have_count(0)
