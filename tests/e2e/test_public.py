"""A public site in the browser: the private link of an upload, and the admin's login, by the keyboard."""

import re
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from waitress.server import create_server

from records.format import codec
from records.selfplay import play_game
from tests.e2e.sending import look_at_text, store_found
from tests.machine.waiting import PATIENCE_SECONDS
from tests.webui.public_site import PASSWORD, public_site
from webui.application import close_app


@pytest.fixture(scope="module")
def public_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    app = public_site(
        tmp_path_factory.mktemp("public"), plain_http=True, ratelimit_enabled=False,
        large_upload=30_000, import_processes=0,
    )  # fmt: skip
    server = create_server(
        app, host="127.0.0.1", port=0, threads=4, clear_untrusted_proxy_headers=False
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}"
    server.close()
    thread.join(timeout=PATIENCE_SECONDS)
    close_app(app)


@pytest.fixture
def visitor(browser: Browser, public_address: str) -> Iterator[Page]:
    with browser.new_context(base_url=public_address) as window, window.new_page() as page:
        yield page


@pytest.mark.slow
def test_a_sender_watches_an_import_and_deletes_it(visitor: Page):
    lines = b"\n".join(codec.encode(play_game("marjolet", seed=seed)) for seed in range(12))
    visitor.goto("/")
    file = {"name": "season.jsonl", "mimeType": "application/json", "buffer": lines}
    visitor.set_input_files("#files", files=[file])
    store_found(visitor)
    visitor.wait_for_url("**/sent/**")
    summary = visitor.get_by_text("Delete this upload", exact=True)
    expect(summary).to_be_visible()  # the page is complete when the import is done
    summary.focus()
    visitor.keyboard.press("Enter")
    visitor.keyboard.press("Tab")
    expect(visitor.get_by_role("button", name="Delete 12 games")).to_be_focused()
    visitor.keyboard.press("Enter")
    expect(visitor.get_by_text("Deleted 12 games.")).to_be_visible()


@pytest.mark.slow
def test_a_private_record_is_replayed_by_its_link(visitor: Page):
    visitor.goto("/")
    record = codec.encode(play_game("zique", seed=1, names=["Mia", "Ned"])).decode()
    look_at_text(visitor, record)
    store_found(visitor, private=True)
    visitor.wait_for_url("**/sent/**")
    visitor.get_by_role("link", name="Mia – Ned").click()
    visitor.get_by_role("link", name="Replay deal 1").click()
    expect(visitor).to_have_url(re.compile(r"/sent/.*/records/1/deals/1$"))
    expect(visitor.get_by_role("region", name="Mia")).to_be_visible()
    visitor.goto("/games?player=Mia")
    expect(visitor.get_by_text("Mia – Ned")).to_have_count(0)


@pytest.fixture
def link(visitor: Page) -> str:
    """The private link of a private upload, as its page shows it."""
    visitor.goto("/")
    record = codec.encode(play_game("zique", seed=1, names=["Mia", "Ned"])).decode()
    look_at_text(visitor, record)
    store_found(visitor, private=True)
    visitor.wait_for_url("**/sent/**")
    shown = visitor.locator("a.digest").get_attribute("href")
    assert shown is not None
    return shown


@pytest.mark.slow
@pytest.mark.parametrize("path", ["", "/records/1/deals/1?step=3"])
def test_a_private_link_opens_by_itself_and_is_told_to_nobody(
    browser: Browser, public_address: str, link: str, path: str
):
    address, _, key = link.partition("#")
    with browser.new_context() as window, window.new_page() as friend:
        asked: list[str] = []
        friend.on("request", lambda request: asked.append(request.url.partition("#")[0]))
        friend.on("request", lambda request: asked.append(request.headers.get("referer", "")))
        friend.goto(f"{address}{path}#{key}")
        expect(friend.get_by_text("Mia").first).to_be_visible()
        expect(friend).to_have_url(re.compile(re.escape(path) + "(#.*)?$"))
        assert len(asked) > 4
        assert not [each for each in asked if key in each]


@pytest.mark.slow
def test_a_private_link_opens_in_the_page_that_asks_for_it(browser: Browser, link: str):
    address, _, key = link.partition("#")
    with browser.new_context() as window, window.new_page() as friend:
        friend.goto(f"{address}#main")
        expect(friend.get_by_label("Private link")).to_have_value("")
        expect(friend.get_by_role("alert")).to_have_count(0)
        friend.goto(f"{address}#{key}")  # the page stays where only this part changes
        expect(friend.get_by_text("Mia").first).to_be_visible()


@pytest.mark.slow
def test_a_private_link_is_pasted_where_no_script_runs(browser: Browser, link: str):
    with (
        browser.new_context(java_script_enabled=False) as window,
        window.new_page() as friend,
    ):
        friend.goto(link)
        friend.get_by_label("Private link").fill(link)
        friend.get_by_role("button", name="Open").click()
        expect(friend.get_by_role("heading", name="Private games")).to_be_visible()


@pytest.mark.slow
def test_the_admin_logs_in_by_the_keyboard(visitor: Page):
    visitor.goto("/backup")
    visitor.get_by_role("link", name="Log in as the admin").click()
    visitor.get_by_label("Password").focus()
    visitor.keyboard.type("a wrong password")
    visitor.keyboard.press("Enter")
    expect(visitor.get_by_role("alert")).to_have_text("That is not the password.")
    visitor.get_by_label("Password").fill(PASSWORD)
    visitor.keyboard.press("Enter")
    expect(visitor.get_by_role("heading", name="Backup")).to_be_visible()
    visitor.get_by_role("button", name="Log out").click()
    expect(visitor.get_by_role("link", name="Admin")).to_be_visible()
