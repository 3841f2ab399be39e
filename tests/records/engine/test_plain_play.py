"""The fast path for plain play gives the same report, tricks and points as checks and effects."""

import random

import msgspec
import pytest

from records.events import Dix, Meld, Play, Trick
from records.format import codec
from records.record import Record
from records.replay import replay
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from records.validator import Validator
from tests.make.tables import cut_down, table
from tests.records.engine.all_readings import assert_few_readings_tell_the_same

DAMAGES = 12
STATING = (Trick, Meld, Dix, Play)


def read(record: Record, *, findings_only: bool) -> tuple[bytes, list[object]]:
    """The report, and for every deal its tricks and its awards."""
    reader, tables = Validator(record), {}
    if reader.match is not None:
        for frame in replay(
            record, match=reader.match, findings_only=findings_only, log_tricks=True
        ):
            reader.see(frame)
            tables[frame.deal] = frame.table
    kept = [(table.trick_log, table.awards) for table in tables.values()]
    return msgspec.json.encode(reader.report()), kept


def by_every_frame(record: Record) -> tuple[bytes, list[object]]:
    return read(record, findings_only=False)


def in_the_plain_run(record: Record) -> tuple[bytes, list[object]]:
    report, kept = read(record, findings_only=True)
    assert report == msgspec.json.encode(assert_few_readings_tell_the_same(record))
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


@pytest.mark.sampled(12)
@pytest.mark.long
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


@pytest.mark.parametrize(
    ("position", "told"),
    [
        # The card before the dix was of the same face as one that the other seat still holds.
        ("N: AH 7S 9C | S: 9H 9H 8D", "N AH, S 9H, N takes, N 7S, N dix play 10, S 8D, N 9C, S 9H"),
        # The record ends with the claim of a dix that was replied.
        ("N: 8C 9C AH | S: 7S 9H AD", "N 8C, S 7S, S dix play 10"),
    ],
)
def test_a_dix_claimed_between_two_cards_or_at_the_end_is_read_as_every_frame_reads_it(
    position, told
):
    record = table(f"{position} | trump S | N leads", told).record
    with cut_down():
        report, kept = in_the_plain_run(record)
        assert (report, kept) == by_every_frame(record)
    assert b'"verdict":"incomplete"' in report
