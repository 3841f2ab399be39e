"""`bezique show`: events as sentences, or the table at a step."""

import json
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[2] / "samples"


def test_the_story_of_a_game(run, game):
    output = run("show", game).output
    assert output.startswith("Ann and Bob play Zique\n")
    assert "Deal 4 of 4" in output
    assert "    1  Ann plays the 7 of diamonds." in output
    assert "Ann melds a marriage, K♠ Q♠ for 40." in output
    assert "Ann +40  40 : 0" in output
    assert "Legal: 900 : 750" in output


def test_one_deal(run, game):
    output = run("show", game, "--deal", "2").output
    assert "Deal 2 of 4" in output
    assert "Deal 1" not in output
    assert "Legal:" not in output


def test_a_step_draws_the_table(run, game):
    output = run("show", game, "--step", "19").output
    assert output.startswith("Deal 1 of 4, step 19 of ")
    for words in (
        "Ann melds a marriage, K♠ Q♠ for 40.",
        "Ann scores 40 for marriage.",
        "K♠ Q♠  marriage",
        "40 points, 4 tricks",
        "cards face down, 10♠ turned up",
        "Trumps",
        "Next",
    ):
        assert words in output


def test_step_0_is_before_the_first_event(run, game):
    output = run("show", game, "--deal", "1", "--step", "0").output
    assert "Bob deals and turns up the 10 of spades" in output
    assert "Ann to lead" in output


def test_the_steps_are_numbered_as_the_list_numbers_them(run, game):
    listed = run("show", game, "--deal", "1").output
    drawn = run("show", game, "--step", "22").output
    assert "   22  Ann plays the 9 of spades." in listed
    assert "Ann plays the 9 of spades." in drawn


def test_all_draws_every_step(run, game):
    output = run("show", game, "--deal", "3", "--all").output
    events = len(json.loads(game.read_bytes())["deals"][2]["events"])
    assert output.count("Deal 3 of 4, step ") == events + 2


def test_a_finding_stands_at_its_event(run, three):
    output = run("show", three, "--record", "2", "--deal", "1").output
    event, finding = output.splitlines()[-2:]
    assert event.startswith("   31  Bob draws the 9 of clubs.")
    assert finding.endswith("[no-such-card-left]")


@pytest.mark.parametrize("path", sorted((SAMPLES / "good").iterdir()), ids=lambda path: path.stem)
def test_every_sheet_can_be_shown(run, path):
    assert run("show", path).exit_code == 0
    assert run("show", path, "--all").exit_code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--record", "9"], "Record 9 does not exist in"),
        (["--deal", "9"], "Deal 9 does not exist; the record has 4 deals."),
        (["--step", "9999"], "Step 9999 does not exist; deal 1 ends at step "),
        (["--deal", "0"], "0 is not in the range"),
    ],
)
def test_what_is_not_there_is_refused(run, game, words, said):
    result = run("show", game, *words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_what_cannot_be_read_is_refused_with_its_findings(run, three):
    result = run("show", three, "--record", "3")
    assert result.exit_code == 2
    assert "three.jsonl:3 cannot be read." in result.stderr
    assert "This is not JSON" in result.stderr


def test_unknown_rules_are_refused(run):
    result = run("show", SAMPLES / "broken/unknown-sheet.json")
    assert result.exit_code == 2
    assert "There is no rule sheet" in result.stderr


def test_a_record_without_deals_has_a_story(run, tmp_path, legal):
    record = json.loads(legal)
    record["deals"], record["result"] = [], None
    del record["result"]
    path = tmp_path / "none.json"
    path.write_text(json.dumps(record))
    assert run("show", path).exit_code == 0
    assert run("show", path, "--step", "0").exit_code == 0
