"""How commands start and stop: what they load, what Ctrl-C and a reader who goes away make of them."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from records.selfplay import PlayingStyle
from webui.cli.commands.play import STYLES
from webui.cli.main import SHORT_HELPS, main

COMMAND = Path(sys.executable).with_name("bezique")
SAMPLES = Path(__file__).parents[3] / "samples"
HEAVY = {
    "analyzer", "dask", "duckdb", "email.mime", "flask", "numpy", "openskill", "plotille", "plotly", "waitress",
    "werkzeug",
}  # fmt: skip
LOADED = """
import sys
from webui.cli.main import main
try:
    main(sys.argv[1:])
finally:
    print(*sys.modules, file=sys.stderr)
"""


def modules_of(*words: object) -> set[str]:
    """Every module that a command loads."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *map(str, words)], text=True, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


@pytest.mark.parametrize("words", ["--version", "--help"])
def test_the_version_and_the_list_of_commands_load_next_to_nothing(words: str) -> None:
    loaded = modules_of(words)
    own = {name for name in loaded if name.partition(".")[0] in ("records", "analyzer", "webui")}
    assert len(own) <= 10
    assert not (HEAVY | {"msgspec", "records.validator"}) & loaded
    assert len(loaded) < 200


HELP_OF_ALL = """
import sys
from webui.cli.main import COMMAND_NAMES, main
try:
    for name in COMMAND_NAMES:
        main([name, "--help"], standalone_mode=False)
finally:
    print(*sys.modules, file=sys.stderr)
"""


@pytest.mark.long
def test_the_help_of_a_command_loads_nothing_that_works() -> None:
    """All are asked in one process: together they load little more than the one that loads most."""
    done = subprocess.run([sys.executable, "-c", HELP_OF_ALL], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Usage:") == len(SHORT_HELPS)
    loaded = set(done.stderr.split())
    works = {
        "analyzer.store.store", "records.format.codec", "records.engine.table", "records.replay",
        "records.selfplay", "records.validator", "webui.display.words",
    }  # fmt: skip
    assert not ((HEAVY - {"analyzer"}) | works) & loaded
    assert len(loaded) < 255


def test_the_help_names_the_styles_of_play() -> None:
    assert (
        tuple(style.replace("greedy", "simple") for style in get_args(PlayingStyle)) == STYLES[:-1]
    )
    assert STYLES[-1] == "expert"


def test_validating_loads_only_what_judges() -> None:
    loaded = modules_of("validate", SAMPLES / "good/zique.json")
    late = {
        "records.format.diagnosis",
        "records.partial.search",
        "webui.display.words",
        "zstandard",
    }
    assert not (HEAVY | late) & loaded
    assert len(loaded) < 310


def test_the_list_of_commands_says_what_each_says() -> None:
    commands = {name: main.get_command(None, name) for name in SHORT_HELPS}
    assert {
        name: command.get_short_help_str(limit=200) for name, command in commands.items()
    } == SHORT_HELPS


@pytest.mark.long
def test_a_reader_who_goes_away_is_no_error(tmp_path: Path) -> None:
    line = b'{"format":"bezique-record"}\n'
    path = tmp_path / "many.jsonl"
    path.write_bytes(line * 3_000)
    for words in (["validate", path], ["findings"]):
        process = subprocess.Popen(
            [COMMAND, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait() == 141


def test_ctrl_c_is_told_in_a_word(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [COMMAND, "validate", pipe], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with pipe.open("wb"):  # opens as soon as the command reads it
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (out, err, process.returncode) == (b"", b"Interrupted.\n", 130)
