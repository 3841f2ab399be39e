"""`bezique ingest`, `stats` and `demo`: every game is stored once, and questions are answered."""

import csv
import gzip
import json
import re
from io import StringIO
from pathlib import Path

import msgspec
import pytest
from click.testing import Result

from analyzer.players.evening_results import read_results
from analyzer.players.evenings import list_evenings, read_evening
from analyzer.players.expectancy import FEWEST_MATCHES_TO_CALIBRATE
from analyzer.statistics.answer import run_ask
from analyzer.statistics.ask import from_address
from analyzer.statistics.catalogue import dimensions, metrics
from analyzer.statistics.questions import questions
from analyzer.store.store import Store
from records.format import codec
from records.record import Record
from records.rules.registry import ALL_SHEETS
from webui.cli import demo_games
from webui.cli.commands import ingest
from webui.cli.commands.demo import DEMO_MARKER_FILE
from webui.cli.main import ProgressBar
from webui.cli.plot import render_bar

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def filled(run, tmp_path_factory, three_lines) -> Path:
    """A data folder with two games; for reading only."""
    folder = tmp_path_factory.mktemp("filled")
    run("ingest", "-", "--data", folder, stdin=three_lines)
    return folder


def test_ingest_says_what_became_of_the_records(run, tmp_path, three):
    folder = tmp_path / "data"
    result = run("ingest", three, "--data", folder)
    assert result.output.startswith("3 records: 2 stored, 1 unreadable (8 deals, ")
    assert result.exit_code == 2
    result = run("ingest", three, "--data", folder)
    assert result.output.startswith("3 records: 2 already stored, 1 unreadable")


@pytest.mark.parametrize("option", ["--data", "--lake"])
def test_ingest_tells_known_games_that_came_with_other_names(run, tmp_path, legal, option):
    game = json.loads(legal)
    corrected = {**game, "meta": {"event": "Clio\x07"}}
    lines = [json.dumps({**corrected, "deals": game["deals"][:n]}).encode() for n in range(1, 8)]
    (tmp_path / "first.jsonl").write_bytes(
        b"\n".join(line.replace(b"Clio", b"Cleo") for line in lines)
    )
    (tmp_path / "fixed.jsonl").write_bytes(b"\n".join(lines))
    run("ingest", tmp_path / "first.jsonl", option, tmp_path / "data")
    count = len({json.dumps(json.loads(line)["deals"]) for line in lines})
    told = run("ingest", tmp_path / "fixed.jsonl", option, tmp_path / "data").output.splitlines()
    assert told[1].startswith(
        f"{count} games already stored with other names, places or times, which stay."
    )
    assert re.fullmatch(r"  [0-9a-f]{12}  stored as .* – .*, Cleo.*", told[2])
    assert re.fullmatch(r"  fixed.jsonl:1: .* – .*, Clio.*", told[3])
    assert "\x07" not in "".join(told)
    assert len(told) == 2 + 2 * min(count, 5) + (count > 5)


def test_ingest_takes_patterns_and_packed_files(run, tmp_path, legal, illegal):
    (tmp_path / "season-1.jsonl.gz").write_bytes(gzip.compress(legal))
    (tmp_path / "season-2.jsonl").write_bytes(illegal)
    (tmp_path / "other.jsonl").write_bytes(b"{}")
    result = run("ingest", tmp_path / "season-*", "--data", tmp_path / "data")
    assert result.output.startswith("2 records: 2 stored (")


def test_ingest_with_workers_stores_the_same(run, tmp_path, legal, monkeypatch):
    monkeypatch.setattr(ingest, "MOST_BYTES_IN_ONE_PROCESS", 0)
    game = json.loads(legal)
    lines = [json.dumps({**game, "deals": game["deals"][: n + 1]}).encode() for n in range(4)]
    (tmp_path / "games.jsonl").write_bytes(b"\n".join(lines))
    result = run("ingest", tmp_path / "games.jsonl", "--workers", "2", "--data", tmp_path / "data")
    assert result.output.startswith("4 records: 4 stored (10 deals, ")


def test_an_interrupted_ingest_says_how_to_go_on(run, tmp_path, three, monkeypatch):
    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ProgressBar, "show", interrupted)
    result = run("ingest", three, "--data", tmp_path / "data")
    assert result.exit_code == 130
    assert "Interrupted. Run it again to continue" in result.output
    monkeypatch.undo()
    again = run("ingest", three, "--data", tmp_path / "data")
    assert again.output.startswith("3 records: 2 already stored, 1 unreadable")


