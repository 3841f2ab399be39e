"""The kit runs on programs: on this one, on the referee, on the harnesses; and it survives programs that fail."""

import contextlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from ast import literal_eval
from itertools import pairwise
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from click.testing import CliRunner

from records.conformance.cases import Case, KitError, encode_case, kit_folder, read_kit, write_kit
from records.conformance.program import (
    COMPARED_BY_DETAIL,
    Detail,
    Hello,
    ProgramError,
    RunningProgram,
    hello_request,
    is_as_expected,
    request_line,
)
from records.conformance.run import (  # fmt: skip
    MOST_GIVEN_PRINTED,
    MOST_RESTARTS,
    CaseResult,
    KitReport,
    ProgramLostError,
    badge,
    disagreement_lines,
    report_on,
    run_kit,
    simplest_disagreement,
    sum_lines,
    table_lines,
)
from records.record import MAX_NESTING_DEPTH
from webui.cli.main import main

LONG = 300.0
"""Seconds for an answer where nothing is to be late."""
OWN = [sys.executable, "-m", "webui.cli", "conform", "answer"]
HARNESSES = kit_folder()


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return read_kit(kit_folder())


def of(cases: list[Case], *areas: str, share: int = 1, sheet: str | None = None) -> list[Case]:
    return [case for case in cases if case.area in areas and sheet in (None, case.sheet)][::share]


def program(folder: Path, text: str) -> list[str]:
    """A program of a few lines that says hello, and then does what the text says with every `request`."""
    path = folder / "program.py"
    hello = {"seq": 0, "protocol": "1.0", "program": "p", "asks": ["validate"], "sheets": ["zique"], "levels": ["full"],
             "features": ["setup", "labels", "options"], "detail": "right"}  # fmt: skip
    path.write_text(
        "import json, os, sys, time\n"
        f"print(json.dumps({hello!r}), flush=True)\nsys.stdin.readline()\n"
        f"for line in sys.stdin:\n    request = json.loads(line)\n    {text}\n    sys.stdout.flush()\n"
    )
    return [sys.executable, str(path)]


@pytest.mark.long
def test_this_program_answers_as_expected(cases):
    some = of(cases, "twins", share=40) + of(
        cases, "endings", "bytes", "canonical", "partial", share=20
    )
    hello, results = run_kit(OWN, some, jobs=2, seconds=LONG)
    assert {result.outcome for result in results} == {"agrees"}
    assert report_on(hello, some, results).conforms


@pytest.mark.long
def test_the_referee_answers_as_expected(cases):
    command = [sys.executable, "-m", "tests.records.conformance.referee_program"]
    some = of(cases, "twins", "settlement", share=5, sheet="rubicon-bezique") + of(
        cases, "mutants", share=12
    )
    _, results = run_kit(command, some, seconds=LONG)
    assert {result.outcome for result in results} <= {"agrees", "skipped", "not asked"}
    assert sum(result.outcome == "agrees" for result in results) > len(some) / 2


def test_the_harness_in_python_runs(cases):
    some = of(cases, "twins", share=30)
    hello, results = run_kit([sys.executable, str(HARNESSES / "harness.py")], some, seconds=LONG)
    assert hello.program == "adding-up"
    assert {result.outcome for result in results} <= {"agrees", "differs", "not asked"}


def test_the_harness_in_javascript_settles_as_expected(cases):
    node = shutil.which("node")
    if node is None:
        pytest.skip("THE JAVASCRIPT HARNESS WAS NOT RUN: there is no node on this machine")
    some = [case for case in of(cases, "settlement") if "rubicon-bezique" in (case.sheet or "")]
    hello, results = run_kit([node, str(HARNESSES / "harness.mjs")], some, seconds=LONG)
    report = report_on(hello, some, results)
    assert report.conforms, report.failures
    assert report.asked >= 30


