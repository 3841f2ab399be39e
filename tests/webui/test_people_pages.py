"""Players' pages: every spelling leads to the one address, similar names are a question, and renaming works while the site runs."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.store.store import Store
from records.format import codec
from records.people import APART
from records.record import Player
from records.selfplay import play_game


def match_of(seed: int, *players: Player) -> bytes:
    record = play_game("marjolet", seed=seed, names=["A", "B"])
    record.players = list(players)
    record.meta = {"started": f"2026-01-0{seed}T19:30:00+01:00"}
    return codec.encode(record)


@contextmanager
def counted_questions() -> Iterator[list[str]]:
    """The statements that a database is asked meanwhile."""
    asked: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        for way in ("rows", "answer"):
            ask = getattr(Store, way)

            def noted(self: Store, sql: str, *more: Any, ask: Any = ask) -> Any:
                asked.append(sql)
                return ask(self, sql, *more)

            patch.setattr(Store, way, noted)
        yield asked


@pytest.fixture
def club(fresh_client, store):
    matches = [
        match_of(1, Player("Ann Lee"), Player("Bob")),
        match_of(2, Player(" Ann\u00a0 Lee\u200b"), Player("Bob")),
        match_of(3, Player("ann lee"), Player("Bob")),
        match_of(4, Player("Sam", id="club:1"), Player("Sam", id="club:2")),
        match_of(5, Player("Samuel", id="club:1"), Player("Bob")),
    ]
    for data in matches:
        ingest_bytes(store, "club.json", data)
    return fresh_client


@pytest.mark.long
@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Ann\u00a0 Lee ", "Ann Lee"),
        ("A\u200bnn Lee", "Ann Lee"),
        ("\u202eann lee", "ann lee"),
        ("club:1", "Samuel"),
        ("Samuel\u200b", "Samuel"),
    ],
)
def test_every_spelling_leads_to_the_one_page(club, written, name):
    for place in ("/player", "/player.json", "/player/rating.json", "/player/drill"):
        answer = club.get(f"{place}?name={quote(written)}&every=1")
        assert answer.status_code == 302, place
        followed = club.get(answer.location)
        assert followed.status_code == 200
        assert answer.location.startswith(f"{place}?")
    page = club.get(f"/player?name={quote(written)}", follow_redirects=True)
    assert f"<h1>{name}</h1>" in page.text
    assert club.get(f"/player.json?name={quote(name)}").json["name"] == name


@pytest.mark.long
def test_filters_questions_and_comparisons_take_every_spelling(club):
    written = quote(" Ann\u2003Lee\u2060")
    assert club.get(f"/games.json?player={written}").json["total"] == 3
    assert club.get(f"/api/v1/games?player={written}").status_code == 200
    assert {
        each["name"] for each in club.get(f"/players.json?q={written}&every=1").json["players"]
    } == {"Ann Lee", "ann lee"}
    answers = [
        club.get(f"/api/v1/explore?metric=matches_won&by=opponent&player={name}").json["rows"]
        for name in (written, "Ann+Lee")
    ]
    assert answers[0] == answers[1] != []
    assert answers[0][0][answers[0][0].index(2)] == 2
    answer = club.get(f"/players/compare?first={written}&second=Bob", follow_redirects=True)
    assert "2 matches against each other" in answer.text


@pytest.mark.long
def test_who_is_meant_by_several_is_asked(club, store):
    ingest_bytes(store, "more.json", match_of(6, Player("Sam", id="club:3"), Player("Bob")))
    assert club.get("/player?name=Sam").location.startswith("/players?q=Sam")
    names = {each["name"] for each in club.get("/players.json?q=Sam&every=1").json["players"]}
    assert {f"Sam{APART}(club:2)", f"Sam{APART}(club:3)"} <= names
    assert club.get("/player?name=Nobody").status_code == 404


@pytest.mark.long
def test_an_address_of_data_leads_to_data(club, store):
    ingest_bytes(store, "more.json", match_of(6, Player("Sam", id="club:3"), Player("Bob")))
    for place in ("/player.json", "/player/rating.json", "/player/drill.json"):
        answer = club.get(f"{place}?name=Sam", follow_redirects=True)
        assert answer.mimetype == "application/json", place
        assert len(answer.json["players"]) > 1


@pytest.mark.long
def test_what_a_redirect_costs_does_not_grow_with_the_matches_of_a_name(club, store):
    def asked(matches: range) -> int:
        for seed in matches:
            ingest_bytes(store, "bots.json", match_of(seed, Player("bot"), Player("bot")))
        with counted_questions() as questions:
            assert club.get("/player?name=bot").location.startswith("/players?q=bot")
        return len(questions)

    assert asked(range(1, 3)) == asked(range(3, 10)) < 10


@pytest.mark.long
def test_a_similar_name_is_a_question_on_the_page(club):
    page = club.get("/player?name=Ann+Lee").text
    assert "Perhaps the same player: <a" in page
    assert ">ann lee</a>.</p>" in page
    assert 'name="new" value="ann lee">Make Ann Lee and ann lee one</button>' in page
    assert page.index("<option>ann lee</option>") < page.index("<option>Bob</option>")
    assert club.get("/player.json?name=Ann+Lee").json["similar"] == ["ann lee"]
    assert "Perhaps the same" not in club.get("/player?name=Bob").text


@pytest.mark.long
def test_the_interface_renames_and_takes_back(club):
    renames = "/api/v1/players/renames"
    before = club.get("/players.json?every=1&order=rating").json
    assert club.get(renames).json == {"renames": [], "similar": [["Ann Lee", "ann lee"]]}
    plan = club.post(renames, json={"old": "ann  lee", "new": "Ann Lee", "plan": True}).json
    assert (plan["old"], plan["new"], plan["games"], plan["games_of_new"]) == (
        "ann lee",
        "Ann Lee",
        1,
        2,
    )
    assert club.get(renames).json["renames"] == []
    assert club.post(renames, json={"old": "ann lee", "new": "Ann Lee"}).status_code == 200
    assert club.get("/player.json?name=Ann+Lee").json["sheets"][0]["matches"] == 3
    assert club.get("/player?name=ann+lee").location.endswith("name=Ann+Lee")
    assert "Take back" in club.get("/player?name=Ann+Lee").text
    assert club.delete(f"{renames}?name=Ann+Lee").status_code == 200
    assert club.get("/players.json?every=1&order=rating").json == before
    refused = club.delete(f"{renames}?name=Ann+Lee")
    assert (refused.status_code, refused.json["type"].rpartition("#")[2]) == (409, "refused-rename")
    assert "was not renamed" in refused.json["detail"]


@pytest.mark.long
def test_the_page_renames_and_takes_back(club):
    renamed = club.post(
        "/player/rename", data={"old": "Bob", "new": "Robert"}, follow_redirects=True
    )
    assert "<h1>Robert</h1>" in renamed.text
    assert club.post("/player/rename", data={"old": "Robert", "new": "Ann Lee"}).status_code == 409
    assert "Take back: Bob became Robert" in renamed.text
    taken = club.post("/player/rename/undo", data={"name": "Robert"}, follow_redirects=True)
    assert "<h1>Bob</h1>" in taken.text


@pytest.mark.long
def test_the_notice_of_a_rename_takes_it_back(club):
    form = {"old": "Bob", "new": "Bob B."}
    notice = club.post("/player/rename", data=form, follow_redirects=True).text.split("<h1>")[0]
    assert "Every page now says Bob B. where it said Bob; the records are as they were." in notice
    action, name = re.findall(r'action="([^"]+)"|name="name" value="([^"]+)"', notice)
    assert (action[0], name[1]) == ("/player/rename/undo", "Bob B.")
    assert "Take it back</button>" in notice
    assert "Take it back" not in club.get("/player?name=Bob+B.").text
    club.post(action[0], data={"name": name[1]})
    assert "<h1>Bob</h1>" in club.get("/player?name=Bob").text


def test_two_players_become_one_only_when_somebody_is_sure(club):
    form = {"old": "ann lee", "new": "Ann Lee"}
    asked = club.post("/player/rename", data=form).text
    assert "Are ann lee and Ann Lee one player?" in asked
    assert "Make them one, called Ann Lee" in asked
    assert "The other way round: keep the name ann lee" in asked
    turned = club.post("/player/rename", data={"old": "Ann Lee", "new": "ann lee"}).text
    assert "Make them one, called ann lee" in turned
    assert "<h1>ann lee</h1>" in club.get("/player?name=ann+lee").text
    made = club.post("/player/rename", data=form | {"sure": "1"}, follow_redirects=True).text
    assert "<h1>Ann Lee</h1>" in made
    club.post("/player/rename/undo", data={"name": "Ann Lee"})
    assert "<h1>ann lee</h1>" in club.get("/player?name=ann+lee").text