def test_the_data_folder_can_come_from_the_environment(run, tmp_path, game, monkeypatch):
    monkeypatch.setenv("BEZIQUE_DATA", str(tmp_path / "elsewhere"))
    run("ingest", game)
    assert (tmp_path / "elsewhere").is_dir()


def test_ingest_of_a_missing_file_makes_no_database(run, tmp_path):
    assert run("ingest", "nowhere.json", "--data", tmp_path / "data").exit_code == 2
    assert not (tmp_path / "data").exists()


def test_a_database_in_use_is_a_sentence(run, filled):
    with Store(filled):
        result = run("stats", "points_by_source", "--data", filled)
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
    assert "open" in result.stderr


@pytest.mark.parametrize(
    "words",
    [["stats", "points_by_source"], ["serve"], ["ingest", "-"], ["demo"]],
    ids=lambda words: words[0],
)
def test_a_damaged_database_is_a_sentence(run, tmp_path, words):
    (tmp_path / "bezique.duckdb").write_bytes(b"no database" * 1000)
    result = run(*words, "--data", tmp_path)
    assert result.exit_code == 2
    assert "bezique.duckdb is damaged" in result.stderr


def test_questions_measures_and_dimensions_are_listed(run):
    lines = run("stats").output.splitlines()
    listed = [line.split()[0] for line in lines if line.startswith("  ")]
    assert listed == [*(question.name for question in questions()), *metrics(), *dimensions()]


def test_a_measure_is_split_and_limited(run, filled):
    words = ["stats", "points", "--by", "role", "--split", "last_trick", "--data", filled]
    table = run(*words)
    assert table.output.startswith("How many points does a player score in a deal?")
    assert "95 %" in table.output
    data = json.loads(run(*words, "--format", "json").output)
    assert data["columns"] == ["role", "last_trick", "points", "low", "high", "matches", "n"]
    assert {row[0] for row in data["rows"]} == {"dealer", "leader"}
    one = run(*words, "--only", "last_trick=yes", "--rules", "zique", "--format", "csv").output
    rows = list(csv.reader(StringIO(one)))
    assert {row[1] for row in rows[1:]} == {"yes"}


def test_the_page_and_the_command_say_the_same(run, filled):
    data = run("stats", "deals_won", "--by", "role", "--data", filled, "--format", "json").output
    with Store(filled) as store:
        found = run_ask(store, from_address("metric=deals_won&by=role"))
    assert json.loads(data)["rows"] == json.loads(msgspec.json.encode(found.rows))


def test_bars_and_lines_are_drawn(run, filled):
    bars = run("stats", "meld_rate", "--by", "meld", "--data", filled, "--plot").output
    assert "█" in bars
    assert "times per 100 deals of a player" in bars
    lines = run("stats", "own_lead", "--by", "trick", "--split", "role", "--data", filled, "--plot")
    assert "•" in lines.output
    assert "x leader" in lines.output
    assert "(trick of the deal)" in lines.output
    assert "█" not in lines.output
    empty = run(
        "stats", "points", "--by", "role", "--only", "player=Nobody", "--data", filled, "--plot"
    )
    assert "Nothing matches" in empty.output


@pytest.mark.parametrize(
    ("length", "drawn"), [(0, ""), (1, "█"), (2.5, "██▌"), (0.05, ""), (1.99, "██")]
)
def test_a_bar_has_its_length(length, drawn):
    assert render_bar(length) == drawn


@pytest.mark.sampled(4)
@pytest.mark.parametrize("question", questions(), ids=lambda question: question.name)
def test_every_question_is_answered(run, filled, question):
    table = run("stats", question.name, "--data", filled, "--every")
    assert table.output.startswith(question.answers)
    assert "Based on " in table.output
    rows = list(
        csv.reader(
            StringIO(run("stats", question.name, "--data", filled, "--format", "csv").stdout)
        )
    )
    data = json.loads(run("stats", question.name, "--data", filled, "--format", "json").output)
    assert rows[0] == data["columns"]
    assert len(rows) - 1 == len(data["rows"])


def test_what_is_not_counted_is_told_beside_every_form_of_a_number(run, filled):
    """Beside rows for programs it goes to the other stream, as CSV has no place for it."""
    words = "1 deal with errors is not counted."
    asked = ("stats", "points", "--data", filled)
    assert words in run(*asked).stdout
    told = run(*asked, "--format", "csv")
    assert told.stderr.strip() == words
    assert words not in told.stdout
    data = json.loads(run(*asked, "--format", "json").output)["left_out"]
    assert (data["words"], data["with_errors"], data["of"]) == (words, 1, "deals")
    assert data["counted"] == json.loads(run(*asked, "--format", "json").output)["n"] / 2


