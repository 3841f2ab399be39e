"""A position a day: the same for everybody on one day, without its answer until the day is over."""

from datetime import UTC, date, datetime, timedelta
from random import Random

import duckdb
import pytest

from analyzer.review.reviewer import review_exactly
from records.selfplay import play_game
from tests.make.stored_games import store_game
from webui import create_app
from webui.application import close_app
from webui.server.analysed_games import MOST_DAILY_GAMES, SELECT_DAILY, DrillPosition, find_decision
from webui.views.drills import MOST_DAYS_BACK

pytestmark = pytest.mark.long

GAMES = [play_game("marjolet", seed=seed, style="random") for seed in range(4)]
TODAY = datetime.now(UTC).date()
YESTERDAY = TODAY - timedelta(1)


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    app = create_app(data=tmp_path_factory.mktemp("daily"), testing=True)
    for game in GAMES:
        store_game(app, game)
    yield app.test_client()
    close_app(app)


def test_today_has_a_position_and_no_answer(reader):
    shown = reader.get("/daily.json").json
    question = shown["question"]
    assert shown["answer"] is None
    assert not {"key", "deal", "step"} & question.keys()
    hidden = question["position"]["seats"][1 - question["seat"]]
    assert not hidden["hand"]
    page = reader.get("/daily").text
    assert "What would you" in page
    assert "was best" not in page
    assert "best=1" not in page
    assert reader.get("/daily.json").json == shown


def test_a_day_that_is_over_has_its_answer(reader):
    shown = reader.get(f"/daily.json?day={YESTERDAY}").json
    question, answer = shown["question"], shown["answer"]
    best = {each["says"] for each in answer["choices"] if each["is_best"]}
    assert best
    made = next(each for each in answer["choices"] if each["was_made"])
    assert not made["is_best"]
    address = (
        f"/games/{digest_of(question)}/drill.json?deal={question['deal']}&step={question['step']}"
    )
    drilled = reader.get(address).json["question"]
    assert [each["key"] for each in drilled["choices"]] == [
        each["key"] for each in question["choices"]
    ]
    page = reader.get(f"/daily?day={YESTERDAY}").text
    assert all(says in page for says in best)


def digest_of(question):
    """The digest of the game that a question is from, by the review of each."""
    reviews = [review_exactly(game) for game in GAMES]
    (found,) = (
        each.digest for each in reviews if each.digest.startswith(question["key"].split("-")[0])
    )
    place = DrillPosition(found, question["deal"] - 1, question["step"], False)
    review = next(each for each in reviews if each.digest == found)
    assert find_decision(review, place) or find_decision(review, place._replace(melding=True))
    return found


@pytest.mark.parametrize(
    ("day", "status", "says"),
    [
        (TODAY + timedelta(1), 404, "not come yet"),
        ("2026-02-30", 400, "no day of the calendar"),
        ("x", 400, "A day is written"),
        ("0001-01-01", 404, "That position is gone"),
        (TODAY - timedelta(MOST_DAYS_BACK), 200, "Position of"),
    ],
)
def test_a_day_that_is_none_is_refused(reader, day, status, says):
    answer = reader.get(f"/daily?day={day}")
    assert answer.status_code == status
    assert says in answer.text


def test_an_empty_collection_says_so(tmp_path):
    app = create_app(data=tmp_path, testing=True)
    assert "Store more games" in app.test_client().get("/daily").text
    close_app(app)


def test_what_is_stored_later_changes_no_day_before_it():
    """Any games, in any order of storing: a day is drawn from those stored before it."""
    tables, random = duckdb.connect(), Random(3)
    tables.execute("CREATE TABLE games (digest VARCHAR, stored_at TIMESTAMP, verdict VARCHAR, status VARCHAR, players UTINYINT)")  # fmt: skip
    day = date(2026, 3, 5)

    def drawn():
        return tables.execute(SELECT_DAILY, {"day": day, "most": MOST_DAILY_GAMES}).fetchall()

    def store(moment, verdict="legal"):
        row = [f"{random.getrandbits(256):064x}", moment, verdict, "complete", 2]
        tables.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)", row)

    for hour in range(MOST_DAILY_GAMES):
        store(datetime(2026, 3, 4, hour))
    before = drawn()
    assert len(before) == MOST_DAILY_GAMES
    for minutes in range(200):
        store(datetime(2026, 3, 5) + timedelta(minutes=7 * minutes))
        store(datetime(2026, 3, 1), verdict="illegal")
        assert drawn() == before
