"""A deep review that is watched while it is made: what has been found, in place, and then the whole review."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from records.format import codec
from records.selfplay import play_game
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Complaints
from tests.machine.serving import served
from tests.make.unfinished_reviews import PacedWork, begun_review
from tests.make.weighed_games import written_review

GAME = play_game("bezique", seed=3, deals=1)
REVIEW = written_review(GAME, [(25, 4), (70, 8), (45, 5)])
PLACES = "[...document.querySelectorAll('main h2, main .found')].map(each => each.getBoundingClientRect().top)"
TOPS = "items => items.map(each => each.getBoundingClientRect().top)"


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[PacedWork]:
    work = PacedWork([*(begun_review(REVIEW, number) for number in (0, 1, 2)), REVIEW])
    work.replace_work(monkeypatch)
    yield work
    work.end()


@pytest.fixture
def reader(browser: Browser, tmp_path: Path, work: PacedWork) -> Iterator[Page]:
    with (
        served(tmp_path, {"game.json": codec.encode(GAME)}) as (address, _),
        browser.new_context(base_url=address) as window,
        window.new_page() as page,
    ):
        complaints = Complaints(page, address)
        yield page
        work.end()
        assert complaints.said == []


@pytest.mark.slow
def test_turning_points_are_shown_before_the_review_is_done(reader: Page, work: PacedWork):
    reader.set_viewport_size({"width": 390, "height": 844})
    reader.goto(f"/games/{REVIEW.digest}/review?least=20")
    reader.get_by_role("button", name="Weigh every choice").click()
    found = reader.get_by_role("region", name="Found so far")
    expect(found).to_contain_text("No turning point so far")
    places = reader.evaluate(PLACES)
    work.go_on()
    mistake = found.get_by_role("link", name="probably loses 25 ± 4 points by")
    expect(mistake).to_be_visible()
    expect(found).to_contain_text("1 of ")
    mistake.focus()
    work.go_on()
    blunder = found.get_by_role("link", name="probably loses 70 ± 8 points by")
    expect(blunder).to_be_visible()
    expect(mistake).to_be_focused()
    expect(reader.locator("#choices [role=status]")).to_have_text(
        "50 percent, 2 turning points so far"
    )
    assert reader.evaluate(PLACES) == places
    assert barriers(reader) == []
    assert reader.evaluate("document.documentElement.scrollWidth") == 390
    work.end()
    expect(reader.locator(".turns > li")).to_have_count(3)
    expect(found).to_have_count(0)
    reader.set_viewport_size({"width": 820, "height": 1180})
    tops = reader.locator(".turns > li").evaluate_all(TOPS)
    assert len(set(tops)) == 1, "there is no gap beside a last one"


@pytest.mark.slow
def test_without_a_script_a_reload_shows_what_has_been_found(reader: Page, work: PacedWork):
    """And the link leads to the table before the mistake."""
    reader.route("**/*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    reader.goto(f"/games/{REVIEW.digest}/review?least=20")
    reader.get_by_role("button", name="Weigh every choice").click()
    work.go_on()
    mistake = reader.get_by_role("link", name="probably loses 25 ± 4 points by")
    while not mistake.count():
        reader.reload()
    mistake.click()
    step = REVIEW.deals[0].decisions[0].event
    expect(reader).to_have_url(f"/games/{REVIEW.digest}/deals/1?step={step}&least=20")
