"""Options have one name on every command, shells complete what they take, and tables keep their columns."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from analyzer.statistics.catalogue import dimensions, metrics
from analyzer.statistics.questions import questions
from records.rules.registry import ALL_SHEETS
from records.validate.codes import FINDING_CODES
from tests.webui.cli.conftest import Run
from webui.cli.main import COMMAND_NAMES, main
from webui.display.text_layout import pad_text, text_width

SHEETS = {sheet.id for sheet in ALL_SHEETS}


def commands() -> dict[str, click.Command]:
    return {name: main.get_command(None, name) for name in COMMAND_NAMES}


def with_subcommands(command: click.Command) -> Iterator[click.Command]:
    yield command
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            yield from with_subcommands(inner)


def test_one_thing_has_one_name_on_all_commands() -> None:
    options = {
        option
        for outer in commands().values()
        for command in with_subcommands(outer)
        for parameter in command.params
        for option in parameter.opts
        if option.startswith("--")
    }
    assert {"--format", "--rules", "--data", "--record", "--deal"} <= options
    assert (
        not {"--json", "--sheet", "--text", "--literate", "--csv", "--output", "--folder"} & options
    )


def test_every_form_of_printing_has_text_or_a_table_for_people() -> None:
    for name, command in commands().items():
        for parameter in command.params:
            if "--format" in parameter.opts:
                assert parameter.default in ("text", "table"), name


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["play", "--rules"], SHEETS),
        (["rules"], SHEETS),
        (["rules", "--against"], SHEETS),
        (["stats", "--rules"], SHEETS),
        (["export", "--rules"], SHEETS),
        (["export", "--finding"], set(FINDING_CODES)),
        (["findings"], set(FINDING_CODES)),
        (["validate", "--select"], {*FINDING_CODES, "unreadable", "illegal", "mismatch", "warning", "note"}),
        (["stats"], {*metrics(), *(question.name for question in questions())}),
        (["stats", "lead", "--by"], set(dimensions())),
        (["stats", "lead", "--by", "trick", "--split"], set(dimensions())),
        ([], set(COMMAND_NAMES)),
    ],
    # A set has another order in every process; its words are no name for a test.
    ids=lambda each: " ".join(each) if isinstance(each, list) else "",
)  # fmt: skip
def test_a_shell_completes(words: list[str], expected: set[str]) -> None:
    shell = ShellComplete(main, {}, "bezique", "_BEZIQUE_COMPLETE")
    offered = shell.get_completions(words, "")
    assert {item.value for item in offered} == expected
    first = min(expected)
    assert first in {item.value for item in shell.get_completions(words, first[:2])}


@pytest.mark.parametrize("words", [["validate"], ["show"], ["annotate"], ["identify"], ["redact"], ["ingest"], ["play", "--out"]], ids=" ".join)  # fmt: skip
def test_a_shell_completes_files(words: list[str]) -> None:
    shell = ShellComplete(main, {}, "bezique", "_BEZIQUE_COMPLETE")
    assert [item.type for item in shell.get_completions(words, "")] == ["file"]


def test_the_next_code_is_completed_after_a_comma() -> None:
    shell = ShellComplete(main, {}, "bezique", "_BEZIQUE_COMPLETE")
    offered = shell.get_completions(["validate", "--ignore"], "note,must-follow")
    assert [item.value for item in offered] == ["note,must-follow-suit"]


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("Ann", 3),
        ("", 0),
        ("王小明", 6),
        ("Zoë", 3),
        ("Zoe\u0308", 3),
        ("A♠ 10♥", 6),
        ("ｱ", 1),
        ("👩\u200d🚀", 2),
        ("❤️", 2),
        ("한", 2),
        ("ﺎ", 1),
        ("a\u202eb♠", 3),
    ],
)
def test_the_width_of_a_text_is_what_a_terminal_shows(text: str, width: int) -> None:
    assert text_width(text) == width
    assert text_width(pad_text(text, 9)) == 9
    assert pad_text(text, 9, right=True).endswith(text)


def test_names_in_wide_letters_keep_the_columns(run: Run, game: Path, legal: bytes) -> None:
    game.write_bytes(legal.replace(b'"Ann"', '"王小明"'.encode()))
    lines = run("show", game, "--deal", "1").stdout.splitlines()
    hands = [re.match(r" {7}(王小明|Bob)  +", line) for line in lines]
    starts = [text_width(hand[0]) for hand in hands if hand]
    assert starts == [starts[0]] * 2
    lines = run("annotate", "--no-brink", game).stdout.splitlines()
    head = next(n for n, line in enumerate(lines) if re.match(r" +王小明  +Bob$", line))
    assert text_width(lines[head]) == text_width(lines[head + 1])


def test_a_folder_of_several_files_is_refused_where_one_is_meant(run: Run, game: Path) -> None:
    game.with_name("other.json").write_bytes(game.read_bytes())
    for command in ("show", "identify"):
        result = run(command, game.parent)
        assert result.exit_code == 2
        assert "stands for 2 files" in result.stderr


def test_options_that_would_do_nothing_are_refused(run: Run, game: Path, tmp_path: Path) -> None:
    assert "needs --stored" in run("annotate", game, "--again").stderr
    assert "leave out the files" in run("annotate", game, "--stored", "--data", tmp_path).stderr


def test_records_are_written_only_under_names_that_say_so(run: Run, tmp_path: Path) -> None:
    result = run("play", "--rules", "zique", "--out", tmp_path / "all.csv")
    assert result.exit_code == 2
    assert "stats --format csv" in result.stderr
    assert not (tmp_path / "all.csv").exists()
