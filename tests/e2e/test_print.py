"""On paper a game is a score sheet, and a deal the table of a position."""

import re

import pytest
from playwright.sync_api import Page, expect


@pytest.mark.slow
def test_a_game_prints_its_score_sheet_and_a_deal_its_table(quiet_page: Page, digests):
    quiet_page.goto(f"/games/{digests['legal']}")
    quiet_page.emulate_media(media="print")
    expect(quiet_page.locator(".score-sheet")).to_be_visible()
    for hidden in (".top", ".foot", ".ask", "[aria-labelledby='corrections']"):
        expect(quiet_page.locator(hidden).first).to_be_hidden()
    quiet_page.goto(f"/games/{digests['legal']}/deals/1?step=20")
    quiet_page.emulate_media(media="screen")
    quiet_page.emulate_media(media="print")
    expect(quiet_page.locator("[data-felt]")).to_be_visible()
    assert quiet_page.evaluate(NOT_READABLE) == []
    assert quiet_page.evaluate(PAINTED) == []
    expect(quiet_page.locator("[data-say]")).to_be_visible()
    for hidden in (".top", ".tabs", ".events-panel", ".keys", ".slide"):
        expect(quiet_page.locator(hidden).first).to_be_hidden()
    quiet_page.emulate_media(media="screen")
    expect(quiet_page.locator(".events-panel")).to_be_visible()


VALUES_ON_PAPER = """() => [...document.querySelectorAll("[data-card-value]")].map((card) => {
    const { color, backgroundColor } = getComputedStyle(card, "::before");
    return `${color} on ${backgroundColor}`;
})"""


@pytest.mark.long
def test_the_values_of_cards_are_black_on_white_on_paper(quiet_page: Page, digests):
    quiet_page.goto(f"/games/{digests['annotated']}/deals/1?step=0&best=1")
    expect(quiet_page.locator("[data-card-value]").first).to_be_visible()
    quiet_page.emulate_media(media="print")
    assert set(quiet_page.evaluate(VALUES_ON_PAPER)) == {"rgb(0, 0, 0) on rgb(255, 255, 255)"}
    quiet_page.emulate_media(media="screen")


NOT_READABLE = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const box = text.parentElement;
    if (!text.textContent.trim() || !box.checkVisibility()) continue;
    const style = getComputedStyle(box);
    const colour = box.closest("svg") ? style.fill : style.color;
    const onBlack = box.matches(".letter, .mark-letter");
    if (colour !== (onBlack ? "rgb(255, 255, 255)" : "rgb(0, 0, 0)")) found.push(`${text.textContent} ${colour}`);
  }
  for (const box of document.querySelectorAll("main *")) {
    const style = getComputedStyle(box);
    if (box.checkVisibility() && style.overflow !== "visible" && box.scrollHeight > box.clientHeight + 1
        && !box.closest("svg, img, .hidden-words")) found.push(`cut: ${box.className}`);
  }
  return found;
}"""
"""What of a page is not black on white, or is cut."""
PAINTED = """() => {
  const white = ["rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"];
  return [...document.querySelectorAll("body, body *:not(svg *)")]
    .filter(box => box.checkVisibility() && !box.matches(".letter"))
    .flatMap(box => {
      const { backgroundColor, backgroundImage } = getComputedStyle(box);
      return [backgroundColor, ...(backgroundImage.match(/rgba?\\([^)]*\\)|url\\(/g) ?? [])];
    })
    .filter(colour => !white.includes(colour));
}"""
"""What of a page would be printed as a surface in a colour."""


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_game_and_its_review_are_printed_black_on_white_and_unfolded(
    quiet_page: Page, digests, theme
):
    quiet_page.emulate_media(color_scheme=theme)
    quiet_page.set_viewport_size({"width": 690, "height": 1000})
    quiet_page.goto(f"/games/{digests['legal']}/review")
    expect(quiet_page.locator("#choices[data-progress]")).to_have_count(0, timeout=60_000)
    quiet_page.reload()
    for address in (f"/games/{digests['legal']}/review", f"/games/{digests['legal']}"):
        quiet_page.goto(address)
        paper = quiet_page.pdf()
        assert paper.startswith(b"%PDF")
        pictures = quiet_page.locator(".moment img.print-only")
        expect(pictures).to_have_count(3)
        quiet_page.emulate_media(media="print", color_scheme=theme)
        for picture in pictures.all():
            expect(picture).to_be_visible()
        expect(quiet_page.locator(".moment img.screen-only").first).to_be_hidden()
        assert quiet_page.evaluate(NOT_READABLE) == []
        assert quiet_page.evaluate(PAINTED) == []
        for folded in quiet_page.locator(".found details:not([open]) dl").all():
            expect(folded).to_be_visible()
        quiet_page.emulate_media(media="screen")


def test_a_document_is_whole_on_paper(quiet_page: Page):
    quiet_page.goto("/docs/tutorial")
    quiet_page.emulate_media(media="print")
    cut = "[...document.querySelectorAll('.code')].filter(block => block.scrollHeight > block.clientHeight)"
    assert quiet_page.evaluate(f"{cut}.length") == 0
    for pressed in (".document-search", ".document-contents", ".all-pages", ".anchor"):
        expect(quiet_page.locator(pressed).first).to_be_hidden()


@pytest.mark.parametrize(
    ("sheet", "sheets_of_paper"), [("marjolet", 1), ("bezique", 1), ("rubicon-bezique", 2)]
)
def test_a_form_fits_on_a4(quiet_page: Page, sheet: str, sheets_of_paper: int):
    """With a line for each trick that is high enough to write on."""
    quiet_page.goto(f"/rules/{sheet}/form")
    paper = quiet_page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == sheets_of_paper
    quiet_page.emulate_media(media="print")
    assert quiet_page.locator(".form-lines tbody tr").first.bounding_box()["height"] >= 20
    expect(quiet_page.locator(".form-words")).to_be_hidden()
    quiet_page.emulate_media(media="screen")


def test_the_list_of_all_documents_does_not_follow_a_page_on_a_phone(quiet_page: Page):
    quiet_page.goto("/docs/tutorial")
    quiet_page.set_viewport_size({"width": 390, "height": 844})
    expect(quiet_page.locator(".all-pages")).to_be_hidden()
    expect(quiet_page.get_by_role("link", name="All documents")).to_be_visible()
    quiet_page.set_viewport_size({"width": 1280, "height": 800})
    expect(quiet_page.locator(".all-pages")).to_be_visible()
