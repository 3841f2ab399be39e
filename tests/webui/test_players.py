"""The pages of players, and the pages of games by one rule sheet."""

import re
from html import unescape
from threading import Event

import pytest

from analyzer.players.strengths import Strengths
from analyzer.review import stored
from analyzer.review.deep_review import ReviewTerms
from analyzer.statistics.answer import overview_questions
from records.format import codec
from records.selfplay import play_game
from tests.machine.waiting import PATIENCE_SECONDS
from tests.make.stored_games import store_game
from webui import create_app
from webui.server.game_jobs import MOST_READING_PER_CLIENT
from webui.views.players import StrengthsPart

QUICK = ReviewTerms(worlds=0, positions=200, last_trick=False)
AWKWARD = "Zoë / <O'Neill> & co?"


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    app = create_app(data=tmp_path_factory.mktemp("players"), testing=True)
    for seed in range(6):
        names = [("Ann", "Bob"), ("Bob", AWKWARD), (AWKWARD, "Ann")][seed % 3]
        record = play_game("zique" if seed < 4 else "marjolet", seed=seed, names=list(names))
        record.meta = {"started": f"2026-0{seed + 1}-01T19:30:00Z"}
        store_game(app, record)
        stored.review_stored_exactly(app.extensions["store"], codec.digest(record), QUICK)
    yield app.test_client()
    app.extensions["store"].close()


@pytest.mark.slow
def test_the_list_leads_to_every_player(client):
    page = client.get("/players").text
    links = [unescape(link) for link in re.findall(r'href="(/player\?[^"]*)"', page)]
    assert len(links) == 3
    for link in links:
        assert client.get(link).status_code == 200
    assert "3 players" in page
    assert "openskill" in page


@pytest.mark.long
@pytest.mark.parametrize("order", ["deals", "name"])
def test_the_list_has_an_order(client, order):
    found = client.get(f"/players.json?order={order}").json["players"]
    key = {
        "deals": lambda one: -one["deals"],
        "name": lambda one: one["name"].lower(),
    }[order]
    assert [key(one) for one in found] == sorted(key(one) for one in found)


def test_an_unknown_order_is_refused(client):
    assert client.get("/players?order=luck").status_code == 400


def test_a_name_is_sought_by_a_part_of_it(client):
    assert [one["name"] for one in client.get("/players.json?q=BO").json["players"]] == ["Bob"]
    assert "player “Xyz”" in client.get("/player?name=Xyz").text
    assert "No player's name" in unescape(client.get("/players?q=xyz").text)


def test_an_empty_database_says_what_to_do(empty):
    assert "Upload a record" in empty.get("/players").text
    assert "Upload a record" in empty.get("/statistics/sheets/zique").text


@pytest.mark.long
@pytest.mark.parametrize("name", ["Ann", AWKWARD])
def test_the_page_of_a_player(client, name):
    page = client.get("/player", query_string={"name": name}).text
    assert f"<h1>{name}</h1>" in unescape(page)
    for words in ("Rulebooks", "Head to head", "Rating", " ± ", "Zique", "Marjolet"):
        assert words in page
    figures = [unescape(part) for part in re.findall(r'data-chart-address="([^"]*)"', page)]
    assert len(figures) == len(overview_questions("player")) + 1
    drawn = [
        client.get(figure).json for figure in figures
    ]  # null where there is too little to draw
    assert len([figure for figure in drawn if figure and figure["data"]]) >= 4
    for link in re.findall(r'href="(/explore[^"]*)"', page):
        assert client.get(unescape(link)).status_code == 200, link


@pytest.mark.long
def test_so_few_matches_are_said_to_say_little(client, fresh_client, store):
    record = play_game("zique", seed=1, names=["Ann", "Bob"])
    store_game(store, record)
    page = fresh_client.get("/player?name=Ann").text
    assert "So few matches say little about a player." in page
    assert "choose one above" not in page, "there is one rulebook"
    assert "choose one above" in client.get("/player?name=Ann").text


@pytest.mark.long
def test_the_page_lists_the_matches_that_moved_the_rating(client):
    page = unescape(client.get("/player?name=Ann").text)
    found = client.get("/player.json?name=Ann").json
    section = page[page.index("Matches that moved the rating") :]
    links = re.findall(r'href="/games/([0-9a-f]{64})"', section)
    assert links == [one["digest"] for one in reversed(found["rated"])]
    assert found["standing"]["rating"] == found["rated"][-1]["rating"]
    assert [one["others"] for one in found["rated"]] == [["Bob"], [AWKWARD], ["Bob"], [AWKWARD]]
    for one, link in zip(reversed(found["rated"]), links, strict=True):
        row = section[section.index(link) : section.index(link) + 500]
        assert f"{one['rating'] - one['before']:+.1f}".replace("-", "−") in row
        assert client.get(f"/games/{link}").status_code == 200


