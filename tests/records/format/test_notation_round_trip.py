"""The notation and JSON say the same: nothing is lost on the way from one to the other and back."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings

from records.format import codec
from records.format.notation_reader import read_notation
from records.format.notation_writer import write_notation
from records.record import Record
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from tests.records.strategies import records

SAMPLES = sorted((Path(__file__).parents[3] / "samples").glob("*/*.json"))
READABLE = 100
"""At least so many of the samples are records, if not legal ones."""


def there_and_back(record: Record) -> codec.DecodedRecord:
    """The record that is denoted by what is written of a record; written again, it is the same text."""
    text = write_notation(record)
    decoded = codec.decode(text.encode())
    if decoded.record is not None:
        assert write_notation(decoded.record) == text
    return decoded


@pytest.mark.long
def test_samples_come_back_and_need_no_json() -> None:
    """None but those that have their rulebook inside, which has no words of its own."""
    read = 0
    for path in SAMPLES:
        told = codec.decode(path.read_bytes())
        if told.record is None:
            continue
        back = there_and_back(told.record)
        assert back.record is not None, path.stem
        assert codec.encode(back.record) == codec.encode(told.record), path.stem
        assert back.digest() == told.digest()
        read += 1
        escapes = re.findall(r"(?m)^\[json (\w+)", write_notation(told.record))
        assert escapes == ["sheet"] * (told.record.rules.sheet is not None), path.stem
    assert read > READABLE


@pytest.mark.long
@settings(max_examples=25)
@given(records())
def test_all_that_the_format_allows_comes_back(record: Record) -> None:
    told, back = codec.decode(codec.encode(record)), there_and_back(record)
    assert [(one.code, one.at.pointer) for one in back.findings] == [
        (one.code, one.at.pointer) for one in told.findings
    ]
    if told.record is not None:
        assert back.record is not None
        assert codec.encode(back.record) == codec.encode(told.record)


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
@pytest.mark.parametrize("style", ["random", "greedy"])
def test_played_games_come_back(sheet, style: str) -> None:
    record = play_game(
        sheet.id,
        seed=7,
        style=style,
        deals=1,
        labels=style == "random" and sheet.rules.pack.packs > 1,
        players=max(sheet.rules.players),
    )
    back = there_and_back(record)
    assert back.record is not None
    assert codec.encode(back.record) == codec.encode(record)
    lines = write_notation(record).split("\n")
    plays = sum(event.__class__.__name__ == "Play" for event in record.deals[0].events)
    tricks = [line for line in lines if line.split(".")[0].isdigit()]
    assert len(tricks) == -(-plays // len(record.players)), "one line a trick"


def test_texts_that_break_lines_or_turn_writing_stay_on_their_line() -> None:
    text = "one\ntwo\u2028three\u202efour\x7f\x85"
    record = play_game("zique", seed=1, deals=1)
    record.players[0].name = text
    line = write_notation(record).split("\n")[2]
    assert line.isprintable()
    assert there_and_back(record).record == record


def test_what_json_writes_out_or_leaves_blank_is_not_kept() -> None:
    data = (
        b'{ "version":"1.0","format":"bezique-record","result":null,"rules":{"id":"zique","options":{}},'
        b'"players":[{"name":"A"},{"name":"B"}],"deals":[{"dealer":0,"turn_up":"10S"}]}'
    )
    told = codec.decode(data)
    assert told.record is not None
    text = write_notation(told.record)
    assert text == (
        '[bezique 1.0]\n[rules zique]\n[player a "A"]\n[player b "B"]\n\n[deal a]\n[turn_up TS]\n'
    )
    assert read_notation(text.replace("TS", "10S")).json == read_notation(text).json
