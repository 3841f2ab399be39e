"""`bezique validate`: lines like a compiler's, reports as JSON, exit statuses."""

import gzip
import json
import re
from pathlib import Path

import pytest
import zstandard

from records.format import codec, files
from records.format.codec import encode
from records.format.files import read_entries
from records.format.notation_writer import write_notation
from records.validate.codes import FINDING_CODES
from records.validate.finding import Cause, Finding, Place
from records.validate.report import Report
from records.validator import check_path
from tests.costs.payloads import begun_text
from tests.make.tables import table
from webui.cli.commands import validate

SAMPLES = Path(__file__).parents[3] / "samples"


@pytest.fixture
def draws_first(tmp_path):
    """A game whose loser of the trick draws first, three times."""
    trick = "N {}, S {}, N takes, S draws {}, N draws {}"
    told = ", ".join(
        [
            "N AD, S 7C, N takes, N melds marriage KH QH",
            "S draws 8H, N draws 9H",
            trick.format("AC", "8C", "8S", "9S"),
            trick.format("TD", "9C", "7S", "7H"),
        ]
    )
    position = "N: KH QH AD AC TD | S: 7C 8C 9C 7D 8D | turn-up 9S | stock 19 | N leads"
    path = tmp_path / "habit.json"
    path.write_bytes(encode(table(position, told).record))
    return path


def nth(text, part, number):
    """Where a part begins for the n-th time."""
    at = -1
    for _ in range(number):
        at = text.index(part, at + 1)
    return at


def test_a_legal_game_is_not_mentioned(run, game):
    result = run("validate", game)
    assert (result.exit_code, result.output) == (0, "1 record: 1 legal\n")


def test_a_finding_names_file_line_deal_event_trick_card_sentence_code_and_law(run, three):
    result = run("validate", three)
    assert result.exit_code == 2
    column = 1 + nth(three.read_text().splitlines()[1], '{"type":', 31)
    assert (
        f"{three}:2:{column}: deal 1, event 31 (after trick 6), 9♣: illegal: Bob draws the 9 of clubs,"
        " but every copy of it is already out. [no-such-card-left] C5, C6" in result.output
    )
    assert "(zique/draw)" in result.output
    assert f"{three}:3: unreadable" in result.output


def test_the_head_of_a_record_says_how_to_see_the_step(run, three):
    head = run("validate", three).output.splitlines()[0]
    assert head.startswith(f"{three}:2: illegal (zique, 4 deals, 606 events)")
    command = head.partition("; see it with: bezique ")[2].split()
    assert command[-4:] == ["--deal", "1", "--step", "31"]
    shown = run(*command)
    assert "event 31 of" in shown.output
    assert "[no-such-card-left]" in shown.output


def test_what_was_expected_is_told_once(run):
    sample = SAMPLES / "broken/must-follow-suit.json"
    _, _, details, *_ = run("validate", sample).output.splitlines()
    assert details.endswith("; found 7♣; legal: 9♥")
    assert "expected" not in details


def test_a_summary_counts_verdicts_and_codes(run, three):
    lines = run("validate", three).output.splitlines()
    assert "3 records: 1 legal; 1 illegal; 1 unreadable" in lines
    assert any(line.split()[:3] == ["1", "not-json", "unreadable"] for line in lines)


@pytest.mark.parametrize(
    ("chosen", "status"), [([0], 0), ([1], 1), ([2], 2), ([0, 1], 1), ([0, 1, 2], 2), ([], 2)]
)
def test_exit_status(run, three, chosen, status):
    data = three.read_bytes().splitlines()
    three.write_bytes(b"\n".join(data[i] for i in chosen))
    assert run("validate", three).exit_code == status


def test_notes_are_no_fault(run, tmp_path):
    record = json.loads((SAMPLES / "good/zique.json").read_bytes())
    del record["deals"][-1]["events"][20:], record["deals"][-1]["claims"], record["result"]
    path = tmp_path / "unfinished.json"
    path.write_text(json.dumps(record))
    result = run("validate", path)
    assert "note: " in result.output
    assert "1 legal so far" in result.output
    assert result.exit_code == 0


