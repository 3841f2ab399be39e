"""`bezique show`: events as sentences, or the table at a step."""

import json
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[3] / "samples"


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
    assert output.startswith("Deal 1 of 4, event 19 of ")
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
    assert output.count("Deal 3 of 4, event ") == events


def test_a_finding_stands_at_its_event(run, three):
    output = run("show", three, "--record", "2", "--deal", "1").output
    event, finding = output.splitlines()[-2:]
    assert event.startswith("   31  Bob draws the 9 of clubs.")
    assert finding.endswith("[no-such-card-left]")


@pytest.mark.sampled(6)
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
        (["--deal", "0"], "0 is not a whole number from 1 on."),
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
    assert "There is no rulebook" in result.stderr


def test_a_record_without_deals_has_a_story(run, tmp_path, legal):
    record = json.loads(legal)
    record["deals"], record["result"] = [], None
    del record["result"]
    path = tmp_path / "none.json"
    path.write_text(json.dumps(record))
    assert run("show", path).exit_code == 0
    assert run("show", path, "--step", "0").exit_code == 0


def test_the_events_are_counted_as_validate_counts_them(run, game):
    """The end of a deal is a step, but no event."""
    record = json.loads(game.read_bytes())
    count = len(record["deals"][2]["events"])
    for step, place in (
        (0, f"before the first of {count} events"),
        (count, f"event {count} of {count}"),
        (count + 1, f"after the last of {count} events"),
    ):
        drawn = run("show", game, "--deal", "3", "--step", str(step)).output
        assert drawn.startswith(f"Deal 3 of 4, {place}, ")
    refused = run("show", game, "--deal", "3", "--step", str(count + 2)).output
    assert f"deal 3 ends at step {count + 1}." in refused


def test_the_list_says_why_a_trick_is_taken_and_what_points_are_for(run, tmp_path):
    """Of a record that names no winner and no score, too. The reasons are those of law C3 and of the sheet."""
    whole = json.loads((SAMPLES / "good/marjolet.json").read_bytes())
    for deal in whole["deals"]:
        deal["events"] = [
            event for event in deal["events"] if event["type"] not in ("trick", "score")
        ]
    (bare := tmp_path / "bare.json").write_text(json.dumps(whole))
    for path in (SAMPLES / "good/marjolet.json", bare):
        listed = run("show", path).output
        for sentence in (
            "Ann takes the trick: Bob’s 9 of hearts is neither of the suit led nor a trump.",
            "Bob takes the trick: the 7 of clubs is a trump.",
            "Bob takes the trick: the 9 of clubs is a trump.",  # it was led
            "Ann takes the trick: the 10 of clubs is higher than the queen of clubs.",
            "Bob scores 10 for the dix just played.",
            "Ann scores 10 for losing the last trick before the close.",
            "Bob scores 10 for winning the last trick.",
            "Bob scores 50 for 5 brisques.",
        ):
            assert listed.count(f"  {sentence}\n") >= 1, sentence
        assert listed.count("takes the trick") == 16  # each trick once


def test_like_cards_and_a_trick_left_open(run, tmp_path):
    """The first of two like cards wins (C3); of a hidden card nothing is claimed."""
    record = {
        "format": "bezique-record", "version": "1.0", "rules": {"id": "bezique"},
        "players": [{"name": "North"}, {"name": "South"}],
        "deals": [{
            "dealer": 0, "knowledge": "plays", "turn_up": "9H",
            "events": [
                {"type": "play", "seat": 1, "card": "KS"}, {"type": "play", "seat": 0, "card": "KS"},
                {"type": "play", "seat": 1, "card": "QS"}, {"type": "play", "seat": 0, "card": "??"},
            ],
        }],
    }  # fmt: skip
    (path := tmp_path / "like.json").write_text(json.dumps(record))
    listed = run("show", path).output
    assert "South takes the trick: of two like cards the first played wins.\n" in listed
    assert listed.count("takes the trick") == 1


def test_one_step_and_all_of_them_contradict_each_other(run, game):
    result = run("show", game, "--step", "3", "--all")
    assert result.exit_code == 2
    assert "--step draws one table and --all every one" in result.stderr
