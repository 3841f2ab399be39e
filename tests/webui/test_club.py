"""For a club: standings, crosstables and rounds from `meta`, two players compared, sorted lists, and all of it as CSV."""

import csv
import io
import re
from collections import Counter

import pytest

from analyzer.ingest.loader import ingest_bytes
from records.format import codec
from records.record import Claims, Deal, Player, Record, Result, Rules
from records.selfplay import play_game
from tests.make.stored_games import store_game
from tests.webui.csv_answers import csv_text

PAIRS = [("Ann", "Bob"), ("Cara", "Ann"), ("Bob", "Cara"), ("Ann", "Bob")]


def season() -> list[Record]:
    """Three rounds of two events in two years."""
    records = []
    for number, names in enumerate(PAIRS):
        record = play_game("marjolet", seed=number, names=list(names))
        record.meta = {
            "event": "Club cup" if number < 3 else "Summer cup",
            "round": 1 + number // 2,
            "started": f"202{5 + number // 3}-03-0{number + 1}T19:30:00Z",
        }
        records.append(record)
    return records


@pytest.fixture
def club(fresh_client, store):
    for record in season():
        store_game(store, record)
    return fresh_client


def standing_of(club) -> list[dict[str, object]]:
    return club.get("/standings.json?event=Club+cup").json["standing"]


def points_of(records: list[Record]) -> Counter[str]:
    """A point for each match won: counted from what the records say."""
    points: Counter[str] = Counter()
    for record in records:
        names = [player.name for player in record.players]
        first, second = record.result.scores
        for name, won in zip(names, (first > second, second > first), strict=True):
            points[name] += won + 0.5 * (first == second)
    return points


@pytest.mark.long
def test_a_standing_counts_the_matches_of_an_event(club):
    standing = club.get("/standings.json?event=Club+cup&season=2025").json["standing"]
    expected = points_of(season()[:3])
    assert {line["name"]: line["points"] for line in standing} == expected
    assert [line["points"] for line in standing] == sorted(expected.values(), reverse=True)
    assert all(line["matches"] == 2 for line in standing)
    assert {line["name"] for line in club.get("/standings.json?season=2026").json["standing"]} == {
        "Ann",
        "Bob",
    }
    for wrong in ("sheet=chess", "season=last", "season=20251"):
        assert club.get(f"/standings?{wrong}").status_code == 404


@pytest.mark.long
def test_a_crosstable_says_who_beat_whom(club):
    table = club.get("/standings.json?event=Club+cup").json["crosstable"]
    assert len(table) == 6
    for cell in table:
        (other,) = [
            line for line in table
            if (line["name"], line["opponent"]) == (cell["opponent"], cell["name"])
        ]  # fmt: skip
        assert cell["points"] + other["points"] == cell["matches"] == 1


BYTE_ORDER_MARK = "\ufeff".encode()  # as spreadsheets and editors write it before JSON


@pytest.mark.long
def test_a_match_in_pencil_counts_as_its_record_states_it(club, store):
    """It keeps the scores of the deals only; it does not count if its sums are wrong, or if it does not say who won."""

    def pencil(claimed: list[int], sheet: str = "marjolet", **result: object) -> bytes:
        return codec.encode(
            Record(
                format="bezique-record", version="1.0", rules=Rules(id=sheet),
                players=[Player(name="Ann"), Player(name="Bob")],
                meta={"event": "Club cup", "round": 9, "started": "2025-03-09T19:30:00Z"},
                deals=[Deal(dealer=0, knowledge="scores", claims=Claims(scores=claimed))],
                result=Result(status="complete", **result),
            )
        )  # fmt: skip

    before = {line["name"]: line for line in standing_of(club)}
    for data in (
        BYTE_ORDER_MARK + pencil([510, 120], scores=[510, 120], winner=0),
        pencil([1200, 1200], "rubicon-bezique", scores=[1200, 1200], winner=None),
        pencil([520, 120], scores=[999, 120], winner=0),
        pencil([530, 110], scores=[530, 110]),
    ):
        ingest_bytes(store, "pencil.json", data)
    after = {line["name"]: line for line in standing_of(club)}
    gained = {name: after[name]["points"] - before[name]["points"] for name in before}
    assert gained == {"Ann": 1.5, "Bob": 0.5, "Cara": 0}
    assert after["Ann"]["made"] - before["Ann"]["made"] == 510 + 1200
    assert after["Ann"]["drawn"] - before["Ann"]["drawn"] == 1
    page = club.get("/standings?event=Club+cup").text
    assert "2 matches count as the record states the result" in page
    last = page.partition("<h3>Round 9</h3>")[2]
    assert last.partition("<h3>")[0].count("/games/") == 4  # those that do not count, too
    assert re.search(r"winner\">Ann <b class=\"figure\">510</b>", last)
    table = club.get("/standings.json?event=Club+cup").json["crosstable"]
    (met,) = (row for row in table if (row["name"], row["opponent"]) == ("Ann", "Bob"))
    assert met["matches"] == 3


@pytest.mark.long
def test_results_stand_under_the_rounds_that_the_records_name(club):
    page = club.get("/standings?event=Club+cup").text
    first, second = page.partition("<h3>Round 1</h3>")[2].split("<h3>Round 2</h3>")
    assert first.count("/games/") == 2
    assert second.partition("</section>")[0].count("/games/") == 1
    assert "Summer cup" in club.get("/events").text
    assert "2026" in club.get("/events").text