def test_json_is_one_report_a_line_in_the_order_of_the_records(run, three):
    result = run("validate", three, "--format", "json")
    reports = [json.loads(line) for line in result.output.splitlines()]
    assert [report["verdict"] for report in reports] == ["legal", "illegal", "unreadable"]
    assert [report["line"] for report in reports] == [1, 2, 3]
    assert reports[1]["findings"][0]["at"]["event"] == 30
    assert result.exit_code == 2


def test_standard_input(run, legal, illegal):
    result = run("validate", "-", stdin=illegal)
    assert result.output.startswith("<stdin>: illegal")
    assert "bezique show" not in result.output
    assert run("validate", "-", stdin=gzip.compress(legal)).exit_code == 0


def test_no_command_shows_a_record_that_cannot_be_read(run):
    result = run("validate", SAMPLES / "broken/bad-card.json")
    assert "[bad-card]" in result.stdout
    assert "bezique show" not in result.stdout


def test_a_folder_stands_for_its_record_files(run, tmp_path, legal):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/a.json").write_bytes(legal)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(legal + b"\n" + legal + b"\n"))
    (tmp_path / "c.JSONL.zst").write_bytes(zstandard.compress(legal + b"\n"))
    (tmp_path / "notes.txt").write_text("not a record")
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache/d.json").write_text("not a record")
    assert run("validate", tmp_path).output == "4 records: 4 legal\n"


def test_a_folder_without_records_is_refused(run, tmp_path):
    result = run("validate", tmp_path)
    assert result.exit_code == 2
    assert "no records in this folder" in result.stderr


def test_a_missing_file_is_told_and_the_rest_is_judged(run, game, tmp_path):
    (tmp_path / "empty").mkdir()
    result = run("validate", "nowhere.json", tmp_path / "empty", game)
    assert (result.exit_code, result.stdout) == (2, "1 record: 1 legal\n")
    first, second = result.stderr.splitlines()
    assert first == "Error: nowhere.json: No such file or directory."
    assert "no records in this folder" in second


def test_a_file_that_cannot_be_read_to_its_end_is_told_and_the_rest_is_judged(
    run, game, monkeypatch
):
    real = read_entries

    def fail(stream, *, name):
        if name.endswith("bad.jsonl"):
            raise OSError(5, "Input/output error")
        return real(stream, name=name)

    bad = game.with_name("bad.jsonl")
    bad.write_bytes(b"")
    monkeypatch.setattr(files, "read_entries", fail)
    result = run("validate", bad, game)
    assert (result.exit_code, result.stdout) == (2, "1 record: 1 legal\n")
    assert result.stderr == f"Error: {bad}: Input/output error.\n"


def test_max_findings_limits_what_is_printed_and_not_what_is_counted(run, tmp_path):
    path = tmp_path / "odd.json"
    path.write_text('{"format": "bezique-record", "colour": "green", "size": 3}')
    report = next(check_path(path))
    findings = len(report.findings)
    result = run("validate", path, "--max-findings", "1")
    assert len(re.findall(r"unreadable: .* \[", result.output)) == 1
    assert f"  and {len(report.groups) - 1} more kinds of findings" in result.output
    assert f"{findings} findings:" in result.output
    every = run("validate", path, "--all", "--max-findings", "1")
    assert f"  and {findings - 1} more findings" in every.output


def test_a_habit_is_printed_once_and_by_request_every_time(run, draws_first):
    lines = run("validate", draws_first).output.splitlines()
    column = 1 + nth(draws_first.read_text(), '{"type":', 5)
    assert lines[1] == (
        f"{draws_first}:1:{column}: illegal: The loser of the trick draws first: 3 times, first at deal 1, event 5."
        " [draw-out-of-turn] C5, C6, A-06, A-07 (bezique/draw)"
    )
    assert lines[2] == (
        "    always South; first: South draws first, but North won the trick and should have. at /deals/0/events/4"
    )
    assert lines[3] == "    also in deal 1 at events 10 and 15"
    every = run("validate", draws_first, "--all").output
    assert every.count("draws first, but North won") == 3
    assert "deal 1, event 10 (after trick 2), 8♠: illegal: " in every
    assert "    at /deals/0/events/9; expected seat 0; found seat 1" in every


