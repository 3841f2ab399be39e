"""How often a step of the replay makes the browser lay out the page: once, however fast the steps follow."""

import pytest
from playwright.sync_api import Page

from tests.bench.steps import Trace

FRAME = "() => new Promise(requestAnimationFrame)"


@pytest.mark.slow
def test_a_step_lays_out_the_page_once_while_cards_are_on_their_way(quiet_page: Page, digests):
    page = quiet_page
    page.set_viewport_size({"width": 1440, "height": 1000})
    page.goto(f"/games/{digests['legal']}/deals/1?step=10")
    page.wait_for_function("() => performance.getEntriesByName('ready').length > 0")
    page.locator("[data-score-race][data-drawn]").wait_for()
    with Trace(page, page.context.new_cdp_session(page)) as trace:
        for _ in range(8):
            page.keyboard.press("ArrowRight")
            page.evaluate(FRAME)
    assert trace.layouts() == [1] * 8
