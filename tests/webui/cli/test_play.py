"""`bezique play`: seeded games, to a file or to standard output."""

import json
from pathlib import Path

import pytest

from records.format.files import read_entries
from records.rules.registry import ALL_SHEETS
from records.validator import check


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_every_rulebook_can_be_played(run, sheet):
    data = run("play", "--rules", sheet.id, "--style", "random").stdout_bytes
    assert data.endswith(b"}\n")
    assert check(data.rstrip()).verdict == "legal"


def test_experts_play_no_tricks_with_more_than_two(run):
    rulebook = Path(__file__).parents[3] / "samples" / "rulebooks" / "bezique-three-hands.toml"
    told = run(
        "play",
        "--rules",
        rulebook,
        "--style",
        "expert",
    ).stderr
    assert "Three-handed Bezique is for more than two: only simple players play tricks" in told


def test_a_seed_gives_a_game_and_the_next_seed_the_next(run):
    two = run("play", "--rules", "zique", "--games", "2", "--seed", "5").output.splitlines()
    assert two == [
        run("play", "--rules", "zique", "--seed", seed).output.rstrip() for seed in (5, 6)
    ]


def test_options_are_played_and_written(run):
    record = json.loads(run("play", "--rules", "bezique", "--option", "hand_size=9").output)
    assert record["rules"]["options"] == {"hand_size": 9}
    assert len(record["deals"][0]["hands"][0]) == 9


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz", ".jsonl.zst"])
def test_a_file_is_compressed_as_its_name_says(run, tmp_path, ending):
    path = tmp_path / f"games{ending}"
    result = run("play", "--rules", "marjolet", "--games", "3", "--out", path)
    assert result.stderr == f"Wrote 3 records to {path}.\n"
    assert [entry.line for entry in read_entries(path)] == [1, 2, 3]
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_run_leaves_no_file(run, tmp_path):
    path = tmp_path / "games.jsonl"
    assert run("play", "--rules", "zique", "--players", "5", "--out", path).exit_code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "Missing option '--rules'"),
        (["--rules", "whist"], "There is no rulebook"),
        (["--rules", "zique", "--option", "colour=red"], "has no option"),
        (
            ["--rules", "zique", "--option", "long_game=true", "--option", "target=1000"],
            "The options long_game (true) and target (1000) contradict each other: both set match.target.2, to different values."
            " Give only one of them.",
        ),
        (
            ["--rules", "zique", "--style", "simpel"],
            "is not one of 'simple', 'casual', 'random', 'expert'",
        ),
        (["--rules", "zique", "--players", "5"], "Zique is for 2 players, not 5."),
        (
            ["--rules", "zique", "--out", "nowhere/games.jsonl"],
            "Error: nowhere/games.jsonl: No such file or directory.\n",
        ),
    ],
)
def test_what_cannot_be_played_is_refused(run, words, said):
    result = run("play", *words)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("sheet", ["marjolet", "zetema"])
def test_experts_play_whole_games(run, sheet):
    data = run("play", "--rules", sheet, "--style", "expert").stdout_bytes
    assert check(data.rstrip()).verdict == "legal"
    assert json.loads(data)["provenance"]["program"] == "bezique play (expert)"


def test_four_play_zetema(run):
    record = json.loads(run("play", "--rules", "zetema", "--players", "4").output)
    assert len(record["players"]) == 4


def test_nothing_is_left_of_an_interrupted_file(run, tmp_path, monkeypatch):
    def interrupt(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("records.selfplay.play_game", interrupt)
    assert run("play", "--rules", "zique", "--out", tmp_path / "games.jsonl").exit_code == 130
    assert list(Path(tmp_path).iterdir()) == []


def test_the_simple_player_has_one_name_for_people(run):
    named = [
        run("play", "--rules", "zique", *style).output
        for style in ([], ["--style", "simple"], ["--style", "greedy"])
    ]
    assert len(set(named)) == 1
    assert "greedy" not in run("play", "--help").output
