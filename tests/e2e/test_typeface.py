"""The one typeface: small, with the letters and figures that players need, and here before the page moves."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

FONTS = Path(__file__).parents[2] / "webui" / "static" / "fonts"
MOST_BYTES = 60_000
WORDS = {
    "Latin": "Łódź, Příbram, Žižkov, Größe, Çanakkale, naïve",
    "cards": "A♠ K♥ Q♦ J♣ – 1,250 − 40 ± 3 → ½",
    "Cyrillic": "Щербаков, Їжак, Ёлкин",
}
FAMILY = "Bezique Text"


def typefaces_of(page: Page, selector: str) -> dict[str, int]:
    """The typefaces in which the browser draws an element, with the number of letters in each."""
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    fonts = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    return {font["familyName"]: font["glyphCount"] for font in fonts}


def test_the_files_are_small_and_their_licence_lies_beside_them():
    assert sum(file.stat().st_size for file in FONTS.glob("*.woff2")) < MOST_BYTES
    assert "SIL OPEN FONT LICENSE" in (FONTS / "OFL.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", WORDS)
def test_names_figures_and_cards_are_drawn_in_it(quiet_page: Page, kind: str):
    quiet_page.goto("/rules")
    quiet_page.evaluate(
        "words => { document.querySelector('h1').textContent = words; }", WORDS[kind]
    )
    quiet_page.evaluate("document.fonts.ready")
    quiet_page.wait_for_timeout(100)
    assert set(typefaces_of(quiet_page, "h1")) == {FAMILY}


def test_letters_that_it_lacks_are_those_of_the_system(quiet_page: Page):
    quiet_page.goto("/rules")
    quiet_page.evaluate("() => { document.querySelector('h1').textContent = 'Νίκος Łódź'; }")
    quiet_page.evaluate("document.fonts.ready")
    drawn = typefaces_of(quiet_page, "h1")
    assert drawn.pop(FAMILY) == len("Łódź ")
    assert sum(drawn.values()) == len("Νίκος")


def test_figures_are_of_one_width(quiet_page: Page):
    quiet_page.goto("/rules")
    widths = quiet_page.evaluate("""async () => {
        await document.fonts.ready;
        const pen = document.createElement("canvas").getContext("2d");
        return [400, 600, 700].map(weight => {
            pen.font = `${weight} 40px "Bezique Text"`;
            return new Set([..."0123456789"].map(figure => pen.measureText(figure).width)).size;
        });
    }""")
    assert widths == [1, 1, 1]


def test_nothing_moves_while_it_comes(first_page: Page, digests):
    """With an empty cache; a page is asked for its typeface in its head, and told to keep it."""
    first_page.add_init_script("""
        window.moved = 0;
        new PerformanceObserver(list => {
          for (const shift of list.getEntries()) window.moved += shift.value;
        }).observe({ type: "layout-shift", buffered: true });
    """)
    with first_page.expect_response("**/text-1.woff2") as asked:
        first_page.goto(f"/games/{digests['legal']}")
    assert "immutable" in asked.value.headers["cache-control"]
    first_page.wait_for_load_state("networkidle")
    assert first_page.evaluate("window.moved") < 0.02
