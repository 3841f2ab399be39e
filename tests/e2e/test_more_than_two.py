"""Three and four at the tricks: every card of a trick is seen, and every player's name."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from records.format import codec
from records.record import Rules
from records.rules.inner_sheet import inner_data
from records.rules.registry import resolve_rules
from tests.machine.serving import served
from tests.playouts.test_more_players import RULEBOOKS, game, known_rulebooks

SIZES = ((390, 844), (844, 390), (1440, 900))
LEAST_SEEN = 12
"""Of each card in a trick so many pixels are not covered by the next: enough for its rank and suit."""


@pytest.fixture(scope="module", params=["three-hands", "four-partners"])
def replay(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The address of a deal."""
    with known_rulebooks():
        record = game(request.param, None, 3, deals=1)
        sheet = resolve_rules(record.rules).sheet
        record = replace(record, rules=Rules(id=sheet.id, sheet=inner_data(sheet)))
    with served(tmp_path_factory.mktemp("site"), {"game.json": codec.encode(record)}) as (site, _):
        yield f"{site}/games/{codec.digest(record)}/deals/1"


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_card_of_a_trick_and_every_name_is_seen(
    page: Page, replay: str, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for step in (1, 4, 22, 34):
        page.goto(f"{replay}?step={step}")
        left = page.locator("[data-trick] > *").evaluate_all(
            "cards => cards.map((card) => card.getBoundingClientRect().left)"
        )
        assert all(after - before >= LEAST_SEEN for before, after in pairwise(left)), left
        names = page.locator(".plate-name").evaluate_all(
            "all => all.map((name) => name.offsetWidth)"
        )
        assert min(names) > 30, names


@pytest.fixture
def page_alone(browser: Browser) -> Iterator[Page]:
    """A page without a worker, which would keep its connection to the site when the page has gone."""
    context = browser.new_context(service_workers="block")
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def empty_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site without games; it ends after the page, whose connections it would wait for."""
    with served(tmp_path_factory.mktemp("empty"), {}) as (site, _):
        yield site


@pytest.mark.slow
def test_a_deal_of_three_is_recorded_by_a_rulebook_that_was_kept(
    empty_site: str, page_alone: Page
) -> None:
    """Kept from its page, chosen in the recorder, two tricks with a meld of the winner, and its verdict."""
    page = page_alone
    page.goto(f"{empty_site}/rules/own")
    page.locator("summary", has_text="Other rules than numbers").click()
    page.fill("#text", (RULEBOOKS / "bezique-three-hands.toml").read_text(encoding="utf-8"))
    page.locator("form.whole-lines button").click()
    page.get_by_role("button", name="Keep it here").click()
    page.goto(f"{empty_site}/record")
    page.select_option("#sheet", label="Three-handed Bezique")
    for seat, name in enumerate(("Ann", "Bob", "Cid")):
        page.fill(f"#name-{seat}", name)
    page.get_by_role("button", name="Start").click()
    for card in ("9H", "KH", "AH", "7H"):
        _tap(page, card)
    expect(page.locator("[data-turn]")).to_contain_text("Cid takes the trick and may meld")
    page.get_by_role("button", name="Cid: bezique 40").click()
    for card in ("QS", "JD", "KD"):
        _tap(page, card)
    expect(page.locator("[data-turn]")).to_contain_text("Cid takes the trick and may meld")
    expect(page.locator("[data-players]")).to_contain_text("40")
    page.get_by_role("button", name="Check it").click()
    expect(page.locator("[data-report]")).to_contain_text("Verdict: undetermined. Not every way")


def _tap(page: Page, card: str) -> None:
    expect(page.locator("[data-recorder]")).to_have_attribute("aria-busy", "false")
    page.locator(f"button[data-card='{card}']").click()
