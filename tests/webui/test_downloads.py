"""Downloads come piece by piece: what a server needs for one does not grow with it."""

import csv
import random
import tracemalloc
from collections.abc import Iterator

import pytest
from flask import Flask
from msgspec.structs import replace

from analyzer.statistics import questions
from records.format import codec
from records.record import Note
from records.selfplay import play_game
from tests.make.stored_games import store_game
from tests.webui.csv_answers import csv_text
from webui import create_app
from webui.application import close_app

GAMES, NOTES = 24, 700
SIZE = GAMES * NOTES * 2_000
"""About the bytes of all records together: text that does not compress."""
LONGEST_PIECE, MOST_MEMORY = 4 * 1024 * 1024, SIZE // 2
DOWNLOADS = {
    "/games.jsonl": "GET",
    "/games.jsonl.gz": "GET",
    "/explore.csv": "GET",
    "/sql.csv": "GET",
    "/games.csv": "GET",
    "/players.csv": "GET",
    "/standings.csv": "GET",
    "/crosstable.csv": "GET",
    "/statistics/<name>.csv": "GET",
    "/backup": "POST",
    "/local/backup": "POST",
}
"""Every address whose answer grows with what is stored; a new one must be entered here by hand."""
QUERIES = {
    "/explore.csv": "?metric=deals_won&by=sheet",
    "/sql.csv": "?q=SELECT+digest,+site+FROM+games",
}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """A site whose few records are large."""
    app = create_app(
        data=tmp_path_factory.mktemp("large"), testing=True, wtf_csrf_enabled=False, ratelimit_enabled=False
    )  # fmt: skip
    dice = random.Random(1)
    for seed in range(GAMES):
        game = play_game("zique", seed=seed)
        notes = [Note(at=[0, 1], text=dice.randbytes(1_000).hex()) for _ in range(NOTES)]
        store_game(app, replace(game, notes=notes))
    yield app
    close_app(app)


def test_every_download_is_listed(app):
    found = {
        str(rule)
        for rule in app.url_map.iter_rules()
        if str(rule).endswith((".csv", ".jsonl", ".jsonl.gz", "backup")) and rule.arguments <= {"name"}
    }  # fmt: skip
    assert found == set(DOWNLOADS)


@pytest.mark.sampled(2)
@pytest.mark.long
@pytest.mark.parametrize("address", DOWNLOADS)
def test_a_download_needs_little_memory(large, address):
    path = address.replace("<name>", "points_by_source") + QUERIES.get(address, "")
    large.config["LOCAL_KEY"] = "key"
    headers = {"X-Bezique-Key": "key"} if "local" in address else {}
    client = large.test_client()
    tracemalloc.start()
    answer = client.open(path, method=DOWNLOADS[address], headers=headers, buffered=False)
    assert answer.status_code == 200
    assert answer.is_streamed
    sizes = [len(piece) for piece in answer.iter_encoded()]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    answer.close()
    if address in ("/games.jsonl", "/backup"):
        assert sum(sizes) > SIZE // 2
    assert max(sizes) <= LONGEST_PIECE
    assert peak < MOST_MEMORY


@pytest.mark.long
@pytest.mark.parametrize("address", [each for each in DOWNLOADS if each.endswith(".csv")])
def test_a_spreadsheet_is_told_that_a_table_is_in_utf_8(fresh_client, store, legal, address):
    """Pieces of a table have the mark once, also where it has no rows; what programs read at the same path has none."""
    path = address.replace("<name>", "points_by_source") + QUERIES.get(address, "")
    for _ in range(2):
        columns, *_ = csv.reader(csv_text(fresh_client.get(path)).splitlines())
        assert columns
        store_game(store, legal)
    if "<name>" not in address:
        assert fresh_client.get(path.replace(".csv", ".json")).data[:1] in (b"{", b"[")


@pytest.mark.long
def test_a_download_has_all_records_in_their_order(large):
    lines = large.test_client().get("/games.jsonl").data.splitlines()
    assert [codec.decode(line).record.result for line in lines] == [
        play_game("zique", seed=seed).result for seed in range(GAMES)
    ]


@pytest.mark.long
def test_a_question_has_no_more_rows_than_are_allowed(fresh, monkeypatch):
    store = fresh.extensions["store"]
    for seed in range(3):
        game = replace(play_game("zique", seed=seed), meta={"program": f"program {seed}"})
        store_game(store, game)
    question = questions.find_question("verdicts_by_program")
    assert question
    whole = questions.run_question(store, question)
    assert "rows are shown" not in whole.question.caveat
    monkeypatch.setattr(questions, "MOST_QUESTION_ROWS", len(whole.rows) - 1)
    answer = questions.run_question(store, question)
    assert answer.rows == whole.rows[:-1]
    assert f"Only the first {len(whole.rows) - 1} rows are shown" in answer.question.caveat
