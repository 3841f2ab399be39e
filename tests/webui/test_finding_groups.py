"""The pages tell a habit once, with all its places behind it, and what follows from a finding below it."""

import io

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from records.format import codec
from records.record import Record
from records.validate.codes import FINDING_CODES
from records.validate.finding import Cause, Finding, Place
from records.validate.report import fold_findings
from tests.make.habits import TIMES, draws_in_the_wrong_order
from tests.make.stored_games import store_game
from webui.server.shown_findings import group_for_page


def sent(client: FlaskClient, *records: Record) -> str:
    files = [(io.BytesIO(codec.encode(record)), f"{i}.json") for i, record in enumerate(records)]
    headers = {"X-Requested-With": "fetch"}
    return client.post("/", data={"files": files}, headers=headers).text


@pytest.mark.long
def test_a_verdict_tells_a_habit_once_with_all_its_places(fresh_client):
    page = sent(fresh_client, draws_in_the_wrong_order())
    assert page.count("The loser of the trick draws first: 6 times") == 1
    assert page.count("The loser of the trick draws first: all 6 findings follow from it.") == 1
    assert "All 6 places" in page
    places = page.partition("All 6 places")[2].partition("</details>")[0]
    assert places.count("?step=") == places.count("<li>") == TIMES
    assert page.count("draws first, but") == 1
    assert "findings of" in page


@pytest.mark.long
def test_one_record_has_its_findings_open_and_many_have_them_folded(fresh_client):
    alone = sent(fresh_client, draws_in_the_wrong_order())
    assert '<summary class="finding-what">' not in alone
    many = sent(fresh_client, *[draws_in_the_wrong_order(seed) for seed in range(4)])
    assert many.count('<summary class="finding-what">') >= 4


@pytest.mark.long
def test_of_a_dozen_records_each_says_its_diagnosis_and_folds_the_rest(fresh_client):
    page = sent(fresh_client, *[draws_in_the_wrong_order(seed) for seed in range(13)])
    assert page.count('<p class="diagnosis-says">') == 13
    assert page.count('<details class="finding-more"><summary>6 findings') == 13


@pytest.mark.long
def test_the_page_of_a_game_links_every_place_to_its_step(fresh_client, store):
    digest = store_game(store, draws_in_the_wrong_order())
    page = fresh_client.get(f"/games/{digest}").text
    assert page.count("The loser of the trick draws first: 6 times") == 1
    places = page.partition("All 6 places")[2].partition("</details>")[0]
    assert places.count(f"/games/{digest}/deals/1?step=") == TIMES
    report = fresh_client.get(f"/games/{digest}/report.json").json
    group = next(group for group in report["groups"] if group["code"] == "draw-out-of-turn")
    assert (group["count"], len(group["pointers"])) == (TIMES, TIMES)


def test_what_follows_stands_below_its_cause(app):
    def finding(code: str, pointer: str, cause: Finding | None = None) -> Finding:
        because = Cause(code=cause.code, pointer=cause.at.pointer) if cause else None
        return Finding(
            code=code,
            severity=FINDING_CODES[code].severity,
            at=Place(deal=0, pointer=pointer, seat=1),
            message=f"{code} happened.",
            because_of=because,
        )

    count = finding("wrong-brisques", "/deals/0/events/9")
    deal = finding("wrong-deal-scores", "/deals/0/claims/scores", count)
    (group,) = group_for_page([count, deal], ["Ann", "Bob"])
    with app.test_request_context():
        text = app.jinja_env.get_template("_finding.html").module.findings([group])  # type: ignore[attr-defined]
    assert "1 finding follows from this" in text
    assert text.index("wrong-brisques happened.") < text.index("wrong-deal-scores happened.")


def test_whose_habit_it_is_is_said_if_it_is_one_player_s():
    at = Place(deal=0, event=3, pointer="/deals/0/events/3", seat=1)
    one = Finding(code="must-beat", severity="illegal", at=at, message="Bob does not beat it.")
    two = replace(one, at=replace(at, event=9))
    assert group_for_page([one, two], ["Ann", "Bob"])[0].player == "Bob"
    other = replace(one, at=replace(at, seat=0))
    assert group_for_page([one, other], ["Ann", "Bob"])[0].player == ""
    assert fold_findings([one])[0].only_seat is None
