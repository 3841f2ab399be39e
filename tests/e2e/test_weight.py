"""How many bytes a page sends: few the first time, almost none after that."""

import pytest
from playwright.sync_api import Page

FIRST, AFTER = 1_500_000, 60_000
"""Bytes of everything that a page makes the browser fetch."""

PAGES = {
    "explore": (
        "/explore?metric=points&by=strength&split=sheet",
        "/explore?metric=deals_won&by=role",
    ),
    "question": ("/statistics/points_by_source", "/statistics/meld_timing"),
    "player": ("/player?name=Ann", "/player?name=Bob"),
    "sheet": ("/statistics/sheets/bezique", "/statistics/sheets/marjolet"),
    "replay": ("/games/{legal}/deals/1?step=30", "/games/{legal}/deals/2?step=30"),
}


class Scales:
    """Weighs what comes over the line: heads and bodies, compressed as they are."""

    def __init__(self, page: Page) -> None:
        self.weight = 0
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", self._add)

    def _add(self, event: dict[str, float]) -> None:
        self.weight += int(event["encodedDataLength"])


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_light_and_the_next_one_lighter(first_page: Page, digests, name):
    page = first_page
    page.set_viewport_size({"width": 1440, "height": 900})
    scales = Scales(page)
    first, after = (address.format(**digests) for address in PAGES[name])
    page.goto(first)
    page.evaluate("document.querySelector('main [data-chart-address]')?.scrollIntoView()")
    page.wait_for_load_state("networkidle")
    assert 100_000 < scales.weight < FIRST
    scales.weight = 0
    page.goto(after)
    page.wait_for_load_state("networkidle")
    assert 0 < scales.weight < AFTER
