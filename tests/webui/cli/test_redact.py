"""`bezique redact`: records as one seat saw them."""

import pytest

from records.format import codec
from records.format.redaction import MatchMoment, redact
from records.selfplay import play_game


@pytest.fixture
def two_games(tmp_path):
    """A file of two games, and the games."""
    games = [play_game("marjolet", seed=seed, deals=2) for seed in (1, 2)]
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\n".join(map(codec.encode, games)) + b"\n")
    return path, games


def test_every_record_of_a_file(run, two_games):
    path, games = two_games
    result = run("redact", path, "--seat", 1)
    assert result.exit_code == 0
    assert result.stdout_bytes.splitlines() == [codec.encode(redact(game, 1)) for game in games]


@pytest.mark.parametrize(
    ("chosen", "until"),
    [
        (["--deal", "2", "--step", "10"], MatchMoment(1, 10)),
        (["--deal", "1"], None),
        (["--deal", "1", "--step", "0"], MatchMoment(0, 0)),
    ],
)
def test_one_record_at_a_moment(run, two_games, chosen, until):
    path, games = two_games
    if until is None:
        until = MatchMoment(0, len(games[1].deals[0].events))
    result = run("redact", path, "--seat", 0, "--record", 2, *chosen)
    assert result.stdout_bytes.splitlines() == [codec.encode(redact(games[1], 0, until))]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--seat", "2"], "Seat 2 does not exist; the seats are 0 to 1."),
        (["--seat", "0", "--step", "3"], "--step counts the events of a deal: give --deal, too."),
        (["--seat", "0", "--deal", "3"], "Deal 3 does not exist; the record has 2 deals."),
        (["--seat", "0", "--deal", "1", "--step", "999"], "Step 999 does not exist"),
        (["--seat", "0", "--record", "9"], "Record 9 does not exist"),
    ],
)
def test_what_is_not_there_is_refused(run, two_games, options, said):
    result = run("redact", two_games[0], *options)
    assert result.exit_code == 2
    assert said in result.stderr
