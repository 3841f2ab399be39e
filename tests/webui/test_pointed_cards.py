"""The cards that a comment names are pointed at on the table, at the step of the comment and for who may read it."""

import re

from msgspec.structs import replace

from records.record import Note
from tests.make.stored_games import store_game

SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def test_a_note_points_at_the_cards_that_it_names(fresh, fresh_client, legal):
    card = legal.deals[0].hands[0][3]
    name = f"{card[0].replace('T', '10')}{SIGNS[card[1]]}"
    noted = replace(legal, notes=[Note(at=[0], text=f"Keep {name}."), Note(at=[0, 3], text="!")])
    address = f"/games/{store_game(fresh, noted)}/deals/1"
    marked = re.compile(rf'class="card[^"]* pointed" data-card="{card}"')
    assert marked.search(fresh_client.get(address).text)
    assert ", pointed at" in fresh_client.get(address).text
    assert not marked.search(fresh_client.get(f"{address}?step=4").text)
    assert " pointed" not in fresh_client.get(f"{address}.json?see=1").text
    steps = fresh_client.get(f"{address}.json").json["steps"]
    assert [number for number, step in enumerate(steps) if "pointed" in str(step)] == [0]
