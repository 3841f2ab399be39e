"""`bezique convert` of logs of other programs: places of mistakes, and what became of lines."""

import json
import os
import re
from pathlib import Path
from random import Random

import pytest

from records.format import codec
from records.selfplay import play_game
from tests.records.format.invented_logs import english_table
from tests.records.format.log_shapes import (
    TOTALS_MAPPING,
    TRICK_MAPPING,
    trick_by_trick,
    with_running_totals,
)

DAMAGES = int(os.environ.get("BEZIQUE_DAMAGES", "150"))
"""How many damaged logs and mappings are tried: `BEZIQUE_DAMAGES=3000` for the proof."""


@pytest.fixture(scope="module")
def shapes() -> list[tuple[str, bytes, bytes]]:
    """Logs with their mappings: the format, the log and the mapping."""
    games = [json.loads(codec.encode(play_game("polish-bezique", seed=1)))]
    return [
        ("csv", with_running_totals(games).encode(), TOTALS_MAPPING.encode()),
        ("jsonl", trick_by_trick(games).encode(), TRICK_MAPPING.encode()),
    ]


@pytest.fixture
def files(tmp_path, shapes):
    """The log and the mapping of the tricks, as files."""
    form, log, mapping = shapes[1]
    (tmp_path / f"log.{form}").write_bytes(log)
    (tmp_path / "map.toml").write_bytes(mapping)
    return tmp_path / f"log.{form}", tmp_path / "map.toml"


def test_what_became_of_a_line(run, files):
    log, mapping = files
    lines = log.read_text().splitlines()
    number = next(n for n, line in enumerate(lines, 1) if "dix-play" in line)
    done = run("convert", log, "--from", "event-log", "--mapping", mapping, "--explain", number)
    place, rule, first, second, *shown = done.stdout.splitlines()
    assert place == f"{log}:{number}: {lines[number - 1]}"
    assert re.fullmatch(rf"  read by `line\[1\]` \(line \d+ of {mapping}\)", rule)
    assert first.startswith("  deal 1, event ")
    plays = [json.loads(line.partition(": ")[2]) for line in (first, second)]
    assert [play["type"] for play in plays] == ["play", "play"]
    dix = next(json.loads(line.partition(": ")[2]) for line in shown if "dix" in line)
    assert {play["card"][0] for play in plays if play["seat"] == dix["seat"]} == {"7"}


def test_all_lines_and_some(run, files):
    log, mapping = files
    begun = ("convert", log, "--from", "event-log", "--mapping", mapping, "--explain")
    count = len(log.read_text().splitlines())
    assert run(*begun, "all").stdout.count(f"{log}:") == count
    assert run(*begun, "3-5").stdout.count(f"{log}:") == 3
    for wrong in ("x", "3-", ""):
        refused = run(*begun, wrong)
        assert (refused.exit_code, "--explain takes a line as 12" in refused.stderr) == (2, True)
    assert "--explain is for --from event-log" in run("convert", log, "--explain", "1").stderr


def test_lines_before_a_mistake_are_explained_too(run, files):
    log, mapping = files
    log.write_text(log.read_text().replace('"reply": "', '"reply": "x', 3))
    done = run("convert", log, "--from", "event-log", "--mapping", mapping, "--explain", "1-2")
    assert (done.exit_code, done.stdout.count(f"{log}:")) == (2, 1)
    assert "is no card. See `line[1].write[0].cards[1]`" in done.stderr


def damaged(random: Random, data: bytes) -> bytes:
    """A file with one to three things wrong in it, as editors, programs and disks make them."""
    for _ in range(random.choice((1, 1, 2, 3))):
        lines = data.split(b"\n")
        at = random.randrange(len(lines))
        start = random.randrange(len(data) or 1)
        match random.randrange(9):
            case 0:
                del lines[at]
                data = b"\n".join(lines)
            case 1:
                lines.insert(random.randrange(len(lines)), lines[at])
                data = b"\n".join(lines)
            case 2:
                data = data[:start]
            case 3:
                data = data[:start] + data[start + random.randrange(1, 9) :]
            case 4:
                data = data[:start] + random.choice(ODD_TEXTS) + data[start:]
            case 5:
                words = re.findall(rb"[\w$.@-]+", data) or [b"x"]
                word, other = random.choice(words), random.choice([*words, *ODD_TEXTS])
                data = data.replace(word, other, random.choice((1, 99)))
            case 6:
                values = re.findall(rb'"[^"\n]*"', data) or [b'""']
                data = data.replace(random.choice(values), random.choice(ODD_VALUES), 1)
            case 7:
                tables = re.findall(rb"^\[+.*\]+$", data, re.M) or [b"{"]
                data = data.replace(random.choice(tables), random.choice(ODD_TEXTS), 1)
            case _:
                lines[at] = lines[at][::-1]
                data = b"\n".join(lines)
    return data


