"""The command line as a whole: help, errors, colours, processes."""

import ast
import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from records.engine import table
from records.format import codec
from records.phrases import format_duration
from tests.machine.waiting import PATIENCE_SECONDS
from webui.cli.main import COMMAND_NAMES, ProgressBar
from webui.cli.sources import PLAIN_ENDINGS

ROOT = Path(__file__).parents[3]
BEZIQUE = [sys.executable, "-m", "webui.cli"]


def start(*words: object, **options: object) -> "subprocess.Popen[str]":
    environment = {**os.environ, **options.pop("env", {})}  # type: ignore[dict-item]
    return subprocess.Popen(
        [*BEZIQUE, *map(str, words)],
        cwd=ROOT,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,  # type: ignore[call-overload]
    )


def sources_of_errors():
    """The name of a module and its syntax tree, for everything that commands run."""
    for folder in ("records", "analyzer", "webui"):
        for path in (ROOT / folder).rglob("*.py"):
            yield path.relative_to(ROOT), ast.parse(path.read_text(encoding="utf-8"))


def names_of_own_errors(trees):
    """The names of all classes below the root of the project's errors."""
    bases = {
        node.name: {ast.unparse(base) for base in node.bases}
        for _, tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    found = {"BeziqueError"}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return found


@pytest.mark.slow
def test_no_error_begins_with_a_path():
    """A command prints an error as a sentence, with a capital letter, which a path must not get."""
    trees = list(sources_of_errors())
    own = names_of_own_errors(trees)
    assert {"StoreInUse", "KitError", "ConversionError"} <= own
    wrong = [
        f"{path}:{node.lineno}"
        for path, tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in own and node.args
        if isinstance(text := node.args[0], ast.JoinedStr)
        if isinstance(first := text.values[0], ast.FormattedValue)
        if re.search("path|folder|file|target|name$", ast.unparse(first.value))
    ]
    assert not [place for place in wrong if "conformance/answers.py" not in place], wrong


def test_every_command_is_listed(run):
    output = run("--help").output
    assert all(re.search(rf"^  {command} ", output, re.MULTILINE) for command in COMMAND_NAMES)
    assert "..." not in output.partition("Commands:")[2]


@pytest.mark.parametrize("command", COMMAND_NAMES)
def test_help_has_examples_and_explains_every_option(run, command):
    output = run(command, "--help").output
    assert f"    bezique {command}" in output or f"bezique {command} " in output
    assert not re.search(r"^  --?\w[\w-]*( \w+)?$", output, re.MULTILINE)


@pytest.mark.parametrize("command", ["ingest", "validate"])
def test_help_names_every_kind_of_file_that_a_folder_is_searched_for(run, command):
    output = " ".join(run(command, "--help").output.split())
    searched = re.search(r"\(every (.+?) file below it", output)
    assert searched
    assert {*re.findall(r"\.\w+", searched[1])} == {*PLAIN_ENDINGS}


@pytest.mark.parametrize("command", COMMAND_NAMES)
def test_the_examples_of_help_are_spelt_right(run, command):
    for line in re.findall(r"bezique (.+)", run(command, "--help").output):
        for part in re.split(r" \| bezique | && bezique ", line):
            words = re.split(r" [|>] |`", part)[0].split()
            options = [word for word in words if word.startswith("--")]
            if words and words[0] in COMMAND_NAMES:
                usage = run(words[0], "--help").output
                assert all(option in usage for option in options), line


def test_the_version_says_whether_it_is_compiled(run):
    form = "pure Python" if str(table.__file__).endswith(".py") else "compiled"
    assert re.fullmatch(rf"bezique \d+\.\d+\.\d+\S*, {form}\n", run("--version").output)


def test_a_misspelt_command(run):
    result = run("vaildate")
    assert result.exit_code == 2
    assert "Did you mean validate?" in result.stderr


def test_an_unknown_command(run):
    assert "The commands are validate, follow" in run("xyz").stderr


def test_no_colours_where_nobody_looks(run, three):
    assert "\033" not in run("validate", three).output


def on_a_terminal(*words: object, **environment: str) -> str:
    """What a command prints on a terminal."""
    ours, its = pty.openpty()
    clean = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    process = subprocess.Popen(
        [*BEZIQUE, *map(str, words)],
        cwd=ROOT,
        env={**clean, "TERM": "xterm", "PAGER": "cat", **environment},
        stdin=subprocess.DEVNULL,
        stdout=its,
        stderr=its,
    )
    os.close(its)
    output = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        output += piece
    process.wait()
    os.close(ours)
    return output.decode()


@pytest.mark.long
def test_colours_on_a_terminal_unless_refused(three):
    assert "\033[31m" in on_a_terminal("validate", three)
    assert "\033[31m" not in on_a_terminal("validate", three, NO_COLOR="1")


@pytest.mark.long
def test_a_long_story_is_paged_on_a_terminal(game):
    assert "Ann and Bob play Zique" in on_a_terminal("show", game)


@pytest.mark.long
def test_suits_survive_a_terminal_that_cannot_show_them(game):
    process = start("show", game, "--step", "3", env={"PYTHONIOENCODING": "latin-1"})
    output, trouble = process.communicate()
    assert (process.returncode, trouble) == (0, "")
    assert "7?" in output


def served(process: "subprocess.Popen[str]") -> str:
    """The address that a server says it serves at."""
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found is not None
    return found[0]


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_the_server_says_where_serves_and_stops_cleanly(tmp_path, game, how, run):
    process = start("serve", "--data", tmp_path, "--port", "0")
    try:
        with urlopen(served(process)) as page:
            assert page.status == 200
        busy = run("ingest", game, "--data", tmp_path)
        assert busy.exit_code == 2
        assert "is in use by the server at" in busy.stderr
    finally:
        process.send_signal(how)
        _, trouble = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, trouble) == (0, "")
    assert run("ingest", game, "--data", tmp_path).exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_the_server_waits_for_nobody_who_follows_the_steps_of_another(tmp_path, game, how, run):
    assert run("ingest", game, "--data", tmp_path).exit_code == 0
    digest = codec.decode(game.read_bytes()).digest()
    process = start("serve", "--data", tmp_path, "--port", "0")
    try:
        address = f"{served(process)}together"
        step = urlencode({"digest": digest, "deal": 1, "step": 0}).encode()
        with urlopen(address, step) as begun:
            link = json.load(begun)["key"]
        followers = [urlopen(f"{address}/{link}/steps") for _ in range(3)]
        for each in followers:
            assert each.readline().startswith(b"retry:")
    finally:
        process.send_signal(how)
        _, trouble = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, trouble) == (0, ""), "no thread is left that it had to wait for"
    assert all(each.read().endswith(b"event: end\ndata: {}\n\n") for each in followers)


@pytest.mark.slow
def test_a_busy_port_is_a_sentence(tmp_path, run):
    process = start("serve", "--data", tmp_path / "one", "--port", "0")
    try:
        port = served(process).rstrip("/").rpartition(":")[2]
        result = run("serve", "--data", tmp_path / "two", "--port", port)
        assert result.exit_code == 2
        assert "Try another --port." in result.stderr
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_SECONDS)


def test_a_bar_is_seen_by_people_only_and_after_a_second(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with ProgressBar("storing", 200) as bar:
        bar.show(10)
        assert capsys.readouterr().err == ""
        bar.next = 0
        bar.show(50, "50 records")
        assert "25%" in capsys.readouterr().err
    assert capsys.readouterr().err == "\r\033[K"
    assert not ProgressBar("storing").drawn


def test_a_bar_in_words():
    assert ProgressBar("storing", 200).line(50, "50 records", 10) == (
        "storing  [#######.....................]  25%  50 records  0:30 left"
    )
    assert ProgressBar("reading").line(7, "7 records", 65) == "reading  7 records  1:05"
    assert format_duration(3599.6) == "60:00"
