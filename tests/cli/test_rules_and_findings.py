"""`bezique rules` and `bezique findings`."""

import pytest

from records.rules.registry import ALL
from records.validate.codes import CODES


def test_every_rulebook_is_listed(run):
    lines = run("rules").output.splitlines()
    assert [line.split()[0] for line in lines] == [sheet.id for sheet in ALL]


@pytest.mark.parametrize("sheet", ALL, ids=lambda sheet: sheet.id)
def test_a_rulebook_in_english(run, sheet):
    output = run("rules", sheet.id).output
    assert output.startswith(sheet.name)
    assert all(meld.words in output for meld in sheet.melds)
    assert all(option.name in output for option in sheet.options)


def test_rules_with_an_option(run):
    assert (
        "Here played with hand_size 9." in run("rules", "bezique", "--option", "hand_size=9").output
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["whist"], "There is no rule sheet"),
        (["zique", "--option", "colour=red"], "Zique has no option"),
        (["bezique", "--option", "hand_size=70"], "Hand_size is"),
        (["--option", "hand_size=9"], "--option needs the ID of a rulebook"),
    ],
)
def test_unknown_rules_are_refused(run, words, said):
    result = run("rules", *words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_every_code_is_listed(run):
    words = run("findings").output.split()
    assert all(code in words for code in CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_told(run, code):
    output = run("findings", code).output
    assert output.startswith(f"{code}: {CODES[code].title}\n")
    assert " ".join(CODES[code].meaning.split()) in " ".join(output.split())


def test_a_misspelt_code_is_answered_with_what_is_near(run):
    result = run("findings", "must-folow-suit")
    assert result.exit_code == 2
    assert "must-follow-suit" in result.stderr
