"""Games that have their rulebook inside, on every page: judged by it, told apart by it, and no link leads nowhere."""

import json
import os
import re
from html import unescape
from random import Random

import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.store.sums import SUM_TABLES
from records.format import codec
from records.record import Record
from records.rules.registry import sheet_key, sheet_of_rules
from tests.make.own_rulebooks import changed_sheet, game_by, own_game, own_sheet
from tests.make.stored_games import store_game

BEZIQUE_POINTS = "/rules/melds/bezique/points"
OF_A_GAME = (
    "", ".json", "/report.json", "/record.json", "/review", "/notes", "/delete", "/story",
    "/deals/1", "/deals/1.json", "/deals/1.svg", "/deals/1?step=9&see=0", "/deals/1/what-if", "/deals/1/expectancy.json",
)  # fmt: skip
OF_A_GAME_FOR_PROGRAMS = ("", "/record", "/report", "/deals/1/frames", "/identified")
OF_A_RULEBOOK = (
    "/rules/{}", "/rules/{}.json", "/rules/{}/form", "/games?sheet={}", "/statistics/sheets/{}", "/statistics/sheets/{}.json",
    "/statistics?sheet={}", "/statistics/meld_frequency?sheet={}", "/api/v1/games?sheet={}", "/explore?metric=points&by=role&limit=sheet&to={}",
)  # fmt: skip
OF_ALL = (
    "/", "/games", "/games.json", "/statistics", "/statistics/points_by_source", "/statistics/verdicts_by_program",
    "/players", "/explore", "/events", "/rules", "/api/v1/games",
)  # fmt: skip


def addresses(digest: str, record: Record) -> list[str]:
    """The main pages that tell of a game, its rulebook and its players."""
    return [
        *[f"/games/{digest}{rest}" for rest in OF_A_GAME],
        *[f"/api/v1/games/{digest}{rest}" for rest in OF_A_GAME_FOR_PROGRAMS],
        *[address.format(sheet_key(record.rules)) for address in OF_A_RULEBOOK],
        *[f"/player?name={player.name}" for player in record.players],
        *OF_ALL,
    ]


def links(page: str) -> set[str]:
    """Where the links of a page lead that speak of rulebooks or games."""
    found = {unescape(address) for address in re.findall(r'href="(/[^"#]*)', page)}
    return {each for each in found if re.match("/(games|rules|statistics|players?)[/?]", each)}


def two_rulebooks() -> list[Record]:
    """Games by two different rulebooks of one id and one name."""
    return [game_by(sheet_of_rules(own_game("zique", (BEZIQUE_POINTS, points)).rules), seed, 2)
            for seed, points in ((1, 70), (2, 90))]  # fmt: skip


@pytest.mark.long
def test_games_are_judged_by_the_rulebook_inside_and_counted_by_it(fresh_client, store) -> None:
    games = two_rulebooks()
    digests = [store_game(store, record) for record in games]
    keys = {sheet_key(record.rules) for record in games}
    assert len(keys) == 2
    for table in ("games", "deals", "seats", "tricks", "scores", "cards", *SUM_TABLES):
        assert {
            row[0] for row in store.answer(f"SELECT DISTINCT sheet FROM {table}", {}).rows
        } == keys
    verdicts = {row[0] for row in store.answer("SELECT verdict FROM games", {}).rows}
    assert verdicts <= {"legal", "incomplete"}
    for digest, record in zip(digests, games, strict=True):
        key = sheet_key(record.rules)
        page = fresh_client.get(f"/games/{digest}").text
        assert f'href="/rules/{key}' in page
        assert ">Ours</a>" in page
        listed = fresh_client.get(f"/games?sheet={key}").text
        assert digest in listed
        assert f"Ours ({key.partition('~')[2][:4]})" in listed
        points = next(
            meld["points"]
            for meld in record.rules.sheet["rules"]["melds"]
            if meld["name"] == "bezique"
        )  # type: ignore[index]
        explained = fresh_client.get(f"/rules/{key}.json").json
        assert points in [meld["points"] for meld in explained["melds"]]