def test_an_answer_can_be_limited_to_a_rulebook(run, filled):
    assert (
        "Nothing matches"
        in run("stats", "points_by_source", "--rules", "bezique", "--data", filled).output
    )
    assert (
        "Nothing matches"
        not in run("stats", "points_by_source", "--rules", "zique", "--data", filled).output
    )


def test_the_sql_of_a_question(run):
    assert "SELECT" in run("stats", "points_by_source", "--sql").output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["points_by_sauce"], "Did you mean points_by_source"),
        (["xyz"], "`bezique stats` lists all"),
        (["points_by_source", "--data", "nowhere"], "nowhere has no games yet"),
        (["points_by_source", "--by", "sheet"], "Only a measure can be split"),
        (["points_by_source", "--only", "role=dealer"], "Only a measure can be split"),
        (["points", "--by", "meld"], "has no single value of"),
        (["points", "--only", "dealer"], "--only needs DIMENSION=VALUE"),
        (["points", "--only", "metric=melds"], "--only needs DIMENSION=VALUE"),
        (["points", "--by", "sheets"], "did you mean sheet"),
    ],
)
def test_what_cannot_be_answered_is_refused(run, words, said):
    result = run("stats", *words)
    assert result.exit_code == 2
    assert said in result.stderr


FEW = 2
INTERRUPTED_AFTER = 3
"""So many rulebooks have their demo games when the first attempt to make them ends."""


@pytest.fixture(scope="module")
def completion(run, tmp_path_factory) -> tuple[Path, Result]:
    """A data folder with few demo games, for reading only, and what the command that completed them said."""
    folder = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demo_games, "GAMES_PER_RULEBOOK", FEW)
        patch.setattr(demo_games, "GAMES_REVIEWED", 1)
        with patch.context() as interrupted:
            interrupted.setattr(demo_games, "ALL_SHEETS", ALL_SHEETS[:INTERRUPTED_AFTER])
            assert run("demo", "--data", folder).exit_code == 0
        (folder / DEMO_MARKER_FILE).unlink()
        return folder, run("demo", "--data", folder)


@pytest.fixture(scope="module")
def small_demo(completion) -> Path:
    """A data folder with few demo games; for reading only."""
    return completion[0]


@pytest.mark.slow
def test_demo_games_are_made_once(run, small_demo):
    with Store(small_demo) as store:
        counts = store.counts()
        sheets = {game.sheet for game in store.games(limit=500).games}
        verdicts = {game.verdict for game in store.games(limit=500).games}
        latest = {game.sheet for game in store.games(limit=8).games}
    assert sheets == {sheet.id for sheet in ALL_SHEETS}
    assert verdicts == {"legal"}
    assert len(latest) > 2, "the first page shows these"
    evening = len(demo_games.LAST_EVENING_PLAYERS) // 2 * demo_games.LAST_EVENING_ROUNDS - 1
    assert (counts.games, counts.rejected) == (FEW * len(ALL_SHEETS) + evening, 0)
    assert run("demo", "--data", small_demo).output == f"{small_demo} already has the demo games.\n"


@pytest.mark.slow
def test_the_demo_has_an_evening_with_a_standing_and_one_typed_result(small_demo):
    with Store(small_demo) as store:
        (entry,) = list_evenings(store)
        evening = read_evening(store, entry.key)
        results = read_results(store, evening)
    assert len(evening.rounds) == demo_games.LAST_EVENING_ROUNDS
    assert [each.source for each in results.by_pair.values()].count("typed") == 1
    assert {each.source for each in results.by_pair.values()} == {"record", "typed"}
    assert (results.misfits, results.lines[0].points) == ([], demo_games.LAST_EVENING_ROUNDS)


@pytest.mark.slow
def test_an_interrupted_demo_is_completed(completion):
    """Every game of the rulebooks that were done is there, and the other rulebooks follow."""
    _, result = completion
    assert result.exit_code == 0
    told = re.findall(r"(\d+) (already stored|stored)", result.output)
    counts = {words: int(number) for number, words in told}
    games = FEW
    assert counts["already stored"] >= INTERRUPTED_AFTER * games
    assert counts["stored"] >= (len(ALL_SHEETS) - INTERRUPTED_AFTER) * games


def test_demo_games_are_the_same_everywhere():
    assert (
        list(demo_games.play_demo_games(ALL_SHEETS[0]))[:3]
        == list(demo_games.play_demo_games(ALL_SHEETS[0]))[:3]
    )


