"""The page of a game: how it ended, where it turned, and of a broken record first what is wrong."""

from html import unescape

import msgspec
import pytest

from analyzer.identify import habits
from records.events import Trick
from records.format import codec
from records.record import Record
from records.selfplay import play_game
from records.validator import check_record
from tests.make.habits import draws_in_the_wrong_order
from tests.make.stored_games import store_game
from webui.server import game_cache


def page_of(client, store, record: Record) -> str:
    digest = store_game(store, record)
    return unescape(client.get(f"/games/{digest}").text)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_settlement_and_the_rubicon_are_told(fresh_client, store, seed):
    record = play_game("rubicon-bezique", seed=seed, names=["Ann", "Bob"], deals=1)
    page = page_of(fresh_client, store, record)
    scores, settlement = record.result.scores, record.result.settlement
    winner = settlement.index(max(settlement))
    assert f"{record.players[winner].name} receives {max(settlement):,}." in page
    loser = record.players[1 - winner].name
    rubiconed = f"{loser} has not reached 1,000 points and is rubiconed." in page
    assert rubiconed is (scores[1 - winner] < 1000)


@pytest.mark.long
def test_a_match_is_won_by_points(fresh_client, store):
    record = play_game("bezique", seed=3, names=["Ann", "Bob"])
    page = page_of(fresh_client, store, record)
    first, second = record.result.scores
    winner = "Ann" if first > second else "Bob"
    assert f"{winner} won by {abs(first - second)} points." in page


@pytest.mark.long
def test_of_a_broken_record_the_diagnosis_comes_first(fresh_client, store):
    record = draws_in_the_wrong_order()
    page = page_of(fresh_client, store, record)
    places = [
        page.index(words)
        for words in (
            "What is wrong",
            "The loser of the trick draws first: all 6 findings follow from it.",
            "What would mend it",
            "The winner of the trick draws first, and everybody draws the same card.",
            "nothing is wrong then",
            'id="findings"',
            'id="deals"',
        )
    ]
    assert places == sorted(places)
    assert "How it went" not in page


@pytest.mark.slow
def test_the_part_for_a_script_tries_the_rules_on_the_mended_copy(fresh_client, store):
    digest = store_game(store, draws_in_the_wrong_order())
    address = f"/games/{digest}/doubts"
    part = fresh_client.get(address, headers={"X-Requested-With": "fetch"}).text
    assert "<title>" not in part
    assert "Tried on the copy with these habits mended." in part
    assert "None: no rulebook fits better" in part
    answer = fresh_client.get(f"{address}.json").json
    assert answer["habits"][0]["left"] == 0
    assert answer["rules_once_mended"][0]["accepted"]


@pytest.mark.long
def test_a_wrong_score_says_where_in_words(fresh_client, store):
    record = play_game("bezique", seed=3)
    record.result.scores = [1, 2]
    page = page_of(fresh_client, store, record)
    assert "<td><code>result.scores</code></td>" in page


@pytest.mark.long
def test_findings_of_one_kind_each_need_no_diagnosis(fresh_client, illegal):
    sent = {"record": codec.encode(illegal).decode()}
    page = fresh_client.post("/", data=sent, headers={"X-Requested-With": "fetch"}).text
    assert "diagnosis-says" not in page


@pytest.mark.long
def test_a_finding_names_its_article_by_its_heading(fresh_client, store):
    page = page_of(fresh_client, store, draws_in_the_wrong_order())
    assert ">Bezique: Drawing</a>" in page
    assert "bezique/draw" not in page


class LateProcesses:
    """Processes of a busy machine: each needs a minute until it begins."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def clock(self) -> float:
        return self.seconds

    def call(self, function, *args, **named):
        self.seconds += 60
        return function(*args, **named)


def test_what_would_mend_a_habit_is_sought_however_late_the_search_begins(monkeypatch):
    processes, record = LateProcesses(), draws_in_the_wrong_order()
    for module in (habits, game_cache):
        monkeypatch.setattr(module, "monotonic", processes.clock, raising=False)
    findings = check_record(record).findings
    (correction,) = game_cache.find_mended_habits(processes, record, findings).corrections
    assert correction.left == 0


def test_the_records_of_one_match_lead_to_each_other(fresh_client, store):
    whole, other = (play_game("zique", seed=4, deals=2) for _ in range(2))
    for deal in other.deals:
        deal.events = [event for event in deal.events if not isinstance(event, Trick)]
    first, second = (store_game(store, record) for record in (whole, other))
    assert store.counts().games == 1
    standing = fresh_client.get(f"/games/{first}").text
    assert "2 records tell of this match, which counts once, as this one tells it." in standing
    assert f'href="/games/{second}">{second[:12]}</a>' in standing
    told = fresh_client.get(f"/games/{second}").text
    assert (
        f'a match that counts once, as <a href="/games/{first}">this record</a> tells it.' in told
    )
    data = fresh_client.get(f"/games/{first}.json").json
    assert data["other_records"] == [{"digest": second, "relation": "same"}]
    answer = fresh_client.get(f"/api/v1/games/{second}").json
    assert (answer["match"], answer["relation"]) == (first, "same")


@pytest.mark.long
def test_a_large_record_is_read_once_for_all_its_findings(fresh_client, store, monkeypatch):
    record = play_game("zique", seed=2)
    record.deals = (record.deals * 40)[:40]
    record.result, record.ext = None, {"org.example.pad": ["x" * 1_000] * 2_000}
    digest = store_game(store, record)
    read = []
    decode = codec.decode
    monkeypatch.setattr(
        game_cache.codec, "decode", lambda *a, **k: read.append(a) or decode(*a, **k)
    )
    for _ in range(2):
        assert fresh_client.get(f"/games/{digest}").status_code == 200
    assert len(read) == 1


PAPER = (
    {"deals": [{"dealer": 0, "knowledge": "scores", "claims": {"scores": [340, 210]}, "events": []},
               {"dealer": 1, "knowledge": "scores", "claims": {"scores": [700, 410]}, "events": []}]},
    {"deals": []},
)  # fmt: skip


@pytest.mark.parametrize("told", PAPER)
def test_a_game_of_scores_alone_offers_nothing_that_needs_its_cards(fresh_client, store, told):
    record = play_game("bezique", seed=1)
    names = [player.name for player in record.players]
    written = msgspec.to_builtins(record) | told | {"result": {"scores": [1040, 620], "winner": 0}}
    digest = store_game(store, msgspec.convert(written, Record))
    page = unescape(fresh_client.get(f"/games/{digest}").text)
    assert "Only the scores are written down. Nothing contradicts them." in page
    assert f"{names[0]} won by 420 points, as the record states." in page
    assert "1,040" in page
    assert "Whether a rule was broken" not in page
    main = page.partition("<main")[2].partition("</main>")[0]
    for part in ("review", "drill", "deals/1", "identify"):
        assert f"/games/{digest}/{part}" not in main
    assert "is wrong" not in main
    review = fresh_client.get(f"/games/{digest}/review")
    assert review.status_code == 200
    assert "Only the scores are written down, so there is nothing to review." in review.text
    assert "Estimate luck" not in review.text
    assert fresh_client.get(f"/games/{digest}/drill").status_code == 200
    assert fresh_client.get(f"/games/{digest}.json").json["report"]["verdict"] == "undetermined"
