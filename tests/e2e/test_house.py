"""Every page: no other host, no error, no accessibility barrier, no sideways scrolling."""

import os
import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import COLOURS, CONTRAST, FITS_SOON, barriers, new_barriers

WIDTHS = {390: 844, 820: 1180, 1440: 900}
LOOKS = [
    (scheme, width, height)
    for scheme in ("light", "dark") for width, height in (*WIDTHS.items(), (844, 390), (320, 256))
    if os.environ.get("BEZIQUE_LOOKS") == "all"
]  # fmt: skip
"""With BEZIQUE_LOOKS=all every page is asked in light and dark at every size, on its side and at 400 % zoom."""
WIDER = "document.documentElement.scrollWidth - innerWidth"
NAVIGATION_FITS = """(list => list.scrollWidth <= list.clientWidth
    && list.firstElementChild.getBoundingClientRect().left >= list.getBoundingClientRect().left
)(document.querySelector('.nav'))"""
"""Whether all links of the navigation are in sight, on the narrowest screens too; what hangs out on the left does not
scroll."""
PAGES = {
    "home": "/",
    "recorder": "/record",
    "games": "/games",
    "game": "/games/{illegal}",
    "finding": "/games/{illegal}/deals/2?step=2",
    "verdict": "/verdicts?game={illegal}",
    "match told again": "/games/{polish}",
    "record of it": "/games/{told_again}",
    "verdict on it": "/verdicts?game={told_again}",
    "events": "/events",
    "standings": "/standings",
    "evening": "/evenings/1",
    "players compared": "/players/compare?first=Cleo&second=Dan",
    "reviewed": "/games/{random}/deals/1?step=40",
    "review": "/games/{annotated}/review",
    "drill": "/games/{annotated}/drill",
    "reviews explained": "/reviews",
    "doubts": "/games/{illegal}/doubts",
    "notes": "/games/{annotated}/notes",
    "six players": "/games/{six}/deals/1?step=60",
    "statistics": "/statistics",
    "answer": "/statistics/points_by_source",
    "explore": "/explore?metric=deals_won&by=sheet&split=role&player=Ann",
    "players": "/players",
    "player": "/player?name=Ann",
    "mistakes of a player": "/player/mistakes?name=Gus",
    "win expectancy": "/statistics/expectancy/bezique",
    "sheet's statistics": "/statistics/sheets/bezique",
    "sql": "/sql?q=SELECT+*+FROM+games",
    "rules": "/rules",
    "sheet": "/rules/bezique",
    "form": "/rules/bezique/form",
    "compared": "/rules/compare",
    "some compared": "/rules/compare?sheet=bezique&sheet=zetema&against=zique",
    "rulebook of your own": "/rules/own",
    "findings": "/findings",
    "code": "/findings/out-of-turn",
    "glossary": "/glossary",
    "studies": "/studies",
    "study": "/study/two-moments",
    "question of a study": "/study/two-moments/2",
    "line of a study": "/study/two-moments/2?line=2",
    "study to print": "/study/two-moments/print",
    "study changed": "/study/two-moments/edit",
    "moment changed": "/study/two-moments/2/edit",
    "moment added": "/games/{illegal}/deals/2/study?step=2",
    "documents": "/docs?q=dix",
    "document": "/docs/tutorial",
    "table in a document": "/docs/other_games",
    "api": "/api",
}
DRAWN = {
    "finding", "reviewed", "six players", "statistics", "answer", "explore", "player", "sheet's statistics",
    "win expectancy",
}  # fmt: skip
"""Pages on which a script draws for the window that it finds: they are loaded in each."""
FIGURES = re.compile("data-(chart|insight|score-race)")
"""What the markup of such a page has."""


LARGE_LETTERS = "document.documentElement.style.fontSize = '212.5%'"
LARGE_FROM_THE_START = (
    f"""document.addEventListener("DOMContentLoaded", () => {{ {LARGE_LETTERS}; }});"""
)


@pytest.mark.slow
def test_no_figure_is_wider_than_a_phone_with_letters_twice_as_large(first_page: Page, digests):
    """The other pages are asked below, where they are open."""
    first_page.set_viewport_size({"width": 390, "height": 844})
    first_page.add_init_script(LARGE_FROM_THE_START)
    assert pages_wider(first_page, digests) == {}


@pytest.mark.slow
def test_no_figure_is_wider_than_a_window_at_400_percent_in_forced_colours(
    first_page: Page, digests
):
    first_page.set_viewport_size({"width": 320, "height": 256})
    first_page.emulate_media(forced_colors="active", reduced_motion="reduce")
    assert pages_wider(first_page, digests) == {}


