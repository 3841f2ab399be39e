"""The fast path for plain play gives the same report, tricks and points as checks and effects."""

import random

import msgspec
import pytest

from records import codec
from records.events import Dix, Meld, Play, Trick
from records.record import Record
from records.replay import replay
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from records.validator import Validator, check_record

DAMAGES = 12
STATING = (Trick, Meld, Dix, Play)


def read(record: Record, only: tuple[type, ...] | None) -> tuple[bytes, list[object]]:
    """The report, and for every deal its tricks and its awards."""
    reader, tables = Validator(record), {}
    if reader.match is not None:
        for frame in replay(record, match=reader.match, only=only, log_tricks=True):
            reader.see(frame)
            tables[frame.deal] = frame.table
    kept = [(table.trick_log, table.awards) for table in tables.values()]
    return msgspec.json.encode(reader.report()), kept


def by_every_frame(record: Record) -> tuple[bytes, list[object]]:
    return read(record, None)


def in_the_plain_run(record: Record) -> tuple[bytes, list[object]]:
    report, kept = read(record, ())
    assert report == msgspec.json.encode(check_record(record))
    return report, kept


def damaged(record: Record, chance: random.Random) -> Record:
    copy = msgspec.json.decode(codec.encode(record), type=Record)
    events = chance.choice(copy.deals).events
    i = chance.randrange(len(events) - 1)
    match chance.randrange(8):
        case 0:
            del events[i]
        case 1:
            events.insert(i, events[i])
        case 2:
            events[i], events[i + 1] = events[i + 1], events[i]
        case 3 if hasattr(events[i], "seat"):
            events[i].seat = (events[i].seat + 1) % len(record.players)
        case 4 | 5 if getattr(events[i], "card", None):
            events[i].card = chance.choice(["AS", "TD", "KH", "7C", "QS", "JD"])
        case _:
            kinds = [kind for kind in STATING if any(type(event) is kind for event in events)]
            kind = chance.choice(kinds)
            state_otherwise(chance.choice([event for event in events if type(event) is kind]))
    return copy


def state_otherwise(event: Trick | Meld | Dix | Play) -> None:
    """Let an event say something else: another winner, more points, or the other place of a card."""
    match event:
        case Trick():
            event.winner = 1 - event.winner
        case Meld() | Dix():
            event.points = 10 + (event.points or 0)
        case Play():
            event.source = "hand" if event.source == "table" else "table"


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
@pytest.mark.parametrize("seed", range(3))
def test_the_plain_run_reports_what_every_frame_reports(sheet, seed):
    style = "random" if seed % 2 else "greedy"
    game = play_game(sheet.id, seed=seed, style=style, where=seed == 1, labels=seed == 2, deals=3)
    assert in_the_plain_run(game) == by_every_frame(game)
    chance = random.Random(seed)
    for _ in range(DAMAGES):
        record = damaged(game, chance)
        assert in_the_plain_run(record) == by_every_frame(record)
