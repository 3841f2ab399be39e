"""The page with a deal of every game is up to date; its points add up, and its laws are those of the sheets."""

import re

import pytest

from records.documents.deals_page import deals_page, samples_shown
from records.documents.schemas import SPEC_FOLDER
from records.events import Meld, Play
from records.record import Record
from records.rules.registry import LAW_NUMBER_PATTERN, resolve_rules
from records.rules.vocabulary import RuleSheet

PAGE = (SPEC_FOLDER / "deals.md").read_text()
TOLD = samples_shown()
by_sample = pytest.mark.parametrize("record", [record for _, record in TOLD], ids=[name for name, _ in TOLD])


def rows_of(record: Record) -> list[list[str]]:
    sheet = sheet_of(record)
    chapter = PAGE.split(f"\n## {sheet.name}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in chapter.splitlines() if line.startswith("| ")][2:]
    return [line.strip("|").split(" | ") for line in lines]


def sheet_of(record: Record) -> RuleSheet:
    return resolve_rules(record.rules).sheet


def test_the_page_is_fresh() -> None:
    assert deals_page() == PAGE, "write it with: python -m records.documents.deals_page"


@by_sample
def test_the_points_told_add_up_to_the_scores(record: Record) -> None:
    names = [player.name for player in record.players]
    total = dict.fromkeys(names, 0)
    for row in rows_of(record):
        for name, points in re.findall(r"(\w+) (?:melds|scores) [^;]*?: (\d+)", row[3]):
            total[name] += int(points)
        assert row[4].strip() == " : ".join(map(str, total.values()))


@by_sample
def test_every_card_played_and_every_meld_is_told(record: Record) -> None:
    events, rows = record.deals[0].events, rows_of(record)
    told = " ".join(f"{row[1]} {row[3]}" for row in rows)
    plays = [event.card for event in events if isinstance(event, Play)]
    assert [card for row in rows for card in re.findall(r"\w+ `(\w+)`", row[1])] == plays
    for event in events:
        if isinstance(event, Meld):
            assert f"`{' '.join(event.cards)}`: {event.points}" in told


@by_sample
def test_every_law_is_one_of_the_sheet_and_is_noted_once(record: Record) -> None:
    notes = [note for row in rows_of(record) for note in row[5].split("; ") if note.strip()]
    assert len(notes) == len(set(notes)) >= 5
    laws = [LAW_NUMBER_PATTERN.findall(note)[-1] for note in notes]
    assert set(laws) <= set(LAW_NUMBER_PATTERN.findall(" ".join(each.cited for each in sheet_of(record).articles)))