def test_each_detail_compares_more_than_the_one_before(cases):
    """Also that a program which tells codes, but neither causes nor what is open, conforms on codes."""
    members = [COMPARED_BY_DETAIL[detail] for detail in get_args(Detail)]
    assert all(set(less) < set(more) for less, more in pairwise(members))
    some = [case for case in cases if {"since", "open", "code"} <= case.expect.keys()]
    for case in some:
        told = {name: case.expect[name] for name in ("right", "verdict", "at", "code")}
        assert is_as_expected(told, case, "code")
        assert not is_as_expected(told, case, "whole")
        assert not is_as_expected({**told, "code": "none"}, case, "code")
        assert is_as_expected(case.expect, case, "whole")
    assert some


def test_the_driver_knows_the_details():
    text = (HARNESSES / "driver.py").read_text(encoding="utf-8")
    told = re.search(r"^DETAILS = (\{.*?\})", text, re.MULTILINE | re.DOTALL)
    assert told
    assert {name: tuple(some) for name, some in literal_eval(told[1]).items()} == COMPARED_BY_DETAIL


def test_the_harnesses_are_thirty_lines():
    for name in ("harness.py", "harness.mjs"):
        assert (HARNESSES / name).read_text(encoding="utf-8").count("\n") <= 31


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("sys.exit('out of cards')", "The program ended with status 1: out of cards"),
        ("print('[]')", "not a JSON object"),
        ("print('nonsense')", "not JSON: nonsense"),
        ("print(json.dumps({'seq': -1}))", "the seq -1, not 1"),
        ("print(json.dumps({'seq': 1, 'error': 'bad luck'}))", "reports an error: bad luck"),
        ("os.close(1); time.sleep(600)", "closed its output"),
        ("print('[' * 100000)", "nested too deep: [[[[["),
        (
            "sys.stdout.buffer.write(bytes([34, 255, 34, 10]))",
            'not JSON: "\N{REPLACEMENT CHARACTER}"',
        ),
        ("print('\\33]0;title')", "not JSON:  ]0;title"),
        ("sys.exit('\\33]0;title')", "ended with status 1:  ]0;title"),
    ],
)
def test_a_program_that_fails_gives_no_answer(cases, tmp_path, text, why):
    some = of(cases, "twins", sheet="zique")[:1]
    _, (result,) = run_kit(program(tmp_path, text), some, seconds=LONG)
    assert result.outcome == "no answer"
    assert why in (result.why or "")


@pytest.mark.parametrize("depth", [MAX_NESTING_DEPTH - 1, MAX_NESTING_DEPTH, 500, 960, 980, 1000])
def test_answers_of_every_depth_are_told_or_refused(cases, tmp_path, depth):
    """A report holds the answer deeper than it came: what could not be written is refused before."""
    text = f"x = '[' * {depth} + ']' * {depth}; print('{{%s: %d, %s: 0, %s: ' % ('\\42seq\\42', request['seq'], '\\42right\\42', '\\42x\\42') + x + '}}')"
    some = of(cases, "twins", sheet="zique")[:1]
    hello, results = run_kit(program(tmp_path, text), some, seconds=LONG)
    msgspec.json.encode(report_on(hello, some, results))
    assert disagreement_lines(some[0], msgspec.structs.replace(results[0], expected={}))
    if depth < MAX_NESTING_DEPTH:
        assert results[0].outcome in ("agrees", "differs")
    else:
        assert "nested too deep" in (results[0].why or "")


def test_what_a_program_says_cannot_steer_a_terminal(cases, tmp_path):
    steering = "\x1b]0;title\x9b31m\u202e"
    some = of(cases, "twins", sheet="zique")[:2]
    text = "print(json.dumps({'seq': request['seq'], 'right': %r} | ({'skip': %r} if request['seq'] == 2 else {}), ensure_ascii=False))"
    hello, results = run_kit(program(tmp_path, text % (steering, steering)), some, seconds=LONG)
    hello.program = hello.sheets[0] = steering
    report = report_on(hello, some, results)
    lines = [*sum_lines(report), *disagreement_lines(some[0], results[0]), badge(report)]
    assert "title" in lines[0]
    assert not [line for line in lines if re.search("[\x1b\x9b\u202e]", line)]


