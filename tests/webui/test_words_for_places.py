"""The pages tell places in words: no backtick, no JSON pointer is left on them."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from records.format import codec
from records.record import Record
from records.validate.codes import FINDING_CODES
from records.validate.finding import Place
from records.validator import check
from tests.make.stored_games import store_game
from webui.display.words import place_words
from webui.server.shown_findings import group_for_page
from webui.views.rules import broken_sample

RAW = re.compile(
    r"`|(?:^|[\s>(])/(?:deals|players|result|lines|notes|rules|meta|ext|sides|format|version)\b"
)
"""A backtick, or a JSON pointer."""


def words_of(page: str) -> str:
    """The text of a page or of a part of one, without scripts, records and what tags hold."""
    page = re.sub(r"(?s)<(script|pre|textarea)\b.*?</\1>", "", page)
    return re.sub(r"<[^>]*>", "\n", page)


@pytest.mark.parametrize(
    ("pointer", "at", "words"),
    [
        ("", {}, "The whole record"),
        ("/players/0/name", {}, "Player 1, `name`"),
        ("/result/scores/0", {}, "`result.scores`, entry 1"),
        ("/deals/0/events/2/winner", {"deal": 0, "event": 2, "trick": 1}, "Deal 1, event 3, after 1 trick, `winner`"),
        ("/deals/0/hands/1/0", {"deal": 0}, "Deal 1, hand 2, entry 1"),
        ("/deals/1/claims/scores", {"deal": 1}, "Deal 2, `claims.scores`"),
        ("/deals/10", {"deal": 1}, "Deal 2, deal 11"),
        ("/lines/0/events/4", {}, "Proposed line 1, event 5"),
        ("/ext/a~1b", {}, "`ext.a/b`"),
        ("/ext/x" + "/0" * 30, {}, "`ext.x`, entry 1, entry 1, entry 1, entry 1, and deeper"),
    ],
)  # fmt: skip
def test_a_place_is_told_in_words(pointer, at, words):
    assert place_words(Place(pointer=pointer, **at)) == words


def test_no_finding_shows_marks_or_pointers(app: Flask):
    with app.test_request_context():
        macros = app.jinja_env.get_template("_finding.html").module
        for code in FINDING_CODES:
            if (sample := broken_sample(code)) is not None:
                text = macros.findings(group_for_page(check(sample).findings))  # type: ignore[attr-defined]
                assert not RAW.search(words_of(str(text))), (code, text)


def test_no_page_of_a_code_shows_marks_or_pointers(client: FlaskClient):
    for code in ("wrong-deal-scores", "name-too-long", "bad-extension-key", "too-deep"):
        assert not RAW.search(words_of(client.get(f"/findings/{code}").text)), code


def test_the_sample_of_a_code_opens_on_the_table(client: FlaskClient):
    page = client.get("/findings/must-follow-suit").text
    (address,) = re.findall(r'<p class="finding-go"><a class="button" href="([^"]+)"', page)
    table = client.get(address.replace("&amp;", "&"))
    assert table.status_code == 200
    assert "must follow suit" in table.text


@pytest.mark.long
def test_a_wrong_score_leads_to_its_step(fresh_client: FlaskClient, store, miscounted: Record):
    digest = store_game(store, miscounted)
    page = fresh_client.get(f"/games/{digest}").text
    table = page.partition('aria-label="Wrong scores"')[2].partition("</table>")[0]
    (step,) = set(re.findall(rf"/games/{digest}/deals/1\?step=(\d+)", table))
    finding = check(codec.encode(miscounted)).findings[0]
    assert finding.at.event is not None
    assert int(step) == finding.at.event + 1
    assert not RAW.search(words_of(page))