def pages_wider(page: Page, digests) -> dict[str, int]:
    """The pages with a figure that are wider than the window, and by how many pixels."""
    wide = {}
    for name in sorted(DRAWN):
        page.goto(PAGES[name].format(**digests))
        page.wait_for_load_state("networkidle")
        wide[name] = page.evaluate(WIDER)
    return {name: pixels for name, pixels in wide.items() if pixels > 0}


def test_what_is_chosen_is_told_without_our_colours(quiet_page: Page, digests):
    quiet_page.emulate_media(forced_colors="active")
    quiet_page.goto(f"/games/{digests['legal']}/deals/1")
    lines = {
        tab.get_attribute("aria-selected"): tab.evaluate(
            "tab => getComputedStyle(tab).outlineStyle"
        )
        for tab in quiet_page.get_by_role("tab").all()
    }
    assert lines == {"true": "solid", "false": "none"}
    edges = quiet_page.locator(".event").evaluate_all(
        "events => events.map((event) => [event.hasAttribute('aria-current'), getComputedStyle(event).borderLeftColor])"
    )
    now, others = (
        {edge for current, edge in edges if current == is_now} for is_now in (True, False)
    )
    assert len(now) == len(others) == 1
    assert now != others
    for part, mark in ((".legal", "::after"), (".to-act .plate-name", "::before")):
        surface = quiet_page.locator(part).first.evaluate(
            "(part, mark) => getComputedStyle(part, mark).backgroundColor", mark
        )
        assert surface not in ("rgba(0, 0, 0, 0)", others.copy().pop()), part
    quiet_page.emulate_media(forced_colors="none")


def open_page(page: Page, name: str, digests, width: int) -> None:
    page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    page.emulate_media(reduced_motion="reduce")
    page.goto(PAGES[name].format(**digests))
    if name in ("answer", "explore"):
        page.wait_for_selector("[data-drawn]")


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_barrier_and_no_fault(quiet_page: Page, digests, name):
    for width in WIDTHS:
        first = width == min(WIDTHS)
        if first or name in DRAWN:
            open_page(quiet_page, name, digests, width)
        quiet_page.set_viewport_size({"width": width, "height": WIDTHS[width]})
        if first or name in DRAWN:
            assert barriers(quiet_page, without=CONTRAST if width == 820 else ()) == [], width
        else:
            assert new_barriers(quiet_page) == [], width
        assert quiet_page.evaluate(WIDER) <= 0, width
        assert quiet_page.evaluate(NAVIGATION_FITS), width
        if first:
            for narrow in (360, 320):
                quiet_page.set_viewport_size({"width": narrow, "height": 568})
                assert quiet_page.evaluate(FITS_SOON)
                assert quiet_page.evaluate(NAVIGATION_FITS)
    if name not in DRAWN:
        assert wider_if_enlarged(quiet_page) == (0, 0)
    quiet_page.emulate_media(color_scheme="dark")
    # Style sheets and figures choose nothing but colours by the scheme.
    assert barriers(quiet_page, COLOURS) == []
    for scheme, width, height in LOOKS:
        quiet_page.emulate_media(color_scheme=scheme)
        quiet_page.set_viewport_size({"width": width, "height": height})
        assert barriers(quiet_page) == [], (scheme, width, height)
        assert quiet_page.evaluate(WIDER) <= 0, (scheme, width, height)


