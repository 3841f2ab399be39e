"""A player who was renamed has the new name on every page of every stored game; the record stays as it was written."""

import json
import re

import pytest
from flask import Flask
from msgspec.structs import replace

from analyzer.ingest.renaming import rename_player
from analyzer.review.stored import save_review
from records.format import codec
from records.selfplay import play_game
from tests.make.stored_games import store_game
from tests.make.weighed_games import written_review
from tests.webui.test_studies import add

OLD, NEW = "Zwentibold", "Lothar"
GAME = play_game("bezique", seed=3, deals=1, names=[OLD, "Ann"])
WHY = f"With the ace of hearts {OLD} makes four aces (100) in all 64 possible deals instead of 3. Also, {OLD} takes 2.0 brisques instead of 1.0, on average over 64 possible deals."
AS_WRITTEN = {
    "games.record", "games.corrected", "games.report", "games.game_json", "deals.what_if_record",
    "notes.record", "admin.delete_json",
}  # fmt: skip
"""The record itself, and the answers that have it inside: they tell it as it was written."""
OTHER_PAGES = (
    "/", "/games", "/daily", "/events", "/players", f"/player?name={NEW}", f"/player/drill?name={NEW}",
    f"/players/compare?first=Ann&second={NEW}",
)  # fmt: skip
HOW_THE_RECORD_SPELLS_IT = re.compile(
    r'<section aria-labelledby="corrections">.*?</section>|<button[^>]*>Take back: .*?</button>',
    re.DOTALL,
)
"""Where a game is corrected, and where a rename is taken back."""
VIEWS = ("", "?step=9&best=1&wide=1&line=")


@pytest.fixture
def renamed(fresh: Flask) -> Flask:
    """An application with a game whose choices were weighed, one of its players renamed after pages were shown."""
    store = fresh.extensions["store"]
    store_game(fresh, GAME)
    review = written_review(GAME, [(70, 8), (25, 4), (30, 20), (15, 2), (45, 5)])
    decisions = [replace(each, why=WHY) for each in review.deals[0].decisions]
    save_review(store, replace(review, deals=[replace(review.deals[0], decisions=decisions)]))
    client = fresh.test_client()
    assert OLD in client.get(f"/games/{codec.digest(GAME)}/deals/1").text
    client.post("/player/rename", data={"old": OLD, "new": NEW})
    return fresh


def addresses_of(app: Flask, digest: str) -> list[str]:
    """The address of every page of a game that anybody may ask for, with some of its views."""
    with app.test_request_context():
        paths = [
            app.url_map.bind("localhost").build(
                rule.endpoint,
                {name: {"digest": digest, "deal": 1}[name] for name in rule.arguments},
            )
            for rule in app.url_map.iter_rules()
            if "GET" in (rule.methods or ())
            and "digest" in rule.arguments <= {"digest", "deal"}
            and rule.endpoint not in AS_WRITTEN
            and not rule.rule.startswith("/api/")
            and not rule.rule.endswith((".gif", ".webp", ".png"))
        ]
    return [f"{path}{view}" for path in sorted({*paths}) for view in VIEWS]


@pytest.mark.long
def test_no_page_of_a_stored_game_has_the_old_name_of_a_renamed_player(renamed: Flask) -> None:
    client = renamed.test_client()
    told = set[str]()
    for address in [*addresses_of(renamed, codec.digest(GAME)), *OTHER_PAGES]:
        answer = client.get(address)
        if answer.status_code == 200 and answer.mimetype.startswith(
            ("text/", "application/json", "image/svg")
        ):
            text = HOW_THE_RECORD_SPELLS_IT.sub("", answer.text)
            assert OLD not in text, address
            told |= {address} if NEW in text else set()
    for part in (
        "",
        "/review",
        "/review.txt",
        "/deals/1",
        "/deals/1.svg",
        "/deals/1/what-if",
        "/doubts",
        "/drill",
    ):
        assert any(
            address.split("?")[0].endswith(f"{codec.digest(GAME)}{part}") for address in told
        ), part


@pytest.mark.long
def test_a_study_of_a_stored_game_calls_a_renamed_player_by_the_new_name(renamed: Flask) -> None:
    client = renamed.test_client()
    study = add(client, codec.digest(GAME))
    for page in (f"{study}/1", f"{study}/print", f"{study}/1/edit"):
        text = client.get(page).text
        assert NEW in text, page
        assert OLD not in text, page


def test_the_record_of_a_game_stays_as_it_was_written(renamed: Flask) -> None:
    client, digest = renamed.test_client(), codec.digest(GAME)
    for path in ("record.json", "corrected.json"):
        assert client.get(f"/games/{digest}/{path}").data == codec.encode(GAME)
    assert client.get(f"/games/{digest}.json").json["record"] == json.loads(codec.encode(GAME))
    assert client.get(f"/api/v1/games/{digest}/record").data == codec.encode(GAME)


def test_a_finding_that_says_who_had_won_says_the_new_name(fresh: Flask) -> None:
    match = play_game("marjolet", seed=1, names=[OLD, "Ann"])
    digest = store_game(fresh, replace(match, deals=[*match.deals, match.deals[0]], result=None))
    client = fresh.test_client()
    winner = next(
        name for name in (OLD, "Ann") if f"{name} won" in client.get(f"/games/{digest}").text
    )
    rename_player(fresh.extensions["store"], winner, NEW)
    fresh.extensions["game_cache"].clear()
    for page in (f"/games/{digest}", f"/verdicts?game={digest}"):
        assert winner not in HOW_THE_RECORD_SPELLS_IT.sub("", client.get(page).text), page
    assert any(
        winner in each["message"]
        for each in client.get(f"/games/{digest}/report.json").json["findings"]
    )
