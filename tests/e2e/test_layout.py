"""What people saw when they looked at the pages: words covered or cut, holes, rows apart that belong together."""

import pytest
from playwright.sync_api import Locator, Page, expect

PHONE, ON_ITS_SIDE, TABLET, DESK = (390, 844), (844, 390), (820, 1180), (1440, 900)


def set_size(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(reduced_motion="reduce")


def box_of(place: Locator) -> dict[str, float]:
    box = place.bounding_box()
    assert box is not None
    return {**box, "right": box["x"] + box["width"], "bottom": box["y"] + box["height"]}


@pytest.mark.long
@pytest.mark.parametrize("size", [DESK, TABLET])
def test_the_card_just_laid_covers_no_name_of_its_pile(quiet_page: Page, digests, size):
    set_size(quiet_page, size)
    quiet_page.goto(f"/games/{digests['zetema']}/deals/1?step=2")
    laid = quiet_page.locator(".tableau .group:has(.card.lifted)")
    for _ in range(6):
        if laid.count():
            break
        quiet_page.keyboard.press("ArrowRight")
    name, card = box_of(laid.locator(".group-name")), box_of(laid.locator(".lifted svg"))
    assert name["bottom"] <= card["y"] + 1


@pytest.mark.long
def test_no_name_is_cut_where_six_sit_on_a_low_felt(quiet_page: Page, digests):
    set_size(quiet_page, ON_ITS_SIDE)
    quiet_page.goto(f"/games/{digests['six']}/deals/1?step=9999")
    names = quiet_page.locator(".far .plate-name")
    expect(names).to_have_count(5)
    names.evaluate_all("(all) => all.forEach((name) => { name.firstChild.textContent = 'Hedda'; })")
    points = quiet_page.locator(".far .plate-points b")
    points.evaluate_all("(all) => all.forEach((place) => { place.textContent = '25'; })")
    assert names.evaluate_all("(all) => all.every((name) => name.scrollWidth <= name.clientWidth)")


@pytest.mark.long
def test_the_first_page_has_the_upload_beside_the_table(quiet_page: Page):
    set_size(quiet_page, DESK)
    quiet_page.goto("/")
    table, upload, about = (
        box_of(quiet_page.locator(place)) for place in (".question-table", ".drop", ".about")
    )
    assert upload["y"] == table["y"]
    assert upload["x"] > table["right"]
    assert about["x"] == table["x"]
    assert about["y"] - table["bottom"] < 64, "no hole below the table"
    headings = quiet_page.locator(".drop :is(h2, label)").all_inner_texts()
    assert headings[0] == "Upload a game"


@pytest.mark.long
def test_where_no_melds_lie_the_cards_of_the_first_page_are_large(quiet_page: Page):
    set_size(quiet_page, DESK)
    quiet_page.goto("/")
    card = quiet_page.locator(".near .hand .card svg").first
    assert box_of(card)["width"] > 60


@pytest.mark.parametrize("size", [PHONE, TABLET, DESK])
def test_what_is_asked_together_stands_in_one_row(quiet_page: Page, size):
    set_size(quiet_page, size)
    quiet_page.goto("/games")
    for one, other in (("Player", "and"), ("From", "to")):
        first = box_of(quiet_page.get_by_label(one, exact=True))
        second = box_of(quiet_page.get_by_label(other, exact=True))
        assert first["y"] == second["y"]
        assert 0 < second["x"] - first["right"] < 24


@pytest.mark.long
def test_a_game_of_the_list_takes_few_lines_on_a_phone(quiet_page: Page):
    set_size(quiet_page, PHONE)
    quiet_page.goto("/games")
    with_curve = quiet_page.locator(".game", has=quiet_page.locator(".spark"))
    game = with_curve.filter(has_not_text="Thursday Club").first  # its names are long
    mark, names = box_of(game.locator(".sheet-mark")), box_of(game.locator(".game-link"))
    facts, spark = box_of(game.locator(".game-facts")), box_of(game.locator(".spark"))
    assert mark["right"] < names["x"]
    assert names["bottom"] <= facts["y"] + 1
    assert facts["right"] < spark["x"]
    assert abs(spark["right"] - box_of(game)["right"]) < 1
    assert box_of(game)["height"] < 100


@pytest.mark.slow
def test_the_turning_points_stand_beside_the_summary(quiet_page: Page, digests):
    set_size(quiet_page, DESK)
    quiet_page.goto(f"/games/{digests['random']}/review")
    summary = box_of(quiet_page.locator(".card-sum"))
    turning_points = box_of(quiet_page.get_by_role("heading", name="Turning points"))
    assert turning_points["x"] > summary["right"]
    assert abs(turning_points["y"] - summary["y"]) < 8
    set_size(quiet_page, PHONE)
    count = box_of(quiet_page.locator("#found-count"))
    assert box_of(quiet_page.locator(".card-sum"))["y"] - count["bottom"] < 40


@pytest.mark.slow
def test_a_lonely_bar_of_a_small_picture_is_no_block(quiet_page: Page):
    set_size(quiet_page, DESK)
    quiet_page.goto("/statistics")
    place = quiet_page.locator(".question", has_text="Verdicts by program").locator(".insight")
    place.scroll_into_view_if_needed()
    expect(place).to_have_attribute("data-drawn", "")
    bars = place.locator(".bars path").all()
    assert bars
    assert max(box_of(bar)["height"] for bar in bars) < 40


LONG_LINES = """() => [...document.querySelectorAll("main :is(p, figcaption, li, dd)")]
    .filter((part) => part.checkVisibility() && part.textContent.length > 110 && !part.querySelector("p, li, div, dl"))
    .filter((part) => {
        const style = getComputedStyle(part), inner = parseFloat(style.width) - parseFloat(style.paddingLeft) * 2;
        return style.display !== "flex" && inner > 40 * parseFloat(style.fontSize);
    })
    .map((part) => part.textContent.trim().slice(0, 40))"""
"""The texts that may have lines of more than some ninety letters."""
PAGES_OF_WORDS = (
    "/players", "/statistics", "/statistics/points_by_source", "/statistics/expectancy/bezique", "/docs",
    "/docs/tutorial", "/api", "/glossary", "/reviews", "/rules/bezique", "/standings", "/games/{random}/review",
)  # fmt: skip


@pytest.mark.long
def test_no_line_of_text_is_too_long_to_be_read_with_ease(quiet_page: Page, digests):
    set_size(quiet_page, (1920, 1080))
    found = {}
    for path in PAGES_OF_WORDS:
        quiet_page.goto(path.format(**digests))
        found[path] = quiet_page.evaluate(LONG_LINES)
    assert {path: texts for path, texts in found.items() if texts} == {}


HEIGHTS = """(said) => [said.scrollHeight, said.clientHeight]"""


SEEN_WHOLE = """(parts) => parts.every((part) => {
    const box = part.getBoundingClientRect(), said = part.closest(".step-text").getBoundingClientRect();
    return box.bottom <= said.bottom + 1;
})"""
"""Whether these parts of a step's words end above the edge behind which one would have to scroll."""


@pytest.mark.long
@pytest.mark.parametrize("size", [PHONE, TABLET, DESK, ON_ITS_SIDE])
def test_the_first_words_of_the_first_page_are_whole(quiet_page: Page, size):
    set_size(quiet_page, size)
    quiet_page.goto("/")
    tall, seen = quiet_page.locator(".step-text").evaluate(HEIGHTS)
    assert tall <= seen


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, TABLET, DESK])
def test_what_was_better_is_read_without_scrolling(quiet_page: Page, digests, size):
    set_size(quiet_page, size)
    quiet_page.goto(f"/games/{digests['random']}/review")
    quiet_page.goto(quiet_page.locator("main a[href*='best=1']").first.get_attribute("href") or "")
    quiet_page.wait_for_function("() => performance.getEntriesByName('ready').length > 0")
    words = quiet_page.locator(".best-line p:first-child, .best-line .offers li:first-child")
    words.first.wait_for(timeout=5000)
    for place, text in (
        (".say", "Ada takes the trick: the ace of clubs is higher than the 8 of clubs."),
        (
            ".best-line p:first-child",
            "Ada certainly loses 20 points by this play; another was better.",
        ),
    ):
        said = quiet_page.locator(place)
        said.evaluate("(part, text) => { part.textContent = text; }", text)
    assert words.evaluate_all(SEEN_WHOLE)
    keys, slider = box_of(quiet_page.locator(".keys")), box_of(quiet_page.locator(".slide"))
    assert max(slider["bottom"], keys["bottom"]) <= size[1]
    assert slider["bottom"] <= keys["y"] + 1 or slider["right"] <= keys["x"], "not behind the keys"