def test_the_demo_has_enough_plain_games_to_judge_who_will_win():
    games = demo_games.GAMES_PER_RULEBOOK
    plain = games - games // demo_games.GAMES_PER_OPTION_GAME
    assert plain > FEWEST_MATCHES_TO_CALIBRATE


@pytest.mark.slow
def test_broken_records_lie_in_a_folder_of_their_own(run, completion):
    folder, result = completion
    broken = sorted((folder / demo_games.BROKEN_FOLDER).iterdir())
    assert f"{len(broken)} broken records to upload are in" in result.output
    assert len(broken) > 100
    found = run("validate", folder / demo_games.BROKEN_FOLDER / "must-follow-suit.json")
    assert found.exit_code == 1


def test_the_demo_tells_of_a_season_and_a_tournament():
    records = [codec.decode(data).record for data in demo_games.play_demo_games(ALL_SHEETS[0])]
    events: dict[str, list[Record]] = {}
    for record in records:
        assert record.meta["site"] == demo_games.CLUB_NAME
        assert {player.name for player in record.players} <= set(demo_games.CLUB_MEMBERS)
        events.setdefault(record.meta["event"], []).append(record)
    assert set(events) == {demo_games.TOURNAMENT_NAME, "Season 2025, Bezique"}
    tournament = events[demo_games.TOURNAMENT_NAME]
    players = demo_games.TOURNAMENT_PLAYERS
    met = [frozenset(player.name for player in record.players) for record in tournament]
    assert len(met) == len(set(met)) == len(players) * (len(players) - 1) // 2
    for number in range(1, len(players)):
        round_games = [record for record in tournament if record.meta["round"] == number]
        seated = [player.name for record in round_games for player in record.players]
        assert sorted(seated) == sorted(players), number
        assert len({record.meta["started"] for record in round_games}) == 1
    strong = [record for record in tournament if "greedy, random" in record.provenance.program]
    won = [demo_games.CLUB_MEMBERS[record.players[record.result.winner].name] for record in strong]
    assert won.count("greedy") > 2 * won.count("random"), "players differ in strength"


@pytest.fixture(scope="module")
def three_games(run, tmp_path_factory):
    """A data folder with games of Ann and Bob."""
    folder = tmp_path_factory.mktemp("three")
    run("play", "--rules", "zique", "--games", 3, "--out", folder / "games.jsonl")
    run("ingest", folder / "games.jsonl", "--data", folder / "d")
    return folder / "d"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["deals_won", "--only", "player=bop"], "Nothing stored has the player bop. Did you mean Bob?"),
        (["deals_won", "--only", "player=bop", "--by", "role"], "Nothing stored has the player bop. Did you mean Bob?"),
        (["meld_rate", "--only", "meld=bezik"], "Nothing stored has the meld bezik. Did you mean bezique?"),
        (["deals_won", "--only", "player=Zoe"], "Nothing stored has the player Zoe."),
        (["deals_won", "--only", "sheet=bezique"], "Nothing stored has the rulebook bezique."),
        (["lead", "--only", "trick=77"], "Nothing stored has the trick 77."),
        (["deals_won", "--only", "month=2020-01"], "Nothing stored has the month 2020-01."),
    ],
)  # fmt: skip
def test_a_value_that_nothing_has_is_told_with_similar_ones(run, three_games, words, said):
    shown = run("stats", *words, "--data", three_games)
    assert (shown.exit_code, shown.output.splitlines()[-1]) == (0, said)
    as_data = run("stats", *words, "--data", three_games, "--format", "json")
    assert (as_data.stdout.count("\n"), as_data.stderr) == (1, f"{said}\n")
    assert (
        "Nothing stored has"
        not in run("stats", words[0], "--only", "player=Bob", "--data", three_games).output
    )


@pytest.mark.parametrize(
    ("option", "given", "said"),
    [
        ("--verdict", "legl", "There is no verdict 'legl'. Did you mean legal or illegal?"),
        ("--verdict", "fine", "There is no verdict 'fine'. There are legal, legal_with_mismatches, illegal, "),
        ("--finding", "must-folow-suit", "There is no finding 'must-folow-suit'. Did you mean must-follow-suit"),
        ("--finding", "xyz", "There is no finding 'xyz'. `bezique findings` lists all."),
    ],
)  # fmt: skip
def test_games_are_exported_by_verdicts_and_findings_that_exist(
    run, three_games, option, given, said
):
    refused = run("export", "-", option, given, "--data", three_games)
    assert (refused.exit_code, said in refused.stderr) == (2, True)
