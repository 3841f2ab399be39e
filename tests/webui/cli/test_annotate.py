"""`bezique review` and `bezique annotate`: as a summary, as text, as JSON, and for all stored games."""

import re
import signal

import msgspec
import pytest

from analyzer.review.annotation import Annotation, annotation_of
from analyzer.review.deep_review import GameReview, ReviewTerms
from analyzer.review.review_sums import list_costly_choices
from analyzer.review.review_words import explain_loss
from records.format import codec
from records.selfplay import play_game
from webui.cli import reviewing


@pytest.fixture
def three_games(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_bytes(
        b"\n".join(codec.encode(play_game("bezique", seed=s, style="random")) for s in range(3))
    )
    return path


@pytest.mark.long
def test_the_summary_says_who_lost_what(run, three_games):
    result = run("annotate", "--no-brink", three_games, "--record", 1)
    assert result.exit_code == 0
    assert "Ann and Bob play Bezique" in result.output
    notes = msgspec.json.decode(
        run("annotate", "--no-brink", three_games, "--record", 1, "--format", "json").output,
        type=Annotation,
    )
    lost = [sum(deal.close.lost[seat] for deal in notes.deals) for seat in (0, 1)]
    assert re.search(rf"lost after the close +{lost[0]} +{lost[1]}\n", result.output)
    assert result.output.count("\nDeal ") == len(notes.deals)
    assert (
        run("annotate", "--no-brink", three_games, "--record", 1, "--deal", 2).output.count(
            "\nDeal "
        )
        == 1
    )


@pytest.mark.long
def test_the_summary_of_one_deal_counts_that_deal(run, three_games):
    def counts(*words):
        output = run("annotate", "--no-brink", three_games, "--record", 1, *words).output
        heads = ("points", "mistakes .*decisions", "points lost after the close", "melds made")
        rows = [re.search(rf"^  {head}  (.*)$", output, re.MULTILINE)[1] for head in heads]
        return output.splitlines()[0], [[int(n) for n in re.findall(r"\d+", row)] for row in rows]

    deals = codec.decode(three_games.read_bytes().splitlines()[0]).record.deals
    head, (_, *of_match) = counts()
    assert head == "Ann and Bob play Bezique"
    told = [counts("--deal", number + 1) for number in range(len(deals))]
    assert [head.partition(", ")[2] for head, _ in told] == [
        f"deal {n + 1}" for n in range(len(deals))
    ]
    assert [rows[0] for _, rows in told] == [deal.claims.scores for deal in deals]
    for row, whole in enumerate(of_match, start=1):
        assert [
            sum(of_seat) for of_seat in zip(*(rows[row] for _, rows in told), strict=True)
        ] == whole


@pytest.mark.slow
def test_the_terminal_says_why_the_last_trick_before_the_close_has_no_value(run, three_games):
    without = "The last trick before the close is not valued: this analysis was made without it."
    assert run("annotate", "--no-brink", three_games, "--record", 1).output.count(without) > 1
    assert without not in run("annotate", three_games, "--record", 1, "--deal", 1).output


@pytest.mark.long
def test_what_counts_as_a_mistake_is_the_readers(run, three_games):
    loses = re.compile(r"^  Deal \d+, event \d+: \w+: \w+ loses (\d+) points by", re.MULTILINE)
    some = [
        int(n)
        for n in loses.findall(run("review", "--no-brink", three_games, "--record", 1).output)
    ]
    few = run("review", "--no-brink", three_games, "--record", 1, "--least", 40).output
    assert some == sorted(some, reverse=True)
    assert [int(n) for n in loses.findall(few)] == [lost for lost in some if lost >= 40]
    assert "mistakes (40 points or more)" in few


@pytest.mark.long
def test_every_record_has_its_line_of_json(run, three_games):
    lines = run("annotate", "--no-brink", three_games, "--format", "json").output.splitlines()
    read = [msgspec.json.decode(line) for line in lines]
    assert [each["format"] for each in read] == ["bezique-annotation"] * 3
    assert [(each["file"], each["line"]) for each in read] == [
        (str(three_games), number) for number in (1, 2, 3)
    ]


def test_a_text_to_be_read(run, three_games):
    text = run("annotate", "--no-brink", three_games, "--record", 1, "--format", "prose").output
    paragraphs = text.split("\n\n")
    assert paragraphs[0] == "Ann and Bob play Bezique."
    assert paragraphs[2].startswith("Deal 1. ")
    assert re.search(r"\. Ann loses \d+ points by playing the .* was better", text)
    assert re.search(r"Ann was (level|\d+ (ahead|behind)) at the close", text)
    assert all(part.rstrip().endswith((".", ")")) for part in paragraphs)


def test_games_that_have_none_say_why(run, tmp_path):
    path = tmp_path / "zetema.json"
    path.write_bytes(codec.encode(play_game("zetema", seed=1)))
    for how in ((), ("--format", "prose")):
        assert "has no tricks and no close" in run("annotate", path, *how).output


@pytest.mark.slow
def test_a_collection_is_annotated_once(run, three_games, tmp_path):
    data = tmp_path / "data"
    run("ingest", three_games, "--data", data)
    assert run("review", "--no-brink", "--stored", "--data", data).output == "3 games reviewed.\n"
    assert run("annotate", "--no-brink", "--stored", "--data", data).output == "0 games reviewed.\n"
    assert (
        run("annotate", "--no-brink", "--stored", "--again", "--data", data).output
        == "3 games reviewed.\n"
    )
    assert "points" in run("stats", "lost_in_close", "--by", "player", "--data", data).output


@pytest.mark.slow
def test_interrupted_it_goes_on_where_it_stopped(run, three_games, tmp_path, monkeypatch):
    data = tmp_path / "data"
    run("ingest", three_games, "--data", data)
    save, done = reviewing.save_review, []

    def interrupted(*args):
        if done:
            signal.raise_signal(signal.SIGINT)
        done.append(save(*args))

    monkeypatch.setattr(reviewing, "save_review", interrupted)
    result = run("annotate", "--no-brink", "--stored", "--data", data)
    assert result.exit_code == 130
    assert result.output.startswith("1 game reviewed. Interrupted")
    monkeypatch.undo()
    assert run("annotate", "--no-brink", "--stored", "--data", data).output == "2 games reviewed.\n"


def test_what_cannot_be_annotated_is_refused(run, tmp_path, three_games):
    broken = tmp_path / "broken.json"
    broken.write_bytes(b"{")
    assert "cannot be read" in run("annotate", broken).output
    assert (
        "Record 9 does not exist"
        in run("annotate", "--no-brink", three_games, "--record", 9).output
    )
    assert (
        "Deal 99 does not exist"
        in run("annotate", "--no-brink", three_games, "--record", 1, "--deal", 99).output
    )
    assert "Nothing to review" in run("annotate").output


def test_one_roll_out_tells_nothing(run, three_games):
    refused = run("annotate", three_games, "--luck", 1)
    assert refused.exit_code == 2
    assert "no standard error" in refused.output


@pytest.mark.slow
def test_luck_only_where_it_is_asked_for(run, three_games):
    asked = ("--no-brink", "--record", 1, "--deal", 1, "--luck", 2)
    assert "Luck and skill, in points for Ann" in run("annotate", three_games, *asked).output
    assert "Luck and skill" not in run("annotate", three_games, *asked[:-2]).output


@pytest.mark.slow
def test_the_last_trick_before_the_close_is_weighed(run, three_games):
    shown = run("annotate", three_games, "--record", 1, "--least", 1).output
    assert "on average by playing" in shown
    assert "on average by playing" not in run("annotate", "--no-brink", three_games).output


@pytest.fixture(scope="module")
def short_game(tmp_path_factory):
    path = tmp_path_factory.mktemp("short") / "game.json"
    path.write_bytes(codec.encode(play_game("marjolet", seed=4, style="casual", deals=1)))
    return path


@pytest.mark.slow
def test_every_choice_is_weighed(run, short_game):
    how = "annotate", "--deep", "--worlds", 4, short_game
    text = run(*how).output
    assert re.search(r"\n  blunder +\d", text)
    assert re.search(r"\n  accuracy +\d+%", text)
    assert re.search(r"Deal 1, event \d+: (mistake|blunder): (Ann|Bob) ", text)
    review = msgspec.json.decode(run(*how, "--format", "json").output, type=GameReview)
    assert review.terms == ReviewTerms(worlds=4, positions=40_000)
    whole = msgspec.json.decode(
        run("review", "--worlds", 4, short_game, "--format", "json").output, type=GameReview
    )
    assert whole.is_weighed
    assert annotation_of(whole).deals[0].close.lost == whole.deals[0].close.lost
    assert [each.value for each in review.deals[0].decisions[0].choices] == [
        each.value for each in whole.deals[0].decisions[0].choices
    ]
    prose = run(*how, "--format", "prose").output
    for each in list_costly_choices(whole):
        if each.decision:
            assert explain_loss(each.decision, whole.names).says in prose


@pytest.mark.long
def test_stored_games_are_weighed_once(run, short_game, tmp_path):
    data = tmp_path / "data"
    run("ingest", short_game, "--data", data)
    how = "annotate", "--deep", "--stored", "--worlds", 2, "--data", data
    assert run(*how).output == "1 game reviewed.\n"
    assert run(*how).output == "0 games reviewed.\n"


@pytest.mark.parametrize(
    ("how", "says"),
    [
        (("--worlds", "quick"), "belong to --deep"),
        (("--deep", "--worlds", "wide"), "is not quick, default, deep"),
        (("--deep", "--worlds", "1"), "or a number from 2 to"),
    ],
)
def test_what_does_not_go_together_is_refused(run, short_game, how, says):
    result = run("annotate", short_game, *how)
    assert result.exit_code == 2
    assert says in result.output
