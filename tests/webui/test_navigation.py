"""The pages that stand side by side: every page of a place shows them, and marks itself or the one that it is under."""

import re
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from records.selfplay import play_game
from tests.make.empty_store import with_empty_database
from tests.make.stored_games import store_game
from tests.webui.conftest import ENDLESS_RATES
from webui import create_app
from webui.application import close_app

PLACES = {
    "Club": {
        "Events": ["/events", "/evenings/1"],
        "Standings": ["/standings?event=Club"],
        "Players": ["/players", "/player?name=Ann", "/players/compare?first=Ann&second=Bob"],
    },
    "Insights": {
        "Questions": ["/statistics", "/statistics/deal_scores", "/statistics/sheets/zique", "/statistics/expectancy/zique"],
        "Explore": ["/explore"],
        "SQL": ["/sql"],
    },
    "Learn": {
        "Rulebooks": ["/rules", "/rules/zique", "/rules/zique/form", "/rules/own"],
        "Compare": ["/rules/compare"],
        "Glossary": ["/glossary"],
    },
}  # fmt: skip
PAGES = [
    pytest.param(place, name, address, address == own[0], id=address)
    for place, names in PLACES.items()
    for name, own in names.items()
    for address in own
]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """A visitor of a house with a game and an evening; for tests that only read."""
    data = with_empty_database(tmp_path_factory.mktemp("house"))
    app = create_app(data=data, testing=True, wtf_csrf_enabled=False, **ENDLESS_RATES)
    store_game(app, play_game("zique", seed=1, names=["Ann", "Bob"]))
    client = app.test_client()
    client.post("/evenings", data={"event": "Club", "day": "2026-03-05", "system": "swiss"})
    yield client
    close_app(app)


@pytest.mark.sampled(15)
@pytest.mark.parametrize(("place", "name", "address", "is_own"), PAGES)
def test_a_page_shows_its_neighbours_and_marks_one(house, place, name, address, is_own):
    page = house.get(address)
    assert page.status_code == 200
    ((label, shown),) = re.findall(
        r'<nav class="beside" aria-label="(\w+)">(.*?)</nav>', page.text, re.DOTALL
    )
    assert label == place
    marked = re.findall(r'aria-current="(\w+)">([^<]+)</a>', shown)
    assert marked == [("page" if is_own else "true", name)]
    assert [each for each in PLACES[place] if f">{each}</a>" not in shown] == []


@pytest.mark.parametrize("address", ["/events", "/players", "/explore", "/sql", "/rules/compare"])
def test_nothing_leads_elsewhere_above_a_title(fresh_client, address):
    page = fresh_client.get(address).text
    above = page.partition("<main")[2].partition("<h1")[0]
    assert "<a " not in re.sub(r'<nav class="beside".*?</nav>', "", above, flags=re.DOTALL)
