"""What a club asks in a terminal: standings, ratings, another name for a player, corrections, the trash and evenings."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from io import StringIO
from pathlib import Path

import pytest

from analyzer.players.evenings import (
    EveningOpening,
    PlayerArrival,
    ResultTyping,
    RoundPairing,
    open_evening,
    take_steps,
)
from analyzer.players.round_pairing import PairedRound
from analyzer.store.store import GameFilter, Store
from records.format import codec
from records.record import Player
from records.selfplay import play_game
from tests.machine.waiting import PATIENCE_SECONDS
from webui import create_app
from webui.application import close_app

EVENT = "Thursday club"
PAIRS = [("Ann", "Bob"), ("Cleo", "Bob"), ("Anne", "Cleo")]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three matches of Zique; the last is of another event. The winner of each is in `winners`."""
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    lines = []
    for seed, names in enumerate(PAIRS, start=1):
        record = play_game("zique", seed=seed)
        record.players = [Player(name=name) for name in names]
        event = EVENT if seed < 3 else "Spring tournament"
        record.meta = {"event": event, "started": f"2026-03-0{seed}T19:30:00Z"}
        lines.append(codec.encode(record))
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


@pytest.fixture(scope="module")
def kept(run, games: Path) -> Path:
    folder = games.parent / "club"
    assert run("ingest", games, "--data", folder, "--workers", "1").exit_code == 0
    return folder


@pytest.fixture
def club(kept: Path, tmp_path: Path) -> Path:
    return shutil.copytree(kept, tmp_path / "club")


def winners(games: Path) -> list[str]:
    """The winner of each match, as its record states it."""
    records = [json.loads(line) for line in games.read_bytes().splitlines()]
    return [record["players"][record["result"]["winner"]]["name"] for record in records]


@pytest.mark.long
def test_a_standing_counts_a_point_for_each_match_won(run, club, games):
    won = winners(games)
    shown = run("standings", "--data", club, "--format", "json").output
    standing = {line["name"]: line for line in json.loads(shown)["standing"]}
    assert {name: line["points"] for name, line in standing.items()} == {
        name: won.count(name) for pair in PAIRS for name in pair
    }
    assert all(
        line["matches"] == sum(name in pair for pair in PAIRS) for name, line in standing.items()
    )
    as_csv = list(
        csv.DictReader(StringIO(run("standings", "--data", club, "--format", "csv").output))
    )
    assert {line["name"]: float(line["points"]) for line in as_csv} == {
        name: float(line["points"]) for name, line in standing.items()
    }


@pytest.mark.long
def test_a_standing_of_an_event_for_people(run, club, games):
    result = run("standings", "--event", EVENT, "--season", "2026", "--data", club)
    title, head, first, *rest = result.output.splitlines()
    assert title == f"{EVENT}, 2026"
    assert head.split() == ["name", "matches", "won", "drawn", "lost", "points", "made"]
    assert first.split()[1] in winners(games)[:2]
    assert len(rest) == 2
    every = run("standings", "--data", club).output
    assert every.startswith("All stored matches\n")
    assert every.endswith("Events: Spring tournament, Thursday club.\n")
    empty = run("standings", "--event", EVENT, "--season", "2025", "--data", club)
    assert empty.output == f"{EVENT}, 2025: no finished match counts here.\n"


@pytest.mark.long
def test_an_event_that_no_game_names_is_refused(run, club):
    result = run("standings", "--event", "Thursdayclub", "--data", club)
    assert result.exit_code == 2
    assert "Did you mean 'Thursday club'?" in result.stderr


@pytest.mark.long
def test_ratings_are_sorted_by_what_is_almost_certain(run, club):
    rated = json.loads(run("ratings", "--data", club, "--format", "json").output)
    assert {line["name"] for line in rated} == {"Ann", "Anne", "Bob", "Cleo"}
    assert sum(line["matches"] for line in rated) == 2 * len(PAIRS)
    sure = [line["at_least"] for line in rated]
    assert sure == sorted(sure, reverse=True)
    assert sure == pytest.approx([line["rating"] - 3 * line["deviation"] for line in rated])
    shown = run("ratings", "--data", club).output.splitlines()
    assert shown[0].split() == ["name", "rating", "deviation", "at_least", "matches"]
    assert [line.split()[1] for line in shown[1:]] == [line["name"] for line in rated]
    as_csv = run("ratings", "--data", club, "--format", "csv").output
    assert as_csv.startswith("name,rating,deviation,at_least,matches\n")


