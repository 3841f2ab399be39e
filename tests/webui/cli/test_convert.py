"""`bezique convert`: JSON to the notation and back."""

import json
from pathlib import Path

import pytest

from records.format import codec
from records.format.notation_writer import write_notation

SAMPLES = Path(__file__).parents[3] / "samples" / "good"
NAMES = ("zique", "zetema-3")


@pytest.fixture
def games(tmp_path):
    """Two games in a file."""
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\n".join((SAMPLES / f"{name}.json").read_bytes() for name in NAMES))
    return path


def test_games_become_notation_and_come_back(run, games, tmp_path):
    done = run("convert", games, "--out", tmp_path / "games.bezique.gz")
    assert done.stderr == f"Wrote 2 records to {tmp_path / 'games.bezique.gz'}.\n"
    back = run("convert", tmp_path / "games.bezique.gz", "--to", "json")
    assert back.stdout_bytes.splitlines() == games.read_bytes().splitlines()


def test_standard_input_and_output_are_the_notation(run, games):
    record = codec.decode((SAMPLES / "zique.json").read_bytes()).record
    done = run("convert", "-", stdin=games.read_bytes())
    assert done.stdout.startswith(write_notation(record) + "\n[bezique 1.0]\n[rules zetema")
    assert run("convert", "-", stdin=done.stdout_bytes).stdout == done.stdout


def test_what_cannot_be_read_is_refused(run, games, tmp_path):
    assert run("convert", games, "--out", tmp_path / "games.json").exit_code == 2
    path = tmp_path / "slip.bezique"
    path.write_text("[bezique 1.0]\n[player b]\n")
    refused = run("convert", path)
    assert refused.exit_code == 2
    assert "slip.bezique is no record: Line 2, column 9: expected seat a, found “b”." in " ".join(
        refused.stderr.split()
    )


@pytest.mark.parametrize("form", ["notation", "json"])
def test_members_of_a_newer_version_that_are_lost_are_named(run, games, tmp_path, form):
    record = json.loads(games.read_bytes().splitlines()[0])
    record["version"], record["mood\33"] = "1.3", 1
    record["players"][0]["weather"] = "sun"
    path = tmp_path / "newer.jsonl"
    path.write_text(f"{json.dumps(record)}\n" * 2)
    done = run("convert", path, "--to", form)
    told = "Not written: members of a newer version of the format,"
    lines = done.stderr.splitlines()
    assert (done.exit_code, len(lines)) == (0, 2)
    for number, line in enumerate(lines, start=1):
        assert line.startswith(f"{path}:{number}: {told}")
        assert {"/mood ", "/players/0/weather"} == set(line.rstrip(".").split(", ")[1:])
    assert run("convert", games, "--to", form).stderr == ""


def test_records_need_no_mapping(run, games, tmp_path):
    (tmp_path / "map.toml").write_text("[log]\n")
    refused = run("convert", games, "--mapping", tmp_path / "map.toml")
    assert refused.exit_code == 2
    assert "--mapping is for --from event-log." in refused.stderr


@pytest.mark.parametrize(("ending", "hinted"), [(".csv", True), (".txt", False), (".bezik", False)])
def test_tables_are_spoken_of_to_who_asks_for_one(run, games, tmp_path, ending, hinted):
    refused = run("convert", games, "--out", tmp_path / f"games{ending}")
    assert refused.exit_code == 2
    assert ("writes tables" in refused.stderr) == hinted


def test_an_event_log_needs_a_mapping(run, games):
    refused = run("convert", "--from", "event-log", games)
    assert refused.exit_code == 2
    assert "--from event-log needs --mapping" in " ".join(refused.stderr.split())


def test_a_file_that_cannot_be_written_is_named_as_it_was_asked_for(run, games, tmp_path):
    (tmp_path / "folder.bezique").mkdir()
    for name, why in (
        ("no/x.bezique", "No such file or directory"),
        ("folder.bezique", "Is a directory"),
    ):
        refused = run("convert", games, "--out", tmp_path / name)
        assert refused.exit_code == 2
        assert refused.stderr == f"Error: {tmp_path / name}: {why}.\n"
