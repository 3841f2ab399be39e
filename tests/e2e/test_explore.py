"""Explore: choices are kept in the address, and the address restores them."""

import io
import re
from datetime import date
from urllib.parse import parse_qsl, urlsplit
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import Page, expect


def asked(page: Page) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(page.url).query, keep_blank_values=True)


@pytest.mark.slow
def test_the_address_is_the_question(quiet_page: Page, site: str):
    page = quiet_page
    page.goto("/explore")
    page.get_by_label("Measure").select_option("Points per deal")
    page.get_by_label("by", exact=True).select_option("Dealer or leader")
    page.get_by_label("and by").select_option("Last trick")
    page.get_by_label("where").select_option("Rulebook")
    page.get_by_label("equals", exact=True).fill("Bezique")
    page.get_by_role("button", name="Show").click()
    page.wait_for_selector("[data-drawn] .main-svg")
    expected = [("metric", "points"), ("by", "role"), ("split", "last_trick"), ("sheet", "bezique")]
    assert asked(page) == expected
    table = page.get_by_role("region", name="Table: Points").inner_text()
    page.goto(page.url)
    expect(page.get_by_label("and by")).to_have_value("last_trick")
    expect(page.get_by_role("link", name="Remove: Rulebook bezique")).to_be_visible()
    assert page.get_by_role("region", name="Table: Points").inner_text() == table
    page.get_by_role("link", name="Remove").click()
    expect(page.get_by_role("link", name="Remove")).to_have_count(0)
    assert asked(page) == expected[:3]
    page.go_back()
    assert asked(page) == expected
    expect(page.get_by_label("Measure")).to_have_value("points")


@pytest.mark.slow
def test_a_limit_is_kept_when_the_question_changes(quiet_page: Page):
    page = quiet_page
    page.goto("/explore?metric=points&by=role&sheet=bezique")
    page.get_by_label("Measure").select_option("Deals won")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Show").press("Enter")
    page.wait_for_url("**metric=deals_won**")
    assert asked(page) == [("metric", "deals_won"), ("by", "role"), ("sheet", "bezique")]


@pytest.mark.long
def test_what_has_no_answer_cannot_be_chosen(quiet_page: Page):
    page = quiet_page
    page.goto("/explore")
    by = page.get_by_label("by", exact=True)
    assert by.locator("option[value=meld]").is_disabled()
    page.get_by_label("Measure").select_option("Melds per 100 deals")
    by.select_option("meld")
    page.get_by_label("Measure").select_option("Points per deal")
    expect(by).to_have_value("")


@pytest.mark.long
def test_values_are_offered(quiet_page: Page):
    page = quiet_page
    page.goto("/explore")
    page.get_by_label("where").select_option("Dealer or leader")
    expect(page.locator("#values option")).not_to_have_count(0)
    values = page.locator("#values option").evaluate_all("all => all.map((one) => one.value)")
    assert {"dealer", "leader"} <= set(values)


@pytest.mark.slow
def test_a_preset_leads_to_an_answer(quiet_page: Page):
    page = quiet_page
    page.goto("/explore")
    page.get_by_role("link", name="Does the leader win?").click()
    page.wait_for_selector("[data-drawn] .main-svg")


@pytest.mark.long
def test_it_works_without_script(browser, site: str):
    context = browser.new_context(java_script_enabled=False, base_url=site)
    page = context.new_page()
    page.goto("/explore?metric=points")
    page.get_by_label("by", exact=True).select_option("role")
    page.get_by_role("button", name="Show").click()
    assert asked(page) == [("metric", "points"), ("by", "role")]
    expect(page.get_by_role("region", name="Table: Points")).to_contain_text("dealer")
    context.close()


@pytest.mark.slow
def test_a_statement_is_an_address_too(quiet_page: Page):
    page = quiet_page
    page.goto("/explore?metric=points&by=role")
    page.get_by_role("heading", name="SQL").click()
    page.get_by_role("link", name="Edit and run").click()
    expect(page.get_by_role("region", name="Answer", exact=False).last).to_contain_text("dealer")
    page.get_by_label("Statement").fill("SELECT 40 + 2 AS answer")
    page.get_by_label("Statement").press("Control+Enter")
    page.wait_for_url("**q=SELECT+40**")
    expect(page.get_by_role("region", name="Table: Answer")).to_contain_text("42")