@pytest.mark.long
def test_two_spellings_become_one_player_and_the_records_stay(run, club, games, tmp_path):
    result = run("rename", "Ann", "Anne", "--yes", "--data", club)
    assert result.output == "Renamed Ann to Anne in 1 game. The records are as they were.\n"
    standing = json.loads(run("standings", "--data", club, "--format", "json").output)["standing"]
    assert {line["name"]: line["matches"] for line in standing} == {"Anne": 2, "Bob": 2, "Cleo": 2}
    rated = json.loads(run("ratings", "--data", club, "--format", "json").output)
    assert {line["name"]: line["matches"] for line in rated} == {"Anne": 2, "Bob": 2, "Cleo": 2}
    by_player = run(
        "stats", "deals_won", "--by", "player", "--data", club, "--format", "csv"
    ).output
    assert {line.split(",")[0] for line in by_player.splitlines()[1:]} == {"Anne", "Bob", "Cleo"}
    by_opponent = run("stats", "deals_won", "--by", "opponent", "--data", club, "--format", "csv")
    assert "Ann," not in by_opponent.output
    run("export", tmp_path / "out.jsonl", "--data", club)
    assert sorted((tmp_path / "out.jsonl").read_bytes().splitlines()) == sorted(
        games.read_bytes().splitlines()
    )
    again = run("ingest", games, "--data", club, "--workers", "1").output
    assert "3 already stored" in again


@pytest.mark.sampled(2)
@pytest.mark.long
@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (("An", "Anne"), "No stored game has a player 'An'. Did you mean 'Ann'?"),
        (
            ("Bob", "Ann"),
            "'Bob' and 'Ann' sit at the same table in 1 game, so they are two players.",
        ),
        (("Bob", " "), "A name has 1 to 200 characters."),
        (("Bob", "Bob"), "Both names are the same."),
    ],
)
def test_a_name_that_cannot_be_given_is_refused(run, club, names, sentence):
    result = run("rename", *names, "--yes", "--data", club)
    assert result.exit_code == 2
    assert sentence in result.stderr


@pytest.mark.long
def test_renaming_asks_first(run, club):
    result = run("rename", "Ann", "Anne", "--data", club, stdin=b"n\n")
    assert result.exit_code == 1
    assert "Anne is a player of 1 game: both become one." in result.output
    assert '"Ann"' in run("standings", "--data", club, "--format", "json").output


@pytest.mark.long
def test_a_rename_is_listed_and_taken_back(run, club):
    before = run("standings", "--data", club, "--format", "json").output
    empty = "Nobody was renamed, and no two names are similar.\n"
    assert run("rename", "--data", club).output == empty
    run("rename", " Ann\u200b", "bob", "--yes", "--data", club)
    said = run("rename", "--data", club).output.splitlines()
    assert said[0].startswith("Ann is bob (since 20")
    assert said[1:] == ["Perhaps one player: Bob, bob"]
    assert "Perhaps one player: Bob, bob." in run("doctor", "--data", club).output
    taken = run("rename", "--undo", "Ann", "--data", club)
    assert taken.output == "The rename to bob was taken back.\n"
    assert run("standings", "--data", club, "--format", "json").output == before
    assert run("rename", "--data", club).output == empty
    assert "was not renamed" in run("rename", "--undo", "Ann", "--data", club).stderr
    assert run("rename", "Ann", "--data", club).exit_code == 2


@contextmanager
def serving(club: Path) -> Iterator[None]:
    """A server at work on the club's folder."""
    command = [sys.executable, "-m", "webui.cli", "serve", "--data", str(club), "--port", "0"]
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    )
    try:
        assert server.stdout is not None
        assert "Serving" in server.stdout.readline()
        yield
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(PATIENCE_SECONDS)