@pytest.mark.long
@pytest.mark.parametrize("name", ["legal", "annotated"])
def test_a_value_covers_no_rank_on_a_phone(quiet_page: Page, digests, name):
    """The cards of a game that was reviewed, as the annotated one was, are smaller."""
    set_size(quiet_page, PHONE)
    quiet_page.goto(f"/games/{digests[name]}/deals/1?step=40")
    share_above = quiet_page.locator(".near .hand .card").first.evaluate("""(card) => {
        card.dataset.cardValue = "+59 ± 16";
        const label = getComputedStyle(card, "::before");
        return 1 - (parseFloat(label.height) + parseFloat(label.bottom)) / card.clientHeight;
    }""")
    assert share_above > 0.4


@pytest.mark.long
@pytest.mark.parametrize("path", ["drill", "deals/1/what-if?step=8"])
def test_there_is_nothing_below_the_words_about_a_line(quiet_page: Page, digests, path):
    set_size(quiet_page, PHONE)
    quiet_page.goto(f"/games/{digests['annotated']}/{path}")
    panel = quiet_page.locator(".what-if-panel")
    last = panel.evaluate(
        "(panel) => Math.max(...[...panel.children].map((part) => part.getBoundingClientRect().bottom))"
    )
    assert box_of(panel)["bottom"] - last < 40