def test_what_follows_from_a_finding_is_printed_below_it(run, monkeypatch, three):
    """A finding with two consequences of one habit."""
    at = Place(deal=0, event=3, pointer="/deals/0/events/3")
    cause = Cause(code="wrong-brisques", pointer=at.pointer)
    first = Finding(code=cause.code, severity="mismatch", at=at, message="Ann counts too many.")
    deals = [
        Finding(
            code="wrong-deal-scores", severity="mismatch", message="The deal is wrong.",
            at=Place(deal=i, pointer=f"/deals/{i}/claims/scores"), because_of=cause,
        )
        for i in range(2)
    ]  # fmt: skip
    report = Report(verdict="legal_with_mismatches", findings=[first, *deals])
    monkeypatch.setattr(validate, "report_on", lambda *_, **__: report)
    output = run("validate", three).output
    assert (
        "    2 findings follow from this:\n      mismatch: The scores of a deal are wrong: twice, first"
        in output
    )
    assert "[wrong-deal-scores]" in output


def test_words_count_from_1_and_the_pointer_beside_them_from_0(run, three):
    output = run("validate", three).output
    assert "deal 1, event 31 " in output
    assert "    at /deals/0/events/30; " in output


def test_quiet_says_it_by_the_exit_status(run, three):
    result = run("validate", three, "--quiet")
    assert (result.exit_code, result.output) == (2, "")


def test_lenient_reading_warns_of_members_it_does_not_know(run, tmp_path, legal):
    path = tmp_path / "odd.json"
    path.write_bytes(legal.replace(b'"version":"1.0"', b'"version":"1.0","colour":"green"'))
    assert run("validate", path).exit_code == 2
    result = run("validate", path, "--lenient")
    assert result.exit_code == 1
    assert "warning: " in result.output


@pytest.mark.parametrize("path", sorted((SAMPLES / "good").iterdir()), ids=lambda path: path.stem)
def test_the_good_samples_are_good(run, path):
    assert run("validate", path).exit_code == 0


@pytest.mark.parametrize(
    "path", sorted((SAMPLES / "broken").iterdir()), ids=lambda path: path.name.partition(".")[0]
)
def test_the_broken_samples_print_what_is_found(run, path):
    codes = [finding.code for report in check_path(path) for finding in report.findings]
    printed = re.findall(r"\[([a-z0-9-]+)\]", run("validate", path).output)
    assert codes
    assert set(printed) & FINDING_CODES.keys() == set(codes)


@pytest.mark.slow
def test_every_record_of_a_file_is_judged_as_it_is_alone(run, tmp_path):
    hard = begun_text("bezique", 8)
    (tmp_path / "many.jsonl").write_bytes((hard + b"\n") * 10)
    (tmp_path / "one.json").write_bytes(hard)
    done = run("validate", str(tmp_path), "--format", "json")
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(reports) == 11
    told = {json.dumps([finding["message"] for finding in one["findings"]]) for one in reports}
    assert len(told) == len({one["verdict"] for one in reports}) == 1


def test_findings_in_the_notation_have_their_lines(run, tmp_path, draws_first):
    record = codec.decode(draws_first.read_bytes()).record
    text = write_notation(record) + write_notation(record).replace("+9H", "+XX")
    path = tmp_path / "habit.bezique"
    path.write_text(text)
    lines = text.split("\n")
    told = run("validate", path).output
    line, column = map(int, re.search(r"habit\.bezique:(\d+):(\d+): illegal", told).groups())
    assert lines[line - 1][column - 1 :].startswith("b+8H")
    broken = next(number for number, line in enumerate(lines, 1) if "+XX" in line)
    column = 1 + lines[broken - 1].index("XX")
    assert f"habit.bezique:{broken}:{column}: unreadable: Line {broken}, column {column}: " in told
    assert "expected a card, found “XX”" in told