@pytest.mark.long
def test_a_match_is_told_against_opponents_and_with_partners(fresh_client, store):
    names = ["Ann", "Bob", "Cleo", "Dora"]
    store_game(store, play_game("zetema", seed=1, names=names, sides=[[0, 2], [1, 3]]))
    store_game(store, play_game("zetema", seed=2, names=names[:3], players=3))
    store_game(store, play_game("zique", seed=3, names=names[:2]))
    page = fresh_client.get("/player?name=Ann").text
    told = re.findall(r">(?:Won|Lost|Drew) ([^<]*)<", page)
    # The same in the short list and in that of the rating.
    assert sorted(told) == sorted(
        2 * ["with Cleo against Bob and Dora", "against Bob and Cleo", "against Bob"]
    )
    assert not re.search(r">[Ww]ith (?:Bob|Dora)", page)


@pytest.mark.parametrize(
    ("matches", "compared", "says"),
    [
        (9, 1, "9 matches of Zique are too few to name a strength or a weakness."),
        (1, 0, "1 match of Zique is too few to name a strength or a weakness."),
        (40, 0, "40 matches of Zique are too few to name a strength or a weakness."),
        (40, 9, "In Zique no strength and no weakness stands out: Ann is as near to all players as chance may bring, in 40 matches."),
    ],
)  # fmt: skip
def test_a_page_without_strengths_says_whether_games_are_too_few(client, matches, compared, says):
    found = Strengths("zique", [], [], compared)
    with client.application.test_request_context():
        assert says in StrengthsPart(name="Ann", found=found, matches=matches).render()


@pytest.mark.long
def test_the_page_says_whether_a_player_gets_better(client):
    found = client.get("/player.json?name=Ann").json["trend"]
    page = unescape(client.get("/player?name=Ann").text)
    assert found["says"] in page.replace("\u00a0%", " %")
    assert (found["first"]["month"], found["last"]["month"]) == ("2026-01-01", "2026-06-01")
    assert "at the end of January 2026 and" in found["says"]


def test_luck_and_skill_are_told_over_many_deals(client):
    """Six matches have too few deals that were rolled out; rows as of many show means and intervals by match."""
    assert "Luck and skill are shown once" in client.get("/player?name=Ann").text
    store = client.application.extensions["store"]
    sql = "SELECT game, deal, seat FROM seats WHERE sheet = 'zique' AND clean ORDER BY ALL"
    rows = store.rows(sql).rows
    with store.writing() as cursor:
        for game, deal, seat in rows:
            parts = [20, 0.0, 5.0 - 10 * seat, 7.0 - 14 * seat, 3.0 * seat, 0.0, 0.0]
            cursor.execute("INSERT INTO luck VALUES (?, ?, ?, true, 20, ?, ?, ?, ?, ?, ?, ?)", [game, deal, seat, *parts])  # fmt: skip
    try:
        found = client.get("/player.json?name=Bob").json["luck"]
        (line,) = found
        ends = store.rows(
            "SELECT avg(12 - 24 * seat::INTEGER), avg(3 * seat::INTEGER), count(*) FROM seats "
            "WHERE sheet = 'zique' AND clean AND player = 'Bob'"
        ).rows[0]
        assert (line["sheet"], line["deals"]) == ("zique", ends[2])
        assert line["luck"][0] == pytest.approx(ends[0], abs=0.01)
        assert line["skill"][0] == pytest.approx(ends[1], abs=0.01)
        assert line["luck"][1:] == [None, None], "of fewer than ten matches"
        page = client.get("/player?name=Bob").text
        assert "a skill of 0 by definition" in page
        assert f"{line['luck'][0]:+.1f}".replace("-", "−") in page
    finally:
        with store.writing() as cursor:
            cursor.execute("DELETE FROM luck")


