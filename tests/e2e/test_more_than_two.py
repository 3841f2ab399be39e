"""Three and four at the tricks: every card of a trick is seen, and every player's name."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page

from records.format import codec
from records.record import Rules
from records.rules.inner_sheet import inner_data
from records.rules.registry import resolve_rules
from tests.machine.serving import served
from tests.playouts.test_more_players import game, known_rulebooks

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