@pytest.mark.long
def test_the_list_of_events_says_when_each_was_played(club):
    page = club.get("/events").text
    assert ">1 – 3 March 2025</td>" in page
    assert ">4 March 2026</td>" in page


@pytest.mark.long
def test_an_empty_club_is_told_how_an_event_is_named(fresh_client):
    assert "No record names its event." in fresh_client.get("/events").text
    assert "No match of this choice" in fresh_client.get("/standings?event=none").text


@pytest.mark.long
def test_a_standing_names_its_season_once(fresh_client):
    for event, title in (("Cup", "Cup, 2025"), ("Cup 2025", "Cup 2025")):
        page = fresh_client.get("/standings", query_string={"event": event, "season": 2025}).text
        assert f"<h1>{title}</h1>" in page


@pytest.mark.long
def test_two_players_are_compared(club):
    page = club.get("/players/compare?first=Ann&second=Bob").text
    assert "2 matches against each other" in page
    assert re.search(
        r"<th [^>]*>Ann</th><th [^>]*>Bob</th>", page
    )  # of each measure, beside each other
    assert "So few matches say little" in page
    met = club.get("/players/compare.json?first=Ann&second=Bob").json["matches"]
    assert met["Ann"]["points"] + met["Bob"]["points"] == 2
    assert club.get("/players/compare").status_code == 200
    assert club.get("/players/compare?first=Nobody&second=Ann").status_code == 404


@pytest.mark.long
def test_games_are_filtered_by_two_players_event_and_date_and_sorted(club):
    def found(query: str) -> list[str]:
        return [game["started"][:10] for game in club.get(f"/games.json?{query}").json["games"]]

    assert found("player=ann&opponent=bob&order=earliest") == ["2025-03-01", "2026-03-04"]
    assert found("event=Club+cup&order=latest") == ["2025-03-03", "2025-03-02", "2025-03-01"]
    assert found("since=2025-03-02&until=2025-03-03&order=earliest") == ["2025-03-02", "2025-03-03"]
    assert club.get("/games?since=yesterday").status_code == 400
    assert club.get("/games?order=luck").status_code == 400
    page = club.get("/games?event=Club+cup&order=latest&player=Ann").text
    assert "/games.csv?player=Ann&amp;event=Club+cup&amp;order=latest" in page


@pytest.mark.long
def test_games_players_and_standings_are_csv(club):
    def rows(address: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(csv_text(club.get(address)))))

    games = rows("/games.csv?event=Club+cup&order=earliest")
    assert [game["players"] for game in games] == ["Ann – Bob", "Cara – Ann", "Bob – Cara"]
    assert all(game["winner"] in game["players"] for game in games)
    assert {player["name"] for player in rows("/players.csv")} == {"Ann", "Bob", "Cara"}
    assert rows("/standings.csv")[0]["matches"]
    met = club.get("/standings.json?event=Club+cup").json["crosstable"]
    table = {row["player"]: row for row in rows("/crosstable.csv?event=Club+cup")}
    assert set(table) == {"Ann", "Bob", "Cara"}
    assert met
    assert all(table[p["name"]][p["opponent"]] == str(p["points"]) for p in met)
    assert all(row[name] == "" for name, row in table.items())


@pytest.mark.long
def test_the_order_by_rating_is_the_column_that_says_so(club, store):
    """A newcomer who has won once is rated high, and is at least weak: the columns have orders of their own."""
    matches = [play_game("marjolet", seed=seed, names=["Ann", "Bob"]) for seed in range(20, 28)]
    won = play_game("marjolet", seed=9, names=["Zoe", "Cara"])
    if won.result.winner:
        won.players.reverse()
    for record in (*matches, won):
        store_game(store, record)
    page = club.get("/players?order=rating").text
    assert ">at least</th>" in page
    players = club.get("/players.json?order=rating").json["players"]
    surely = [p["standing"]["rating"] - 3 * p["standing"]["deviation"] for p in players]
    assert surely == sorted(surely, reverse=True)
    ratings = [p["standing"]["rating"] for p in players]
    assert ratings != sorted(ratings, reverse=True)
    rows = re.findall(r'<th scope="row"><a href="/player\?name=(\w+)">(?:.*?)</tr>', page)
    assert rows == [p["name"] for p in players]
    shown = re.findall(r'<td class="number">(−?[\d.]+)</td></tr>', page.partition("<tbody>")[2])
    assert shown[: len(rows)] == [f"{each:.1f}".replace("-", "−") for each in surely]


@pytest.mark.long
def test_partners_have_their_score_in_lists(fresh_client, store):
    """Six play Zetema in twos: three sides, three scores, six names."""
    record = play_game("zetema", seed=3, names=["A", "B", "C", "D"], sides=[[0, 2], [1, 3]])
    store_game(store, record)
    page = fresh_client.get("/games").text
    for side, points in zip(("A and C", "B and D"), record.result.scores, strict=True):
        assert f'{side} <b class="figure">{points}</b>' in page


@pytest.mark.long
def test_a_printed_game_is_a_score_sheet_with_running_totals(fresh_client, store):
    record = play_game("bezique", seed=3, names=["Ann", "Bob"])
    digest = store_game(store, record)
    page = fresh_client.get(f"/games/{digest}").text
    sheet = page.partition('class="score-sheet"')[2].partition("</table>")[0]
    assert sheet.count("<tr>") == 1 + len(record.deals)
    last = sheet.rpartition("<tr>")[2]
    for points in record.result.scores:
        assert f"<small>{points:,}</small></td>" in last