@pytest.mark.long
@pytest.mark.parametrize("sheet", [None, "zique"])
def test_the_mistakes_of_a_player_are_those_of_the_stored_reviews(client, sheet):
    """Every one of them once, the costliest first, each with a link to the table just before it."""
    store = client.application.extensions["store"]
    expected = []
    for digest, names, played in store.rows("SELECT digest, names, sheet FROM games").rows:
        review = stored.load_review(store, digest)
        seat = names.index("Ann") if "Ann" in names and sheet in (None, played) else None
        expected += [
            (-decision.lost, digest, deal.deal + 1, decision.event)
            for deal in review.deals
            for decision in deal.decisions
            if decision.seat == seat and decision.grade in ("mistake", "blunder")
        ]
    query = {"name": "Ann"} | ({"sheet": sheet} if sheet else {})
    first = client.get("/player/mistakes.json", query_string=query).json
    told = list(first["mistakes"])
    for number in range(2, first["last"] + 1):
        page = {**query, "page": number}
        told += client.get("/player/mistakes.json", query_string=page).json["mistakes"]
    found = [
        (-float(each["lost"]), each["digest"], each["line"]["deal"], each["line"]["step"])
        for each in told
    ]
    assert expected
    assert sorted(found) == sorted(expected)
    assert [lost for lost, *_ in found] == sorted(lost for lost, *_ in found)
    assert first["total"] == len(expected)
    assert first["reviewed"] == first["games"] == {None: 4, "zique": 3}[sheet]
    page = unescape(client.get("/player/mistakes", query_string=query).text)
    for _, digest, deal, step in found[: len(first["mistakes"])]:
        assert f"/games/{digest}/deals/{deal}?step={step}&" in page


@pytest.mark.long
def test_what_the_limits_leave_out_of_the_mistakes_is_told(client, monkeypatch):
    whole = client.get("/player/mistakes.json?name=Ann").json
    monkeypatch.setattr("webui.server.player_mistakes.MOST_EXACT_REVIEWS", 1)
    monkeypatch.setattr("webui.server.player_mistakes.MOST_WEIGHED", 2)
    store = client.application.extensions["store"]
    with store.writing() as cursor:
        cursor.execute(
            "INSERT INTO decisions SELECT game, 0, seat, true, 3, 'stock', 'play', 4, 'mistake', false, 50 + event, 1 "
            "FROM seats, range(5) AS made(event) WHERE player = 'Ann' AND deal = 0 AND game = (SELECT min(game) FROM seats WHERE player = 'Ann')"
        )
    try:
        told = client.get("/player/mistakes.json?name=Ann").json
        page = client.get("/player/mistakes?name=Ann").text
    finally:
        with store.writing() as cursor:
            cursor.execute("DELETE FROM decisions WHERE lost >= 50 AND error = 1")
    assert (whole["unread"], told["unread"]) == (0, 3)
    assert (
        "The 3 reviews of the games stored first, in which no choice was weighed, are not read here."
        in page
    )
    assert "and 3 mistakes less costly are not." in page
    assert told["total"] >= 5


def test_a_player_without_reviews_is_told_that_none_is_known(fresh_client, store):
    store_game(store, play_game("zique", seed=1, names=["Ann", "Bob"]))
    store_game(store, play_game("zetema", seed=1, players=3, names=["Cleo", "Dan", "Eve"]))
    page = fresh_client.get("/player/mistakes?name=Ann").text
    assert "0 of 1 game for two has been reviewed" in page
    assert "are not known" in page
    assert "has played no game for two" in fresh_client.get("/player/mistakes?name=Cleo").text
    assert "/player/mistakes?name=Ann" in fresh_client.get("/player?name=Ann").text


@pytest.mark.long
def test_the_games_of_a_player_are_reviewed_at_a_press(fresh_client, store):
    """As many as one may ask for at a time; games that cannot be reviewed are passed over."""
    played = [play_game("zique", seed=seed, names=["Ann", "Bob"], deals=1) for seed in range(3)]
    digests = [store_game(store, game) for game in played]
    store_game(store, play_game("zetema", seed=9, names=["Ann", "Bob"]))
    form = {"name": "Ann"}
    page = fresh_client.get("/player/mistakes?name=Ann").text
    assert f"Review up to {MOST_READING_PER_CLIENT} more games" in page
    answer = fresh_client.post("/player/mistakes/reviews", data=form, follow_redirects=True)
    assert "3 games will be reviewed now." in answer.text
    desk = fresh_client.application.extensions["reviews"]
    for digest in digests:
        desk.readings.wait(digest, 60)
        assert desk.known(digest) is not None
    assert fresh_client.get("/player/mistakes.json?name=Ann").json["reviewed"] == 3
    again = fresh_client.post("/player/mistakes/reviews", data=form, follow_redirects=True)
    assert "There is no further game that can be reviewed." in again.text


