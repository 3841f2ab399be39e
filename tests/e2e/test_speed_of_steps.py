"""The longest deals, those of six packs, are drawn and stepped through without a wait.

Times are those of the page's thread alone, so that a busy machine does not matter.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, CDPSession

from records.format import codec
from records.selfplay import play_game
from tests.machine.serving import served

FIRST_STEP_MS, SCRIPT_MS_OF_A_STEP, STEPS = 250, 4, 60


@pytest.fixture(scope="module")
def table(tmp_path_factory) -> Iterator[str]:
    """The address of the first deal of a game with six packs."""
    data = codec.encode(play_game("six-pack-bezique", seed=1))
    with served(tmp_path_factory.mktemp("six"), {"six.json": data}) as (address, _):
        yield f"{address}/games/{codec.decode(data).digest()}/deals/1"


def milliseconds(session: CDPSession, name: str) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return 1000 * next(metric["value"] for metric in metrics if metric["name"] == name)


@pytest.mark.slow
def test_six_packs_are_drawn_and_stepped_through_without_a_wait(browser: Browser, table: str):
    with browser.new_context(viewport={"width": 1440, "height": 900}) as window:
        page = window.new_page()
        session = window.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(table)
        assert 20 < milliseconds(session, "TaskDuration") < FIRST_STEP_MS
        page.wait_for_load_state("networkidle")
        before = milliseconds(session, "ScriptDuration")
        for _ in range(STEPS):
            page.keyboard.press("ArrowRight")
        assert page.locator("[data-number]").inner_text() == str(STEPS)
        spent = milliseconds(session, "ScriptDuration") - before
        assert 0 < spent / STEPS < SCRIPT_MS_OF_A_STEP