@pytest.mark.parametrize("verdict", ["'legal'", "'illegal'", "[]"])
def test_a_verdict_alone_says_whether_a_record_is_right(cases, tmp_path, verdict):
    """The handshake promises `right`: a verdict that contradicts it is no answer as expected."""
    some = of(cases, "twins", sheet="zique")[:12]
    text = f"print(json.dumps({{'seq': request['seq'], 'verdict': {verdict}}}))"
    _, results = run_kit(program(tmp_path, text), some, seconds=LONG)
    agreed = [result.outcome == "agrees" for result in results]
    right = [case.expect["right"] for case in some]
    assert {True, False} == set(right)
    wanted = {"'legal'": right, "'illegal'": [not one for one in right], "[]": [False] * 12}
    assert agreed == wanted[verdict]


@pytest.mark.long
def test_a_program_that_is_late_gives_no_answer(cases, tmp_path):
    command = program(tmp_path, "time.sleep(600)")
    with RunningProgram(command) as running:
        running.ask(hello_request(), seconds=LONG)
        with pytest.raises(ProgramError, match=r"No answer came within 0\.2 seconds"):
            running.ask(request_line(1, cases[0]), seconds=0.2)


def test_a_program_that_ended_is_started_anew(cases, tmp_path):
    mark = tmp_path / "mark"
    text = (
        f"first = not os.path.exists({str(mark)!r}); open({str(mark)!r}, 'w').close();"
        " sys.exit(3) if first else print(json.dumps({'seq': request['seq'], 'skip': 'no'}))"
    )
    some = of(cases, "twins", sheet="zique")[:2]
    _, results = run_kit(program(tmp_path, text), some, seconds=LONG)
    assert [result.outcome for result in results] == ["no answer", "skipped"]


@pytest.mark.long
def test_a_program_that_always_ends_is_given_up(cases, tmp_path):
    some = of(cases, "twins", sheet="zique")[: MOST_RESTARTS + 3]
    _, results = run_kit(program(tmp_path, "sys.exit(1)"), some, seconds=LONG)
    assert f"started {MOST_RESTARTS + 1} times" in (results[-1].why or "")
    assert (results[-1].why or "").endswith("The last time: The program ended with status 1.")


def test_a_program_that_does_not_say_hello_is_refused(cases):
    with pytest.raises(ProgramLostError, match="did not answer `hello`"):
        run_kit([sys.executable, "-c", "print('hello?')"], cases[:1], seconds=LONG)
    hello = {
        "seq": 0,
        "protocol": "1.0",
        "program": "p",
        "asks": [],
        "sheets": [],
        "levels": [],
        "detail": "places",
    }
    refused = r"answer to `hello` cannot be used. Invalid enum value 'places' - at `\$.detail`"
    with pytest.raises(ProgramLostError, match=refused):
        run_kit(
            [sys.executable, "-c", f"import json; print(json.dumps({hello!r}))"],
            cases[:1],
            seconds=LONG,
        )
    with pytest.raises(ProgramLostError, match=r"^“no-such-program-here” cannot be run"):
        run_kit(["no-such-program-here"], cases[:1])


