"""Games that no database has, examples, private ones and those in links, are reviewed and diagnosed like stored ones."""

import io
import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient

from records.format import codec
from records.record import Record
from tests.make.habits import draws_in_the_wrong_order
from webui.server.game_cache import encode_permalink

EXAMPLE = "/examples/bezique-enhanced/deals/1"


def privately(client: FlaskClient, record: Record) -> str:
    """The path of the first game of a private upload."""
    files = (io.BytesIO(codec.encode(record)), "a.json")
    answer = client.post("/", data={"private": "1", "files": files})
    assert answer.status_code == 303
    return f"{answer.location.partition('#')[0]}/records/1"


def review_link(page: str) -> str:
    """The address behind the button of the panel Review."""
    panel = page.partition('id="panel-review"')[2].partition("</section>")[0]
    found = re.search(
        r'<a class="button" rel="nofollow" href="([^"]+)">Review this game</a>', panel
    )
    assert found, "there is no review to ask for"
    return found[1].replace("&amp;", "&")


def assert_reviewed(client: FlaskClient, address: str, step: int) -> None:
    """A deal offers its review, which leads back to the step, with the panel open and exact values."""
    page = client.get(f"{address}step={step}").text
    assert 'id="review"' not in page
    answer = client.get(review_link(page))
    assert answer.status_code == 303
    query = parse_qs(urlsplit(answer.location).query)
    assert (query["tab"], query["step"]) == (["review"], [str(step)])
    reviewed = client.get(answer.location).text
    found = re.search(r'<script type="application/json" id="review">(.*?)</script>', reviewed)
    assert found
    assert json.loads(found[1])["best"]
    assert "Review this game" not in reviewed.partition('id="panel-review"')[2]


@pytest.mark.long
def test_an_example_is_reviewed(client: FlaskClient):
    assert_reviewed(client, f"{EXAMPLE}?", 9)
    assert 'id="review"' in client.get(EXAMPLE).text, "it is kept"
    assert 'id="review"' not in client.get(f"{EXAMPLE}?see=0").text, "values would tell the cards"
    assert 'id="review"' not in client.get(f"{EXAMPLE}?until=9").text


@pytest.mark.long
def test_a_game_in_a_link_is_reviewed(client: FlaskClient):
    record = client.get("/examples/marjolet/record.json").data
    assert_reviewed(client, f"/replay?record={encode_permalink(record)}&", 5)


@pytest.mark.long
def test_a_private_game_is_reviewed_and_forgotten_with_its_upload(
    fresh_client: FlaskClient, legal: Record
):
    game = privately(fresh_client, legal)
    assert_reviewed(fresh_client, f"{game}/deals/1?", 9)
    assert 'records/1/review.txt">' in fresh_client.get(f"{game}/deals/1").text
    fresh_client.post(f"{game.partition('/records')[0]}/delete")
    assert fresh_client.get(f"{game}/deals/1/review").status_code == 404


@pytest.mark.parametrize("address", ["/examples/zetema/deals/1/review", "/examples/bezique/deals/9/review"])  # fmt: skip
def test_what_cannot_be_reviewed(client: FlaskClient, address):
    answer = client.get(address, follow_redirects=True)
    assert answer.status_code == 404


def test_zetema_offers_no_review(client: FlaskClient):
    assert 'id="panel-review"' not in client.get("/examples/zetema/deals/1").text


@pytest.mark.long
def test_a_private_game_says_its_diagnosis_and_what_would_mend_it(fresh_client: FlaskClient):
    page = fresh_client.get(privately(fresh_client, draws_in_the_wrong_order())).text
    assert page.count('<p class="diagnosis-says">The loser of the trick draws first') == 1
    mends = page.partition('<ol class="mends">')[2].partition("</ol>")[0]
    assert "6 places" in mends
    assert page.index("diagnosis-says") < page.index('id="findings"')


def test_a_private_game_without_fault_has_no_diagnosis(fresh_client: FlaskClient, legal: Record):
    assert "diagnosis-says" not in fresh_client.get(privately(fresh_client, legal)).text
