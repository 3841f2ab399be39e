"""Passing on a step: its short link, its text, the code to embed it, the link that holds the record."""

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.e2e.barriers import barriers

COPIES = {
    "Copy the position as text": "Trumps",
    "Copy the HTML to embed it": "<iframe src=",
    "Copy a link that holds the record": "/replay?",
}
PASTED = "() => navigator.clipboard.readText()"


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 1440])
def test_the_step_is_copied_in_every_form_and_its_short_link_leads_back(
    quiet_page: Page, digests, width
):
    page = quiet_page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(f"/games/{digests['legal']}/deals/1?step=20&near=1")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Share").click()
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    status = page.locator("[data-share-status]")
    for name, part in COPIES.items():
        page.get_by_role("button", name=name).click()
        expect(status).to_contain_text("copied")
        assert part in page.evaluate(PASTED)
        if "holds" not in name:
            assert re.search("step=21|step 21 of", page.evaluate(PASTED))
    page.get_by_role("button", name="Copy link").click()
    expect(status).to_have_text("The link is copied.")
    link = page.evaluate(PASTED)
    assert re.search(rf"/games/{digests['legal'][:12]}/deals/1\?", link)
    page.goto(link)
    expect(page.locator("[data-number]")).to_have_text("21")
    expect(page.locator(".near [data-hand]")).to_have_attribute("data-hand", "1")
    expect(page).to_have_title("Ann – Bob, deal 1, Bezique, self-play 3")


# Pictures of it.

SHEET = """
    Object.defineProperty(navigator, "canShare", { value: (what) => what.files.length === 1 });
    Object.defineProperty(navigator, "share", { value: async (what) => (globalThis.sent = what) });
"""
SENT = """async () => [sent.files[0].name, sent.files[0].type,
    String.fromCharCode(...new Uint8Array(await sent.files[0].arrayBuffer()).slice(0, 12))]"""


def open_dialog(page: Page, digests: dict[str, str], query: str = "step=20") -> Locator:
    page.goto(f"/games/{digests['legal']}/deals/1?{query}")
    page.get_by_role("button", name="Share").click()
    return page.get_by_role("dialog")


def made_picture(dialog: Locator) -> bytes:
    dialog.get_by_role("button", name="Create").click()
    with dialog.page.expect_download() as download:
        dialog.get_by_role("link", name="Save").click()
    return download.value.path().read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 1440])
def test_every_kind_of_picture_is_made_and_saved(quiet_page: Page, digests, width):
    page = quiet_page
    page.set_viewport_size({"width": width, "height": 700})
    dialog = open_dialog(page, digests)
    for span, still in (("trick", 0), ("moment", 0), ("step", 1)):
        dialog.get_by_label("What").select_option(span)
        for format_ in ("png", "svg") if still else ("gif", "webp"):
            dialog.get_by_label("Format").locator("visible=true").select_option(format_)
            expect(dialog.locator("[data-picture-made]")).to_be_hidden()
            data = made_picture(dialog)
            assert barriers(page) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            if format_ == "svg":
                assert data.startswith(b"<svg")
                continue
            with Image.open(io.BytesIO(data)) as picture:
                assert picture.format == format_.upper()
                assert picture.size == (600, 315)
                assert (getattr(picture, "n_frames", 1) == 1) == bool(still)
    expect(dialog.get_by_role("status")).to_have_text("The picture is made.")


@pytest.mark.slow
def test_the_sheet_of_the_device_gets_the_file(first_page: Page, digests):
    page = first_page
    page.add_init_script(SHEET)
    dialog = open_dialog(page, digests)
    dialog.get_by_role("button", name="Send link").click()
    assert "/deals/1?" in page.evaluate("sent.url")
    dialog.get_by_role("button", name="Create").click()
    dialog.get_by_role("button", name="Send", exact=True).click()
    name, kind, start = page.evaluate(SENT)
    assert (name.endswith(".gif"), kind, start[:6]) == (True, "image/gif", "GIF89a")


@pytest.mark.slow
def test_where_no_motion_is_wanted_the_picture_stands_still(quiet_page: Page, digests):
    page = quiet_page
    page.emulate_media(reduced_motion="reduce")
    dialog = open_dialog(page, digests)
    dialog.get_by_role("button", name="Create").click()
    image = dialog.locator("[data-picture-made] img")
    expect(image).to_have_attribute("src", re.compile(r"\.png\?.*step=20"))
    expect(dialog.locator("figcaption")).to_contain_text("this preview is not")
    page.emulate_media(reduced_motion=None)


@pytest.mark.slow
def test_the_bar_moves_and_a_failure_is_said(page: Page, digests):
    dialog = open_dialog(page, digests, "step=21")
    page.route("**/animation.json*", lambda route: route.fulfill(json={"share": 0.5}))
    page.route("**/1.gif*", lambda route: None)
    dialog.get_by_role("button", name="Create").click()
    expect(dialog.locator("[data-picture-bar] b")).to_have_text("50 %")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.unroute("**/1.gif*")
    page.route("**/1.gif*", lambda route: route.fulfill(status=503, body="later"))
    page.get_by_role("button", name="Share").click()
    expect(dialog.locator("[data-picture-bar]")).to_be_hidden()
    dialog.get_by_role("button", name="Create").click()
    expect(dialog.get_by_role("status")).to_contain_text("could not be made")
    page.unroute_all()


def test_a_game_in_an_address_offers_its_link_alone(quiet_page: Page, digests):
    page = quiet_page
    page.goto("/replay?" + first_permalink(page, digests).split("?", 1)[1])
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("dialog").get_by_text("Picture or animation")).to_have_count(0)


def first_permalink(page: Page, digests: dict[str, str]) -> str:
    page.goto(f"/games/{digests['legal']}/deals/1")
    return str(page.locator("[data-copy=record]").get_attribute("data-address"))
