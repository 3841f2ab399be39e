"""An evening in two browsers: by keyboard, refreshing itself, never under somebody's hands, and on paper."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import barriers

IMPATIENT = (
    "const often = setInterval; window.setInterval = (task, pause) => often(task, pause / 20);"
)
"""The page asks every few seconds whether something has changed: here it asks more often."""


def begin(page: Page, event: str) -> None:
    """An evening of four with its first round."""
    page.add_init_script(IMPATIENT)
    page.goto("/events")
    page.get_by_label("Event", exact=True).fill(event)
    page.get_by_label("Rounds").select_option("swiss")
    page.get_by_role("button", name="Begin an evening").click()
    for names in (("Ann", "Bob", "Cleo"), ("Dan",)):
        for number, name in enumerate(names):
            page.locator(f"#name-{number}").fill(name)
        page.get_by_role("button", name="They are here").click()
    page.get_by_role("button", name="Pair round 1").click()
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()


@pytest.mark.slow
def test_a_result_typed_in_one_browser_appears_in_another(quiet_page: Page, browser, site):
    page = quiet_page
    begin(page, "Evening of two browsers")
    with browser.new_context(base_url=site) as window, window.new_page() as other:
        other.add_init_script(IMPATIENT)
        other.goto(page.url)
        table = page.locator(".evening-tables > li").first
        table.get_by_text("Type the result").press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.type("1050")
        page.keyboard.press("Tab")
        page.keyboard.type("760")
        page.keyboard.press("Enter")
        expect(page.locator(".evening-tables > li").first).to_contain_text("1 – 0 (1,050 : 760)")
        expect(other.locator(".evening-tables > li").first).to_contain_text("1 – 0 (1,050 : 760)")
        expect(other.locator("#lines tbody tr").first).to_contain_text("Ann")
        expect(other.locator("[data-refresh]")).to_have_text("The evening has changed.")
        expect(other.get_by_role("button", name="Pair round 2")).to_be_visible()


@pytest.mark.slow
def test_nothing_changes_under_the_hands_of_who_types(page: Page, browser, site):
    begin(page, "Evening of a slow hand")
    second = page.locator(".evening-tables > li").last
    second.get_by_text("Type the result").click()
    points = second.get_by_label("Points of Bob")
    points.fill("12")
    with browser.new_context(base_url=site) as window, window.new_page() as other:
        other.add_init_script(IMPATIENT)
        other.goto(page.url)
        for table in other.locator(".evening-tables > li").all()[::-1]:
            table.get_by_text("Type the result").click()
            table.get_by_label("Result").select_option("a draw")
            table.get_by_role("button", name="Keep this result").click()
            break
        expect(page.locator("#lines tbody")).to_contain_text("0.5")
        expect(points).to_have_value("12")
        other.get_by_role("button", name="Pair round 2").click()
        expect(other.get_by_role("heading", name="Round 1")).to_be_visible()
        other.get_by_label("1 result of round 1 is open").check()
        other.get_by_role("button", name="Pair round 2").click()
        expect(other.get_by_role("heading", name="Round 2")).to_be_in_viewport()
        expect(page.get_by_text("Somebody else changed the rounds.")).to_be_visible()
        expect(points).to_have_value("12")
    second.get_by_label("Result").select_option("Bob won")
    second.get_by_role("button", name="Keep this result").click()
    expect(page.get_by_role("alert").filter(has_text="Nothing was changed.")).to_be_in_viewport()


@pytest.mark.slow
def test_what_is_refused_is_seen_on_a_phone_and_stays(page: Page):
    page.set_viewport_size({"width": 390, "height": 844})
    begin(page, "Evening of a slip")
    second = page.locator(".evening-tables > li").last
    second.get_by_text("Type the result").click()
    second.get_by_label("Points of Bob").fill("12")
    second.get_by_label("Points of Dan").fill("13")
    second.get_by_label("Result").select_option("Bob won")
    second.get_by_role("button", name="Keep this result").click()
    expect(page.get_by_role("alert")).to_be_in_viewport()
    expect(page.get_by_role("alert")).to_contain_text("Bob cannot have won")
    expect(second.get_by_label("Points of Bob")).to_have_value("12")
    page.reload()
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_a_long_name_pushes_nothing_away(quiet_page: Page, width, height):
    page = quiet_page
    page.set_viewport_size({"width": width, "height": height})
    begin(page, f"Evening of {width} " + "w" * 180)
    page.locator("#players").click()
    page.locator("#name-0").fill("W" * 100)
    page.get_by_role("button", name="They are here").click()
    expect(page.locator("#lines")).to_contain_text("W" * 100)
    page.wait_for_load_state()
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(
        "(one => one.scrollWidth <= one.clientWidth)(document.querySelector('#lines .scroll'))"
    )
    for button in page.locator(".evening-players button").all():
        assert button.bounding_box()["height"] < 60


@pytest.mark.long
def test_the_recorder_knows_the_table_for_which_it_is_opened(quiet_page: Page):
    page = quiet_page
    page.goto("/evenings/1")
    day = page.get_by_role("heading", level=1).inner_text()
    link = page.get_by_role("link", name=re.compile("^Enter the game of")).first
    words = " ".join(link.inner_text().split())
    names = words.removeprefix("Enter the game of ").split(" and ")
    link.click()
    page.select_option("#sheet", "zique")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("[data-recorder]")).to_have_attribute("aria-busy", "false")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download JSON").click()
    record = json.loads(download.value.path().read_text())
    assert [player["name"] for player in record["players"]] == names
    assert record["meta"]["event"] in day
    assert {"date", "round", "table"} < record["meta"].keys()
    assert isinstance(record["meta"]["round"], int)


@pytest.mark.long
def test_the_sheet_on_paper_has_pairings_and_standing_in_black_on_white(quiet_page: Page):
    page = quiet_page
    page.goto("/evenings/1")
    page.evaluate("window.print = () => { document.title = 'printed' }")
    page.get_by_role("button", name="Print the pairings and the standing").click()
    expect(page).to_have_title("printed")
    page.emulate_media(media="print", color_scheme="dark")
    for words in ("Table 1", "1 – 0", "Standing"):
        expect(page.get_by_text(words, exact=True).first).to_be_visible()
    for gone in ("button", "form", "details", "nav", ".top"):
        assert page.locator(f"{gone}:visible").count() == 0, gone
    ink = "getComputedStyle(document.querySelector('.evening-tables')).color"
    red, green, blue = map(int, re.findall(r"\d+", page.evaluate(ink))[:3])
    assert max(red, green, blue) < 64
    background = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(background) == "rgba(0, 0, 0, 0)"


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (820, 1180), (1440, 900)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_form_is_a_barrier(quiet_page: Page, width, height, scheme):
    page = quiet_page
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for address in ("/evenings/1", "/events"):
        page.goto(address)
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        assert barriers(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


UNDER_THEIR_HEADINGS = """(table) => [...table.rows].map((row) => [...row.cells].filter((cell) => cell.checkVisibility())
    .map((cell) => { const box = cell.getBoundingClientRect(); return [box.top, box.left, box.right].map(Math.round); }))"""


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 390, 480, 481, 1280])
def test_each_figure_of_a_standing_lies_under_its_heading(quiet_page: Page, width):
    quiet_page.set_viewport_size({"width": width, "height": 844})
    for address in ("/evenings/1", "/standings?event=Club"):
        quiet_page.goto(address)
        rows = quiet_page.locator(".placed").evaluate(UNDER_THEIR_HEADINGS)
        assert len({len(row) for row in rows}) == 1
        for row in rows:
            assert len({top for top, _, _ in row}) == 1, "one line"
            assert [edges for _, *edges in row] == [edges for _, *edges in rows[0]]
        assert quiet_page.evaluate("document.documentElement.scrollWidth") <= width