@pytest.mark.slow
def test_a_server_at_work_is_asked_to_rename(run, club):
    with serving(club):
        asked = run("rename", "Ann", "Anne", "--data", club, stdin=b"n\n")
        assert "Anne is a player of 1 game: both become one." in asked.output
        renamed = run("rename", "Ann", "Anne", "--yes", "--data", club)
        assert "Renamed Ann to Anne in 1 game" in renamed.output
        assert "Ann is Anne" in run("rename", "--data", club).output
        refused = run("rename", "Anne", "Bob", "--yes", "--data", club)
        assert (refused.exit_code, "sit at the same table" in refused.stderr) == (2, True)
        assert run("rename", "--undo", "Anne", "--data", club).exit_code == 0
        assert "Nobody was renamed" in run("rename", "--data", club).output


def digest_of(run, club) -> str:
    with Store(club) as store:
        return str(store.games(GameFilter(player="Cleo"), limit=1).games[0].digest)


@pytest.mark.long
def test_a_game_is_corrected_listed_and_undone(run, club):
    digest = digest_of(run, club)[:12]
    assert run("correct", digest, "--data", club).output == "Nothing was corrected.\n"
    made = run("correct", digest, "event", "Cup", "--why", "a slip", "--data", club)
    assert made.output.startswith("Corrected event: 'Cup', where the record tells ")
    assert run("standings", "--data", club).output.count("Cup") == 1
    assert "(by command, " in run("correct", digest, "--data", club).output
    assert ", a slip)" in run("correct", digest, "--data", club).output
    assert run("correct", digest, "--undo", "1", "--data", club).output.startswith("Undid event: ")
    assert "; undone by command, " in run("correct", digest, "--data", club).output
    assert "Cup" not in run("standings", "--data", club).output


@pytest.mark.sampled(2)
@pytest.mark.long
@pytest.mark.parametrize(
    "given",
    [["colour", "red"], ["name9", "Eve"], ["date", "tomorrow"], ["event"], ["--undo", "7"], ["event", "x", "--undo", "1"]],
)  # fmt: skip
def test_what_cannot_be_corrected_is_refused(run, club, given):
    refused = run("correct", digest_of(run, club), *given, "--data", club)
    assert refused.exit_code == 2
    assert refused.stderr


@pytest.mark.slow
def test_a_server_at_work_is_asked_to_correct(run, club):
    digest = digest_of(run, club)[:12]
    with serving(club):
        made = run("correct", digest, "event", "Cup", "--data", club)
        assert made.output.startswith("Corrected event: 'Cup'")
        refused = run("correct", digest, "event", "Cup", "--data", club)
        assert (refused.exit_code, "event reads so already" in refused.stderr) == (2, True)
        assert "1: event: 'Cup'" in run("correct", digest, "--data", club).output
        assert run("correct", digest, "--undo", "1", "--data", club).exit_code == 0


@pytest.mark.long
def test_records_are_exported_as_uploaded_or_as_corrected(run, club):
    digest = digest_of(run, club)
    before = run("export", "-", "--digest", digest, "--data", club).stdout
    run("correct", digest, "event", "Cup", "--data", club)
    assert run("export", "-", "--digest", digest, "--data", club).stdout == before
    corrected = run("export", "-", "--digest", digest, "--corrected", "--data", club).stdout
    assert json.loads(corrected)["meta"]["event"] == "Cup"
    assert json.loads(before) | {"meta": None} == json.loads(corrected) | {"meta": None}


def trashed(run, club) -> list[dict[str, object]]:
    return json.loads(run("trash", "list", "--format", "json", "--data", club).stdout)


