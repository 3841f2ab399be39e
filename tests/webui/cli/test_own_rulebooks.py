"""A rulebook of one's own wherever the command line reads records, and a sentence where it cannot stand."""

import json
import re
import shlex
import shutil

import pytest

from analyzer.store.processes import map_in_processes
from analyzer.store.rulebooks import local_keys
from analyzer.store.store import Store
from records.conformance.answers import OWN_ANSWERS
from records.conformance.cases import read_kit
from records.format import codec
from records.rules.registry import know_sheets, resolve_sheet
from tests.make.own_rulebooks import OURS, own_game


@pytest.fixture
def ours(tmp_path):
    """The file of a sheet of one's own."""
    path = tmp_path / "ours.toml"
    path.write_text(OURS)
    return path


@pytest.fixture
def game(run, ours, forget, tmp_path):
    """A game by that sheet, which no process knows any more."""
    path = tmp_path / "game.json"
    path.write_text(run("play", "--rules", ours, "--bare").output)
    forget()
    return path


COMMANDS = pytest.mark.parametrize(
    "words",
    [
        ["validate", "{}"],
        ["show", "{}", "--deal", "1", "--step", "9"],
        ["picture", "{}", "--out", "{}.svg"],
        pytest.param(["review", "{}", "--deal", "1", "--no-brink"], marks=pytest.mark.slow),
        pytest.param(["annotate", "{}"], marks=pytest.mark.slow),
    ],
    ids=lambda words: words[0],
)


@COMMANDS
def test_a_command_that_needs_the_rules_of_a_record_knows_the_sheet(run, ours, game, words):
    words = [word.format(game) for word in words]
    without = run(*words)
    assert without.exit_code == 2
    assert "ours" in without.output + without.stderr
    done = run(*words, "--rules", ours)
    assert done.exit_code == 0, done.output


@pytest.fixture
def whole(run, ours, forget, tmp_path):
    """A game by that sheet that has it inside."""
    path = tmp_path / "whole.json"
    path.write_text(run("play", "--rules", ours).output)
    forget()
    return path


@COMMANDS
def test_a_record_that_has_its_rulebook_inside_needs_no_file(run, whole, words):
    done = run(*[word.format(whole) for word in words])
    assert done.exit_code == 0, done.output + done.stderr


def test_a_rulebook_inside_comes_through_every_command_that_rewrites_records(run, whole, tmp_path):
    typed, again, seen = (tmp_path / name for name in ("a.bezique", "a.jsonl", "seen.json"))
    run("convert", whole, "--out", typed)
    run("convert", typed, "--to", "json", "--out", again)
    assert again.read_text() == whole.read_text()
    seen.write_text(run("redact", whole, "--seat", "0").output)
    assert json.loads(seen.read_text())["rules"] == json.loads(whole.read_text())["rules"]
    assert run("validate", seen).exit_code in (0, 1)
    assert "Our Zique (ours)" in run("identify", whole).output


def test_a_known_rulebook_goes_into_a_record_that_only_names_it(run, ours, game, whole):
    carried = run("convert", game, "--rules", ours, "--carry", "--to", "json")
    assert carried.output == whole.read_text()
    assert "--carry needs --rules FILE" in run("convert", game, "--carry").stderr


def test_a_damaged_rulebook_inside_is_told_like_that_of_a_file(run, whole, tmp_path):
    record = json.loads(whole.read_text())
    record["rules"]["sheet"]["rules"]["hand"]["2"] = 3
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps(record))
    for words in ("validate", "show", "convert"):
        done = run(words, broken)
        assert done.exit_code == 2
        assert "No hand can hold the 4 cards" in done.output + done.stderr, words


def test_only_a_rulebook_of_ones_own_can_be_left_out(run):
    assert "only name a published one" in run("play", "--rules", "zique", "--bare").stderr


@pytest.mark.parametrize(
    "words", [["convert"], ["redact", "--seat", "0"]], ids=lambda words: words[0]
)
def test_a_command_that_rewrites_records_takes_the_sheet(run, ours, game, words):
    done = run(*words, game, "--rules", ours)
    assert done.exit_code == 0
    assert "ours" in done.output


def test_a_sheet_of_ones_own_may_fit_a_game(run, ours, game):
    assert "Our Zique (ours)" not in run("identify", game).output
    assert "Our Zique (ours)" in run("identify", game, "--rules", ours).output


def test_processes_that_work_for_this_one_know_the_sheet(run, ours):
    run("rules", ours)
    assert [answer.sheet.name for _, answer in map_in_processes(resolve_sheet, ["ours"], 1)] == [
        "Our Zique"
    ]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["stats", "lead", "--rules", "ours.toml"], "takes the ID of a rulebook, not a file"),
        (["standings", "--rules", "ours.toml"], "takes the ID of a rulebook, not a file"),
        (["export", "all.jsonl", "--rules", "ours.toml"], "takes the ID of a rulebook, not a file"),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else "",
)
def test_where_a_file_cannot_stand_a_sentence_says_so(run, words, says):
    done = run(*words)
    assert done.exit_code == 2
    assert says in done.stderr.replace("\n", " ")


