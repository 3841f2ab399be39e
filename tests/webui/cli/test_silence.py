"""Nothing is replaced, made or ignored in silence, and colours follow what the environment asks for."""

import pytest

from records.format import codec
from records.selfplay import play_game


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_bytes(codec.encode(play_game("zique", seed=1, deals=1)) + b"\n")
    return path


def test_a_file_that_is_replaced_is_named(run, game, tmp_path):
    out = tmp_path / "out.jsonl"
    run("ingest", game, "--data", tmp_path / "data")
    for command in (
        ("play", "--rules", "zique", "-o", out),
        ("export", out, "--data", tmp_path / "data"),
    ):
        out.unlink(missing_ok=True)
        assert "Replaced" not in run(*command).stderr
        again = run(*command)
        assert again.exit_code == 0
        assert f"Replaced {out}, which was there before." in again.stderr


def test_a_kit_says_what_stays_beside_it(run, tmp_path):
    kit = tmp_path / "kit"
    assert run("conform", "write", kit, "--rules", "zique").stderr == ""
    (kit / "mine.txt").write_text("mine")
    assert "what else was there stays" in run("conform", "write", kit, "--rules", "zique").stderr
    assert (kit / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("form", ["csv", "json"])
def test_a_chart_is_refused_where_rows_are_for_programs(run, game, tmp_path, form):
    run("ingest", game, "--data", tmp_path / "data")
    done = run("stats", "meld_frequency", "--plot", "--format", form, "--data", tmp_path / "data")
    assert done.exit_code == 2
    assert "--plot draws for people" in done.stderr


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [
        ({"FORCE_COLOR": "1"}, True),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_colours_follow_the_environment(run, game, monkeypatch, variables, coloured):
    for name in ("TERM", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in run("show", game, "--step", "20").output) == coloured
