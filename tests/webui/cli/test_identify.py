"""`bezique identify`: the rules that fit, and corrections for an illegal record."""

import json

import pytest

from records.format import codec
from records.selfplay import play_game


@pytest.fixture
def misread(tmp_path):
    """A game in which one card was written down wrong."""
    record = play_game("zique", seed=1)
    event = next(e for e in record.deals[0].events if e.__class__.__name__ == "Play")
    event.card = "7C" if event.card != "7C" else "8C"
    path = tmp_path / "misread.json"
    path.write_bytes(codec.encode(record))
    return path


@pytest.mark.long
def test_a_legal_game(run, game):
    result = run("identify", game)
    assert result.exit_code == 0
    assert result.output.startswith("These rulebooks fit\n  ")
    assert "Zique (zique)" in result.output.partition("What doesn't fit")[0]
    assert "Did you mean" not in result.output


@pytest.mark.long
def test_an_illegal_game(run, misread):
    result = run("identify", misread)
    assert result.exit_code == 1
    assert "No rulebook fits" in result.output
    assert "What went wrong?\n  Deal 1" in result.output


@pytest.mark.long
def test_for_programs(run, misread):
    found = json.loads(run("identify", misread, "--format", "json").output)
    assert len(found["rules"]) == 12
    assert found["did_you_mean"][0].keys() == {"deal", "event", "kind", "says", "mismatches"}


def test_what_cannot_be_read_is_refused(run, three):
    assert run("identify", three, "--record", 3).exit_code == 2
    assert "Record 9 does not exist" in run("identify", three, "--record", 9).output
