"""A record of a match that is stored already: what its sender and its readers are told, and who may not know."""

import json
from io import BytesIO

import pytest
from flask.testing import FlaskClient

from analyzer.ingest.deletion import delete_games
from records.format import codec
from records.format.redaction import redact
from records.selfplay import play_game
from tests.make.stored_games import store_game
from tests.webui.public_site import SITE, Browser
from webui.display.words import RELATION_WORDS

WHOLE = play_game("zique", seed=4, deals=2)


def other_record(relation: str) -> bytes:
    """A record that stands so to that of the whole match."""
    if relation == "view":
        return codec.encode(redact(WHOLE, 1))
    raw = json.loads(codec.encode(WHOLE))
    if relation == "beginning":
        del raw["deals"][1:], raw["result"]
    for deal in raw["deals"]:
        deal["events"] = [event for event in deal["events"] if "trick" not in event.values()]
    return json.dumps(raw).encode()


RELATIONS = ("same", "view", "beginning")


@pytest.mark.parametrize("relation", RELATIONS)
def test_the_sender_is_told_how_the_own_record_stands_to_the_match(
    fresh_client: FlaskClient, store, relation: str
) -> None:
    first = store_game(store, WHOLE)
    sent = {"files": (BytesIO(other_record(relation)), "game.json")}
    page = fresh_client.post("/", data=sent, follow_redirects=True).text
    words = RELATION_WORDS[relation].yours
    link = f'<a href="/games/{first}">already stored</a>'
    assert f"The same match is {link}; yours {words}. It counts once." in page


@pytest.mark.parametrize("relation", RELATIONS)
def test_who_may_not_read_is_not_told_of_other_records(open_site, relation: str) -> None:
    app = open_site(visitors_may=["upload"])
    first = store_game(app, WHOLE)
    data = other_record(relation)
    visitor = app.test_client()
    told = visitor.post(
        "/api/v1/games", data=data, content_type="application/json", base_url=SITE
    ).text
    delete_games(app.extensions["store"], [codec.digest(codec.decode(data).record)])
    told += Browser(app).post("/", form="/", record=data.decode()).text
    assert '"state":"stored"' in told
    for word in (first[:12], "same match", '"match"', '"relation"', RELATION_WORDS[relation].yours):
        assert word not in told
