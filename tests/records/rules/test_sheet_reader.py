"""A program in JavaScript that knows nothing but the published sheets replays the good samples, and agrees."""

import shutil
import subprocess
from pathlib import Path

import pytest

from records.rules.registry import SHEETS_FOLDER
from tests.machine.waiting import PATIENCE_SECONDS
from tests.samples.good import OWN_GAMES

READER = Path(__file__).parent / "sheet_reader.js"
SAMPLES = [
    path
    for path in sorted((Path(__file__).parents[3] / "samples/good").glob("*.json"))
    if path.stem not in OWN_GAMES  # it reads published sheets, and tricks of two cards
]

pytestmark = pytest.mark.skipif(
    not shutil.which("node"), reason="the reader in JavaScript did not run: install node"
)


def read(sheets: Path, *records: Path) -> list[str]:
    """What does not agree."""
    command = ["node", str(READER), str(sheets), *map(str, records)]
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=PATIENCE_SECONDS
    )
    return done.stdout.splitlines()


def test_it_agrees_with_every_good_sample() -> None:
    assert read(SHEETS_FOLDER, *SAMPLES) == []


@pytest.mark.long
def test_it_would_notice_another_number(tmp_path: Path) -> None:
    """One number of every kind changed in a sheet: none passes."""
    sample = next(path for path in SAMPLES if path.stem == "rubicon-bezique")
    data = (SHEETS_FOLDER / sample.name).read_text()
    changes = {
        '"points": 100': '"points": 110',
        '"last_trick", "points": 50': '"last_trick", "points": 60',
        '"base": 1000': '"base": 1100',
        '"cards": 128': '"cards": 126',
    }
    unnoticed = []
    for number, (before, after) in enumerate(changes.items()):
        assert before in data
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / sample.name).write_text(data.replace(before, after, 1))
        if not read(folder, sample):
            unnoticed.append(before)
    assert unnoticed == []
