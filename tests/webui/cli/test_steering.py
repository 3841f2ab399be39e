"""Texts of a record are printed without control characters that would steer the terminal."""

import json
import unicodedata
from pathlib import Path

import pytest

ESCAPE, BELL, CSI, OVERRIDE = "\x1b]0;", "\a", "\x9b2J", "\u202e"
EVIL = f"Eve{ESCAPE}{BELL}{CSI}{OVERRIDE}"
COMMANDS = [
    ("show",), ("show", "--step", "3"), ("show", "--record", "2"), ("show", "--record", "3"), ("show", "--record", "4"),
    ("annotate", "--record", "1"), ("annotate", "--format", "prose", "--record", "1"), ("validate",), ("validate", "--lenient"),
    ("identify", "--record", "2"), ("annotate", "--record", "3"),
]  # fmt: skip


@pytest.fixture
def evil(tmp_path: Path, legal: bytes, illegal: bytes) -> Path:
    """A legal, an illegal, two unreadable records, every free text of which steers; so does the file's name."""
    path = tmp_path / f"evil{ESCAPE}{CSI}.jsonl"
    path.write_text("\n".join(map(json.dumps, _records(legal, illegal))))
    return path


def _records(legal: bytes, illegal: bytes) -> list[dict[str, object]]:
    found = []
    for data in (legal, illegal, legal, legal):
        record = json.loads(data)
        # One deal is enough: what is printed of it is printed of every deal.
        del record["deals"][1:], record["result"]
        record["players"][0] |= {"name": EVIL}
        record["notes"] = [{"at": [0], "by": EVIL, "text": EVIL}]
        record["lines"] = [
            {"at": [0, 0], "events": [{"type": "play", "seat": 0, "card": "7D"}], "by": EVIL}
        ]
        event = {"type": "irregular", "seat": 0, "what": "other", "text": EVIL}
        record["deals"][0]["events"].insert(1, event)
        found.append(record)
    found[2][EVIL] = 1
    found[3]["deals"][0]["events"][0]["card"] = EVIL
    return found


@pytest.mark.sampled(3)
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_prints_what_steers(run, evil, words):
    said = run(words[0], evil, *words[1:]).output
    assert "Eve" in said or "evil" in said or words[0] == "identify"
    assert not _steering(said)


@pytest.mark.long
def test_nor_does_one_that_asks_the_database(run, evil, tmp_path):
    folder = tmp_path / "data"
    told = run("ingest", evil, "--data", folder).output
    assert not _steering(told)
    for words in (
        ("stats", "deals_won", "--by", "player", "--plot"),
        ("stats", "lead", "--by", "trick", "--split", "player", "--plot"),
    ):
        said = run(*words, "--data", folder, "--every").output
        assert "Eve" in said
        assert not _steering(said)


def _steering(said: str) -> list[str]:
    """The controls in what is printed, colours being off, but for the ends of lines."""
    return [
        letter
        for letter in said.replace("\n", "")
        if unicodedata.category(letter) == "Cc" or letter == OVERRIDE
    ]
