"""The secretary's tour happens as its page tells it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.make.club_evening import ROUNDS, TourStage, hold_tour

PAGE = Path(__file__).parents[2] / "webui/documents/secretary.md"
STANDING_LINE = re.compile(r"^\| (\d+) \| (\w+) \| ([\d.]+) \|$", re.MULTILINE)


def advance(tour: Iterator[TourStage], wanted: TourStage) -> None:
    for stage in tour:
        if stage == wanted:
            return
    pytest.fail(f"the tour has no stage {wanted}")


@pytest.mark.slow
def test_the_tour_happens_as_it_is_told(fresh_client, store):
    tour = hold_tour(store)
    advance(tour, "paired")
    page = fresh_client.get("/evenings/1").text
    assert "6 results of round 1 are open" in page
    advance(tour, "misspelt")
    assert "Hogo is not among the players" in fresh_client.get("/evenings/1").text
    advance(tour, "told twice")
    page = fresh_client.get("/evenings/1").text
    assert "one of 2 records of it" in page
    assert "Hogo" not in page.partition("<main")[2].partition("Records without")[2]
    advance(tour, "abandoned")
    assert "a record that does not count: abandoned" in fresh_client.get("/evenings/1").text
    advance(tour, "over")
    found = fresh_client.get("/evenings/1.json").json
    assert found["records_without_a_table"] == []
    told = [(name, float(points)) for _, name, points in STANDING_LINE.findall(PAGE.read_text())]
    assert [(line["name"], line["points"]) for line in found["standing"]] == told
    assert sum(points for _, points in told) == 6 * ROUNDS
    counted = fresh_client.get("/standings.json?event=Thursday+club").json["standing"]
    assert sum(line["matches"] for line in counted) == 2 * 30
