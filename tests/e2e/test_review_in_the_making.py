"""A deep review that is watched while it is made: what has been found, in place, and then the whole review."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from analyzer.review.stored import save_review
from records.format import codec
from records.selfplay import play_game
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Complaints
from tests.machine.serving import served
from tests.make.unfinished_reviews import PacedWork, begun_review
from tests.make.weighed_games import unread_review, written_review

GAME = play_game("bezique", seed=3, deals=1)
REVIEW = written_review(GAME, [(25, 4), (70, 8), (45, 5)])
PLACES = "[...document.querySelectorAll('main h1, #choices .import-bar')].map(each => each.getBoundingClientRect().top - document.querySelector('main h1').getBoundingClientRect().top)"
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
        served(tmp_path, {"game.json": codec.encode(GAME)}) as (address, app),
        browser.new_context(base_url=address) as window,
        window.new_page() as page,
    ):
        save_review(app.extensions["store"], unread_review(GAME))
        complaints = Complaints(page, address)
        yield page
        work.end()
        assert complaints.said == []


@pytest.mark.slow
def test_turning_points_are_shown_before_the_review_is_done(reader: Page, work: PacedWork):
    reader.set_viewport_size({"width": 390, "height": 844})
    reader.goto(f"/games/{REVIEW.digest}/review?least=20")
    reader.get_by_role("button", name="Weigh every choice").click()
    found = reader.locator("#choices .found")
    expect(found).to_contain_text("so far")
    places = reader.evaluate(PLACES)
    work.go_on()
    first, second = (REVIEW.deals[0].decisions[place].event for place in (0, 1))
    mistake = found.locator(f"#mistake-1-{first} a").first
    expect(found.locator(f"#mistake-1-{first}")).to_contain_text("probably loses 25 ± 4 points by")
    mistake.focus()
    found.locator(f"#mistake-1-{first} summary").click()
    mistake.focus()
    work.go_on()
    blunder = found.locator(f"#mistake-1-{second}")
    expect(blunder).to_contain_text("probably loses 70 ± 8 points by")
    expect(mistake).to_be_focused()
    expect(found.locator(f"#mistake-1-{first} details")).to_have_attribute("open", "")
    listed = found.locator(".costly").evaluate_all("items => items.map(each => each.id)")
    assert listed.index(f"mistake-1-{second}") < listed.index(f"mistake-1-{first}")
    expect(reader.locator("#choices [role=status]")).to_contain_text("50 percent, ")
    assert reader.evaluate(PLACES) == places
    assert barriers(reader) == []
    assert reader.evaluate("document.documentElement.scrollWidth") == 390
    work.end()
    expect(reader.locator(".turns > li")).to_have_count(3)
    expect(found).not_to_contain_text("so far")
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
    step = REVIEW.deals[0].decisions[0].event
    mistake = reader.locator(f"#mistake-1-{step} a").first
    while not mistake.count():
        reader.reload()
    mistake.click()
    expect(reader).to_have_url(f"/games/{REVIEW.digest}/deals/1?step={step}&least=20&best=1")
