"""`bezique rules` and `bezique findings`."""

from dataclasses import replace

import pytest
from msgspec import structs

from records.format import codec
from records.rules.compare import compare_rule_sheets
from records.rules.english import NARROWEST_TEXT
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from records.validate.codes import FINDING_CODES
from webui.cli.main import COMMAND_NAMES

pytestmark = pytest.mark.long


def test_every_rulebook_is_listed(run):
    lines = run("rules").output.splitlines()
    assert [line.split()[0] for line in lines] == [sheet.id for sheet in ALL_SHEETS]


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_a_rulebook_in_english(run, sheet):
    output = run("rules", sheet.id).output
    assert output.startswith(sheet.name)
    assert all(meld.words in output for meld in sheet.rules.melds)
    assert all(option.name in output for option in sheet.options)


@pytest.mark.parametrize("columns", range(1, 11))
def test_rules_are_printed_in_a_terminal_too_narrow_for_their_indents(run, columns):
    narrow, least = {"COLUMNS": str(columns)}, {"COLUMNS": str(NARROWEST_TEXT)}
    for words in (("rules", "zique"), ("rules", "--compare", "zique", "bezique")):
        assert run(*words, env=narrow).output == run(*words, env=least).output


@pytest.mark.slow
@pytest.mark.parametrize("columns", [1, 4])
def test_every_command_ends_in_a_narrow_terminal(run, tmp_path, columns):
    record = play_game("zique", seed=1)
    (tmp_path / "game.json").write_bytes(
        codec.encode(structs.replace(record, deals=record.deals[:1]))
    )
    narrow, game = {"COLUMNS": str(columns), "LINES": "5"}, str(tmp_path / "game.json")
    data = ("--data", str(tmp_path / "data"))
    for words in (
        ("ingest", game, *data),
        ("stats", "lead_in_tricks", *data, "--plot"),
        ("stats", "points_by_source", *data, "--plot"),
        *((name, game) for name in ("validate", "show", "annotate", "identify")),
        *((name, *data) for name in ("standings", "ratings", "doctor")),
        *((name, "--help") for name in COMMAND_NAMES),
        ("findings", "wrong-card-drawn"),
        ("findings",),
    ):
        assert run(*words, env=narrow).output, words


def test_rules_with_an_option(run):
    assert (
        "Here played with hand_size 9." in run("rules", "bezique", "--option", "hand_size=9").output
    )


def test_all_rulebooks_side_by_side(run):
    """Every property, and of every sheet that does not say the usual what it says."""
    output = run("rules", "--compare").output
    for group in compare_rule_sheets(ALL_SHEETS).groups:
        assert f"{group.heading}\n" in output
        for row in group.rows:
            assert f"  {row.name}\n" in output
            for cell in row.cells:
                star = "*" if cell.differs else " "
                assert f"    {star} {cell.text}:" in " ".join(output.split("\n        "))


def test_some_rulebooks_stand_in_columns(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    lines = run("rules", "--compare", "bezique", "zique", "--against", "zique").output.splitlines()
    assert lines[0].split() == ["zique", "bezique"]
    told = [line.split("  ") for line in lines if line.strip().startswith("royal zique")]
    assert [[part.strip() for part in line if part] for line in told] == [
        ["royal zique", "350", "*500 (double bezique)"]
    ]
    assert max(map(len, lines)) <= 100


def test_a_rulebook_compared_with_is_there_though_not_named(run):
    output = run("rules", "zique", "--against", "marjolet", "--differing").output
    assert output.split()[:2] == ["marjolet", "zique"]
    assert "ranks" not in output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["bezique", "zique"], "--compare shows several side by side"),
        (["--compare", "bezique"], "A comparison needs at least two rulebooks"),
        (["--compare", "whist", "bezique"], "There is no rulebook"),
        (["--compare", "--option", "dix=true"], "uses the default options"),
        (["whist"], 'There is no rulebook "whist". `bezique rules` lists all'),
        (["chek", "ours.toml"], "There is no rulebook 'chek'. Did you mean `bezique rules check`?"),
        (["zique", "--option", "colour=red"], "Zique has no option"),
        (["bezique", "--option", "hand_size=70"], "The option hand_size can be 8 or 9, not"),
        (["--option", "hand_size=9"], "--option needs the ID of a rulebook"),
    ],
)
def test_unknown_rules_are_refused(run, words, said):
    result = run("rules", *words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_every_code_is_listed(run):
    words = run("findings").output.split()
    assert all(code in words for code in FINDING_CODES)


@pytest.mark.parametrize("code", FINDING_CODES)
def test_a_code_is_told(run, code):
    output = run("findings", code).output
    assert output.startswith(f"{code}: {FINDING_CODES[code].title}\n")
    assert " ".join(FINDING_CODES[code].meaning.split()) in " ".join(output.split())


def test_a_misspelt_code_is_answered_with_what_is_near(run):
    result = run("findings", "must-folow-suit")
    assert result.exit_code == 2
    assert "must-follow-suit" in result.stderr


def test_a_meaning_is_not_broken_inside_a_word(run, monkeypatch):
    code = replace(FINDING_CODES["wrong-card-drawn"], meaning=f"{'x' * 74} turn-up")
    monkeypatch.setitem(FINDING_CODES, code.code, code)
    lines = run("findings", code.code).output.splitlines()
    assert not [line for line in lines if line.endswith("-")]


OURS = """\
base = "bezique"
id = "ours"
name = "Our Bezique"

[[changes]]
path = "/rules/melds/bezique/points"
value = 50
"""


@pytest.fixture
def ours(tmp_path):
    """A sheet of one's own, forgotten afterwards."""
    path = tmp_path / "ours.toml"
    path.write_text(OURS)
    return path


def test_a_sheet_of_ones_own_is_checked_with_lines_and_columns(run, ours):
    assert run("rules", "check", ours).output == f"{ours}: Our Bezique (ours) has no mistakes.\n"
    ours.write_text(OURS.replace("bezique/points", "beziqe/points"))
    done = run("rules", "check", ours)
    assert done.exit_code == 1
    assert done.output.startswith(f"{ours}:6:1: /rules/melds/beziqe/points leads nowhere")
    assert "Name the file" in run("rules", "check").stderr


def test_a_sheet_of_ones_own_is_played_judged_explained_and_compared(run, ours, forget, tmp_path):
    games = tmp_path / "games.jsonl"
    run("play", "--rules", ours, "--games", "3", "--out", games, "--bare")
    forget()
    assert run("validate", games).exit_code == 2
    assert run("validate", games, "--rules", ours).output == "3 records: 3 legal\n"
    assert run("rules", ours).output.startswith("Our Bezique (ours, edition 1)")
    assert "ours" in run("rules", "--compare", ours, "bezique").output


def test_a_sheet_with_mistakes_is_refused_wherever_it_is_named(run, ours):
    ours.write_text(OURS.replace("= 50", "= -1"))
    for words in (("play", "--rules", ours), ("validate", "-", "--rules", ours), ("rules", ours)):
        done = run(*words)
        assert done.exit_code == 2
        assert f"{ours}:7:1: " in done.stderr
    ours.write_text(OURS.replace('"ours"', '"zique"'))
    assert "published rulebook" in run("play", "--rules", ours).stderr