def test_the_first_disagreement_is_told_in_full(cases, tmp_path):
    some = of(cases, "twins", sheet="zique")[:20]
    command = program(tmp_path, "print(json.dumps({'seq': request['seq'], 'right': True}))")
    write_kit(tmp_path / "kit", some)
    report, picture = tmp_path / "report.json", tmp_path / "badge.svg"
    result = CliRunner().invoke(
        main,
        ["conform", "run", "--kit", str(tmp_path / "kit"), "--seconds", "300", "--jobs", "2",
         "--report", str(report), "--badge", str(picture), "--", *command],
    )  # fmt: skip
    assert result.exit_code == 1
    found = msgspec.json.decode(report.read_bytes(), type=KitReport)
    wrong = [case for case in some if not case.expect["right"]]
    assert [failure.case for failure in found.failures] == [case.id for case in wrong]
    assert f"{20 - len(wrong)}/20" in result.output
    simplest = min(wrong, key=lambda case: len(msgspec.json.encode(case.given)))
    assert f"{simplest.id}: {simplest.about}" in result.output
    assert 'expected  {"right":false}' in result.output
    assert f"fault     {simplest.expect['code']}: " in result.output
    assert ElementTree.fromstring(picture.read_text()).tag.endswith("svg")
    assert f"{20 - len(wrong)} of 20" in picture.read_text()


def test_a_kit_takes_the_place_of_an_older_one_and_of_nothing_else(cases, tmp_path):
    (tmp_path / "thursday.jsonl").write_text("a night's games\n")
    write_kit(tmp_path, of(cases, "settlement")[:3])
    (settlements,) = {path.name for path in tmp_path.glob("*.jsonl")} - {"thursday.jsonl"}
    write_kit(tmp_path, of(cases, "twins", sheet="zique")[:3])
    assert (tmp_path / "thursday.jsonl").read_text() == "a night's games\n"
    assert not (tmp_path / settlements).exists()


@pytest.mark.parametrize("name", ["zique.jsonl", "index.json"])
def test_a_file_of_something_else_is_not_replaced_by_a_kit(cases, tmp_path, name):
    (tmp_path / name).write_text("my own\n")
    with pytest.raises(KitError, match=f"{name} in .* is not"):
        write_kit(tmp_path, of(cases, "twins", sheet="zique")[:3])
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "my own\n"


def test_an_index_cannot_name_a_file_elsewhere(cases, tmp_path):
    (tmp_path / "kit").mkdir()
    (tmp_path / "own.jsonl").write_text("my own\n")
    index = write_kit(tmp_path / "kit", of(cases, "settlement")[:3])
    index.files[0].file = "../own.jsonl"
    (tmp_path / "kit" / "index.json").write_bytes(msgspec.json.encode(index))
    with contextlib.suppress(KitError):
        write_kit(tmp_path / "kit", of(cases, "settlement")[:3])
    assert (tmp_path / "own.jsonl").exists()


@pytest.mark.long
def test_a_run_that_agrees_exits_with_0(cases, tmp_path):
    write_kit(tmp_path / "kit", of(cases, "settlement")[:3])
    result = CliRunner().invoke(
        main,
        [
            "conform",
            "run",
            "--kit",
            str(tmp_path / "kit"),
            "--seconds",
            "300",
            "--jobs",
            "1",
            "--",
            *OWN,
        ],
    )
    assert result.exit_code == 0, result.output
    assert "bezique: 3 of 3 answers as expected; 0 cases skipped (*), 0 not asked." in result.output


def test_a_sheet_that_the_kit_does_not_have_is_told(cases):
    named = Hello(
        seq=0, protocol="1.0", program="p", asks=[], sheets=["zique", "marjole"], levels=[]
    )
    report = report_on(named, [], [])
    assert "  The handshake names the sheet marjole, which the kit does not have." in [
        *sum_lines(report)
    ]


def test_of_a_long_record_the_beginning_is_told(cases):
    case = max(cases, key=lambda case: len(msgspec.json.encode(case.given)))
    lines = disagreement_lines(case, CaseResult(case=case.id, outcome="differs"))
    assert max(map(len, lines)) < MOST_GIVEN_PRINTED + 20
    assert any(f"the line of this case in {case.sheet}.jsonl" in line for line in lines)


