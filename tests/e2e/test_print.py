"""On paper a game is a score sheet, and a deal the table of a position."""

from playwright.sync_api import Page, expect


def test_a_game_prints_its_score_sheet_and_a_deal_its_table(quiet_page: Page, digests):
    quiet_page.goto(f"/games/{digests['legal']}")
    expect(quiet_page.locator(".score-sheet")).to_be_hidden()
    quiet_page.emulate_media(media="print")
    expect(quiet_page.locator(".score-sheet")).to_be_visible()
    for hidden in (".top", ".foot", ".ask", ".deals"):
        expect(quiet_page.locator(hidden).first).to_be_hidden()
    quiet_page.goto(f"/games/{digests['legal']}/deals/1?step=20")
    quiet_page.emulate_media(media="screen")
    quiet_page.emulate_media(media="print")
    expect(quiet_page.locator("[data-felt]")).to_be_visible()
    expect(quiet_page.locator("[data-say]")).to_be_visible()
    for hidden in (".top", ".side", ".keys", ".slide"):
        expect(quiet_page.locator(hidden).first).to_be_hidden()
    quiet_page.emulate_media(media="screen")
    expect(quiet_page.locator(".side")).to_be_visible()


def test_a_document_is_whole_on_paper(quiet_page: Page):
    quiet_page.goto("/docs/tutorial")
    quiet_page.emulate_media(media="print")
    cut = "[...document.querySelectorAll('.code')].filter(block => block.scrollHeight > block.clientHeight)"
    assert quiet_page.evaluate(f"{cut}.length") == 0
    for pressed in (".document-search", ".document-contents", ".all-pages", ".anchor"):
        expect(quiet_page.locator(pressed).first).to_be_hidden()