def restore_and_empty(run, club):
    """What the commands of the trash do with three deleted games."""
    assert [len(game["names"]) for game in trashed(run, club)] == [2, 2, 2]
    table = run("trash", "list", "--data", club).stdout.splitlines()
    assert (table[0].split()[:2], len(table)) == (["digest", "players"], 4)
    csv = run("trash", "list", "--format", "csv", "--data", club).stdout.splitlines()
    digests = [line.split(",")[0] for line in csv[1:]]
    assert digests == [game["digest"] for game in trashed(run, club)]
    back = run("trash", "restore", digests[0][:12], "--data", club)
    assert back.output == "Brought back 1 game.\n"
    assert [game["digest"] for game in trashed(run, club)] == digests[1:]
    again = run("trash", "restore", digests[0], "--data", club)
    assert (again.exit_code, "one digest in the trash" in again.stderr) == (2, True)
    for words in ((), ("--all", digests[1])):
        assert run("trash", "restore", *words, "--data", club).exit_code == 2
    asked = run("trash", "empty", "--data", club, stdin=b"n\n")
    assert (asked.exit_code, "Delete 2 games for good?" in asked.output) == (1, True)
    run("trash", "restore", "--all", "--data", club)
    assert trashed(run, club) == []
    assert run("trash", "list", "--data", club).output == "The trash is empty.\n"


def delete_all(run, club) -> None:
    with Store(club) as store:
        digests = [game.digest for game in store.games(GameFilter(), limit=9).games]
    assert run("delete", *digests, "--yes", "--data", club).exit_code == 0


@pytest.mark.long
def test_deleted_games_are_listed_brought_back_and_deleted_for_good(run, club):
    delete_all(run, club)
    restore_and_empty(run, club)
    delete_all(run, club)
    gone = run("trash", "empty", "--yes", "--data", club)
    assert gone.output == "Deleted 3 games for good.\n"
    assert trashed(run, club) == []


@pytest.mark.slow
def test_a_server_at_work_is_asked_for_the_trash(run, club):
    delete_all(run, club)
    with serving(club):
        restore_and_empty(run, club)
        assert "Deleted 0 games" in run("trash", "empty", "--yes", "--data", club).output


def hold_evening(club) -> int:
    with Store(club) as store:
        key = open_evening(store, EveningOpening("League", date(2026, 3, 5), "swiss"), "person")
        paired = PairedRound([(1, 2), (3, 4)], None)
        steps = [*map(PlayerArrival, ("Ann", "Bob", "Cleo", "Dan")), RoundPairing(1, paired)]
        typed = ResultTyping(1, 1, 2, "second", (500, 900))
        take_steps(store, key, [*steps, typed], "person")
    return key


def ask_for_evening(run, club, key):
    """What the commands tell of the one evening."""
    listed = run("evening", "list", "--format", "csv", "--data", club).stdout.splitlines()
    assert listed == ["evening,event,day", f"{key},League,2026-03-05"]
    for number in ((), (key,)):
        whole = json.loads(
            run("evening", "show", *number, "--format", "json", "--data", club).stdout
        )
        assert [player["name"] for player in whole["players"]] == ["Ann", "Bob", "Cleo", "Dan"]
    rows = run("evening", "show", "--format", "csv", "--data", club).stdout.splitlines()
    assert rows[1:] == ["1,1,Ann,Bob,typed,second,500,900", "1,2,Cleo,Dan,,,,"]
    assert "Bob" in run("evening", "show", "--data", club).stdout
    standing = run("evening", "standings", "--format", "csv", "--data", club).stdout.splitlines()
    assert standing[1].split(",")[:3] == ["2", "Bob", "1.0"]
    lines = json.loads(run("evening", "standings", "--format", "json", "--data", club).stdout)
    assert lines == whole["standing"]
    assert "Bob" in run("evening", "standings", "--data", club).stdout
    refused = run("evening", "show", key + 1, "--data", club)
    assert (refused.exit_code, "no such evening" in refused.stderr) == (2, True)
    return whole


@pytest.mark.slow
def test_an_evening_is_told_alike_by_the_commands_a_server_and_its_page(run, club):
    assert "no evenings" in run("evening", "list", "--data", club).output
    assert "no evenings" in run("evening", "show", "--data", club).stderr
    key = hold_evening(club)
    told = ask_for_evening(run, club, key)
    with serving(club):
        assert ask_for_evening(run, club, key) == told
    app = create_app(data=club)
    page = app.test_client().get(f"/evenings/{key}.json").json
    assert page == told == app.test_client().get(f"/api/v1/evenings/{key}").json
    close_app(app)
