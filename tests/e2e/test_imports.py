"""A large file in the drop zone: its progress is shown, with and without script."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from records.format import codec
from records.selfplay import play_game
from tests.e2e.sending import store_found
from tests.webui.held_imports import held_imports

NEW = 90


@pytest.fixture(params=[1000])
def season(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """More than a megabyte of games that nobody has uploaded yet, from this seed on."""
    path = tmp_path / "season.jsonl"
    games = [codec.encode(play_game("polish-bezique", seed=request.param + n)) for n in range(NEW)]
    path.write_bytes(b"\n".join(games) + b"\n")
    assert path.stat().st_size > 1024 * 1024
    return path


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    with held_imports(100_000) as gate:
        yield gate


@pytest.mark.slow
def test_an_import_is_watched_and_survives_a_reload(quiet_page: Page, season, gate):
    page = quiet_page
    page.goto("/")
    page.set_input_files("#files", season)
    store_found(page)
    expect(page).to_have_url(re.compile(r"/imports/[\w-]+$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Import of season.jsonl")
    bar = page.get_by_role("progressbar", name="Read so far")
    games = page.locator("[data-value=games]")
    expect(games).not_to_have_text("0")
    assert 0 < bar.evaluate("bar => bar.value") < 1
    expect(page.get_by_role("status")).to_have_text(re.compile(r"^[1-9]0 percent$"))
    expect(page.locator("[data-value=left]")).to_have_text(re.compile(r"^about \d+:\d\d$"))
    held = games.text_content()
    page.reload()
    expect(games).to_have_text(str(held))
    gate.set()
    expect(page.get_by_role("heading", name="Done")).to_be_focused()
    expect(page.locator("[data-progress]")).to_contain_text(f"{NEW} games stored")
    expect(page).to_have_title("Done: Import of season.jsonl")
    page.get_by_role("link", name="Show the games").click()
    expect(page.locator("main")).to_contain_text(f"{NEW} games")


@pytest.mark.slow
@pytest.mark.parametrize("season", [2000], indirect=True)
def test_without_script_the_page_comes_anew(browser, site, season, gate):
    context = browser.new_context(java_script_enabled=False, base_url=site)
    page = context.new_page()
    page.goto("/")
    page.set_input_files("#files", season)
    page.get_by_role("button", name="Look at it").click()
    page.locator("[data-look]").wait_for()
    store_found(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Import of season.jsonl")
    gate.set()
    expect(page.get_by_role("heading", name="Done")).to_be_visible()
    expect(page.locator("[data-progress]")).to_contain_text(re.compile("stored|already stored"))
    context.close()