@pytest.mark.slow
def test_the_words_of_a_chart_are_filled_and_no_legend_outgrows_its_plot(quiet_page: Page):
    quiet_page.set_viewport_size({"width": 390, "height": 900})
    for address in ("metric=points&by=strength", "metric=meld_rate&by=meld&split=sheet"):
        quiet_page.goto(f"/explore?{address}")
        chart = quiet_page.locator("[data-chart][data-drawn]")
        for line in chart.locator("tspan.line").all():
            assert line.evaluate("line => getComputedStyle(line).stroke") == "none"
        heights = chart.evaluate(
            """chart => ["g.legend", "g.cartesianlayer"].map(
                (part) => chart.querySelector(part)?.getBoundingClientRect().height ?? 0)"""
        )
        assert heights[0] < heights[1]
        assert quiet_page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_on_a_phone_no_button_lies_over_a_figure_that_names_rulebooks_as_books_do(browser, site):
    phone = browser.new_context(
        base_url=site, viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True
    )
    page = phone.new_page()
    page.goto("/explore?metric=deals_won&by=sheet")
    page.wait_for_selector("[data-chart][data-drawn] .main-svg")
    expect(page.locator("[data-chart] .modebar-btn")).to_have_count(0)
    expect(page.locator("[data-chart] .ytick", has_text="Chinese Bezique")).to_be_visible()
    phone.close()


COLOUR_OF_BAR = """chart => {
    const height = (part) => { const box = part.getBoundingClientRect(); return box.y + box.height / 2; };
    const bars = [...chart.querySelectorAll(".bars .point path")];
    return Object.fromEntries([...chart.querySelectorAll(".ytick text")].map((tick) => {
        const far = (bar) => Math.abs(height(bar) - height(tick));
        const [bar] = bars.toSorted((one, other) => far(one) - far(other));
        return [tick.textContent, bar.style.fill];
    }));
}"""
"""The colour of the bar beside each name of a chart."""


@pytest.mark.slow
def test_a_bar_has_the_one_colour_of_its_rulebook_and_a_click_opens_its_games(quiet_page: Page):
    seen: dict[str, set[str]] = {}
    for metric in ("deals_won", "legal_records"):
        quiet_page.goto(f"/explore?metric={metric}&by=sheet")
        colours = quiet_page.locator("[data-chart][data-drawn]").evaluate(COLOUR_OF_BAR)
        assert len({*colours.values()}) == len(colours) > 3
        for name, colour in colours.items():
            seen.setdefault(name, set()).add(colour)
    assert all(len(colours) == 1 for colours in seen.values()), seen
    bar = quiet_page.locator(".bars .point").first
    box = bar.bounding_box()
    assert box is not None
    quiet_page.mouse.click(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    quiet_page.wait_for_url(re.compile(r"/games\?sheet="))


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "address", ["/statistics/points_by_source", "/explore?metric=points&by=sheet"]
)
def test_a_chart_leaves_as_a_picture_with_what_it_says(quiet_page: Page, address, scheme):
    """With its title, its answer, where it comes from and the day; on paper, whatever the colours of the page are."""
    page = quiet_page
    page.emulate_media(color_scheme=scheme)
    page.goto(address)
    page.locator("[data-drawn]").first.wait_for()

    def saved(name: str) -> bytes:
        with page.expect_download() as download:
            page.get_by_role("button", name=name).first.click()
        assert download.value.suggested_filename.endswith(f".{name.lower()}")
        return download.value.path().read_bytes()

    svg = " ".join(ElementTree.fromstring(saved("SVG")).itertext())
    figure = page.locator("figure[data-title]").first
    for part in ("title", "answer", "source"):
        words = str(figure.get_attribute(f"data-{part}")).split()
        assert words
        assert "".join(words) in re.sub(r"\s", "", svg), part
    assert str(date.today().year) in svg
    assert address.partition("?")[0] in svg
    with Image.open(io.BytesIO(saved("PNG"))) as picture:
        assert picture.width == 2400
        assert min(picture.convert("RGB").getpixel((5, 5))) > 240
    page.emulate_media(color_scheme=None)