def test_a_site_goes_by_its_own_rulebooks(run, ours, game):
    done = run("--server", "http://localhost:1", "validate", game, "--rules", ours)
    assert done.exit_code == 2
    assert "a site goes by the rulebooks that it has" in done.stderr


def test_a_sheet_of_ones_own_is_what_others_are_compared_with(run, ours):
    output = run("rules", "zique", "--against", ours, "--differing").output
    assert "70" in output
    assert "*50" in output


def test_the_command_that_shows_a_finding_names_the_sheet(run, ours, tmp_path, forget):
    broken = tmp_path / "broken.json"
    record = json.loads(run("play", "--rules", ours, "--bare").output)
    record["deals"][0]["events"][0]["card"] = record["deals"][0]["events"][1]["card"]
    broken.write_text(json.dumps(record))
    said = run("validate", broken, "--rules", ours).output
    command = said.partition("see it with: bezique ")[2].splitlines()[0]
    assert command.endswith(f"--rules {ours}")
    forget()
    assert run(*shlex.split(command)).exit_code == 0


@pytest.mark.parametrize("own_id", ["rubicon-bezique-club-rules", "rubiconbezique", "bezique-"])
def test_an_id_that_is_read_as_that_of_another_is_refused(run, ours, own_id):
    ours.write_text(OURS.replace('"ours"', f'"{own_id}"'))
    assert run("rules", "check", ours).exit_code == 1
    assert "published rulebook" in run("play", "--rules", ours).stderr


def test_a_record_by_a_sheet_comes_back_from_the_notation(run, ours, game, tmp_path):
    typed = tmp_path / "game.bezique"
    typed.write_text(run("convert", game, "--to", "notation", "--rules", ours).output)
    back = run("convert", typed, "--to", "json", "--rules", ours).output
    assert json.loads(back)["rules"]["id"] == "ours"
    assert run("validate", typed, "--rules", ours).exit_code == 0


def test_every_file_is_checked_whatever_is_wrong_with_another(run, ours, tmp_path):
    twin, missing = tmp_path / "twin.toml", tmp_path / "missing.toml"
    twin.write_text(OURS.replace("= 70", "= 80").replace("Our Zique", "Our \u202eZique"))
    done = run("rules", "check", ours, missing, twin)
    assert done.exit_code == 2
    first, second, third = done.output.splitlines()
    assert first.endswith("has no mistakes.")
    assert "missing.toml" in second
    assert third.endswith("has no mistakes.")
    assert "\u202e" not in third


@pytest.fixture(scope="module")
def kept(run, tmp_path_factory):
    folder = tmp_path_factory.mktemp("kept")
    (folder / "ours.toml").write_text(OURS)
    (folder / "game.json").write_text(run("play", "--rules", folder / "ours.toml", "--bare").output)
    run("rules", "add", folder / "ours.toml", "--data", folder / "named")
    run("ingest", folder / "game.json", "--data", folder / "named")
    know_sheets(())
    return folder / "named"


@pytest.fixture
def club(kept, tmp_path):
    """A folder that keeps the rulebook, and a game by it that only names it."""
    return shutil.copytree(kept, tmp_path / "named")


WROTE = "Wrote 1 record to -; 1 record of several lines joined into one.\n"
CHOOSING = pytest.mark.parametrize(
    "words",
    [
        ["stats", "deals_won", "--rules", "{}"],
        ["stats", "deals_won", "--only", "sheet={}"],
        ["stats", "points_by_source", "--rules", "{}"],
        ["export", "-", "--rules", "{}"],
        ["standings", "--rules", "{}"],
    ],
    ids=" ".join,
)


@CHOOSING
def test_a_rulebook_that_a_folder_keeps_is_named_by_its_id_or_its_key(run, forget, club, words):
    (key,) = local_keys_of(club)
    answers = []
    for named in ("ours", key):
        forget()
        done = run(*[word.format(named) for word in words], "--data", club)
        assert (done.exit_code, done.stderr) in ((0, ""), (0, WROTE))
        answers.append(re.sub(r"answered in \S+ ms", "", done.output))
    assert answers[0] == answers[1]


@CHOOSING
def test_a_rulebook_that_a_folder_does_not_keep_is_refused_in_one_sentence(run, club, words):
    done = run(*[word.format("ourss") for word in words], "--data", club)
    assert done.exit_code == 2
    assert done.stderr == (
        'Error: There is no rulebook "ourss"; did you mean ours? `bezique rules` lists the published ones, and `bezique rules '
        "list` those that this folder keeps.\n"
    )


def local_keys_of(folder):
    with Store(folder) as store:
        return local_keys(store)