def wider_if_enlarged(page: Page) -> tuple[int, int]:
    """By how many pixels the page is wider than a phone with letters twice as large, and than a window at 400 % zoom in
    forced colours."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate(LARGE_LETTERS)
    with_large_letters = page.evaluate(WIDER)
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.set_viewport_size({"width": 320, "height": 256})
    page.emulate_media(forced_colors="active")
    zoomed = page.evaluate(WIDER)
    page.emulate_media(forced_colors="none")
    return with_large_letters, zoomed


def test_a_table_of_words_fits_a_phone(quiet_page: Page, digests):
    open_page(quiet_page, "table in a document", digests, 390)
    boxes = "[...document.querySelectorAll('main .scroll')]"
    assert quiet_page.evaluate(f"{boxes}.length") == 1
    assert quiet_page.evaluate(f"{boxes}.every(box => box.scrollWidth <= box.clientWidth)")


@pytest.mark.slow
def test_no_other_page_has_a_figure(quiet_page: Page, digests):
    """The others are laid out by style sheets alone, which know nothing of an earlier window."""
    texts = {name: quiet_page.request.get(PAGES[name].format(**digests)).text() for name in PAGES}
    assert {name for name, text in texts.items() if FIGURES.search(text)} == DRAWN


@pytest.mark.long
def test_an_error_page_has_no_barrier(page: Page):
    page.goto("/nothing")
    assert barriers(page) == []


@pytest.mark.parametrize("width", [320, 390, 1440])
def test_the_menu_has_what_people_come_for(quiet_page: Page, width):
    quiet_page.set_viewport_size({"width": width, "height": 844})
    quiet_page.goto("/rules")
    menu = quiet_page.get_by_role("navigation", name="Site")
    for words in ("Record", "Games", "Learn", "Club", "Insights"):
        expect(menu.get_by_role("link", name=words)).to_be_visible()
    expect(menu.get_by_role("link", name="Learn")).to_have_attribute("aria-current", "true")
    # What authors of programs ask for is below every page.
    for words in ("Documents", "Specification", "Findings", "API", "SQL"):
        expect(quiet_page.locator(".foot").get_by_role("link", name=words)).to_be_visible()
    assert quiet_page.evaluate(NAVIGATION_FITS)


def test_the_pages_of_a_place_stand_side_by_side(quiet_page: Page):
    quiet_page.goto("/events")
    quiet_page.get_by_role("navigation", name="Club").get_by_role("link", name="Players").click()
    expect(quiet_page).to_have_url(re.compile("/players$"))
    beside = quiet_page.get_by_role("navigation", name="Club")
    expect(beside.get_by_role("link", name="Players")).to_have_attribute("aria-current", "page")


@pytest.mark.long
def test_the_menu_fits_at_every_width(quiet_page: Page):
    quiet_page.goto("/rules")
    for width in (320, 360, 390, 430, 431, 480, 640, 641, 760, 761, 850, 1090, 1440):
        quiet_page.set_viewport_size({"width": width, "height": 844})
        assert quiet_page.evaluate(NAVIGATION_FITS), width


@pytest.mark.long
def test_the_choice_of_colours_is_kept(quiet_page: Page):
    quiet_page.goto("/")
    surface = "getComputedStyle(document.body).backgroundColor"
    light = quiet_page.evaluate(surface)
    quiet_page.get_by_role("button", name="Dark colours").click()
    dark = quiet_page.evaluate(surface)
    assert dark != light
    quiet_page.goto("/rules")
    assert quiet_page.evaluate(surface) == dark
    expect(quiet_page.get_by_role("button", name="Dark colours")).to_have_attribute(
        "aria-pressed", "true"
    )


def test_the_first_key_leads_past_the_header(quiet_page: Page):
    quiet_page.goto("/rules/bezique")
    quiet_page.keyboard.press("Tab")
    expect(quiet_page.get_by_role("link", name="Skip to content")).to_be_focused()
    quiet_page.keyboard.press("Enter")
    expect(quiet_page.locator("main")).to_be_focused()


@pytest.mark.slow
def test_every_question_is_answered_in_the_rulebook_of_the_reader(quiet_page: Page):
    nothing = {
        "body": '{"headline": "Too few.", "figure": null}',
        "content_type": "application/json",
    }
    quiet_page.route("**/points_by_source/insight.json*", lambda route: route.fulfill(**nothing))
    quiet_page.goto("/statistics?sheet=bezique")
    for card in quiet_page.locator("[data-insight]").all():
        card.scroll_into_view_if_needed()
        expect(card.locator("[data-says]")).to_have_text(re.compile(r"\w.*\.|Too few"))
    quiet_page.wait_for_selector(".insight[data-drawn]")
    expect(quiet_page.get_by_text("Too few.").first).to_be_visible()
    quiet_page.unroute("**/points_by_source/insight.json*")
    quiet_page.get_by_label("Rulebook").select_option("Zetema")
    first = quiet_page.locator("[data-insight]", has_text="Dealer or leader")
    first.scroll_into_view_if_needed()  # what is far away is not asked; the more games, the longer the page
    expect(first.locator("[data-says]")).to_contain_text(re.compile(r"In Zetema|Only \d+ "))
    quiet_page.goto("/statistics")  # the device keeps what was chosen
    expect(quiet_page.get_by_label("Rulebook")).to_have_value("zetema")
    about = quiet_page.get_by_role("link", name="All about this rulebook")
    expect(about).to_have_attribute("href", "/statistics/sheets/zetema")
    quiet_page.locator(".question a").first.click()
    quiet_page.wait_for_selector("[data-chart][data-drawn] .main-svg")
    assert quiet_page.locator("[data-chart]").get_by_text("Share").count() == 0