ODD_TEXTS = [
    b"\xff",
    b"\0",
    b"\n",
    b'"',
    b"[",
    b"{",
    b"$",
    b"${",
    b"}",
    b"\xc3\xa9",
    b"\r",
    b"@winner",
    b"(",
    b"\\",
    b"9" * 30,
]
ODD_VALUES = [
    b"7", b"-1", b"true", b"[]", b"{}", b'""', b'"$"', b'"${}"', b'"$x?"', b'"@next"', b'"@seven"', b'["a", ["b"]]', b"1e400",
    b"null", b"99999999999999999999", b'"\\ud800"', b"[[[]]]", b"nan", b"2020-01-01", b'{ line = [] }', b'"(?P<a>"',
]  # fmt: skip
PLACE = re.compile(
    r"[Ll]ine \d+ of \S*(?:log\.\w+|map\.toml)|\(\S*map\.toml\)"
    r"|log\.\w+:\d+ is no record|map\.toml is not TOML: .*(?:line \d+|end of document)"
)
"""Every sentence about a mistake has a place: a line of the log or one of the mapping, or the mapping as a whole."""


@pytest.mark.long
def test_no_damage_fails_without_a_sentence_and_a_place(run, tmp_path, shapes):
    log, mapping = tmp_path / "log.txt", tmp_path / "map.toml"
    read = 0
    for seed in range(DAMAGES):
        random = Random(seed)
        _, *contents = random.choice(shapes)
        which = random.randrange(2)
        contents[which] = damaged(random, contents[which])
        log.write_bytes(contents[0])
        mapping.write_bytes(contents[1])
        done = run("convert", log, "--from", "event-log", "--mapping", mapping, "--to", "json")
        said = " ".join(done.stderr.split())
        read += done.exit_code == 0
        assert done.exit_code == 0 or (done.exit_code == 2 and PLACE.search(said)), (seed, said)
    assert DAMAGES // 20 < read < DAMAGES


def test_a_mapping_that_is_no_text_is_refused_with_its_line(run, files):
    log, mapping = files
    for data, says in (
        (b"[log]\n\xff", "line 2 is not UTF-8"),
        (b"[log\n", "(at line 1, column 5)"),
    ):
        Path(mapping).write_bytes(data)
        refused = run("convert", log, "--from", "event-log", "--mapping", mapping)
        assert (refused.exit_code, says in refused.stderr) == (2, True)


def test_a_draft_is_written_and_converts_what_it_was_drafted_from(run, tmp_path):
    game = json.loads(codec.encode(play_game("bezique", seed=1, deals=1)))
    log, mapping = tmp_path / "log.csv", tmp_path / "map.toml"
    log.write_text(english_table(game), encoding="utf-8")
    done = run("convert", log, "--draft", "--out", mapping)
    assert (done.exit_code, done.stderr) == (0, f"Wrote a mapping to {mapping}.\n")
    assert run("convert", log, "--draft").stdout_bytes == mapping.read_bytes()
    done = run("convert", log, "--from", "event-log", "--mapping", mapping, "--to", "json")
    assert json.loads(done.stdout)["deals"][0]["hands"] == game["deals"][0]["hands"]


def test_a_draft_of_a_long_log_reads_whole_lines(run, tmp_path, monkeypatch):
    """Whatever letter the limit falls on; one value of JSON that is longer is refused."""
    game = json.loads(codec.encode(play_game("bezique", seed=1, deals=1)))
    log = tmp_path / "log.csv"
    log.write_text(english_table(game).replace("Alice", "Zoé"), encoding="utf-8")
    whole, data = run("convert", log, "--draft").stdout, log.read_bytes()
    letter, line = data.index("é".encode(), 2000), data.index(b"\n", 2000)
    for most in {at + step for at in (letter, line) for step in range(3)}:
        monkeypatch.setattr("records.format.log_layout.MOST_BYTES_READ", most)
        done = run("convert", log, "--draft")
        assert (done.exit_code, done.stdout.splitlines()[:3]) == (0, whole.splitlines()[:3])
    log.write_text(json.dumps({"lines": ["x"] * 2000}, indent=1), encoding="utf-8")
    refused = run("convert", log, "--draft")
    assert (refused.exit_code, "draft from a shorter log" in refused.stderr) == (2, True)


def test_a_draft_of_what_is_no_text_is_refused(run, tmp_path):
    log = tmp_path / "log.csv"
    log.write_bytes(b"a,b\n\xff,c\n")
    refused = run("convert", log, "--draft")
    assert (refused.exit_code, "ine 2 of" in refused.stderr) == (2, True)