def test_a_game_says_why_it_tells_no_chance_of_winning(fresh_client, store) -> None:
    page = fresh_client.get(f"/games/{store_game(store, two_rulebooks()[0])}").text
    assert "Too few matches by this rulebook are stored to tell a chance of winning." in page


@pytest.mark.slow
def test_no_page_fails_or_leads_nowhere(fresh_client, store) -> None:
    broken = json.loads(codec.encode(two_rulebooks()[0]))
    events = broken["deals"][0]["events"]
    events[0]["card"] = events[1]["card"]
    (outcome,) = ingest_bytes(store, "broken.json", json.dumps(broken).encode())
    record = two_rulebooks()[1]
    zetema = game_by(own_sheet("zetema"))
    stored = [
        (outcome.digest, record),
        (store_game(store, record), record),
        (store_game(store, zetema), zetema),
    ]
    wanted = {each for digest, game in stored for each in addresses(digest, game)}
    leads = set()
    for address in sorted(wanted):
        answer = fresh_client.get(address)
        assert answer.status_code < 400, address
        if answer.mimetype == "text/html":
            leads |= links(answer.text)
    for address in sorted(leads - wanted):
        if "~" in address or any(digest in address for digest, _ in stored):
            # What cannot be tried is refused with 400, in this game as in others.
            assert fresh_client.get(address).status_code in (200, 302, 400), address


@pytest.mark.slow
def test_games_by_rulebooks_changed_at_random_are_shown(fresh_client, store) -> None:
    """So many rulebooks in a run: BEZIQUE_OWN_RULEBOOKS."""
    random = Random(45)
    for number in range(int(os.environ.get("BEZIQUE_OWN_RULEBOOKS", "4"))):
        record = game_by(changed_sheet(random), seed=number)
        digest = store_game(store, record)
        for address in addresses(digest, record):
            answer = fresh_client.get(address)
            assert answer.status_code < 400, address
        assert sheet_of_rules(record.rules).name in fresh_client.get(f"/games/{digest}").text


def test_a_rulebook_that_no_game_has_is_not_there(fresh_client) -> None:
    for address in ("/rules/ours~0123456789ab", "/rules/ours~0123456789ab/form", "/rules/ours"):
        assert fresh_client.get(address).status_code == 404
    assert fresh_client.get("/games?sheet=ours~0123456789ab").status_code == 200


def test_a_record_that_only_names_an_unknown_rulebook_says_so(store) -> None:
    record = own_game("zique", (BEZIQUE_POINTS, 70))
    record.rules.sheet = None
    (outcome,) = ingest_bytes(store, "game.json", codec.encode(record))
    assert (outcome.state, outcome.verdict) == ("rejected", "unreadable")
    assert [finding.code for finding in outcome.report.findings] == ["unknown-sheet"]


@pytest.mark.long
def test_whoever_chooses_a_rulebook_may_choose_that_of_a_stored_game(fresh_client, store) -> None:
    """Wherever a page has the published ones to choose from."""
    keys = {sheet_key(record.rules) for record in two_rulebooks() if store_game(store, record)}
    offering = 0
    for address in (*OF_ALL, "/events/standings?season=2026"):
        page = fresh_client.get(address).text
        for select in re.findall(r'<select[^>]* name="sheet".*?</select>', page, re.DOTALL):
            offered = dict(re.findall(r'<option value="([^"]*)"[^>]*>([^<]*)', select))
            assert {*keys, "zique"} <= offered.keys(), address
            assert len({offered[key] for key in keys}) == 2, "told apart"
            offering += 1
    assert offering >= 3
    shown = re.search(r'<option value="([^"]*)" selected>', fresh_client.get("/statistics").text)
    assert shown is not None
    assert shown[1] in keys, "the rulebook played most"