def test_an_id_means_every_version_of_a_rulebook_that_games_have_inside(run, tmp_path):
    for number, points in enumerate((70, 80)):
        record = own_game("zique", ("/rules/melds/bezique/points", points), seed=number)
        (tmp_path / f"{number}.json").write_bytes(codec.encode(record))
    run("ingest", tmp_path / "0.json", tmp_path / "1.json", "--data", tmp_path / "d")
    data = ("--rules", "ours", "--data", tmp_path / "d")
    assert run("export", "-", *data).output.count("bezique-record") == 2
    assert json.loads(run("stats", "deals_won", "--format", "json", *data).output)["n"] == 4
    refused = run("stats", "points_by_source", *data).stderr
    assert "Several versions of ours are known here. Name one by its key: ours~" in refused


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("ours.tml", "ours.tml: there is no such file. Did you mean ours.toml?"),
        ("far/ours.tml", "far/ours.tml: there is no such file."),
        ("text.txt", "text.txt: a rulebook is a file whose name ends in .json or .toml."),
        ("ours", "There is a file of that name: --rules ours.toml."),
        ("ziqe", 'There is no rulebook "ziqe"; did you mean zique or bezique? `bezique rules` lists all; for one of your own, '
                 "name its file: --rules FILE."),
        ("Rubicon Bezique!", "did you mean rubicon-bezique? "),
        ("whist", 'There is no rulebook "whist". '),
    ],
)  # fmt: skip
def test_what_names_no_rulebook_to_play_by_is_told(
    run, ours, forget, tmp_path, monkeypatch, named, said
):
    forget()
    (tmp_path / "text.txt").write_text("")
    monkeypatch.chdir(tmp_path)
    done = run("play", "--rules", named)
    assert done.exit_code == 2
    assert said in done.stderr


def test_the_report_on_a_record_names_similar_rulebooks_only(run, game):
    said = run("validate", game).output
    assert "did you mean" not in said
    assert "name the file of a rulebook of your own: --rules FILE" in said


def test_a_folder_keeps_a_rulebook(run, ours, game, tmp_path):
    club = tmp_path / "club"
    stored = run("ingest", game, "--data", club)
    assert stored.exit_code == 2
    assert "names the rulebook ours, which is not known here: kept until" in stored.output
    added = run("rules", "add", ours, "--data", club).output
    assert added == "Keeping Our Zique (ours). 1 record that waited for it is stored.\n"
    assert run("rules", "list", "--data", club).output.startswith(
        "ours  Our Zique: 1 game, added on"
    )
    assert "1 record goes by Our Zique" in run("rules", "remove", "ours", "--data", club).stderr
    assert "1 already stored" in run("ingest", game, "--data", club).output
    out = tmp_path / "out.jsonl"
    run("export", out, "--data", club)
    assert out.read_bytes().strip() == game.read_bytes().strip()


def test_rulebooks_are_kept_only_without_mistakes_and_removed_only_if_they_are_there(
    run, ours, tmp_path
):
    club = tmp_path / "club"
    ours.write_text(OURS.replace("= 70", '= "70"'))
    assert "ours.toml:7:1:" in run("rules", "add", ours, "--data", club).stderr
    assert not club.exists(), "nothing is made in silence"
    ours.write_text(OURS)
    assert "Keeping Our Zique (ours)." in run("rules", "add", ours, "--data", club).output
    assert (
        "No rulebook with the id theirs" in run("rules", "remove", "theirs", "--data", club).stderr
    )
    assert run("rules", "remove", "ours", "--data", club).output == "Removed Our Zique (ours).\n"
    assert "keeps no rulebooks" in run("rules", "list", "--data", club).output
    for words in (["add"], ["list", "x"], ["remove"], ["zique", "--data", club]):
        assert run("rules", *words).exit_code == 2


@pytest.mark.long
def test_a_rulebook_of_ones_own_has_a_kit(run, ours, tmp_path, forget):
    kit = tmp_path / "kit"
    assert run("conform", "write", kit, "--rules", ours, "--games", "2").exit_code == 0
    forget()
    assert (
        "- Its options have their defaults in every case: `dix`," in (kit / "ours.md").read_text()
    )
    cases = [case for case in read_kit(kit) if case.sheet == "ours"]
    assert {"games", "replay", "mutants", "partial", "canonical", "perft"} == {
        case.area for case in cases
    }
    assert all(case.given["record"]["rules"]["sheet"]["id"] == "ours" for case in cases)
    for case in cases:
        assert OWN_ANSWERS[case.ask](case.given) == case.expect, case.id
    verdicts = {case.expect["verdict"] for case in cases if case.area == "games"}
    assert verdicts <= {"legal", "incomplete"}
    wrong = [case.expect["right"] for case in cases if case.area == "mutants"]
    assert wrong.count(False) > len(wrong) / 2


def test_only_in_a_rulebook_of_ones_own_errors_are_planted(run, tmp_path):
    told = run("conform", "write", tmp_path / "kit", "--rules", "zique", "--errors")
    assert (told.exit_code, "name its file with --rules" in told.output) == (2, True)
    assert not (tmp_path / "kit").exists()