@pytest.mark.long
def test_the_kit_is_written_and_more_beside_it(tmp_path):
    folder = tmp_path / "kit"
    result = CliRunner().invoke(
        main, ["conform", "write", str(folder), "--rules", "marjolet", "--games", "1"]
    )
    assert result.exit_code == 0, result.output
    written = read_kit(folder)
    own = [case for case in read_kit(kit_folder()) if case.sheet in ("marjolet", None)]
    more = [case for case in written if "/generated-" in case.id]
    assert [case for case in written if case not in more] == own
    assert (folder / "harness.py").exists()
    assert (folder / "harness.mjs").exists()
    assert (folder / "driver.py").exists()
    assert {case.area for case in more} == {"replay", "games", "mutants"}
    assert len({case.id for case in written}) == len(written)


def test_a_folder_without_a_kit_is_refused(tmp_path):
    result = CliRunner().invoke(main, ["conform", "run", "--kit", str(tmp_path), "--", "x"])
    assert result.exit_code == 2
    assert "index.json is missing" in result.output


@pytest.mark.parametrize("option", ["--report", "--badge"])
def test_a_file_of_results_that_cannot_be_written_is_refused_before_the_run(tmp_path, option):
    asked, file = tmp_path / "asked", tmp_path / "nowhere" / "results"
    result = CliRunner().invoke(
        main, ["conform", "run", option, str(file), "--", "touch", str(asked)]
    )
    assert result.exit_code == 2
    assert f"{file}: No such file or directory." in result.output
    assert not asked.exists()


def test_what_is_not_in_the_handshake_is_not_asked(cases, tmp_path):
    some = of(cases, "twins", "settlement", share=50) + of(cases, "partial", share=20)
    command = program(tmp_path, "print(json.dumps({'seq': request['seq'], 'skip': 'today'}))")
    hello, results = run_kit(command, some, seconds=LONG)
    for case, result in zip(some, results, strict=True):
        may = case.sheet == "zique" and case.ask == "validate" and case.level == "full"
        may = may and set(case.features) <= {"setup", "labels", "options"}
        assert result.outcome == ("skipped" if may else "not asked")
    report = report_on(hello, some, results)
    assert not report.conforms
    (skip,) = report.skips
    assert skip.why == "today"
    assert f"  skipped {skip.cases} cases: today" in [*sum_lines(report)]
    assert "-*" in "".join(table_lines(report))
    assert "-" in "".join(table_lines(report))
    assert "0 of 0" in badge(report)
    assert simplest_disagreement(some, results) is None


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "status"),
    [
        (OWN, 0),
        ([sys.executable, str(HARNESSES / "harness.py")], 1),
        ("print(json.dumps({'seq': request['seq'], 'verdict': 'illegal'}))", 1),
    ],
    ids=["this program", "the harness", "a verdict alone"],
)
def test_the_driver_agrees_with_the_run(command, status, tmp_path, cases):
    """Thirty lines to download: they ask, compare and count as `bezique conform run` does."""
    some = [case for case in cases if case.sheet == "zique"][::9]
    if isinstance(command, str):
        command = program(tmp_path, command)
    file = tmp_path / "zique.jsonl"
    file.write_bytes(b"".join(encode_case(case) + b"\n" for case in some))
    driver = [sys.executable, str(HARNESSES / "driver.py"), str(file), *command]
    told = subprocess.run(driver, capture_output=True, text=True, check=False, timeout=LONG)
    _, results = run_kit(command, some, seconds=LONG)
    asked = [one for one in results if one.outcome in ("agrees", "differs")]
    agreed = sum(one.outcome == "agrees" for one in asked)
    assert f"{agreed} of {len(asked)} answers were as expected." in told.stdout
    assert told.returncode == status
    differing = {line.split()[0] for line in told.stdout.splitlines()[:-1]}
    assert differing == {one.case for one in asked if one.outcome == "differs"}
    assert (HARNESSES / "driver.py").read_text(encoding="utf-8").count("\n") <= 40