@pytest.mark.long
def test_a_chart_is_no_wider_than_a_window_just_made_narrower(quiet_page: Page):
    """It is drawn anew a moment later; until then the old drawing must not push the page sideways."""
    set_size(quiet_page, DESK)
    quiet_page.goto("/statistics/points_by_source")
    quiet_page.wait_for_selector("[data-chart][data-drawn] .main-svg", timeout=20_000)
    quiet_page.locator("[data-chart] .main-svg").first.evaluate(
        "(drawing) => { drawing.style.width = '3000px'; }"
    )
    assert quiet_page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.long
@pytest.mark.parametrize("size", [PHONE, TABLET])
def test_six_names_and_what_they_gain_are_not_cut(quiet_page: Page, digests, size):
    set_size(quiet_page, size)
    quiet_page.goto(f"/games/{digests['six']}/deals/1?step=9999")
    names = quiet_page.locator(".far .plate-name")
    expect(names).to_have_count(5)
    names.evaluate_all(
        "(all) => all.forEach((name) => { name.firstChild.textContent = 'Gustav'; })"
    )
    quiet_page.locator(".far .plate-points b").evaluate_all(
        "(all) => all.forEach((place) => { place.textContent = '25'; })"
    )
    quiet_page.locator(".far .gain").evaluate_all(
        "(all) => all.forEach((place) => { place.innerHTML = '<span>+10 marriages</span>'; })"
    )
    cut = "(all) => all.filter((part) => part.scrollWidth > part.clientWidth + 1).map((part) => part.textContent)"
    assert names.evaluate_all(cut) == []
    assert quiet_page.locator(".far .gain").evaluate_all(cut) == []


@pytest.mark.long
def test_a_name_is_not_cut_for_the_word_that_a_place_is_uncertain(quiet_page: Page, digests):
    set_size(quiet_page, PHONE)
    quiet_page.goto(f"/games/{digests['legal']}/deals/1?step=40")
    plate = quiet_page.locator(".near .plate")
    plate.locator(".unsure").evaluate("(part) => { part.hidden = false; }")
    plate.locator(".plate-name").evaluate("(part) => { part.textContent = 'Hedda'; }")
    for part in (".plate-name", ".unsure"):
        assert plate.locator(part).evaluate("(part) => part.scrollWidth <= part.clientWidth"), part
