"""The play: every way to write a match gives one, every change of a card, a person, an option or the day gives two."""

import json
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from records.format import codec
from records.format.redaction import redact
from records.match_play import MatchPlay, Relation, match_play, match_traces, relate
from records.record import Record
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from tests.make.rewritings import WAYS, Raw, changed, rewritten

SHEETS = [sheet.id for sheet in ALL_SHEETS]
PAIRS = 4
"""Pairs of each kind and sheet; a soak asks for hundreds."""


@cache
def game(sheet: str, seed: int) -> bytes:
    record = play_game(sheet, seed=seed, deals=2)
    record.meta = {"event": "League", "started": "2026-03-31T19:00:00Z"}
    return codec.encode(record)


def read(raw: Raw) -> tuple[Record, MatchPlay]:
    decoded = codec.decode(json.dumps(raw, ensure_ascii=False).encode())
    assert decoded.record is not None, [finding.message for finding in decoded.findings]
    play = match_play(decoded.record)
    assert play is not None
    return decoded.record, play


def pairs(sheet: str, number: int) -> Iterator[tuple[Raw, Random]]:
    for seed in range(number):
        yield json.loads(game(sheet, seed % 5)), Random(f"{sheet} {seed}")


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_way_to_write_a_match_gives_one(sheet: str) -> None:
    for raw, random in pairs(sheet, PAIRS):
        first, one = read(rewritten(raw, random))
        second, other = read(rewritten(raw, random))
        assert relate(one, other) is Relation.SAME
        assert one.key == other.key
        assert set(match_traces(first)) & set(match_traces(second))


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_change_gives_another_match(sheet: str) -> None:
    for raw, random in pairs(sheet, PAIRS):
        _, one = read(rewritten(raw, random))
        _, other = read(rewritten(changed(raw, random), random))
        assert one.key != other.key
        assert relate(one, other) is None


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_beginning_is_known_beside_its_whole(sheet: str) -> None:
    for raw, random in pairs(sheet, PAIRS):
        short = json.loads(json.dumps(raw))
        deal = random.randrange(len(short["deals"]))
        events = short["deals"][deal]["events"]
        del short["deals"][deal + 1 :]
        del events[random.randint(0, len(events) - 2) :]
        short.pop("result", None)
        short["deals"][deal].pop("claims", None)
        _, whole = read(rewritten(raw, random))
        _, beginning = read(short)
        assert relate(beginning, whole) in (Relation.BEGINNING, Relation.VIEW, Relation.SAME)
        assert relate(whole, beginning) in (Relation.WHOLE, Relation.VIEW, Relation.SAME)
        assert whole.fullness >= beginning.fullness


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_notes_of_two_seats_are_of_one_match(sheet: str) -> None:
    for raw, _ in pairs(sheet, 2):
        record, full = read(raw)
        seats = [match_play(redact(record, seat)) for seat in range(len(record.players))]
        for own in seats:
            assert own is not None
            assert relate(own, full) in (Relation.VIEW, Relation.SAME)
            assert own.fullness <= full.fullness
            assert all(other is not None and relate(own, other) for other in seats)


def test_there_are_many_ways() -> None:
    assert len(WAYS) >= 12