@pytest.mark.long
def test_no_more_games_are_reviewed_than_one_may_ask_for(fresh_client, store, monkeypatch):
    gate = Event()
    reading = "webui.server.game_jobs.ReadingQueue.work_on"
    monkeypatch.setattr(reading, lambda *_: gate.wait(PATIENCE_SECONDS))
    for seed in range(MOST_READING_PER_CLIENT + 2):
        store_game(store, play_game("zique", seed=seed, names=["Ann", "Bob"], deals=1))
    answer = fresh_client.post(
        "/player/mistakes/reviews", data={"name": "Ann"}, follow_redirects=True
    )
    gate.set()
    assert f"{MOST_READING_PER_CLIENT} games will be reviewed now." in answer.text


def test_the_page_of_players_states_every_parameter(client):
    page = client.get("/players").text
    for name in ("mu", "sigma", "beta", "tau", "kappa", "gamma"):
        assert f"<code>{name}</code>" in page
    assert "<td>25/300</td>" in page
    assert "meta.started" in page


def test_everyone_stands_beside_the_player(client):
    drawn = client.get("/player/melds/figure.json?name=Ann").json
    assert [trace["name"] for trace in drawn["data"]] == ["Ann", "everyone"]
    everyone = client.get("/explore.json?metric=meld_rate&by=meld&sheet=zique").json
    by_meld = {row[0].replace("_", " "): row[1] for row in everyone["rows"]}
    trace = drawn["data"][1]
    assert {**by_meld, **dict(zip(trace["y"], trace["x"], strict=True))} == by_meld


def test_a_player_is_looked_at_by_one_rulebook(client):
    page = client.get("/player?name=Ann&sheet=marjolet").text
    assert "covers Marjolet only" in page
    links = [unescape(link) for link in re.findall(r'href="(/explore\?[^"]*)"', page)]
    assert links
    assert all("sheet=marjolet" in link for link in links)


def test_the_head_to_head_counts_matches(client):
    found = client.get("/explore.json?metric=matches_won&by=opponent&player=Ann").json
    assert {row[0]: row[-1] for row in found["rows"]} == {"Bob": 2, AWKWARD: 2}


@pytest.mark.parametrize(
    "address",
    ["/player", "/player?name=Nobody", "/player?name=Ann&sheet=bezique", "/player/luck2/figure.json?name=Ann",
     "/player/rating.json?name=Nobody", "/statistics/sheets/whist"],
)  # fmt: skip
def test_what_is_not_there_is_404(client, address):
    assert client.get(address).status_code == 404


def test_the_twin_of_a_player(client):
    found = client.get("/player.json?name=Ann").json
    assert {one["sheet"] for one in found["sheets"]} == {"zique", "marjolet"}
    assert found["standing"]["matches"] == 4


@pytest.mark.long
def test_the_page_of_what_was_played_by_a_sheet(client):
    page = client.get("/statistics/sheets/zique").text
    assert "deals without error" in page
    assert "marriage" in page
    figures = [unescape(part) for part in re.findall(r'data-chart-address="([^"]*)"', page)]
    assert len(figures) == len(overview_questions("sheet"))
    for figure in figures:
        assert "sheet=zique" in figure
        assert client.get(figure).json["data"], figure


@pytest.mark.long
def test_melds_and_brisques_are_of_a_game_with_tricks(fresh_client, store):
    for seed in range(3):
        store_game(store, play_game("zetema", seed=seed))
    page = unescape(fresh_client.get("/player?name=Ann").text)
    assert "metric=meld_rate&by=meld&player=Ann&sheet=zetema" in page
    store_game(store, play_game("zique", seed=1))
    page = unescape(fresh_client.get("/player?name=Ann").text)
    assert "metric=meld_rate&by=meld&player=Ann&sheet=zique" in page
    assert "player=Ann&sheet=zetema" not in page


@pytest.mark.long
def test_a_page_without_luck_starts_an_estimate_with_a_button(fresh_client, store):
    for seed in range(5):
        record = play_game("zique", seed=seed, names=["Ann", f"Guest {seed}"])
        record.meta = {"started": f"2026-0{seed + 1}-01T19:30:00Z"}
        store_game(store, record)
    page = unescape(fresh_client.get("/player?name=Ann").text)
    offered = re.findall(r"Against (Guest \d), (.*?)</button>", page)
    assert offered == [("Guest 4", "1 May 2026"), ("Guest 3", "1 April 2026"), ("Guest 2", "1 March 2026")]  # fmt: skip
    address = re.search(r'action="([^"]*/review/luck)"', page)[1]
    sent = fresh_client.post(address, data={"rollouts": re.search(r'name="rollouts" value="(\d+)"', page)[1]})  # fmt: skip
    assert sent.status_code == 303, sent.text
    assert sent.headers["Location"].endswith("#luck")
