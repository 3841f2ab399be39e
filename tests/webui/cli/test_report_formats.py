"""What `bezique validate` writes for other programs, and what it leaves out."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from records.validate.codes import FINDING_CODES
from tests.webui.cli.conftest import Run
from webui.cli import settings

SAMPLES = Path(__file__).parents[3] / "samples"
REVOKE = (SAMPLES / "broken/must-follow-suit.json").read_bytes()


@pytest.fixture
def pretty(tmp_path: Path) -> Path:
    """A record with a revoke, one member a line, in a folder whose name every format must quote."""
    folder = tmp_path / 'a <b>, "c": 100%'
    folder.mkdir()
    path = folder / "revoke.json"
    path.write_text(json.dumps(json.loads(REVOKE), indent=2))
    return path


@pytest.fixture
def event(pretty: Path) -> tuple[int, int]:
    """The line and column where its first event begins."""
    lines = pretty.read_text().splitlines()
    line = next(n for n, text in enumerate(lines) if '"events"' in text) + 1
    return line + 1, lines[line].index("{") + 1


def test_text_names_line_and_column_of_pretty_json(run: Run, pretty: Path, event) -> None:
    assert (
        f"\n{pretty}:{event[0]}:{event[1]}: deal 1, event 1 (trick 1), 7♣: illegal: "
        in run("validate", pretty).output
    )


def test_every_json_report_names_its_file(run: Run, pretty: Path, three: Path) -> None:
    lines = run("validate", pretty, three, "--format", "json").stdout.splitlines()
    files = [json.loads(line)["file"] for line in lines]
    assert files == [str(pretty), str(three), str(three), str(three)]


def test_github_annotates_the_line(run: Run, pretty: Path, event) -> None:
    (line,) = run("validate", pretty, "--format", "github").stdout.splitlines()
    level, properties, message = re.fullmatch(r"::(\w+) (.*?)::(.*)", line).groups()
    told = dict(part.split("=") for part in properties.split(","))
    quoted = str(pretty).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    assert level == "error"
    assert told == {
        "title": "bezique must-follow-suit", "file": quoted, "line": str(event[0]), "col": str(event[1]),
    }  # fmt: skip
    assert message.startswith("deal 1, event 1: South plays")


def test_sarif_is_one_document_with_every_rule_and_place(
    run: Run, pretty: Path, event, three: Path
) -> None:
    document = json.loads(run("validate", pretty, three, "nowhere", "--format", "sarif").stdout)
    (one,) = document["runs"]
    assert document["version"] == "2.1.0"
    assert {rule["id"] for rule in one["tool"]["driver"]["rules"]} == FINDING_CODES.keys()
    first, *others = one["results"]
    place = first["locations"][0]["physicalLocation"]
    assert (first["ruleId"], first["level"]) == ("must-follow-suit", "error")
    assert place["region"] == {"startLine": event[0], "startColumn": event[1]}
    assert place["artifactLocation"]["uri"] == pretty.as_uri()
    assert [result["locations"][0]["physicalLocation"]["region"]["startLine"] for result in others][
        -1
    ] == 3
    assert one["invocations"] == [{"executionSuccessful": False}]


def test_junit_fails_the_record_that_breaks_a_rule(run: Run, pretty: Path, three: Path) -> None:
    root = ElementTree.fromstring(run("validate", pretty, three, "--format", "junit").stdout)
    suites = {suite.get("name"): [len(case) > 0 for case in suite] for suite in root}
    assert suites == {str(pretty): [True], str(three): [False, True, True]}
    failure = root[0][0][0]
    assert failure.get("type") == "must-follow-suit"
    assert failure.text.startswith(f"{pretty}:")


@pytest.mark.parametrize("form", ["sarif", "junit"])
def test_a_document_is_whole_where_nothing_is_found(run: Run, game: Path, form: str) -> None:
    result = run("validate", game, "--format", form)
    assert result.exit_code == 0
    if form == "sarif":
        assert json.loads(result.stdout)["runs"][0]["results"] == []
    else:
        assert len(ElementTree.fromstring(result.stdout)[0]) == 1


def test_strange_texts_break_no_format(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    for name in ('\\ud800\\u0001\\ufffe<&"', "a\\n::error::b", "]]>"):
        path.write_text(REVOKE.decode().replace('"South"', f'"{name}"'))
        assert json.loads(run("validate", path, "--format", "sarif").stdout)
        assert ElementTree.fromstring(run("validate", path, "--format", "junit").stdout) is not None
        lines = run("validate", path, "--format", "github").stdout.splitlines()
        assert all(line.startswith("::") for line in lines)


@pytest.mark.parametrize(
    ("options", "codes", "status"),
    [
        (["--select", "illegal"], {"no-such-card-left"}, 1),
        (["--select", "note"], set(), 0),
        (["--ignore", "illegal,mismatch"], set(), 0),
        (["--ignore", "no-such-card-left"], None, None),
        (["--select", "illegal", "--ignore", "no-such-card-left"], set(), 0),
    ],
)
def test_findings_are_selected_and_ignored(
    run: Run, game: Path, illegal: bytes, options, codes, status
) -> None:
    game.write_bytes(illegal)
    result = run("validate", game, *options, "--format", "json")
    report = json.loads(result.stdout)
    told = {finding["code"] for finding in report["findings"]} if "findings" in report else set()
    grouped = {group["code"] for group in report.get("groups", ())}
    assert report["verdict"] == "illegal"
    assert grouped <= told
    if codes is None:
        assert "no-such-card-left" not in told
    else:
        assert (told & {"no-such-card-left"}, result.exit_code) == (codes, status)


def test_why_a_record_cannot_be_read_is_always_told(run: Run, three: Path) -> None:
    result = run("validate", three, "--ignore", "unreadable,not-json", "--select", "illegal")
    assert "[not-json]" in result.stdout
    assert result.exit_code == 2


def test_a_code_that_does_not_exist_is_refused(run: Run, game: Path) -> None:
    result = run("validate", game, "--select", "must-folow-suit")
    assert result.exit_code == 2
    assert "Did you mean must-follow-suit?" in result.stderr


def test_the_nearest_folder_with_settings_counts(run: Run, tmp_path: Path) -> None:
    settings.folder_settings.cache_clear()
    inner = tmp_path / "club" / "old"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[tool.bezique]\nignore = ["must-follow-suit"]\n')
    (inner.parent / "pyproject.toml").write_text("[tool.other]\n")
    (inner / "bezique.toml").write_text('select = ["illegal"]\nlenient = true\n')
    odd = REVOKE.replace(b'"version"', b'"colour":"green","version"', 1)
    (inner / "a.json").write_bytes(odd)
    (inner.parent / "b.json").write_bytes(REVOKE)
    lines = run("validate", tmp_path, "--format", "json").stdout.splitlines()
    reports = {Path(json.loads(line)["file"]).name: json.loads(line) for line in lines}
    assert [f["code"] for f in reports["a.json"]["findings"]] == ["must-follow-suit"]
    assert "must-follow-suit" not in str(reports["b.json"].get("findings"))
    lines = run("validate", inner, "--format", "json", "--no-settings").stdout.splitlines()
    assert json.loads(lines[0])["verdict"] == "unreadable"


def test_a_rulebook_of_that_name_sets_nothing(run: Run, game: Path) -> None:
    (game.parent / "bezique.toml").write_text('base = "zique"\nid = "ours"\nname = "Ours"\n')
    assert run("validate", game, "--rules", game.parent / "bezique.toml").exit_code == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('selct = ["illegal"]', "selct"),
        ('select = ["ilegal"]', "Did you mean illegal"),
        ("select = 5", "`select` must be a list, not a whole number"),
        ("select = [", "bezique.toml: "),
    ],
)
def test_wrong_settings_are_refused_with_their_file(
    run: Run, game: Path, text: str, words: str
) -> None:
    settings.folder_settings.cache_clear()
    (game.parent / "bezique.toml").write_text(text)
    result = run("validate", game)
    assert result.exit_code == 2
    assert words in result.stderr
    assert "bezique.toml" in result.stderr
