"""The pages that only a public site has, and those for errors: no barrier, no fault, nothing beside the window."""

import re
import threading
from collections.abc import Callable, Iterator
from typing import NoReturn

import pytest
from flask import Flask, request
from playwright.sync_api import Browser, Page
from werkzeug.exceptions import RequestEntityTooLarge

from analyzer.store.store import QueryTimeout
from records.format import codec
from records.selfplay import play_game
from tests.e2e.barriers import FITS_SOON, barriers
from tests.e2e.sending import look_at_text, store_found
from tests.machine.waiting import PATIENCE_SECONDS
from tests.webui.public_site import PASSWORD, public_site
from webui.application import close_app
from webui.server.jobs import QueueFull
from webui.server.limits import BUSY_TEXT, Busy, TooManyPrivateUploads
from webui.server.private_uploads import FULL_TEXT, RoomFull
from webui.server.serving import serve_application

WINDOWS = ((390, 844), (820, 1180), (1440, 900), (844, 390))
GAMES = [codec.encode(play_game("zique", seed=seed, names=["Mia", "Ned"])).decode() for seed in range(2)]  # fmt: skip
ERRORS: dict[str, Callable[[], Exception]] = {
    "413": RequestEntityTooLarge,
    "429 of a queue": lambda: QueueFull("5 imports of yours are not finished.", is_own=True),
    "429 for private uploads": TooManyPrivateUploads,
    "503 of a question": lambda: QueryTimeout("the query took too long"),
    "503 of a place": lambda: Busy(503, BUSY_TEXT),
    "507 of a room": lambda: RoomFull(FULL_TEXT),
    "507 of the disk": lambda: OSError(28, "No space left on device"),
}


def fail() -> NoReturn:
    raise ERRORS[request.args["error"]]()


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    app = public_site(
        tmp_path_factory.mktemp("public"), plain_http=True, ratelimit_enabled=False, large_upload=30_000,
        import_processes=0, testing=False,
    )  # fmt: skip
    app.view_functions["glossary.glossary"] = fail
    yield app
    close_app(app)


@pytest.fixture(scope="module")
def address(app: Flask) -> Iterator[str]:
    server = serve_application(app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}"
    server.close()
    thread.join(timeout=PATIENCE_SECONDS)


@pytest.fixture(scope="module")
def tab(browser: Browser, address: str) -> Iterator[Page]:
    """A page of a visitor; whoever logs in, logs out again."""
    with browser.new_context(base_url=address, reduced_motion="reduce") as window:
        yield window.new_page()


@pytest.fixture(scope="module")
def links(tab: Page) -> dict[str, str]:
    """The addresses of an upload with an unreadable record, of a private one, and of a large one; the tab has their links."""
    found = {}
    for name, text in (("sent", f"{GAMES[0]}\n{{}}"), ("private", GAMES[1])):
        tab.goto("/")
        look_at_text(tab, text)
        store_found(tab, private=name == "private")
        tab.wait_for_url("**/sent/**")
        found[name] = tab.url
    tab.goto("/")
    look_at_text(tab, f"{GAMES[1]}\n{GAMES[0]}\n{{}}")
    found["look"] = tab.url
    tab.goto("/")
    lines = "\n".join([*(codec.encode(play_game("marjolet", seed=seed)).decode() for seed in range(8)), "{}"])  # fmt: skip
    file = {"name": "a-season-with-a-long-name-of-a-club.jsonl", "mimeType": "application/json", "buffer": lines.encode()}  # fmt: skip
    tab.set_input_files("#files", files=[file])
    store_found(tab)
    tab.wait_for_url("**/sent/**")
    tab.get_by_text("Delete this upload", exact=True).wait_for()
    found["large"] = tab.url
    return {name: link.partition("#")[0] for name, link in found.items()}


def require_no_fault(page: Page) -> None:
    """Look at the page in every window, light and dark."""
    closed = page.locator("main details:not([open]) > summary")
    while closed.count():  # the next one is the first once this one is open
        closed.first.click()
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(FITS_SOON), (width, height)
    for colours, (width, height) in (("light", WINDOWS[0]), ("dark", WINDOWS[2])):
        page.emulate_media(color_scheme=colours)
        page.set_viewport_size({"width": width, "height": height})
        assert barriers(page) == [], (width, colours)


SENT = {
    "an upload": ("sent", ""),
    "a look": ("look", ""),
    "an import": ("large", ""),
    "private games": ("private", ""),
    "a private game": ("private", "/records/1"),
    "a private deal": ("private", "/records/1/deals/1?step=20"),
    "what if, in private": ("private", "/records/1/deals/1/what-if?step=20"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SENT)
def test_a_page_behind_a_private_link_has_no_fault(tab: Page, links: dict[str, str], name: str):
    link, path = SENT[name]
    assert (answer := tab.goto(f"{links[link]}{path}")) is not None
    assert answer.status == 200
    require_no_fault(tab)


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", ["/", "/login", "/imports", "/backup", "/nothing", "/sent", "/sent/none"]
)
def test_a_page_for_visitors_has_no_fault(tab: Page, links: dict[str, str], path: str):
    tab.goto(path)
    require_no_fault(tab)


@pytest.mark.long
@pytest.mark.parametrize("error", ERRORS)
def test_a_page_for_an_error_has_no_fault(tab: Page, error: str):
    assert (answer := tab.goto(f"/glossary?error={error}")) is not None
    assert answer.status == int(error[:3])
    require_no_fault(tab)


@pytest.mark.slow
def test_the_pages_of_the_admin_have_no_fault(tab: Page, links: dict[str, str]):
    tab.goto("/login")
    tab.get_by_label("Password").fill("not the password")
    tab.keyboard.press("Enter")
    tab.get_by_role("alert").wait_for()
    require_no_fault(tab)
    tab.get_by_label("Password").fill(PASSWORD)
    tab.keyboard.press("Enter")
    tab.get_by_role("status").get_by_text("You are logged in as the admin.").wait_for()
    for path in ("/", "/backup", "/imports", "/games", "/login", "/trash"):
        tab.goto(path)
        require_no_fault(tab)
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto("/backup")
    rooms = tab.get_by_role("region", name="Numbers and sizes")
    assert rooms.evaluate("region => region.scrollWidth - region.clientWidth") == 0
    tab.goto("/games")
    tab.locator('main a[href^="/games/"]').first.click()
    digest = re.findall(r"/games/(\w+)", tab.url)[0]
    tab.goto(f"/games/{digest}/delete")
    require_no_fault(tab)
    tab.get_by_role("button", name="Log out").click()


@pytest.mark.slow
def test_the_answer_of_the_form_has_no_fault(tab: Page, app: Flask):
    """The verdicts where nothing is stored, without a script."""
    before = app.config["VISITORS_MAY"]
    app.config["VISITORS_MAY"] = frozenset(before) - {"upload"}
    try:
        tab.goto("/")
        tab.get_by_label("or paste a record").fill(f"{GAMES[0]}\n{{}}")
        tab.get_by_role("button", name="Check").click()
        tab.get_by_text("It was not stored.").first.wait_for()
        require_no_fault(tab)
    finally:
        app.config["VISITORS_MAY"] = before
